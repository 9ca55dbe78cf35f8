//! Runs all detectors over one text and resolves overlaps.

use crate::kind::{Found, Kind};
use crate::numbers::Run;
use crate::text::{Class, Text};
use crate::{
    address, card, codes, dates, email, iban, ip, labelled, names, national, phone, shape,
};

/// Finds personal data in a text, sorted and without overlaps. Pseudonyms are not reported.
#[must_use]
pub fn find(text: &str) -> Vec<Found> {
    find_in_tokens(&Text::new(text))
}

/// Replaces personal data by its kind, as in `[NAME]`. This cannot be undone.
fn replace_with_kinds(text: &str) -> String {
    let mut redacted = String::with_capacity(text.len());
    let mut copied = 0;
    let found = find(text);
    for one in &found {
        redacted.push_str(&text[copied..one.span.start]);
        redacted.push('[');
        redacted.push_str(one.kind.label());
        redacted.push(']');
        copied = one.span.end;
    }
    redacted.push_str(&text[copied..]);
    // Initials are known by what stands beside them. Where they stand alone, they are those of the same person.
    for one in found.iter().filter(|one| one.kind == Kind::Name) {
        let value = &text[one.span.clone()];
        if are_initials(value) {
            redacted = redacted.replace(value, "[NAME]");
        }
    }
    redacted
}

/// As in `K.T.W.`
fn are_initials(value: &str) -> bool {
    let letters: Vec<&str> = value.trim_end_matches('.').split('.').collect();
    let is_letter = |part: &&str| part.chars().count() == 1 && part.chars().all(char::is_uppercase);
    letters.len() >= 2 && letters.iter().all(is_letter)
}

/// Occurs in no text, and no finding extends across it.
pub(crate) const SEPARATOR: &str = "\n\n\u{1}\n\n";

/// Replaces personal data by its kind in several related texts. They are searched as one, so that a value found in
/// one text is also replaced in the others.
#[must_use]
pub fn all_with_kinds(texts: &[String]) -> Vec<String> {
    let clean = texts.iter().map(|text| text.replace('\u{1}', " "));
    let whole = clean.collect::<Vec<_>>().join(SEPARATOR);
    let redacted = replace_with_kinds(&whole);
    let parts = redacted.split(SEPARATOR).map(str::to_owned);
    // An empty string still splits into one part.
    parts.take(texts.len()).collect()
}

pub(crate) fn find_in_tokens(text: &Text<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    for at in 0..text.tokens.len() {
        match text.tokens[at].class {
            Class::Digits => {
                let run = Run::starting_at(text, at);
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
                if text.token_text(at).len() <= 6 && is_near_digits(text, at) {
                    codes::find(text, at, &mut found);
                    ip::find_v6(text, at, &mut found);
                }
                dates::find(text, at, &mut found);
                email::find(text, at, &mut found);
            }
            Class::Mark => match text.token_text(at) {
                "@" => email::find(text, at, &mut found),
                "+" | "(" => phone::find(text, at, &mut found),
                ":" => ip::find_v6(text, at, &mut found),
                _ => {}
            },
            Class::Space | Class::Line => {}
        }
    }
    address::find(text, &mut found);
    let found = resolve_overlaps(found, &shape::pseudonym_spans(text.text));
    let names = names::find(text, &found);
    let found = resolve_overlaps(found.into_iter().chain(names).collect(), &[]);
    found
        .into_iter()
        .filter_map(|one| trim_to_value(text.text, one))
        .collect()
}

/// Removes quotes, backslashes and control characters from a finding; JSON, logs and tables need them in place.
fn trim_to_value(text: &str, found: Found) -> Option<Found> {
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

/// A code that starts with letters continues with digits, an IPv6 address with a colon.
fn is_near_digits(text: &Text<'_>, at: usize) -> bool {
    let digits = |index: usize| matches!(text.class(index), Some(Class::Digits | Class::Mixed));
    digits(at + 2) || digits(at + 4) || text.is_mark(at + 1, ":")
}

/// Lower ranks win overlaps: check digits and unmistakable forms before findings by context.
fn overlap_rank(kind: Kind) -> u8 {
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

/// Keeps the better of two overlapping findings, and drops findings that touch a pseudonym. Findings inside an address
/// become part of it.
fn resolve_overlaps(mut found: Vec<Found>, pseudonyms: &[std::ops::Range<usize>]) -> Vec<Found> {
    found.sort_by_key(|one| {
        (
            one.span.start,
            std::cmp::Reverse(one.span.end),
            overlap_rank(one.kind),
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
                    if swallowed || overlap_rank(before.kind) <= overlap_rank(one.kind) {
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
