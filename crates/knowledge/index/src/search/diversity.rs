//! Not the same thing twice: further passages of a document, and passages that repeat another, step back.

use crate::ranking::Ranking;
use crate::search::profile::Profile;
use crate::search::scope::{Scope, Slot};

/// So many places are filled with care.
const PLACES_MAX: usize = 50;
/// Among so many passages for each place, and some more.
const POOL_PER_PLACE: usize = 2;
const POOL_MORE: usize = 20;
/// From here on a passage repeats another.
const REPETITION_LIKENESS: f64 = 0.95;

/// A passage, its place by score, and what it was multiplied by when it was chosen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placement {
    pub(crate) slot: Slot,
    pub(crate) from: usize,
    pub(crate) factor: f64,
}

struct Waiting {
    slot: Slot,
    from: usize,
    score: f64,
    factor: f64,
    document: usize,
    profile: Profile,
    repeats: Repeats,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Repeats {
    Nothing,
    AnotherHit,
}

/// The ranking again, with repetition further down. Scores stay what they are.
pub(crate) fn move_repetition_down(
    scope: &Scope<'_>,
    ranking: &Ranking,
    ranked: &[(f64, Slot)],
    limit: usize,
) -> Vec<Placement> {
    let places = limit.min(PLACES_MAX);
    let pool = places * POOL_PER_PLACE + POOL_MORE;
    let mut waiting: Vec<Waiting> = ranked
        .iter()
        .take(pool)
        .enumerate()
        .map(|(from, (score, slot))| Waiting {
            slot: *slot,
            from,
            score: *score,
            factor: 1.0,
            document: scope.document(*slot),
            profile: Profile::new(scope, *slot),
            repeats: Repeats::Nothing,
        })
        .collect();
    let mut placed: Vec<Placement> = Vec::new();
    while placed.len() < places && !waiting.is_empty() {
        let mut best = 0;
        for (place, candidate) in waiting.iter().enumerate() {
            let leader = &waiting[best];
            if candidate.score * candidate.factor > leader.score * leader.factor {
                best = place;
            }
        }
        let hit = waiting.remove(best);
        for other in &mut waiting {
            step_back(ranking, &hit, other);
        }
        placed.push(Placement {
            slot: hit.slot,
            from: hit.from,
            factor: hit.factor,
        });
    }
    placed.extend(waiting.iter().map(|left| Placement {
        slot: left.slot,
        from: left.from,
        factor: left.factor,
    }));
    let rest = ranked.iter().enumerate().skip(pool);
    placed.extend(rest.map(|(from, (_, slot))| Placement {
        slot: *slot,
        from,
        factor: 1.0,
    }));
    placed
}

fn step_back(ranking: &Ranking, hit: &Waiting, other: &mut Waiting) {
    if hit.document == other.document {
        other.factor *= ranking.same_document_factor;
    }
    if other.repeats == Repeats::Nothing
        && hit.profile.is_as_long_as(&other.profile)
        && hit.profile.likeness(&other.profile) >= REPETITION_LIKENESS
    {
        other.repeats = Repeats::AnotherHit;
        other.factor *= ranking.repetition_factor;
    }
}
