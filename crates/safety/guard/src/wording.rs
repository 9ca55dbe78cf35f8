//! Features of single words and word pairs, by their position in the sentence.

use crate::document::{Document, Sentence, Word, usual_spelling};
use crate::lexicon::hash;
use crate::opening::Opening;

/// The position of a word.
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
    /// Their names in the table of weights, in the same order.
    pub(crate) const NAMES: [&'static str; 5] = ["verb", "object", "first", "any", "pair"];
}

/// Between the two words of a pair.
const PAIR_SIGN: char = '_';

/// Words of a sentence that are used; longer ones are not sentences.
const WORDS_MAX: usize = 80;

/// The key of a word or pair of the table.
pub(crate) fn wording_key(name: &str) -> u64 {
    match name.split_once(PAIR_SIGN) {
        Some((one, other)) => pair_key(hash(one), hash(other)),
        None => hash(name),
    }
}

fn pair_key(one: u64, other: u64) -> u64 {
    one.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23) ^ other
}

/// Each word and pair once per position.
pub(crate) fn wording_features(words: &[Word], opening: Option<Opening>) -> Vec<(Part, u64)> {
    let mut features = Vec::with_capacity(words.len() * 2 + 3);
    if let Some(opening) = opening {
        let verb = words.get(opening.word);
        features.extend(verb.map(|word| (Part::Verb, word.hash)));
        let object = words.get(opening.word + 1);
        features.extend(object.map(|word| (Part::Object, word.hash)));
    }
    features.extend(words.first().map(|word| (Part::First, word.hash)));
    let used = words.get(..WORDS_MAX).unwrap_or(words);
    features.extend(used.iter().map(|word| (Part::Any, word.hash)));
    let pairs = used.iter().zip(used.iter().skip(1));
    features.extend(pairs.map(|(one, other)| (Part::Pair, pair_key(one.hash, other.hash))));
    features.sort_unstable();
    features.dedup();
    features
}

/// The same features by name.
pub(crate) fn wording_names(
    document: &Document<'_>,
    sentence: &Sentence,
    opening: Option<Opening>,
) -> Vec<String> {
    let words = document.words_in(sentence);
    let text = |word: &Word| {
        let text = document.folded.get(word.span.clone());
        usual_spelling(text.unwrap_or_default()).to_owned()
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
    let used = words.get(..WORDS_MAX).unwrap_or(words);
    names.extend(used.iter().map(|word| named(Part::Any, text(word))));
    let pairs = used.iter().zip(used.iter().skip(1));
    names.extend(pairs.map(|(one, other)| {
        let both = format!("{}{PAIR_SIGN}{}", text(one), text(other));
        named(Part::Pair, both)
    }));
    names.sort_unstable();
    names.dedup();
    names
}
