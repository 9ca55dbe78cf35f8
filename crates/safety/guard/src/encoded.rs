//! Decodes base64, hexadecimal, bits and escapes, and finds words that are shifted, reversed or spelt out.
//! Judging the decoded text is not done here.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use regex::Regex;

use crate::document::{Document, Shape, Word};
use crate::finding::{Finding, compile_pattern};
use crate::lexicon::{Class, Classes, LEXICON};
use crate::scorer::SENTENCE_WORDS_MAX;
use crate::spelling::{self, digits_to_letters};
use crate::threat::{Severity, ThreatKind};

/// A decoded passage, to be inspected like any text.
#[derive(Debug)]
pub(crate) struct Decoded {
    /// Byte range in the visible text.
    pub(crate) span: Range<usize>,
    pub(crate) text: String,
    pub(crate) encoding: Encoding,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Escapes of a URL, where search terms and names are normal.
    UrlEscapes,
    /// Letters replaced or separated one by one, which nobody does in ordinary text.
    LetterCipher,
    Other,
}

static HEX: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compile_pattern(r"(?:(?-u:\b)[0-9a-fA-F]{2}[ :,]){11,}[0-9a-fA-F]{2}(?-u:\b)")
});
static BITS: LazyLock<Option<Regex>> =
    LazyLock::new(|| compile_pattern(r"(?:(?-u:\b)[01]{8}[ ,]?){6,}"));
static ESCAPES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compile_pattern(
        r"(?:(?:&#[xX]?[0-9a-fA-F]{2,6};|\\u\{?[0-9a-fA-F]{4}\}?|\\x[0-9a-fA-F]{2})[ ]?){6,}",
    )
});
static ESCAPE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compile_pattern(r"&#([xX]?[0-9a-fA-F]{2,6});|\\u\{?([0-9a-fA-F]{4})\}?|\\x([0-9a-fA-F]{2})")
});
/// Shorter runs of letters and digits are words or numbers.
const RUN_BYTES_MIN: usize = 20;
/// Ordinary URLs have fewer escapes than encoded text.
const PERCENTS_MIN: usize = 4;
/// Consecutive single letters that count as a word spelt out.
const SPELT_LETTERS_MIN: usize = 8;
/// Spaces or dots between two letters of a word spelt out.
const SPELT_GAP_BYTES_MAX: usize = 3;

const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);

/// Share of letters and common punctuation in prose; random bytes have fewer.
const PROSE_PERCENT_MIN: usize = 85;

/// Every run that decodes to prose.
pub(crate) fn decode(visible: &str) -> Vec<Decoded> {
    let mut decoded = Vec::new();
    let mut keep = |encoding: Encoding, span: Range<usize>, text: Option<String>| {
        if let Some(text) = text.filter(|text| is_prose(text)) {
            decoded.push(Decoded {
                span,
                text,
                encoding,
            });
        }
    };
    for (start, token) in tokens(visible) {
        for run in runs(token) {
            let text = token.get(run.clone()).unwrap_or_default();
            let span = start + run.start..start + run.end;
            keep(Encoding::Other, span.clone(), from_base64(text));
            if text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                keep(Encoding::Other, span, from_hex(text));
            }
        }
        if token.bytes().filter(|byte| *byte == b'%').count() >= PERCENTS_MIN {
            keep(
                Encoding::UrlEscapes,
                start..start + token.len(),
                from_percent(token),
            );
        }
    }
    let mut decode_each = |pattern: &LazyLock<Option<Regex>>,
                           decode: fn(&str) -> Option<String>| {
        let runs = pattern.as_ref().map(|pattern| pattern.find_iter(visible));
        for run in runs.into_iter().flatten() {
            keep(Encoding::Other, run.range(), decode(run.as_str()));
        }
    };
    decode_each(&HEX, from_hex);
    decode_each(&BITS, from_bits);
    if ["&#", "\\u", "\\x"]
        .iter()
        .any(|sign| visible.contains(sign))
    {
        decode_each(&ESCAPES, from_escapes);
    }
    decoded
}

/// Tokens between spaces that are long enough to be encoded text.
fn tokens(visible: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    visible.split([' ', '\n', '\t']).filter_map(move |token| {
        let start = at;
        at += token.len() + 1;
        (token.len() >= RUN_BYTES_MIN).then_some((start, token))
    })
}

