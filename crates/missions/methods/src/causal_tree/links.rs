//! The sentences of the sources that say what caused what.

use std::collections::BTreeSet;

use adjutant_questions::Evidence;
use adjutant_text::causes::{CauseDirection, Certainty, stated_cause};

use crate::words::{Sentence, stems};

/// A sentence that says what caused what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) cause: String,
    pub(super) effect: String,
    pub(super) certainty: Certainty,
    pub(super) evidence: Vec<Evidence>,
}

impl Link {
    pub(super) fn cause_stems(&self) -> BTreeSet<String> {
        stems(&self.cause)
    }
}

/// The links that sentences state, in their order. What prevents something is no cause of it.
pub(super) fn links(sentences: &[Sentence<'_>]) -> Vec<Link> {
    let mut found = Vec::new();
    for (at, sentence) in sentences.iter().enumerate() {
        let before = at
            .checked_sub(1)
            .map(|before| &sentences[before])
            .filter(|before| before.source.id == sentence.source.id);
        let said = stated_cause(sentence.text, before.map(|before| before.text));
        let Some(said) = said.filter(|said| said.direction != CauseDirection::Prevents) else {
            continue;
        };
        let before = before.filter(|_| said.needs_sentence_before);
        let evidence = before.into_iter().chain([sentence]);
        found.push(Link {
            cause: said.cause,
            effect: said.effect,
            certainty: said.certainty,
            evidence: evidence.map(Sentence::evidence).collect(),
        });
    }
    found
}
