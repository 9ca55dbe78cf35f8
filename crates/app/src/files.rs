//! Reads whole files that a person or a setting names, within a limit.

use std::path::Path;

use crate::error::{AppError, ErrorKind};

/// A whole file, if it is one and not too large.
pub fn read(path: &Path, bytes_max: u64) -> Result<Vec<u8>, AppError> {
    let shown = path.display();
    let failed = |error: std::io::Error| {
        let (code, message, help) = match error.kind() {
            std::io::ErrorKind::NotFound => (
                "ADJ-6011",
                format!("the file {shown} does not exist"),
                "Check the path; it is relative to the current folder.",
            ),
            std::io::ErrorKind::PermissionDenied => (
                "ADJ-6012",
                format!("permission to read {shown} is denied"),
                "Grant read permission on the file.",
            ),
            _ => (
                "ADJ-6012",
                format!("{shown} cannot be read: {error}"),
                "Check the file and its disk.",
            ),
        };
        AppError::new(ErrorKind::BadInput, code, message, help)
    };
    let found = std::fs::metadata(path).map_err(failed)?;
    if found.is_dir() {
        return Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6013",
            format!("{shown} is a folder"),
            "Name a file in it.",
        ));
    }
    if found.len() > bytes_max {
        return Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-1101",
            format!(
                "{shown} has {} bytes; the limit is {bytes_max}",
                found.len()
            ),
            "Split it, or keep bulk data in files that tasks read.",
        ));
    }
    use std::io::Read as _;
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(failed)?;
    // A pipe or device has no size to look at before.
    file.take(bytes_max + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    Ok(bytes)
}
