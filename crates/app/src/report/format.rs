//! The formats a report is written in.

use adjutant_document_model::{Document, Made};

use crate::error::{AppError, ErrorKind};

/// Writes a PDF. Typst is a heavy dependency, so the binary brings it in and nothing else is built with it.
pub type PdfWriter = fn(&Document, &Made) -> Result<Vec<u8>, String>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportFormat {
    Md,
    Html,
    Pdf,
    Docx,
    Json,
}

impl ReportFormat {
    /// The format that a name, or the ending of a file's name, means.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name.to_lowercase().as_str() {
            "md" | "markdown" | "txt" => Self::Md,
            "html" | "htm" => Self::Html,
            "pdf" => Self::Pdf,
            "docx" => Self::Docx,
            "json" => Self::Json,
            _ => return None,
        })
    }

    /// How file names of this format end.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Md => "md",
            Self::Html => "html",
            Self::Pdf => "pdf",
            Self::Docx => "docx",
            Self::Json => "json",
        }
    }

    pub fn media_type(self) -> &'static str {
        match self {
            Self::Md => "text/markdown; charset=utf-8",
            Self::Html => "text/html; charset=utf-8",
            Self::Pdf => "application/pdf",
            Self::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Self::Json => "application/json",
        }
    }

    /// Whether it can be read in a terminal.
    pub fn is_text(self) -> bool {
        match self {
            Self::Md | Self::Html | Self::Json => true,
            Self::Pdf | Self::Docx => false,
        }
    }
}

pub fn write_report(
    format: ReportFormat,
    document: &Document,
    made: &Made,
    write_pdf: PdfWriter,
) -> Result<Vec<u8>, AppError> {
    let broken = |error: String| {
        AppError::new(
            ErrorKind::Internal,
            "ADJ-6108",
            format!("the document cannot be written: {error}"),
            "Choose another format with `--format`.",
        )
    };
    match format {
        ReportFormat::Md => Ok(adjutant_document_model::markdown(document, made).into_bytes()),
        ReportFormat::Html => Ok(adjutant_document_model::html(document, made).into_bytes()),
        ReportFormat::Docx => {
            adjutant_document_model::docx(document, made).map_err(|error| broken(error.to_string()))
        }
        ReportFormat::Pdf => write_pdf(document, made).map_err(broken),
        ReportFormat::Json => {
            let whole = serde_json::json!({ "document": document, "made": made });
            serde_json::to_vec_pretty(&whole).map_err(|error| broken(error.to_string()))
        }
    }
}
