//! A plot with a value axis at the left or below, and its grid.

use crate::canvas::{Anchor, Stroke};
use crate::page::{MARGIN, Page, WIDTH};
use crate::scale::{Scale, Tick};
use crate::text::{LABEL, SMALL};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Area {
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
}

pub(crate) const PLOT_HEIGHT: f64 = 360.0;
const TICK_GAP: f64 = 12.0;

/// The caption of the upright axis stands level above it: nobody has to turn their head.
pub(crate) fn caption_above(page: &mut Page, caption: Option<&str>) {
    if let Some(caption) = caption {
        let soft = page.canvas.palette().soft;
        let text = page
            .canvas
            .fonts
            .shorten(caption, SMALL, WIDTH - 2.0 * MARGIN);
        let at = (MARGIN, page.top + 8.0);
        page.canvas.text(at, Anchor::Start, SMALL, soft, &text);
        page.top += 20.0;
    }
}

/// Returns where the caption ends.
pub(crate) fn caption_below(page: &mut Page, area: Area, top: f64, caption: Option<&str>) -> f64 {
    let Some(caption) = caption else {
        return top;
    };
    let soft = page.canvas.palette().soft;
    let text = page
        .canvas
        .fonts
        .shorten(caption, SMALL, WIDTH - 2.0 * MARGIN);
    let half = page.canvas.fonts.measure(&text, SMALL) / 2.0;
    let middle = ((area.left + area.right) / 2.0).clamp(MARGIN + half, WIDTH - MARGIN - half);
    page.canvas
        .text((middle, top + 16.0), Anchor::Middle, SMALL, soft, &text);
    top + 20.0
}

pub(crate) fn left_gutter(page: &Page, scale: &Scale) -> f64 {
    let labels = scale.ticks.iter().map(|t| t.label.as_str());
    MARGIN + page.canvas.fonts.widest(labels, LABEL).ceil() + 10.0
}

/// Level grid lines with their values at the left.
pub(crate) fn value_axis_left(page: &mut Page, area: Area, scale: &Scale) {
    let palette = page.canvas.palette();
    for tick in &scale.ticks {
        let y = scale.at(tick.at, area.bottom, area.top);
        let zero = tick.at == 0.0;
        let colour = if zero { palette.axis } else { palette.grid };
        page.canvas
            .line((area.left, y), (area.right, y), Stroke::solid(colour, 1.0));
        let at = (area.left - 10.0, y + LABEL.drop());
        page.canvas
            .text(at, Anchor::End, LABEL, palette.soft, &tick.label);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grid {
    Lines,
    TicksOnly,
}

/// Values below the plot; labels that would touch are left out. Returns where the labels end.
pub(crate) fn value_axis_below(page: &mut Page, area: Area, scale: &Scale, grid: Grid) -> f64 {
    let palette = page.canvas.palette();
    let shown = thinned(page, area, scale);
    for (tick, label) in scale.ticks.iter().zip(&shown) {
        let x = scale.at(tick.at, area.left, area.right);
        let zero = tick.at == 0.0 && grid == Grid::Lines;
        let colour = if zero { palette.axis } else { palette.grid };
        let (from, to, colour) = match grid {
            Grid::Lines => (area.top, area.bottom, colour),
            Grid::TicksOnly => (area.bottom, area.bottom + 5.0, palette.axis),
        };
        if grid == Grid::Lines || label.is_some() {
            page.canvas
                .line((x, from), (x, to), Stroke::solid(colour, 1.0));
        }
        if let Some(label) = label {
            let at = (x, area.bottom + 19.0);
            page.canvas
                .text(at, Anchor::Middle, LABEL, palette.soft, label);
        }
    }
    if grid == Grid::TicksOnly {
        let stroke = Stroke::solid(palette.axis, 1.0);
        page.canvas
            .line((area.left, area.bottom), (area.right, area.bottom), stroke);
    }
    area.bottom + 24.0
}

/// The labels that fit, every n-th, none beyond the margins.
fn thinned(page: &Page, area: Area, scale: &Scale) -> Vec<Option<String>> {
    let count = scale.ticks.len();
    let longest = LABEL_WIDTH_MAX.min((area.right - area.left) / 2.0);
    let labels: Vec<String> = scale
        .ticks
        .iter()
        .map(|t| page.canvas.fonts.shorten(&t.label, LABEL, longest))
        .collect();
    let boxes: Vec<(f64, f64)> = scale
        .ticks
        .iter()
        .zip(&labels)
        .map(|(tick, label): (&Tick, &String)| {
            let half = page.canvas.fonts.measure(label, LABEL) / 2.0;
            let x = scale.at(tick.at, area.left, area.right);
            (x - half, x + half)
        })
        .collect();
    let inside = |i: usize| boxes[i].0 >= 4.0 && boxes[i].1 <= WIDTH - 4.0;
    let fits = |every: usize| {
        let kept: Vec<usize> = (0..count).step_by(every).filter(|i| inside(*i)).collect();
        kept.windows(2)
            .all(|pair| boxes[pair[0]].1 + TICK_GAP <= boxes[pair[1]].0)
    };
    let every = (1..=count)
        .find(|every| fits(*every))
        .unwrap_or(count.max(1));
    labels
        .into_iter()
        .enumerate()
        .map(|(i, label)| (i % every == 0 && inside(i)).then_some(label))
        .collect()
}

const LABEL_WIDTH_MAX: f64 = 110.0;

/// The area of a plot with values at the left, wide enough for the first and last label below.
pub(crate) fn area_for(page: &Page, left_scale: &Scale, below: &Scale) -> Area {
    let half = |tick: Option<&Tick>| {
        tick.map_or(0.0, |t| {
            page.canvas
                .fonts
                .measure(&t.label, LABEL)
                .min(LABEL_WIDTH_MAX)
                / 2.0
        })
    };
    let first = half(below.ticks.first());
    let last = half(below.ticks.last());
    Area {
        left: left_gutter(page, left_scale).max(MARGIN + first - 10.0),
        right: WIDTH - MARGIN.max(last + 8.0),
        top: page.top + 6.0,
        bottom: page.top + 6.0 + PLOT_HEIGHT,
    }
}
