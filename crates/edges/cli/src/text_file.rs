//! A text that a person names: a file, or what comes in on standard input.

use std::io::Read as _;
use std::path::Path;

use adjutant_app::error::{AppError, ErrorKind};

/// A text longer than this is a mistake.
pub(crate) const TEXT_BYTES_MAX: u64 = 8 * 1024 * 1024;

pub(crate) fn read(path: &Path) -> Result<String, AppError> {
    let (name, bytes) = if path == Path::new("-") {
        ("standard input".to_owned(), read_input()?)
    } else {
        (
            path.display().to_string(),
            adjutant_app::files::read(path, TEXT_BYTES_MAX)?,
        )
    };
    if bytes.len() as u64 > TEXT_BYTES_MAX {
        return Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-1101",
            format!("{name} is larger than {TEXT_BYTES_MAX} bytes"),
            "Split it into parts.",
        ));
    }
    let text = String::from_utf8(bytes).ok();
    text.filter(|text| !text.contains('\0')).ok_or_else(|| {
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-6014",
            format!("{name} is not text"),
            "Provide plain text in UTF-8.",
        )
    })
}

fn read_input() -> Result<Vec<u8>, AppError> {
    let mut bytes = Vec::new();
    let input = std::io::stdin().lock();
    let read = input.take(TEXT_BYTES_MAX + 1).read_to_end(&mut bytes);
    read.map_err(|error| {
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-6012",
            format!("standard input cannot be read: {error}"),
            "Check the program that writes to the pipe.",
        )
    })?;
    Ok(bytes)
}

/// Line and column of a byte, counted from 1.
pub(crate) fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    let column = before.get(line_start..).unwrap_or_default().chars().count();
    (1 + before.matches('\n').count(), 1 + column)
}
