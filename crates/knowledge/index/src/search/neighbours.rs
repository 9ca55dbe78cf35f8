//! Passages that say much the same are worth much the same: each takes from the likest of the best.

use crate::ranking::Ranking;
use crate::search::profile::Profile;
use crate::search::scope::{Scope, Slot};

/// What each of the best passages has from its neighbours, in the order given.
pub(crate) fn neighbour_scores(
    scope: &Scope<'_>,
    ranking: &Ranking,
    best: &[(f64, Slot)],
) -> Vec<(f64, Slot)> {
    let pool = &best[..best.len().min(ranking.neighbour_pool)];
    let count = pool.len();
    let likeness = likeness(scope, pool);
    pool.iter()
        .enumerate()
        .map(|(i, (_, slot))| {
            let row = &likeness[i * count..(i + 1) * count];
            (mean_of_likest(row, i, pool, ranking.neighbours), *slot)
        })
        .collect()
}

/// Of each with each, a row per passage. Term by term, because most pairs have few terms in common.
fn likeness(scope: &Scope<'_>, pool: &[(f64, Slot)]) -> Vec<f64> {
    let count = pool.len();
    let mut weights: Vec<(u32, usize, f64)> = Vec::new();
    for (place, (_, slot)) in pool.iter().enumerate() {
        let profile = Profile::new(scope, *slot);
        weights.extend(
            profile
                .weights()
                .map(|(term, weight)| (term, place, weight)),
        );
    }
    weights.sort_unstable_by_key(|(term, place, _)| (*term, *place));
    let mut likeness = vec![0.0; count * count];
    for having in weights.chunk_by(|left, right| left.0 == right.0) {
        for (_, left, weight) in having {
            let row = &mut likeness[left * count..(left + 1) * count];
            for (_, right, other) in having {
                row[*right] += weight * other;
            }
        }
    }
    likeness
}

/// The mean worth of the likest, each by its likeness.
fn mean_of_likest(likeness: &[f64], own: usize, pool: &[(f64, Slot)], most: usize) -> f64 {
    let mut likest: Vec<(f64, usize)> = likeness
        .iter()
        .enumerate()
        .filter(|(other, like)| *other != own && **like > 0.0)
        .map(|(other, like)| (*like, other))
        .collect();
    // Of two that are equally like, the one that ranks higher.
    likest.sort_unstable_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
    likest.truncate(most);
    let (mut worth, mut total) = (0.0, 0.0);
    for (like, other) in likest {
        worth += like * pool[other].0;
        total += like;
    }
    if total > 0.0 { worth / total } else { 0.0 }
}
