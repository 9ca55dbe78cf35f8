//! The question's words, and what passages and documents are worth by them: BM25 over two fields and two levels.

use std::collections::BTreeMap;
use std::ops::Range;

use adjutant_text::bm25::inverse_document_frequency;

use crate::entry::Lengths;
use crate::ranking::Ranking;
use crate::search::scope::{Scope, ScopePart, Slot};
use crate::search_result::{TermOrigin, TermShare};

/// A word of the question, or one that was added.
#[derive(Debug, Clone)]
pub(crate) struct Term {
    pub(crate) text: String,
    pub(crate) origin: TermOrigin,
    pub(crate) weight: f64,
    /// Its numbers in the index: one, or one per language where their stems differ.
    pub(crate) numbers: Vec<u32>,
    pub(crate) chunks_with: u32,
    idf: f64,
    document_idf: f64,
}

impl Term {
    pub(crate) fn new(
        scope: &Scope<'_>,
        origin: TermOrigin,
        text: String,
        weight: f64,
        mut numbers: Vec<u32>,
    ) -> Self {
        numbers.sort_unstable();
        numbers.dedup();
        let chunks_with = total(&scope.chunks_with, &numbers, scope.chunk_count);
        let documents_with = total(&scope.documents_with, &numbers, scope.document_count);
        Self {
            text,
            origin,
            weight,
            numbers,
            chunks_with,
            idf: inverse_document_frequency(chunks_with, scope.chunk_count),
            document_idf: inverse_document_frequency(documents_with, scope.document_count),
        }
    }
}

fn total(with: &[u32], numbers: &[u32], most: usize) -> u32 {
    let sum: u64 = numbers
        .iter()
        .map(|number| u64::from(with[*number as usize]))
        .sum();
    u32::try_from(sum.min(most as u64)).unwrap_or(u32::MAX)
}

/// What every passage and every document has by the terms so far. Terms are always added in the same order.
pub(crate) struct Scores {
    passages: Vec<f64>,
    documents: Vec<f64>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Occurrences {
    body: u32,
    heads: u32,
}

impl Scores {
    pub(crate) fn new(scope: &Scope<'_>) -> Self {
        Self {
            passages: vec![0.0; scope.chunk_count],
            documents: vec![0.0; scope.document_count],
        }
    }

    pub(crate) fn add(&mut self, scope: &Scope<'_>, ranking: &Ranking, term: &Term) {
        for part in &scope.parts {
            let mut of_document = Occurrences::default();
            let mut document = None;
            let segment = &part.part.segment;
            each_occurrence(part, term, |chunk, found| {
                let row = segment.content.chunks[chunk as usize];
                if document != Some(row.document) {
                    self.add_document(scope, ranking, term, part, document, of_document);
                    document = Some(row.document);
                    of_document = Occurrences::default();
                }
                of_document.body += found.body;
                of_document.heads = of_document.heads.max(found.heads);
                let norm = passage_norm(scope, ranking, row.lengths);
                self.passages[part.first_slot + chunk as usize] +=
                    share(ranking, term.weight * term.idf, found, norm);
            });
            self.add_document(scope, ranking, term, part, document, of_document);
        }
    }

    fn add_document(
        &mut self,
        scope: &Scope<'_>,
        ranking: &Ranking,
        term: &Term,
        part: &ScopePart<'_>,
        document: Option<u32>,
        found: Occurrences,
    ) {
        let Some(document) = document else {
            return;
        };
        let norm = document_norm(scope, ranking, part, document);
        self.documents[part.first_document + document as usize] +=
            share(ranking, term.weight * term.document_idf, found, norm);
    }

    pub(crate) fn passage(&self, slot: Slot) -> f64 {
        self.passages[slot]
    }

    pub(crate) fn document(&self, document: usize) -> f64 {
        self.documents[document]
    }

    pub(crate) fn value(&self, scope: &Scope<'_>, ranking: &Ranking, slot: Slot) -> f64 {
        combine(
            ranking,
            self.passages[slot],
            self.documents[scope.document(slot)],
        )
    }

