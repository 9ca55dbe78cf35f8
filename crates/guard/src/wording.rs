//! The words of a sentence by the place they have in it, for the weights that single words carry.

use crate::document::{Document, Sentence, Word};
use crate::opening::opening;

/// Where a word stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Part {
    /// The verb that opens a command.
    Verb,
    /// The word after that verb.
    Object,
    /// The first word.
    First,
    /// Anywhere.
    Any,
}

impl Part {
    /// As the table of weights calls them, in the order of the parts.
    pub(crate) const NAMES: [&'static str; 4] = ["verb", "object", "first", "any"];
}

/// Words of a sentence that are looked at; longer ones are no sentences.
const WORDS_MAX: usize = 80;

/// Each word once for each place it has.
pub(crate) fn wording<'a>(document: &'a Document<'_>, sentence: &Sentence) -> Vec<(Part, &'a str)> {
    let words = document.words_of(sentence);
    let text = |word: &Word| document.view.get(word.span.clone()).unwrap_or_default();
    let mut said = Vec::with_capacity(words.len() + 3);
    if let Some(opening) = opening(document, sentence) {
        said.extend(words.get(opening.word).map(|word| (Part::Verb, text(word))));
        let object = words.get(opening.word + 1);
        said.extend(object.map(|word| (Part::Object, text(word))));
    }
    said.extend(words.first().map(|word| (Part::First, text(word))));
    let mut all: Vec<&str> = words.iter().take(WORDS_MAX).map(text).collect();
    all.sort_unstable();
    all.dedup();
    said.extend(all.into_iter().map(|word| (Part::Any, word)));
    said
}
