//! Distinct options, what separates each two of them, and which of them a limit rules out.
//!
//! Two options are alike if nothing that is known of both differs. An idea in the documents that belongs to no option is
//! listed for itself; whether it is one is left to people.

use adjutant_questions::{Cell, Evidence, Finding, Row};
use serde::Deserialize;
use serde_json::json;

use crate::exhibit::{Exhibit, ExhibitCell, ExhibitColumn, ExhibitTable, Statement};
use crate::method::{Answer, InputRefused, Method, read_input};
use crate::requirement::{Item, RequirementList, Verdict};
use crate::text::{amounts, bare, counted, coverage, likeness, listed};

const OPTIONS_MAX: usize = 12;
const PAIRS_MAX: usize = 15;
const IDEAS_MAX: usize = 8;
/// Above this two texts say the same.
const SAME_MIN: f64 = 0.6;
/// So much must be known of two options before they can be called alike.
const KNOWN_MIN: usize = 2;

pub(crate) const OPTION_SPACE: Method = Method {
    id: "option_space",
    name: "Option space",
    about: "Tells which options are distinct, what separates each two of them, which of them a limit rules out, and which \
            further ideas the documents hold.",
    inputs: || {
        json!({
            "items": {"type": "array", "description": "The options with `name` and `values`."},
            "rows": {"type": "array", "description": "A row for each criterion with a cell for each option, as a `compare` question answers."},
            "limits": {"type": "array", "description": "Limits that are given, as texts such as `at most 12 weeks`."},
            "stated": {"type": "array", "description": "Findings among which limits are looked for, if none are given."},
            "checks": {"type": "array", "description": "As `rows`, for the limits."},
            "ideas": {"type": "array", "description": "Findings on what else could be done."},
            "answers": {"type": "array", "description": "Answers of checkpoints: `with_my_note` changes the limits, `merge_alike` counts options that are alike once, `only_possible` leaves out what a limit rules out."},
        })
    },
    required: &["items"],
    apply: |input| read_input(input).and_then(option_space),
};

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Request {
    items: Vec<Item>,
    rows: Vec<Row>,
    limits: Vec<String>,
    stated: Vec<Finding>,
    checks: Vec<Row>,
    ideas: Vec<Finding>,
    answers: Vec<Answer>,
}

/// What separates two options.
struct Pair<'a> {
    one: &'a str,
    other: &'a str,
    differ: Vec<&'a str>,
    same: Vec<&'a str>,
    unknown: usize,
}

impl Pair<'_> {
    fn is_alike(&self) -> bool {
        self.differ.is_empty() && self.same.len() >= KNOWN_MIN
    }
}

fn option_space(request: Request) -> Result<Exhibit, InputRefused> {
    if request.items.len() > OPTIONS_MAX {
        return Err(InputRefused(format!(
            "at most {OPTIONS_MAX} options can be told apart"
        )));
    }
    let limits = RequirementList::gather(&request.limits, &request.stated, &[], &request.answers);
    let ruled_out = ruled_out(&request, &limits);
    let chose = |option: &str| request.answers.iter().any(|answer| answer.chose(option));
    let is_left = |item: &&Item| {
        !chose("only_possible") || !ruled_out.iter().any(|(name, _)| *name == item.name)
    };
    let items: Vec<&Item> = request.items.iter().filter(is_left).collect();
    let pairs = pairs(&items, &request.rows);
    let merged: Vec<&str> = match chose("merge_alike") {
        true => pairs
            .iter()
            .filter(|pair| pair.is_alike())
            .map(|pair| pair.other)
            .collect(),
        false => Vec::new(),
    };
    let distinct: Vec<&str> = items
        .iter()
        .map(|item| item.name.as_str())
        .filter(|name| !merged.contains(name))
        .collect();
    let ideas = ideas(&request);
    let mut exhibit = Exhibit {
        headlines: headlines(&distinct, &ruled_out, &pairs, &request.rows),
        ..Exhibit::default()
    };
    if !ideas.is_empty() {
        exhibit.headlines.push(Statement::calculation(format!(
            "Ideas in the documents that belong to none of the options: {}",
            ideas.len()
        )));
    }
    exhibit.add_figure(distinct.len().to_string(), "options");
    exhibit.add_figure(ruled_out.len().to_string(), "ruled out by a limit");
    exhibit
        .tables
        .extend(cards(&distinct, &request, &limits, &ruled_out));
    exhibit.tables.extend(pairs_table(&pairs, &merged));
    exhibit
        .tables
        .extend(limits_table(&items, &request, &limits));
    exhibit.tables.extend(ideas_table(&ideas));
    if !merged.is_empty() {
        exhibit.add_note(
            "Counted once",
            format!(
                "Nothing that is known separates these from another option: {}",
                listed(&merged)
            ),
        );
    }
    if !limits.not_understood.is_empty() {
        exhibit.add_note(
            "Not understood in a person's note",
            limits.not_understood.join("; "),
        );
    }
    exhibit.data = json!({"names": distinct, "limits": limits.texts(), "ruled_out": ruled_out.iter().map(|one| one.0).collect::<Vec<_>>()});
    Ok(exhibit)
}