    /// The best passages that have at least one of the words.
    pub(crate) fn best(
        &self,
        scope: &Scope<'_>,
        ranking: &Ranking,
        count: usize,
    ) -> Vec<(f64, Slot)> {
        let mut scored = Vec::new();
        for part in &scope.parts {
            let segment = &part.part.segment;
            for (chunk, row) in segment.content.chunks.iter().enumerate() {
                let slot = part.first_slot + chunk;
                let passage = self.passages[slot];
                if passage > 0.0 && part.takes[row.document as usize] {
                    let document = self.documents[part.first_document + row.document as usize];
                    scored.push((combine(ranking, passage, document), slot));
                }
            }
        }
        scope.best(scored, count)
    }
}

fn combine(ranking: &Ranking, passage: f64, document: f64) -> f64 {
    (1.0 - ranking.document_share) * passage + ranking.document_share * document
}

fn share(ranking: &Ranking, weight: f64, found: Occurrences, norm: f64) -> f64 {
    let count = f64::from(found.body) + ranking.heads_weight * f64::from(found.heads);
    ranking.bm25().score(weight, count, norm)
}

fn passage_norm(scope: &Scope<'_>, ranking: &Ranking, lengths: Lengths) -> f64 {
    let words = lengths.body.saturating_add(lengths.heads);
    let mean = scope.chunk_length_mean;
    ranking.bm25().length_norm(f64::from(words), mean)
}

fn document_norm(scope: &Scope<'_>, ranking: &Ranking, part: &ScopePart<'_>, document: u32) -> f64 {
    let words = part.part.segment.document_lengths[document as usize];
    let mean = scope.document_length_mean;
    ranking.bm25().length_norm(f64::from(words), mean)
}

/// Passages rising. Forms of one word in several languages are counted together.
fn each_occurrence(part: &ScopePart<'_>, term: &Term, mut each: impl FnMut(u32, Occurrences)) {
    let own: Vec<usize> = term
        .numbers
        .iter()
        .filter_map(|number| part.part.own_number(*number))
        .collect();
    let postings = &part.part.segment.postings;
    if let [only] = own[..] {
        let run = postings.run(only);
        for (chunk, counts) in run.chunks.iter().zip(run.counts) {
            each(*chunk, occurrences(*counts));
        }
        return;
    }
    let mut together: Vec<(u32, (u8, u8))> = Vec::new();
    for number in own {
        let run = postings.run(number);
        together.extend(run.chunks.iter().copied().zip(run.counts.iter().copied()));
    }
    together.sort_unstable();
    for same in together.chunk_by(|left, right| left.0 == right.0) {
        let mut sum = Occurrences::default();
        for (_, counts) in same {
            let more = occurrences(*counts);
            sum.body += more.body;
            sum.heads += more.heads;
        }
        each(same[0].0, sum);
    }
}

fn occurrences((body, heads): (u8, u8)) -> Occurrences {
    Occurrences {
        body: u32::from(body),
        heads: u32::from(heads),
    }
}

/// What a term gave a passage, computed the way `Scores::add` computes it.
pub(crate) fn explain(
    scope: &Scope<'_>,
    ranking: &Ranking,
    term: &Term,
    slot: Slot,
) -> Option<TermShare> {
    let (part, chunk) = scope.locate(slot);
    let segment = &part.part.segment;
    let row = segment.content.chunks[chunk];
    let first = u32::try_from(chunk).ok()?.checked_sub(row.number)?;
    let count = segment.content.documents[row.document as usize].chunks;
    let mut of_document = Occurrences::default();
    let mut in_passage = Occurrences::default();
    for (number, found) in occurrences_in(part, term, first..first.saturating_add(count)) {
        of_document.body += found.body;
        of_document.heads = of_document.heads.max(found.heads);
        if number - first == row.number {
            in_passage = found;
        }
    }
    if of_document.body + of_document.heads == 0 {
        return None;
    }
    let length_norm = passage_norm(scope, ranking, row.lengths);
    let document_norm = document_norm(scope, ranking, part, row.document);
    Some(TermShare {
        term: term.text.clone(),
        origin: term.origin,
        weight: term.weight,
        in_body: in_passage.body,
        in_heads: in_passage.heads,
        chunks_with: term.chunks_with,
        idf: term.idf,
        length_norm,
        passage_share: share(ranking, term.weight * term.idf, in_passage, length_norm),
        document_share: share(
            ranking,
            term.weight * term.document_idf,
            of_document,
            document_norm,
        ),
    })
}

/// Where the term stands among these passages.
fn occurrences_in(
    part: &ScopePart<'_>,
    term: &Term,
    chunks: Range<u32>,
) -> BTreeMap<u32, Occurrences> {
    let mut found: BTreeMap<u32, Occurrences> = BTreeMap::new();
    for number in &term.numbers {
        let Some(own) = part.part.own_number(*number) else {
            continue;
        };
        let run = part.part.segment.postings.run(own);
        let from = run.chunks.partition_point(|chunk| *chunk < chunks.start);
        for (chunk, counts) in run.chunks[from..].iter().zip(&run.counts[from..]) {
            if *chunk >= chunks.end {
                break;
            }
            let more = occurrences(*counts);
            let sum = found.entry(*chunk).or_default();
            sum.body += more.body;
            sum.heads += more.heads;
        }
    }
    found
}