/// Runs of base64 characters in a token.
fn runs(token: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    let ends = token
        .bytes()
        .enumerate()
        .chain(std::iter::once((token.len(), b'"')));
    ends.filter_map(move |(at, byte)| {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_') {
            return None;
        }
        let run = start..at;
        start = at + 1;
        (run.len() >= RUN_BYTES_MIN).then_some(run)
    })
}

fn from_base64(run: &str) -> Option<String> {
    let (standard, url) = (&alphabet::STANDARD, &alphabet::URL_SAFE);
    let alphabet = if run.contains(['-', '_']) {
        url
    } else {
        standard
    };
    let engine = GeneralPurpose::new(alphabet, LENIENT);
    let body = run.trim_end_matches('=');
    // One character too many belongs to the text after the run.
    let whole = if body.len() % 4 == 1 {
        body.get(..body.len() - 1)?
    } else {
        body
    };
    String::from_utf8(engine.decode(whole).ok()?).ok()
}

fn from_hex(run: &str) -> Option<String> {
    let digits: Vec<u8> = run.bytes().filter(u8::is_ascii_hexdigit).collect();
    let bytes = digits.chunks_exact(2).map(|pair| {
        let pair = std::str::from_utf8(pair).ok()?;
        u8::from_str_radix(pair, 16).ok()
    });
    String::from_utf8(bytes.collect::<Option<Vec<u8>>>()?).ok()
}

fn from_bits(run: &str) -> Option<String> {
    let bytes = run
        .split([' ', ','])
        .filter(|bits| bits.len() == 8)
        .map(|bits| u8::from_str_radix(bits, 2).ok());
    String::from_utf8(bytes.collect::<Option<Vec<u8>>>()?).ok()
}

fn from_escapes(run: &str) -> Option<String> {
    let pattern = ESCAPE.as_ref()?;
    let mut text = String::new();
    let mut last = 0;
    for escape in pattern.captures_iter(run) {
        let whole = escape.get(0)?;
        text.push_str(run.get(last..whole.start())?);
        last = whole.end();
        let digits = escape
            .get(1)
            .or_else(|| escape.get(2))
            .or_else(|| escape.get(3))?
            .as_str();
        let hex = digits.strip_prefix(['x', 'X']);
        let code = match (hex, run.contains("&#")) {
            (Some(hex), _) => u32::from_str_radix(hex, 16),
            (None, true) => digits.parse(),
            (None, false) => u32::from_str_radix(digits, 16),
        };
        text.push(char::from_u32(code.ok()?)?);
    }
    Some(text)
}

/// Only the query of a URL is text.
fn from_percent(run: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(run.len());
    let query = run.split_once('?').map_or(run, |(_, query)| query);
    let mut rest = query.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'%' => {
                let pair = [rest.next()?, rest.next()?];
                bytes.push(u8::from_str_radix(std::str::from_utf8(&pair).ok()?, 16).ok()?);
            }
            b'+' => bytes.push(b' '),
            b'=' | b'&' => bytes.extend_from_slice(b". "),
            other => bytes.push(other),
        }
    }
    String::from_utf8(bytes).ok()
}

fn is_prose(text: &str) -> bool {
    let total = text.chars().count();
    let prose = text
        .chars()
        .filter(|letter| {
            letter.is_alphanumeric()
                || matches!(letter, ' ' | ',' | '.' | '\n' | '\'' | '!' | '?' | ':')
        })
        .count();
    let solid = total >= 16 && !text.contains(' ') && text.is_ascii();
    total >= 8
        && (prose * 100 >= total * PROSE_PERCENT_MIN && text.contains(' ')
            || solid && is_encoded_again(text))
}

/// Encoded twice: no spaces, but valid base64.
fn is_encoded_again(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='))
        && from_base64(text).is_some_and(|inner| inner.is_ascii() && inner.contains(' '))
}

/// Searched for in text that is disguised as a whole; long enough not to occur by chance.
const CUE_WORDS: &[&str] = &[
    "ignore",
    "previous",
    "instruction",
    "disregard",
    "password",
    "prompt",
    "system",
    "secret",
    "reveal",
    "forget",
    "override",
    "assistant",
    "conversation",
    "youare",
    "rules",
    "please",
    "answer",
    "pretend",
    "credential",
];

