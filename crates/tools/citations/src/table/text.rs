//! Tables in plain text, as wide as a terminal shows them.

use unicode_width::UnicodeWidthStr;

use super::layout::{Line, TableLayout};
use super::request::Align;

pub(super) fn write(layout: &TableLayout) -> String {
    let widths = widths(layout);
    let inside = widths
        .iter()
        .map(|width| width + 3)
        .sum::<usize>()
        .saturating_sub(3);
    let mut lines = Vec::new();
    lines.extend(layout.caption.clone());
    lines.push(rule(&widths, '┌', '┬', '┐'));
    let titles: Vec<String> = layout
        .heads
        .iter()
        .map(|(title, _)| title.clone())
        .collect();
    lines.push(row(&titles, layout, &widths));
    lines.push(rule(&widths, '├', '┼', '┤'));
    for line in &layout.lines {
        match line {
            Line::Group(name) => lines.push(spanning_row(name, inside)),
            Line::More(more) => lines.push(spanning_row(&format!("… {more} more"), inside)),
            Line::Row(cells) | Line::Subtotal(cells) => lines.push(row(cells, layout, &widths)),
            Line::Total(cells) => {
                lines.push(rule(&widths, '├', '┼', '┤'));
                lines.push(row(cells, layout, &widths));
            }
        }
    }
    lines.push(rule(&widths, '└', '┴', '┘'));
    lines.extend(
        layout
            .footnotes
            .iter()
            .map(|(mark, text)| format!("{mark} {text}")),
    );
    lines.join("\n")
}

/// Each column is as wide as its widest cell; the last is widened for lines that span all columns.
fn widths(layout: &TableLayout) -> Vec<usize> {
    let mut widths: Vec<usize> = layout
        .heads
        .iter()
        .map(|(title, _)| title.width())
        .collect();
    let mut across = 0;
    for line in &layout.lines {
        match line {
            Line::Group(name) => across = across.max(name.width()),
            Line::More(more) => across = across.max(format!("… {more} more").width()),
            Line::Row(cells) | Line::Subtotal(cells) | Line::Total(cells) => {
                for (width, cell) in widths.iter_mut().zip(cells) {
                    *width = (*width).max(cell.width());
                }
            }
        }
    }
    let inside = widths
        .iter()
        .map(|width| width + 3)
        .sum::<usize>()
        .saturating_sub(3);
    if let Some(last) = widths.last_mut() {
        *last += across.saturating_sub(inside);
    }
    widths
}

fn rule(widths: &[usize], left: char, middle: char, right: char) -> String {
    let parts: Vec<String> = widths.iter().map(|width| "─".repeat(width + 2)).collect();
    format!("{left}{}{right}", parts.join(&middle.to_string()))
}

fn row(cells: &[String], layout: &TableLayout, widths: &[usize]) -> String {
    let padded: Vec<String> = cells
        .iter()
        .zip(&layout.heads)
        .zip(widths)
        .map(|((cell, (_, align)), width)| pad(cell, *align, *width))
        .collect();
    format!("│ {} │", padded.join(" │ "))
}

fn spanning_row(text: &str, inside: usize) -> String {
    format!("│ {} │", pad(text, Align::Left, inside))
}

fn pad(cell: &str, align: Align, width: usize) -> String {
    let free = width.saturating_sub(cell.width());
    let before = match align {
        Align::Left => 0,
        Align::Right => free,
        Align::Center => free / 2,
    };
    format!("{}{cell}{}", " ".repeat(before), " ".repeat(free - before))
}
