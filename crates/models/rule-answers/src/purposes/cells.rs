//! The sentence that says most of one thing by one criterion: what comparing and scoring have in common.

use crate::corpus::{Corpus, Query};
use crate::text::states;

/// Which share of an item's name, and of a criterion, a sentence must have.
const NAMED_MIN: f64 = 0.6;
const CRITERION_MIN: f64 = 0.5;
/// How many sentences on one criterion are looked at.
const MENTIONS_MAX: usize = 2_000;
/// A sentence that names the item itself is better than one of a text about it.
const NAMED_ITSELF: f64 = 1.5;
/// Things are told apart by numbers.
const MEASURED: f64 = 1.3;

/// Things that are compared or scored, by name.
pub(crate) struct Things {
    queries: Vec<Query>,
    ids: Vec<String>,
}

/// A sentence on a criterion.
pub(crate) struct Mention {
    pub(crate) at: usize,
    score: f64,
    /// Which of the things it names.
    named: Vec<usize>,
}

impl Things {
    pub(crate) fn new<'a>(corpus: &mut Corpus<'_>, names: impl Iterator<Item = &'a str>) -> Self {
        let ids: Vec<String> = names.map(str::to_owned).collect();
        let queries = ids.iter().map(|name| corpus.query(name)).collect();
        Self { queries, ids }
    }

    /// The sentences on a criterion, best first.
    pub(crate) fn mentions(&self, corpus: &Corpus<'_>, criterion: &Query) -> Vec<Mention> {
        let found = corpus.search(criterion).into_iter();
        let on_it = found.filter(|(at, _)| {
            corpus.coverage(criterion, *at) >= CRITERION_MIN && states(corpus.text(*at))
        });
        let mentions = on_it.take(MENTIONS_MAX).map(|(at, score)| Mention {
            at,
            score,
            named: (0..self.queries.len())
                .filter(|item| names(&self.queries[*item], |term| corpus.has(term, at)))
                .collect(),
        });
        mentions.collect()
    }

    /// The best of them on an item: one that names it and no other, or one of a text about it that names none.
    pub(crate) fn best(
        &self,
        corpus: &Corpus<'_>,
        item: usize,
        mentions: &[Mention],
    ) -> Option<usize> {
        let mut best: Option<(usize, f64)> = None;
        for mention in mentions {
            let source = corpus.sentences[mention.at].source;
            let of_text = names(&self.queries[item], |term| corpus.title_has(term, source))
                || corpus.sources[source].id == self.ids[item];
            let score = match (mention.named.contains(&item), mention.named.len()) {
                (true, 1) => mention.score * NAMED_ITSELF,
                (true, _) => mention.score,
                (false, 0) if of_text => mention.score,
                (false, _) => continue,
            };
            let measures = corpus
                .text(mention.at)
                .contains(|char: char| char.is_ascii_digit());
            let score = if measures { score * MEASURED } else { score };
            if best.is_none_or(|(_, most)| score > most) {
                best = Some((mention.at, score));
            }
        }
        best.map(|(at, _)| at)
    }
}

fn names(query: &Query, has: impl Fn(&crate::corpus::QueryTerm) -> bool) -> bool {
    let count = query.terms.iter().filter(|term| has(term)).count();
    count > 0 && count as f64 / query.terms.len() as f64 >= NAMED_MIN
}
