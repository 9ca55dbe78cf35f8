//! Tables as they come out of pages and Word files.

use adjutant_knowledge_index::Form;

use super::csv::joined;
use crate::ReadFailure;
use crate::writing::Writing;

const HEAD_CELL_BYTES_MAX: usize = 80;

#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) rows: Vec<Row>,
}

#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) cells: Vec<String>,
    pub(super) head: Head,
}

/// Whether the file marks a row as the table's head.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Head {
    Marked,
    #[default]
    Unmarked,
    /// Its first cell names what the others say, so it is a row of values.
    Never,
}

impl Table {
    /// Adds the rows. A table of one column is no table, but a frame around text.
    pub(super) fn put(self, writing: &mut Writing) -> Result<(), ReadFailure> {
        let rows: Vec<Row> = self
            .rows
            .into_iter()
            .filter(|row| row.cells.iter().any(|cell| !cell.trim().is_empty()))
            .collect();
        let columns = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        if columns < 2 {
            for cell in rows.iter().flat_map(|row| &row.cells) {
                writing.put(Form::Paragraph, cell)?;
            }
            return Ok(());
        }
        let marked = rows.iter().any(|row| row.head == Head::Marked);
        let count = rows.len();
        let mut body = false;
        for (place, row) in rows.iter().enumerate() {
            let head = match row.head {
                Head::Marked => !body,
                Head::Never => false,
                Head::Unmarked => !marked && place == 0 && count > 1 && reads_like_a_head(row),
            };
            body |= !head;
            let form = if head { Form::RowHead } else { Form::Row };
            writing.put(form, &joined(row.cells.iter().map(String::as_str)))?;
        }
        Ok(())
    }
}

/// Heads are short words in every column but perhaps the first; what has no letters is a value.
fn reads_like_a_head(row: &Row) -> bool {
    row.cells.iter().enumerate().all(|(place, cell)| {
        let cell = cell.trim();
        let words = cell.chars().any(char::is_alphabetic)
            && cell.len() <= HEAD_CELL_BYTES_MAX
            && !cell.ends_with(['.', ':']);
        words || (place == 0 && cell.is_empty())
    })
}
