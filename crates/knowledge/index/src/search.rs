//! Finds passages: by words, words like them, words the corpus adds, neighbours and embeddings, and says why.

mod diversity;
mod expansion;
mod meaning;
mod neighbours;
mod profile;
mod query_terms;
mod scope;
mod spelling;
mod words;

use std::collections::BTreeMap;

use crate::index::Index;
use crate::query::{HITS_MAX, Query, Way};
use crate::ranking::Ranking;
use crate::search_result::{Diversity, Explained, Hit, SearchResult, WayShare};
use diversity::Placement;
use meaning::VectorMatches;
use scope::{Scope, Slot};
use words::{Scores, Term};

/// Passages that are ranked by more than their words.
const POOL_MAX: usize = 1_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spell {
    Exactly,
    Alike,
}

/// The best passages for a question.
pub fn search(index: &Index, query: &Query) -> SearchResult {
    search_with(index, query, &Ranking::default())
}

/// The same with other numbers, for measuring.
pub fn search_with(index: &Index, query: &Query, ranking: &Ranking) -> SearchResult {
    let scope = Scope::new(index, &query.filters);
    let word_matches = WordMatches::find(&scope, ranking, query);
    let vector = match query.ways.has(Way::Vectors) {
        true => query.vector.as_deref(),
        false => None,
    };
    let vector_matches = VectorMatches::find(&scope, vector);
    let ranked = RankedPassages::new(
        &scope,
        ranking,
        query,
        &word_matches,
        vector_matches.as_ref(),
    );
    let placements = if query.ways.has(Way::Diversity) {
        diversity::move_repetition_down(&scope, ranking, &ranked.order, query.limit)
    } else {
        ranked.in_order_of_score()
    };
    let hits = placements
        .iter()
        .take(query.limit.min(HITS_MAX))
        .enumerate()
        .map(|(rank, placement)| {
            let mut explained = word_matches.explain(&scope, ranking, placement.slot);
            explained.ways = ranked.shares[&placement.slot].clone();
            if query.ways.has(Way::Diversity) {
                explained.diversity = Some(explain_move(rank, placement));
            }
            make_hit(&scope, placement.slot, explained)
        })
        .collect();
    SearchResult {
        hits,
        expanded_with: word_matches.expanded_with(),
        chunks_with_vector: vector_matches.map_or(0, |vector_matches| vector_matches.covered),
        chunks_searched: count_searched(&scope),
    }
}

fn explain_move(rank_after: usize, placement: &Placement) -> Diversity {
    Diversity {
        from: counted_from_one(placement.from),
        to: counted_from_one(rank_after),
        factor: placement.factor,
    }
}

fn counted_from_one(rank: usize) -> u32 {
    u32::try_from(rank + 1).unwrap_or(u32::MAX)
}

fn make_hit(scope: &Scope<'_>, slot: Slot, explained: Explained) -> Hit {
    let (namespace, document, chunk) = scope.key(slot);
    Hit {
        namespace: namespace.clone(),
        document,
        chunk,
        score: explained.ways.iter().map(|way| way.share).sum(),
        explained,
    }
}

fn count_searched(scope: &Scope<'_>) -> u32 {
    let taken = scope.parts.iter().flat_map(|part| {
        let documents = &part.part.segment.content.documents;
        documents.iter().zip(&part.takes)
    });
    taken
        .filter(|(_, takes)| **takes)
        .map(|(document, _)| document.chunks)
        .fold(0, u32::saturating_add)
}

/// What was found by the question's words and those added to them.
struct WordMatches {
    terms: Vec<Term>,
    scores: Scores,
    best: Vec<(f64, Slot)>,
    neighbour_scores: Vec<(f64, Slot)>,
}

impl WordMatches {
    fn find(scope: &Scope<'_>, ranking: &Ranking, query: &Query) -> Self {
        let mut matches = Self {
            terms: Vec::new(),
            scores: Scores::new(scope),
            best: Vec::new(),
            neighbour_scores: Vec::new(),
        };
        if !query.ways.has(Way::Words) {
            return matches;
        }
        let spell = match query.ways.has(Way::Spelling) {
            true => Spell::Alike,
            false => Spell::Exactly,
        };
        let terms = query_terms::query_terms(scope, ranking, &query.text, spell);
        matches.add(scope, ranking, terms);
        if query.ways.has(Way::Expansion) {
            let first = matches
                .scores
                .best(scope, ranking, ranking.expansion_chunks);
            let weight = matches.terms.iter().map(|term| term.weight).sum();
            let more = expansion::expansion_terms(scope, ranking, &first, weight);
            matches.add(scope, ranking, more);
        }
        matches.best = matches.scores.best(scope, ranking, POOL_MAX);
        if query.ways.has(Way::Neighbours) {
            matches.neighbour_scores = neighbours::neighbour_scores(scope, ranking, &matches.best);
        }
        matches
    }

