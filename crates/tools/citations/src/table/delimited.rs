//! Tables for spreadsheets.

use super::layout::{Line, TableLayout};
use super::request::Cells;
use crate::notes::Notes;

/// RFC 4180: lines end with CR and LF, quotation marks are doubled.
pub(super) fn csv(layout: &TableLayout, cells: Cells, notes: &mut Notes) -> String {
    cells_by_line(layout, cells, notes)
        .into_iter()
        .map(|line| {
            let quoted: Vec<String> = line.iter().map(|cell| quote(cell)).collect();
            format!("{}\r\n", quoted.join(","))
        })
        .collect()
}

/// Tabs and line breaks in a cell become spaces.
pub(super) fn tsv(layout: &TableLayout, cells: Cells, notes: &mut Notes) -> String {
    cells_by_line(layout, cells, notes)
        .into_iter()
        .map(|line| {
            let plain: Vec<String> = line
                .iter()
                .map(|cell| cell.replace(['\t', '\n', '\r'], " "))
                .collect();
            format!("{}\n", plain.join("\t"))
        })
        .collect()
}

fn cells_by_line(layout: &TableLayout, cells: Cells, notes: &mut Notes) -> Vec<Vec<String>> {
    if layout.caption.is_some() || !layout.footnotes.is_empty() {
        notes.add("The caption and the footnotes are left out: this format has no place for them.");
    }
    let grouped = layout
        .lines
        .iter()
        .any(|line| matches!(line, Line::Group(_)));
    let mut group = String::new();
    let mut lines = vec![
        layout
            .heads
            .iter()
            .map(|(title, _)| title.clone())
            .collect::<Vec<_>>(),
    ];
    if grouped {
        lines[0].insert(0, "Group".to_owned());
    }
    for line in &layout.lines {
        let mut line = match line {
            Line::Group(name) => {
                group.clone_from(name);
                continue;
            }
            Line::Row(cells) | Line::Subtotal(cells) => cells.clone(),
            Line::Total(cells) => {
                group.clear();
                cells.clone()
            }
            Line::More(more) => {
                notes.add(format!("{more} rows are left out."));
                continue;
            }
        };
        if grouped {
            line.insert(0, group.clone());
        }
        lines.push(line);
    }
    let mut changed = 0_usize;
    if cells == Cells::Harmless {
        for cell in lines.iter_mut().flatten().filter(|cell| is_formula(cell)) {
            cell.insert(0, '\'');
            changed += 1;
        }
    }
    if changed > 0 {
        notes.add(format!(
            "{changed} cells would run as formulas and now start with an apostrophe."
        ));
    }
    lines
}

/// Whether a spreadsheet would run the cell; negative numbers are harmless.
fn is_formula(cell: &str) -> bool {
    let number = cell.strip_prefix('-').is_some_and(|digits| {
        digits.starts_with(|first: char| first.is_ascii_digit())
            && digits
                .chars()
                .all(|letter| letter.is_ascii_digit() || ".,%' \u{a0}\u{202f}".contains(letter))
    });
    cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && !number
}

fn quote(cell: &str) -> String {
    let plain = !cell.contains(['"', ',', '\n', '\r']) && cell.trim().len() == cell.len();
    if plain {
        return cell.to_owned();
    }
    format!("\"{}\"", cell.replace('"', "\"\""))
}
