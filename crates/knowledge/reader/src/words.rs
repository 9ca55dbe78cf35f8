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
