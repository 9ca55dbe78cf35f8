//! Several things by the same yardstick, and how firm their order is. Every way to spread the weight over the criteria in
//! tenths is tried, the scores are replaced by ranks, and what is not known is set to the worst and to the best.

use adjutant_charts::{Axis, BarChart, BarDirection, BarLayout, BarSeries, Chart};
use adjutant_questions::{Part, Ranked};
use serde::Deserialize;
use serde_json::json;

use crate::exhibit::{Exhibit, ExhibitCell, ExhibitChart, ExhibitColumn, ExhibitTable, Statement};
use crate::method::{InputRefused, Method, read_input};
use crate::phrasing::{counted, short, written};
use crate::reading::Answered;

const ITEMS_MAX: usize = 10;
/// More would make too many ways to spread the weight.
const CRITERIA_MAX: usize = 6;
/// Parts into which the weight is divided.
const TENTHS: u32 = 10;
const NAME_CHARS_MAX: usize = 60;
const REASON_CHARS_MAX: usize = 220;
/// Of so many criteria an item must have a score to be documented.
const DOCUMENTED_SHARE: f64 = 0.5;
const SAME: f64 = 1e-9;
/// Options that people may choose.
const DOCUMENTED_ONLY: &str = "documented_only";
const CLEAR_ONLY: &str = "clear_only";

pub(crate) const STABLE_RANKING: Method = Method {
    id: "stable_ranking",
    name: "Stable ranking",
    about: "Ranks things by the same criteria and tests the order: every spread of the weights in tenths, ranks instead of scores, unknown scores at their worst and best.",
    inputs: || {
        json!({
            "scores": {"type": "array", "description": "Answers to a `score` question."},
            "criteria": {"type": "array", "description": "Criteria with `name` and `weight`."},
            "own": {"type": "string", "description": "The item whose gaps to the others are shown."},
            "answers": {"type": "array", "description": "Answers of people: `documented_only` ranks only what has a score by half of the criteria, `clear_only` shows only gaps that no spread of the weights closes."},
        })
    },
    required: &["scores", "criteria"],
    apply: |input| read_input(input).and_then(stable_ranking),
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StableRanking {
    scores: Vec<Scores>,
    criteria: Vec<Weighted>,
    #[serde(default)]
    own: String,
    #[serde(default)]
    answers: Vec<Answered>,
}

#[derive(Debug, Deserialize)]
struct Scores {
    #[serde(default)]
    ranking: Vec<Ranked>,
}

#[derive(Debug, Deserialize)]
struct Weighted {
    name: String,
    #[serde(default = "one")]
    weight: f64,
}

fn one() -> f64 {
    1.0
}

struct Item<'a> {
    name: &'a str,
    parts: Vec<Option<&'a Part>>,
    scores: Vec<Option<f64>>,
}

/// How an item fares when the weights change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Firmness {
    best_rank: usize,
    worst_rank: usize,
    /// In how many spreads nothing is better.
    first: usize,
}

fn stable_ranking(input: StableRanking) -> Result<Exhibit, InputRefused> {
    check(&input)?;
    let weights: Vec<f64> = input.criteria.iter().map(|of| of.weight).collect();
    let given: Vec<&Ranked> = input.scores.iter().flat_map(|one| &one.ranking).collect();
    if given.len() > ITEMS_MAX {
        return Err(InputRefused(format!(
            "at most {ITEMS_MAX} things can be ranked"
        )));
    }
    let all: Vec<Item<'_>> = given
        .iter()
        .map(|ranked| item(ranked, &input.criteria))
        .collect();
    let documented_only = Answered::chose(&input.answers, DOCUMENTED_ONLY);
    let (mut items, left_out): (Vec<Item<'_>>, Vec<Item<'_>>) = all.into_iter().partition(|item| {
        let scored = item.scores.iter().flatten().count();
        let wanted = match documented_only {
            true => (weights.len() as f64 * DOCUMENTED_SHARE).ceil() as usize,
            false => 1,
        };
        scored >= wanted.max(1)
    });
    items.sort_by(|a, b| {
        let total = |item: &Item<'_>| mean(&item.scores, &weights).unwrap_or(-1.0);
        total(b).total_cmp(&total(a))
    });
    let spreads = spreads(weights.len());
    let firmness = firmness(&items, &spreads);
    let mut exhibit = Exhibit::default();
    exhibit
        .headlines
        .extend(headlines(&items, &weights, &firmness, spreads.len()));
    exhibit
        .tables
        .extend(comparison(&items, &input.criteria, &firmness));
    gaps(&mut exhibit, &input, &items, &spreads);
    exhibit.tables.extend(unknown(&items, &weights));
    exhibit.tables.extend(reasons(&items, &input.criteria));
    exhibit
        .charts
        .extend(chart(&items, &firmness, spreads.len()));
    if !left_out.is_empty() {
        let names: Vec<&str> = left_out.iter().map(|item| item.name).collect();
        exhibit.add_note(
            "Not ranked",
            format!("Too little is known of {}", names.join(", ")),
        );
    }
    if items.len() < 2 {
        exhibit.add_note(
            "Nothing to compare",
            "Of fewer than two things there are scores by any criterion",
        );
    }
    exhibit.data = json!({
        "text": exhibit.headlines.iter().map(|one| format!("{}.", one.text)).collect::<Vec<_>>().join(" "),
        "order": items.iter().zip(&firmness).map(|(item, firm)| json!({
            "item": item.name, "score": mean(&item.scores, &weights), "best_rank": firm.best_rank,
            "worst_rank": firm.worst_rank, "first_in": firm.first,
        })).collect::<Vec<_>>(),
        "spreads": spreads.len(),
    });
    Ok(exhibit)
}

