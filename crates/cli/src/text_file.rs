//! A text that a person names: a file, or what comes in on standard input.

use std::io::Read as _;
use std::path::Path;

use crate::failure::{Exit, Failure};
use crate::wiring;

/// A text longer than this is a mistake.
pub(crate) const TEXT_BYTES_MAX: u64 = 8 * 1024 * 1024;

pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    let (name, bytes) = if path == Path::new("-") {
        ("standard input".to_owned(), read_input()?)
    } else {
        (
            path.display().to_string(),
            wiring::read_file(path, TEXT_BYTES_MAX)?,
        )
    };
    if bytes.len() as u64 > TEXT_BYTES_MAX {
        return Err(Failure::new(
            Exit::BadInput,
            "ADJ-1101",
            format!("{name} has more than {TEXT_BYTES_MAX} bytes"),
            "Look at it in parts.",
        ));
    }
    let text = String::from_utf8(bytes).ok();
    text.filter(|text| !text.contains('\0')).ok_or_else(|| {
        Failure::new(
            Exit::BadInput,
            "ADJ-6014",
            format!("{name} is no text"),
            "Give it as plain text in UTF-8.",
        )
    })
}

fn read_input() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let input = std::io::stdin().lock();
    let read = input.take(TEXT_BYTES_MAX + 1).read_to_end(&mut bytes);
    read.map_err(|error| {
        Failure::new(
            Exit::BadInput,
            "ADJ-6012",
            format!("standard input cannot be read: {error}"),
            "Check what is piped in.",
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
