//! Tables as columns of values: which hold numbers, which hold a few kinds of things.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_questions::{Evidence, Source};

use crate::source_tables::{number, source_tables};

pub(super) const ROWS_MIN: usize = 8;
const ROWS_MAX: usize = 2_000;
const COLUMNS_MAX: usize = 12;
/// Of the cells that are filled, so many are numbers in a column of numbers.
const NUMERIC_MIN: f64 = 0.8;
const VALUES_MIN: usize = 4;
const KINDS_MAX: usize = 6;
pub(super) const GROUP_MIN: usize = 3;

/// The rows of all tables with the same headings.
pub(super) struct Grid {
    pub(super) title: String,
    pub(super) columns: Vec<Column>,
    pub(super) evidence: Vec<Evidence>,
    /// Rows in which a cell is empty.
    pub(super) incomplete: BTreeSet<usize>,
}

pub(super) struct Column {
    pub(super) name: String,
    pub(super) values: Values,
}

pub(super) enum Values {
    Numbers(Vec<Option<f64>>),
    /// The kinds, and which of them each row has.
    Kinds(Vec<String>, Vec<Option<usize>>),
}

impl Values {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Numbers(values) => values.len(),
            Self::Kinds(_, values) => values.len(),
        }
    }
}

/// The tables of the sources that have enough rows, each row once; how many tables were too short.
pub(super) fn grids(sources: &[Source]) -> (Vec<Grid>, usize) {
    let mut order: Vec<Vec<String>> = Vec::new();
    let mut rows: BTreeMap<Vec<String>, Vec<(Vec<String>, Evidence)>> = BTreeMap::new();
    let mut titles: BTreeMap<Vec<String>, String> = BTreeMap::new();
    for table in source_tables(sources) {
        if !order.contains(&table.headings) {
            order.push(table.headings.clone());
            titles.insert(table.headings.clone(), table.source.title.clone());
        }
        let own = rows.entry(table.headings.clone()).or_default();
        for row in &table.rows {
            // Passages of a document overlap, and registers are given whole besides.
            let is_known = own.iter().any(|(cells, _)| *cells == row.cells);
            if !is_known && own.len() < ROWS_MAX {
                own.push((row.cells.clone(), table.evidence(row)));
            }
        }
    }
    let mut short = 0;
    let mut found = Vec::new();
    for headings in order {
        let Some(own) = rows.remove(&headings) else {
            continue;
        };
        match own.len() >= ROWS_MIN {
            true => found.push(grid(
                &headings,
                own,
                titles.remove(&headings).unwrap_or_default(),
            )),
            false => short += 1,
        }
    }
    (found, short)
}

fn grid(headings: &[String], rows: Vec<(Vec<String>, Evidence)>, title: String) -> Grid {
    let cell = |row: usize, column: usize| rows[row].0.get(column).map_or("", |cell| cell.trim());
    let incomplete = (0..rows.len())
        .filter(|row| (0..headings.len()).any(|column| is_empty(cell(*row, column))))
        .collect();
    let columns = headings
        .iter()
        .enumerate()
        .take(COLUMNS_MAX)
        .filter_map(|(at, name)| {
            let cells: Vec<&str> = (0..rows.len()).map(|row| cell(row, at)).collect();
            Some(Column {
                name: name.clone(),
                values: values(&cells)?,
            })
        })
        .collect();
    Grid {
        title,
        columns,
        incomplete,
        evidence: rows.into_iter().map(|(_, evidence)| evidence).collect(),
    }
}

fn is_empty(cell: &str) -> bool {
    cell.is_empty() || cell == "-" || cell == "–" || cell == "—"
}

/// The values of a column; nothing if they can be neither counted nor compared.
fn values(cells: &[&str]) -> Option<Values> {
    let filled = cells.iter().filter(|cell| !is_empty(cell)).count();
    let numbers: Vec<Option<f64>> = cells.iter().map(|cell| number(cell)).collect();
    let numeric = numbers.iter().flatten().count();
    let different: BTreeSet<u64> = numbers
        .iter()
        .flatten()
        .map(|value| value.to_bits())
        .collect();
    if filled > 0 && numeric as f64 >= NUMERIC_MIN * filled as f64 && different.len() >= VALUES_MIN
    {
        return Some(Values::Numbers(numbers));
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for cell in cells.iter().filter(|cell| !is_empty(cell)) {
        *counts.entry(cell.to_lowercase()).or_default() += 1;
    }
    let kinds: Vec<String> = counts
        .iter()
        .filter(|(_, count)| **count >= GROUP_MIN)
        .map(|(kind, _)| kind.clone())
        .collect();
    let covered: usize = kinds.iter().filter_map(|kind| counts.get(kind)).sum();
    let is_few = (2..=KINDS_MAX).contains(&kinds.len());
    if !is_few || (covered as f64) < NUMERIC_MIN * filled as f64 {
        return None;
    }
    let of = |cell: &&str| kinds.iter().position(|kind| *kind == cell.to_lowercase());
    let own = cells.iter().map(of).collect();
    Some(Values::Kinds(kinds, own))
}
