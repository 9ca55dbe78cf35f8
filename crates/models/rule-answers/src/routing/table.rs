//! What each sign was learned to say for each mission.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::FACT;
use super::signs::Sign;

/// The weights stand in the file in hundredths.
const UNIT: f64 = 100.0;

/// The learned table.
#[derive(Debug)]
pub(crate) struct Table {
    /// The ids of the missions it knows, and `fact`: a question that wants no mission at all.
    pub(crate) kinds: Vec<String>,
    bias: Vec<f64>,
    /// What the log-odds of the missions are multiplied by, so that a probability is the share of right choices.
    slope: f64,
    weights: BTreeMap<String, Vec<(usize, f64)>>,
}

static TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::parse(include_str!("../../data/routing_weights.txt")));

pub(crate) fn table() -> &'static Table {
    &TABLE
}

impl Table {
    /// A row is a sign, a tab, and `kind=weight` separated by spaces. A row with another form counts for nothing.
    fn parse(text: &str) -> Self {
        let mut rows: BTreeMap<&str, &str> = BTreeMap::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            rows.extend(line.split_once('\t'));
        }
        let names = rows.remove("kinds").unwrap_or_default();
        let kinds: Vec<String> = names.split(' ').map(str::to_owned).collect();
        let slope = rows.remove("slope").and_then(hundredths).unwrap_or(1.0);
        let mut bias = vec![0.0; kinds.len()];
        for (kind, weight) in cells(rows.remove("bias").unwrap_or_default()) {
            if let Some(bias) = bias.get_mut(kind) {
                *bias = weight;
            }
        }
        let weights = rows
            .into_iter()
            .map(|(sign, row)| (sign.to_owned(), cells(row).collect()))
            .collect();
        Self {
            kinds,
            bias,
            slope,
            weights,
        }
    }

    /// How likely each kind is, in the order of [`Table::kinds`]: whether a fact is wanted, and if not, which mission.
    pub(crate) fn chances(&self, signs: &[Sign]) -> Vec<f64> {
        let mut odds = self.bias.clone();
        for sign in signs {
            for &(kind, weight) in self.weights.get(&sign.name).into_iter().flatten() {
                if let Some(odds) = odds.get_mut(kind) {
                    *odds += weight * sign.value;
                }
            }
        }
        let fact = self.kinds.iter().position(|kind| kind == FACT);
        let of_fact = fact.map_or(0.0, |fact| 1.0 / (1.0 + (-odds[fact]).exp()));
        if let Some(fact) = fact {
            odds[fact] = f64::NEG_INFINITY;
        }
        let most = odds.iter().copied().fold(f64::MIN, f64::max);
        let shares: Vec<f64> = odds
            .iter()
            .map(|odds| ((odds - most) * self.slope).exp())
            .collect();
        let all: f64 = shares.iter().sum();
        let mut chances: Vec<f64> = shares
            .iter()
            .map(|share| share / all * (1.0 - of_fact))
            .collect();
        if let Some(fact) = fact {
            chances[fact] = of_fact;
        }
        chances
    }

    /// What a sign says for a kind.
    pub(crate) fn says(&self, sign: &Sign, kind: usize) -> f64 {
        let row = self.weights.get(&sign.name).into_iter().flatten();
        row.filter(|(of, _)| *of == kind)
            .map(|(_, weight)| weight * sign.value)
            .sum()
    }
}

fn cells(row: &str) -> impl Iterator<Item = (usize, f64)> {
    row.split(' ').filter_map(|cell| {
        let (kind, weight) = cell.split_once('=')?;
        Some((kind.parse().ok()?, hundredths(weight)?))
    })
}

fn hundredths(number: &str) -> Option<f64> {
    Some(f64::from(number.parse::<i32>().ok()?) / UNIT)
}
