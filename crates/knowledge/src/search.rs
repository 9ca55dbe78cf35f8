//! Finds passages: by words, words like them, words the corpus adds, neighbours and embeddings, and says why.

mod asked;
mod diversity;
mod expansion;
mod meaning;
mod neighbours;
mod profile;
mod scope;
mod spelling;
mod words;

use std::collections::BTreeMap;

use crate::found::{Diversity, Explained, Found, Hit, WayShare};
use crate::index::Index;
use crate::query::{HITS_MAX, Query, Way};
use crate::ranking::Ranking;
use diversity::Placed;
use meaning::Meaning;
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
pub fn search(index: &Index, query: &Query) -> Found {
    search_with(index, query, &Ranking::default())
}

/// The same with other numbers, for measuring.
pub fn search_with(index: &Index, query: &Query, ranking: &Ranking) -> Found {
    let scope = Scope::of(index, &query.filters);
    let by_words = ByWords::of(&scope, ranking, query);
    let vector = match query.ways.has(Way::Vectors) {
        true => query.vector.as_deref(),
        false => None,
    };
    let meaning = Meaning::of(&scope, vector);
    let ranked = Ranked::of(&scope, ranking, query, &by_words, meaning.as_ref());
    let placed = if query.ways.has(Way::Diversity) {
        diversity::diversity(&scope, ranking, &ranked.order, query.limit)
    } else {
        ranked.as_they_are()
    };
    let hits = placed
        .iter()
        .take(query.limit.min(HITS_MAX))
        .enumerate()
        .map(|(place, placed)| {
            let mut explained = by_words.explain(&scope, ranking, placed.slot);
            explained.ways = ranked.shares[&placed.slot].clone();
            if query.ways.has(Way::Diversity) {
                explained.diversity = Some(moved(place, placed));
            }
            hit(&scope, placed.slot, explained)
        })
        .collect();
    Found {
        hits,
        expanded_with: by_words.expanded_with(),
        chunks_with_vector: meaning.map_or(0, |meaning| meaning.covered),
        chunks_searched: searched(&scope),
    }
}

fn moved(place: usize, placed: &Placed) -> Diversity {
    Diversity {
        from: rank(placed.from),
        to: rank(place),
        factor: placed.factor,
    }
}

/// Counted from 1.
fn rank(place: usize) -> u32 {
    u32::try_from(place + 1).unwrap_or(u32::MAX)
}

fn hit(scope: &Scope<'_>, slot: Slot, explained: Explained) -> Hit {
    let (namespace, document, chunk) = scope.key(slot);
    Hit {
        namespace: namespace.clone(),
        document,
        chunk,
        score: explained.ways.iter().map(|way| way.share).sum(),
        explained,
    }
}

fn searched(scope: &Scope<'_>) -> u32 {
    let taken = scope.parts.iter().flat_map(|part| {
        let documents = &part.part.segment.content.documents;
        documents.iter().zip(&part.takes)
    });
    taken
        .filter(|(_, takes)| **takes)
        .map(|(document, _)| document.chunks)
        .fold(0, u32::saturating_add)
}

/// What the question's words, and those added to them, found.
struct ByWords {
    terms: Vec<Term>,
    scores: Scores,
    best: Vec<(f64, Slot)>,
    lent: Vec<(f64, Slot)>,
}

impl ByWords {
    fn of(scope: &Scope<'_>, ranking: &Ranking, query: &Query) -> Self {
        let mut found = Self {
            terms: Vec::new(),
            scores: Scores::new(scope),
            best: Vec::new(),
            lent: Vec::new(),
        };
        if !query.ways.has(Way::Words) {
            return found;
        }
        let spell = match query.ways.has(Way::Spelling) {
            true => Spell::Alike,
            false => Spell::Exactly,
        };
        let asked = asked::asked(scope, ranking, &query.text, spell);
        found.add(scope, ranking, asked);
        if query.ways.has(Way::Expansion) {
            let first = found.scores.best(scope, ranking, ranking.expansion_chunks);
            let weight = found.terms.iter().map(|term| term.weight).sum();
            let more = expansion::expansion(scope, ranking, &first, weight);
            found.add(scope, ranking, more);
        }
        found.best = found.scores.best(scope, ranking, POOL_MAX);
        if query.ways.has(Way::Neighbours) {
            found.lent = neighbours::neighbours(scope, ranking, &found.best);
        }
        found
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
            .filter(|term| term.origin == crate::found::TermOrigin::Expanded)
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
            document: self.scores.of_document(scope.document(slot)),
            ..Explained::default()
        }
    }
}

