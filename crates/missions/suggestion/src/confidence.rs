//! How sure a suggestion is: how well the words fit, how central its tools are, and how short the ways between them are.

use std::sync::LazyLock;

use serde::Serialize;

use crate::words::lines;

/// From here on a suggestion may be carried out without asking.
pub const SURE_ENOUGH: f64 = 0.6;

/// Below and from these densities of the graph of tools the parts weigh differently: the less is known of what follows what,
/// the more the words count.
const SPARSE: f64 = 0.01;
const DENSE: f64 = 0.10;

/// What a raw confidence has meant: the share of suggestions that were right, never falling, by held-out intents with known
/// tools. The ends are drawn in. A test reads every line of the tables.
static MEANT_OF_WORDS: LazyLock<Vec<(f64, f64)>> =
    LazyLock::new(|| read_meant(include_str!("../data/meant.txt")).unwrap_or_default());
static MEANT_OF_PAST: LazyLock<Vec<(f64, f64)>> =
    LazyLock::new(|| read_meant(include_str!("../data/meant_past.txt")).unwrap_or_default());
static MEANT_OF_LEARNED: LazyLock<Vec<(f64, f64)>> =
    LazyLock::new(|| read_meant(include_str!("../data/meant_learned.txt")).unwrap_or_default());

/// Of what it is said how well the words fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RestsOn {
    /// Of tools that are chosen by their own words, or because they were used before.
    Words,
    /// Of tools about which intents with known tools have taught.
    Learned,
    /// Of an earlier workflow, by how alike its intent is.
    Past,
}

/// Lines of a raw confidence and what it has meant, both in hundredths; or the line that is none.
fn read_meant(text: &str) -> Result<Vec<(f64, f64)>, String> {
    let read = |line: &str| {
        let (raw, share) = line.split_once('\t')?;
        let (raw, share): (u8, u8) = (raw.parse().ok()?, share.parse().ok()?);
        (raw <= 100 && share <= 100).then_some((f64::from(raw) / 100.0, f64::from(share) / 100.0))
    };
    lines(text)
        .map(|line| read(line).ok_or_else(|| line.to_owned()))
        .collect()
}

/// How sure a suggestion is. All values are from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Confidence {
    /// What the raw value has meant so far: this is what counts.
    pub value: f64,
    /// The weighted sum of the parts.
    pub raw: f64,
    /// How well the words of the intent fit the tools.
    pub hybrid: f64,
    /// How central the tools are among all that were called together.
    pub pagerank: f64,
    /// How short the ways from each tool to the next are among all that were called one after the other.
    pub path: f64,
    /// The share of all pairs of tools that were called one after the other.
    pub density: f64,
    pub weights: Weights,
}

/// What each part counts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Weights {
    pub hybrid: f64,
    pub pagerank: f64,
    pub path: f64,
}

impl Weights {
    fn of(density: f64) -> Self {
        let (hybrid, pagerank, path) = match density {
            _ if density < SPARSE => (0.85, 0.05, 0.10),
            _ if density < DENSE => (0.65, 0.20, 0.15),
            _ => (0.55, 0.30, 0.15),
        };
        Self {
            hybrid,
            pagerank,
            path,
        }
    }
}

impl Confidence {
    pub(crate) fn new(rests: RestsOn, hybrid: f64, pagerank: f64, path: f64, density: f64) -> Self {
        let weights = Weights::of(density);
        let raw = hybrid * weights.hybrid + pagerank * weights.pagerank + path * weights.path;
        Self {
            value: rounded(meant(rests, raw)),
            raw: rounded(raw),
            hybrid: rounded(hybrid),
            pagerank: rounded(pagerank),
            path: rounded(path),
            density,
            weights,
        }
    }

    /// Of an earlier workflow that is offered again: what it means that two intents are so alike, and how often it worked.
    pub(crate) fn repeated(
        similarity: f64,
        succeeded: f64,
        pagerank: f64,
        path: f64,
        density: f64,
    ) -> Self {
        let hybrid = similarity * succeeded;
        Self {
            value: rounded(meant(RestsOn::Past, similarity) * succeeded),
            ..Self::new(RestsOn::Past, hybrid, pagerank, path, density)
        }
    }

    /// Of nothing.
    pub(crate) fn none(density: f64) -> Self {
        Self {
            value: 0.0,
            ..Self::new(RestsOn::Words, 0.0, 0.0, 0.0, density)
        }
    }
}

/// Between two points of the table on a straight line.
fn meant(rests: RestsOn, raw: f64) -> f64 {
    let table = match rests {
        RestsOn::Words => &*MEANT_OF_WORDS,
        RestsOn::Learned => &*MEANT_OF_LEARNED,
        RestsOn::Past => &*MEANT_OF_PAST,
    };
    let after = table.iter().position(|(from, _)| *from > raw);
    match after {
        Some(0) => table[0].1,
        None => table.last().map_or(raw, |(_, share)| *share),
        Some(at) => {
            let ((from, low), (to, high)) = (table[at - 1], table[at]);
            low + (high - low) * (raw - from) / (to - from)
        }
    }
}

/// To thousandths: more would be noise.
fn rounded(value: f64) -> f64 {
    libm::round(value.clamp(0.0, 1.0) * 1_000.0) / 1_000.0
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that fails should stop")]
mod tests {
    use super::*;

    #[test]
    fn what_confidence_has_meant_never_falls() {
        let tables = [
            (RestsOn::Words, include_str!("../data/meant.txt")),
            (RestsOn::Learned, include_str!("../data/meant_learned.txt")),
            (RestsOn::Past, include_str!("../data/meant_past.txt")),
        ];
        for (rests, text) in tables {
            let table = read_meant(text).unwrap();
            assert!(table.len() > 1);
            let rises = |pair: &[(f64, f64)]| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1;
            assert!(table.windows(2).all(rises), "{table:?}");
            assert!(meant(rests, 0.0) <= meant(rests, 0.5));
            assert!(meant(rests, 0.5) <= meant(rests, 1.0));
        }
        // The same sum means more where it rests on what was learned.
        assert!(meant(RestsOn::Words, 0.3) < meant(RestsOn::Learned, 0.3));
    }
}
