//! A document as Word reads it: a ZIP of XML parts. Charts are pictures, citations lead to bookmarks.

mod body;
mod package;

use adjutant_charts::PngRefusal;

use crate::document::{Document, Made};
use crate::manuscript::Manuscript;

#[derive(Debug, thiserror::Error)]
pub enum DocxRefusal {
    #[error("a chart cannot be rendered as an image")]
    Picture(#[source] PngRefusal),
    #[error("the parts cannot be packed")]
    Packing(#[source] zip::result::ZipError),
    #[error("a part cannot be written")]
    Writing(#[source] std::io::Error),
}

pub fn docx(document: &Document, made: &Made) -> Result<Vec<u8>, DocxRefusal> {
    let manuscript = Manuscript::new(document, made);
    let body = body::write(&manuscript)?;
    package::pack(&manuscript, &made.mission, &body)
}
