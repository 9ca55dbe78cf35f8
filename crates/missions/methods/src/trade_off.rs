//! Options by weighted criteria: the matrix, which option is dominated, and which weights the result depends on.
//!
//! A criterion without a score counts neither for nor against an option, and the share of the weight that was scored is shown.
//! Sensitivity: each weight is halved and doubled, one at a time, and the lead of the best option over the second is computed again.

use adjutant_charts::{Axis, Chart, TornadoChart, TornadoInput};
use adjutant_questions::{Part, Ranked};
use serde::Deserialize;
use serde_json::json;

use crate::exhibit::{Exhibit, ExhibitCell, ExhibitChart, ExhibitColumn, ExhibitTable, Statement};
use crate::method::{Answer, InputRefused, Method, read_input};

const OPTIONS_MAX: usize = 12;
const CRITERIA_MAX: usize = 12;
/// By how much a weight is changed to see what depends on it.
const SWING: f64 = 2.0;

pub(crate) const TRADE_OFF: Method = Method {
    id: "trade_off",
    name: "Trade-off",
    about: "Compares options by weighted criteria: the matrix of scores, which options are dominated, and which weights the \
            result depends on.",
    inputs: || {
        json!({
            "ranking": {"type": "array", "description": "Options with their scores, as a `score` question answers."},
            "criteria": {"type": "array", "description": "Criteria with `name` and `weight`."},
            "answers": {"type": "array", "description": "Answers of checkpoints: `recommend_it` recommends the best option, `matrix_only` leaves the choice open."},
        })
    },
    required: &["ranking", "criteria"],
    apply: |input| read_input(input).and_then(trade_off),
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TradeOff {
    ranking: Vec<Ranked>,
    criteria: Vec<Weighted>,
    #[serde(default)]
    answers: Vec<Answer>,
}

#[derive(Debug, Clone, Deserialize)]
struct Weighted {
    name: String,
    #[serde(default = "one")]
    weight: f64,
}

fn one() -> f64 {
    1.0
}

/// The scores of one option, in the order of the criteria.
struct Scores<'a> {
    option: &'a str,
    parts: Vec<Option<&'a Part>>,
}

impl Scores<'_> {
    fn score(&self, criterion: usize) -> Option<f64> {
        self.parts[criterion].and_then(|part| part.score)
    }

    /// The weighted mean of what was scored; nothing if nothing was.
    fn total(&self, weights: &[f64]) -> Option<f64> {
        let scored = || (0..weights.len()).filter_map(|at| Some((weights[at], self.score(at)?)));
        let weight: f64 = scored().map(|(weight, _)| weight).sum();
        let sum: f64 = scored().map(|(weight, score)| weight * score).sum();
        (weight > 0.0).then(|| sum / weight)
    }

    /// At least as good by every criterion and better by one. Criteria that one of them has no score for prove nothing.
    fn dominates(&self, other: &Self, criteria: usize) -> bool {
        let mut better = false;
        for at in 0..criteria {
            match (self.score(at), other.score(at)) {
                (Some(own), Some(others)) if own >= others => better |= own > others,
                _ => return false,
            }
        }
        better
    }
}

fn trade_off(input: TradeOff) -> Result<Exhibit, InputRefused> {
    check(&input)?;
    let weights: Vec<f64> = input.criteria.iter().map(|of| of.weight).collect();
    let all: Vec<Scores<'_>> = input
        .ranking
        .iter()
        .map(|ranked| Scores {
            option: &ranked.item,
            parts: input
                .criteria
                .iter()
                .map(|of| ranked.parts.iter().find(|part| part.criterion == of.name))
                .collect(),
        })
        .collect();
    let mut order: Vec<(usize, f64)> = all
        .iter()
        .enumerate()
        .filter_map(|(at, scores)| Some((at, scores.total(&weights)?)))
        .collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut exhibit = Exhibit::default();
    exhibit.tables.push(matrix(&input.criteria, &all, &order));
    exhibit
        .tables
        .extend(exchanges(&input.criteria, &all, &order));
    exhibit
        .headlines
        .extend(recommended(&all, &order, &input.answers));
    exhibit.headlines.extend(result(&all, &order));
    exhibit.headlines.extend(dominated(&all, weights.len()));
    if let [(best, _), (second, _), ..] = order[..] {
        sensitivity(&mut exhibit, &input.criteria, &all, [best, second]);
    }
    let unscored = all.len() - order.len();
    if unscored > 0 {
        exhibit.add_note(
            "Not compared",
            format!(
                "{unscored} of {} options have no score by any criterion",
                all.len()
            ),
        );
    }
    exhibit.data = json!({
        "order": order.iter().map(|(at, total)| json!({"option": all[*at].option, "score": total})).collect::<Vec<_>>(),
    });
    Ok(exhibit)
}

