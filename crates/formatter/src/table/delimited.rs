//! Tables for spreadsheets.

use super::layout::{Laid, Line};
use super::request::Cells;
use crate::notes::Notes;

/// RFC 4180: lines end with CR and LF, quotation marks are doubled.
pub(super) fn csv(laid: &Laid, cells: Cells, notes: &mut Notes) -> String {
    lines(laid, cells, notes)
        .into_iter()
        .map(|line| {
            let quoted: Vec<String> = line.iter().map(|cell| quoted(cell)).collect();
            format!("{}\r\n", quoted.join(","))
        })
        .collect()
}

/// Tabs and ends of lines cannot stand in a cell; they become blanks.
pub(super) fn tsv(laid: &Laid, cells: Cells, notes: &mut Notes) -> String {
    lines(laid, cells, notes)
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

fn lines(laid: &Laid, cells: Cells, notes: &mut Notes) -> Vec<Vec<String>> {
    if laid.caption.is_some() || !laid.footnotes.is_empty() {
        notes.add("The caption and the footnotes are left out: there is no place for them.");
    }
    let grouped = laid.lines.iter().any(|line| matches!(line, Line::Group(_)));
    let mut group = String::new();
    let mut lines = vec![
        laid.heads
            .iter()
            .map(|(title, _)| title.clone())
            .collect::<Vec<_>>(),
    ];
    if grouped {
        lines[0].insert(0, "Group".to_owned());
    }
    for line in &laid.lines {
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
            "{changed} cells would be run as formulas and begin with an apostrophe now."
        ));
    }
    lines
}

/// What a spreadsheet would run; a negative number is none.
fn is_formula(cell: &str) -> bool {
    let number = cell.strip_prefix('-').is_some_and(|digits| {
        digits.starts_with(|first: char| first.is_ascii_digit())
            && digits
                .chars()
                .all(|letter| letter.is_ascii_digit() || ".,%' \u{a0}\u{202f}".contains(letter))
    });
    cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && !number
}

fn quoted(cell: &str) -> String {
    let plain = !cell.contains(['"', ',', '\n', '\r']) && cell.trim().len() == cell.len();
    if plain {
        return cell.to_owned();
    }
    format!("\"{}\"", cell.replace('"', "\"\""))
}
