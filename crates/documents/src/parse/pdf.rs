//! PDF: text by page, put together again from glyphs and where they stand.

use std::panic::{AssertUnwindSafe, catch_unwind};

use adjutant_knowledge::{Document, DocumentKind};
use pdf_extract::{Document as Pdf, OutputError, output_doc, output_doc_page};

use super::pdf_glyphs::{Glyphs, PageLines};
use super::pdf_layout::put_pages;
use super::pdf_rebuild::rebuilt;
use super::pdf_repair::repair;
use crate::writing::{About, Writing};
use crate::{Limits, ReadFailure, date};

pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Document, ReadFailure> {
    let (mut pdf, pages) = match open(bytes, limits) {
        Err(failure @ ReadFailure::Broken { .. }) => {
            let again = rebuilt(bytes).ok_or(failure.clone())?;
            let (pdf, pages) = open(&again, limits).map_err(|_| failure.clone())?;
            if promised_pages(&pdf) != Some(pages) {
                return Err(failure);
            }
            (pdf, pages)
        }
        opened => opened?,
    };
    check_contents(&pdf)?;
    let about = about(&pdf);
    repair(&mut pdf);
    let pages = gather(&pdf, pages, limits)?;
    let mut writing = Writing::new(limits);
    put_pages(&mut writing, pages)?;
    let about = About {
        title: about.title.or_else(|| writing.first_heading()),
        ..about
    };
    writing.finish(DocumentKind::Pdf, about)
}

fn open(bytes: &[u8], limits: &Limits) -> Result<(Pdf, usize), ReadFailure> {
    let pdf = Pdf::load_mem(bytes).map_err(|error| broken(&error))?;
    if pdf.is_encrypted() {
        return Err(ReadFailure::PasswordProtected);
    }
    let pages = pdf.page_iter().take(pages_taken(limits)).count();
    if pages as u64 > limits.pages_max {
        return Err(ReadFailure::too_much(format!(
            "more than {} pages",
            limits.pages_max
        )));
    }
    if pages == 0 {
        return Err(ReadFailure::broken("it has no pages"));
    }
    Ok((pdf, pages))
}

/// How many pages the file says it has. With fewer found, some are lost.
fn promised_pages(pdf: &Pdf) -> Option<usize> {
    let tree = pdf.catalog().ok()?.get(b"Pages").ok()?;
    let (_, tree) = pdf.dereference(tree).ok()?;
    let count = tree.as_dict().ok()?.get(b"Count").ok()?;
    let (_, count) = pdf.dereference(count).ok()?;
    usize::try_from(count.as_i64().ok()?).ok()
}

/// A page whose content is not in the file would come out empty, as if nothing had been on it.
fn check_contents(pdf: &Pdf) -> Result<(), ReadFailure> {
    for (place, page) in pdf.page_iter().enumerate() {
        let contents = pdf.get_page_contents(page);
        if contents.iter().any(|content| !pdf.has_object(*content)) {
            let what = format!("the content of page {} is missing", place + 1);
            return Err(ReadFailure::broken(what));
        }
    }
    Ok(())
}

fn pages_taken(limits: &Limits) -> usize {
    usize::try_from(limits.pages_max.saturating_add(1)).unwrap_or(usize::MAX)
}

/// Gathers all pages at once; if the library panics on one, the others are still read, and that one by other means.
fn gather(pdf: &Pdf, count: usize, limits: &Limits) -> Result<Vec<PageLines>, ReadFailure> {
    let mut glyphs = Glyphs::new(limits);
    let all = catch_unwind(AssertUnwindSafe(|| output_doc(pdf, &mut glyphs)));
    if let Ok(result) = all {
        return finished(glyphs, result);
    }
    let mut pages = glyphs.whole_pages();
    let first = u32::try_from(pages.len() + 1).unwrap_or(u32::MAX);
    for number in first..=u32::try_from(count).unwrap_or(u32::MAX) {
        let mut glyphs = Glyphs::new(limits);
        let one = catch_unwind(AssertUnwindSafe(|| {
            output_doc_page(pdf, &mut glyphs, number)
        }));
        match one {
            Ok(result) => pages.extend(finished(glyphs, result)?),
            Err(_) => pages.push(plainly(pdf, number)?),
        }
    }
    Ok(pages)
}

fn finished(
    glyphs: Glyphs,
    result: Result<(), OutputError>,
) -> Result<Vec<PageLines>, ReadFailure> {
    match result {
        Ok(()) => Ok(glyphs.whole_pages()),
        Err(OutputError::IoError(error)) => Err(ReadFailure::too_much(error.to_string())),
        Err(OutputError::PdfError(error)) => Err(broken(&error)),
        Err(OutputError::FormatError(error)) => Err(ReadFailure::broken(error.to_string())),
    }
}

/// The text of a page without regard to where it stands. A page is never left out in silence.
fn plainly(pdf: &Pdf, number: u32) -> Result<PageLines, ReadFailure> {
    let text = catch_unwind(AssertUnwindSafe(|| pdf.extract_text(&[number])));
    match text {
        Ok(Ok(text)) if !text.trim().is_empty() => Ok(PageLines::plain(number, &text)),
        Ok(Err(error)) => Err(ReadFailure::broken(format!("page {number}: {error}"))),
        Ok(Ok(_)) | Err(_) => Err(ReadFailure::broken(format!("page {number} cannot be read"))),
    }
}

fn about(pdf: &Pdf) -> About {
    let info = pdf
        .trailer
        .get(b"Info")
        .and_then(|info| pdf.dereference(info))
        .and_then(|(_, info)| info.as_dict());
    let Ok(info) = info else {
        return About::default();
    };
    let entry = |key: &[u8]| {
        let (_, value) = pdf.dereference(info.get(key).ok()?).ok()?;
        let text = pdf_extract::decode_text_string(value).ok()?;
        (!text.trim().is_empty()).then_some(text)
    };
    About {
        title: entry(b"Title").filter(|title| !is_made_up(title)),
        author: entry(b"Author").filter(|author| !is_made_up(author)),
        date: entry(b"CreationDate").and_then(|text| date::stated(&text)),
    }
}

/// What programs write where nobody gave a title or a name.
fn is_made_up(text: &str) -> bool {
    let text = text.trim().to_ascii_lowercase();
    matches!(
        text.as_str(),
        "untitled" | "anonymous" | "unknown" | "(anonymous)" | "(unspecified)" | "unspecified"
    )
}

fn broken(error: &pdf_extract::Error) -> ReadFailure {
    match error {
        pdf_extract::Error::InvalidPassword | pdf_extract::Error::Decryption(_) => {
            ReadFailure::PasswordProtected
        }
        error => ReadFailure::broken(error.to_string()),
    }
}