fn check(input: &StableRanking) -> Result<(), InputRefused> {
    let refused = |text: String| Err(InputRefused(text));
    if input.criteria.is_empty() || input.criteria.len() > CRITERIA_MAX {
        return refused(format!("give 1 to {CRITERIA_MAX} criteria"));
    }
    let wrong = |of: &&Weighted| !of.weight.is_finite() || of.weight <= 0.0;
    match input.criteria.iter().find(wrong) {
        Some(of) => refused(format!(
            "the weight of the criterion “{}” must be above 0",
            of.name
        )),
        None => Ok(()),
    }
}

fn item<'a>(ranked: &'a Ranked, criteria: &[Weighted]) -> Item<'a> {
    let parts: Vec<Option<&Part>> = criteria
        .iter()
        .map(|of| ranked.parts.iter().find(|part| part.criterion == of.name))
        .collect();
    Item {
        name: &ranked.item,
        scores: parts
            .iter()
            .map(|part| part.and_then(|it| it.score))
            .collect(),
        parts,
    }
}

/// The weighted mean of what is known; nothing if nothing of weight is.
fn mean(scores: &[Option<f64>], weights: &[f64]) -> Option<f64> {
    let known = || {
        scores
            .iter()
            .zip(weights)
            .filter_map(|(score, weight)| Some((*weight, (*score)?)))
    };
    let weight: f64 = known().map(|(weight, _)| weight).sum();
    let sum: f64 = known().map(|(weight, score)| weight * score).sum();
    (weight > 0.0).then(|| sum / weight)
}

/// Every way to give tenths of the weight to so many criteria.
fn spreads(criteria: usize) -> Vec<Vec<f64>> {
    fn fill(left: u32, places: usize, begun: &mut Vec<f64>, all: &mut Vec<Vec<f64>>) {
        if places == 1 {
            let mut whole = begun.clone();
            whole.push(f64::from(left));
            all.push(whole);
            return;
        }
        for tenths in 0..=left {
            begun.push(f64::from(tenths));
            fill(left - tenths, places - 1, begun, all);
            begun.pop();
        }
    }
    let mut all = Vec::new();
    fill(TENTHS, criteria.max(1), &mut Vec::new(), &mut all);
    all
}

fn firmness(items: &[Item<'_>], spreads: &[Vec<f64>]) -> Vec<Firmness> {
    let mut all = vec![
        Firmness {
            best_rank: items.len(),
            worst_rank: 1,
            first: 0,
        };
        items.len()
    ];
    for weights in spreads {
        let totals: Vec<f64> = items
            .iter()
            .map(|item| mean(&item.scores, weights).unwrap_or(-1.0))
            .collect();
        for (own, firm) in totals.iter().zip(&mut all) {
            let better = totals.iter().filter(|other| **other > own + SAME).count();
            firm.best_rank = firm.best_rank.min(better + 1);
            firm.worst_rank = firm.worst_rank.max(better + 1);
            firm.first += usize::from(better == 0);
        }
    }
    all
}

/// The item with the best mean of its ranks, by the same weights.
fn first_by_ranks<'a>(items: &[Item<'a>], weights: &[f64]) -> Option<&'a str> {
    let ranks = |item: &Item<'_>| -> Vec<Option<f64>> {
        let rank = |criterion: usize| {
            let own = item.scores[criterion]?;
            let others = items.iter().filter_map(|other| other.scores[criterion]);
            let worse = others.filter(|other| *other < own - SAME).count();
            Some(worse as f64)
        };
        (0..weights.len()).map(rank).collect()
    };
    let mut best: Option<(&str, f64)> = None;
    for item in items {
        let total = mean(&ranks(item), weights)?;
        if best.is_none_or(|(_, most)| total > most + SAME) {
            best = Some((item.name, total));
        }
    }
    best.map(|(name, _)| name)
}

