//! Sums every analysis shares: means, variances, quantiles, ranks.

use libm::sqrt;

pub(crate) fn mean(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let first = values.iter().sum::<f64>() / n;
    // The second pass takes back what rounding did to the first.
    first + values.iter().map(|value| value - first).sum::<f64>() / n
}

/// The values as seen from `origin`.
pub(crate) fn seen_from(origin: f64, values: &[f64]) -> Vec<f64> {
    values.iter().map(|value| value - origin).collect()
}

/// Mean of `a` less mean of `b`, with the digits that means far from zero would lose.
pub(crate) fn mean_difference(a: &[f64], b: &[f64]) -> f64 {
    let origin = a[0];
    mean(&seen_from(origin, a)) - mean(&seen_from(origin, b))
}

/// Sum of squared deviations from the mean.
pub(crate) fn squares(values: &[f64]) -> f64 {
    let centre = mean(values);
    values
        .iter()
        .map(|value| (value - centre) * (value - centre))
        .sum()
}

pub(crate) fn variance(values: &[f64]) -> f64 {
    squares(values) / (values.len() as f64 - 1.0)
}

pub(crate) fn deviation(values: &[f64]) -> f64 {
    sqrt(variance(values))
}

/// Mean of the deviations' `power`th power.
pub(crate) fn central_moment(values: &[f64], power: usize) -> f64 {
    let centre = mean(values);
    let sum: f64 = values
        .iter()
        .map(|value| (0..power).fold(1.0, |product, _| product * (value - centre)))
        .sum();
    sum / values.len() as f64
}

pub(crate) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// Linear interpolation between order statistics (type 7 of Hyndman and Fan).
pub(crate) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() as f64 - 1.0);
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}

/// The median, for which the values need not be sorted through; they end up in another order.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    let half = values.len() / 2;
    let even = values.len().is_multiple_of(2);
    let (below, middle, _) = values.select_nth_unstable_by(half, f64::total_cmp);
    if even {
        let largest = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        largest + (*middle - largest) / 2.0
    } else {
        *middle
    }
}

/// Ranks from one, ties sharing their mean rank, and the sizes of the ties.
pub(crate) struct Ranks {
    pub(crate) ranks: Vec<f64>,
    pub(crate) ties: Vec<usize>,
}

impl Ranks {
    pub(crate) fn of(values: &[f64]) -> Self {
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|&left, &right| values[left].total_cmp(&values[right]));
        let mut ranks = vec![0.0; values.len()];
        let mut ties = Vec::new();
        let mut before = 0;
        for run in order.chunk_by(|&left, &right| values[left] == values[right]) {
            let rank = before as f64 + (run.len() as f64 + 1.0) / 2.0;
            for &index in run {
                ranks[index] = rank;
            }
            if run.len() > 1 {
                ties.push(run.len());
            }
            before += run.len();
        }
        Self { ranks, ties }
    }

    pub(crate) fn tied(&self) -> bool {
        !self.ties.is_empty()
    }

    /// Sum of `t³ - t` over the ties.
    pub(crate) fn tie_sum(&self) -> f64 {
        self.ties
            .iter()
            .map(|&size| {
                let size = size as f64;
                size * size * size - size
            })
            .sum()
    }
}