/// Options that fail a limit, each with the first one.
fn ruled_out<'a>(request: &'a Request, limits: &'a RequirementList) -> Vec<(&'a str, &'a str)> {
    let all = request.items.iter().filter_map(|item| {
        let failed = limits
            .all
            .iter()
            .find(|limit| limit.held(item, &request.checks).verdict == Verdict::Fails)?;
        Some((item.name.as_str(), failed.text.as_str()))
    });
    all.collect()
}

/// Each two options, the most alike first.
fn pairs<'a>(items: &[&'a Item], rows: &'a [Row]) -> Vec<Pair<'a>> {
    let mut all = Vec::new();
    for (at, one) in items.iter().enumerate() {
        for other in &items[at + 1..] {
            let mut pair = Pair {
                one: &one.name,
                other: &other.name,
                differ: Vec::new(),
                same: Vec::new(),
                unknown: 0,
            };
            for row in rows {
                match is_different(one, other, row) {
                    Some(true) => pair.differ.push(&row.criterion),
                    Some(false) => pair.same.push(&row.criterion),
                    None => pair.unknown += 1,
                }
            }
            all.push(pair);
        }
    }
    all.sort_by_key(|pair| (pair.differ.len(), std::cmp::Reverse(pair.same.len())));
    all
}

/// By figures of a table if both have one, else by what the passages say. Nothing if one of them is not known.
fn is_different(one: &Item, other: &Item, row: &Row) -> Option<bool> {
    if let (Some(own), Some(others)) = (
        one.values.get(&row.criterion),
        other.values.get(&row.criterion),
    ) {
        return Some((own - others).abs() > f64::EPSILON * own.abs().max(others.abs()));
    }
    let said = |item: &Item| cell(row, &item.name).and_then(|cell| cell.text.as_deref());
    let (own, others) = (said(one)?, said(other)?);
    let figures = |text: &str| -> Vec<f64> {
        amounts(text)
            .into_iter()
            .map(|amount| amount.value)
            .collect()
    };
    let (own_figures, others_figures) = (figures(own), figures(others));
    if !own_figures.is_empty() && !others_figures.is_empty() {
        return Some(own_figures != others_figures);
    }
    // The names differ in any case.
    let rest = |text: &str, item: &Item| text.replace(&item.name, " ");
    Some(likeness(&rest(own, one), &rest(others, other)) < SAME_MIN)
}

fn cell<'a>(row: &'a Row, item: &str) -> Option<&'a Cell> {
    row.cells.iter().find(|cell| cell.item == item)
}

/// Ideas that neither belong to an option nor repeat each other.
fn ideas(request: &Request) -> Vec<&Finding> {
    let mut kept: Vec<&Finding> = Vec::new();
    for idea in request
        .ideas
        .iter()
        .filter(|idea| !idea.evidence.is_empty())
    {
        let is_of_option = request
            .items
            .iter()
            .any(|item| coverage(&item.name, &idea.text) >= SAME_MIN);
        let is_known = kept
            .iter()
            .any(|known| likeness(&known.text, &idea.text) >= SAME_MIN);
        if !is_of_option && !is_known && kept.len() < IDEAS_MAX {
            kept.push(idea);
        }
    }
    kept
}

