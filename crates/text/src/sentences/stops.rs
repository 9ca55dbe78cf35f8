//! The stops inside one block of text, and which of them end a sentence.

use super::abbreviations::{After, after, is_before_letter, is_before_ordinal, is_opener};
use super::lines::marker;
use crate::dates::month_in_any_language;

/// Words and abbreviations that are looked back at are not longer than this.
const LOOK_BACK_BYTES: usize = 80;

/// Byte offsets at which sentences of the block end, in order; the last one may be left out.
pub(super) fn sentence_ends(block: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let lead = block.len() - block.trim_start().len();
    let mut from = lead + marker(&block[lead..]).unwrap_or_default();
    let mut begun = from;
    while let Some(step) = block[from..].find(is_stop) {
        let stop = from + step;
        let after_stops = skip(block, stop, is_stop);
        let closed = skip(block, after_stops, is_closing);
        // Closing marks may be followed by the stop of the sentence around them.
        let closed = skip(block, closed, is_stop);
        from = closed.max(stop + 1);
        let run = &block[stop..after_stops];
        if ends_here(block, begun, stop, run, closed) {
            ends.push(closed);
            begun = closed;
        }
    }
    ends
}

fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '‼' | '⁇' | '⁉')
        || is_wide_stop(c)
        || matches!(c, '؟' | '۔' | '।' | '॥')
}

/// Stops of scripts that put no space after them.
fn is_wide_stop(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '｡' | '．')
}

fn is_closing(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | '”'
            | '’'
            | '»'
            | '›'
            | '“'
            | ')'
            | ']'
            | '}'
            | '」'
            | '』'
            | '）'
            | '】'
            | '*'
            | '_'
    )
}

fn is_opening(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | '“'
            | '‘'
            | '«'
            | '‹'
            | '„'
            | '‚'
            | '('
            | '['
            | '{'
            | '「'
            | '『'
            | '（'
            | '¿'
            | '¡'
            | '*'
            | '_'
    )
}

fn skip(text: &str, from: usize, what: impl Fn(char) -> bool) -> usize {
    from + text[from..].find(|c| !what(c)).unwrap_or(text.len() - from)
}

fn ends_here(block: &str, begun: usize, stop: usize, run: &str, closed: usize) -> bool {
    if run.chars().any(is_wide_stop) {
        return true;
    }
    let rest = &block[closed..];
    if rest.trim().is_empty() {
        return true;
    }
    if !rest.starts_with(char::is_whitespace) {
        return false;
    }
    let next = rest.trim_start();
    let start = next.trim_start_matches(is_opening);
    let word = start
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '-')))
        .next()
        .unwrap_or_default();
    let Some(first) = start.chars().next() else {
        return true;
    };
    if marker(next).is_some_and(|_| next.starts_with('(')) {
        return true;
    }
    if first.is_lowercase()
        && !is_odd_capital(word)
        && closed_by_bracket(block, stop, closed) != Some(true)
    {
        return false;
    }
    if !first.is_alphanumeric()
        && first != '#'
        && first != '$'
        && first != '€'
        && first != '£'
        && !next.starts_with(is_opening)
    {
        return false;
    }
    if run.chars().any(|c| c != '.' && c != '…') {
        return true;
    }
    if run.contains('…') || run.len() > 1 {
        return word != "I" && !first.is_numeric();
    }
    let outside = block[..closed].ends_with(is_stop) && block[stop..closed].contains([')', ']']);
    if outside {
        return true;
    }
    // A period inside brackets closes only what is in them, unless the bracket began the sentence.
    if closed_by_bracket(block, stop, closed) == Some(false) {
        let before = before(block, stop);
        return after(&before.to_lowercase()).is_none() && !is_initials(before)
            || is_opener(&word.to_lowercase());
    }
    period_ends(block, begun, stop, word)
}

/// Whether a bracket that closes after the stop opened where the sentence began; none where no bracket closes.
fn closed_by_bracket(block: &str, stop: usize, closed: usize) -> Option<bool> {
    let closers = &block[stop..closed];
    closers.contains([')', ']']).then(|| {
        let before = &block[block.floor_char_boundary(stop.saturating_sub(400))..stop];
        let opened = before.rfind(['(', '[']);
        opened.is_some_and(|at| {
            before[..at].trim_end().ends_with(is_stop) || before[..at].trim().is_empty()
        })
    })
}

