//! The words of a sentence by the place they have in it, for the weights that single words carry.

use crate::document::{Document, Sentence, Word, usual};
use crate::lexicon::hash;
use crate::opening::Opening;

/// Where a word stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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
    /// Two words in a row.
    Pair,
}

impl Part {
    /// As the table of weights calls them, in the order of the parts.
    pub(crate) const NAMES: [&'static str; 5] = ["verb", "object", "first", "any", "pair"];
}

/// Between the two words of a pair.
const PAIR_SIGN: char = '_';

/// Words of a sentence that are looked at; longer ones are no sentences.
const WORDS_MAX: usize = 80;

/// What a word or a pair of the table is found by.
pub(crate) fn key(name: &str) -> u64 {
    match name.split_once(PAIR_SIGN) {
        Some((one, other)) => pair(hash(one), hash(other)),
        None => hash(name),
    }
}

fn pair(one: u64, other: u64) -> u64 {
    one.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23) ^ other
}

/// Each word and pair once for each place it has.
pub(crate) fn wording(words: &[Word], opening: Option<Opening>) -> Vec<(Part, u64)> {
    let mut said = Vec::with_capacity(words.len() * 2 + 3);
    if let Some(opening) = opening {
        let verb = words.get(opening.word);
        said.extend(verb.map(|word| (Part::Verb, word.hash)));
        let object = words.get(opening.word + 1);
        said.extend(object.map(|word| (Part::Object, word.hash)));
    }
    said.extend(words.first().map(|word| (Part::First, word.hash)));
    let seen = words.get(..WORDS_MAX).unwrap_or(words);
    said.extend(seen.iter().map(|word| (Part::Any, word.hash)));
    let pairs = seen.iter().zip(seen.iter().skip(1));
    said.extend(pairs.map(|(one, other)| (Part::Pair, pair(one.hash, other.hash))));
    said.sort_unstable();
    said.dedup();
    said
}

/// The same by name.
pub(crate) fn names(
    document: &Document<'_>,
    sentence: &Sentence,
    opening: Option<Opening>,
) -> Vec<String> {
    let words = document.words_of(sentence);
    let text = |word: &Word| {
        let text = document.view.get(word.span.clone());
        usual(text.unwrap_or_default()).to_owned()
    };
    let named = |part: Part, name: String| format!("{}:{name}", Part::NAMES[part as usize]);
    let mut names = Vec::new();
    if let Some(opening) = opening {
        let verb = words.get(opening.word);
        names.extend(verb.map(|word| named(Part::Verb, text(word))));
        let object = words.get(opening.word + 1);
        names.extend(object.map(|word| named(Part::Object, text(word))));
    }
    names.extend(words.first().map(|word| named(Part::First, text(word))));
    let seen = words.get(..WORDS_MAX).unwrap_or(words);
    names.extend(seen.iter().map(|word| named(Part::Any, text(word))));
    let pairs = seen.iter().zip(seen.iter().skip(1));
    names.extend(pairs.map(|(one, other)| {
        let both = format!("{}{PAIR_SIGN}{}", text(one), text(other));
        named(Part::Pair, both)
    }));
    names.sort_unstable();
    names.dedup();
    names
}
