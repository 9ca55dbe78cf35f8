//! Words the question does not have and the best passages do.
//!
//! The first passage counts most, the tenth a tenth of it: a question that only one passage answers is not led astray by
//! the nine below.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_text::bm25::inverse_document_frequency;

use crate::language::{Language, Stems};
use crate::ranking::Ranking;
use crate::search::scope::{Scope, Slot};
use crate::search::words::Term;
use crate::search_result::TermOrigin;
use crate::stop_words::stop_words;
use crate::words::WordKind;

/// A word in more of all passages than this tells nothing.
const COMMON_SHARE: f64 = 0.25;
/// A word in a single passage finds no other.
const CHUNKS_WITH_MIN: u32 = 2;

/// Further terms, the strongest first. `query_weight` is that of all the question's own.
pub(crate) fn expansion_terms(
    scope: &Scope<'_>,
    ranking: &Ranking,
    best: &[(f64, Slot)],
    query_weight: f64,
) -> Vec<Term> {
    let mut weights: BTreeMap<u32, f64> = BTreeMap::new();
    let mut languages = BTreeSet::new();
    for (rank, (_, slot)) in best.iter().take(ranking.expansion_chunks).enumerate() {
        let (part, chunk) = scope.locate(*slot);
        let segment = &part.part.segment;
        let row = segment.content.chunks[chunk];
        languages.insert(segment.content.documents[row.document as usize].language);
        let words = f64::from(row.lengths.body) + f64::from(row.lengths.heads);
        for count in segment.counts(chunk) {
            let number = part.part.numbers[count.term as usize];
            let times = f64::from(count.body) + f64::from(count.heads);
            let with = scope.chunks_with[number as usize];
            let gain = times / words * inverse_document_frequency(with, scope.chunk_count);
            *weights.entry(number).or_default() += gain / (rank + 1) as f64;
        }
    }
    let stop_words_stemmed = stop_word_stems(&languages);
    let mut strongest: Vec<(f64, u32)> = weights
        .into_iter()
        .filter(|(number, _)| is_telling(scope, *number, &stop_words_stemmed))
        .map(|(number, weight)| (weight, number))
        .collect();
    strongest.sort_unstable_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
    strongest.truncate(ranking.expansion_terms);
    let total: f64 = strongest.iter().map(|(weight, _)| weight).sum();
    let budget = query_weight * ranking.expansion_share / (1.0 - ranking.expansion_share);
    strongest
        .into_iter()
        .map(|(weight, number)| {
            let text = scope.index.term(number as usize).to_owned();
            let weight = budget * weight / total;
            Term::new(scope, TermOrigin::Expanded, text, weight, vec![number])
        })
        .collect()
}

fn is_telling(scope: &Scope<'_>, number: u32, stop_words_stemmed: &BTreeSet<String>) -> bool {
    let with = scope.chunks_with[number as usize];
    let text = scope.index.term(number as usize);
    with >= CHUNKS_WITH_MIN
        && f64::from(with) <= COMMON_SHARE * scope.chunk_count as f64
        && text.chars().nth(1).is_some()
        && !text.chars().all(|letter| !letter.is_alphabetic())
        && !stop_words_stemmed.contains(text)
}

fn stop_word_stems(languages: &BTreeSet<Language>) -> BTreeSet<String> {
    let mut stop_words_stemmed = BTreeSet::new();
    for language in languages {
        let stems = Stems::new(*language);
        stop_words_stemmed.extend(
            stop_words(*language)
                .iter()
                .map(|word| stems.term(word, WordKind::Letters)),
        );
    }
    stop_words_stemmed
}
