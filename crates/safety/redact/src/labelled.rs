//! Numbers recognised only by their label: medical records, trial subjects, passports, licences.

use crate::kind::{Found, Kind};
use crate::list::{List, Phrases};
use crate::text::{Class, Text};

const PARTS_MAX: usize = 6;
const LABEL_TOKENS_MAX: usize = 12;

/// Labels that identify a record on their own.
static RECORD_LABELS: List = List::new(include_str!("../lists/labelled_record_labels.txt"));

/// Labels that need a code after them, because "patient 12" and "subject 3" are only counts.
static PERSON_LABELS: List = List::new(include_str!("../lists/labelled_person_labels.txt"));

static PREFIXES: List = List::new(include_str!("../lists/labelled_prefixes.txt"));

static DOCUMENT_LABELS: List = List::new(include_str!("../lists/labelled_document_labels.txt"));

/// What may stand between a label and its number.
static FILLERS: List = List::new(include_str!("../lists/labelled_fillers.txt"));

pub(crate) fn find(text: &Text<'_>, first: usize, found: &mut Vec<Found>) {
    let Some((start, last)) = find_code(text, first) else {
        return;
    };
    let span = text.start(start)..text.end(last);
    let value = &text.text[span.clone()];
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let characters = value
        .chars()
        .filter(|character| character.is_alphanumeric())
        .count();
    if digits < 3 || characters > 20 {
        return;
    }
    if let Some(reason) = record_reason(text, start, last, digits, characters) {
        found.push(Found {
            kind: Kind::MedicalRecord,
            span,
            reason,
        });
    } else if digits >= 4
        && characters >= 6
        && has_label_before(text, start, &DOCUMENT_LABELS)
        && !is_date_like(value)
    {
        found.push(Found {
            kind: Kind::NationalId,
            span,
            reason: "number after the name of an identity document",
        });
    }
}

/// The tokens of a code around this one: letters, digits and joining marks without a blank.
fn find_code(text: &Text<'_>, first: usize) -> Option<(usize, usize)> {
    let solid = |index: usize| {
        matches!(
            text.class(index),
            Some(Class::Digits | Class::Mixed | Class::Word)
        ) && text.token_text(index).is_ascii()
    };
    if !matches!(text.class(first), Some(Class::Digits | Class::Mixed)) {
        return None;
    }
    let mut start = first;
    for _ in 0..PARTS_MAX {
        if start >= 2
            && text.is_any_mark(start - 1, "-/.")
            && solid(start - 2)
            && text.token_text(start - 2).len() <= 8
        {
            // Only the first number of a code starts a search.
            if !text.is(start - 2, Class::Word) {
                return None;
            }
            start -= 2;
        } else {
            break;
        }
    }
    let mut last = first;
    for _ in 0..PARTS_MAX {
        if text.is_any_mark(last + 1, "-/.") && solid(last + 2) {
            if text.is_mark(last + 1, ".") && text.is(last + 2, Class::Word) {
                break;
            }
            last += 2;
        } else {
            break;
        }
    }
    // Two letters or a few groups of digits may be separate: "AB 1234567", "12 345 678".
    if start >= 2
        && text.is_blank(start - 1)
        && text.is(start - 2, Class::Word)
        && text.token_text(start - 2).len() <= 2
        && text
            .token_text(start - 2)
            .bytes()
            .all(|byte| byte.is_ascii_uppercase())
        && !matches!(text.token_text(start - 2), "ID" | "NO" | "NR" | "PT")
    {
        start -= 2;
    }
    while text.is_blank(last + 1)
        && text.is(last + 2, Class::Digits)
        && last < first + 2 * PARTS_MAX
    {
        last += 2;
    }
    (!text.is_any_mark(last + 1, "%@")).then_some((start, last))
}

fn record_reason(
    text: &Text<'_>,
    start: usize,
    last: usize,
    digits: usize,
    characters: usize,
) -> Option<&'static str> {
    let value = &text.text[text.start(start)..text.end(last)];
    if value.contains(' ') || is_date_like(value) {
        let grouped =
            value.contains(' ') && has_label_before(text, start, &RECORD_LABELS) && digits >= 6;
        return grouped.then_some("number after a word for a medical record");
    }
    if characters >= 4 && has_label_before(text, start, &RECORD_LABELS) {
        return Some("number after a word for a medical record");
    }
    let head = value.split(['-', '_', '/', '.']).next().unwrap_or("");
    let prefixed = head.len() < value.len() && PREFIXES.has(head);
    if prefixed
        && head
            .bytes()
            .next()
            .is_some_and(|byte| byte.is_ascii_uppercase())
    {
        return Some("code of a patient or subject");
    }
    let coded = characters > digits || value.contains('-') || digits >= 5;
    let is_range = value
        .split_once('-')
        .is_some_and(|(left, right)| left.len() < 3 && right.len() < 3);
    (coded
        && !is_range
        && characters >= 4
        && has_label_directly_before(text, start, &PERSON_LABELS))
    .then_some("code after a word for a patient or subject")
}

fn is_date_like(value: &str) -> bool {
    let groups: Vec<&str> = value.split(['-', '/', '.']).collect();
    let all_digits = groups
        .iter()
        .all(|group| group.bytes().all(|byte| byte.is_ascii_digit()));
    let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
    let small = groups
        .iter()
        .filter(|group| group.len() <= 2)
        .all(|group| group.parse::<u8>().is_ok_and(|value| value <= 31));
    let short_year = lengths.last() == Some(&2);
    all_digits
        && (small || short_year)
        && matches!(
            lengths.as_slice(),
            [4, 1 | 2, 1 | 2] | [1 | 2, 1 | 2, 4] | [1 | 2, 1 | 2, 2]
        )
}

/// Whether a label precedes the token, with only fillers and marks in between.
fn has_label_before(text: &Text<'_>, first: usize, labels: &List) -> bool {
    let mut at = first;
    for _ in 0..LABEL_TOKENS_MAX {
        let Some(before) = at.checked_sub(1) else {
            return false;
        };
        at = before;
        match text.class(at) {
            Some(Class::Word) => {
                if text.cue_before(at + 1, labels, 1) {
                    return true;
                }
                if !text.is_word(at, &FILLERS) {
                    return false;
                }
            }
            Some(Class::Mark) if text.is_any_mark(at, ":.#=\"'()-_/°º*,|>’：［[") => {}
            Some(Class::Space) => {}
            Some(Class::Line) => {}
            _ => return false,
        }
    }
    false
}

fn has_label_directly_before(text: &Text<'_>, first: usize, labels: &List) -> bool {
    let mut at = first;
    for _ in 0..4 {
        let Some(before) = at.checked_sub(1) else {
            return false;
        };
        at = before;
        match text.class(at) {
            Some(Class::Word) => return text.is_word(at, labels),
            Some(Class::Space) => {}
            Some(Class::Mark) if text.is_any_mark(at, ":#\"=") => {}
            _ => return false,
        }
    }
    false
}
