//! What happened when: moments above the axis, stretches of time below it.

use serde::{Deserialize, Serialize};

use crate::canvas::{Anchor, Bounds, Stroke};
use crate::chart::Kind;
use crate::limits::EVENTS_MAX;
use crate::page::{Heading, MARGIN, Page, WIDTH};
use crate::plot::{self, Area, Grid};
use crate::scale::{Scale, range};
use crate::text::{LABEL, SMALL, STRONG, clean};
use crate::{Refusal, check, date};

const FLAG_WIDTH_MAX: f64 = 150.0;
const FLAG_LINES_MAX: usize = 3;
const GAP: f64 = 14.0;
const STRETCH_ROW: f64 = 36.0;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timeline {
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtitle: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    pub events: Vec<TimelineEvent>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimelineEvent {
    pub date: String,
    pub label: String,
    /// The last day, for what took longer than one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
}

struct Dated<'a> {
    from: f64,
    to: Option<f64>,
    event: &'a TimelineEvent,
}

/// A label whose staff stands at its left edge.
struct Flag {
    x: f64,
    right: f64,
    level: usize,
    date: String,
    lines: Vec<String>,
}

impl Timeline {
    /// By date; what is on the same day stays in its order.
    fn dated(&self) -> Result<Vec<Dated<'_>>, Refusal> {
        let mut all = Vec::new();
        for (e, event) in self.events.iter().enumerate() {
            let from = date::required(&event.date, || format!("events[{e}].date"))?;
            let to = match &event.end {
                None => None,
                Some(end) => Some(date::required(end, || format!("events[{e}].end"))?),
            };
            if to.is_some_and(|to| to < from) {
                return Err(Refusal::wrong(
                    format!("events[{e}].end"),
                    "is before its date",
                ));
            }
            all.push(Dated { from, to, event });
        }
        all.sort_by(|a, b| a.from.total_cmp(&b.from));
        Ok(all)
    }
}

