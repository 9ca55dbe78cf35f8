//! Dates of birth: a date in any usual form after, or directly before, words about birth. Other dates are not reported.

use crate::checksums::{is_day, to_number};
use crate::kind::{Found, Kind};
use crate::list::{List, Phrases};
use crate::text::{Class, Text};

const CUE_WORDS: usize = 7;

static CUES: List = List::new(include_str!("../lists/dates_cues.txt"));

/// Words after which "born" or "birth" is not about a person's date of birth.
static NOT_CUES: List = List::new(include_str!("../lists/dates_not_cues.txt"));

static MONTHS: List = List::new(include_str!("../lists/dates_months.txt"));

pub(crate) fn find(text: &Text<'_>, first: usize, found: &mut Vec<Found>) {
    if first > 1 && text.is_any_mark(first - 1, "-./") && text.is(first - 2, Class::Digits) {
        return;
    }
    let Some(last) = date_end(text, first) else {
        return;
    };
    if is_birth(text, first, last) {
        found.push(Found {
            kind: Kind::BirthDate,
            span: text.start(first)..text.end(last),
            reason: "date after a word about birth",
        });
    }
}

/// Whether a label is about birth: `Date of birth`, `geb`.
pub(crate) fn names_birth(label: &Text<'_>) -> bool {
    label.cue_before(label.tokens.len(), &CUES, CUE_WORDS)
}

fn is_birth(text: &Text<'_>, first: usize, last: usize) -> bool {
    // Genealogists and German letters use an asterisk.
    if first > 0
        && (text.is_mark(first - 1, "*")
            || first > 1 && text.is_mark(first - 2, "*") && text.is_blank(first - 1))
    {
        let star = if text.is_mark(first - 1, "*") {
            first - 1
        } else {
            first - 2
        };
        return star == 0
            || !text.is_mark(star - 1, "*")
                && !matches!(text.class(star - 1), Some(Class::Digits | Class::Word));
    }
    let Some(cue) = text.cue_position(first, &CUES, CUE_WORDS) else {
        return text.is_mark(last + 1, "(") && text.is_word(last + 2, &["dob", "born", "birth"]);
    };
    if text.is_word(cue, &NOT_CUES) && !is_label(text, cue) {
        return false;
    }
    is_cue_in_reach(text, cue, first)
}

/// A short cue must look like a label: "date of birth", "birth:", "ur. 1961", "geb. am".
fn is_label(text: &Text<'_>, cue: usize) -> bool {
    let follows_label = text.is_any_mark(cue + 1, ".:\"")
        || text.is_blank(cue + 1) && text.is_any_mark(cue + 2, ":(")
        || text.is_blank(cue + 1) && text.is_word(cue + 2, &["le", "am", "date", "en"]);
    follows_label || cue >= 2 && text.is_word(cue - 2, &["of"]) || text.is(cue + 1, Class::Mark)
}

/// Between cue and date there are only a few words, no other date and no sentence end.
fn is_cue_in_reach(text: &Text<'_>, cue: usize, first: usize) -> bool {
    let mut words = 0;
    for at in cue + 1..first {
        match text.class(at) {
            Some(Class::Word) => {
                words += 1;
                if text.is_word(
                    at,
                    &[
                        "admitted",
                        "seen",
                        "visit",
                        "enrolled",
                        "died",
                        "deceased",
                        "discharged",
                        "since",
                        "joined",
                        "hired",
                        "started",
                        "updated",
                        "issued",
                        "diagnosed",
                        "after",
                        "until",
                    ],
                ) {
                    return false;
                }
            }
            Some(Class::Digits | Class::Mixed) => return false,
            Some(Class::Mark) if text.is_any_mark(at, ";|") => return false,
            Some(Class::Mark)
                if text.is_mark(at, ".") && at > cue + 1 && !text.is(at - 1, Class::Word) =>
            {
                return false;
            }
            Some(Class::Mark)
                if text.is_mark(at, ".") && text.token_text(at - 1).len() > 4 && words > 0 =>
            {
                return false;
            }
            _ => {}
        }
    }
    words <= 5
}

fn parse_digits(text: &Text<'_>, index: usize) -> Option<(u64, usize)> {
    if !text.is(index, Class::Digits) || text.token_text(index).len() > 4 {
        return None;
    }
    let digits: Vec<u8> = text
        .token_text(index)
        .bytes()
        .map(|byte| byte - b'0')
        .collect();
    Some((to_number(&digits), digits.len()))
}

/// The last token of a date that begins here.
pub(crate) fn date_end(text: &Text<'_>, first: usize) -> Option<usize> {
    if text.is(first, Class::Word) {
        return month_first_end(text, first);
    }
    if text.is(first, Class::Mixed) {
        return ordinal_day_end(text, first)
            .or_else(|| compact_date_end(text, first))
            .or_else(|| east_asian_date_end(text, first));
    }
    let (value, length) = parse_digits(text, first)?;
    numeric_date_end(text, first, value, length).or_else(|| {
        (length <= 2 && (1..=31).contains(&value))
            .then(|| month_and_year_end(text, first))
            .flatten()
    })
}

