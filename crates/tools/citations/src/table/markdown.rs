//! Tables in Markdown.

use super::layout::{Line, TableLayout};
use super::request::Align;
use crate::markup::escape_markdown;

pub(super) fn write(layout: &TableLayout) -> String {
    let mut blocks = Vec::new();
    if let Some(caption) = &layout.caption {
        blocks.push(format!("**{}**", escape_markdown(caption)));
    }
    let mut lines = vec![line(
        layout.heads.iter().map(|(title, _)| escape_markdown(title)),
    )];
    lines.push(line(layout.heads.iter().map(|(_, align)| {
        match align {
            Align::Left => ":---",
            Align::Right => "---:",
            Align::Center => ":---:",
        }
        .to_owned()
    })));
    let count = layout.heads.len();
    for entry in &layout.lines {
        lines.push(match entry {
            Line::Group(name) => first_cell_only(format!("**{}**", escape_markdown(name)), count),
            Line::More(more) => first_cell_only(format!("… {more} more"), count),
            Line::Row(cells) => line(cells.iter().map(|cell| escape_markdown(cell))),
            Line::Subtotal(cells) | Line::Total(cells) => line(cells.iter().map(|cell| bold(cell))),
        });
    }
    blocks.push(lines.join("\n"));
    for (mark, text) in &layout.footnotes {
        blocks.push(format!(
            "{} {}",
            escape_markdown(mark),
            escape_markdown(text)
        ));
    }
    blocks.join("\n\n")
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<String> = cells.map(|cell| cell.replace('\n', " ")).collect();
    format!("| {} |", cells.join(" | "))
}

fn first_cell_only(first: String, count: usize) -> String {
    line(std::iter::once(first).chain(std::iter::repeat_n(String::new(), count.saturating_sub(1))))
}

fn bold(cell: &str) -> String {
    if cell.is_empty() {
        return String::new();
    }
    format!("**{}**", escape_markdown(cell))
}
