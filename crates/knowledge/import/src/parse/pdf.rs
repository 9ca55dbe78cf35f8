//! PDF: text by page, put together again from letters and where they stand. What no reader sees is left out.

use adjutant_knowledge_index::{Document, DocumentKind};
use hayro_interpret::hayro_syntax::object::dict::keys::{ANNOTS, CONTENTS, COUNT, F, PAGES};
use hayro_interpret::hayro_syntax::object::{Array, Dict, Stream};
use hayro_interpret::hayro_syntax::page::Page;
use hayro_interpret::hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use hayro_interpret::{Context, InterpreterCache, InterpreterSettings, interpret_page};
use kurbo::{Affine, Rect};

use super::pdf_about::about;
use super::pdf_glyphs::{PageLines, lines};
use super::pdf_layout::put_pages;
use super::pdf_page::{PageDevice, PageLetters};
use super::pdf_type3::Type3Sizes;
use crate::writing::{About, Writing};
use crate::{Limits, ReadFailure};

/// Pages that are named where something was left out; more are counted.
const PAGES_NAMED_MAX: usize = 10;
/// A note on a page that is shown on no screen.
const NO_VIEW: u32 = 1 << 5;

pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Document, ReadFailure> {
    let pdf = Pdf::new(bytes.to_vec()).map_err(refused)?;
    check_pages(&pdf, limits)?;
    let (pages, left_out) = gather(&pdf, limits)?;
    let mut writing = Writing::new(limits);
    put_pages(&mut writing, pages)?;
    left_out.note(&mut writing)?;
    let about = about(pdf.metadata());
    let about = About {
        title: about.title.or_else(|| writing.first_heading()),
        ..about
    };
    writing.finish(DocumentKind::Pdf, about)
}

fn refused(error: LoadPdfError) -> ReadFailure {
    match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => {
            ReadFailure::PasswordProtected
        }
        LoadPdfError::Decryption(DecryptionError::UnsupportedAlgorithm) => {
            ReadFailure::unsupported("a PDF with an encryption that is not known")
        }
        LoadPdfError::Decryption(_) => ReadFailure::broken("its encryption cannot be undone"),
        LoadPdfError::Invalid => ReadFailure::broken("it has no pages that can be found"),
    }
}

/// A page that is lost would be missed by nobody, so all that the file promises must be there.
fn check_pages(pdf: &Pdf, limits: &Limits) -> Result<(), ReadFailure> {
    let pages = pdf.pages();
    if pages.len() as u64 > limits.pages_max {
        return Err(ReadFailure::too_much(format!(
            "more than {} pages",
            limits.pages_max
        )));
    }
    if pages.is_empty() {
        return Err(ReadFailure::broken("it has no pages"));
    }
    let root: Option<Dict<'_>> = pdf.xref().get(pdf.xref().root_id());
    let promised = root
        .and_then(|root| root.get::<Dict<'_>>(PAGES))
        .and_then(|tree| tree.get::<u32>(COUNT))
        .map_or(0, |count| count as usize);
    if pages.len() < promised {
        return Err(ReadFailure::broken(format!(
            "only {} of its {promised} pages can be found",
            pages.len()
        )));
    }
    for (place, page) in pages.iter().enumerate() {
        if !has_its_contents(page) {
            let what = format!("the content of page {} is missing", place + 1);
            return Err(ReadFailure::broken(what));
        }
    }
    Ok(())
}

fn has_its_contents(page: &Page<'_>) -> bool {
    let page = page.raw();
    if let Some(pieces) = page.get::<Array<'_>>(CONTENTS) {
        return pieces.raw_iter().count() == pieces.iter::<Stream<'_>>().count();
    }
    !page.contains_key(CONTENTS) || page.get::<Stream<'_>>(CONTENTS).is_some()
}

