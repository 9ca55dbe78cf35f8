//! `adjutant report`: what a mission hands over, as a document.

use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::find;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::report::{ReportFormat, read_report, write_report};
use adjutant_app::rules::rule_book_or_none_start;
use adjutant_app::settings::Settings;
use adjutant_document_model::{Document, Made};
use adjutant_mission::MissionId;

use crate::args::Report;
use crate::exit::Exit;
use crate::output;
use crate::view::short;

pub(super) async fn run(settings: &Settings, report: Report) -> Result<Exit, AppError> {
    let reading = ReadOnlyStore::expect(settings).await?;
    let id = find::mission(reading.store(), &report.mission).await?;
    let format = format_of(&report)?;
    let (document, made) = read_report(
        &reading.journal,
        id,
        settings.outgoing,
        &rule_book_or_none_start(settings),
    )
    .await?;
    let bytes = write_report(format, &document, &made, write_pdf)?;
    hand_over(&report, id, &document, &bytes)
}

/// Prints a report, or writes it where it was asked to.
pub(super) fn hand_over(
    report: &Report,
    id: MissionId,
    document: &Document,
    bytes: &[u8],
) -> Result<Exit, AppError> {
    let format = format_of(report)?;
    let to = match &report.out {
        Some(path) => Some(path.clone()),
        None if format.is_text() => None,
        None => Some(PathBuf::from(format!(
            "{}-{}.{}",
            name_of(&document.kind),
            short(id),
            format.extension()
        ))),
    };
    match to.filter(|path| path != Path::new("-")) {
        None => print(bytes)?,
        Some(path) => write_file(&path, format, document, bytes)?,
    }
    Ok(Exit::Ok)
}

/// Writes a document into a file, and beside Markdown the charts that it shows.
pub(super) fn write_file(
    path: &Path,
    format: ReportFormat,
    document: &Document,
    bytes: &[u8],
) -> Result<(), AppError> {
    save(path, bytes)?;
    if format == ReportFormat::Md {
        charts(path, document)?;
    }
    output::note(&format!("{} written", path.display()));
    Ok(())
}

/// The format that is asked for, or that the file's name ends with.
pub(super) fn format_of(report: &Report) -> Result<ReportFormat, AppError> {
    if let Some(format) = report.format {
        return Ok(format.into());
    }
    match report.out.as_deref() {
        Some(path) => format_of_file(path),
        None => Ok(ReportFormat::Md),
    }
}

/// The format that a file's name ends with; Markdown if it has no ending.
pub(super) fn format_of_file(path: &Path) -> Result<ReportFormat, AppError> {
    let named = path.extension();
    let named = named.and_then(|ending| ending.to_str()).unwrap_or("md");
    ReportFormat::from_name(named).ok_or_else(|| {
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-6148",
            format!("reports cannot be written as `.{named}`"),
            "Use a file name that ends with .md, .html, .pdf, .docx or .json, or set `--format`.",
        )
    })
}

fn name_of(kind: &str) -> String {
    let letters = kind.to_lowercase();
    let words = letters.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}

fn print(bytes: &[u8]) -> Result<(), AppError> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(bytes).and_then(|()| {
        let ends = bytes.ends_with(b"\n") || !std::io::stdout().is_terminal();
        if ends { Ok(()) } else { out.write_all(b"\n") }
    });
    written.map_err(|error| unwritten(Path::new("standard output"), &error))
}

fn save(path: &Path, bytes: &[u8]) -> Result<(), AppError> {
    std::fs::write(path, bytes).map_err(|error| unwritten(path, &error))
}

/// The charts that a Markdown file shows, beside it.
fn charts(path: &Path, document: &Document) -> Result<(), AppError> {
    let files = adjutant_document_model::chart_files(document);
    let beside = path.parent().unwrap_or(Path::new("."));
    for (name, svg) in files {
        let file = beside.join(name);
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(|error| unwritten(folder, &error))?;
        }
        save(&file, svg.as_bytes())?;
    }
    Ok(())
}

fn unwritten(path: &Path, error: &std::io::Error) -> AppError {
    AppError::new(
        ErrorKind::Unavailable,
        "ADJ-6107",
        format!("{} cannot be written: {error}", path.display()),
        "Name another file with `--out`.",
    )
}

/// Typst writes PDFs; only the binary is built with it.
pub(super) fn write_pdf(document: &Document, made: &Made) -> Result<Vec<u8>, String> {
    adjutant_document_pdf::pdf(document, made).map_err(|error| error.to_string())
}
