//! The parts of an address after the street: unit, postcode, town and state.

use super::{SMALL, UNITS, is_capital};
use crate::text::{Class, Text};

const STATES: &str = include_str!("../../lists/address_states.txt");
const WORDS_MAX: usize = 5;
/// Unit, postcode, town and state, each at most once.
const PARTS_MAX: usize = 4;

fn is_state(word: &str) -> bool {
    matches!(word.len(), 2 | 3) && STATES.lines().any(|state| state == word)
}

pub(super) fn state_and_code(text: &Text<'_>, state: usize) -> Option<usize> {
    if !is_state(text.token_text(state)) || !text.is_blank(state + 1) {
        return None;
    }
    let code = state + 2;
    let length = text.token_text(code).len();
    if text.is(code, Class::Digits)
        && (length == 5 || length == 4 && text.token_text(state).len() == 3)
    {
        let plus_four = text.is_mark(code + 1, "-")
            && text.is(code + 2, Class::Digits)
            && text.token_text(code + 2).len() == 4;
        return Some(if plus_four { code + 2 } else { code });
    }
    canadian_postcode(text, code)
}

fn has_form(word: &str, form: &str) -> bool {
    word.len() == form.len()
        && word
            .bytes()
            .zip(form.bytes())
            .all(|(byte, wanted)| match wanted {
                b'A' => byte.is_ascii_uppercase(),
                _ => byte.is_ascii_digit(),
            })
}

fn canadian_postcode(text: &Text<'_>, first: usize) -> Option<usize> {
    (has_form(text.token_text(first), "A9A")
        && text.is_blank(first + 1)
        && has_form(text.token_text(first + 2), "9A9"))
    .then_some(first + 2)
}

/// `SW1A 2AA`: the second half has no letters that are easily misread.
pub(super) fn british_code_end(text: &Text<'_>, first: usize) -> Option<usize> {
    let outward = text.token_text(first);
    let inward = text.token_text(first + 2);
    let fits = ["A9", "A99", "AA9", "AA99", "A9A", "AA9A"]
        .iter()
        .any(|form| has_form(outward, form));
    (fits
        && text.is_blank(first + 1)
        && has_form(inward, "9AA")
        && !inward.bytes().any(|byte| b"CIKMOV".contains(&byte)))
    .then_some(first + 2)
}

/// From a street, over unit, town, state and postcode, as far as they go.
pub(super) fn town_end(text: &Text<'_>, street: usize) -> usize {
    let mut last = street;
    for _ in 0..PARTS_MAX {
        let comma = text.is_any_mark(last + 1, ",;") || text.is_mark(last + 1, "·");
        let mut at = if comma { last + 2 } else { last + 1 };
        if text.is(at, Class::Line) && !comma {
            break;
        }
        if text.is(at, Class::Line) {
            at += 1;
        }
        at = text.skip_space(at);
        let Some(end) = part_end(text, at, comma) else {
            break;
        };
        last = end;
    }
    last
}

/// One part of an address after the street: a unit, a postcode with its town, or a town with its postcode.
fn part_end(text: &Text<'_>, at: usize, comma: bool) -> Option<usize> {
    if text.is_word(at, &UNITS) || text.is_mark(at, "#") {
        let mut number = at + 1;
        if text.is_mark(number, ".") {
            number += 1;
        }
        number = text.skip_space(number);
        let short = matches!(text.class(number), Some(Class::Digits | Class::Mixed))
            && text.token_text(number).len() <= 5;
        return short.then_some(number);
    }
    postcode_end(text, at)
        .map(|code| {
            let town = text.skip_space(code + 1);
            if is_capital(text, town) && town == code + 2 {
                capitals_end(text, town)
            } else {
                code
            }
        })
        .or_else(|| {
            if !comma || !is_capital(text, at) {
                return state_and_code(text, at);
            }
            if let Some(end) = state_and_code(text, at) {
                return Some(end);
            }
            let town = capitals_end(text, at);
            let after = if text.is_mark(town + 1, ",") {
                text.skip_space(town + 2)
            } else {
                text.skip_space(town + 1)
            };
            let short_back = (at..=town)
                .rev()
                .step_by(2)
                .find_map(|state| state_and_code(text, state));
            short_back
                .or_else(|| state_and_code(text, after))
                .or_else(|| postcode_end(text, after))
                .or_else(|| is_place_end(text, town).then_some(town))
        })
}

/// A town with nothing after it is accepted if the clause ends there.
fn is_place_end(text: &Text<'_>, town: usize) -> bool {
    match text.class(town + 1) {
        None | Some(Class::Line) => true,
        Some(Class::Mark) => text.is_any_mark(town + 1, ",.;)\"|"),
        _ => false,
    }
}

fn capitals_end(text: &Text<'_>, first: usize) -> usize {
    let mut last = first;
    for _ in 0..WORDS_MAX {
        let joins = text.is_blank(last + 1) || text.is_mark(last + 1, "-");
        if joins
            && is_capital(text, last + 2)
            && !(text.is_blank(last + 1) && is_state(text.token_text(last + 2)))
        {
            last += 2;
        } else if joins
            && text.is_word(last + 2, &SMALL)
            && (text.is_blank(last + 3) || text.is_mark(last + 3, "-"))
            && is_capital(text, last + 4)
            && !text.is_word(last + 2, &["the", "in", "und", "an", "e", "y"])
        {
            last += 4;
        } else {
            break;
        }
    }
    last
}

/// Supported postcodes: `10115`, `D-10115`, `00-950`, `1012 AB`, `SW1A 2AA`, `K1A 0B1`, `100-0001`, `560 001`.
fn postcode_end(text: &Text<'_>, at: usize) -> Option<usize> {
    if text.is(at, Class::Word)
        && text.token_text(at).len() <= 2
        && text.is_mark(at + 1, "-")
        && text.is(at + 2, Class::Digits)
    {
        return Some(at + 2).filter(|code| (4..=6).contains(&text.token_text(*code).len()));
    }
    if let Some(end) = british_code_end(text, at).or_else(|| canadian_postcode(text, at)) {
        return Some(end);
    }
    if !text.is(at, Class::Digits) {
        return None;
    }
    let length = text.token_text(at).len();
    if length == 2
        && text.is_mark(at + 1, "-")
        && text.token_text(at + 2).len() == 3
        && text.is(at + 2, Class::Digits)
    {
        return Some(at + 2);
    }
    if length == 5
        && text.is_mark(at + 1, "-")
        && text.token_text(at + 2).len() == 3
        && text.is(at + 2, Class::Digits)
    {
        return Some(at + 2);
    }
    if length == 3
        && text.is_blank(at + 1)
        && text.is(at + 2, Class::Digits)
        && matches!(text.token_text(at + 2).len(), 2 | 3)
    {
        return Some(at + 2);
    }
    if length == 4 && text.is_blank(at + 1) && has_form(text.token_text(at + 2), "AA") {
        return Some(at + 2);
    }
    if length == 4
        && text.is_mark(at + 1, "-")
        && text.is(at + 2, Class::Digits)
        && text.token_text(at + 2).len() == 3
    {
        return Some(at + 2);
    }
    let town_follows = text.is_blank(at + 1) && is_capital(text, at + 2);
    (length == 5 || length == 6 || length == 4 && town_follows).then_some(at)
}