fn numeric_date_end(text: &Text<'_>, first: usize, value: u64, length: usize) -> Option<usize> {
    let separator = text.token_text(first + 1);
    if !text.is_any_mark(first + 1, "-./") {
        return None;
    }
    // "12. 3. 1961" has spaces after the full stops.
    let second = if separator == "." {
        text.skip_space(first + 2)
    } else {
        first + 2
    };
    let (middle, _) = parse_digits(text, second).filter(|(_, length)| *length <= 2)?;
    if text.token_text(second + 1) != separator {
        return None;
    }
    let third = if separator == "." {
        text.skip_space(second + 2)
    } else {
        second + 2
    };
    let (end, end_length) = parse_digits(text, third)?;
    let fits = if length == 4 {
        end_length <= 2 && is_year(value) && is_day(end, middle)
    } else {
        length <= 2
            && (end_length == 4 && is_year(end) || end_length == 2)
            && (is_day(value, middle) || is_day(middle, value))
    };
    let goes_on = text.is_any_mark(third + 1, "-/") && text.is(third + 2, Class::Digits);
    (fits && !goes_on).then_some(third)
}

fn is_year(value: u64) -> bool {
    (1850..=2100).contains(&value)
}

fn is_month(text: &Text<'_>, index: usize) -> bool {
    text.is(index, Class::Word) && MONTHS.has(text.token_text(index))
}

/// After a day: `March 1961`, `. März 1961`, `-Mar-1961`, ` de marzo de 1961`.
fn month_and_year_end(text: &Text<'_>, day: usize) -> Option<usize> {
    let mut at = day + 1;
    if text.is_any_mark(at, ".-/º°") {
        at += 1;
    }
    at = text.skip_space(at);
    if text.is_word(at, &["de", "of"]) {
        at = text.skip_space(at + 1);
    }
    is_month(text, at).then(|| year_end(text, at)).flatten()
}

fn year_end(text: &Text<'_>, month: usize) -> Option<usize> {
    let mut at = month + 1;
    while text.is_any_mark(at, ".,-/") || text.is_blank(at) {
        at += 1;
        if at > month + 3 {
            break;
        }
    }
    if text.is_word(at, &["de", "of", "del"]) {
        at = text.skip_space(at + 1);
    }
    parse_digits(text, at)
        .filter(|(year, length)| {
            *length == 4 && is_year(*year) || *length == 2 && text.is_any_mark(month + 1, "-/")
        })
        .map(|_| at)
}

fn month_first_end(text: &Text<'_>, first: usize) -> Option<usize> {
    let near_number =
        (2..=3).any(|step| matches!(text.class(first + step), Some(Class::Digits | Class::Mixed)));
    if !near_number || !is_month(text, first) {
        return None;
    }
    let mut day = first + 1;
    if text.is_mark(day, ".") {
        day += 1;
    }
    day = text.skip_space(day);
    let is_day_token = parse_digits(text, day)
        .is_some_and(|(value, length)| length <= 2 && (1..=31).contains(&value))
        || is_ordinal(text.token_text(day));
    if !is_day_token {
        return None;
    }
    let mut year = day + 1;
    if text.is_mark(year, ",") {
        year += 1;
    }
    year = text.skip_space(year);
    parse_digits(text, year)
        .filter(|(value, length)| *length == 4 && is_year(*value))
        .map(|_| year)
}

fn is_ordinal(word: &str) -> bool {
    let digits = word.trim_end_matches(|character: char| character.is_alphabetic());
    (1..=2).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && ["st", "nd", "rd", "th", "er"].contains(&&word[digits.len()..])
}

fn ordinal_day_end(text: &Text<'_>, first: usize) -> Option<usize> {
    is_ordinal(text.token_text(first))
        .then(|| month_and_year_end(text, first))
        .flatten()
}

/// `12MAR1961`, as case report forms write it.
fn compact_date_end(text: &Text<'_>, first: usize) -> Option<usize> {
    let word = text.token_text(first);
    let bytes = word.as_bytes();
    let form = bytes.len() == 9
        && bytes.iter().enumerate().all(|(place, byte)| {
            if (2..5).contains(&place) {
                byte.is_ascii_alphabetic()
            } else {
                byte.is_ascii_digit()
            }
        });
    (form && MONTHS.has(&word[2..5])).then_some(first)
}

/// `1961年3月12日`
fn east_asian_date_end(text: &Text<'_>, first: usize) -> Option<usize> {
    let word = text.token_text(first);
    let year = word.find('年')?;
    let rest = &word[year..];
    (year == 4 && rest.contains('月') && rest.contains('日')).then_some(first)
}
