//! What a question is asked of: the passages of the namespaces it names, and what is counted over them.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::entry::DocumentId;
use crate::index::{Index, IndexPart};
use crate::language::Language;
use crate::query::{Filters, Namespace};

/// A passage, numbered over all parts of the scope. Numbers mean nothing outside one search.
pub(crate) type Slot = usize;

pub(crate) struct Scope<'a> {
    pub(crate) index: &'a Index,
    pub(crate) parts: Vec<ScopePart<'a>>,
    pub(crate) chunk_count: usize,
    pub(crate) document_count: usize,
    pub(crate) chunk_length_mean: f64,
    pub(crate) document_length_mean: f64,
    /// Per term of the index.
    pub(crate) chunks_with: Vec<u32>,
    pub(crate) documents_with: Vec<u32>,
}

pub(crate) struct ScopePart<'a> {
    pub(crate) part: &'a IndexPart,
    pub(crate) first_slot: Slot,
    pub(crate) first_document: usize,
    /// Per document, whether the filters take it.
    pub(crate) takes: Vec<bool>,
}

impl<'a> Scope<'a> {
    pub(crate) fn new(index: &'a Index, filters: &Filters) -> Self {
        let mut parts = Vec::new();
        let (mut slots, mut documents) = (0, 0);
        let (mut chunk_words, mut document_words) = (0_u64, 0_u64);
        let mut chunks_with = vec![0; index.term_count()];
        let mut documents_with = vec![0; index.term_count()];
        for part in &index.parts {
            if !filters.takes_namespace(&part.namespace) {
                continue;
            }
            let segment = &part.segment;
            parts.push(ScopePart {
                part,
                first_slot: slots,
                first_document: documents,
                takes: segment
                    .content
                    .documents
                    .iter()
                    .map(|document| filters.takes(document))
                    .collect(),
            });
            slots += segment.chunk_count();
            documents += segment.document_count();
            chunk_words += segment.chunk_words;
            document_words += segment.document_words;
            for (own, number) in part.numbers.iter().enumerate() {
                chunks_with[*number as usize] += segment.postings.chunks_with(own);
                documents_with[*number as usize] += segment.postings.documents_with(own);
            }
        }
        Self {
            index,
            parts,
            chunk_count: slots,
            document_count: documents,
            chunk_length_mean: mean(chunk_words, slots),
            document_length_mean: mean(document_words, documents),
            chunks_with,
            documents_with,
        }
    }

    pub(crate) fn languages(&self) -> BTreeSet<Language> {
        self.parts
            .iter()
            .flat_map(|part| part.part.segment.languages.iter().copied())
            .collect()
    }

    /// The part that has a passage, and the number of the passage in it.
    pub(crate) fn locate(&self, slot: Slot) -> (&ScopePart<'a>, usize) {
        let after = self.parts.partition_point(|part| part.first_slot <= slot);
        let part = &self.parts[after.saturating_sub(1)];
        (part, slot - part.first_slot)
    }

    /// What ties are broken by: the same whatever the segments are.
    pub(crate) fn key(&self, slot: Slot) -> (&Namespace, DocumentId, u32) {
        let (part, chunk) = self.locate(slot);
        let segment = &part.part.segment;
        let row = segment.content.chunks[chunk];
        let document = segment.content.documents[row.document as usize].id;
        (&part.part.namespace, document, row.number)
    }

    /// The document of a passage, numbered over all parts.
    pub(crate) fn document(&self, slot: Slot) -> usize {
        let (part, chunk) = self.locate(slot);
        part.first_document + part.part.segment.content.chunks[chunk].document as usize
    }

    /// The best so many, best first.
    pub(crate) fn best(&self, mut scored: Vec<(f64, Slot)>, count: usize) -> Vec<(f64, Slot)> {
        let order = |left: &(f64, Slot), right: &(f64, Slot)| -> Ordering {
            right
                .0
                .total_cmp(&left.0)
                .then_with(|| self.key(left.1).cmp(&self.key(right.1)))
        };
        if count == 0 {
            return Vec::new();
        }
        if scored.len() > count {
            scored.select_nth_unstable_by(count - 1, order);
            scored.truncate(count);
        }
        scored.sort_unstable_by(order);
        scored
    }
}

fn mean(total: u64, count: usize) -> f64 {
    if total == 0 || count == 0 {
        return 1.0;
    }
    total as f64 / count as f64
}
