//! The container of old Office files, and of new ones with a password. Only old Excel files are read.

use adjutant_knowledge_index::Document;

use super::spreadsheet;
use crate::{Limits, ReadFailure};

/// How such a file names the stream that holds a protected file, in UTF-16.
const ENCRYPTED: &str = "EncryptedPackage";
/// And the one that holds an Excel workbook, with the zero that ends a name.
const WORKBOOKS: [&str; 2] = ["Workbook\0", "Book\0"];

pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Document, ReadFailure> {
    if has_stream(bytes, ENCRYPTED) {
        return Err(ReadFailure::PasswordProtected);
    }
    if WORKBOOKS.iter().any(|name| has_stream(bytes, name)) {
        return spreadsheet::read_xls(bytes, limits);
    }
    Err(ReadFailure::unsupported(
        "an Office file from before 2007 (.doc, .ppt)",
    ))
}

fn has_stream(bytes: &[u8], name: &str) -> bool {
    let name: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
    bytes.windows(name.len()).any(|window| window == name)
}
