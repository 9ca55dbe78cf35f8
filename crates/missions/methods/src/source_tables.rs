//! Tables of sources, and their rows as evidence.

use adjutant_questions::{Evidence, Source};

use crate::tables::{TableRow, tables};

pub(crate) struct SourceTable<'a> {
    pub(crate) source: &'a Source,
    pub(crate) headings: Vec<String>,
    pub(crate) rows: Vec<TableRow>,
}

impl SourceTable<'_> {
    pub(crate) fn evidence(&self, row: &TableRow) -> Evidence {
        Evidence {
            source: self.source.id.clone(),
            quote: row.line.clone(),
        }
    }
}

/// The tables of all sources, in their order. Rows with another number of cells than the heading are left out.
pub(crate) fn source_tables(sources: &[Source]) -> Vec<SourceTable<'_>> {
    let mut found = Vec::new();
    for source in sources {
        for mut table in tables(&source.text) {
            table
                .rows
                .retain(|row| row.cells.len() == table.names.len());
            if !table.rows.is_empty() {
                found.push(SourceTable {
                    source,
                    headings: table.names,
                    rows: table.rows,
                });
            }
        }
    }
    found
}

/// A cell that is a number and nothing else, but for a unit behind it.
pub(crate) fn number(cell: &str) -> Option<f64> {
    let cell = cell.trim();
    let end = cell
        .find(|char: char| !(char.is_ascii_digit() || "+-−.,".contains(char)))
        .unwrap_or(cell.len());
    let (digits, unit) = cell.split_at(end);
    let unit = unit.trim();
    // `12 of 40` and `2026-03-01` are no single numbers.
    let is_unit =
        unit.split_whitespace().count() <= 1 && !unit.chars().any(|char| char.is_ascii_digit());
    let digits = digits.replace(',', "").replace('−', "-");
    let value: f64 = digits.parse().ok()?;
    (is_unit && value.is_finite()).then_some(value)
}

#[cfg(test)]
#[path = "source_tables_tests.rs"]
mod tests;
