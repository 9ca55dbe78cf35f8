//! Spreadsheets (xlsx, xls, ods): every sheet under its name, every row as it is shown. Formulas stand as their values.

use std::io::Cursor;

use adjutant_knowledge_index::{Document, DocumentKind, Form};
use calamine::{
    Data, Ods, OdsError, Range, Reader, Sheet, SheetType, SheetVisible, WorkbookProperties, Xls,
    XlsError, Xlsx, XlsxError,
};

use super::spreadsheet_cells::{is_percentage, shown, shown_as_percentage};
use super::table::{Row, Table};
use crate::writing::{About, Writing};
use crate::{Limits, ReadFailure, date};

const SHEETS_MAX: usize = 500;
const ROWS_PER_SHEET_MAX: usize = 200_000;
const COLUMNS_MAX: u32 = 4096;
const CELL_BYTES_MAX: usize = 128 * 1024;

type Bytes<'a> = Cursor<&'a [u8]>;

pub(super) fn read_xlsx(bytes: &[u8], limits: &Limits) -> Result<Document, ReadFailure> {
    let mut book: Xlsx<Bytes> = Xlsx::new(Cursor::new(bytes)).map_err(broken_xlsx)?;
    let sheets = book.sheets_metadata().to_vec();
    let about = about(book.workbook_properties().unwrap_or_default());
    read_sheets(&sheets, about, limits, |rows| {
        let mut cells = book
            .worksheet_cells_reader(&rows.sheet)
            .map_err(broken_xlsx)?;
        let percentages: Vec<bool> = cells.styles().iter().map(is_percentage).collect();
        while let Some((cell, style)) = cells.next_cell_with_style_id().map_err(broken_xlsx)? {
            let (row, column) = cell.get_position();
            let value = Data::from(cell.get_value().clone());
            let text = match percentages.get(style) {
                Some(true) => shown_as_percentage(&value),
                _ => shown(&value),
            };
            rows.put(row, column, text)?;
        }
        Ok(())
    })
}

pub(super) fn read_xls(bytes: &[u8], limits: &Limits) -> Result<Document, ReadFailure> {
    let broken = |error: XlsError| match error {
        XlsError::Password => ReadFailure::PasswordProtected,
        error => ReadFailure::broken(error.to_string()),
    };
    let mut book: Xls<Bytes> = Xls::new(Cursor::new(bytes)).map_err(broken)?;
    let sheets = book.sheets_metadata().to_vec();
    let about = about(book.workbook_properties().unwrap_or_default());
    read_sheets(&sheets, about, limits, |rows| {
        let range = book.worksheet_range(&rows.sheet).map_err(broken)?;
        rows.put_range(&range)
    })
}

pub(super) fn read_ods(bytes: &[u8], limits: &Limits) -> Result<Document, ReadFailure> {
    let broken = |error: OdsError| match error {
        OdsError::Password => ReadFailure::PasswordProtected,
        OdsError::CellLimitExceeded { max, .. } => {
            ReadFailure::too_much(format!("a sheet has more than {max} cells"))
        }
        error => ReadFailure::broken(error.to_string()),
    };
    let mut book: Ods<Bytes> = Ods::new(Cursor::new(bytes)).map_err(broken)?;
    let sheets = book.sheets_metadata().to_vec();
    let about = about(book.workbook_properties().unwrap_or_default());
    read_sheets(&sheets, about, limits, |rows| {
        let range = book.worksheet_range(&rows.sheet).map_err(broken)?;
        rows.put_range(&range)
    })
}

/// Reads the sheets that are shown, one at a time.
fn read_sheets(
    sheets: &[Sheet],
    about: About,
    limits: &Limits,
    mut fill: impl FnMut(&mut SheetRows) -> Result<(), ReadFailure>,
) -> Result<Document, ReadFailure> {
    if sheets.len() > SHEETS_MAX {
        let what = format!("more than {SHEETS_MAX} sheets");
        return Err(ReadFailure::too_much(what));
    }
    let mut writing = Writing::new(limits);
    let mut hidden: usize = 0;
    for sheet in sheets
        .iter()
        .filter(|sheet| sheet.typ == SheetType::WorkSheet)
    {
        if sheet.visible != SheetVisible::Visible {
            hidden += 1;
            continue;
        }
        let mut rows = SheetRows::new(&sheet.name, limits);
        fill(&mut rows)?;
        rows.write(&mut writing)?;
    }
    match hidden {
        0 => {}
        1 => writing.leave_out("A hidden sheet was left out.".to_owned()),
        count => writing.leave_out(format!("{count} hidden sheets were left out.")),
    }
    writing.finish(DocumentKind::Spreadsheet, about)
}

