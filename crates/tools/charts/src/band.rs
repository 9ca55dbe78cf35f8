//! Names along an axis: columns side by side, or rows one below the other.

use crate::canvas::Anchor;
use crate::page::{MARGIN, Page};
use crate::plot::Area;
use crate::text::{LABEL, SMALL, Type, clean};

const UPWARD_LENGTH_MAX: f64 = 120.0;
const LINES_MAX: usize = 3;
const READABLE_WIDTH_MIN: f64 = 44.0;
pub(crate) const ROW_NAME_WIDTH_MAX: f64 = 230.0;

enum Names {
    Level(Vec<Vec<String>>),
    Upward(Vec<String>),
}

/// Level in as many lines as needed, upward only where columns are too narrow. Returns where they end.
pub(crate) fn names_below(page: &mut Page, area: Area, names: &[String]) -> f64 {
    let slot = (area.right - area.left) / names.len().max(1) as f64;
    let soft = page.canvas.palette().soft;
    let style = if slot < 70.0 { SMALL } else { LABEL };
    match arranged(page, names, slot - 8.0, style) {
        Names::Level(all) => {
            let mut lines_most = 1;
            for (index, lines) in all.iter().enumerate() {
                lines_most = lines_most.max(lines.len());
                let x = area.left + slot * (index as f64 + 0.5);
                for (line, text) in lines.iter().enumerate() {
                    let y = area.bottom + 19.0 + line as f64 * style.line_height();
                    page.canvas.text((x, y), Anchor::Middle, style, soft, text);
                }
            }
            area.bottom + 24.0 + (lines_most - 1) as f64 * style.line_height()
        }
        Names::Upward(all) => {
            let mut longest: f64 = 0.0;
            for (index, text) in all.iter().enumerate() {
                longest = longest.max(page.canvas.fonts.measure(text, style));
                let x = area.left + slot * (index as f64 + 0.5);
                page.canvas
                    .upward_text((x, area.bottom + 8.0), style, soft, text);
            }
            area.bottom + 12.0 + longest
        }
    }
}

fn arranged(page: &Page, names: &[String], width: f64, style: Type) -> Names {
    let fonts = &page.canvas.fonts;
    let clean_names: Vec<String> = names.iter().map(|n| clean(n)).collect();
    let whole = |text: &String| {
        text.split(' ')
            .all(|word| fonts.measure(word, style) <= width)
    };
    if width >= READABLE_WIDTH_MIN || clean_names.iter().all(whole) {
        let lines = clean_names
            .iter()
            .map(|name| fonts.wrap(name, style, width, LINES_MAX))
            .collect();
        return Names::Level(lines);
    }
    let upward = clean_names
        .iter()
        .map(|name| fonts.shorten(name, style, UPWARD_LENGTH_MAX))
        .collect();
    Names::Upward(upward)
}

/// How much room the names of rows take, up to a limit.
pub(crate) fn name_gutter<'a>(page: &Page, names: impl IntoIterator<Item = &'a str>) -> f64 {
    let widest = names
        .into_iter()
        .map(|n| page.canvas.fonts.measure(&clean(n), LABEL))
        .fold(0.0, f64::max);
    MARGIN + widest.min(ROW_NAME_WIDTH_MAX).ceil() + 12.0
}

/// A row's name at the left of the plot, in up to two lines where the row is high enough.
pub(crate) fn row_name(page: &mut Page, left: f64, y: f64, row_height: f64, name: &str) {
    let ink = page.canvas.palette().ink;
    let width = left - 12.0 - MARGIN;
    let lines_max = if row_height >= 34.0 { 2 } else { 1 };
    let lines = page
        .canvas
        .fonts
        .wrap(&clean(name), LABEL, width + 0.5, lines_max);
    let first = y - (lines.len() - 1) as f64 * LABEL.line_height() / 2.0;
    for (index, line) in lines.iter().enumerate() {
        let at = (
            left - 12.0,
            first + index as f64 * LABEL.line_height() + LABEL.drop(),
        );
        page.canvas.text(at, Anchor::End, LABEL, ink, line);
    }
}
