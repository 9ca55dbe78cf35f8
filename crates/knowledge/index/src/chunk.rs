//! Documents into passages, along their structure.
//!
//! A passage is a run of whole parts under one heading. It never reaches over a heading of the same or a higher level,
//! and what is cut is cut after a sentence. Spans are the document's own text, so a citation opens the very place.

use serde::{Deserialize, Serialize};

use crate::document::{Document, Form, Span};
use crate::pieces::{Piece, pieces};

/// What a passage aims at.
const CHUNK_WORDS_TARGET: usize = 180;
/// What a passage never passes, but for a heading before it.
pub(crate) const CHUNK_WORDS_MAX: usize = 300;
/// A passage this short takes in the next deeper section, or joins the passage before it.
const CHUNK_WORDS_SHORT: usize = 45;

/// A passage of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chunk {
    pub span: Span,
    /// The headings it stands under, highest first; its own, if it begins with one, is the last.
    pub headings: Vec<String>,
    /// First and last page, where the file has pages.
    pub pages: Option<(u32, u32)>,
}

/// The passages of a document, in its order; every letter of every part is in exactly one of them.
pub fn chunks(document: &Document) -> Vec<Chunk> {
    let mut cutter = Cutter {
        document,
        path: Vec::new(),
        open: Vec::new(),
        open_words: 0,
        open_path: Vec::new(),
        section: 0,
        open_section: 0,
        done: Vec::new(),
    };
    for piece in pieces(document) {
        cutter.take(piece);
    }
    cutter.close(Carry::Nothing);
    cutter.done.into_iter().map(|done| done.chunk).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Carry {
    /// Headings and table heads at the end go on to the next passage.
    Heads,
    Nothing,
}

struct Done {
    chunk: Chunk,
    words: usize,
    section: usize,
}

struct Cutter<'a> {
    document: &'a Document,
    path: Vec<(u8, String)>,
    open: Vec<Piece>,
    open_words: usize,
    open_path: Vec<(u8, String)>,
    /// Counts headings; two passages with the same number stand under the same one.
    section: usize,
    open_section: usize,
    done: Vec<Done>,
}

impl Cutter<'_> {
    fn take(&mut self, piece: Piece) {
        if let Form::Heading(level) = piece.form {
            self.heading(level, piece);
            return;
        }
        if self.holds_content() && self.is_full_for(&piece) {
            self.close(Carry::Heads);
        }
        self.push(piece);
    }

    fn heading(&mut self, level: u8, piece: Piece) {
        let under = self.open_path.last().map_or(0, |(level, _)| *level);
        let deeper = level > under;
        let heads_only = !self.open.is_empty() && !self.holds_content();
        if !deeper || (!heads_only && self.open_words >= CHUNK_WORDS_SHORT) {
            self.close(Carry::Nothing);
        }
        while self.path.last().is_some_and(|(above, _)| *above >= level) {
            self.path.pop();
        }
        let text = self.text(piece.span).trim().to_owned();
        self.path.push((level, text));
        self.section += 1;
        self.push(piece);
    }

    fn push(&mut self, piece: Piece) {
        if self.open.is_empty() {
            self.open_path.clone_from(&self.path);
            self.open_section = self.section;
        }
        self.open_words += piece.words;
        self.open.push(piece);
    }

    fn holds_content(&self) -> bool {
        self.open.iter().any(|piece| !is_head(piece.form))
    }

    /// Whether the passage is nearer to its target without the piece.
    fn is_full_for(&self, piece: &Piece) -> bool {
        let with = self.open_words + piece.words;
        with > CHUNK_WORDS_MAX
            || (with > CHUNK_WORDS_TARGET
                && with - CHUNK_WORDS_TARGET > CHUNK_WORDS_TARGET.saturating_sub(self.open_words))
    }

    fn close(&mut self, carry: Carry) {
        let carried = match carry {
            Carry::Heads => self.heads_at_the_end(),
            Carry::Nothing => Vec::new(),
        };
        self.finish_open();
        let begins_with = carried.first().and_then(|piece| heading_level(piece.form));
        for piece in carried {
            self.push(piece);
        }
        if let Some(level) = begins_with {
            self.open_path.retain(|(above, _)| *above <= level);
        }
    }

    /// Takes off the headings that what comes next stands under: each of them deeper than the one before.
    fn heads_at_the_end(&mut self) -> Vec<Piece> {
        let mut heads = Vec::new();
        let mut above = u8::MAX;
        while let Some(piece) = self.open.pop_if(|piece| {
            is_head(piece.form) && heading_level(piece.form).is_none_or(|level| level < above)
        }) {
            above = heading_level(piece.form).unwrap_or(above);
            heads.push(piece);
        }
        heads.reverse();
        heads
    }

    fn finish_open(&mut self) {
        let pieces = std::mem::take(&mut self.open);
        self.open_words = 0;
        let path = std::mem::take(&mut self.open_path);
        let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else {
            return;
        };
        let words = pieces.iter().map(|piece| piece.words).sum();
        let chunk = Chunk {
            span: Span {
                start: first.span.start,
                end: last.span.end,
            },
            headings: path.into_iter().map(|(_, heading)| heading).collect(),
            pages: pages(&pieces),
        };
        if let Some(before) = self.done.last_mut()
            && before.section == self.open_section
            && words < CHUNK_WORDS_SHORT
            && before.words + words <= CHUNK_WORDS_MAX
        {
            before.chunk.span.end = chunk.span.end;
            before.chunk.pages = merge_pages(before.chunk.pages, chunk.pages);
            before.words += words;
            return;
        }
        self.done.push(Done {
            chunk,
            words,
            section: self.open_section,
        });
    }

    fn text(&self, span: Span) -> &str {
        let range = span.start as usize..span.end as usize;
        self.document.text.get(range).unwrap_or_default()
    }
}

fn is_head(form: Form) -> bool {
    matches!(form, Form::Heading(_) | Form::RowHead)
}

fn heading_level(form: Form) -> Option<u8> {
    match form {
        Form::Heading(level) => Some(level),
        _ => None,
    }
}

fn pages(pieces: &[Piece]) -> Option<(u32, u32)> {
    pieces
        .iter()
        .map(|piece| piece.page.map(|page| (page, page)))
        .fold(None, merge_pages)
}

fn merge_pages(left: Option<(u32, u32)>, right: Option<(u32, u32)>) -> Option<(u32, u32)> {
    match (left, right) {
        (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
        (one, other) => one.or(other),
    }
}
