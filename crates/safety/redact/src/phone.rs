//! Telephone numbers: international ones by their plus, national ones by the usual notations of a country,
//! others only after a word for telephone.

use crate::kind::{Found, Kind};
use crate::list::List;
use crate::national::OTHER_NUMBERS;
use crate::text::{Class, Text};

const GROUPS_MAX: usize = 8;
const CUE_WORDS: usize = 4;

pub(crate) static CUES: List = List::new(include_str!("../lists/phone_cues.txt"));

struct Number {
    last: usize,
    lengths: Vec<usize>,
    separators: Vec<char>,
    digits: String,
    parenthesised: bool,
}

/// Tries a number that starts with this token: a plus, an opening parenthesis or digits.
pub(crate) fn find(text: &Text<'_>, first: usize, found: &mut Vec<Found>) {
    let plus = text.is_mark(first, "+");
    let opened = text.is_mark(first, "(");
    let digits = text.is(first, Class::Digits);
    if !(digits
        || (plus || opened)
            && (text.is(first + 1, Class::Digits) || plus && text.is_mark(first + 1, "(")))
    {
        return;
    }
    if opened && text.is_mark(first + 1, "+")
        || digits
            && first > 0
            && text.is_any_mark(first - 1, "+(#$€£=<>~@\\")
            && !text.is_mark(first - 1, "(")
    {
        return;
    }
    if digits
        && first >= 2
        && text.is_any_mark(first - 1, "-./_:,")
        && matches!(text.class(first - 2), Some(Class::Digits | Class::Mixed))
    {
        return;
    }
    if digits
        && first >= 2
        && text.is_blank(first - 1)
        && text.is(first - 2, Class::Digits)
        && !text.cue_before(first, &CUES, 1)
    {
        return;
    }
    if digits
        && first >= 2
        && text.is_any_mark(first - 1, "-_")
        && text.is(first - 2, Class::Word)
        && !text.is_word(first - 2, &CUES)
    {
        return;
    }
    let Some(number) = collect_groups(text, first) else {
        return;
    };
    if let Some(reason) = find_reason(text, first, &number, plus) {
        let end = text.end(number.last);
        found.push(Found {
            kind: Kind::Phone,
            span: text.start(first)..end,
            reason,
        });
    }
}

fn collect_groups(text: &Text<'_>, first: usize) -> Option<Number> {
    let mut number = Number {
        last: first,
        lengths: Vec::new(),
        separators: Vec::new(),
        digits: String::new(),
        parenthesised: false,
    };
    let mut at = if text.is_mark(first, "+") {
        first + 1
    } else {
        first
    };
    let mut separator = ' ';
    while number.lengths.len() < GROUPS_MAX {
        let opened = text.is_mark(at, "(");
        let group = if opened { at + 1 } else { at };
        if !text.is(group, Class::Digits) || opened && !text.is_mark(group + 1, ")") {
            break;
        }
        if number.digits.len() + text.token_text(group).len() > 15 {
            break;
        }
        if !number.lengths.is_empty() {
            number.separators.push(separator);
        }
        number.parenthesised |= opened;
        number.lengths.push(text.token_text(group).len());
        number.digits.push_str(text.token_text(group));
        let closed = if opened { group + 1 } else { group };
        number.last = closed;
        let Some((next, found)) = next_group(text, closed, opened) else {
            break;
        };
        separator = found;
        at = next;
    }
    (!number.lengths.is_empty()).then_some(number)
}

/// The next group's token and the separator before it.
fn next_group(text: &Text<'_>, last: usize, opened: bool) -> Option<(usize, char)> {
    let starts = |index: usize| text.is(index, Class::Digits) || text.is_mark(index, "(");
    if starts(last + 1) && (opened || text.is_mark(last + 1, "(")) {
        return Some((last + 1, ' '));
    }
    let mark = text
        .token_text(last + 1)
        .chars()
        .next()
        .filter(|_| text.is_any_mark(last + 1, "-./‑–"));
    match mark {
        Some(mark) if starts(last + 2) => Some((
            last + 2,
            if mark == '‑' || mark == '–' {
                '-'
            } else {
                mark
            },
        )),
        Some('-' | '/' | '–') if text.is_blank(last + 2) && starts(last + 3) => {
            Some((last + 3, '-'))
        }
        _ if text.is_blank(last + 1) && starts(last + 2) => Some((last + 2, ' ')),
        _ if text.is_blank(last + 1)
            && text.is_any_mark(last + 2, "-/–")
            && text.is_blank(last + 3)
            && starts(last + 4) =>
        {
            Some((last + 4, '-'))
        }
        _ => None,
    }
}

