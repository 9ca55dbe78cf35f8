//! Steps that are given, and steps in tables of the sources: a row for each step, or for each way to do it.

use adjutant_questions::{Evidence, Source};

use super::network::{Step, Way};
use super::{GivenStep, Quantity};
use crate::tables::{Table, TableRow, tables};
use crate::text::{amounts, coverage, plain};

const STEP_HEADINGS: &[&str] = &[
    "step",
    "task",
    "activity",
    "milestone",
    "work package",
    "phase",
    "action",
];
const ID_HEADINGS: &[&str] = &["id", "no", "no.", "nr", "nr.", "#", "key", "number"];
const DURATION_HEADINGS: &[&str] = &[
    "duration",
    "days",
    "weeks",
    "months",
    "takes",
    "time needed",
];
const COST_HEADINGS: &[&str] = &["cost", "price", "budget", "expense", "eur", "usd"];
const AFTER_HEADINGS: &[&str] = &[
    "after",
    "depend",
    "predecessor",
    "require",
    "prerequisite",
    "waits for",
    "needs",
];
const WAY_HEADINGS: &[&str] = &["way", "option", "variant", "mode", "alternative", "method"];
const STATUS_HEADINGS: &[&str] = &["status", "state"];
/// Rows that add the others up.
const TOTALS: &[&str] = &["all", "in all", "overall", "sum", "total", "together"];
const DONE: &[&str] = &["done", "complete", "completed", "finished", "closed"];

/// Steps, and names that steps wait for and that are no step.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) steps: Vec<Step>,
    pub(super) unknown: Vec<String>,
    /// No row says what it waits for: each waits for the one above it.
    pub(super) is_in_row_order: bool,
}

/// One row, before its dependencies are looked up.
struct Row {
    id: String,
    name: String,
    after: Vec<String>,
    way: Way,
    is_done: bool,
}

pub(super) fn given(steps: &[GivenStep]) -> Found {
    let rows = steps.iter().map(|step| Row {
        id: step.id.clone(),
        name: plain(&step.name),
        after: step.after.names(),
        way: Way {
            name: plain(&step.way),
            days: step.duration.as_ref().and_then(|text| days(text, "")),
            cost: step.cost.as_ref().and_then(amount),
            evidence: Vec::new(),
        },
        is_done: step.done,
    });
    joined(rows.collect())
}

/// Of several tables with steps, the one that has most words of the objective; of equals the longest.
pub(super) fn in_tables(sources: &[Source], objective: &str) -> Found {
    let mut best: Option<(f64, usize, Vec<Row>)> = None;
    for source in sources {
        for table in tables(&source.text) {
            let rows = rows_of(source, &table);
            if rows.len() < 2 {
                continue;
            }
            let lines: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
            let fit = coverage(objective, &format!("{} {}", source.title, lines.join(" ")));
            let is_better = best
                .as_ref()
                .is_none_or(|(most, count, _)| (fit, rows.len()) > (*most, *count));
            if is_better {
                best = Some((fit, rows.len(), rows));
            }
        }
    }
    let Some((.., rows)) = best else {
        return Found::default();
    };
    let is_in_row_order = rows.iter().all(|row| row.after.is_empty());
    let mut found = joined(rows);
    found.is_in_row_order = is_in_row_order;
    if is_in_row_order {
        for (at, step) in found.steps.iter_mut().enumerate().skip(1) {
            step.after.push(at - 1);
        }
    }
    found
}

fn rows_of(source: &Source, table: &Table) -> Vec<Row> {
    let column = |words: &[&str]| {
        table.column(|at| {
            words
                .iter()
                .any(|word| at.starts_with(word) || at.contains(&format!(" {word}")))
        })
    };
    let name = column(STEP_HEADINGS);
    let duration = column(DURATION_HEADINGS);
    let after = column(AFTER_HEADINGS);
    if name.is_none() || (duration.is_none() && after.is_none()) {
        return Vec::new();
    }
    let id = table.column(|at| ID_HEADINGS.contains(&at));
    let (cost, way, status) = (
        column(COST_HEADINGS),
        column(WAY_HEADINGS),
        column(STATUS_HEADINGS),
    );
    let heading = duration.map_or("", |at| table.headings[at].as_str());
    let rows = table.rows.iter().filter_map(|row| {
        let written = |at: Option<usize>| row.cell(at).map(|text| Quantity::Text(text.to_owned()));
        Some(Row {
            id: cell(row, id),
            name: Some(cell(row, name))
                .filter(|name| !name.is_empty() && !TOTALS.contains(&key(name).as_str()))?,
            after: split(&cell(row, after)),
            way: Way {
                name: if way == name {
                    String::new()
                } else {
                    cell(row, way)
                },
                days: written(duration).and_then(|text| days(&text, heading)),
                cost: written(cost).and_then(|text| amount(&text)),
                evidence: vec![Evidence {
                    source: source.id.clone(),
                    quote: row.line.clone(),
                }],
            },
            is_done: DONE.contains(&cell(row, status).to_lowercase().as_str()),
        })
    });
    rows.collect()
}

