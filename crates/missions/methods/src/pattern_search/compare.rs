//! One pair of columns compared, by the test that fits their values.

use adjutant_statistics::{
    Alternative, ChiSquareIndependence, Correction, Correlation, Count, FisherExact, Level,
    MannWhitney, Request, SeveralGroups, analyse,
};

use super::columns::{Column, GROUP_MIN, Grid, ROWS_MIN, Values};

/// Below this expected count the chi-square test is not used.
const EXPECTED_MIN: f64 = 5.0;

/// What a comparison came to.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Compared {
    pub(super) pattern: String,
    pub(super) test: &'static str,
    /// The rows that both columns have a value in.
    pub(super) rows: Vec<usize>,
    pub(super) effect: String,
    pub(super) p: f64,
}

/// Which rows are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rows {
    /// All that have both values.
    All,
    /// Only those without any empty cell.
    Complete,
}

/// Nothing if there is too little to compare.
pub(super) fn compare(grid: &Grid, one: &Column, other: &Column, which: Rows) -> Option<Compared> {
    let is_used = |row: &usize| which == Rows::All || !grid.incomplete.contains(row);
    let rows: Vec<usize> = (0..one.values.len().min(other.values.len()))
        .filter(is_used)
        .collect();
    match (&one.values, &other.values) {
        (Values::Numbers(x), Values::Numbers(y)) => together(&rows, (one, x), (other, y)),
        (Values::Kinds(kinds, own), Values::Numbers(values)) => {
            by_kind(&rows, (one, kinds, own), (other, values))
        }
        (Values::Numbers(values), Values::Kinds(kinds, own)) => {
            by_kind(&rows, (other, kinds, own), (one, values))
        }
        (Values::Kinds(kinds, own), Values::Kinds(others, their)) => {
            crossed(&rows, (one, kinds, own), (other, others, their))
        }
    }
}

type Numbers<'a> = (&'a Column, &'a Vec<Option<f64>>);
type Kinds<'a> = (&'a Column, &'a Vec<String>, &'a Vec<Option<usize>>);

fn together(rows: &[usize], (one, x): Numbers<'_>, (other, y): Numbers<'_>) -> Option<Compared> {
    let both: Vec<(usize, f64, f64)> = rows
        .iter()
        .filter_map(|row| Some((*row, x[*row]?, y[*row]?)))
        .collect();
    if both.len() < ROWS_MIN {
        return None;
    }
    let request = Request::Spearman(Correlation {
        x: both.iter().map(|(_, x, _)| *x).collect(),
        y: both.iter().map(|(_, _, y)| *y).collect(),
        alternative: Alternative::TwoSided,
        level: Level::default(),
    });
    let figures = analyse(&request).ok()?.figures;
    let rho = figures.number("estimate")?;
    let word = if rho < 0.0 { "falls" } else { "rises" };
    Some(Compared {
        pattern: format!("“{}” {word} with “{}”", other.name, one.name),
        test: "Spearman's rank correlation",
        rows: both.iter().map(|(row, ..)| *row).collect(),
        effect: format!("rho {rho:.2}"),
        p: figures.number("p")?,
    })
}

fn by_kind(
    rows: &[usize],
    (groups, kinds, own): Kinds<'_>,
    (numbers, values): Numbers<'_>,
) -> Option<Compared> {
    let both: Vec<(usize, usize, f64)> = rows
        .iter()
        .filter_map(|row| Some((*row, own[*row]?, values[*row]?)))
        .collect();
    let of = |kind: usize| -> Vec<f64> {
        let own = both.iter().filter(|(_, at, _)| *at == kind);
        own.map(|(.., value)| *value).collect()
    };
    let filled: Vec<(usize, Vec<f64>)> = (0..kinds.len())
        .map(|kind| (kind, of(kind)))
        .filter(|(_, values)| values.len() >= GROUP_MIN)
        .collect();
    if both.len() < ROWS_MIN || filled.len() < 2 {
        return None;
    }
    let used: Vec<usize> = both
        .iter()
        .filter(|(_, kind, _)| filled.iter().any(|(known, _)| known == kind))
        .map(|(row, ..)| *row)
        .collect();
    if let [(first, a), (second, b)] = &filled[..] {
        let request = Request::MannWhitney(MannWhitney {
            a: a.clone(),
            b: b.clone(),
            alternative: Alternative::TwoSided,
            method: adjutant_statistics::RankMethod::Auto,
            continuity: adjutant_statistics::Continuity::Corrected,
        });
        let figures = analyse(&request).ok()?.figures;
        let superiority = figures.number("superiority")?;
        let (higher, lower) = match superiority < 0.5 {
            true => (second, first),
            false => (first, second),
        };
        return Some(Compared {
            pattern: format!(
                "“{}” is higher for “{}” than for “{}” ({})",
                numbers.name, kinds[*higher], kinds[*lower], groups.name
            ),
            test: "Mann-Whitney",
            rows: used,
            effect: format!("{:.2} of pairs", superiority.max(1.0 - superiority)),
            p: figures.number("p")?,
        });
    }
    let request = Request::KruskalWallis(SeveralGroups {
        groups: filled.iter().map(|(_, values)| values.clone()).collect(),
    });
    let figures = analyse(&request).ok()?.figures;
    Some(Compared {
        pattern: format!("“{}” differs by “{}”", numbers.name, groups.name),
        test: "Kruskal-Wallis",
        rows: used,
        effect: format!("epsilon squared {:.2}", figures.number("epsilon_squared")?),
        p: figures.number("p")?,
    })
}

fn crossed(
    rows: &[usize],
    (one, kinds, own): Kinds<'_>,
    (other, others, their): Kinds<'_>,
) -> Option<Compared> {
    let mut table = vec![vec![0_u64; others.len()]; kinds.len()];
    let mut used = Vec::new();
    for row in rows {
        if let (Some(at), Some(on)) = (own[*row], their[*row]) {
            table[at][on] += 1;
            used.push(*row);
        }
    }
    if used.len() < ROWS_MIN {
        return None;
    }
    let counts: Vec<Vec<Count>> = table
        .iter()
        .map(|row| row.iter().map(|count| Count(*count)).collect())
        .collect();
    let chi_square = |counts: Vec<Vec<Count>>| {
        analyse(&Request::ChiSquareIndependence(ChiSquareIndependence {
            table: counts,
            correction: Correction::None,
        }))
    };
    let figures = chi_square(counts.clone()).ok()?.figures;
    let effect = format!("Cramér's V {:.2}", figures.number("cramer_v")?);
    let pattern = format!("“{}” and “{}” go together", one.name, other.name);
    if kinds.len() == 2 && others.len() == 2 {
        let exact = analyse(&Request::FisherExact(FisherExact {
            table: counts,
            alternative: Alternative::TwoSided,
            level: Level::default(),
        }));
        return Some(Compared {
            pattern,
            test: "Fisher's exact test",
            rows: used,
            effect,
            p: exact.ok()?.figures.number("p")?,
        });
    }
    let sum = |row: &Vec<u64>| row.iter().sum::<u64>() as f64;
    let column = |at: usize| table.iter().map(|row| row[at]).sum::<u64>() as f64;
    let all = used.len() as f64;
    let few = table
        .iter()
        .any(|row| (0..others.len()).any(|at| sum(row) * column(at) / all < EXPECTED_MIN));
    (!few).then_some(Compared {
        pattern,
        test: "chi-square",
        rows: used,
        effect,
        p: figures.number("p")?,
    })
}