/// From right to left: each flag flies above the staffs that stand under it.
fn flags(page: &Page, scale: &Scale, area: Area, moments: &[&Dated<'_>]) -> Vec<Flag> {
    let mut flags: Vec<Flag> = Vec::new();
    for moment in moments.iter().rev() {
        let fonts = &page.canvas.fonts;
        let x = scale.at(moment.from, area.left, area.right);
        let text = clean(&moment.event.label);
        let lines = fonts.wrap(&text, LABEL, FLAG_WIDTH_MAX, FLAG_LINES_MAX);
        let date = date::long(moment.from);
        let width = fonts
            .widest(lines.iter().map(String::as_str), LABEL)
            .max(fonts.measure(&date, STRONG));
        let right = x + 7.0 + width;
        let level = flags
            .iter()
            .filter(|other| other.x < right + GAP)
            .map(|other| other.level + 1)
            .max()
            .unwrap_or(0);
        flags.push(Flag {
            x,
            right,
            level,
            date,
            lines,
        });
    }
    flags
}

/// How high each level is: its highest flag.
fn level_heights(flags: &[Flag]) -> Vec<f64> {
    let levels = flags.iter().map(|f| f.level + 1).max().unwrap_or(0);
    (0..levels)
        .map(|level| {
            let lines = flags
                .iter()
                .filter(|f| f.level == level)
                .map(|f| f.lines.len())
                .max()
                .unwrap_or(1);
            lines as f64 * LABEL.line_height() + STRONG.line_height() + 14.0
        })
        .collect()
}

fn paint_flag(page: &mut Page, flag: &Flag, top: f64, axis: f64) {
    let palette = page.canvas.palette();
    let staff = Stroke::solid(palette.axis, 1.0);
    page.canvas.line((flag.x, top), (flag.x, axis), staff);
    page.canvas.marker((flag.x, axis), 0, 5.0);
    let mut y = top + STRONG.size * 0.8;
    let x = flag.x + 7.0;
    page.canvas
        .text((x, y), Anchor::Start, STRONG, palette.mark(0), &flag.date);
    for line in &flag.lines {
        y += LABEL.line_height();
        page.canvas
            .text((x, y), Anchor::Start, LABEL, palette.ink, line);
    }
}

fn paint_stretches(
    page: &mut Page,
    scale: &Scale,
    area: Area,
    top: f64,
    all: &[&Dated<'_>],
) -> f64 {
    let palette = page.canvas.palette();
    let mut rows: Vec<f64> = Vec::new();
    for stretch in all {
        let from = scale.at(stretch.from, area.left, area.right);
        let last = stretch.to.unwrap_or(stretch.from);
        let to = scale.at(last, area.left, area.right).max(from + 4.0);
        let label = clean(&stretch.event.label);
        let dates = format!("{} to {}", date::long(stretch.from), date::long(last));
        let dates_width = page.canvas.fonts.measure(&dates, SMALL) + 8.0;
        let room = WIDTH - 2.0 * MARGIN - dates_width;
        let label = page.canvas.fonts.shorten(&label, LABEL, room.min(330.0));
        let label_width = page.canvas.fonts.measure(&label, LABEL);
        let width = label_width + dates_width;
        let text = from.min(WIDTH - MARGIN - width);
        let (begin, end) = (from.min(text), to.max(text + width));
        let free = rows.iter().position(|taken| *taken + GAP <= begin);
        let row = free.unwrap_or(rows.len());
        match rows.get_mut(row) {
            Some(taken) => *taken = end,
            None => rows.push(end),
        }
        let y = top + row as f64 * STRETCH_ROW;
        let bar = Bounds {
            left: from,
            right: to,
            top: y,
            bottom: y + 8.0,
        };
        page.canvas.rect(bar, 3.0, palette.mark(2), None);
        let baseline = y + 22.0;
        page.canvas
            .text((text, baseline), Anchor::Start, LABEL, palette.ink, &label);
        let at = (text + label_width + 8.0, baseline);
        page.canvas
            .text(at, Anchor::Start, SMALL, palette.soft, &dates);
    }
    top + rows.len() as f64 * STRETCH_ROW - 8.0
}

impl Kind for Timeline {
    fn heading(&self) -> Heading<'_> {
        super::heading!(self)
    }

    fn check(&self) -> Result<(), Refusal> {
        check::count(self.events.len(), EVENTS_MAX, "events")?;
        for (e, event) in self.events.iter().enumerate() {
            check::text(&event.label, || format!("events[{e}].label"))?;
        }
        self.dated().map(|_| ())
    }

    fn paint(&self, page: &mut Page) -> Result<f64, Refusal> {
        let dated = self.dated()?;
        let (low, high) = range(dated.iter().flat_map(|d| [d.from, d.to.unwrap_or(d.from)]));
        let room = ((high - low) * 0.01).max(0.5);
        let scale = Scale::days(low - room, high + room, 8.0);
        let (moments, stretches): (Vec<_>, Vec<_>) = dated.iter().partition(|d| d.to.is_none());
        let mut area = Area {
            left: MARGIN + 6.0,
            // The flag of the last moment needs its room.
            right: if moments.is_empty() {
                WIDTH - MARGIN - 6.0
            } else {
                WIDTH - MARGIN - FLAG_WIDTH_MAX * 0.8
            },
            top: page.top,
            bottom: page.top,
        };
        if let Some(last) = moments.last() {
            let fonts = &page.canvas.fonts;
            let lines = fonts.wrap(
                &clean(&last.event.label),
                LABEL,
                FLAG_WIDTH_MAX,
                FLAG_LINES_MAX,
            );
            let width = fonts
                .widest(lines.iter().map(String::as_str), LABEL)
                .max(fonts.measure(&date::long(last.from), STRONG));
            area.right = WIDTH - MARGIN - 10.0 - width;
        }
        // An earlier, longer flag may still reach beyond the last one.
        let mut flags_placed = flags(page, &scale, area, &moments);
        let beyond = flags_placed.iter().map(|f| f.right).fold(0.0, f64::max) - (WIDTH - MARGIN);
        if beyond > 0.0 {
            area.right -= beyond * 1.05;
            flags_placed = flags(page, &scale, area, &moments);
        }
        let heights = level_heights(&flags_placed);
        let total: f64 = heights.iter().sum();
        area.bottom = page.top + total + 16.0;
        for flag in &flags_placed {
            let above: f64 = heights[..=flag.level].iter().sum();
            paint_flag(page, flag, area.bottom - 12.0 - above, area.bottom);
        }
        let labels_end = plot::value_axis_below(page, area, &scale, Grid::TicksOnly);
        for flag in &flags_placed {
            page.canvas.marker((flag.x, area.bottom), 0, 5.0);
        }
        if stretches.is_empty() {
            return Ok(labels_end);
        }
        Ok(paint_stretches(
            page,
            &scale,
            area,
            labels_end + 12.0,
            &stretches,
        ))
    }

    fn alt(&self) -> String {
        let mut alt = format!(
            "Timeline: {}. {} events.",
            clean(&self.title),
            self.events.len()
        );
        for dated in self.dated().unwrap_or_default() {
            let label = clean(&dated.event.label);
            alt += &match dated.to {
                None => format!(" {}: {label}.", date::long(dated.from)),
                Some(to) => format!(
                    " {} to {}: {label}.",
                    date::long(dated.from),
                    date::long(to)
                ),
            };
        }
        alt
    }
}
