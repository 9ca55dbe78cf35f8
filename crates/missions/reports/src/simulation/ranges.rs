//! Ranges in tables, and limits that other passages set for them.

use adjutant_questions::{Evidence, Source};

use super::{Range, RangeSet};
use crate::decision::{Bound, bound, is_measure, readings};
use crate::passages::Passages;
use crate::tables::{Table, tables};
use crate::text::{capital, content, number, plain, share};

const SETS_MAX: usize = 12;
/// How much of a quantity's words a passage must have to set a limit for it.
const LIMIT_RELEVANCE_MIN: f64 = 0.25;
/// A limit for a quantity lies not far outside its range.
const LIMIT_WITHIN: f64 = 2.0;
/// Sums that are closer than this are the same, rounded otherwise.
const SAME_SUM: f64 = 0.01;

/// Sets of ranges, from the newest source first. A table in one unit makes one sum, any other table one set per row.
pub(super) fn sets(sources: &[Source]) -> Vec<RangeSet> {
    let mut sources: Vec<&Source> = sources.iter().collect();
    sources.sort_by(|a, b| b.published.cmp(&a.published));
    let mut found: Vec<RangeSet> = Vec::new();
    for source in sources {
        for table in tables(&source.text) {
            for set in of_table(source, &table) {
                // The newest source's range of a quantity is the one that counts.
                let again = |known: &RangeSet| known.name == set.name || same_sum(known, &set);
                if !found.iter().any(again) && found.len() < SETS_MAX {
                    found.push(set);
                }
            }
        }
    }
    found
}

/// Whether two sums are of the same money, parted otherwise: by year and by quarter.
fn same_sum(one: &RangeSet, other: &RangeSet) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() <= SAME_SUM * a.abs().max(b.abs());
    one.unit == other.unit
        && one.ranges.len() > 1
        && other.ranges.len() > 1
        && near(one.sum(|at| at.likely), other.sum(|at| at.likely))
        && near(one.sum(|at| at.low), other.sum(|at| at.low))
        && near(one.sum(|at| at.high), other.sum(|at| at.high))
}

fn is_low(heading: &str) -> bool {
    ["low", "min", "minimum", "optimistic", "best case"]
        .iter()
        .any(|word| begins(heading, word))
}

fn is_high(heading: &str) -> bool {
    ["high", "max", "maximum", "pessimistic", "worst case"]
        .iter()
        .any(|word| begins(heading, word))
}

fn is_likely(heading: &str) -> bool {
    [
        "most likely",
        "likely",
        "mode",
        "base",
        "expected",
        "total",
        "best estimate",
    ]
    .iter()
    .any(|word| begins(heading, word))
}

/// `low`, `low_keur`, `low (EUR)`, not `lower limit`.
fn begins(heading: &str, word: &str) -> bool {
    heading
        .strip_prefix(word)
        .is_some_and(|rest| !rest.starts_with(char::is_alphabetic))
}

fn of_table(source: &Source, table: &Table) -> Vec<RangeSet> {
    let columns = (
        table.column(is_low),
        table.column(is_likely),
        table.column(is_high),
    );
    let (Some(low), Some(likely), Some(high)) = columns else {
        return Vec::new();
    };
    let name = (0..table.headings.len()).find(|at| ![low, likely, high].contains(at));
    let rows: Vec<Range> = table
        .rows
        .iter()
        .filter_map(|row| {
            let value = |at: usize| {
                row.cell(Some(at))
                    .and_then(|cell| number(cell.trim_end_matches(['%', ' '])))
            };
            let range = Range {
                name: row.cell(name).map(plain)?,
                low: value(low)?,
                likely: value(likely)?,
                high: value(high)?,
                evidence: vec![Evidence {
                    source: source.id.clone(),
                    quote: row.line.clone(),
                }],
            };
            let sums_up = ["sum", "total"].contains(&range.name.to_lowercase().as_str());
            let ordered =
                range.low < range.high && (range.low..=range.high).contains(&range.likely);
            (ordered && !sums_up).then_some(range)
        })
        .collect();
    let money = table
        .headings
        .get(likely)
        .and_then(|heading| money(heading));
    match money {
        Some(scale) if rows.len() > 1 => vec![one_sum(source, rows, scale)],
        _ => rows
            .into_iter()
            .map(|range| alone(table, low, range))
            .collect(),
    }
}

