//! What two texts share, and what only one of them has.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use adjutant_text::numbers::parse_number;
use regex::Regex;
use serde::{Deserialize, Serialize};

use crate::Refusal;
use crate::answer::{Answer, Content};
use crate::numbers::NUMBER;
use crate::phrases;
use crate::request::{check, new_answer};
use crate::words::{SupportedLanguage, has_letter, words};

/// Key phrases of each text that are compared.
const PHRASES_COMPARED: usize = 60;
/// Entries of each list that is given back.
const LISTED_MAX: usize = 100;

/// Asks what two texts share.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompareRequest {
    pub text: String,
    pub other: String,
    /// Of both; found out where it is left out.
    #[serde(default)]
    pub language: Option<SupportedLanguage>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CompareAnswer {
    /// Cosine of the counts of their words, from 0 to 1.
    pub similarity: f64,
    /// Share of the different words that both have, from 0 to 1.
    pub shared_words: f64,
    pub shared_phrases: Vec<String>,
    pub only_in_text: Vec<String>,
    pub only_in_other: Vec<String>,
    /// Numbers as they are written.
    pub numbers_only_in_text: Vec<String>,
    pub numbers_only_in_other: Vec<String>,
}

static NUMBERS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!(r"(?-u:\b){NUMBER}")).ok());

pub(crate) fn answer(request: &CompareRequest) -> Result<Answer, Refusal> {
    check("text", &request.text)?;
    check("other", &request.other)?;
    let (one, two) = match request.language {
        Some(language) => (language, language),
        None => (
            phrases::detect_or_refuse("text", &request.text)?,
            phrases::detect_or_refuse("other", &request.other)?,
        ),
    };
    let mut notes = vec![
        "This compares words, not meaning: two texts that say the opposite may be very similar."
            .to_owned(),
    ];
    if one != two {
        notes.push(format!(
            "The texts are in {} and {}: only names and numbers can be shared.",
            one.name(),
            two.name()
        ));
    }
    let (left, right) = (terms(&request.text, one), terms(&request.other, two));
    let shared = left.keys().filter(|term| right.contains_key(*term)).count();
    let all = left.len() + right.len() - shared;
    let phrases_left = phrases::best(&request.text, one, PHRASES_COMPARED);
    let phrases_right = phrases::best(&request.other, two, PHRASES_COMPARED);
    let (both, only_left) = split(&phrases_left, &form(&request.other, two));
    let (_, only_right) = split(&phrases_right, &form(&request.text, one));
    let (numbers_left, numbers_right) = (numbers_of(&request.text), numbers_of(&request.other));
    let compared = CompareAnswer {
        similarity: rounded(cosine(&left, &right)),
        shared_words: rounded(shared as f64 / all.max(1) as f64),
        shared_phrases: both,
        only_in_text: only_left,
        only_in_other: only_right,
        numbers_only_in_text: missing(&numbers_left, &numbers_right),
        numbers_only_in_other: missing(&numbers_right, &numbers_left),
    };
    Ok(new_answer(
        "compare",
        Content::Comparison(compared),
        "cosine and Jaccard share of words without stop words and light endings; up to 60 key phrases of each text looked for in \
         the other; numbers by value",
        notes,
    ))
}

fn rounded(value: f64) -> f64 {
    libm::round(value * 1000.0) / 1000.0
}

fn terms(text: &str, language: SupportedLanguage) -> BTreeMap<String, usize> {
    let mut terms = BTreeMap::new();
    for range in words(text) {
        let word = &text[range];
        let stop = language.stop_words().contains(word.to_lowercase().as_str());
        if has_letter(word) && !stop {
            *terms.entry(phrases::term(word, language)).or_default() += 1;
        }
    }
    terms
}

/// All words in the form in which they are compared, with a space before and after each.
fn form(text: &str, language: SupportedLanguage) -> String {
    let mut form = String::from(" ");
    for range in words(text) {
        form.push_str(&phrases::term(&text[range], language));
        form.push(' ');
    }
    form
}

/// Phrases that stand in the other text, and those that do not.
fn split(phrases: &[(String, String)], other: &str) -> (Vec<String>, Vec<String>) {
    let (both, only): (Vec<_>, Vec<_>) = phrases
        .iter()
        .partition(|(form, _)| other.contains(&format!(" {form} ")));
    let written = |list: Vec<&(String, String)>| {
        list.into_iter()
            .map(|(_, written)| written.clone())
            .collect()
    };
    (written(both), written(only))
}

fn cosine(left: &BTreeMap<String, usize>, right: &BTreeMap<String, usize>) -> f64 {
    let product: f64 = left
        .iter()
        .filter_map(|(term, count)| Some((count * right.get(term)?) as f64))
        .sum();
    let length = |terms: &BTreeMap<String, usize>| {
        let squares: f64 = terms.values().map(|count| (count * count) as f64).sum();
        libm::sqrt(squares)
    };
    let lengths = length(left) * length(right);
    if lengths == 0.0 {
        0.0
    } else {
        (product / lengths).min(1.0)
    }
}

/// The numbers of a text in order, with their values.
fn numbers_of(text: &str) -> Vec<(String, u64)> {
    let Some(pattern) = &*NUMBERS else {
        return Vec::new();
    };
    let found = pattern.find_iter(text).map(|found| found.as_str());
    found
        .filter_map(|written| Some((written.to_owned(), parse_number(written)?.to_bits())))
        .collect()
}

fn missing(numbers: &[(String, u64)], other: &[(String, u64)]) -> Vec<String> {
    let known: BTreeSet<u64> = other.iter().map(|(_, value)| *value).collect();
    let mut told = BTreeSet::new();
    numbers
        .iter()
        .filter(|(_, value)| !known.contains(value) && told.insert(*value))
        .map(|(written, _)| written.clone())
        .take(LISTED_MAX)
        .collect()
}
