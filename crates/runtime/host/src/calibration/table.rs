//! What forecasts and their outcomes come to. Sums are of integers, so the same pairs give the same table everywhere.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};

use crate::calibration::{History, Pair, Ppm};

/// The shape of a written table.
pub const TABLE_VERSION: u16 = 1;

/// Confidences are told apart by tenths.
pub const BINS: usize = 10;
const BIN_WIDTH: u32 = Ppm::WHOLE.get() / BINS as u32;

/// With fewer outcomes than this nothing is said about what a confidence means.
pub const OUTCOMES_MIN: u64 = 5;

const WHOLE: u128 = Ppm::WHOLE.get() as u128;

/// How good confidences were: in all, by who stated them, and by what they were about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    #[serde(deserialize_with = "this_version")]
    version: u16,
    pub all: Score,
    pub by_agent: BTreeMap<String, Score>,
    pub by_kind: BTreeMap<String, Score>,
    /// How the score in all came about, one point for each outcome.
    pub history: Vec<Point>,
}

/// How good a set of forecasts was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Score {
    pub count: u64,
    /// The mean squared distance between what was said and what turned out: 0 is perfect, and always saying one half
    /// gets 250,000. None if there are no outcomes.
    pub brier: Option<Ppm>,
    pub bins: Vec<Bin>,
}

/// The forecasts of one tenth: from its lower end on, without its upper end; the last has both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bin {
    pub from: Ppm,
    pub to: Ppm,
    pub count: u64,
    /// The mean of what was said; none if nothing was.
    pub said: Option<Ppm>,
    /// The share that turned out right.
    pub right: Option<Ppm>,
}

/// The score as it was after an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    pub at: i64,
    pub count: u64,
    pub brier: Ppm,
}

/// What this confidence has meant so far; nothing if there are too few outcomes to tell.
pub fn calibrated(confidence: Ppm, table: &Table) -> Option<Ppm> {
    table.all.calibrated(confidence)
}

impl Table {
    pub fn of(history: &History) -> Self {
        let (mut all, mut points) = (Sums::default(), Vec::new());
        let mut by_agent: BTreeMap<String, Sums> = BTreeMap::new();
        let mut by_kind: BTreeMap<String, Sums> = BTreeMap::new();
        for pair in history.current_pairs() {
            all.add(pair);
            let forecast = &pair.forecast;
            by_agent
                .entry(forecast.agent.clone())
                .or_default()
                .add(pair);
            by_kind.entry(forecast.kind.clone()).or_default().add(pair);
            points.extend(all.brier().map(|brier| Point {
                at: pair.outcome.at,
                count: all.count,
                brier,
            }));
        }
        let scores = |sums: BTreeMap<String, Sums>| {
            let scores = sums.into_iter().map(|(name, sums)| (name, sums.score()));
            scores.collect()
        };
        Self {
            version: TABLE_VERSION,
            all: all.score(),
            by_agent: scores(by_agent),
            by_kind: scores(by_kind),
            history: points,
        }
    }
}

impl Score {
    /// What this confidence has meant so far, among these forecasts; nothing if there are fewer than [`OUTCOMES_MIN`].
    ///
    /// It is the share of its tenth that turned out right, drawn towards one half as if one more had been right and one
    /// more wrong, and evened out so that being surer never means less. A tenth in which nothing was said means what
    /// the next one below means; below all of them the confidence is taken at its word, up to what the lowest means.
    pub fn calibrated(&self, confidence: Ppm) -> Option<Ppm> {
        if self.count < OUTCOMES_MIN {
            return None;
        }
        let steps = evened_out(&self.bins);
        let reached = steps.iter().rev().find(|(bin, _)| bin.from <= confidence);
        match (reached, steps.first()) {
            (Some((_, meant)), _) => Some(*meant),
            (None, Some((_, lowest))) => Some(confidence.min(*lowest)),
            (None, None) => None,
        }
    }
}

/// What the tenths mean in which something was said, never falling: neighbours that would fall are taken together.
fn evened_out(bins: &[Bin]) -> Vec<(Bin, Ppm)> {
    struct Pool {
        bins: Vec<Bin>,
        right: u128,
        count: u128,
    }
    let known = bins.iter().filter_map(|bin| Some((bin, bin.right?)));
    let mut pools: Vec<Pool> = Vec::new();
    for (bin, right) in known {
        let count = u128::from(bin.count);
        let mut pool = Pool {
            bins: vec![*bin],
            right: u128::from(right.get()) * count + WHOLE,
            count: count + 2,
        };
        // As fractions, multiplied out.
        while let Some(before) =
            pools.pop_if(|before| before.right * pool.count > pool.right * before.count)
        {
            pool.right += before.right;
            pool.count += before.count;
            pool.bins.splice(0..0, before.bins);
        }
        pools.push(pool);
    }
    let meant = |pool: &Pool| share_of(pool.right, pool.count);
    let steps = pools
        .iter()
        .flat_map(|pool| pool.bins.iter().map(move |bin| (*bin, meant(pool))));
    steps.collect()
}

#[derive(Clone, Copy, Default)]
struct BinSums {
    count: u64,
    said: u128,
    right: u128,
}

#[derive(Default)]
struct Sums {
    count: u64,
    /// Of squared distances, in squared parts per million.
    squares: u128,
    bins: [BinSums; BINS],
}

impl Sums {
    fn add(&mut self, pair: &Pair) {
        let (said, right) = (pair.forecast.confidence, pair.outcome.worth.share());
        let distance = u128::from(said.get().abs_diff(right.get()));
        self.count += 1;
        self.squares += distance * distance;
        let place = (said.get() / BIN_WIDTH) as usize;
        if let Some(bin) = self.bins.get_mut(place.min(BINS - 1)) {
            bin.count += 1;
            bin.said += u128::from(said.get());
            bin.right += u128::from(right.get());
        }
    }

    fn brier(&self) -> Option<Ppm> {
        let parts = u128::from(self.count) * WHOLE;
        (parts > 0).then(|| share_of(self.squares, parts))
    }

    fn score(&self) -> Score {
        let bins = (0u32..).zip(&self.bins).map(|(place, sums)| {
            let count = u128::from(sums.count);
            let mean = |sum| (count > 0).then(|| share_of(sum, count));
            Bin {
                from: Ppm::new(place * BIN_WIDTH),
                to: Ppm::new((place + 1) * BIN_WIDTH),
                count: sums.count,
                said: mean(sums.said),
                right: mean(sums.right),
            }
        });
        Score {
            count: self.count,
            brier: self.brier(),
            bins: bins.collect(),
        }
    }
}

/// A mean of shares, to the nearest part per million.
fn share_of(sum: u128, count: u128) -> Ppm {
    let mean = (sum + count / 2) / count.max(1);
    Ppm::new(u32::try_from(mean).unwrap_or(u32::MAX))
}

fn this_version<'de, D: Deserializer<'de>>(from: D) -> Result<u16, D::Error> {
    expect_version(u16::deserialize(from)?, TABLE_VERSION)
}

pub(crate) fn expect_version<E: serde::de::Error>(found: u16, known: u16) -> Result<u16, E> {
    match found == known {
        true => Ok(found),
        false => Err(E::custom(format_args!(
            "it has version {found}; only version {known} is supported"
        ))),
    }
}
