//! How sure a suggestion is: how well the words fit, how central its tools are, and how short the ways between them are.

use serde::Serialize;

/// From here on a suggestion may be carried out without asking.
pub const SURE_ENOUGH: f64 = 0.6;

/// Below and from these densities of the graph of tools the parts weigh differently: the less is known of what follows what,
/// the more the words count.
const SPARSE: f64 = 0.01;
const DENSE: f64 = 0.10;

/// What a raw confidence has meant: the share of suggestions that were right, never falling, by the held-out intents of
/// tests/suggestion/calibration.json, which were written after the words were collected. They are few, so the ends are drawn in.
const MEANT: &[(f64, f64)] = &[
    (0.0, 0.05),
    (0.30, 0.15),
    (0.48, 0.40),
    (0.58, 0.60),
    (0.66, 0.75),
    (0.75, 0.88),
    (0.90, 0.92),
];

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
    pub(crate) fn new(hybrid: f64, pagerank: f64, path: f64, density: f64) -> Self {
        let weights = Weights::of(density);
        let raw = hybrid * weights.hybrid + pagerank * weights.pagerank + path * weights.path;
        Self {
            value: rounded(meant(raw)),
            raw: rounded(raw),
            hybrid: rounded(hybrid),
            pagerank: rounded(pagerank),
            path: rounded(path),
            density,
            weights,
        }
    }

    /// Of nothing.
    pub(crate) fn none(density: f64) -> Self {
        Self {
            value: 0.0,
            ..Self::new(0.0, 0.0, 0.0, density)
        }
    }
}

/// Between two points of the table on a straight line.
fn meant(raw: f64) -> f64 {
    let after = MEANT.iter().position(|(from, _)| *from > raw);
    match after {
        Some(0) => MEANT[0].1,
        None => MEANT.last().map_or(raw, |(_, share)| *share),
        Some(at) => {
            let ((from, low), (to, high)) = (MEANT[at - 1], MEANT[at]);
            low + (high - low) * (raw - from) / (to - from)
        }
    }
}

/// To thousandths: more would be noise.
fn rounded(value: f64) -> f64 {
    libm::round(value.clamp(0.0, 1.0) * 1_000.0) / 1_000.0
}
