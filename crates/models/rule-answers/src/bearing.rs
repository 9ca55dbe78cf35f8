//! How much the sentences of the sources bear on a question, whatever else a rule wants of them.

use std::collections::BTreeSet;

use crate::corpus::{Corpus, Query};
use crate::document_id::document_id;
use crate::subject::Subject;
use crate::text::words;

/// Fewer words state nothing.
const WORDS_MIN: usize = 4;
/// How much it counts that a sentence stands in a document which has what is asked about by name.
const OF_NAMED: f64 = 0.2;

pub(crate) struct Bearing<'a> {
    asked: Query,
    subject: Subject,
    named: BTreeSet<&'a str>,
    /// Documents and lines that were met before: passages of a document may overlap.
    seen: BTreeSet<(&'a str, String)>,
}

impl<'a> Bearing<'a> {
    pub(crate) fn new(corpus: &mut Corpus<'a>, question: &str, guidance: &[String]) -> Self {
        let asked = match guidance.is_empty() {
            true => question.to_owned(),
            false => format!("{question}\n{}", guidance.join("\n")),
        };
        let asked = corpus.query(&asked);
        Self {
            subject: Subject::new(question, corpus.sources),
            named: corpus.documents_naming(&asked, question),
            seen: BTreeSet::new(),
            asked,
        }
    }

    /// How much a sentence bears on the question, from 0 to 1. Nothing if it is a row of a table, is on something else of the
    /// kind, or was met before.
    pub(crate) fn relevance(&mut self, corpus: &Corpus<'a>, at: usize) -> Option<f64> {
        let text = corpus.text(at);
        if text.contains('|') || words(text).len() < WORDS_MIN {
            return None;
        }
        let source = corpus.source_of(at);
        let document = document_id(&source.id);
        if self
            .subject
            .is_about_another(source, corpus.with_previous_sentence(at))
            || !self.seen.insert((document, corpus.line(at)))
        {
            return None;
        }
        let covered = corpus.coverage_with_title(&self.asked, at);
        let of_named = match self.asked.has_names() && self.named.contains(document) {
            true => OF_NAMED,
            false => 0.0,
        };
        Some((covered + of_named).min(1.0))
    }
}

/// How sure an answer is that found so many entries, which bear on the question so much on average.
pub(crate) fn sure_of(relevances: &[f64]) -> f64 {
    const OF_NONE: f64 = 0.2;
    const LEAST: f64 = 0.4;
    let mean = relevances.iter().sum::<f64>() / (relevances.len() as f64).max(1.0);
    let sure = match relevances.is_empty() {
        true => OF_NONE,
        false => LEAST + mean / 2.0,
    };
    crate::text::confidence(sure)
}
