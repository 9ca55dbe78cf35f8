//! Features that tell whether a sentence addresses an AI model: by name, by obligation or by condition.

use std::ops::Range;

use crate::document::{Document, Sentence, is_informal_spelling};
use crate::features::{Feature, FeatureSet};
use crate::lexicon::Class;

/// A name within the first words of a sentence counts as being at the front.
const FRONT_WORDS: usize = 6;
/// Bytes between a name and the punctuation that ends a form of address.
const CALL_BYTES_MAX: usize = 30;
/// Bytes between a name and a word of obligation.
const BOUND_BYTES_MAX: usize = 40;

/// Words of obligation.
const BINDING: &[&str] = &[
    "must",
    "should",
    "shall",
    "will",
    "has to",
    "have to",
    "is to",
    "are to",
    "is required",
    "are required",
    "is asked",
    "are asked",
    "is instructed",
    "are instructed",
    "is directed",
    "are directed",
    "is expected",
    "are expected",
    "ought to",
    "needs to",
    "need to",
    "please",
    "muss",
    "mussen",
    "soll",
    "sollen",
    "doit",
    "doivent",
    "debe",
    "deben",
    "deve",
    "devono",
    "devem",
    "moet",
    "moeten",
];

/// Mentions of AI models, sorted by location.
fn find_agent_mentions(document: &Document<'_>, sentence: &Sentence) -> Vec<Range<usize>> {
    let words = document.words_in(sentence).iter();
    let words = words.filter(|word| word.classes.has(Class::Agent));
    let phrases = document.phrases_in(sentence).iter();
    let phrases = phrases.filter(|phrase| phrase.classes.has(Class::Agent));
    let mut spans: Vec<_> = words
        .map(|word| word.span.clone())
        .chain(phrases.map(|phrase| phrase.span.clone()))
        .collect();
    spans.sort_by_key(|span| (span.start, span.end));
    spans
}

pub(crate) fn add_addressee_features(
    features: &mut FeatureSet,
    document: &Document<'_>,
    sentence: &Sentence,
) {
    let text = document
        .folded
        .get(sentence.span.clone())
        .unwrap_or_default();
    let words = document.words_in(sentence);
    let word = |index: usize| {
        let span = words.get(index).map(|word| word.span.clone());
        span.and_then(|span| document.folded.get(span))
    };
    features.insert_if(Feature::call_shape, contains_function_call(text));
    let informal = (0..words.len())
        .filter_map(word)
        .filter(|word| is_informal_spelling(word));
    features.insert_if(Feature::hasty, informal.take(2).count() > 0);
    features.insert_if_both(Feature::your_answer, Feature::your, Feature::answer);
    for machine in find_agent_mentions(document, sentence) {
        let index = words.partition_point(|word| word.span.start < machine.start);
        let end = sentence.span.end;
        let after = document.folded.get(machine.end..end).unwrap_or_default();
        let after = &after[..after.floor_char_boundary(BOUND_BYTES_MAX)];
        let bound = BINDING
            .iter()
            .any(|binding| contains_phrase(after, binding));
        features.insert_if(Feature::agent_must, bound);
        if index >= FRONT_WORDS {
            continue;
        }
        features.insert(Feature::agent_front);
        let call = &after[..after.floor_char_boundary(CALL_BYTES_MAX)];
        features.insert_if(Feature::vocative, ends_form_of_address(call));
        let before = |list: &[&str]| (0..index).filter_map(word).any(|word| list.contains(&word));
        features.insert_if(
            Feature::for_agent,
            before(&[
                "for",
                "to",
                "dear",
                "attention",
                "attn",
                "hey",
                "hi",
                "hello",
                "note",
                "fur",
                "an",
                "pour",
                "para",
                "per",
                "aan",
                "voor",
                "для",
            ]),
        );
        features.insert_if(
            Feature::if_agent,
            before(&[
                "if",
                "when",
                "whenever",
                "any",
                "whichever",
                "whoever",
                "all",
                "every",
                "falls",
                "wenn",
                "si",
                "se",
                "als",
                "если",
            ]),
        );
    }
}

/// Whether the phrase occurs as whole words.
fn contains_phrase(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, found)| {
        let before = text[..at].chars().next_back();
        let after = text[at + found.len()..].chars().next();
        let apart = |letter: Option<char>| !letter.is_some_and(char::is_alphanumeric);
        apart(before) && apart(after)
    })
}

/// Whether a name followed by this is a form of address: punctuation after at most two words.
fn ends_form_of_address(after: &str) -> bool {
    let Some(sign) = after.find([':', ',', '!', '—', '–', '-', '→', '=', '>', ']', ')'])
    else {
        return false;
    };
    let between = &after[..sign];
    between.split_whitespace().count() <= 2 && !between.contains(['.', '"', ';', '('])
}

/// `some_name(…)`, `object.method(…)` or `function(argument=…)`.
fn contains_function_call(text: &str) -> bool {
    text.match_indices('(').any(|(at, _)| {
        let name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
        let before = &text.as_bytes()[..at];
        let start = before.len() - before.iter().rev().take_while(|byte| name(byte)).count();
        let called = &before[start..];
        let inside = &text.as_bytes()[at + 1..];
        let inside = inside
            .split(|byte| *byte == b')')
            .next()
            .unwrap_or_default();
        let typed = called.iter().any(|byte| matches!(byte, b'_' | b'.'));
        let given = inside.contains(&b'=') || inside.contains(&b'"') || inside.contains(&b'_');
        called.len() > 2 && called[0].is_ascii_alphabetic() && (typed || given)
    })
}
