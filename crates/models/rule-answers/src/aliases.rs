//! What else things are called, as far as the sources say so in brackets.

use std::collections::{BTreeMap, BTreeSet};

use crate::strengths::{FORM_REACH, FORMS, STRENGTHS};
use crate::text::{is_stop_word, words};

/// A shorter word in brackets is no name.
const ALIAS_CHARS_MIN: usize = 5;
/// Of the line before a bracket no more is read, so that a long line with many brackets is not read once for each.
const BEFORE_BYTES_MAX: usize = 200;
/// Words that set two things apart: `Velmoran or placebo`.
const APART: &[&str] = &[
    "against", "and", "or", "than", "to", "versus", "vs", "with", "plus",
];

/// What things are also called: `Velmoran 5 mg tablets (velordrostat)`, each by its other name, written small.
#[derive(Debug, Default)]
pub(crate) struct Aliases {
    by_name: BTreeMap<String, BTreeSet<String>>,
}

impl Aliases {
    pub(crate) fn read<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> Self {
        let mut by_name: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for text in texts.clone() {
            for (name, other) in text
                .match_indices('(')
                .filter_map(|(at, _)| name_before_and_in_bracket(text, at))
            {
                by_name
                    .entry(name.clone())
                    .or_default()
                    .insert(other.clone());
                by_name.entry(other).or_default().insert(name);
            }
        }
        if by_name.is_empty() {
            return Self::default();
        }
        // What is set apart somewhere is not the same.
        for text in texts {
            let words: Vec<String> = words(text)
                .iter()
                .map(|at| at.text.to_lowercase())
                .collect();
            for three in words.windows(3) {
                let [one, between, other] = three else {
                    continue;
                };
                if APART.contains(&between.as_str()) {
                    for (a, b) in [(one, other), (other, one)] {
                        if let Some(known) = by_name.get_mut(a) {
                            known.remove(b);
                        }
                    }
                }
            }
        }
        Self { by_name }
    }

    pub(crate) fn other_names(&self, name: &str) -> impl Iterator<Item = &str> {
        let known = self.by_name.get(&name.to_lowercase());
        known.into_iter().flatten().map(String::as_str)
    }
}

/// The name before a bracket and the one in it; between them only a strength and its form.
fn name_before_and_in_bracket(text: &str, bracket: usize) -> Option<(String, String)> {
    let opened = &text[bracket + 1..];
    let inside = &opened[..opened
        .find(|char: char| !char.is_alphabetic())
        .unwrap_or(opened.len())];
    let is_name = |word: &str| {
        word.chars().count() >= ALIAS_CHARS_MIN
            && word.chars().all(char::is_alphabetic)
            && !is_stop_word(&word.to_lowercase())
    };
    let is_closed = matches!(opened[inside.len()..].chars().next(), None | Some(')'));
    if !is_closed || !is_name(inside) {
        return None;
    }
    let near = text.floor_char_boundary(bracket.saturating_sub(BEFORE_BYTES_MAX));
    let line = text[near..bracket].rsplit('\n').next()?;
    let before = words(line);
    let last = before.last()?;
    if !line[last.end..].trim().is_empty() {
        return None;
    }
    let of_form = |word: &str| {
        let small = word.to_lowercase();
        STRENGTHS.contains(&small.as_str())
            || FORMS.contains(&small.as_str())
            || small.starts_with(|char: char| char.is_ascii_digit())
    };
    let name = before
        .iter()
        .rev()
        .take(FORM_REACH)
        .find(|at| !of_form(at.text))?;
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    let one_is_a_name = is_name(name.text) && (capital(name.text) || capital(inside));
    let (name, inside) = (name.text.to_lowercase(), inside.to_lowercase());
    (one_is_a_name && name != inside).then_some((name, inside))
}
