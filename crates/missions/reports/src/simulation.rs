//! A simulation out of ranges that sources give: low, most likely and high, drawn by a seed.

mod charts;
mod ranges;

use adjutant_charts::Chart;
use adjutant_questions::{Evidence, Source};
use adjutant_statistics::{
    Answer, Count, Figure, Figures, Input, InputDistribution, Model, MonteCarlo, Request, analyse,
};
use serde::{Deserialize, Serialize};

use crate::decision::{Bound, amount, is_measure};
use crate::passages::keep_to_the_subject;

/// More inputs in one sum are more work than one request may ask for.
const INPUTS_MAX: usize = 20;
const BINS: usize = 20;
const DRAWS_MIN: u64 = 100;
const DRAWS_MAX: u64 = 100_000;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Simulate {
    #[serde(default)]
    pub sources: Vec<Source>,
    #[serde(default)]
    pub objective: String,
    #[serde(default = "seed")]
    pub seed: u64,
    #[serde(default = "draws")]
    pub draws: u64,
}

fn seed() -> u64 {
    1
}

fn draws() -> u64 {
    10_000
}

impl Default for Simulate {
    fn default() -> Self {
        Self {
            sources: Vec::new(),
            objective: String::new(),
            seed: seed(),
            draws: draws(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Simulation {
    pub runs: Vec<Run>,
    pub seed: u64,
    pub draws: u64,
    /// Why nothing, or not all, was simulated.
    pub not_simulated: Vec<String>,
    pub not_found: Vec<String>,
}

/// One result: a quantity by itself, or the sum of several of the same unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub name: String,
    pub unit: String,
    pub inputs: Vec<Range>,
    pub mean: f64,
    pub p10: f64,
    pub p50: f64,
    pub p90: f64,
    /// The same percentiles if all inputs move together: for sums, where that is the other extreme.
    pub together: Option<Together>,
    pub limit: Option<Limit>,
    pub histogram: Option<Chart>,
    pub tornado: Option<Chart>,
    /// One line that says exactly what was computed.
    pub method: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Together {
    pub p10: f64,
    pub p90: f64,
}

/// An input as a source gives it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Range {
    pub name: String,
    pub low: f64,
    pub likely: f64,
    pub high: f64,
    pub evidence: Vec<Evidence>,
}

/// A value that a source sets, and how likely it is to be missed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Limit {
    /// `at least 5 mmHg`
    pub told: String,
    pub value: f64,
    /// From 0 to 1.
    pub chance_missed: f64,
    pub evidence: Vec<Evidence>,
}

/// Simulates every set of ranges that the sources give.
pub fn simulation(mut request: Simulate) -> Simulation {
    keep_to_the_subject(&request.objective, &mut request.sources);
    let draws = request.draws.clamp(DRAWS_MIN, DRAWS_MAX);
    let mut made = Simulation {
        runs: Vec::new(),
        seed: request.seed,
        draws,
        not_simulated: Vec::new(),
        not_found: Vec::new(),
    };
    let sets = ranges::sets(&request.sources);
    if sets.is_empty() {
        made.not_simulated.push(
            "No source gives low, most likely and high values, so there is nothing to draw from"
                .to_owned(),
        );
        made.not_found.push("ranges for a simulation".to_owned());
    }
    for set in sets {
        let limit = ranges::limit(&request.sources, &set);
        match run(&set, limit, request.seed, draws) {
            Ok(run) => made.runs.push(run),
            Err(why) => made.not_simulated.push(format!("{}: {why}", set.name)),
        }
    }
    made
}

/// Ranges whose sum, or whose single value, is the result.
#[derive(Debug, Clone)]
pub(crate) struct RangeSet {
    pub(crate) name: String,
    /// As written: `keur`, `months`.
    pub(crate) unit: String,
    pub(crate) ranges: Vec<Range>,
}

impl RangeSet {
    fn sum(&self, of: impl Fn(&Range) -> f64) -> f64 {
        self.ranges.iter().map(of).sum()
    }
}

fn run(
    set: &RangeSet,
    limit: Option<(Bound, f64, Vec<Evidence>)>,
    seed: u64,
    draws: u64,
) -> Result<Run, String> {
    if set.ranges.len() > INPUTS_MAX {
        return Err(format!("more than {INPUTS_MAX} ranges in one sum"));
    }
    let (low, high) = (set.sum(|at| at.low), set.sum(|at| at.high));
    let edges: Vec<f64> = (0..=BINS)
        .map(|nth| low + (high - low) * nth as f64 / BINS as f64)
        .collect();
    let mut thresholds = edges.clone();
    thresholds.extend(limit.as_ref().map(|(_, value, _)| *value));
    let answer = drawn(&set.ranges, seed, draws, thresholds)?;
    let number = |name: &str| answer.figures.number(name).ok_or("no result");
    let percentile =
        |percent: f64| listed(&answer.figures, "percentiles", "percent", percent, "value");
    let below = |value: f64| listed(&answer.figures, "thresholds", "threshold", value, "below");
    let together = (set.ranges.len() > 1)
        .then(|| together(set, seed, draws))
        .flatten();
    let limit = limit.and_then(|(bound, value, evidence)| {
        let below = below(value)?;
        let chance_missed = if bound.holds(f64::MAX) {
            below
        } else {
            1.0 - below
        };
        Some(Limit {
            told: bound.told(),
            value,
            chance_missed,
            evidence,
        })
    });
    let shares: Vec<f64> = edges
        .windows(2)
        .map(|pair| (below(pair[1]).unwrap_or(1.0) - below(pair[0]).unwrap_or(0.0)).max(0.0))
        .collect();
    Ok(Run {
        name: set.name.clone(),
        unit: set.unit.clone(),
        mean: number("mean")?,
        p10: percentile(10.0).ok_or("no percentile")?,
        p50: percentile(50.0).ok_or("no percentile")?,
        p90: percentile(90.0).ok_or("no percentile")?,
        together,
        limit,
        histogram: charts::histogram(set, &edges, &shares),
        tornado: charts::tornado(set),
        inputs: set.ranges.clone(),
        method: answer.method,
    })
}

fn drawn(ranges: &[Range], seed: u64, draws: u64, thresholds: Vec<f64>) -> Result<Answer, String> {
    let inputs = (1..).zip(ranges).map(|(nth, range)| Input {
        name: format!("input_{nth}"),
        distribution: InputDistribution::Pert {
            low: range.low,
            mode: range.likely,
            high: range.high,
        },
    });
    let request = MonteCarlo {
        inputs: inputs.collect(),
        model: Model::Sum,
        draws: Count(draws),
        seed,
        percentiles: vec![10.0, 50.0, 90.0],
        thresholds,
    };
    analyse(&Request::MonteCarlo(request)).map_err(|refusal| refusal.to_string())
}

/// One draw for all: the widest that the ranges allow.
fn together(set: &RangeSet, seed: u64, draws: u64) -> Option<Together> {
    let one = Range {
        name: set.name.clone(),
        low: set.sum(|at| at.low),
        likely: set.sum(|at| at.likely),
        high: set.sum(|at| at.high),
        evidence: Vec::new(),
    };
    let answer = drawn(&[one], seed, draws, Vec::new()).ok()?;
    let percentile =
        |percent: f64| listed(&answer.figures, "percentiles", "percent", percent, "value");
    Some(Together {
        p10: percentile(10.0)?,
        p90: percentile(90.0)?,
    })
}

/// A figure of the group in a list whose key has that value.
fn listed(figures: &Figures, list: &str, key: &str, value: f64, wanted: &str) -> Option<f64> {
    let Figure::List(all) = figures.get(list)? else {
        return None;
    };
    all.iter().find_map(|one| match one {
        Figure::Group(group) if group.number(key) == Some(value) => group.number(wanted),
        _ => None,
    })
}

/// A value in the unit of a run, as people write it.
pub(crate) fn told(value: f64, unit: &str) -> String {
    match unit {
        "eur" | "%" => amount(value, unit),
        _ if is_measure(unit) => amount(value, unit),
        _ => format!(
            "{} {unit}",
            crate::text::written(value, if value.abs() >= 100.0 { 0 } else { 1 })
        )
        .trim()
        .to_owned(),
    }
}
