//! How good a ranking is.

use std::collections::BTreeMap;

use crate::collection::Question;

#[derive(Debug, Clone, Copy, Default)]
pub struct Measures {
    pub ndcg_10: f64,
    pub precision_10: f64,
    pub average_precision: f64,
    pub recall_100: f64,
}

/// Gains are used as they are (linear), discounted by the logarithm of the rank.
pub fn of(ranking: &[u32], question: &Question) -> Option<Measures> {
    let gains = &question.gains;
    let relevant = gains.values().filter(|gain| **gain > 0).count() as f64;
    let mut best: Vec<u32> = gains.values().copied().collect();
    best.sort_unstable_by(|left, right| right.cmp(left));
    let ideal = discounted(best.iter().copied());
    if ideal == 0.0 {
        return None;
    }
    let gain = |document: &u32| gains.get(document).copied().unwrap_or(0);
    let hits = |count: usize| ranking.iter().take(count).filter(|d| gain(d) > 0).count() as f64;
    let mut seen = 0.0;
    let mut precisions = 0.0;
    for (place, document) in ranking.iter().enumerate() {
        if gain(document) > 0 {
            seen += 1.0;
            precisions += seen / (place + 1) as f64;
        }
    }
    Some(Measures {
        ndcg_10: discounted(ranking.iter().map(gain)) / ideal,
        precision_10: hits(10) / 10.0,
        average_precision: precisions / relevant,
        recall_100: hits(100) / relevant,
    })
}

fn discounted(gains: impl Iterator<Item = u32>) -> f64 {
    gains
        .take(10)
        .enumerate()
        .map(|(place, gain)| f64::from(gain) / ((place + 2) as f64).log2())
        .sum()
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Half {
    Odd,
    Even,
}

/// The mean over the half's questions that have something relevant; questions are counted from 1.
pub fn mean(rankings: &BTreeMap<usize, Vec<u32>>, questions: &[Question], half: Half) -> Measures {
    let mut sum = Measures::default();
    let mut count = 0.0;
    for (place, ranking) in rankings {
        if in_half(*place, half)
            && let Some(one) = of(ranking, &questions[*place])
        {
            sum.ndcg_10 += one.ndcg_10;
            sum.precision_10 += one.precision_10;
            sum.average_precision += one.average_precision;
            sum.recall_100 += one.recall_100;
            count += 1.0;
        }
    }
    Measures {
        ndcg_10: sum.ndcg_10 / count,
        precision_10: sum.precision_10 / count,
        average_precision: sum.average_precision / count,
        recall_100: sum.recall_100 / count,
    }
}

pub fn in_half(place: usize, half: Half) -> bool {
    (place % 2 == 0) == (half == Half::Odd)
}
