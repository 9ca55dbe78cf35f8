//! Texts as terms: stems without stop words, words that ask for the same thing taken as one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use adjutant_text::stems::{StemLanguage, stem};
use adjutant_text::stop_words::StopWordLanguage;

/// A term longer than this is data, and is cut.
const TERM_CHARS_MAX: usize = 40;
/// How many terms of one text count.
const TERMS_MAX: usize = 400;
/// What a word counts that says little.
const COMMON_WORTH: f64 = 0.15;
/// Stop words that matter here: what is ours is in our documents.
const TELLING: [&str; 1] = ["our"];

/// Verbs that ask to leave something out, or for less of it. No tool does that alone: it is an argument, or a step of its own.
const NARROWING: [&str; 10] = [
    "keep", "drop", "exclude", "ignore", "skip", "omit", "discard", "restrict", "limit", "remove",
];

/// What stands for each stem that has a synonym.
static SYNONYMS: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let mut all = BTreeMap::new();
    for line in lines(include_str!("../data/synonyms.txt")) {
        let mut words = line.split_whitespace().map(stemmed);
        let Some(first) = words.next() else { continue };
        all.extend(words.map(|word| (word, first.clone())));
    }
    all
});

static ACTIONS: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    lines(include_str!("../data/actions.txt"))
        .flat_map(str::split_whitespace)
        .collect()
});

/// What a term counts: words that say little count less.
pub(crate) fn worth(term: &str) -> f64 {
    static COMMON: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
        lines(include_str!("../data/common.txt"))
            .flat_map(str::split_whitespace)
            .map(term_of)
            .collect()
    });
    if COMMON.contains(term) {
        COMMON_WORTH
    } else {
        1.0
    }
}

pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Whether a word in lower case can begin a part of an intent.
pub(crate) fn is_action(word: &str) -> bool {
    ACTIONS.contains(word)
}

/// Whether a word in lower case asks to leave something out, or for less of it.
pub(crate) fn is_narrowing(word: &str) -> bool {
    NARROWING.contains(&word)
}

/// The words of a text in lower case.
pub(crate) fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|char: char| !char.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| {
            word.chars()
                .take(TERM_CHARS_MAX)
                .collect::<String>()
                .to_lowercase()
        })
}

/// The terms of a text, in its order. Numbers and single letters are none.
pub(crate) fn terms(text: &str) -> Vec<String> {
    let stop_words = StopWordLanguage::English.stop_words();
    words(text)
        .filter(|word| TELLING.contains(&word.as_str()) || !stop_words.contains(word.as_str()))
        .filter(|word| word.chars().count() > 1 && word.chars().any(char::is_alphabetic))
        .map(|word| term_of(&word))
        .take(TERMS_MAX)
        .collect()
}

/// The term that a word in lower case stands for.
fn term_of(word: &str) -> String {
    let stem = stemmed(word);
    SYNONYMS.get(&stem).cloned().unwrap_or(stem)
}

/// The stem of a word in lower case.
pub(crate) fn stemmed(word: &str) -> String {
    stem(StemLanguage::English, word).into_owned()
}

/// Terms that stand next to each other, as terms of their own: `time zone` says more than `time` and `zone`.
pub(crate) fn pairs(terms: &[String]) -> Vec<String> {
    terms
        .windows(2)
        .map(|pair| format!("{} {}", pair[0], pair[1]))
        .collect()
}

/// The groups of three letters of a term, with its ends marked.
pub(crate) fn trigrams(term: &str) -> BTreeSet<[char; 3]> {
    let marked: Vec<char> = std::iter::once('^')
        .chain(term.chars())
        .chain(std::iter::once('$'))
        .collect();
    marked
        .windows(3)
        .filter_map(|three| three.try_into().ok())
        .collect()
}