/// Words such as mRNA and pH that begin a sentence without a capital.
fn is_odd_capital(word: &str) -> bool {
    word.chars().take(4).any(char::is_uppercase)
}

/// What stands before a stop, up to white space or an opening mark.
fn before(block: &str, stop: usize) -> &str {
    let from = block.floor_char_boundary(stop.saturating_sub(LOOK_BACK_BYTES));
    let piece = &block[from..stop];
    let at = piece
        .rfind(|c: char| c.is_whitespace() || is_opening(c) || matches!(c, '/' | ',' | ';' | ':'))
        .map_or(0, |at| {
            at + piece[at..].chars().next().map_or(1, char::len_utf8)
        });
    &piece[at..]
}

fn period_ends(block: &str, begun: usize, stop: usize, next: &str) -> bool {
    let word = before(block, stop);
    let small = word.to_lowercase();
    let small_next = next.to_lowercase();
    let number_next = next.starts_with(|c: char| c.is_ascii_digit());
    let earlier_at = stop - word.len();
    let earlier = before(block, block[..earlier_at].trim_end().len()).to_lowercase();
    let alone = block[begun..earlier_at.max(begun)].trim().is_empty();
    if is_initials(word) {
        // `mmol/L` ends with a unit.
        if block[..earlier_at].ends_with('/') {
            return true;
        }
        if word.chars().count() == 1 {
            if next.chars().count() == 1 && next.starts_with(char::is_uppercase) && next != "I" {
                return false;
            }
            return is_before_letter(&earlier)
                || is_after_number(&earlier) && is_opener(&small_next);
        }
        return is_opener(&small_next);
    }
    if word.bytes().all(|byte| byte.is_ascii_digit()) && !word.is_empty() {
        if alone && word.len() <= 2 {
            return false;
        }
        let ordinal = word.len() <= 2
            && (month_in_any_language(&small_next).is_some()
                || is_before_ordinal(&earlier) && !is_opener(&small_next));
        return !ordinal;
    }
    // "z. B.", "d. h."
    let spaced = word.len() == 1 && next.chars().count() == 1 && earlier != "=";
    if spaced && word.starts_with(|c: char| c.is_ascii_lowercase()) && !number_next {
        return false;
    }
    if is_ordinal_mark(word) {
        return false;
    }
    match after(&small) {
        Some(After::Inside) => false,
        Some(After::Number) => {
            let counts = number_next
                || next.chars().count() == 1 && next.starts_with(char::is_uppercase)
                || is_roman(next)
                || next.starts_with(|c: char| c.is_uppercase())
                    && next.chars().any(|c| c.is_ascii_digit());
            // "No." is an answer where it stands alone.
            !counts || small == "no" && alone && !number_next
        }
        Some(After::Either) => !number_next && is_opener(&small_next),
        None => true,
    }
}

/// A letter, or letters with periods between them: `J`, `J.R.R`, `U.S`.
fn is_initials(word: &str) -> bool {
    let mut letters = 0;
    word.split('.').all(|part| {
        let part = part.trim_start_matches('-');
        letters += 1;
        let mut chars = part.chars();
        chars.next().is_some_and(char::is_uppercase) && chars.next().is_none()
    }) && letters > 0
        || is_hyphenated_initials(word)
}

/// `J.-P` and `H.-J`.
fn is_hyphenated_initials(word: &str) -> bool {
    word.split_once(".-").is_some_and(|(left, right)| {
        left.chars().count() == 1
            && right.chars().count() <= 2
            && right.starts_with(char::is_uppercase)
    })
}

fn is_after_number(word: &str) -> bool {
    word.ends_with(|c: char| c.is_ascii_digit())
}

fn is_roman(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| b"IVXLC".contains(&byte))
}

/// `1º` and `n.º`.
fn is_ordinal_mark(word: &str) -> bool {
    word.ends_with(['º', 'ª'])
}
