//! Finds people by what only patients and subjects have beside them: a word for a patient, or a date of birth.
//! `Patient K.T.W. recovered`, `J.D. (DOB 1961-03-12)`, `Pat. M.K., geb. 03.05.1958`, and names of no list before a
//! date of birth.

use super::context::is_thing;
use super::parts::{Part, Shape, is_capital};
use crate::kind::{Found, Kind};
use crate::list::{List, Phrases};
use crate::text::{Class, Text};

/// Why initials are a person's.
pub(crate) const INITIALS: &str = "initials of a patient";

/// One letter is a label of a case report, as in "patient B".
const LETTERS_MIN: usize = 2;
const LETTERS_MAX: usize = 4;
/// Between a name and its date of birth.
const GAP_TOKENS_MAX: usize = 14;
const GAP_WORDS_MAX: usize = 5;

/// Words for a patient or a subject of a trial, directly before a name.
static SUBJECTS: List = List::new(include_str!("../../lists/name_subjects.txt"));

static INITIALS_LABELS: List = List::new(include_str!("../../lists/name_initials_labels.txt"));

/// Abbreviations that look like initials.
static NOT_INITIALS: List = List::new(include_str!("../../lists/name_not_initials.txt"));

/// The first and the last token of initials among these parts, if they are a person's.
pub(super) fn initials(text: &Text<'_>, parts: &[Part], other: &[Found]) -> Option<(usize, usize)> {
    parts.iter().find_map(|part| {
        let (last, letters, dotted) = letters_at(text, part.first)?;
        if NOT_INITIALS.has(&letters) || is_joined(text, part.first, last) {
            return None;
        }
        // Letters without full stops may be any abbreviation, so they need both.
        let after_subject = is_after_subject(text, part.first);
        let born = || is_born(text, last, other);
        let is_person = match dotted {
            true => after_subject || born(),
            false => after_subject && born(),
        };
        (is_person || is_after_word(text, part.first, &INITIALS_LABELS))
            .then_some((part.first, last))
    })
}

/// Why words are a name before a date of birth, listed or not.
pub(super) fn before_birth(
    text: &Text<'_>,
    parts: &[Part],
    other: &[Found],
) -> Option<&'static str> {
    let (first, last) = (parts.first()?, parts.last()?);
    let words = || parts.iter().filter(|part| part.shape == Shape::Word);
    let named = words().all(|part| part.is_title_case && part.length >= 2)
        && last.shape == Shape::Word
        && (words().count() >= 2 || is_after_subject(text, first.first));
    (named && !is_thing(text, first.first, last.last) && is_born(text, last.last, other))
        .then_some("name before a date of birth")
}

/// Whether a word for a patient is directly before the token.
pub(crate) fn is_after_subject(text: &Text<'_>, first: usize) -> bool {
    is_after_word(text, first, &SUBJECTS)
}

/// Whether a label is about initials.
pub(crate) fn names_initials(label: &Text<'_>) -> bool {
    (0..label.tokens.len()).any(|at| label.is_word(at, &INITIALS_LABELS))
}

fn is_after_word(text: &Text<'_>, first: usize, words: &List) -> bool {
    let mut at = first;
    for _ in 0..4 {
        let Some(before) = at.checked_sub(1) else {
            return false;
        };
        at = before;
        match text.class(at) {
            Some(Class::Space) => {}
            Some(Class::Mark) if text.is_any_mark(at, ".:=\"“„(") => {}
            Some(Class::Word) => return text.is_word(at, words),
            _ => return false,
        }
    }
    false
}

/// Initials that begin here: their last token, the letters, and whether they have full stops.
fn letters_at(text: &Text<'_>, first: usize) -> Option<(usize, String, bool)> {
    let is_letter =
        |at: usize| is_capital(text, at) && text.token_text(at).chars().nth(1).is_none();
    if !is_letter(first) {
        let word = text.token_text(first);
        let capitals = word.chars().all(char::is_uppercase) && is_capital(text, first);
        let count = word.chars().count();
        return (capitals && (LETTERS_MIN..=LETTERS_MAX).contains(&count))
            .then(|| (first, word.to_owned(), false));
    }
    let mut letters = text.token_text(first).to_owned();
    let (mut at, mut last) = (first, first);
    while text.is_mark(at + 1, ".") {
        last = at + 1;
        let mut next = last + 1;
        if text.is_mark(next, "-") || text.is_blank(next) {
            next += 1;
        }
        if !is_letter(next) {
            break;
        }
        letters.push_str(text.token_text(next));
        (at, last) = (next, next);
    }
    let count = letters.chars().count();
    let dotted = last > first;
    (dotted && (LETTERS_MIN..=LETTERS_MAX).contains(&count)).then_some((last, letters, dotted))
}

/// Part of a code, a word or a range.
fn is_joined(text: &Text<'_>, first: usize, last: usize) -> bool {
    let joins = |at: usize| text.is_any_mark(at, "-_/@&");
    first > 0 && joins(first - 1) || joins(last + 1)
}

/// Whether a date of birth follows with nothing in between but a few words of the same sentence.
fn is_born(text: &Text<'_>, last: usize, other: &[Found]) -> bool {
    let mut words = 0;
    for at in last + 1..last + 1 + GAP_TOKENS_MAX {
        let Some(class) = text.class(at) else {
            return false;
        };
        let start = text.start(at);
        let place = other.partition_point(|one| one.span.start < start);
        let here = other.get(place).filter(|one| one.span.start == start);
        if let Some(one) = here {
            return one.kind == Kind::BirthDate;
        }
        match class {
            Class::Space => {}
            Class::Word => {
                words += 1;
                if words > GAP_WORDS_MAX {
                    return false;
                }
            }
            Class::Mark if text.is_any_mark(at, ",(:*–-[\"") => {}
            // "geb. 03.05.1958": not the end of a sentence.
            Class::Mark if text.is_mark(at, ".") && text.token_text(at - 1).len() <= 4 => {}
            Class::Mark | Class::Line | Class::Digits | Class::Mixed => return false,
        }
    }
    false
}
