//! How many orders give each value of a rank statistic, counted exactly. Sums wrap at 2^128 on the way, which is
//! harmless: what they end at is smaller, and that is checked before.

/// Steps one exact distribution may take.
pub(crate) const COUNTING_STEPS_MAX: u64 = 50_000_000;

/// Counts of each value of a statistic, from zero up.
pub(crate) struct Distribution {
    counts: Vec<u128>,
    total: f64,
}

impl Distribution {
    fn new(counts: Vec<u128>) -> Self {
        let total = counts.iter().map(|&count| count as f64).sum();
        Self { counts, total }
    }

    pub(crate) fn at_most(&self, value: usize) -> f64 {
        let end = (value + 1).min(self.counts.len());
        self.counts[..end]
            .iter()
            .map(|&count| count as f64)
            .sum::<f64>()
            / self.total
    }

    pub(crate) fn at_least(&self, value: usize) -> f64 {
        let start = value.min(self.counts.len());
        self.counts[start..]
            .iter()
            .map(|&count| count as f64)
            .sum::<f64>()
            / self.total
    }
}

/// Mann-Whitney's U for two samples without ties; none if it is too large to count.
pub(crate) fn mann_whitney(n_a: usize, n_b: usize) -> Option<Distribution> {
    let (few, many) = (n_a.min(n_b), n_a.max(n_b));
    let last = few.checked_mul(many)?;
    let steps = (last as u64).checked_mul(few as u64)?;
    if steps > COUNTING_STEPS_MAX || !fits(few, many) {
        return None;
    }
    let mut counts = vec![0u128; last + 1];
    counts[0] = 1;
    // The generating function is a product of (1 - q^(many + i)) / (1 - q^i).
    for i in 1..=few {
        for u in (many + i..=last).rev() {
            counts[u] = counts[u].wrapping_sub(counts[u - many - i]);
        }
        for u in i..=last {
            counts[u] = counts[u].wrapping_add(counts[u - i]);
        }
    }
    Some(Distribution::new(counts))
}

fn fits(few: usize, many: usize) -> bool {
    let bits: f64 = (1..=few)
        .map(|i| libm::log2((many + i) as f64 / i as f64))
        .sum();
    bits < 126.0
}

/// Wilcoxon's sum of positive ranks for `n` differences without ties; none if it is too large to count.
pub(crate) fn signed_rank(n: usize) -> Option<Distribution> {
    if n > 120 {
        return None;
    }
    let last = n * (n + 1) / 2;
    let mut counts = vec![0u128; last + 1];
    counts[0] = 1;
    for rank in 1..=n {
        for sum in (rank..=last).rev() {
            counts[sum] += counts[sum - rank];
        }
    }
    Some(Distribution::new(counts))
}

/// Kendall's number of discordant pairs for `n` pairs without ties; none if it is too large to count.
pub(crate) fn discordant_pairs(n: usize) -> Option<Distribution> {
    if n > 33 {
        return None;
    }
    let last = n * (n - 1) / 2;
    let mut counts = vec![0u128; last + 1];
    counts[0] = 1;
    for i in 2..=n {
        for d in (i..=last).rev() {
            counts[d] = counts[d].wrapping_sub(counts[d - i]);
        }
        for d in 1..=last {
            counts[d] = counts[d].wrapping_add(counts[d - 1]);
        }
    }
    Some(Distribution::new(counts))
}
