//! Words and where they stand.

use std::ops::Range;

use adjutant_text::stems::{StemLanguage, stem};
use adjutant_text::stop_words::StopWordLanguage;

use crate::irregular::usual_form;

/// Runs of letters and digits; `1,204`, `0.5`, `don't`, `R-07`, `v1.2` and `99.95` are one word each.
pub(crate) fn words(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((start, first)) = chars.next() {
        if !first.is_alphanumeric() {
            continue;
        }
        let mut end = start + first.len_utf8();
        let mut last = first;
        while let Some(&(at, char)) = chars.peek() {
            let after = text[at + char.len_utf8()..].chars().next();
            let inside =
                char.is_alphanumeric() || after.is_some_and(|after| joins(last, char, after));
            if !inside {
                break;
            }
            chars.next();
            end = at + char.len_utf8();
            last = char;
        }
        found.push(start..end);
    }
    found
}

fn joins(before: char, mark: char, after: char) -> bool {
    match mark {
        '.' | ',' | ':' => before.is_ascii_digit() && after.is_ascii_digit(),
        '\'' | '’' => before.is_alphabetic() && after.is_alphabetic(),
        // `R-07` and `CAIRN-2` are names; `9-12` and `well-known` are two words.
        '-' => before.is_uppercase() && after.is_ascii_digit(),
        _ => false,
    }
}

pub(crate) fn is_stop_word(small: &str) -> bool {
    StopWordLanguage::English.stop_words().contains(small)
}

pub(crate) fn stemmed(small: &str) -> String {
    let bare = small.trim_end_matches("'s").trim_end_matches("’s");
    stem(StemLanguage::English, usual_form(bare)).into_owned()
}

/// British endings and their American forms; a word must have this many letters.
const SPELLINGS: &[(&str, &str)] = &[
    ("isation", "ization"),
    ("isations", "izations"),
    ("ise", "ize"),
    ("ised", "ized"),
    ("ises", "izes"),
    ("ising", "izing"),
    ("yse", "yze"),
    ("ysed", "yzed"),
    ("ysing", "yzing"),
    ("our", "or"),
    ("ours", "ors"),
    ("oured", "ored"),
    ("ouring", "oring"),
    ("tre", "ter"),
    ("tres", "ters"),
    ("lled", "led"),
    ("lling", "ling"),
    ("ogue", "og"),
    ("ogues", "ogs"),
    ("gramme", "gram"),
    ("grammes", "grams"),
    ("fence", "fense"),
    ("licence", "license"),
    ("licences", "licenses"),
];
const SPELLED_BYTES_MIN: usize = 6;

/// A word in lower case in one of its two spellings: `organise` as `organize`, `anaemia` as `anemia`.
pub(crate) fn one_spelling(small: &str) -> String {
    if small.len() < SPELLED_BYTES_MIN {
        return small.to_owned();
    }
    let ending = SPELLINGS
        .iter()
        .filter_map(|(british, american)| Some((small.strip_suffix(british)?, american)))
        .min_by_key(|(bare, _)| bare.len());
    let word = match ending {
        Some((bare, american)) => format!("{bare}{american}"),
        None => small.to_owned(),
    };
    word.replace("aem", "em").replace("oed", "ed")
}