/// All that was found by any way, by the sum of what each way says.
struct Ranked {
    order: Vec<(f64, Slot)>,
    shares: BTreeMap<Slot, Vec<WayShare>>,
}

impl Ranked {
    fn of(
        scope: &Scope<'_>,
        ranking: &Ranking,
        query: &Query,
        by_words: &ByWords,
        meaning: Option<&Meaning>,
    ) -> Self {
        let words = Listed::of(Way::Words, 1.0, &by_words.best);
        let lent = scope.best(by_words.lent.clone(), POOL_MAX);
        let lent = Listed::of(Way::Neighbours, ranking.neighbours_weight, &lent);
        let near = meaning.map_or(&[][..], |meaning| &meaning.best);
        let near_ranks = Listed::of(Way::Vectors, ranking.vectors_weight, near);
        let mut shares = BTreeMap::new();
        let all = by_words.best.iter().chain(near).map(|(_, slot)| *slot);
        for slot in all {
            let mut found = vec![words.share(slot, by_words.value(scope, ranking, slot))];
            if query.ways.has(Way::Neighbours) {
                found.push(lent.share(slot, 0.0));
            }
            if let Some(meaning) = meaning {
                // A passage without an embedding is neither better nor worse for it.
                let by_others: f64 = found.iter().map(|way| way.share).sum();
                let others = 1.0 + ranking.neighbours_weight;
                let value = meaning.value(scope, slot).unwrap_or(by_others / others);
                found.push(near_ranks.normed(slot, value));
            }
            shares.insert(slot, found);
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

    fn as_they_are(&self) -> Vec<Placed> {
        self.order
            .iter()
            .enumerate()
            .map(|(from, (_, slot))| Placed {
                slot: *slot,
                from,
                factor: 1.0,
            })
            .collect()
    }
}

impl ByWords {
    /// Also for passages that embeddings found.
    fn value(&self, scope: &Scope<'_>, ranking: &Ranking, slot: Slot) -> f64 {
        if self.scores.passage(slot) > 0.0 {
            self.scores.value(scope, ranking, slot)
        } else {
            0.0
        }
    }
}

/// The list of one way, best first.
struct Listed {
    way: Way,
    weight: f64,
    best: f64,
    places: BTreeMap<Slot, (u32, f64)>,
}

impl Listed {
    fn of(way: Way, weight: f64, list: &[(f64, Slot)]) -> Self {
        Self {
            way,
            weight,
            best: list.first().map_or(0.0, |(value, _)| *value),
            places: list
                .iter()
                .enumerate()
                .map(|(place, (value, slot))| (*slot, (rank(place), *value)))
                .collect(),
        }
    }

    /// Its part of the best; `otherwise` for what the list does not have.
    fn share(&self, slot: Slot, otherwise: f64) -> WayShare {
        let place = self.places.get(&slot);
        let value = place.map_or(otherwise, |(_, value)| *value);
        let part = if self.best > 0.0 {
            value / self.best
        } else {
            0.0
        };
        WayShare {
            way: self.way,
            rank: place.map(|(rank, _)| *rank),
            value,
            best: self.best,
            weight: self.weight,
            share: self.weight * part,
        }
    }

    /// Where the value is a part of the best already.
    fn normed(&self, slot: Slot, value: f64) -> WayShare {
        WayShare {
            way: self.way,
            rank: self.places.get(&slot).map(|(rank, _)| *rank),
            value,
            best: 1.0,
            weight: self.weight,
            share: self.weight * value,
        }
    }
}
