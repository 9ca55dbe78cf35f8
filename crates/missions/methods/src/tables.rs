//! Tables in plain text: rows with bars between their cells, as Markdown writes them and as documents are read, and
//! comma-separated lines. Each row keeps its line, so that it can be cited letter for letter.

use crate::text::plain;

/// A table needs at least so many cells in a row.
const CELLS_MIN: usize = 2;
const COMMA_CELLS_MIN: usize = 3;

#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// In small letters.
    pub headings: Vec<String>,
    /// The headings as they are written.
    pub names: Vec<String>,
    pub rows: Vec<TableRow>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct TableRow {
    pub cells: Vec<String>,
    /// The line as it stands in the text.
    pub line: String,
}

impl Table {
    /// The first column whose heading fits.
    pub fn column(&self, fits: impl Fn(&str) -> bool) -> Option<usize> {
        self.headings.iter().position(|heading| fits(heading))
    }
}

impl TableRow {
    pub fn cell(&self, at: Option<usize>) -> Option<&str> {
        let cell = self.cells.get(at?)?.trim();
        (!cell.is_empty() && cell != "-").then_some(cell)
    }
}

/// The tables of a text, in order.
pub fn tables(text: &str) -> Vec<Table> {
    let mut found = Vec::new();
    let mut run: Vec<TableRow> = Vec::new();
    for line in text.lines() {
        match cells(line) {
            Some(cells) if is_rule(&cells) => {}
            Some(cells) => {
                if run.first().is_some_and(|head| {
                    head.cells.len().abs_diff(cells.len()) > 0 && by_commas(line)
                }) {
                    close(&mut run, &mut found);
                }
                run.push(TableRow {
                    cells,
                    line: line.trim().to_owned(),
                });
            }
            None => close(&mut run, &mut found),
        }
    }
    close(&mut run, &mut found);
    found
}

fn close(run: &mut Vec<TableRow>, found: &mut Vec<Table>) {
    let mut rows = std::mem::take(run);
    if rows.len() < 2 {
        return;
    }
    let head = rows.remove(0);
    let names: Vec<String> = head
        .cells
        .iter()
        .map(|cell| plain(cell).replace('*', ""))
        .collect();
    found.push(Table {
        headings: names.iter().map(|name| name.to_lowercase()).collect(),
        names,
        rows,
    });
}

fn by_commas(line: &str) -> bool {
    !line.contains('|')
}

/// `|---|:--:|`
fn is_rule(cells: &[String]) -> bool {
    cells
        .iter()
        .all(|cell| cell.contains('-') && cell.chars().all(|char| "-: ".contains(char)))
}

fn cells(line: &str) -> Option<Vec<String>> {
    let line = line.trim();
    if line.contains('|') {
        let bare = line.strip_prefix('|').unwrap_or(line);
        let bare = bare.strip_suffix('|').unwrap_or(bare);
        let cells: Vec<String> = bare.split('|').map(plain).collect();
        return (cells.len() >= CELLS_MIN).then_some(cells);
    }
    comma_cells(line)
}

/// A comma-separated line has no space after its commas, as a sentence has; quotation marks keep a cell together.
fn comma_cells(line: &str) -> Option<Vec<String>> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '"' => quoted = !quoted,
            ',' if !quoted => {
                if chars.peek() == Some(&' ') {
                    return None;
                }
                cells.push(String::new());
            }
            _ => {
                if let Some(cell) = cells.last_mut() {
                    cell.push(char);
                }
            }
        }
    }
    (cells.len() >= COMMA_CELLS_MIN).then_some(cells)
}

#[cfg(test)]
#[path = "tables_tests.rs"]
mod tests;
