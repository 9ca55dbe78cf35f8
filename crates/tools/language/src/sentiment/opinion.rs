//! Opinions: each sentence and the whole text, from -1 to 1.

use adjutant_text::sentences::sentences;
use serde::Serialize;

use super::{SENTENCES_MAX, SentimentAnswer, vader};
use crate::answer::{Answer, Content, truncate_with_note};
use crate::character_offsets::{CharacterOffsets, Span};
use crate::request::new_answer;

/// From here on a text counts as positive, and below the negative of it as negative.
const NEUTRAL_MAX: f64 = 0.05;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OpinionAnswer {
    /// The mean over the sentences, from -1 to 1.
    pub compound: f64,
    pub label: &'static str,
    pub positive_sentences: usize,
    pub negative_sentences: usize,
    pub neutral_sentences: usize,
    pub sentences: Vec<ScoredSentence>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScoredSentence {
    #[serde(flatten)]
    pub span: Span,
    /// From -1 to 1.
    pub compound: f64,
    pub label: &'static str,
    /// Shares of the words that are positive, neutral and negative.
    pub positive: f64,
    pub neutral: f64,
    pub negative: f64,
    /// The words that decided, with the weight each has here.
    pub words: Vec<(String, f64)>,
}

pub(super) fn answer(text: &str, mut notes: Vec<String>) -> Answer {
    notes.insert(
        0,
        "MADE FOR OPINIONS, NOT FOR CLINICAL FACTS: \"the tumour shrank\" or \"no deaths\" are misread; use \
         `\"about\": \"clinical\"` for outcomes."
            .to_owned(),
    );
    let places = CharacterOffsets::new(text);
    let mut scored: Vec<ScoredSentence> = sentences(text)
        .iter()
        .map(|range| {
            let score = vader::score(&text[range.clone()]);
            ScoredSentence {
                span: places.span(range),
                compound: score.compound,
                label: label(score.compound),
                positive: score.positive,
                neutral: score.neutral,
                negative: score.negative,
                words: score.words,
            }
        })
        .collect();
    let count = |name: &str| scored.iter().filter(|one| one.label == name).count();
    let total: f64 = scored.iter().map(|one| one.compound).sum();
    let mean = total / scored.len().max(1) as f64;
    let (positive, negative, neutral) = (count("positive"), count("negative"), count("neutral"));
    if scored.len() < 3 {
        notes.push("Very little text: a single word can change the score.".to_owned());
    }
    truncate_with_note(&mut scored, SENTENCES_MAX, "sentences", &mut notes);
    let found = OpinionAnswer {
        compound: vader::rounded(mean, 4),
        label: label(mean),
        positive_sentences: positive,
        negative_sentences: negative,
        neutral_sentences: neutral,
        sentences: scored,
    };
    new_answer(
        "sentiment",
        Content::Sentiment(SentimentAnswer::Opinions(found)),
        "VADER (Hutto and Gilbert 2014) on each sentence, the text as the mean of its sentences; positive from 0.05, negative \
         from -0.05",
        notes,
    )
}

fn label(compound: f64) -> &'static str {
    if compound >= NEUTRAL_MAX {
        "positive"
    } else if compound <= -NEUTRAL_MAX {
        "negative"
    } else {
        "neutral"
    }
}