fn headlines(
    items: &[Item<'_>],
    weights: &[f64],
    firmness: &[Firmness],
    spreads: usize,
) -> Vec<Statement> {
    let ([first, second, ..], Some(firm)) = (items, firmness.first()) else {
        return Vec::new();
    };
    let score = |item: &Item<'_>| mean(&item.scores, weights).map_or(String::new(), written);
    let mut told = vec![Statement::calculation(format!(
        "{} comes first with {} of 100, before {} with {}",
        first.name,
        score(first),
        second.name,
        score(second)
    ))];
    let how = match firm.first == spreads {
        true => "the order at the top does not depend on the weights".to_owned(),
        false => format!("it can fall to rank {}", firm.worst_rank),
    };
    told.push(Statement::calculation(format!(
        "Of {spreads} ways to spread the weight in tenths, {} comes first in {}; {how}",
        first.name, firm.first
    )));
    if let Some(other) = first_by_ranks(items, weights).filter(|name| *name != first.name) {
        told.push(Statement::calculation(format!(
            "With ranks in the place of scores {other} would come first, so the distances decide"
        )));
    }
    told
}

fn comparison(
    items: &[Item<'_>],
    criteria: &[Weighted],
    firmness: &[Firmness],
) -> Option<ExhibitTable> {
    let weights: Vec<f64> = criteria.iter().map(|of| of.weight).collect();
    let mut columns = vec![ExhibitColumn::text("Item", 4)];
    columns.extend(
        criteria
            .iter()
            .map(|of| ExhibitColumn::numbers(&of.name, 2)),
    );
    columns.push(ExhibitColumn::numbers("Mean", 2));
    columns.push(ExhibitColumn::numbers("Ranks it can have", 2));
    columns.push(ExhibitColumn::numbers("Times first", 2));
    let rows = items.iter().zip(firmness).map(|(item, firm)| {
        let mut row = vec![ExhibitCell::label(short(item.name, NAME_CHARS_MAX))];
        row.extend(item.parts.iter().map(|part| match part {
            Some(Part {
                score: Some(score),
                evidence,
                ..
            }) => ExhibitCell {
                evidence: evidence.clone(),
                ..ExhibitCell::calculation(written(*score))
            },
            _ => ExhibitCell::label("unknown"),
        }));
        let total = mean(&item.scores, &weights).map_or("unknown".to_owned(), written);
        let ranks = match firm.best_rank == firm.worst_rank {
            true => firm.best_rank.to_string(),
            false => format!("{} to {}", firm.best_rank, firm.worst_rank),
        };
        row.push(ExhibitCell::calculation(total));
        row.push(ExhibitCell::calculation(ranks));
        row.push(ExhibitCell::calculation(firm.first.to_string()));
        row
    });
    let rows: Vec<_> = rows.collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "By the same yardstick, from 0 for the worst to 100 for the best that was found"
            .to_owned(),
        columns,
        rows,
    })
}