/// The cells of a sheet that have something in them.
#[derive(Debug)]
struct SheetRows {
    sheet: String,
    rows: Vec<SheetRow>,
    bytes_left: u64,
    bytes_max: u64,
}

#[derive(Debug)]
struct SheetRow {
    number: u32,
    cells: Vec<(u32, String)>,
}

impl SheetRows {
    fn new(sheet: &str, limits: &Limits) -> Self {
        Self {
            sheet: sheet.to_owned(),
            rows: Vec::new(),
            bytes_left: limits.text_bytes_max,
            bytes_max: limits.text_bytes_max,
        }
    }

    fn put_range(&mut self, range: &Range<Data>) -> Result<(), ReadFailure> {
        let (top, left) = range.start().unwrap_or_default();
        for (row, column, value) in range.used_cells() {
            let row = u32::try_from(row).unwrap_or(u32::MAX).saturating_add(top);
            let column = u32::try_from(column).unwrap_or(u32::MAX);
            self.put(row, column.saturating_add(left), shown(value))?;
        }
        Ok(())
    }

    fn put(&mut self, number: u32, column: u32, text: String) -> Result<(), ReadFailure> {
        if text.trim().is_empty() {
            return Ok(());
        }
        let too_much = |what: String| {
            let what = format!("the sheet {} has {what}", self.sheet);
            Err(ReadFailure::too_much(what))
        };
        if column >= COLUMNS_MAX {
            return too_much(format!("more than {COLUMNS_MAX} columns"));
        }
        if text.len() > CELL_BYTES_MAX {
            return too_much(format!("a cell of more than {CELL_BYTES_MAX} bytes"));
        }
        let Some(left) = self.bytes_left.checked_sub(text.len() as u64) else {
            return too_much(format!("more than {} bytes", self.bytes_max));
        };
        if self.rows.last().is_none_or(|row| row.number != number) {
            if self.rows.len() >= ROWS_PER_SHEET_MAX {
                return too_much(format!("more than {ROWS_PER_SHEET_MAX} rows"));
            }
            let cells = Vec::new();
            self.rows.push(SheetRow { number, cells });
        }
        if let Some(row) = self.rows.last_mut() {
            row.cells.push((column, text));
        }
        self.bytes_left = left;
        Ok(())
    }

    /// Rows that follow each other are a table; an empty row ends it.
    fn write(self, writing: &mut Writing<'_>) -> Result<(), ReadFailure> {
        if self.rows.is_empty() {
            return Ok(());
        }
        writing.put(Form::Heading(1), &self.sheet)?;
        let tables = self
            .rows
            .chunk_by(|one, next| one.number.checked_add(1) == Some(next.number));
        for rows in tables {
            let columns = rows.iter().flat_map(|row| &row.cells);
            let first = columns.clone().map(|(column, _)| *column).min();
            let last = columns.map(|(column, _)| *column).max();
            let (Some(first), Some(last)) = (first, last) else {
                continue;
            };
            let rows = rows.iter().map(|row| row_between(row, first, last));
            let rows = rows.collect();
            Table { rows }.put(writing)?;
        }
        Ok(())
    }
}

fn row_between(row: &SheetRow, first: u32, last: u32) -> Row {
    let mut cells = vec![String::new(); (last - first) as usize + 1];
    for (column, text) in &row.cells {
        if let Some(cell) = cells.get_mut((column - first) as usize) {
            cell.clone_from(text);
        }
    }
    Row {
        cells,
        ..Row::default()
    }
}

fn about(properties: WorkbookProperties) -> About {
    let stated = |text: Option<String>| text.and_then(|text| date::stated(&text));
    About {
        title: properties.title.filter(|title| !title.trim().is_empty()),
        author: properties.creator,
        date: stated(properties.created).or_else(|| stated(properties.modified)),
    }
}

fn broken_xlsx(error: XlsxError) -> ReadFailure {
    match error {
        XlsxError::Password => ReadFailure::PasswordProtected,
        error => ReadFailure::broken(error.to_string()),
    }
}
