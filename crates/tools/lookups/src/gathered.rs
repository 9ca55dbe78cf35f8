//! Records as they come in, page by page.

use crate::{Found, LookupError, Source, Step};

/// However little a page holds, no more of them are asked for.
pub(crate) const PAGES_MAX: u32 = 20;
const NOTES_MAX: usize = 50;

#[derive(Debug, Default)]
pub(crate) struct Gathered {
    found: Found,
    most: usize,
    pages: u32,
    notes_left_out: usize,
}

impl Gathered {
    pub(crate) fn new(most: usize) -> Self {
        Self {
            most,
            ..Self::default()
        }
    }

    /// Nothing beyond what is wanted, and no record twice.
    pub(crate) fn add(&mut self, source: Source) {
        if !self.has(&source.id) && !self.is_full() {
            self.found.sources.push(source);
        }
    }

    pub(crate) fn note(&mut self, note: impl Into<String>) {
        let note = note.into();
        if self.found.notes.contains(&note) {
            return;
        }
        if self.found.notes.len() < NOTES_MAX {
            self.found.notes.push(note);
        } else {
            self.notes_left_out += 1;
        }
    }

    pub(crate) fn total(&mut self, total: Option<u64>) {
        self.found.total = total.or(self.found.total);
    }

    pub(crate) fn page_read(&mut self) {
        self.pages += 1;
    }

    pub(crate) fn len(&self) -> usize {
        self.found.sources.len()
    }

    pub(crate) fn has(&self, id: &str) -> bool {
        self.found.sources.iter().any(|known| known.id == id)
    }

    pub(crate) fn is_full(&self) -> bool {
        self.found.sources.len() >= self.most
    }

    /// Whether another page may be asked for; if it is the limit that forbids it, a note says so.
    pub(crate) fn wants_more(&mut self) -> bool {
        if self.is_full() {
            return false;
        }
        if self.pages >= PAGES_MAX {
            self.note(format!("stopped after {PAGES_MAX} pages; there are more"));
            return false;
        }
        true
    }

    /// Without any page there is no result; after one, what there is counts.
    pub(crate) fn page_failed(&mut self, error: LookupError) -> Result<Step, LookupError> {
        if self.pages == 0 {
            return Err(error);
        }
        self.note(format!(
            "only the first {} records: the next page failed ({error})",
            self.len()
        ));
        Ok(self.done())
    }

    pub(crate) fn done(&mut self) -> Step {
        if self.notes_left_out > 0 {
            let more = format!("{} more notes are left out", self.notes_left_out);
            self.found.notes.push(more);
        }
        Step::Done(std::mem::take(&mut self.found))
    }
}
