//! Whether something can be done: each requirement with what shows that it is met, limits against what is available, and the
//! conditions that are still open. Names the bottleneck and what would have to change, and gives a verdict by fixed rules.

use std::collections::BTreeSet;

use adjutant_charts::{Chart, GanttChart, GanttTask};
use adjutant_questions::{Found, GapPoint};
use serde::Deserialize;
use serde_json::json;

use crate::days::days_between;
use crate::exhibit::{Exhibit, ExhibitCell, ExhibitChart, ExhibitColumn, ExhibitTable, Statement};
use crate::method::{InputRefused, Method, read_input};
use crate::phrasing::{capital, content, counted, is_about, short, written};
use crate::reading::{Answered, Owed, OwedStatus, Points, Reading, Wanted};

const REQUIREMENTS_MAX: usize = 24;
const LIMITS_MAX: usize = 24;
const CONDITIONS_MAX: usize = 24;
const TEXT_CHARS_MAX: usize = 200;
/// A chart of fewer steps shows nothing.
const CHART_STEPS_MIN: usize = 2;
/// Options that people may choose.
const CAUTIOUS: &str = "cautious";
const OVERDUE_IS_DONE: &str = "overdue_is_done";

pub(crate) const REQUIREMENT_CHECK: Method = Method {
    id: "requirement_check",
    name: "Requirement check",
    about: "Holds requirements, limits and open conditions against what is known, names the bottleneck, and says what would make it feasible.",
    inputs: || {
        json!({
            "requirements": {"type": "array", "description": "What must be so, each with `key` and `wants`."},
            "met": {"type": "array", "description": "Answers to a `gaps` question on the requirements."},
            "limits": {"type": "array", "description": "Limits in numbers: `name`, `needed`, `available` and `unit`."},
            "by": {"type": "string", "description": "The day by which it must be done, such as 2026-09-30; empty if there is none."},
            "reading": {"type": "array", "description": "What was read in the documents."},
            "answers": {"type": "array", "description": "Answers of people: with `cautious`, what is met in part is not met; with `overdue_is_done`, overdue conditions hold up nothing."},
        })
    },
    required: &["requirements", "met"],
    apply: |input| read_input(input).and_then(requirement_check),
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RequirementCheck {
    requirements: Vec<Wanted>,
    met: Vec<Points>,
    #[serde(default)]
    limits: Vec<Limit>,
    #[serde(default)]
    by: String,
    #[serde(default)]
    reading: Vec<Reading>,
    #[serde(default)]
    answers: Vec<Answered>,
}

/// So much is needed, and so much there is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Limit {
    name: String,
    needed: f64,
    available: f64,
    #[serde(default)]
    unit: String,
}

/// How well a requirement is shown to be met, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Shown {
    No,
    Partly,
    Yes,
}

struct Requirement<'a> {
    wanted: &'a Wanted,
    point: Option<&'a GapPoint>,
    shown: Shown,
    /// What is still to be done for it, by the documents.
    open: Vec<&'a Owed>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Infeasible,
    NotShown,
    Conditional,
    Feasible,
}

impl Shown {
    fn name(self) -> &'static str {
        match self {
            Self::No => "not shown",
            Self::Partly => "in part",
            Self::Yes => "shown",
        }
    }
}

impl Verdict {
    fn name(self) -> &'static str {
        match self {
            Self::Infeasible => "Not feasible as it is planned",
            Self::NotShown => "Not shown to be feasible",
            Self::Conditional => "Feasible on conditions",
            Self::Feasible => "Feasible, as far as the evidence goes",
        }
    }

    fn because(self) -> &'static str {
        match self {
            Self::Infeasible => "more is needed than there is",
            Self::NotShown => "for a requirement no evidence was found",
            Self::Conditional => "something is met in part only, or a condition is still open",
            Self::Feasible => "every requirement is met, and no condition is open",
        }
    }
}

impl Limit {
    fn slack(&self) -> f64 {
        self.available - self.needed
    }

    fn with_unit(&self, value: f64) -> String {
        format!("{} {}", written(value), self.unit)
            .trim()
            .to_owned()
    }
}

