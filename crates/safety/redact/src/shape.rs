//! Formats and parses pseudonyms: `[NAME_7Q3]`, or `[NAME_7Q3-2]` for another spelling of the same value.
//! Parsing is lenient, because language models change case, drop brackets and escape underscores.

use std::ops::Range;

use crate::kind::Kind;

/// Unambiguous digits and letters without vowels, so that no code is a word.
pub(crate) const CODE_LETTERS: &[u8; 27] = b"23456789BCDFGHJKMNPQRSTVWXZ";
pub(crate) const CODE_MIN: usize = 3;
pub(crate) const CODE_MAX: usize = 24;
const FORM_DIGITS_MAX: usize = 9;
const LABEL_MAX: usize = 7;

/// A pseudonym found in a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Mention {
    pub(crate) kind: Kind,
    /// Upper case.
    pub(crate) code: String,
    /// Number of the spelling, counted from 1.
    pub(crate) form: usize,
    pub(crate) span: Range<usize>,
}

pub(crate) fn format_pseudonym(kind: Kind, code: &str, form: usize) -> String {
    if form <= 1 {
        format!("[{}_{code}]", kind.label())
    } else {
        format!("[{}_{code}-{form}]", kind.label())
    }
}

pub(crate) fn pseudonym_spans(text: &str) -> Vec<Range<usize>> {
    find_pseudonyms(text)
        .into_iter()
        .map(|mention| mention.span)
        .collect()
}

/// All pseudonyms of a text, in order. Takes linear time: each underscore is checked once, within fixed bounds.
pub(crate) fn find_pseudonyms(text: &str) -> Vec<Mention> {
    let mut mentions: Vec<Mention> = Vec::new();
    for (at, _) in text.match_indices('_') {
        if let Some(mention) = parse_pseudonym_at(text, at)
            && mentions
                .last()
                .is_none_or(|before| before.span.end <= mention.span.start)
        {
            mentions.push(mention);
        }
    }
    mentions
}

fn parse_pseudonym_at(text: &str, underscore: usize) -> Option<Mention> {
    let bytes = text.as_bytes();
    let label_end = if underscore > 0 && bytes[underscore - 1] == b'\\' {
        underscore - 1
    } else {
        underscore
    };
    let length = bytes[..label_end]
        .iter()
        .rev()
        .take(LABEL_MAX)
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    let label_start = label_end - length;
    let label = text.get(label_start..label_end)?;
    let kind = Kind::ALL
        .into_iter()
        .find(|kind| kind.label().eq_ignore_ascii_case(label))?;
    if text[..label_start]
        .chars()
        .next_back()
        .is_some_and(|before| before.is_alphanumeric() || before == '_')
    {
        return None;
    }
    let code_start = underscore + 1;
    let code_length = bytes[code_start..]
        .iter()
        .take(CODE_MAX + 1)
        .take_while(|byte| is_code_letter(**byte))
        .count();
    if !(CODE_MIN..=CODE_MAX).contains(&code_length) {
        return None;
    }
    let code_end = code_start + code_length;
    let (form, mut end) = parse_form(text, code_end).unwrap_or((1, code_end));
    let after = text[end..].chars().next();
    if after.is_some_and(|after| after.is_alphanumeric() || after == '_') {
        return None;
    }
    let mut start = label_start;
    if let Some((opening, closing)) = enclosing_brackets(bytes, label_start, end) {
        (start, end) = (opening, closing);
    }
    Some(Mention {
        kind,
        code: text[code_start..code_end].to_ascii_uppercase(),
        form,
        span: start..end,
    })
}

fn is_code_letter(byte: u8) -> bool {
    CODE_LETTERS.contains(&byte.to_ascii_uppercase())
}

fn parse_form(text: &str, code_end: usize) -> Option<(usize, usize)> {
    let rest = text[code_end..].strip_prefix('-')?;
    let length = rest
        .bytes()
        .take(FORM_DIGITS_MAX + 1)
        .take_while(u8::is_ascii_digit)
        .count();
    if length == 0 || length > FORM_DIGITS_MAX || rest.starts_with('0') {
        return None;
    }
    Some((rest[..length].parse().ok()?, code_end + 1 + length))
}

/// Both brackets must be plain or both escaped; a single backslash is part of the text.
fn enclosing_brackets(bytes: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let opening = start
        .checked_sub(1)
        .filter(|opening| bytes[*opening] == b'[')?;
    if bytes.get(end) == Some(&b']') {
        return Some((opening, end + 1));
    }
    let escaped =
        opening > 0 && bytes[opening - 1] == b'\\' && bytes.get(end..end + 2) == Some(b"\\]");
    escaped.then(|| (opening - 1, end + 2))
}
