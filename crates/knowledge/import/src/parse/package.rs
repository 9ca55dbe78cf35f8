//! Packages: zips that are one document. Says what a package is and unpacks it; sizes inside are never believed.

use std::io::{Cursor, Read};

use adjutant_knowledge_index::Document;
use zip::ZipArchive;
use zip::result::ZipError;

use super::{docx, spreadsheet, xml};
use crate::{Limits, ReadFailure};

const ENTRIES_MAX: usize = 10_000;
const OPEN_SPREADSHEET: &str = "application/vnd.oasis.opendocument.spreadsheet";

pub(super) type Archive<'a> = ZipArchive<Cursor<&'a [u8]>>;

pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Document, ReadFailure> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    if archive.len() > ENTRIES_MAX {
        return Err(ReadFailure::too_much(format!(
            "more than {ENTRIES_MAX} files packed in it"
        )));
    }
    if let Some(kind) = unpack(&mut archive, "mimetype", limits)? {
        let kind = String::from_utf8_lossy(&kind).trim().to_owned();
        if kind != OPEN_SPREADSHEET {
            return Err(ReadFailure::unsupported(kind));
        }
        check_sizes(&mut archive, limits)?;
        return spreadsheet::read_ods(bytes, limits);
    }
    let main = main_part(&mut archive, limits)?;
    match main.split('/').next() {
        Some("word") => docx::read(&mut archive, &main, limits),
        Some("xl") if main.ends_with(".xml") => {
            check_sizes(&mut archive, limits)?;
            spreadsheet::read_xlsx(bytes, limits)
        }
        Some("xl") => Err(ReadFailure::unsupported(
            "an Excel workbook in the binary format (.xlsb)",
        )),
        Some("ppt") => Err(ReadFailure::unsupported("a PowerPoint presentation")),
        _ => Err(ReadFailure::unsupported("a zip archive")),
    }
}

/// Where the document's text is, as the package itself says.
fn main_part(archive: &mut Archive, limits: &Limits) -> Result<String, ReadFailure> {
    let Some(relations) = unpack(archive, "_rels/.rels", limits)? else {
        return Err(ReadFailure::unsupported("a zip archive"));
    };
    let mut main = None;
    xml::each(&relations, |event| {
        if let xml::Seen::Start(element) = event
            && element
                .attribute("Type")
                .is_some_and(|kind| kind.ends_with("/officeDocument"))
        {
            main = element.attribute("Target");
        }
        Ok(())
    })?;
    main.map(|path| path.trim_start_matches('/').to_owned())
        .ok_or_else(|| ReadFailure::unsupported("a zip archive"))
}

pub(super) fn unpack(
    archive: &mut Archive,
    name: &str,
    limits: &Limits,
) -> Result<Option<Vec<u8>>, ReadFailure> {
    let entry = match archive.by_name(name) {
        Ok(entry) => entry,
        Err(ZipError::FileNotFound) => return Ok(None),
        Err(error) => return Err(broken(error)),
    };
    let mut bytes = Vec::new();
    entry
        .take(limits.unpacked_bytes_max.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|error| ReadFailure::broken(format!("{name}: {error}")))?;
    if bytes.len() as u64 > limits.unpacked_bytes_max {
        return Err(too_large(name, limits));
    }
    Ok(Some(bytes))
}

/// Unpacks everything once, for a library that would unpack it without end.
fn check_sizes(archive: &mut Archive, limits: &Limits) -> Result<(), ReadFailure> {
    for place in 0..archive.len() {
        let entry = archive.by_index(place).map_err(broken)?;
        let name = entry.name().map_err(broken)?.into_owned();
        let mut limited = entry.take(limits.unpacked_bytes_max.saturating_add(1));
        let bytes = std::io::copy(&mut limited, &mut std::io::sink())
            .map_err(|error| ReadFailure::broken(format!("{name}: {error}")))?;
        if bytes > limits.unpacked_bytes_max {
            return Err(too_large(&name, limits));
        }
    }
    Ok(())
}

fn too_large(name: &str, limits: &Limits) -> ReadFailure {
    ReadFailure::too_much(format!(
        "{name} has more than {} bytes unpacked",
        limits.unpacked_bytes_max
    ))
}

fn broken(error: ZipError) -> ReadFailure {
    let encrypted =
        matches!(error, ZipError::UnsupportedArchive(what) if what == ZipError::PASSWORD_REQUIRED);
    if encrypted {
        return ReadFailure::PasswordProtected;
    }
    ReadFailure::broken(error.to_string())
}