fn requirement_check(input: RequirementCheck) -> Result<Exhibit, InputRefused> {
    check(&input)?;
    let reading = Reading::of(&input.reading);
    let conditions = conditions(&reading, &input.answers);
    let requirements = requirements(&input, &conditions);
    let verdict = verdict(&requirements, &input.limits, &conditions);
    let bottleneck = bottleneck(&requirements);
    let tightest = tightest(&input.limits);
    let mut exhibit = Exhibit::default();
    exhibit.headlines.push(Statement::interpretation(format!(
        "{}: {}",
        verdict.name(),
        verdict.because()
    )));
    exhibit.headlines.extend(narrowest(bottleneck, tightest));
    exhibit
        .headlines
        .extend(time_left(&conditions, &reading.today, &input.by));
    figures(&mut exhibit, &requirements, &conditions);
    exhibit.tables.push(requirement_table(&requirements));
    exhibit.tables.extend(limit_table(&input.limits));
    exhibit.tables.extend(changes(&requirements, &input.limits));
    exhibit
        .tables
        .extend(condition_table(&conditions, &reading.today));
    if Answered::chose(&input.answers, OVERDUE_IS_DONE) {
        exhibit.tables.extend(reading.overdue_table(
            "Past its date without a report, and done by the word of a person",
            "What was to be done",
        ));
    }
    exhibit.charts.extend(chart(&conditions, &reading.today));
    if input.met.is_empty() {
        exhibit.add_note(
            "The requirements were not checked",
            "That nothing shows them says nothing",
        );
    }
    if input.limits.is_empty() {
        exhibit.add_note(
            "No limits in numbers",
            "Start the mission with the input `limits` to hold needs against what is available",
        );
    }
    exhibit.data = json!({
        "text": in_short(verdict, bottleneck, &conditions),
        "verdict": verdict.name(),
        "bottleneck": bottleneck.map(|it| it.wanted.key.clone()),
    });
    Ok(exhibit)
}

fn check(input: &RequirementCheck) -> Result<(), InputRefused> {
    let refused = |text: String| Err(InputRefused(text));
    if input.requirements.is_empty() || input.requirements.len() > REQUIREMENTS_MAX {
        return refused(format!("give 1 to {REQUIREMENTS_MAX} requirements"));
    }
    if input.limits.len() > LIMITS_MAX {
        return refused(format!("give at most {LIMITS_MAX} limits"));
    }
    let wrong = |one: &&Limit| !(one.needed.is_finite() && one.available.is_finite());
    match input.limits.iter().find(wrong) {
        Some(limit) => refused(format!("the limit “{}” is not a number", limit.name)),
        None => Ok(()),
    }
}

/// What is still to be done: what is overdue first, then by date; what has none comes last.
fn conditions<'a>(reading: &'a Reading, answers: &[Answered]) -> Vec<&'a Owed> {
    let without_overdue = Answered::chose(answers, OVERDUE_IS_DONE);
    let mut all: Vec<&Owed> = reading
        .owed
        .iter()
        .filter(|one| match one.status {
            OwedStatus::Overdue => !without_overdue,
            OwedStatus::Open => true,
            OwedStatus::Fulfilled => false,
        })
        .collect();
    all.sort_by_key(|one| {
        let is_open = one.status != OwedStatus::Overdue;
        (is_open, !is_dated(one), one.due.clone())
    });
    all
}

fn is_dated(one: &Owed) -> bool {
    one.due
        .as_deref()
        .is_some_and(|due| days_between(due, due).is_some())
}

fn requirements<'a>(input: &'a RequirementCheck, conditions: &[&'a Owed]) -> Vec<Requirement<'a>> {
    let cautious = Answered::chose(&input.answers, CAUTIOUS);
    let requirement = |wanted: &'a Wanted| {
        let mut points = input.met.iter().flat_map(|one| &one.points);
        let point = points.find(|point| point.key == wanted.key);
        let shown = match point.map(|it| it.found) {
            Some(Found::Yes) => Shown::Yes,
            Some(Found::Partly) if !cautious => Shown::Partly,
            _ => Shown::No,
        };
        let words: BTreeSet<String> = content(&wanted.wants);
        let of_it = conditions
            .iter()
            .filter(|one| is_about(&words, &one.at.sentence));
        Requirement {
            wanted,
            point,
            shown,
            open: of_it.copied().collect(),
        }
    };
    input.requirements.iter().map(requirement).collect()
}

fn verdict(requirements: &[Requirement<'_>], limits: &[Limit], conditions: &[&Owed]) -> Verdict {
    if limits.iter().any(|limit| limit.slack() < 0.0) {
        return Verdict::Infeasible;
    }
    if requirements.iter().any(|it| it.shown == Shown::No) {
        return Verdict::NotShown;
    }
    if requirements.iter().any(|it| it.shown == Shown::Partly) || !conditions.is_empty() {
        return Verdict::Conditional;
    }
    Verdict::Feasible
}

/// The requirement that is shown least; of several the one on which most is still to be done, what is overdue first.
fn bottleneck<'a, 'b>(requirements: &'b [Requirement<'a>]) -> Option<&'b Requirement<'a>> {
    let overdue = |it: &Requirement<'_>| {
        let overdue = it
            .open
            .iter()
            .filter(|one| one.status == OwedStatus::Overdue);
        overdue.count()
    };
    requirements
        .iter()
        .filter(|it| it.shown != Shown::Yes || !it.open.is_empty())
        .min_by_key(|it| {
            let most = std::cmp::Reverse((overdue(it), it.open.len()));
            (it.shown, most)
        })
}