fn check(input: &TradeOff) -> Result<(), InputRefused> {
    let refused = |text: String| Err(InputRefused(text));
    if input.ranking.len() > OPTIONS_MAX {
        return refused(format!("at most {OPTIONS_MAX} options can be compared"));
    }
    if input.criteria.is_empty() || input.criteria.len() > CRITERIA_MAX {
        return refused(format!("give 1 to {CRITERIA_MAX} criteria"));
    }
    match input
        .criteria
        .iter()
        .find(|of| !of.weight.is_finite() || of.weight <= 0.0)
    {
        Some(of) => refused(format!(
            "the weight of the criterion “{}” must be above 0",
            of.name
        )),
        None => Ok(()),
    }
}

fn matrix(criteria: &[Weighted], all: &[Scores<'_>], order: &[(usize, f64)]) -> ExhibitTable {
    let mut columns = vec![ExhibitColumn::text("Criterion (weight)", 3)];
    columns.extend(
        order
            .iter()
            .map(|(at, _)| ExhibitColumn::numbers(all[*at].option, 2)),
    );
    let mut rows: Vec<Vec<ExhibitCell>> = criteria
        .iter()
        .enumerate()
        .map(|(criterion, of)| {
            let mut row = vec![ExhibitCell::label(format!(
                "{} ({})",
                of.name,
                written(of.weight)
            ))];
            row.extend(order.iter().map(|(at, _)| match all[*at].parts[criterion] {
                Some(Part {
                    score: Some(score),
                    evidence,
                    ..
                }) => ExhibitCell {
                    evidence: evidence.clone(),
                    ..ExhibitCell::calculation(written(*score))
                },
                _ => ExhibitCell::label("not scored"),
            }));
            row
        })
        .collect();
    let mut totals = vec![ExhibitCell::label("Weighted mean")];
    totals.extend(
        order
            .iter()
            .map(|(_, total)| ExhibitCell::calculation(written(*total))),
    );
    rows.push(totals);
    ExhibitTable {
        caption: "Scores from 0 to 100, best option first".to_owned(),
        columns,
        rows,
    }
}

/// What people made of the matrix, if they were asked.
fn recommended(
    all: &[Scores<'_>],
    order: &[(usize, f64)],
    answers: &[Answer],
) -> Option<Statement> {
    let (best, _) = order.first()?;
    let text = if answers.iter().any(|answer| answer.chose("recommend_it")) {
        format!(
            "{} is recommended, as a person decided who saw the matrix",
            all[*best].option
        )
    } else if answers.iter().any(|answer| answer.chose("matrix_only")) {
        "No option is recommended: a person who saw the matrix left the choice to its owners"
            .to_owned()
    } else {
        return None;
    };
    Some(Statement::interpretation(text))
}

fn result(all: &[Scores<'_>], order: &[(usize, f64)]) -> Option<Statement> {
    match order {
        [] => None,
        [(only, total)] => Some(Statement::calculation(format!(
            "Only {} could be scored ({} of 100), so nothing was compared",
            all[*only].option,
            written(*total)
        ))),
        [(best, first), (second, next), ..] => Some(Statement::calculation(format!(
            "{} is ahead with {} of 100, before {} with {}",
            all[*best].option,
            written(*first),
            all[*second].option,
            written(*next)
        ))),
    }
}

/// What each other option gains and gives up against the best one.
fn exchanges(
    criteria: &[Weighted],
    all: &[Scores<'_>],
    order: &[(usize, f64)],
) -> Option<ExhibitTable> {
    let ((best, _), others) = order.split_first()?;
    let rows: Vec<Vec<ExhibitCell>> = others
        .iter()
        .map(|(other, _)| {
            let (mut gained, mut given_up, mut open) = (Vec::new(), Vec::new(), Vec::new());
            for (at, of) in criteria.iter().enumerate() {
                let scores = (all[*other].score(at), all[*best].score(at));
                let (Some(own), Some(bests)) = scores else {
                    open.push(of.name.clone());
                    continue;
                };
                let points = format!("{} ({} points)", of.name, written((own - bests).abs()));
                if own > bests {
                    gained.push(points);
                } else if own < bests {
                    given_up.push(points);
                }
            }
            vec![
                ExhibitCell::label(all[*other].option),
                ExhibitCell::calculation(or_nothing(&gained)),
                ExhibitCell::calculation(or_nothing(&given_up)),
                ExhibitCell::label(or_nothing(&open)),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: format!("Instead of {}", all[*best].option),
        columns: vec![
            ExhibitColumn::text("Whoever chooses", 2),
            ExhibitColumn::text("gains", 3),
            ExhibitColumn::text("gives up", 3),
            ExhibitColumn::text("Not known of both", 2),
        ],
        rows,
    })
}

fn or_nothing(names: &[String]) -> String {
    match names {
        [] => "nothing".to_owned(),
        names => names.join(", "),
    }
}

fn dominated(all: &[Scores<'_>], criteria: usize) -> Vec<Statement> {
    let better = |worse: &Scores<'_>| all.iter().find(|one| one.dominates(worse, criteria));
    all.iter()
        .filter_map(|worse| {
            let better = better(worse)?;
            Some(Statement::calculation(format!(
                "{} is dominated: {} is at least as good by every criterion",
                worse.option, better.option
            )))
        })
        .collect()
}

/// Adds how the lead of the best option changes with each weight.
fn sensitivity(exhibit: &mut Exhibit, criteria: &[Weighted], all: &[Scores<'_>], pair: [usize; 2]) {
    let [best, second] = pair;
    let lead = |weights: &[f64]| Some(all[best].total(weights)? - all[second].total(weights)?);
    let weights: Vec<f64> = criteria.iter().map(|of| of.weight).collect();
    let Some(base) = lead(&weights) else { return };
    let mut inputs = Vec::new();
    let mut turning = Vec::new();
    for (at, of) in criteria.iter().enumerate() {
        let changed = |factor: f64| {
            let mut changed = weights.clone();
            changed[at] *= factor;
            lead(&changed)
        };
        let (Some(low), Some(high)) = (changed(1.0 / SWING), changed(SWING)) else {
            continue;
        };
        if low < 0.0 || high < 0.0 {
            turning.push(of.name.clone());
        }
        inputs.push(TornadoInput {
            name: of.name.clone(),
            low,
            high,
        });
    }
    let text = match turning.as_slice() {
        [] => format!(
            "{} stays ahead of {} if any single weight is halved or doubled",
            all[best].option, all[second].option
        ),
        names => format!(
            "{} would be ahead instead of {} if one of these weights were halved or doubled: {}",
            all[second].option,
            all[best].option,
            names.join(", ")
        ),
    };
    exhibit.headlines.push(Statement::calculation(text));
    exhibit.charts.push(ExhibitChart {
        caption: "How the lead of the best option depends on each weight".to_owned(),
        chart: Chart::Tornado(TornadoChart {
            title: format!("Lead of {} over {}", all[best].option, all[second].option),
            subtitle: Some("each weight halved and doubled".to_owned()),
            source: None,
            value_axis: Axis {
                label: Some("points".to_owned()),
                ..Axis::default()
            },
            base,
            inputs,
        }),
    });
}

/// With one decimal, or none if it is whole.
fn written(value: f64) -> String {
    match value.fract().abs() < 0.05 {
        true => format!("{value:.0}"),
        false => format!("{value:.1}"),
    }
}

#[cfg(test)]
#[path = "trade_off_tests.rs"]
mod tests;
