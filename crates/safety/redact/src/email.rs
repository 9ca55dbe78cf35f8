//! E-mail addresses, plain and spelt out. Role addresses count too, because an address does not show
//! whether it belongs to a person.

use crate::kind::{Found, Kind};
use crate::text::{Class, Text};

const LOCAL_MAX: usize = 64;
const DOMAIN_MAX: usize = 253;
const LABELS_MAX: usize = 6;

pub(crate) fn find(text: &Text<'_>, at: usize, found: &mut Vec<Found>) {
    if text.is_mark(at, "@") {
        find_plain(text, at, found);
    } else if text.is_word(at, &["at", "arroba", "chez"]) {
        find_spelt_out(text, at, found);
    }
}

fn find_plain(text: &Text<'_>, at: usize, found: &mut Vec<Found>) {
    let sign = text.start(at);
    let before = &text.text[..sign];
    let local: usize = before
        .chars()
        .rev()
        .take(LOCAL_MAX)
        .take_while(|character| character.is_alphanumeric() || "._%+-'".contains(*character))
        .map(char::len_utf8)
        .sum();
    let start = sign - local;
    let start = start + before[start..].len()
        - before[start..]
            .trim_start_matches(['.', '-', '\'', '%'])
            .len();
    let end = domain_end(text.text, sign + 1);
    if start < sign
        && end > sign + 1
        && !(&before[start..] == "git" && text.text[end..].starts_with(':'))
    {
        found.push(Found {
            kind: Kind::Email,
            span: start..end,
            reason: "e-mail address",
        });
    }
}

/// The end of the longest domain name from here that ends in letters and has a full stop.
fn domain_end(text: &str, start: usize) -> usize {
    let mut end = start;
    let mut at = start;
    let mut labels = 0;
    loop {
        let label: usize = text[at..]
            .chars()
            .take_while(|character| character.is_alphanumeric() || *character == '-')
            .map(char::len_utf8)
            .sum();
        if label == 0 || at + label - start > DOMAIN_MAX {
            return end;
        }
        labels += 1;
        let name = &text[at..at + label];
        let name = name.trim_end_matches('-');
        if labels > 1
            && name.chars().count() >= 2
            && name
                .chars()
                .all(|character| character.is_alphabetic() || character == '-')
        {
            end = at + name.len();
        }
        at += label;
        if !text[at..].starts_with('.') {
            return end;
        }
        at += 1;
    }
}

/// `name (at) host (dot) org`, `name at host dot org`. A bare "at" must be followed by a spelt dot.
fn find_spelt_out(text: &Text<'_>, at: usize, found: &mut Vec<Found>) {
    let bracketed = at > 0 && text.is_any_mark(at - 1, "([{<") && text.is_any_mark(at + 1, ")]}>");
    let mut left = if bracketed { at - 1 } else { at };
    let mut after = if bracketed { at + 2 } else { at + 1 };
    if left > 0 && text.is(left - 1, Class::Space) {
        left -= 1;
    }
    after = text.skip_space(after);
    let Some(first) = local_start(text, left) else {
        return;
    };
    let Some((last, dots)) = host_end(text, after) else {
        return;
    };
    if dots.spelt > 0 || (bracketed && dots.all > 0) {
        found.push(Found {
            kind: Kind::Email,
            span: text.start(first)..text.end(last),
            reason: "e-mail address, spelt out",
        });
    }
}

fn is_solid(text: &Text<'_>, index: usize) -> bool {
    matches!(
        text.class(index),
        Some(Class::Word | Class::Mixed | Class::Digits)
    )
}

fn local_start(text: &Text<'_>, after: usize) -> Option<usize> {
    let mut first = after
        .checked_sub(1)
        .filter(|index| is_solid(text, *index))?;
    for _ in 0..LABELS_MAX {
        if first >= 2 && text.is_any_mark(first - 1, "._-+") && is_solid(text, first - 2) {
            first -= 2;
        } else if first >= 4
            && text.is_word(first - 2, &["dot", "punkt", "point"])
            && is_solid(text, first - 4)
        {
            first -= 4;
        } else {
            break;
        }
    }
    Some(first)
}

struct Dots {
    all: usize,
    spelt: usize,
}

fn host_end(text: &Text<'_>, first: usize) -> Option<(usize, Dots)> {
    let mut last = Some(first).filter(|index| is_solid(text, *index))?;
    let mut dots = Dots { all: 0, spelt: 0 };
    for _ in 0..LABELS_MAX {
        if text.is_any_mark(last + 1, ".-") && is_solid(text, last + 2) {
            if text.is_mark(last + 1, ".") {
                dots.all += 1;
            }
            last += 2;
            continue;
        }
        let mut next = text.skip_space(last + 1);
        let bracketed = text.is_any_mark(next, "([{<");
        if bracketed {
            next += 1;
        }
        if !text.is_word(next, &["dot", "punkt", "point"]) {
            break;
        }
        next = if bracketed { next + 2 } else { next + 1 };
        next = text.skip_space(next);
        if !text.is(next, Class::Word) {
            break;
        }
        dots.all += 1;
        dots.spelt += 1;
        last = next;
    }
    let ending = text.token_text(last);
    (text.is(last, Class::Word) && (2..=10).contains(&ending.len())).then_some((last, dots))
}