/// The limit of which the smallest share of the need is available.
fn tightest(limits: &[Limit]) -> Option<&Limit> {
    let share = |limit: &Limit| match limit.needed == 0.0 {
        true => f64::INFINITY,
        false => limit.available / limit.needed,
    };
    limits.iter().min_by(|a, b| share(a).total_cmp(&share(b)))
}

fn narrowest(bottleneck: Option<&Requirement<'_>>, tightest: Option<&Limit>) -> Vec<Statement> {
    let limit = tightest.map(|limit| {
        let slack = limit.with_unit(limit.slack().abs());
        let how = if limit.slack() < 0.0 {
            "missing"
        } else {
            "to spare"
        };
        Statement::calculation(format!(
            "The tightest limit is {}: {slack} {how}",
            limit.name
        ))
    });
    let requirement = bottleneck.map(|it| {
        Statement::interpretation(format!(
            "The bottleneck is {} ({}; {} still open)",
            short(&it.wanted.wants, TEXT_CHARS_MAX),
            it.shown.name(),
            counted(it.open.len(), "condition")
        ))
    });
    limit.into_iter().chain(requirement).collect()
}

/// From the last dated condition to the day by which it must be done.
fn time_left(conditions: &[&Owed], today: &str, by: &str) -> Option<Statement> {
    let last = conditions
        .iter()
        .rfind(|one| is_dated(one))?
        .due
        .as_deref()?;
    let text = match days_between(last, by) {
        Some(days) if days >= 0 => format!(
            "The last dated condition is due on {last}, {days} days before {by}, by which it must be done"
        ),
        Some(days) => format!(
            "The last dated condition is due on {last}, {} days after {by}, by which it must be done",
            -days
        ),
        None => {
            let days = days_between(today, last)?;
            let when = if days < 0 { "before" } else { "after" };
            format!(
                "The last dated condition is due on {last}, {} days {when} {today}",
                days.abs()
            )
        }
    };
    Some(Statement::calculation(text))
}

