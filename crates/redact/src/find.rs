//! All detectors over one text, and which finding wins where two overlap.

use crate::kind::{Found, Kind};
use crate::numbers::Run;
use crate::text::{Class, Text};
use crate::{
    address, card, codes, dates, email, iban, ip, labelled, names, national, phone, shape,
};

/// Finds personal data in a text, in order and without overlaps. Pseudonyms are never taken for data.
#[must_use]
pub fn find(text: &str) -> Vec<Found> {
    find_in(&Text::new(text))
}

/// The text with kinds in the place of personal data, as `[NAME]`: nothing leads back.
fn with_kinds(text: &str) -> String {
    let mut redacted = String::with_capacity(text.len());
    let mut copied = 0;
    for one in find(text) {
        redacted.push_str(&text[copied..one.span.start]);
        redacted.push('[');
        redacted.push_str(one.kind.label());
        redacted.push(']');
        copied = one.span.end;
    }
    redacted.push_str(&text[copied..]);
    redacted
}

/// What no text has, and nothing that is found reaches over.
const BETWEEN: &str = "\n\n\u{1}\n\n";

/// Several texts that belong together, each with kinds in the place of personal data. They are read as one, so that what
/// one gives away is taken out of the others too.
#[must_use]
pub fn all_with_kinds(texts: &[String]) -> Vec<String> {
    let clean = texts.iter().map(|text| text.replace('\u{1}', " "));
    let whole = clean.collect::<Vec<_>>().join(BETWEEN);
    let redacted = with_kinds(&whole);
    let parts = redacted.split(BETWEEN).map(str::to_owned);
    // Of no texts at all the split still makes one.
    parts.take(texts.len()).collect()
}

pub(crate) fn find_in(text: &Text<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    for at in 0..text.tokens.len() {
        match text.tokens[at].class {
            Class::Digits => {
                let run = Run::from(text, at);
                card::find(text, &run, at, &mut found);
                national::find(text, &run, at, &mut found);
                codes::find(text, at, &mut found);
                ip::find_v4(text, at, &mut found);
                ip::find_v6(text, at, &mut found);
                phone::find(text, at, &mut found);
                dates::find(text, at, &mut found);
                labelled::find(text, at, &mut found);
            }
            Class::Mixed => {
                iban::find(text, at, &mut found);
                codes::find(text, at, &mut found);
                ip::find_v6(text, at, &mut found);
                dates::find(text, at, &mut found);
                labelled::find(text, at, &mut found);
            }
            Class::Word => {
                if text.of(at).len() <= 6 && is_near_digits(text, at) {
                    codes::find(text, at, &mut found);
                    ip::find_v6(text, at, &mut found);
                }
                dates::find(text, at, &mut found);
                email::find(text, at, &mut found);
            }
            Class::Mark => match text.of(at) {
                "@" => email::find(text, at, &mut found),
                "+" | "(" => phone::find(text, at, &mut found),
                ":" => ip::find_v6(text, at, &mut found),
                _ => {}
            },
            Class::Space | Class::Line => {}
        }
    }
    address::find(text, &mut found);
    let found = settle(found, &shape::pseudonyms(text.text));
    let names = names::find(text, &found);
    let found = settle(found.into_iter().chain(names).collect(), &[]);
    found
        .into_iter()
        .filter_map(|one| clean(text.text, one))
        .collect()
}

/// The finding without characters that no value has, and that a text may need where they are: JSON, logs, tables.
fn clean(text: &str, found: Found) -> Option<Found> {
    let strange = |c: char| c == '"' || c == '\\' || c.is_control();
    let value = &text[found.span.clone()];
    let start = value.find(|c| !strange(c))?;
    let length = value[start..].find(strange).unwrap_or(value.len() - start);
    let start = found.span.start + start;
    Some(Found {
        span: start..start + length,
        ..found
    })
}

/// A code that begins with letters only goes on with digits, an IPv6 address with a colon.
fn is_near_digits(text: &Text<'_>, at: usize) -> bool {
    let digits = |index: usize| matches!(text.class(index), Some(Class::Digits | Class::Mixed));
    digits(at + 2) || digits(at + 4) || text.is_mark(at + 1, ":")
}

/// Who wins an overlap: what has a check digit or an unmistakable form before what only context tells.
fn rank(kind: Kind) -> u8 {
    match kind {
        Kind::Email => 0,
        Kind::Iban => 1,
        Kind::Card => 2,
        Kind::Ip => 3,
        Kind::BirthDate => 4,
        Kind::MedicalRecord => 5,
        Kind::NationalId => 6,
        Kind::Phone => 7,
        Kind::Address => 8,
        Kind::Name => 9,
    }
}

/// Keeps, of findings that overlap, the better one, and nothing that touches a pseudonym. What an address swallows
/// as a whole goes into it.
fn settle(mut found: Vec<Found>, pseudonyms: &[std::ops::Range<usize>]) -> Vec<Found> {
    found.sort_by_key(|one| {
        (
            one.span.start,
            std::cmp::Reverse(one.span.end),
            rank(one.kind),
        )
    });
    let mut kept: Vec<Found> = Vec::with_capacity(found.len());
    let mut pseudonym = pseudonyms.iter().peekable();
    for one in found {
        while pseudonym
            .next_if(|span| span.end <= one.span.start)
            .is_some()
        {}
        if pseudonym
            .peek()
            .is_some_and(|span| span.start < one.span.end)
        {
            continue;
        }
        loop {
            match kept.last() {
                Some(before) if before.span.end > one.span.start => {
                    let swallowed =
                        before.span.end >= one.span.end && matches!(before.kind, Kind::Address);
                    if swallowed || rank(before.kind) <= rank(one.kind) {
                        break;
                    }
                    kept.pop();
                }
                _ => {
                    kept.push(one);
                    break;
                }
            }
        }
    }
    kept
}