fn headlines(
    distinct: &[&str],
    ruled_out: &[(&str, &str)],
    pairs: &[Pair<'_>],
    rows: &[Row],
) -> Vec<Statement> {
    let mut lines = vec![match distinct {
        [] => "No option is named in the objective or in a table of the documents".to_owned(),
        [only] => format!("Only one option is open: {only}"),
        names => format!(
            "{} are open: {}",
            counted(names.len(), "option"),
            listed(names)
        ),
    }];
    lines.extend(
        ruled_out
            .iter()
            .take(3)
            .map(|(name, limit)| format!("{name} fails a limit: {limit}")),
    );
    let separating = rows.iter().map(|row| {
        let count = pairs
            .iter()
            .filter(|pair| pair.differ.contains(&row.criterion.as_str()))
            .count();
        (count, row.criterion.as_str())
    });
    // The first of equals.
    let most = separating.rev().max_by_key(|(count, _)| *count);
    if let Some((count, name)) = most.filter(|(count, _)| *count > 0) {
        lines.push(format!(
            "What separates them most is {name}: it differs in {count} of {}",
            counted(pairs.len(), "pair")
        ));
    }
    if let Some(alike) = pairs.iter().find(|pair| pair.is_alike()) {
        lines.push(format!(
            "{} and {} are alike in all that is known of both",
            alike.one, alike.other
        ));
    }
    lines.into_iter().map(Statement::calculation).collect()
}

/// What is known of each option, a row for each option and criterion that something is known of.
fn cards(
    distinct: &[&str],
    request: &Request,
    limits: &RequirementList,
    ruled_out: &[(&str, &str)],
) -> Option<ExhibitTable> {
    let mut rows = Vec::new();
    for name in distinct {
        let fate = match (
            ruled_out.iter().find(|(out, _)| out == name),
            limits.all.is_empty(),
        ) {
            (Some(_), _) => "ruled out",
            (None, true) => "no limit stated",
            (None, false) => "no limit failed",
        };
        let known: Vec<(&str, &Cell)> = request
            .rows
            .iter()
            .filter_map(|row| {
                Some((
                    row.criterion.as_str(),
                    cell(row, name).filter(|cell| cell.text.is_some())?,
                ))
            })
            .collect();
        if known.is_empty() {
            rows.push(card(name, fate, "-", "no passage was found", &[]));
        }
        for (criterion, cell) in known {
            rows.push(card(
                name,
                fate,
                criterion,
                cell.text.as_deref().unwrap_or_default(),
                &cell.evidence,
            ));
        }
    }
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "The options".to_owned(),
        columns: vec![
            ExhibitColumn::text("Option", 2),
            ExhibitColumn::text("Limits", 2),
            ExhibitColumn::text("Criterion", 2),
            ExhibitColumn::text("What is known", 5),
        ],
        rows,
    })
}

fn card(
    name: &str,
    fate: &str,
    criterion: &str,
    said: &str,
    evidence: &[Evidence],
) -> Vec<ExhibitCell> {
    vec![
        ExhibitCell::label(name),
        ExhibitCell::label(fate),
        ExhibitCell::label(criterion),
        match evidence {
            [] => ExhibitCell::label(said),
            evidence => ExhibitCell::statement(said, evidence.to_vec()),
        },
    ]
}

fn pairs_table(pairs: &[Pair<'_>], merged: &[&str]) -> Option<ExhibitTable> {
    let shown = pairs
        .iter()
        .filter(|pair| !merged.contains(&pair.other) && !merged.contains(&pair.one));
    let or_nothing = |names: &[&str]| {
        if names.is_empty() {
            "nothing".to_owned()
        } else {
            names.join(", ")
        }
    };
    let rows: Vec<Vec<ExhibitCell>> = shown
        .take(PAIRS_MAX)
        .map(|pair| {
            vec![
                ExhibitCell::label(format!("{} / {}", pair.one, pair.other)),
                ExhibitCell::calculation(or_nothing(&pair.differ)),
                ExhibitCell::calculation(or_nothing(&pair.same)),
                ExhibitCell::calculation(pair.unknown.to_string()),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "What separates each two options, the most alike first".to_owned(),
        columns: vec![
            ExhibitColumn::text("Options", 4),
            ExhibitColumn::text("They differ in", 3),
            ExhibitColumn::text("They are alike in", 3),
            ExhibitColumn::numbers("Criteria not known of both", 2),
        ],
        rows,
    })
}

fn limits_table(
    items: &[&Item],
    request: &Request,
    limits: &RequirementList,
) -> Option<ExhibitTable> {
    let mut columns = vec![ExhibitColumn::text("Limit", 4)];
    columns.extend(items.iter().map(|item| ExhibitColumn::text(&item.name, 2)));
    let rows: Vec<Vec<ExhibitCell>> = limits
        .all
        .iter()
        .map(|limit| {
            let mut row = vec![ExhibitCell {
                evidence: limit.evidence.clone(),
                ..ExhibitCell::label(&limit.text)
            }];
            row.extend(items.iter().map(|item| {
                let held = limit.held(item, &request.checks);
                ExhibitCell {
                    evidence: held.evidence,
                    ..ExhibitCell::label(held.verdict.told())
                }
            }));
            row
        })
        .collect();
    (!rows.is_empty() && !items.is_empty()).then(|| ExhibitTable {
        caption: format!("The limits, {}", limits.from),
        columns,
        rows,
    })
}

fn ideas_table(ideas: &[&Finding]) -> Option<ExhibitTable> {
    let rows: Vec<Vec<ExhibitCell>> = ideas
        .iter()
        .map(|idea| {
            vec![ExhibitCell::statement(
                bare(&idea.text),
                idea.evidence.clone(),
            )]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "Further ideas that belong to none of them".to_owned(),
        columns: vec![ExhibitColumn::text("What the documents say", 1)],
        rows,
    })
}

#[cfg(test)]
#[path = "option_space_tests.rs"]
mod tests;
