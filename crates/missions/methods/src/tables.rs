//! Tables in texts: rows with bars between their cells. Each row keeps its line, so that it can be cited letter for letter.

use adjutant_questions::{Evidence, Source};

pub(crate) struct Table<'a> {
    pub(crate) source: &'a Source,
    pub(crate) headings: Vec<String>,
    pub(crate) rows: Vec<Row<'a>>,
}

pub(crate) struct Row<'a> {
    pub(crate) cells: Vec<String>,
    pub(crate) line: &'a str,
}

impl Table<'_> {
    pub(crate) fn evidence(&self, row: &Row<'_>) -> Evidence {
        Evidence {
            source: self.source.id.clone(),
            quote: row.line.to_owned(),
        }
    }
}

/// The tables of all sources, in their order. Rows with another number of cells than the heading are left out.
pub(crate) fn tables(sources: &[Source]) -> Vec<Table<'_>> {
    let mut found = Vec::new();
    for source in sources {
        let mut open: Option<Table<'_>> = None;
        for line in source.text.lines() {
            let cells = cells(line);
            match (cells, &mut open) {
                (None, _) => found.extend(open.take()),
                (Some(cells), _) if is_rule(&cells) => {}
                (Some(cells), Some(table)) => {
                    if cells.len() == table.headings.len() {
                        let line = line.trim();
                        table.rows.push(Row { cells, line });
                    }
                }
                (Some(headings), None) => {
                    open = Some(Table {
                        source,
                        headings,
                        rows: Vec::new(),
                    });
                }
            }
        }
        found.extend(open);
    }
    found.retain(|table| !table.rows.is_empty());
    found
}

/// `|---|:--:|`
fn is_rule(cells: &[String]) -> bool {
    cells
        .iter()
        .all(|cell| cell.contains('-') && cell.chars().all(|char| "-: ".contains(char)))
}

fn cells(line: &str) -> Option<Vec<String>> {
    let line = line.trim();
    let bare = line.strip_prefix('|').unwrap_or(line);
    let bare = bare.strip_suffix('|').unwrap_or(bare);
    let cells: Vec<String> = bare
        .split('|')
        .map(adjutant_text::lines::one_line)
        .collect();
    (line.contains('|') && cells.len() > 1).then_some(cells)
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
#[path = "tables_tests.rs"]
mod tests;
