//! The sentence of the sources that answers a question best, by the words they share.

use std::collections::BTreeSet;

use adjutant_questions::Source;

use super::Answer;
use crate::words::{Sentence, covered, sentences, stems};

const SENTENCES_MAX: usize = 20_000;
/// The share of a question's words that its answer must have.
const ANSWERED_MIN: f64 = 0.6;
const PARTLY_MIN: f64 = 0.4;
/// One word in common may be chance.
const SHARED_MIN: usize = 2;
const REASONS: &[&str] = &[
    "because",
    "caused by",
    "due to",
    "in order to",
    "so that",
    "the reason",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Coverage {
    Answered,
    Partly,
    Open,
}

impl Coverage {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Answered => "yes",
            Self::Partly => "in part",
            Self::Open => "no",
        }
    }
}

pub(super) struct Answers<'a> {
    sentences: Vec<(Sentence<'a>, BTreeSet<String>)>,
}

impl<'a> Answers<'a> {
    pub(super) fn new(sources: &'a [Source]) -> Self {
        let sentences = sentences(sources, SENTENCES_MAX).into_iter();
        Self {
            sentences: sentences
                .map(|sentence| (sentence, stems(sentence.text)))
                .collect(),
        }
    }

    pub(super) fn sentences(&self) -> impl Iterator<Item = &Sentence<'a>> {
        self.sentences.iter().map(|(sentence, _)| sentence)
    }

    /// The answer to a question in words.
    pub(super) fn find(&self, question: &str) -> Answer {
        let wanted = stems(question);
        let best = self.best(&wanted, |text| !text.trim_end().ends_with('?'));
        match best {
            Some((share, sentence)) if share >= ANSWERED_MIN => {
                stated(Coverage::Answered, sentence)
            }
            Some((share, sentence)) if share >= PARTLY_MIN => stated(Coverage::Partly, sentence),
            _ => Answer::open("no document answers it"),
        }
    }

    /// A sentence that gives a reason for what another states.
    pub(super) fn reason_for(&self, statement: &str) -> Option<Answer> {
        let wanted = stems(statement);
        let gives_reason = |text: &str| {
            let small = text.to_lowercase();
            REASONS.iter().any(|words| small.contains(words))
        };
        let (share, sentence) = self.best(&wanted, gives_reason)?;
        (share >= PARTLY_MIN).then(|| stated(Coverage::Answered, sentence))
    }

    fn best(
        &self,
        wanted: &BTreeSet<String>,
        fits: impl Fn(&str) -> bool,
    ) -> Option<(f64, &Sentence<'a>)> {
        let mut best: Option<(f64, &Sentence<'a>)> = None;
        for (sentence, words) in &self.sentences {
            let enough = wanted.intersection(words).count() >= SHARED_MIN.min(wanted.len());
            let share = covered(wanted, words);
            if enough
                && best.is_none_or(|(known, _)| share > known)
                && share > 0.0
                && fits(sentence.text)
            {
                best = Some((share, sentence));
            }
        }
        best
    }
}

fn stated(coverage: Coverage, sentence: &Sentence<'_>) -> Answer {
    Answer {
        coverage,
        text: sentence.text.to_owned(),
        evidence: vec![sentence.evidence()],
    }
}

impl Answer {
    pub(super) fn open(text: &str) -> Self {
        Self {
            coverage: Coverage::Open,
            text: text.to_owned(),
            evidence: Vec::new(),
        }
    }
}