fn figures(exhibit: &mut Exhibit, requirements: &[Requirement<'_>], conditions: &[&Owed]) {
    let count = |shown: Shown| requirements.iter().filter(|it| it.shown == shown).count();
    let overdue = conditions
        .iter()
        .filter(|one| one.status == OwedStatus::Overdue);
    exhibit.add_figure(
        count(Shown::Yes).to_string(),
        "requirements that are shown to be met",
    );
    exhibit.add_figure(
        count(Shown::No).to_string(),
        "requirements without evidence",
    );
    exhibit.add_figure(conditions.len().to_string(), "conditions still open");
    exhibit.add_figure(overdue.count().to_string(), "of them past their date");
}

fn in_short(verdict: Verdict, bottleneck: Option<&Requirement<'_>>, open: &[&Owed]) -> String {
    let narrow = bottleneck.map_or(String::new(), |it| {
        format!(
            " The bottleneck is {}.",
            short(&it.wanted.wants, TEXT_CHARS_MAX)
        )
    });
    let open = counted(open.len(), "condition");
    format!(
        "{}: {}.{narrow} Still open: {open}.",
        verdict.name(),
        verdict.because()
    )
}

fn requirement_table(requirements: &[Requirement<'_>]) -> ExhibitTable {
    let rows = requirements.iter().map(|it| {
        let evidence = it
            .point
            .map(|point| point.evidence.clone())
            .unwrap_or_default();
        let passage = match evidence.first() {
            Some(first) => ExhibitCell::statement(short(&first.quote, TEXT_CHARS_MAX), evidence),
            None => ExhibitCell::label("no passage"),
        };
        vec![
            ExhibitCell::label(capital(&short(&it.wanted.wants, TEXT_CHARS_MAX))),
            ExhibitCell::calculation(it.shown.name()),
            passage,
            ExhibitCell::calculation(it.open.len().to_string()),
        ]
    });
    ExhibitTable {
        caption: "Requirements and what shows that they are met".to_owned(),
        columns: vec![
            ExhibitColumn::text("What must be so", 4),
            ExhibitColumn::text("Shown", 2),
            ExhibitColumn::text("By what", 7),
            ExhibitColumn::numbers("Open conditions", 2),
        ],
        rows: rows.collect(),
    }
}

fn limit_table(limits: &[Limit]) -> Option<ExhibitTable> {
    let rows: Vec<Vec<ExhibitCell>> = limits
        .iter()
        .map(|limit| {
            vec![
                ExhibitCell::label(&limit.name),
                ExhibitCell::calculation(limit.with_unit(limit.needed)),
                ExhibitCell::calculation(limit.with_unit(limit.available)),
                ExhibitCell::calculation(limit.with_unit(limit.slack())),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "Limits".to_owned(),
        columns: vec![
            ExhibitColumn::text("Limit", 4),
            ExhibitColumn::numbers("Needed", 2),
            ExhibitColumn::numbers("Available", 2),
            ExhibitColumn::numbers("Left over", 2),
        ],
        rows,
    })
}

/// What would have to change, for each requirement and limit that stands in the way.
fn changes(requirements: &[Requirement<'_>], limits: &[Limit]) -> Option<ExhibitTable> {
    let mut rows: Vec<Vec<ExhibitCell>> = Vec::new();
    for limit in limits.iter().filter(|limit| limit.slack() < 0.0) {
        let more = limit.with_unit(-limit.slack());
        rows.push(vec![
            ExhibitCell::label(&limit.name),
            ExhibitCell::calculation(format!("{more} more, or a need that is so much smaller")),
            ExhibitCell::label("whoever sets the limit"),
        ]);
    }
    for it in requirements.iter().filter(|it| it.shown != Shown::Yes) {
        let name = ExhibitCell::label(capital(&short(&it.wanted.wants, TEXT_CHARS_MAX)));
        let row = match (it.open.first(), it.point) {
            (Some(owed), _) => vec![
                name,
                ExhibitCell::statement(
                    capital(&short(&owed.what, TEXT_CHARS_MAX)),
                    owed.at.evidence(),
                ),
                ExhibitCell::label(
                    owed.who
                        .clone()
                        .unwrap_or_else(|| "nobody is named".to_owned()),
                ),
            ],
            (None, Some(point)) if it.shown == Shown::Partly => vec![
                name,
                ExhibitCell::statement(
                    format!(
                        "Show what is missing: {}",
                        short(&point.missing, TEXT_CHARS_MAX)
                    ),
                    Vec::new(),
                ),
                ExhibitCell::label("nobody is named"),
            ],
            _ => vec![
                name,
                ExhibitCell::statement(
                    "Evidence that it is so, or a plan that does without it",
                    Vec::new(),
                ),
                ExhibitCell::label("nobody is named"),
            ],
        };
        rows.push(row);
    }
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "What would make it feasible".to_owned(),
        columns: vec![
            ExhibitColumn::text("What stands in the way", 4),
            ExhibitColumn::text("What would change that", 6),
            ExhibitColumn::text("From whom", 3),
        ],
        rows,
    })
}

fn condition_table(conditions: &[&Owed], today: &str) -> Option<ExhibitTable> {
    let rows: Vec<Vec<ExhibitCell>> = conditions
        .iter()
        .take(CONDITIONS_MAX)
        .map(|one| {
            let days = one.due.as_deref().and_then(|due| days_between(today, due));
            vec![
                ExhibitCell::label(one.due.clone().unwrap_or_else(|| "no date".to_owned())),
                match days {
                    Some(days) => ExhibitCell::calculation(days.to_string()),
                    None => ExhibitCell::label("unknown"),
                },
                ExhibitCell::label(one.who.clone().unwrap_or_else(|| "not named".to_owned())),
                ExhibitCell::statement(
                    capital(&short(&one.what, TEXT_CHARS_MAX)),
                    one.at.evidence(),
                ),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: format!(
            "Conditions that are still open, in the order of their dates, as of {today}"
        ),
        columns: vec![
            ExhibitColumn::text("Due", 2),
            ExhibitColumn::numbers("Days left", 1),
            ExhibitColumn::text("Who", 3),
            ExhibitColumn::text("Condition", 8),
        ],
        rows,
    })
}

fn chart(conditions: &[&Owed], today: &str) -> Option<ExhibitChart> {
    let dated = conditions
        .iter()
        .filter(|one| is_dated(one))
        .take(CONDITIONS_MAX);
    let tasks: Vec<GanttTask> = dated
        .enumerate()
        .filter_map(|(at, one)| {
            Some(GanttTask {
                id: format!("c{at}"),
                name: short(&one.what, 48),
                start: one.due.clone()?,
                end: None,
                after: Vec::new(),
                done: None,
                group: None,
            })
        })
        .collect();
    (tasks.len() >= CHART_STEPS_MIN).then(|| ExhibitChart {
        caption: "When the open conditions are due".to_owned(),
        chart: Chart::Gantt(GanttChart {
            title: "Open conditions by their dates".to_owned(),
            subtitle: None,
            source: None,
            tasks,
            today: days_between(today, today).map(|_| today.to_owned()),
        }),
    })
}

#[cfg(test)]
#[path = "requirement_check_tests.rs"]
mod tests;
