//! What the formats ask of a table before they draw it.

use crate::document::{Align, Column, Span};

/// How strongly a cell is tinted: a number set in strong type, measured against the largest of its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tint {
    None,
    Low,
    Middle,
    High,
}

/// How many columns to draw: no cell of a row that is too long is dropped.
#[must_use]
pub fn column_count(columns: &[Column], rows: &[Vec<Vec<Span>>]) -> usize {
    rows.iter()
        .map(Vec::len)
        .chain([columns.len()])
        .max()
        .unwrap_or(0)
}

/// One for each cell, row by row. Words are never tinted, nor are numbers of an ordinary weight.
#[must_use]
pub fn tints(columns: &[Column], rows: &[Vec<Vec<Span>>]) -> Vec<Vec<Tint>> {
    let largest: Vec<f64> = (0..column_count(columns, rows))
        .map(|column| {
            rows.iter()
                .filter_map(|row| row.get(column).and_then(|cell| number(cell)))
                .fold(0.0, f64::max)
        })
        .collect();
    let tint = |column: usize, cell: &[Span]| {
        let apart = columns
            .get(column)
            .is_some_and(|column| column.align != Align::Left);
        let strong = cell.iter().any(|span| span.strong);
        match number(cell) {
            Some(value) if apart && strong && largest[column] > 0.0 => {
                match value / largest[column] {
                    share if share >= 2.0 / 3.0 => Tint::High,
                    share if share >= 1.0 / 3.0 => Tint::Middle,
                    _ => Tint::Low,
                }
            }
            _ => Tint::None,
        }
    };
    rows.iter()
        .map(|row| {
            row.iter()
                .enumerate()
                .map(|(column, cell)| tint(column, cell))
                .collect()
        })
        .collect()
}

fn number(cell: &[Span]) -> Option<f64> {
    let text: String = cell.iter().map(|span| span.text.as_str()).collect();
    text.trim()
        .parse()
        .ok()
        .filter(|value: &f64| value.is_finite())
}