fn gather(pdf: &Pdf, limits: &Limits) -> Result<(Vec<PageLines>, LeftOut), ReadFailure> {
    let cache = InterpreterCache::new();
    let mut sizes = Type3Sizes::default();
    let mut left_out = LeftOut::default();
    let mut bytes: u64 = 0;
    let mut pages = Vec::new();
    for (number, page) in (1..).zip(pdf.pages().iter()) {
        let letters = letters_of(pdf, page, &cache, &mut sizes);
        if letters.is_cut {
            let what = format!("page {number} has more letters than a page can have");
            return Err(ReadFailure::too_much(what));
        }
        left_out.hidden.add(number, letters.hidden);
        left_out.unreadable.add(number, letters.unreadable);
        let lines = lines(&letters.seen);
        let cells = lines.iter().flat_map(|line| &line.cells);
        bytes += cells.map(|cell| cell.text.len() as u64).sum::<u64>();
        if bytes > limits.text_bytes_max {
            let what = format!("more than {} bytes", limits.text_bytes_max);
            return Err(ReadFailure::too_much(what));
        }
        pages.push(PageLines { number, lines });
    }
    Ok((pages, left_out))
}

fn letters_of<'a>(
    pdf: &'a Pdf,
    page: &Page<'a>,
    cache: &InterpreterCache<'a>,
    sizes: &mut Type3Sizes,
) -> PageLetters {
    let (width, height) = page.render_dimensions();
    let (width, height) = (f64::from(width), f64::from(height));
    let place = Affine::new(page.initial_transform(false).as_coeffs());
    let settings = InterpreterSettings {
        render_annotations: !has_unseen_notes(page),
        ..InterpreterSettings::default()
    };
    let sheet = Rect::new(0.0, 0.0, width, height);
    let mut context = Context::new(place, sheet, cache, pdf.xref(), settings);
    let mut device = PageDevice::new(width, height, sizes);
    interpret_page(page, &mut context, &mut device);
    device.finish()
}

/// Whether a page has a note that screens do not show. The library draws all notes or none.
fn has_unseen_notes(page: &Page<'_>) -> bool {
    let notes = page.raw().get::<Array<'_>>(ANNOTS);
    notes.is_some_and(|notes| {
        let mut notes = notes.iter::<Dict<'_>>();
        notes.any(|note| note.get::<u32>(F).unwrap_or(0) & NO_VIEW != 0)
    })
}

/// Letters that are in a file and not in its document.
#[derive(Debug, Default)]
struct LeftOut {
    hidden: Letters,
    unreadable: Letters,
}

#[derive(Debug, Default)]
struct Letters {
    count: usize,
    pages: Vec<u32>,
}

impl LeftOut {
    fn note(&self, writing: &mut Writing<'_>) -> Result<(), ReadFailure> {
        if self.unreadable.count > 0 && writing.is_empty() {
            return Err(ReadFailure::unsupported(
                "a PDF whose fonts do not say which letters they show",
            ));
        }
        if self.hidden.count > 0 {
            writing.leave_out(format!("Hidden text was left out: {}.", self.hidden));
        }
        if self.unreadable.count > 0 {
            writing.leave_out(format!(
                "Text could not be read because its fonts do not say which letters they show: {}.",
                self.unreadable
            ));
        }
        Ok(())
    }
}

impl Letters {
    fn add(&mut self, page: u32, count: usize) {
        if count > 0 {
            self.count += count;
            self.pages.push(page);
        }
    }
}

impl std::fmt::Display for Letters {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let letters = if self.count == 1 { "" } else { "s" };
        write!(formatter, "{} character{letters} on ", self.count)?;
        let (last, before) = match self.pages.as_slice() {
            [.., last] if self.pages.len() > PAGES_NAMED_MAX => {
                return write!(formatter, "{} pages up to page {last}", self.pages.len());
            }
            [before @ .., last] => (last, before),
            [] => return Ok(()),
        };
        if before.is_empty() {
            return write!(formatter, "page {last}");
        }
        let before: Vec<String> = before.iter().map(u32::to_string).collect();
        write!(formatter, "pages {} and {last}", before.join(", "))
    }
}
