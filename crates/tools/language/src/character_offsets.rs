//! Where something stands in a text, counted in characters and not in bytes.

use std::ops::Range;

use serde::Serialize;

/// A place is found by counting on from the nearest of these.
const STEP_BYTES: usize = 128;

/// A piece of a text: `text` is what stands from character `start` to before character `end`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Span {
    pub start: usize,
    pub end: usize,
    pub text: String,
}

/// Turns byte offsets of one text into character offsets.
pub(crate) struct CharacterOffsets<'t> {
    text: &'t str,
    /// Characters that begin before each multiple of the step.
    before: Vec<usize>,
}

impl<'t> CharacterOffsets<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let mut before = Vec::with_capacity(text.len() / STEP_BYTES + 1);
        let mut count = 0;
        for block in text.as_bytes().chunks(STEP_BYTES) {
            before.push(count);
            count += starts(block);
        }
        before.push(count);
        Self { text, before }
    }

    fn characters(&self, byte: usize) -> usize {
        let block = byte / STEP_BYTES;
        let counted = self.before.get(block).copied().unwrap_or_default();
        counted + starts(&self.text.as_bytes()[block * STEP_BYTES..byte])
    }

    pub(crate) fn span(&self, bytes: &Range<usize>) -> Span {
        Span {
            start: self.characters(bytes.start),
            end: self.characters(bytes.end),
            text: self.text[bytes.clone()].to_owned(),
        }
    }
}

/// Characters that begin in these bytes.
fn starts(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| (**byte & 0xC0) != 0x80).count()
}