fn find_reason(text: &Text<'_>, first: usize, number: &Number, plus: bool) -> Option<&'static str> {
    let count = number.digits.len();
    let unit_follows =
        text.is_any_mark(number.last + 1, "%°€$£") || text.is_mark(number.last + 1, ":");
    let goes_on = text.is_any_mark(number.last + 1, "-_/.,")
        && matches!(
            text.class(number.last + 2),
            Some(Class::Digits | Class::Mixed)
        );
    if is_date(number) || unit_follows && !plus {
        return None;
    }
    if plus {
        return ((8..=15).contains(&count)
            && !number.digits.starts_with('0')
            && is_plausible_plus(text, first, number))
        .then_some("international number");
    }
    if goes_on {
        return None;
    }
    let other = text.cue_before(first, &OTHER_NUMBERS, 3);
    let cue = text.cue_before(first, &CUES, CUE_WORDS) && !other;
    if cue && (6..=15).contains(&count) && !is_decimal(number) {
        return Some("number after a word for a telephone");
    }
    if other
        || number.separators.contains(&'.')
            && number.separators.iter().any(|separator| *separator != '.')
    {
        return None;
    }
    known_notation(number)
}

/// A plus before one bare group of digits may be a sum or an offset.
fn is_plausible_plus(text: &Text<'_>, first: usize, number: &Number) -> bool {
    let touching = first > 0
        && matches!(
            text.class(first - 1),
            Some(Class::Word | Class::Digits | Class::Mixed)
        );
    !touching && (number.lengths.len() > 1 || number.digits.len() >= 10)
}

fn is_decimal(number: &Number) -> bool {
    number.lengths.len() == 2 && number.separators == ['.']
}

fn is_date(number: &Number) -> bool {
    let value = |range: std::ops::Range<usize>| {
        number
            .digits
            .get(range)
            .and_then(|digits| digits.parse::<u32>().ok())
    };
    match number.lengths.as_slice() {
        [4, 2, 2, ..] => {
            matches!(value(0..4), Some(1800..=2100)) && matches!(value(4..6), Some(1..=12))
        }
        [1 | 2, 1 | 2, 4, ..] => {
            let year = number.lengths[0] + number.lengths[1];
            matches!(value(year..year + 4), Some(1800..=2100)) && !number.parenthesised
        }
        [4, 4, ..] if number.lengths.len() == 2 => {
            matches!(
                (value(0..4), value(4..8)),
                (Some(1800..=2100), Some(1800..=2100))
            )
        }
        _ => false,
    }
}

/// Notations that need no cue.
fn known_notation(number: &Number) -> Option<&'static str> {
    let digits = number.digits.as_str();
    let count = digits.len();
    let first = |places: &str| {
        digits
            .chars()
            .next()
            .is_some_and(|digit| places.contains(digit))
    };
    let at = |place: usize, places: &str| {
        digits[place..]
            .chars()
            .next()
            .is_some_and(|digit| places.contains(digit))
    };
    let same = number.separators.windows(2).all(|pair| pair[0] == pair[1]);
    match number.lengths.as_slice() {
        [3, 3, 4] if first("23456789") && at(3, "23456789") && (same || number.parenthesised) => {
            Some("North American notation")
        }
        [1, 3, 3, 4] if first("1") && at(1, "23456789") && at(4, "23456789") => {
            Some("North American notation")
        }
        [2, 2, 2, 2, 2] if first("0") && at(1, "123456789") && same => Some("French notation"),
        [3, 2, 2, 2]
            if first("6789") && number.separators.iter().all(|separator| *separator == ' ') =>
        {
            Some("Spanish notation")
        }
        [2, 3, 2, 2]
            if first("89") && number.separators.iter().all(|separator| *separator == ' ') =>
        {
            Some("Spanish notation")
        }
        [5, 5] if first("6789") && number.separators == [' '] => Some("Indian notation"),
        [3, 4, 4] if first("1") && at(1, "3456789") && same => Some("Chinese notation"),
        [area, rest @ ..]
            if number.parenthesised
                && (2..=5).contains(area)
                && !rest.is_empty()
                && (8..=12).contains(&count)
                && rest.iter().sum::<usize>() >= 6 =>
        {
            Some("area code in parentheses")
        }
        [area, rest @ ..]
            if digits.starts_with('0')
                && at(1, "123456789")
                && (2..=5).contains(area)
                && !rest.is_empty()
                && (9..=12).contains(&count)
                && rest.iter().all(|length| *length >= 2)
                && !number.separators.contains(&'.') =>
        {
            Some("national number with its leading zero")
        }
        [area, rest @ ..]
            if digits.starts_with("00")
                && at(2, "123456789")
                && !rest.is_empty()
                && *area <= 5
                && (10..=15).contains(&count) =>
        {
            Some("international number")
        }
        [11] if digits.starts_with("07") => Some("British mobile number"),
        _ => None,
    }
}