/// Euros per unit of a column: `total_keur`, `cost (EUR million)`.
fn money(heading: &str) -> Option<f64> {
    let at = heading.find("eur")?;
    let mut before = heading.get(..at)?.chars().rev();
    let prefix = before.next();
    let alone = before.next().is_none_or(|char| !char.is_alphabetic());
    Some(match prefix {
        Some('k') if alone => 1e3,
        Some('m') if alone => 1e6,
        _ if heading.contains("million") => 1e6,
        _ if heading.contains("thousand") => 1e3,
        _ => 1.0,
    })
}

fn one_sum(source: &Source, ranges: Vec<Range>, scale: f64) -> RangeSet {
    let title = plain(&source.title);
    let title = if title.is_empty() {
        plain(&source.id)
    } else {
        title
    };
    let in_euros = |range: Range| Range {
        low: range.low * scale,
        likely: range.likely * scale,
        high: range.high * scale,
        ..range
    };
    RangeSet {
        name: format!("Sum of {}", title_of(&title)),
        unit: "eur".to_owned(),
        ranges: ranges.into_iter().map(in_euros).collect(),
    }
}

/// A file's name without its folders, its ending and its dashes; any other title as it is.
fn title_of(title: &str) -> String {
    let name = title.rsplit('/').next().unwrap_or(title);
    match name.rsplit_once('.') {
        Some((name, ending)) if !name.contains(' ') && ending.len() <= 4 => {
            name.replace(['-', '_'], " ")
        }
        _ => title.to_owned(),
    }
}

fn alone(table: &Table, low: usize, range: Range) -> RangeSet {
    let percent = range
        .evidence
        .first()
        .is_some_and(|at| at.quote.contains('%'));
    let (name, unit) = range.name.rsplit_once(", ").unwrap_or((&range.name, ""));
    let unit = match (unit.to_lowercase().as_str(), percent) {
        (_, true) => "%".to_owned(),
        (small, false) if is_measure(small) => small.to_owned(),
        (_, false) => unit.to_owned(),
    };
    let heading = table
        .headings
        .get(low)
        .map(String::as_str)
        .unwrap_or_default();
    let (name, unit) = if money(heading).is_some() && unit.is_empty() {
        (name, "EUR".to_owned())
    } else {
        (name, unit)
    };
    RangeSet {
        name: capital(name),
        unit,
        ranges: vec![range],
    }
}

/// The limit that a passage sets for a quantity: a bound or a budget in its unit, near its range, the newest first.
pub(super) fn limit(sources: &[Source], set: &RangeSet) -> Option<(Bound, f64, Vec<Evidence>)> {
    if !["eur", "%"].contains(&set.unit.as_str()) && !is_measure(&set.unit) {
        return None;
    }
    let (low, high) = (set.sum(|at| at.low), set.sum(|at| at.high));
    let passages = Passages::of(sources);
    let asked = content(&set.name);
    let own: Vec<&str> = set
        .ranges
        .iter()
        .flat_map(|at| &at.evidence)
        .map(|at| at.quote.as_str())
        .collect();
    let mut found: Vec<(Option<&str>, f64, Bound, Evidence)> = Vec::new();
    for piece in &passages.all {
        let near = share(
            &asked,
            &content(&format!("{} {}", piece.context, piece.text)),
        );
        if near < LIMIT_RELEVANCE_MIN || own.contains(&piece.text.as_str()) {
            continue;
        }
        let read =
            bound(&piece.text).filter(|at| at.unit == set.unit && !at.words.starts_with("of "));
        let Some(bound) = read.or_else(|| budget(&piece.text, &set.unit)) else {
            continue;
        };
        if bound.value >= low / LIMIT_WITHIN && bound.value <= high * LIMIT_WITHIN {
            found.push((
                passages.published(piece),
                near,
                bound,
                passages.evidence(piece),
            ));
        }
    }
    found.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)));
    let (_, _, bound, evidence) = found.into_iter().next()?;
    Some((bound.clone(), bound.value, vec![evidence]))
}

/// `a budget of EUR 58.5 million` is a limit too.
fn budget(text: &str, unit: &str) -> Option<Bound> {
    let at = text.to_lowercase().find("budget")?;
    let value = readings(text.get(at..)?, unit).into_iter().next()?.value;
    Some(Bound {
        side: crate::decision::Side::AtMost,
        value,
        unit: unit.to_owned(),
        words: "budget".to_owned(),
    })
}
