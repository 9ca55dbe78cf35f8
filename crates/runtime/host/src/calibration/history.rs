//! Every forecast with what came of it, in the order in which that became known.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};

use crate::calibration::{Forecast, Outcome};

/// The shape of a written history. One of another version is refused, never guessed at.
pub const HISTORY_VERSION: u16 = 1;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    pub forecast: Forecast,
    pub outcome: Outcome,
}

/// What is kept for good: pairs are added and never changed, so that a judgement that was revised stays to be seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct History {
    #[serde(deserialize_with = "this_version")]
    version: u16,
    pairs: Vec<Pair>,
}

impl Default for History {
    fn default() -> Self {
        Self {
            version: HISTORY_VERSION,
            pairs: Vec::new(),
        }
    }
}

impl History {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn add(&mut self, forecast: Forecast, outcome: Outcome) {
        self.pairs.push(Pair { forecast, outcome });
    }

    /// All of it, in the order in which it was added.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// What counts: each forecast once with its latest outcome, the oldest outcome first. Of two outcomes at the same
    /// instant the one that was added later is the latest.
    pub fn current_pairs(&self) -> Vec<&Pair> {
        let mut latest: BTreeMap<_, (usize, &Pair)> = BTreeMap::new();
        for (place, pair) in self.pairs.iter().enumerate() {
            let entry = latest.entry(pair.forecast.key()).or_insert((place, pair));
            if pair.outcome.at >= entry.1.outcome.at {
                *entry = (place, pair);
            }
        }
        let mut current_pairs: Vec<_> = latest.into_values().collect();
        current_pairs.sort_by_key(|(place, pair)| (pair.outcome.at, *place));
        current_pairs.into_iter().map(|(_, pair)| pair).collect()
    }
}

fn this_version<'de, D: Deserializer<'de>>(from: D) -> Result<u16, D::Error> {
    crate::calibration::table::expect_version(u16::deserialize(from)?, HISTORY_VERSION)
}
