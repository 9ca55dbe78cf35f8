//! Finds single surnames that their context marks as a person's.

use super::context::{Before, classify_before, is_citation, is_thing};
use super::parts::{Part, Shape};
use crate::kind::{Found, Kind};
use crate::list::List;
use crate::text::Text;

const LETTERS_MIN: usize = 4;

/// Relatives, whom only people have.
static KIN: List = List::new(include_str!("../../lists/name_kin.txt"));

/// Verbs for what only people do.
static VERBS: List = List::new(include_str!("../../lists/name_verbs.txt"));

/// Qualifications that follow a name and a comma.
static QUALIFICATIONS: List = List::new(include_str!("../../lists/name_qualifications.txt"));

/// Why a single part is a person's surname, given the other findings.
pub(super) fn surname_alone(
    text: &Text<'_>,
    parts: &[Part],
    other: &[Found],
) -> Option<&'static str> {
    let [part] = parts else { return None };
    let clear = part.shape == Shape::Word
        && part.known.surname
        && !part.known.ambiguous
        && !part.known.ordinary
        && part.is_title_case
        && part.length >= LETTERS_MIN;
    if !clear || is_thing(text, part.first, part.last) || is_citation(text, part.first, part.last) {
        return None;
    }
    if has_kin(text, part.last) {
        return Some("surname and a word for kin");
    }
    if is_before_personal_data(text, part.last, other) {
        return Some("surname before personal data");
    }
    (begins_clause(text, part.first) && does_something(text, part.last))
        .then_some("surname and what only people do")
}

/// `Weber's daughter`.
fn has_kin(text: &Text<'_>, last: usize) -> bool {
    let genitive = text.is_any_mark(last + 1, "'’") && text.is_word(last + 2, &["s"]);
    genitive && text.is_blank(last + 3) && text.is_word(last + 4, &KIN)
}

/// `Olsen 555-0143`.
fn is_before_personal_data(text: &Text<'_>, last: usize, other: &[Found]) -> bool {
    if !text.is_blank(last + 1) {
        return false;
    }
    let next = text.start(last + 2);
    let at = other.partition_point(|one| one.span.start < next);
    other.get(at).is_some_and(|one| {
        one.span.start == next
            && matches!(
                one.kind,
                Kind::Phone | Kind::MedicalRecord | Kind::BirthDate | Kind::NationalId
            )
    })
}

fn begins_clause(text: &Text<'_>, first: usize) -> bool {
    let after_semicolon = first >= 2 && text.is_blank(first - 1) && text.is_mark(first - 2, ";");
    after_semicolon || classify_before(text, first) == Before::SentenceStart
}

/// `Jimenez to return`, `Weber declined`.
fn does_something(text: &Text<'_>, last: usize) -> bool {
    if !text.is_blank(last + 1) {
        return false;
    }
    let verb = match text.is_word(last + 2, &["to", "will", "did", "has", "was"]) {
        true if text.is_blank(last + 3) => last + 4,
        _ => last + 2,
    };
    text.is_word(verb, &VERBS)
}

/// `, MD`
pub(super) fn is_qualified(text: &Text<'_>, last: usize) -> bool {
    text.is_mark(last + 1, ",")
        && text.is_blank(last + 2)
        && text.is_word(last + 3, &QUALIFICATIONS)
}
