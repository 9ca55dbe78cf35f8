//! Counts in tables: chi-square tests.

use libm::sqrt;
use serde::Deserialize;

use crate::checks::{self, Count, GROUPS_MAX};
use crate::distributions::chi_square_upper;
use crate::{Answer, Figures, Refusal};

/// Whether a two-by-two table is corrected for continuity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Correction {
    /// Yates' correction, for tables of two by two only.
    #[default]
    Yates,
    None,
}

/// Are rows and columns of a table of counts independent?
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChiSquareIndependence {
    pub table: Vec<Vec<Count>>,
    #[serde(default)]
    pub correction: Correction,
}

/// Do counts follow given expectations? Without `expected`, all are expected alike.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChiSquareFit {
    pub observed: Vec<Count>,
    /// Counts or shares; scaled to the sum of the observed counts.
    #[serde(default)]
    pub expected: Option<Vec<f64>>,
}

/// Expected counts below this make the approximation doubtful.
const EXPECTED_FEW: f64 = 5.0;

/// A table of counts with its margins, none of which is empty.
pub(crate) struct Margins {
    pub(crate) cells: Vec<Vec<f64>>,
    pub(crate) rows: Vec<f64>,
    pub(crate) columns: Vec<f64>,
    pub(crate) total: f64,
}

impl Margins {
    pub(crate) fn of(table: &[Vec<Count>]) -> Result<Self, Refusal> {
        checks::length("table", table.len(), 2, GROUPS_MAX)?;
        checks::length("table[0]", table[0].len(), 2, GROUPS_MAX)?;
        for (index, row) in table.iter().enumerate() {
            checks::same_length(
                "table[0]",
                table[0].len(),
                &format!("table[{index}]"),
                row.len(),
            )?;
        }
        let cells: Vec<Vec<f64>> = table
            .iter()
            .map(|row| row.iter().map(|count| count.value()).collect())
            .collect();
        let rows: Vec<f64> = cells.iter().map(|row| row.iter().sum()).collect();
        let columns: Vec<f64> = (0..table[0].len())
            .map(|column| cells.iter().map(|row| row[column]).sum())
            .collect();
        let empty = |name: &str, sums: &[f64]| match sums.iter().position(|&sum| sum == 0.0) {
            Some(index) => Err(Refusal::Unsuitable {
                field: "table".to_owned(),
                problem: format!("has nothing in {name} {index}"),
                remedy: "leave it out",
            }),
            None => Ok(()),
        };
        empty("row", &rows)?;
        empty("column", &columns)?;
        let total = rows.iter().sum();
        Ok(Self {
            cells,
            rows,
            columns,
            total,
        })
    }

    pub(crate) fn expected(&self, row: usize, column: usize) -> f64 {
        self.rows[row] * self.columns[column] / self.total
    }

    pub(crate) fn two_by_two(&self) -> bool {
        self.rows.len() == 2 && self.columns.len() == 2
    }

    pub(crate) fn df(&self) -> f64 {
        (self.rows.len() as f64 - 1.0) * (self.columns.len() as f64 - 1.0)
    }

    pub(crate) fn chi_square(&self, correction: Correction) -> f64 {
        let mut sum = 0.0;
        for (row, cells) in self.cells.iter().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                let expected = self.expected(row, column);
                let mut off = (cell - expected).abs();
                if correction == Correction::Yates && self.two_by_two() {
                    off -= off.min(0.5);
                }
                sum += off * off / expected;
            }
        }
        sum
    }

    pub(crate) fn cramer_v(&self) -> f64 {
        let smaller = self.rows.len().min(self.columns.len()) as f64;
        sqrt(self.chi_square(Correction::None) / (self.total * (smaller - 1.0)))
    }
}

pub(crate) fn independence(request: &ChiSquareIndependence) -> Result<Answer, Refusal> {
    let margins = Margins::of(&request.table)?;
    let statistic = margins.chi_square(request.correction);
    let expected: Vec<Vec<f64>> = (0..margins.rows.len())
        .map(|row| {
            (0..margins.columns.len())
                .map(|column| margins.expected(row, column))
                .collect()
        })
        .collect();
    let mut notes = Vec::new();
    note_few(&mut notes, expected.iter().flatten().copied());
    if !notes.is_empty() && margins.two_by_two() {
        notes.push("fisher_exact needs no such approximation".to_owned());
    }
    let corrected = match request.correction {
        Correction::Yates if margins.two_by_two() => "with Yates' continuity correction",
        _ => "without continuity correction",
    };
    Ok(Answer {
        analysis: "chi_square_independence",
        figures: Figures::new()
            .with("statistic", statistic)
            .with("df", margins.df())
            .with("p", chi_square_upper(statistic, margins.df()))
            .with("cramer_v", margins.cramer_v())
            .with("n", margins.total as u64)
            .with("expected", expected),
        method: format!(
            "Pearson's chi-square test of independence, {corrected}; Cramer's V without correction"
        ),
        notes,
    })
}

pub(crate) fn fit(request: &ChiSquareFit) -> Result<Answer, Refusal> {
    checks::length("observed", request.observed.len(), 2, checks::VALUES_MAX)?;
    let total: f64 = request.observed.iter().map(|count| count.value()).sum();
    if total == 0.0 {
        return Err(Refusal::Unsuitable {
            field: "observed".to_owned(),
            problem: "counts nothing".to_owned(),
            remedy: "give counts above zero",
        });
    }
    let shares = match &request.expected {
        Some(expected) => {
            checks::sample("expected", expected, 2)?;
            checks::same_length(
                "observed",
                request.observed.len(),
                "expected",
                expected.len(),
            )?;
            for (index, &share) in expected.iter().enumerate() {
                checks::positive(&format!("expected[{index}]"), share)?;
            }
            expected.clone()
        }
        None => vec![1.0; request.observed.len()],
    };
    let whole: f64 = shares.iter().sum();
    let expected: Vec<f64> = shares.iter().map(|share| share / whole * total).collect();
    let statistic: f64 = request
        .observed
        .iter()
        .zip(&expected)
        .map(|(observed, expected)| {
            let off = observed.value() - expected;
            off * off / expected
        })
        .sum();
    let df = expected.len() as f64 - 1.0;
    let mut notes = Vec::new();
    note_few(&mut notes, expected.iter().copied());
    Ok(Answer {
        analysis: "chi_square_fit",
        figures: Figures::new()
            .with("statistic", checks::computable("chi-square", statistic)?)
            .with("df", df)
            .with("p", chi_square_upper(statistic, df))
            .with("expected", expected),
        method: "Pearson's chi-square test of fit, expectations scaled to the observed total, df categories - 1"
            .to_owned(),
        notes,
    })
}

fn note_few(notes: &mut Vec<String>, expected: impl Iterator<Item = f64>) {
    let few = expected.filter(|&count| count < EXPECTED_FEW).count();
    if few > 0 {
        notes.push(format!(
            "{few} expected counts are below 5: the chi-square approximation is doubtful"
        ));
    }
}
