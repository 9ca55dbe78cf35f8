//! Tables of values: the first row is the head, every other row a part of its own.

use adjutant_knowledge_index::{Document, DocumentKind, Form};
use csv::ReaderBuilder;

use crate::writing::{About, Writing, squeeze};
use crate::{Limits, ReadFailure};

const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// How much of a table the guess at its delimiter looks at.
const SAMPLE_BYTES_MAX: usize = 64 * 1024;
const SAMPLE_ROWS_MAX: usize = 50;
const ROW_BYTES_MAX: usize = 1024 * 1024;
const CELLS_MAX: usize = 4096;

pub(super) const CELL_GAP: &str = " | ";

pub(super) fn read(text: &str, limits: &Limits) -> Result<Document, ReadFailure> {
    let mut writing = Writing::new(limits);
    put(&mut writing, text)?;
    writing.finish(DocumentKind::Csv, About::default())
}

pub(super) fn put(writing: &mut Writing, text: &str) -> Result<(), ReadFailure> {
    let delimiter = delimiter_of(text);
    let mut table = ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut record = csv::StringRecord::new();
    let mut form = Form::RowHead;
    loop {
        let more = table
            .read_record(&mut record)
            .map_err(|error| ReadFailure::broken(error.to_string()))?;
        if !more {
            return Ok(());
        }
        let line = record.position().map_or(0, csv::Position::line);
        if record.as_slice().len() > ROW_BYTES_MAX {
            return Err(ReadFailure::too_much(format!(
                "the row at line {line} has more than {ROW_BYTES_MAX} bytes; a quote may be left open"
            )));
        }
        if record.len() > CELLS_MAX {
            return Err(ReadFailure::too_much(format!(
                "the row at line {line} has more than {CELLS_MAX} cells"
            )));
        }
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        writing.put(form, &joined(record.iter()))?;
        form = Form::Row;
    }
}

/// A row's cells as they are, on one line.
pub(super) fn joined<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    let cells: Vec<String> = cells.map(squeeze).collect();
    cells.join(CELL_GAP)
}

/// The delimiter that cuts the first rows into the most equal cells.
fn delimiter_of(text: &str) -> u8 {
    let end = text.floor_char_boundary(SAMPLE_BYTES_MAX);
    let sample = text.get(..end).unwrap_or(text);
    let mut best = (0, b',');
    for delimiter in DELIMITERS {
        let mut table = ReaderBuilder::new()
            .delimiter(delimiter)
            .has_headers(false)
            .flexible(true)
            .from_reader(sample.as_bytes());
        let widths: Vec<usize> = table
            .records()
            .take(SAMPLE_ROWS_MAX)
            .map_while(Result::ok)
            .map(|record| record.len())
            .collect();
        let Some(head) = widths.first().copied() else {
            continue;
        };
        let equal = widths.iter().filter(|width| **width == head).count();
        let score = if head < 2 { 0 } else { equal * 1000 + head };
        if score > best.0 {
            best = (score, delimiter);
        }
    }
    best.1
}
