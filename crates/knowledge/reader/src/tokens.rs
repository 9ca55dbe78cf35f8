//! A sentence as words whose grammar can be looked at.

use std::ops::Range;

use crate::irregular::usual_form;
use crate::words::words;

/// A word of a text, with where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) span: Range<usize>,
    /// In lower case, with straight apostrophes.
    pub(crate) small: String,
    pub(crate) is_capital: bool,
}

pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let one = |span: Range<usize>| {
        let written = &text[span.clone()];
        Token {
            small: written.to_lowercase().replace('’', "'"),
            is_capital: written.starts_with(char::is_uppercase),
            span,
        }
    };
    words(text).into_iter().map(one).collect()
}

/// Words that stand between an auxiliary and its verb.
const BETWEEN: &[&str] = &[
    "also",
    "then",
    "now",
    "therefore",
    "still",
    "only",
    "first",
    "again",
    "already",
    "not",
    "yet",
    "each",
    "both",
    "in",
    "turn",
    "either",
    "never",
    "jointly",
    "promptly",
    "immediately",
    "soon",
    "shortly",
    "finally",
    "always",
];
/// Words that deny.
const DENIALS: &[&str] = &[
    "not", "no", "never", "none", "nobody", "nothing", "neither", "nor", "without", "cannot",
    "hasn't", "haven't", "isn't", "aren't", "wasn't", "weren't", "didn't", "don't", "doesn't",
    "won't", "hadn't", "can't",
];
const FORMS_OF_BE: &[&str] = &["is", "are", "was", "were", "been", "be", "being"];

pub(crate) fn is_denial(small: &str) -> bool {
    DENIALS.contains(&small)
}

pub(crate) fn is_form_of_be(small: &str) -> bool {
    FORMS_OF_BE.contains(&small)
}

/// Whether a text points to what stands before it.
pub(crate) fn points_back(text: &str) -> bool {
    let is_pointer = |word: &Token| {
        matches!(
            word.small.as_str(),
            "it" | "its"
                | "this"
                | "that"
                | "them"
                | "they"
                | "these"
                | "those"
                | "one"
                | "neither"
                | "both"
                | "so"
        )
    };
    tokens(text).iter().any(is_pointer)
}

/// The place of the next word that is none of those between an auxiliary and its verb.
pub(crate) fn verb_after(all: &[Token], auxiliary: usize) -> Option<usize> {
    let rest = all.iter().enumerate().skip(auxiliary + 1);
    rest.take(4)
        .find(|(_, word)| !BETWEEN.contains(&word.small.as_str()))
        .map(|(at, _)| at)
}

/// Whether a word has the form of a past participle: `signed`, `sent`, `taken`.
pub(crate) fn is_participle(small: &str) -> bool {
    let regular = small.len() > 3 && (small.ends_with("ed") || small.ends_with("wn"));
    let irregular = usual_form(small) != small || small.ends_with("en") && small.len() > 4;
    regular || irregular || matches!(small, "put" | "set" | "read" | "cut" | "shut" | "let")
}
