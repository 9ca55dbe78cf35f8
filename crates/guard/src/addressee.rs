//! Who a sentence speaks to, as far as its shape tells: a machine that is called, bound or meant.

use std::ops::Range;

use crate::document::{Document, Sentence, is_hasty};
use crate::features::{Feature, Seen};
use crate::lexicon::Class;

/// Words before a call that still leave it at the front.
const FRONT_WORDS: usize = 6;
/// Bytes between a name and the sign that ends a call.
const CALL_BYTES_MAX: usize = 30;
/// Bytes between a name and what it is bound to do.
const BOUND_BYTES_MAX: usize = 40;

/// Words that bind somebody to do something.
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

/// Where machines are named, in their order.
fn machines(document: &Document<'_>, sentence: &Sentence) -> Vec<Range<usize>> {
    let words = document.words_of(sentence).iter();
    let words = words.filter(|word| word.classes.has(Class::Agent));
    let marks = document.marks_of(sentence).iter();
    let marks = marks.filter(|mark| mark.classes.has(Class::Agent));
    let mut spans: Vec<_> = words
        .map(|word| word.span.clone())
        .chain(marks.map(|mark| mark.span.clone()))
        .collect();
    spans.sort_by_key(|span| (span.start, span.end));
    spans
}

pub(crate) fn see_addressee(seen: &mut Seen, document: &Document<'_>, sentence: &Sentence) {
    let text = document.view.get(sentence.span.clone()).unwrap_or_default();
    let words = document.words_of(sentence);
    let word = |index: usize| {
        let span = words.get(index).map(|word| word.span.clone());
        span.and_then(|span| document.view.get(span))
    };
    seen.see_if(Feature::call_shape, has_call(text));
    let hasty = (0..words.len())
        .filter_map(word)
        .filter(|word| is_hasty(word));
    seen.see_if(Feature::hasty, hasty.take(2).count() > 0);
    seen.both(Feature::your_answer, Feature::your, Feature::answer);
    for machine in machines(document, sentence) {
        let index = words.partition_point(|word| word.span.start < machine.start);
        let end = sentence.span.end;
        let after = document.view.get(machine.end..end).unwrap_or_default();
        let after = &after[..after.floor_char_boundary(BOUND_BYTES_MAX)];
        let bound = BINDING.iter().any(|binding| holds(after, binding));
        seen.see_if(Feature::agent_must, bound);
        if index >= FRONT_WORDS {
            continue;
        }
        seen.see(Feature::agent_front);
        let call = &after[..after.floor_char_boundary(CALL_BYTES_MAX)];
        seen.see_if(Feature::vocative, calls(call));
        let before = |list: &[&str]| (0..index).filter_map(word).any(|word| list.contains(&word));
        seen.see_if(
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
        seen.see_if(
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

/// A phrase between borders of words.
fn holds(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, found)| {
        let before = text[..at].chars().next_back();
        let after = text[at + found.len()..].chars().next();
        let apart = |letter: Option<char>| !letter.is_some_and(char::is_alphanumeric);
        apart(before) && apart(after)
    })
}

/// What follows a name when somebody is called: a sign after two words at most.
fn calls(after: &str) -> bool {
    let Some(sign) = after.find([':', ',', '!', '—', '–', '-', '→', '=', '>', ']', ')'])
    else {
        return false;
    };
    let between = &after[..sign];
    between.split_whitespace().count() <= 2 && !between.contains(['.', '"', ';', '('])
}

/// `name_of(…)`, `thing.deed(…)` or `deed(this=…)`.
fn has_call(text: &str) -> bool {
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
