//! Which findings identify a patient or another private person, with certainty.
//!
//! A report that names the authors of its sources is useful, one that names patients is not to be handed on. Numbers
//! and dates that only a person has are identifiers wherever they are. A name is one if something beside it says that
//! it is a patient's or another private person's; names of authors, investigators and firms stay. So do IP addresses.

use std::collections::BTreeSet;

use crate::gazetteer::fold;
use crate::kind::{Found, Kind};
use crate::list::List;
use crate::names;
use crate::text::{Class, Text};

/// How far something may be from what it identifies, in tokens of the same sentence.
const REACH_TOKENS: usize = 40;
/// A full stop after a shorter word may belong to an abbreviation.
const SENTENCE_WORD_MIN: usize = 4;

/// Titles of private persons. Doctors and professors are more often authors than patients.
static CIVIL_TITLES: List = List::new(include_str!("../lists/name_civil_titles.txt"));

/// What is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    All,
    Identifiers,
}

/// The findings that are identifiers.
pub(crate) fn identifiers(text: &Text<'_>, found: Vec<Found>) -> Vec<Found> {
    let near = |one: &Found, others: &[std::ops::Range<usize>]| {
        let sentence = sentence_around(text, &one.span);
        let from = others.partition_point(|other| other.end <= sentence.start);
        others
            .get(from)
            .is_some_and(|other| other.start < sentence.end)
    };
    let mut anchors: Vec<_> = found
        .iter()
        .filter(|one| is_anchor(one.kind))
        .map(|one| one.span.clone())
        .collect();
    let mut words: BTreeSet<String> = BTreeSet::new();
    let mut people = Vec::new();
    for one in found.iter().filter(|one| one.kind == Kind::Name) {
        let first = token_at(text, one.span.start);
        let is_certain = one.reason == names::INITIALS
            || names::is_after_subject(text, first)
            || is_after_civil_title(text, first)
            || near(one, &anchors);
        if is_certain && one.reason != names::PART {
            let parts = text.text[one.span.clone()].split(|c: char| !c.is_alphanumeric());
            words.extend(parts.filter(|word| word.len() > 2).map(fold));
            people.push(one.span.clone());
        }
    }
    anchors.extend(people.iter().cloned());
    anchors.sort_by_key(|span| span.start);
    let people: BTreeSet<usize> = people.into_iter().map(|span| span.start).collect();
    let is_identifier = |one: &Found| match one.kind {
        Kind::Name if one.reason == names::PART => {
            words.contains(&fold(&text.text[one.span.clone()]))
        }
        Kind::Name => people.contains(&one.span.start),
        Kind::Address => near(one, &anchors),
        Kind::Ip => false,
        Kind::Email
        | Kind::Phone
        | Kind::NationalId
        | Kind::Card
        | Kind::Iban
        | Kind::MedicalRecord
        | Kind::BirthDate => true,
    };
    found.into_iter().filter(is_identifier).collect()
}

/// What firms and authors do not have.
fn is_anchor(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::BirthDate | Kind::MedicalRecord | Kind::NationalId
    )
}

fn token_at(text: &Text<'_>, start: usize) -> usize {
    text.tokens.partition_point(|token| token.start < start)
}

fn is_after_civil_title(text: &Text<'_>, first: usize) -> bool {
    let mut at = first;
    while let Some(before) = at.checked_sub(1) {
        at = before;
        if !text.is_blank(at) && !text.is_mark(at, ".") {
            return text.is_word(at, &CIVIL_TITLES);
        }
        if first - at > 2 {
            return false;
        }
    }
    false
}

/// The sentence around a finding, in bytes, as far as it matters.
fn sentence_around(text: &Text<'_>, span: &std::ops::Range<usize>) -> std::ops::Range<usize> {
    let first = token_at(text, span.start);
    let mut start = first;
    while start > 0 && first - start < REACH_TOKENS && !ends_sentence(text, start - 1) {
        start -= 1;
    }
    let last = token_at(text, span.end);
    let mut end = last;
    while end < text.tokens.len() && end - last < REACH_TOKENS && !ends_sentence(text, end) {
        end += 1;
    }
    text.start(start)..text.start(end)
}

fn ends_sentence(text: &Text<'_>, at: usize) -> bool {
    match text.class(at) {
        // A new paragraph; a single line may be a row of a letter's head.
        Some(Class::Line) => {
            text.is(at + 1, Class::Line) || text.is(at.wrapping_sub(1), Class::Line)
        }
        Some(Class::Mark) if text.is_any_mark(at, "!?") => true,
        Some(Class::Mark) if text.is_mark(at, ".") => {
            let word = text.token_text(at.wrapping_sub(1));
            word.chars().count() >= SENTENCE_WORD_MIN
                && !matches!(
                    text.class(at + 1),
                    Some(Class::Digits | Class::Word | Class::Mixed)
                )
        }
        _ => false,
    }
}