/// Where the own item is behind, by how much, and whether some spread of the weights makes up for it.
fn gaps(exhibit: &mut Exhibit, input: &StableRanking, items: &[Item<'_>], spreads: &[Vec<f64>]) {
    let Some(own) = items.iter().find(|item| item.name == input.own.trim()) else {
        return;
    };
    let clear_only = Answered::chose(&input.answers, CLEAR_ONLY);
    let mut rows: Vec<(f64, Vec<ExhibitCell>)> = Vec::new();
    for (at, criterion) in input.criteria.iter().enumerate() {
        let Some(score) = own.scores[at] else {
            continue;
        };
        let others = items
            .iter()
            .filter_map(|item| Some((item, item.scores[at]?)));
        let Some((leader, best)) = others.max_by(|a, b| a.1.total_cmp(&b.1)) else {
            continue;
        };
        let behind = best - score;
        if behind <= SAME {
            continue;
        }
        let made_up = spreads.iter().any(|weights| {
            let total = |item: &Item<'_>| mean(&item.scores, weights).unwrap_or(-1.0);
            total(own) + SAME >= total(leader)
        });
        if clear_only && made_up {
            continue;
        }
        rows.push((
            behind,
            vec![
                ExhibitCell::label(&criterion.name),
                ExhibitCell::label(short(leader.name, NAME_CHARS_MAX)),
                ExhibitCell::calculation(written(behind)),
                ExhibitCell::calculation(match made_up {
                    true => "other criteria can make up for it",
                    false => "no spread of the weights makes up for it",
                }),
            ],
        ));
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    exhibit.add_figure(rows.len().to_string(), "criteria by which ours is behind");
    if rows.is_empty() {
        return;
    }
    exhibit.tables.push(ExhibitTable {
        caption: format!(
            "Where {} is behind, the largest gap first",
            short(own.name, NAME_CHARS_MAX)
        ),
        columns: vec![
            ExhibitColumn::text("Criterion", 3),
            ExhibitColumn::text("Best", 3),
            ExhibitColumn::numbers("Points behind", 2),
            ExhibitColumn::text("How significant", 4),
        ],
        rows: rows.into_iter().map(|(_, row)| row).collect(),
    });
}

/// What the mean could be if what is not known were as bad, and as good, as can be.
fn unknown(items: &[Item<'_>], weights: &[f64]) -> Option<ExhibitTable> {
    let with = |item: &Item<'_>, unknown: f64| {
        let scores: Vec<Option<f64>> = item.scores.iter().map(|it| it.or(Some(unknown))).collect();
        mean(&scores, weights).map_or(String::new(), written)
    };
    let rows: Vec<Vec<ExhibitCell>> = items
        .iter()
        .filter(|item| item.scores.iter().any(Option::is_none))
        .map(|item| {
            let missing = item.scores.iter().filter(|it| it.is_none()).count();
            vec![
                ExhibitCell::label(short(item.name, NAME_CHARS_MAX)),
                ExhibitCell::calculation(counted(missing, "score")),
                ExhibitCell::calculation(with(item, 0.0)),
                ExhibitCell::calculation(with(item, 100.0)),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "What the unknown scores could change".to_owned(),
        columns: vec![
            ExhibitColumn::text("Item", 4),
            ExhibitColumn::text("Unknown", 2),
            ExhibitColumn::numbers("Mean at worst", 2),
            ExhibitColumn::numbers("Mean at best", 2),
        ],
        rows,
    })
}

/// What each score rests on.
fn reasons(items: &[Item<'_>], criteria: &[Weighted]) -> Option<ExhibitTable> {
    let scored = items.iter().flat_map(|item| {
        let parts = item.parts.iter().zip(criteria);
        parts.filter_map(|(part, of)| Some((item.name, &of.name, (*part)?)))
    });
    let rows: Vec<Vec<ExhibitCell>> = scored
        .filter_map(|(name, criterion, part)| {
            let first = part.evidence.first()?;
            Some(vec![
                ExhibitCell::label(format!("{}, {criterion}", short(name, NAME_CHARS_MAX))),
                ExhibitCell::statement(
                    short(&first.quote, REASON_CHARS_MAX),
                    part.evidence.clone(),
                ),
                ExhibitCell::label(short(&part.reason, REASON_CHARS_MAX)),
            ])
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "What the scores rest on".to_owned(),
        columns: vec![
            ExhibitColumn::text("Item and criterion", 3),
            ExhibitColumn::text("Passage", 6),
            ExhibitColumn::text("How it was scored", 4),
        ],
        rows,
    })
}

fn chart(items: &[Item<'_>], firmness: &[Firmness], spreads: usize) -> Option<ExhibitChart> {
    let share = |firm: &Firmness| 100.0 * firm.first as f64 / spreads.max(1) as f64;
    (items.len() > 1).then(|| ExhibitChart {
        caption: "How often each comes first when the weights change".to_owned(),
        chart: Chart::Bar(BarChart {
            title: "Share of all spreads of the weights in which nothing is better".to_owned(),
            subtitle: None,
            source: None,
            categories: items.iter().map(|item| short(item.name, 40)).collect(),
            series: vec![BarSeries {
                name: "first".to_owned(),
                values: firmness.iter().map(share).collect(),
            }],
            layout: BarLayout::default(),
            direction: BarDirection::Horizontal,
            value_axis: Axis {
                unit: Some("%".to_owned()),
                ..Axis::default()
            },
        }),
    })
}

#[cfg(test)]
#[path = "stable_ranking_tests.rs"]
mod tests;
