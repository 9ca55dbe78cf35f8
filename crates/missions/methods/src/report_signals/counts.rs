//! Counts that can be compared: reports of a product against all reports, and events of two groups in a table.

use adjutant_questions::{Evidence, Source};
use serde::Deserialize;

use crate::source_tables::{SourceTable, number, source_tables};
use crate::tables::TableRow;

/// The answer of a lookup that counts reports.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Counted {
    sources: Vec<CountedSource>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct CountedSource {
    id: String,
    text: String,
    details: Details,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Details {
    reports: Option<u64>,
    all_reports: Option<u64>,
    reactions: Vec<Reaction>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Reaction {
    reaction: String,
    reports: Option<u64>,
    all_reports: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// Reports that people sent in: nobody knows of how many.
    Reports,
    /// Events of groups whose size is known.
    Groups,
}

/// How often an event was seen, here and elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pair {
    pub(super) event: String,
    pub(super) origin: Origin,
    pub(super) with_event: u64,
    pub(super) without_event: u64,
    pub(super) others_with_event: u64,
    pub(super) others_without_event: u64,
    pub(super) evidence: Vec<Evidence>,
}

impl Pair {
    fn is_same(&self, other: &Self) -> bool {
        let counts = |pair: &Self| {
            [
                pair.with_event,
                pair.without_event,
                pair.others_with_event,
                pair.others_without_event,
            ]
        };
        self.event == other.event && counts(self) == counts(other)
    }

    /// As many as there would be if the event were as frequent here as in all together.
    pub(super) fn expected(&self) -> f64 {
        let own = (self.with_event + self.without_event) as f64;
        let event = (self.with_event + self.others_with_event) as f64;
        let all = own + (self.others_with_event + self.others_without_event) as f64;
        match all > 0.0 {
            true => own * event / all,
            false => 0.0,
        }
    }
}

/// The pairs of lookups; how many had counts that cannot be.
pub(super) fn of_reports(given: &[Counted]) -> (Vec<Pair>, usize) {
    let mut pairs = Vec::new();
    let mut impossible = 0;
    for source in given.iter().flat_map(|one| &one.sources) {
        let (Some(own), Some(all)) = (source.details.reports, source.details.all_reports) else {
            continue;
        };
        for reaction in &source.details.reactions {
            let (Some(reports), Some(of_all)) = (reaction.reports, reaction.all_reports) else {
                continue;
            };
            match pair(&reaction.reaction, reports, own, of_all, all) {
                Some(mut pair) => {
                    pair.evidence = lines(source, &reaction.reaction);
                    pairs.push(pair);
                }
                None => impossible += 1,
            }
        }
    }
    (pairs, impossible)
}

fn pair(event: &str, reports: u64, own: u64, of_all: u64, all: u64) -> Option<Pair> {
    let others_with_event = of_all.checked_sub(reports)?;
    Some(Pair {
        event: event.to_owned(),
        origin: Origin::Reports,
        with_event: reports,
        without_event: own.checked_sub(reports)?,
        others_with_event,
        others_without_event: all.checked_sub(own)?.checked_sub(others_with_event)?,
        evidence: Vec::new(),
    })
}

/// The lines that a pair was counted in: that of the event, and the totals.
fn lines(source: &CountedSource, event: &str) -> Vec<Evidence> {
    let own = source.text.lines().filter(|line| {
        line.starts_with(&format!("{event}:"))
            || line.starts_with("Reports with")
            || line.starts_with("Total reports")
    });
    own.map(|line| Evidence {
        source: source.id.clone(),
        quote: line.to_owned(),
    })
    .collect()
}

/// The pairs of tables whose columns say how many each group has: `Vaccinated (n=120)`. The first group is compared with the
/// last.
pub(super) fn of_groups(sources: &[Source]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for table in source_tables(sources) {
        let sizes: Vec<Option<u64>> = table.headings.iter().map(|one| size(one)).collect();
        let first = sizes.iter().position(Option::is_some);
        let last = sizes.iter().rposition(Option::is_some);
        let (Some(first), Some(last)) = (first, last) else {
            continue;
        };
        if first == last || first == 0 {
            continue;
        }
        for pair in of_table(&table, (first, last), &sizes) {
            // Passages of a document overlap, and registers are given whole besides.
            if !pairs.iter().any(|known: &Pair| known.is_same(&pair)) {
                pairs.push(pair);
            }
        }
    }
    pairs
}

fn of_table(
    table: &SourceTable<'_>,
    (first, last): (usize, usize),
    sizes: &[Option<u64>],
) -> Vec<Pair> {
    let counted = |cell: &str| {
        // `12 (10%)` counts 12; `10%` and `3.5` count nothing.
        let count = cell.split('(').next().unwrap_or_default().trim();
        count.parse::<u64>().ok()
    };
    let (Some(own), Some(others)) = (sizes[first], sizes[last]) else {
        return Vec::new();
    };
    let pair = |row: &TableRow| {
        let (with_event, others_with_event) =
            (counted(&row.cells[first])?, counted(&row.cells[last])?);
        Some(Pair {
            event: row.cells[0].clone(),
            origin: Origin::Groups,
            with_event,
            without_event: own.checked_sub(with_event)?,
            others_with_event,
            others_without_event: others.checked_sub(others_with_event)?,
            evidence: vec![table.evidence(row)],
        })
    };
    let is_named = |pair: &Pair| !pair.event.is_empty() && number(&pair.event).is_none();
    table
        .rows
        .iter()
        .filter_map(pair)
        .filter(is_named)
        .collect()
}

/// `(n = 120)` in a heading.
fn size(heading: &str) -> Option<u64> {
    let small: String = heading.to_lowercase().split_whitespace().collect();
    let (before, behind) = small.split_once("n=")?;
    let is_alone = !before.ends_with(|char: char| char.is_alphanumeric());
    let digits: String = behind
        .chars()
        .take_while(|char| char.is_ascii_digit() || *char == ',')
        .filter(char::is_ascii_digit)
        .collect();
    digits.parse().ok().filter(|size| is_alone && *size > 0)
}