    fn add(&mut self, scope: &Scope<'_>, ranking: &Ranking, terms: Vec<Term>) {
        for term in terms {
            self.scores.add(scope, ranking, &term);
            self.terms.push(term);
        }
    }

    fn expanded_with(&self) -> Vec<(String, f64)> {
        self.terms
            .iter()
            .filter(|term| term.origin == crate::search_result::TermOrigin::Expanded)
            .map(|term| (term.text.clone(), term.weight))
            .collect()
    }

    fn explain(&self, scope: &Scope<'_>, ranking: &Ranking, slot: Slot) -> Explained {
        Explained {
            terms: self
                .terms
                .iter()
                .filter_map(|term| words::explain(scope, ranking, term, slot))
                .collect(),
            passage: self.scores.passage(slot),
            document: self.scores.document(scope.document(slot)),
            ..Explained::default()
        }
    }
}

/// The passages that any way found, ordered by the sum of their shares.
struct RankedPassages {
    order: Vec<(f64, Slot)>,
    shares: BTreeMap<Slot, Vec<WayShare>>,
}

impl RankedPassages {
    fn new(
        scope: &Scope<'_>,
        ranking: &Ranking,
        query: &Query,
        word_matches: &WordMatches,
        vector_matches: Option<&VectorMatches>,
    ) -> Self {
        let by_words = RankedList::new(Way::Words, 1.0, &word_matches.best);
        let neighbour_scores = scope.best(word_matches.neighbour_scores.clone(), POOL_MAX);
        let by_neighbours = RankedList::new(
            Way::Neighbours,
            ranking.neighbours_weight,
            &neighbour_scores,
        );
        let nearest = vector_matches.map_or(&[][..], |vector_matches| &vector_matches.best);
        let by_vectors = RankedList::new(Way::Vectors, ranking.vectors_weight, nearest);
        let mut shares = BTreeMap::new();
        let all = word_matches
            .best
            .iter()
            .chain(nearest)
            .map(|(_, slot)| *slot);
        for slot in all {
            let mut ways = vec![by_words.share(slot, word_matches.value(scope, ranking, slot))];
            if query.ways.has(Way::Neighbours) {
                ways.push(by_neighbours.share(slot, 0.0));
            }
            if let Some(vector_matches) = vector_matches {
                // A passage without an embedding is neither better nor worse for it.
                let other_shares: f64 = ways.iter().map(|way| way.share).sum();
                let other_weights = 1.0 + ranking.neighbours_weight;
                let value = vector_matches
                    .value(scope, slot)
                    .unwrap_or(other_shares / other_weights);
                ways.push(by_vectors.share_of_normed(slot, value));
            }
            shares.insert(slot, ways);
        }
        let scored = shares
            .iter()
            .map(|(slot, ways)| (ways.iter().map(|way| way.share).sum(), *slot))
            .collect();
        Self {
            order: scope.best(scored, HITS_MAX),
            shares,
        }
    }

    fn in_order_of_score(&self) -> Vec<Placement> {
        self.order
            .iter()
            .enumerate()
            .map(|(from, (_, slot))| Placement {
                slot: *slot,
                from,
                factor: 1.0,
            })
            .collect()
    }
}

impl WordMatches {
    /// Also for passages that embeddings found.
    fn value(&self, scope: &Scope<'_>, ranking: &Ranking, slot: Slot) -> f64 {
        if self.scores.passage(slot) > 0.0 {
            self.scores.value(scope, ranking, slot)
        } else {
            0.0
        }
    }
}

/// What one way found, best first.
struct RankedList {
    way: Way,
    weight: f64,
    best: f64,
    ranks: BTreeMap<Slot, (u32, f64)>,
}

impl RankedList {
    fn new(way: Way, weight: f64, list: &[(f64, Slot)]) -> Self {
        Self {
            way,
            weight,
            best: list.first().map_or(0.0, |(value, _)| *value),
            ranks: list
                .iter()
                .enumerate()
                .map(|(rank, (value, slot))| (*slot, (counted_from_one(rank), *value)))
                .collect(),
        }
    }

    /// The value of a passage as a part of the best; `otherwise` is the value of a passage that is not in the list.
    fn share(&self, slot: Slot, otherwise: f64) -> WayShare {
        let ranked = self.ranks.get(&slot);
        let value = ranked.map_or(otherwise, |(_, value)| *value);
        let part = if self.best > 0.0 {
            value / self.best
        } else {
            0.0
        };
        WayShare {
            way: self.way,
            rank: ranked.map(|(rank, _)| *rank),
            value,
            best: self.best,
            weight: self.weight,
            share: self.weight * part,
        }
    }

    /// Where the value is a part of the best already.
    fn share_of_normed(&self, slot: Slot, value: f64) -> WayShare {
        WayShare {
            way: self.way,
            rank: self.ranks.get(&slot).map(|(rank, _)| *rank),
            value,
            best: 1.0,
            weight: self.weight,
            share: self.weight * value,
        }
    }
}