fn cell(row: &TableRow, at: Option<usize>) -> String {
    row.cell(at)
        .unwrap_or_default()
        .replace('*', "")
        .trim()
        .to_owned()
}

/// Rows with the same name are ways to do the same step; names and ids of `after` become positions.
fn joined(rows: Vec<Row>) -> Found {
    let mut found = Found::default();
    let mut ids: Vec<String> = Vec::new();
    let mut waits: Vec<Vec<String>> = Vec::new();
    for row in rows {
        match found
            .steps
            .iter()
            .position(|step| key(&step.name) == key(&row.name))
        {
            Some(at) => {
                found.steps[at].ways.push(row.way);
                found.steps[at].is_done |= row.is_done;
                waits[at].extend(row.after);
            }
            None => {
                ids.push(row.id);
                waits.push(row.after);
                found.steps.push(Step {
                    name: row.name,
                    ways: vec![row.way],
                    after: Vec::new(),
                    is_done: row.is_done,
                });
            }
        }
    }
    for (at, names) in waits.iter().enumerate() {
        for name in names {
            let by_id = ids
                .iter()
                .position(|id| !id.is_empty() && key(id) == key(name));
            let by_name = || {
                found
                    .steps
                    .iter()
                    .position(|step| key(&step.name) == key(name))
            };
            match by_id.or_else(by_name) {
                Some(before) if !found.steps[at].after.contains(&before) => {
                    found.steps[at].after.push(before)
                }
                Some(_) => {}
                None if found.unknown.contains(name) => {}
                None => found.unknown.push(name.clone()),
            }
        }
    }
    found
}

fn key(name: &str) -> String {
    plain(name).to_lowercase()
}

/// `A, B and C`; nothing of `-` and `none`.
pub(super) fn split(text: &str) -> Vec<String> {
    let parts = text
        .split([',', ';', '\n'])
        .flat_map(|part| part.split(" and "));
    let names = parts
        .map(plain)
        .filter(|part| !["", "-", "–", "none", "n/a"].contains(&part.to_lowercase().as_str()));
    names.collect()
}

const NO_TIME: &[&str] = &["%", "chf", "eur", "gbp", "usd"];
/// Units of time in days.
const UNITS: &[(&str, f64)] = &[
    ("min", 1.0 / 1440.0),
    ("minute", 1.0 / 1440.0),
    ("h", 1.0 / 24.0),
    ("hr", 1.0 / 24.0),
    ("hour", 1.0 / 24.0),
    ("d", 1.0),
    ("day", 1.0),
    ("week", 7.0),
    ("month", 30.0),
    ("year", 365.0),
];

/// A duration in days. Without a unit of its own it has that of its heading, else it is in days.
pub(super) fn days(quantity: &Quantity, heading: &str) -> Option<f64> {
    let (value, unit) = match quantity {
        Quantity::Number(value) => (*value, String::new()),
        Quantity::Text(text) => {
            let first = amounts(text).into_iter().next()?;
            (first.value, first.unit)
        }
    };
    let in_days = |words: &str| {
        let mut words = words.split(|char: char| !char.is_alphabetic());
        words.find_map(|word| {
            let single = word.strip_suffix('s').unwrap_or(word);
            let known = UNITS.iter().find(|(name, _)| *name == single);
            known.map(|(_, days)| *days)
        })
    };
    // Money and shares are no durations.
    if NO_TIME.contains(&unit.as_str()) {
        return None;
    }
    let factor = in_days(&unit).or_else(|| in_days(&heading.to_lowercase()));
    let factor = factor.unwrap_or(1.0);
    (value >= 0.0).then_some(value * factor)
}

pub(super) fn amount(quantity: &Quantity) -> Option<f64> {
    let value = match quantity {
        Quantity::Number(value) => *value,
        Quantity::Text(text) => amounts(text).first()?.value,
    };
    (value.is_finite() && value >= 0.0).then_some(value)
}
