//! The sentence that says most of one thing by one criterion: what comparing and scoring have in common.

use crate::corpus::{Corpus, Query};

/// Which share of an item's name, and of a criterion, a sentence must have.
const NAMED_MIN: f64 = 0.6;
const CRITERION_MIN: f64 = 0.5;
/// A sentence that names the item itself is better than one of a text about it.
const NAMED_ITSELF: f64 = 1.5;

pub(crate) struct Things {
    queries: Vec<Query>,
}

impl Things {
    pub(crate) fn new(corpus: &mut Corpus<'_>, names: impl Iterator<Item = String>) -> Self {
        Self {
            queries: names.map(|name| corpus.query(&name)).collect(),
        }
    }

    /// The best sentence on an item by a criterion.
    pub(crate) fn best(
        &self,
        corpus: &Corpus<'_>,
        item: usize,
        criterion: &Query,
    ) -> Option<usize> {
        let own = self.queries.get(item)?;
        let mut best: Option<(usize, f64)> = None;
        for (at, score) in corpus.search(criterion) {
            if corpus.coverage(criterion, at) < CRITERION_MIN {
                continue;
            }
            let source = corpus.sentences[at].source;
            let itself = names(own, |term| corpus.has(term, at));
            let others = (0..self.queries.len()).filter(|other| *other != item);
            let another = others
                .filter_map(|other| self.queries.get(other))
                .any(|other| names(other, |term| corpus.has(term, at)));
            let of_text = names(own, |term| corpus.title_has(term, source))
                || corpus.sources[source].id == self.id(own);
            let score = match (itself, another, of_text) {
                (true, false, _) => score * NAMED_ITSELF,
                (true, true, _) | (false, false, true) => score,
                (false, _, _) => continue,
            };
            if best.is_none_or(|(_, most)| score > most) {
                best = Some((at, score));
            }
        }
        best.map(|(at, _)| at)
    }

    fn id(&self, query: &Query) -> String {
        let words: Vec<&str> = query.terms.iter().map(|term| term.word.as_str()).collect();
        words.join(" ")
    }
}

fn names(query: &Query, has: impl Fn(&crate::corpus::QueryTerm) -> bool) -> bool {
    let count = query.terms.iter().filter(|term| has(term)).count();
    count > 0 && count as f64 / query.terms.len() as f64 >= NAMED_MIN
}