static SHIFTED: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let shifted = CUE_WORDS
        .iter()
        .filter(|word| word.len() > 5)
        .map(|word| word.bytes().map(rotate_13).collect::<Vec<u8>>());
    AhoCorasick::new(shifted).ok()
});
static REVERSED: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let reversed = CUE_WORDS
        .iter()
        .filter(|word| word.len() > 5)
        .map(|word| word.bytes().rev().collect::<Vec<u8>>());
    let turned = [
        "ignoreway",
        "instructionsway",
        "eviouspray",
        "omptpray",
        "asswordpay",
        "ystemsay",
        "orgetfay",
    ];
    AhoCorasick::new(reversed.chain(turned.iter().map(|word| word.bytes().collect()))).ok()
});
static PLAIN: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| AhoCorasick::new(CUE_WORDS).ok());

fn rotate_13(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' => (byte - b'a' + 13) % 26 + b'a',
        other => other,
    }
}

/// Finds disguises that do not need decoding.
pub(crate) fn find_threats(document: &Document<'_>, findings: &mut Vec<Finding>) {
    find_sentences_with_cues(
        document,
        &SHIFTED,
        "contains a message in shifted letters",
        findings,
    );
    find_sentences_with_cues(
        document,
        &REVERSED,
        "contains a message in reversed letters",
        findings,
    );
    find_spelt_out_words(document, findings);
    find_digits_for_letters(document, findings);
    spelling::find_threats(document, findings);
}

fn find_spelt_out_words(document: &Document<'_>, findings: &mut Vec<Finding>) {
    let is_letter = |span: &Range<usize>| {
        span.len() == 1
            && document
                .folded
                .as_bytes()
                .get(span.start)
                .is_some_and(u8::is_ascii_lowercase)
    };
    let joined = |one: &Word, other: &Word| {
        is_letter(&one.span)
            && is_letter(&other.span)
            && other.span.start - one.span.end <= SPELT_GAP_BYTES_MAX
    };
    for run in document
        .words
        .chunk_by(joined)
        .filter(|run| run.len() >= SPELT_LETTERS_MIN)
    {
        let (Some(first), Some(last)) = (run.first(), run.last()) else {
            continue;
        };
        let letters: String = run
            .iter()
            .filter_map(|word| document.folded.get(word.span.clone()))
            .collect();
        let severity = match count_cue_words(&letters) {
            0 => Severity::Low,
            1 => Severity::Medium,
            _ => Severity::High,
        };
        let (kind, span) = (ThreatKind::EncodedText, first.span.start..last.span.end);
        findings.push(Finding::new(
            kind,
            severity,
            span,
            "spells out words letter by letter",
        ));
    }
}

fn count_cue_words(letters: &str) -> usize {
    PLAIN
        .as_ref()
        .map_or(0, |cues| cues.find_iter(letters).count())
}

fn find_sentences_with_cues(
    document: &Document<'_>,
    cues: &LazyLock<Option<AhoCorasick>>,
    reason: &'static str,
    findings: &mut Vec<Finding>,
) {
    let Some(cues) = cues.as_ref() else { return };
    let mut hits = cues.find_iter(document.folded).peekable();
    for sentence in &document.sentences {
        let mut here = 0;
        while hits
            .next_if(|hit| hit.start() < sentence.span.end)
            .is_some()
        {
            here += 1;
        }
        if here >= 2 && sentence.words.len() <= SENTENCE_WORDS_MAX {
            let kind = ThreatKind::EncodedText;
            findings.push(Finding::new(
                kind,
                Severity::High,
                sentence.span.clone(),
                reason,
            ));
        }
    }
}

const CUE_CLASSES: Classes = Classes::one(Class::Ignore)
    .with(Class::Prior)
    .with(Class::Rules)
    .with(Class::Secret)
    .with(Class::Reveal);

fn find_digits_for_letters(document: &Document<'_>, findings: &mut Vec<Finding>) {
    for sentence in document
        .sentences
        .iter()
        .filter(|sentence| sentence.shape != Shape::Code)
    {
        let mixed = document.words_in(sentence).iter().filter_map(|word| {
            let text = document.folded.get(word.span.clone())?;
            let digits = text.bytes().any(|byte| byte.is_ascii_digit());
            let letters = text.bytes().any(|byte| byte.is_ascii_lowercase());
            (digits && letters && text.len() > 4).then_some(text)
        });
        let cues = mixed
            .filter(|word| {
                LEXICON
                    .word_classes(&digits_to_letters(word))
                    .meets(CUE_CLASSES)
            })
            .count();
        if cues >= 2 {
            let kind = ThreatKind::EncodedText;
            let reason = "writes words with digits instead of letters";
            findings.push(Finding::new(
                kind,
                Severity::High,
                sentence.span.clone(),
                reason,
            ));
        }
    }
}
