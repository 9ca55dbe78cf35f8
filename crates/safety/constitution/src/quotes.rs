//! What a model says about a text, held against that text; and what an earlier check found, looked for in another text.
//!
//! A model is believed in nothing but what it quotes: a finding counts if its rule exists, its quote stands in the text, and
//! the rule applies to whose words these are. It can only add findings.

use std::ops::Range;

use adjutant_text::sentences::sentences;

use crate::check::{Text, finding_at, words_of};
use crate::{CheckedBy, Finding, rule};

/// A quote of fewer words stands anywhere.
const QUOTE_WORDS_MIN: usize = 2;

/// The finding of a model that says that a quote breaks a rule. None if there is no such rule, if no text says this (white
/// space aside), or if only somebody else says it and the rule is about our own words.
#[must_use]
pub fn finding_of_model(texts: &[Text], rule_id: &str, quote: &str) -> Option<Finding> {
    let rule = rule(rule_id)?;
    if quote.split_whitespace().count() < QUOTE_WORDS_MIN {
        return None;
    }
    let applies = |text: &&Text| rule.is_for(text.origin);
    let found = texts.iter().filter(applies).find_map(|text| {
        let range = quoted(&text.text, quote)?;
        finding_at(rule, text, whole_sentences(&text.text, range))
    });
    found.map(|finding| Finding {
        by: CheckedBy::Model,
        ..finding
    })
}

/// A text in stretches of at most so many bytes that end where a sentence does. A longer sentence is cut anywhere.
#[must_use]
pub fn stretches(text: &str, bytes_max: usize) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut begin, mut end) = (0, 0);
    let ends = sentences(text).into_iter().map(|sentence| sentence.end);
    for next in ends.chain([text.len()]) {
        if next - begin > bytes_max && end > begin {
            found.push(begin..end);
            begin = end;
        }
        while next - begin > bytes_max {
            let cut = text.floor_char_boundary(begin + bytes_max);
            found.push(begin..cut);
            begin = cut;
        }
        end = next;
    }
    found.push(begin..end);
    let stretches = found.into_iter().filter_map(|range| text.get(range));
    stretches.filter(|text| !text.trim().is_empty()).collect()
}

/// Where a text says something, if spaces and line ends are not told apart.
fn quoted(text: &str, quote: &str) -> Option<Range<usize>> {
    let mut plain = String::with_capacity(text.len());
    let mut starts: Vec<usize> = Vec::with_capacity(text.len());
    for word in text.split_whitespace() {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        if !plain.is_empty() {
            plain.push(' ');
            starts.push(start);
        }
        plain.push_str(word);
        starts.extend(start..start + word.len());
    }
    let quote = quote.split_whitespace().collect::<Vec<_>>().join(" ");
    let from = plain.find(&quote)?;
    let last = from + quote.len() - 1;
    Some(*starts.get(from)?..starts.get(last)? + 1)
}

/// The range, from the beginning of the sentence it begins in to the end of the one it ends in.
fn whole_sentences(text: &str, range: Range<usize>) -> Range<usize> {
    let touched = sentences(text)
        .into_iter()
        .filter(|sentence| sentence.start < range.end && range.start < sentence.end);
    touched.fold(range.clone(), |whole, sentence| {
        whole.start.min(sentence.start)..whole.end.max(sentence.end)
    })
}

/// Findings of earlier checks, which hold wherever the same words are said.
#[derive(Debug, Clone, Default)]
pub struct Remembered(Vec<(Finding, String)>);

impl Remembered {
    /// Of findings as they are recorded: an excerpt that was cut short counts as far as it goes.
    #[must_use]
    pub fn new(findings: impl IntoIterator<Item = Finding>) -> Self {
        let with_words = findings.into_iter().map(|finding| {
            let words = spaced(&finding.excerpt);
            (finding, words)
        });
        Self(with_words.filter(|(_, words)| words.len() > 1).collect())
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The findings whose words one of the texts says.
    pub fn said_in<'a>(&'a self, texts: &[Text]) -> impl Iterator<Item = &'a Finding> {
        let texts: Vec<String> = match self.is_empty() {
            true => Vec::new(),
            false => texts.iter().map(|text| spaced(&text.text)).collect(),
        };
        let said = move |words: &str| texts.iter().any(|text| text.contains(words));
        let found = self.0.iter().filter(move |(_, words)| said(words));
        found.map(|(finding, _)| finding)
    }

    /// The findings whose words the text says.
    pub(crate) fn said_by<'a>(&'a self, text: &str) -> impl Iterator<Item = &'a Finding> {
        let text = match self.is_empty() {
            true => String::new(),
            false => spaced(text),
        };
        let found = self.0.iter();
        let found = found.filter(move |(_, words)| text.contains(words.as_str()));
        found.map(|(finding, _)| finding)
    }
}

/// The words of a text, a space before each: how it is set and cited makes no difference.
fn spaced(text: &str) -> String {
    format!(" {}", words_of(text).join(" "))
}

#[cfg(test)]
#[path = "quotes_tests.rs"]
mod tests;
