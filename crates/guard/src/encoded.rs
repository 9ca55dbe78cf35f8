//! Text in another coat: base64, hexadecimal, escapes, bits, shifted, reversed, spelt out or written with digits.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use regex::Regex;

use crate::document::{Document, Shape};
use crate::finding::{Finding, pattern};
use crate::lexicon::{Class, Classes, LEXICON};
use crate::threat::{Severity, ThreatKind};

/// Something decoded, to be looked at like any text.
#[derive(Debug)]
pub(crate) struct Decoded {
    /// In the text as people see it.
    pub(crate) span: Range<usize>,
    pub(crate) says: String,
}

static BASE64: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(r"[A-Za-z0-9+/_-]{20,}={0,2}"));
static HEX: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(r"(?:[0-9a-fA-F]{2}){12,}|(?:\b[0-9a-fA-F]{2}[ :,]){11,}[0-9a-fA-F]{2}\b")
});
static BITS: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(r"(?:\b[01]{8}[ ,]?){6,}"));
static ESCAPES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?:&#[xX]?[0-9a-fA-F]{2,6};|\\u\{?[0-9a-fA-F]{4}\}?|\\x[0-9a-fA-F]{2}|[ ]){8,}|[^\s%]*(?:%[0-9a-fA-F]{2}[^\s%]*){4,}",
    )
});
static ESCAPE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(r"&#([xX]?[0-9a-fA-F]{2,6});|\\u\{?([0-9a-fA-F]{4})\}?|\\x([0-9a-fA-F]{2})")
});
static SPELT: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r"(?:\b[a-z][ .\-_*|/]{1,3}){7,}[a-z]\b"));

const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);

/// Letters that make up prose; noise that happens to decode has fewer.
const PROSE_PERCENT_MIN: usize = 85;

/// Every run that decodes to prose.
pub(crate) fn decode(seen: &str) -> Vec<Decoded> {
    let mut decoded = Vec::new();
    let mut each = |pattern: &LazyLock<Option<Regex>>, decode: &dyn Fn(&str) -> Option<String>| {
        let Some(pattern) = pattern.as_ref() else {
            return;
        };
        for run in pattern.find_iter(seen) {
            if let Some(says) = decode(run.as_str()).filter(|says| is_prose(says)) {
                decoded.push(Decoded {
                    span: run.range(),
                    says,
                });
            }
        }
    };
    each(&BASE64, &from_base64);
    each(&HEX, &from_hex);
    each(&BITS, &from_bits);
    each(&ESCAPES, &from_escapes);
    decoded
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
    // A last letter too many is what follows the run, not part of it.
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
    if run.contains('%') {
        return from_percent(run);
    }
    let pattern = ESCAPE.as_ref()?;
    let mut says = String::new();
    let mut last = 0;
    for escape in pattern.captures_iter(run) {
        let whole = escape.get(0)?;
        says.push_str(run.get(last..whole.start())?);
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
        says.push(char::from_u32(code.ok()?)?);
    }
    Some(says)
}

/// Of an address, only what stands after the question mark is text.
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
            b'+' | b'=' | b'&' => bytes.push(b' '),
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
            letter.is_alphabetic()
                || matches!(letter, ' ' | ',' | '.' | '\n' | '\'' | '!' | '?' | ':')
        })
        .count();
    let solid = total >= 16 && !text.contains(' ') && text.is_ascii();
    total >= 8
        && (prose * 100 >= total * PROSE_PERCENT_MIN && text.contains(' ')
            || solid && is_wrapped(text))
}

/// Encoded twice: no spaces, but base64 again.
fn is_wrapped(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='))
        && from_base64(text).is_some_and(|inner| inner.is_ascii() && inner.contains(' '))
}

/// Words that are looked for where a text has been disguised as a whole; long enough not to occur by chance.
const KEYS: &[&str] = &[
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
    let shifted = KEYS
        .iter()
        .filter(|key| key.len() > 5)
        .map(|key| key.bytes().map(shift).collect::<Vec<u8>>());
    AhoCorasick::new(shifted).ok()
});
static REVERSED: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let reversed = KEYS
        .iter()
        .filter(|key| key.len() > 5)
        .map(|key| key.bytes().rev().collect::<Vec<u8>>());
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
static PLAIN: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| AhoCorasick::new(KEYS).ok());

fn shift(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' => (byte - b'a' + 13) % 26 + b'a',
        other => other,
    }
}

/// Disguises that leave the letters in place.
pub(crate) fn find(document: &Document<'_>, findings: &mut Vec<Finding>) {
    let kind = ThreatKind::EncodedText;
    whole_sentences(
        document,
        &SHIFTED,
        "says something in shifted letters",
        findings,
    );
    whole_sentences(
        document,
        &REVERSED,
        "says something in turned letters",
        findings,
    );
    if let Some(pattern) = SPELT.as_ref() {
        for run in pattern.find_iter(document.view) {
            let letters: String = run
                .as_str()
                .chars()
                .filter(char::is_ascii_alphabetic)
                .collect();
            let severity = match keys_in(&letters) {
                0 => Severity::Low,
                1 => Severity::Medium,
                _ => Severity::High,
            };
            findings.push(Finding::new(
                kind,
                severity,
                run.range(),
                "spells words out letter by letter",
            ));
        }
    }
    digits_for_letters(document, findings);
}

fn keys_in(letters: &str) -> usize {
    PLAIN
        .as_ref()
        .map_or(0, |keys| keys.find_iter(letters).count())
}

fn whole_sentences(
    document: &Document<'_>,
    keys: &LazyLock<Option<AhoCorasick>>,
    reason: &'static str,
    findings: &mut Vec<Finding>,
) {
    let Some(keys) = keys.as_ref() else { return };
    let mut hits = keys.find_iter(document.view).peekable();
    for sentence in &document.sentences {
        let mut here = 0;
        while hits
            .next_if(|hit| hit.start() < sentence.span.end)
            .is_some()
        {
            here += 1;
        }
        if here >= 2 {
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

const TELLING: Classes = Classes::of(Class::Ignore)
    .and(Class::Prior)
    .and(Class::Rules)
    .and(Class::Secret)
    .and(Class::Reveal);

fn digits_for_letters(document: &Document<'_>, findings: &mut Vec<Finding>) {
    for sentence in document
        .sentences
        .iter()
        .filter(|sentence| sentence.shape != Shape::Code)
    {
        let mixed = document.words_of(sentence).iter().filter_map(|word| {
            let text = document.view.get(word.span.clone())?;
            let digits = text.bytes().any(|byte| byte.is_ascii_digit());
            let letters = text.bytes().any(|byte| byte.is_ascii_lowercase());
            (digits && letters && text.len() > 4).then_some(text)
        });
        let telling = mixed
            .filter(|word| LEXICON.word(&undigit(word)).meets(TELLING))
            .count();
        if telling >= 2 {
            let kind = ThreatKind::EncodedText;
            let reason = "writes words with digits for letters";
            findings.push(Finding::new(
                kind,
                Severity::High,
                sentence.span.clone(),
                reason,
            ));
        }
    }
}

fn undigit(word: &str) -> String {
    let letter = |c: char| match c {
        '0' => 'o',
        '1' => 'i',
        '3' => 'e',
        '4' => 'a',
        '5' => 's',
        '7' => 't',
        '8' => 'b',
        '9' => 'g',
        other => other,
    };
    word.chars().map(letter).collect()
}
