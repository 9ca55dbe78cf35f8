//! Decodes words with digits instead of letters or with gaps between letters.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::ciphers::{is_function_word, reads_as_english};
use crate::document::Document;
use crate::encoded::{Decoded, Encoding};
use crate::finding::{Finding, compile_pattern};
use crate::lexicon::LEXICON;
use crate::threat::{Severity, ThreatKind};

/// Known words with digits; fewer may be model numbers.
const KNOWN_MIN: usize = 3;
/// Long words among them, because registers and formulas yield short ones by chance.
const LONG_KNOWN_MIN: usize = 2;
const LONG_LETTERS_MIN: usize = 4;
/// Plain words between two words with digits in one passage.
const PLAIN_BETWEEN_MAX: usize = 2;

static APART: LazyLock<Option<Regex>> =
    LazyLock::new(|| compile_pattern(r"(?-u:\b)(?:[A-Za-z][ .'_-]{1,3}){7,}[A-Za-z](?-u:\b)"));
/// "i.g.n.o.r.e": one sign between every two letters.
static SIGNS_BETWEEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compile_pattern(
        r"(?-u:\b)[a-z](?:\.[a-z]){3,}(?-u:\b)|(?-u:\b)[a-z](?:-[a-z]){3,}(?-u:\b)|(?-u:\b)[a-z](?:\*[a-z]){3,}(?-u:\b)|(?-u:\b)[a-z](?:_[a-z]){3,}(?-u:\b)",
    )
});

/// Passages that read as English after decoding.
pub(crate) fn decode(visible: &str) -> Vec<Decoded> {
    let mut decoded = Vec::new();
    let mut keep = |span: Range<usize>, plain: String| {
        decoded.push(Decoded {
            span,
            text: plain,
            encoding: Encoding::LetterCipher,
        });
    };
    decode_digit_words(visible, &mut keep);
    let runs = APART.as_ref().map(|pattern| pattern.find_iter(visible));
    for run in runs.into_iter().flatten() {
        let plain = join_letters(run.as_str());
        if reads_as_english(&plain) {
            keep(run.range(), plain);
        }
    }
    decoded
}

/// Finds lexicon words with a sign between every two letters.
pub(crate) fn find_threats(document: &Document<'_>, findings: &mut Vec<Finding>) {
    let Some(pattern) = SIGNS_BETWEEN.as_ref() else {
        return;
    };
    for run in pattern.find_iter(document.folded) {
        let word: String = run
            .as_str()
            .chars()
            .filter(char::is_ascii_alphabetic)
            .collect();
        if !LEXICON.word_classes(&word).is_empty() {
            findings.push(Finding::new(
                ThreatKind::EncodedText,
                Severity::Medium,
                run.range(),
                "spells out a word with signs between its letters",
            ));
        }
    }
}

/// Joins letters; wider gaps separate words.
fn join_letters(run: &str) -> String {
    let mut plain = String::new();
    let mut gap = 0;
    for letter in run.chars() {
        match letter {
            ' ' => gap += 1,
            '.' | '_' | '-' | '\'' => {}
            _ => {
                if gap > 1 {
                    plain.push(' ');
                }
                plain.push(letter);
                gap = 0;
            }
        }
    }
    plain
}

struct Token<'a> {
    at: usize,
    text: &'a str,
}

impl Token<'_> {
    fn core(&self) -> &str {
        self.text.trim_matches(|c: char| !c.is_ascii_alphanumeric())
    }

    fn is_mixed(&self) -> bool {
        let core = self.core();
        core.len() > 1
            && core.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && core.bytes().any(|byte| byte.is_ascii_digit())
            && core.bytes().any(|byte| byte.is_ascii_alphabetic())
    }
}

fn decode_digit_words(visible: &str, keep: &mut impl FnMut(Range<usize>, String)) {
    let mut run: Vec<Token<'_>> = Vec::new();
    let mut plain = 0;
    let mut at = 0;
    for text in visible.split([' ', '\n', '\t']) {
        let token = Token { at, text };
        at += text.len() + 1;
        let number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if token.is_mixed() {
            plain = 0;
        } else if !number {
            plain += usize::from(!run.is_empty());
        }
        if plain > PLAIN_BETWEEN_MAX {
            decode_digit_run(&run, keep);
            run.clear();
            plain = 0;
        } else if !run.is_empty() || token.is_mixed() {
            run.push(token);
        }
    }
    decode_digit_run(&run, keep);
}

fn decode_digit_run(run: &[Token<'_>], keep: &mut impl FnMut(Range<usize>, String)) {
    let last = run
        .iter()
        .rposition(Token::is_mixed)
        .map_or(0, |last| last + 1);
    let run = run.get(..last).unwrap_or_default();
    let mixed = run.iter().filter(|token| token.is_mixed()).count();
    if mixed < KNOWN_MIN {
        return;
    }
    let known: Vec<usize> = run
        .iter()
        .filter(|token| token.is_mixed())
        .map(|token| digits_to_letters(token.core()))
        .filter(|word| is_function_word(word) || !LEXICON.word_classes(word).is_empty())
        .map(|word| word.len())
        .collect();
    let long = known
        .iter()
        .filter(|letters| **letters >= LONG_LETTERS_MIN)
        .count();
    if known.len() < KNOWN_MIN || long < LONG_KNOWN_MIN || known.len() * 2 < mixed {
        return;
    }
    let (Some(first), Some(end)) = (run.first(), run.last()) else {
        return;
    };
    let words: Vec<String> = run
        .iter()
        .map(|token| digits_to_letters(token.text))
        .collect();
    keep(first.at..end.at + end.text.len(), words.join(" "));
}

pub(crate) fn digits_to_letters(word: &str) -> String {
    let letter = |c: char| match c {
        '0' => 'o',
        '1' => 'i',
        '3' => 'e',
        '4' => 'a',
        '5' => 's',
        '7' => 't',
        '8' => 'b',
        '9' => 'g',
        other => other.to_ascii_lowercase(),
    };
    word.chars().map(letter).collect()
}

#[cfg(test)]
#[path = "spelling_tests.rs"]
mod tests;
