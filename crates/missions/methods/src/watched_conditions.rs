//! Conditions that are watched: met, near, not met, or not to be told, each with the value, the limit and where both stand, and
//! what happens when it is met. With an earlier report, only what is new, changed or gone.
//!
//! A value counts only in the unit of the limit, in a sentence on the same subject. Of several the latest holds; if those of one
//! day do not agree on the verdict, it cannot be told.

mod found;
mod stated;

use adjutant_questions::Source;
use serde::Deserialize;
use serde_json::json;

use crate::exhibit::{Exhibit, ExhibitCell, ExhibitColumn, ExhibitTable, Statement};
use crate::given::Choice;
use crate::method::{InputRefused, Method, read_input};
use crate::text::{counted, with_unit, written};
use crate::watched::shown::filled;
use crate::watched::{Documents, Earlier, Item, LookedUp, News, Read, StateOf};
use crate::words::short;
use found::{Status, Verdict, verdict};
use stated::{Condition, conditions};

const BY: &str = "watched_conditions";
const FIRST_MAX: usize = 4;
const CELL_CHARS_MAX: usize = 300;
/// How near a limit a value is told to be near, in percent of the limit.
const NEAR_PERCENT: f64 = 10.0;

pub(crate) const WATCHED_CONDITIONS: Method = Method {
    id: BY,
    name: "Watched conditions",
    about: "Tells for each condition whether it is met, near, not met or cannot be told, with value, limit and sources, and what \
            happens then; with an earlier report, only what is new, changed or gone since.",
    inputs: || {
        json!({
            "objective": {"type": "string"},
            "conditions": {"type": "array", "description": "Conditions as texts, or with `when` and `then`; those that documents state if there are none."},
            "near": {"description": "How near a limit counts as near, in percent of the limit; 10 if it is not given."},
            "documents": {"type": "array", "description": "Results of `whole_documents`."},
            "looked_up": {"type": "array", "description": "Searches: `where` and `answer`."},
            "attachments": {"type": "array", "description": "Attached texts, as sources."},
            "earlier": {"type": "array", "description": "Results of `earlier_report`."},
            "choices": {"type": "array", "description": "Answers of checkpoints: `given_only` leaves out what documents state, `with_my_note` adds the conditions of the note."},
        })
    },
    required: &["objective"],
    apply: |input| read_input(input).and_then(watched_conditions),
};

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Request {
    objective: String,
    conditions: Vec<Given>,
    near: Option<Percent>,
    documents: Vec<Documents>,
    looked_up: Vec<LookedUp>,
    attachments: Vec<Source>,
    earlier: Vec<Earlier>,
    choices: Vec<Choice>,
}

/// A condition as a person states it.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Given {
    Text(String),
    Parts {
        when: String,
        #[serde(default)]
        then: String,
    },
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Percent {
    Number(f64),
    Text(String),
}

/// A condition and how it stands.
struct Watched {
    condition: Condition,
    verdict: Verdict,
}

fn watched_conditions(request: Request) -> Result<Exhibit, InputRefused> {
    let near = near(request.near.as_ref())?;
    let read = Read::of(&request.documents, &request.looked_up, &request.attachments);
    let conditions = conditions(
        &request.objective,
        &request.conditions,
        &request.choices,
        &read,
    );
    let watched: Vec<Watched> = conditions
        .into_iter()
        .map(|condition| Watched {
            verdict: verdict(&condition, &read, near),
            condition,
        })
        .collect();
    // Where a place did not answer, that nothing is known tells nothing.
    let told = watched
        .iter()
        .filter(|one| read.failed.is_empty() || one.verdict.status != Status::Unknown);
    let items = told.map(item).collect();
    let news = News::since(BY, StateOf::OnePlace, &request.earlier, items, &read);
    Ok(shown(&watched, &news))
}

fn near(given: Option<&Percent>) -> Result<f64, InputRefused> {
    let percent = match given {
        None => return Ok(NEAR_PERCENT),
        Some(Percent::Number(number)) => Some(*number),
        Some(Percent::Text(text)) if text.trim().is_empty() => Some(NEAR_PERCENT),
        Some(Percent::Text(text)) => text.trim().trim_end_matches('%').trim().parse().ok(),
    };
    let percent = percent.filter(|percent| (0.0..=100.0).contains(percent));
    percent.ok_or_else(|| {
        InputRefused("`near` is not a number of percent from 0 to 100: write 10".to_owned())
    })
}

fn item(one: &Watched) -> Item {
    let condition = &one.condition;
    let evidence = condition.evidence.first();
    Item {
        scope: short(&condition.text, CELL_CHARS_MAX),
        text: short(&condition.text, CELL_CHARS_MAX),
        state: one.verdict.told(),
        place: condition.place.clone(),
        origin: evidence
            .map(|one| crate::words::document_of(&one.source).to_owned())
            .unwrap_or_default(),
        state_from: one.verdict.place.clone(),
        evidence: one.verdict.evidence.clone(),
    }
}

fn shown(watched: &[Watched], news: &News) -> Exhibit {
    let mut exhibit = Exhibit::default();
    let count = |status: Status| {
        watched
            .iter()
            .filter(|one| one.verdict.status == status)
            .count()
    };
    let (met, near) = (count(Status::Met), count(Status::Near));
    let is_news = |one: &&Watched| {
        let text = short(&one.condition.text, CELL_CHARS_MAX);
        !news.follows
            || news.new.iter().any(|item| item.text == text)
            || news.changed.iter().any(|(_, item)| item.text == text)
    };
    let told: Vec<&Watched> = watched.iter().filter(is_news).collect();
    for status in [Status::Met, Status::Near] {
        for one in told
            .iter()
            .filter(|one| one.verdict.status == status)
            .take(FIRST_MAX)
        {
            exhibit.headlines.push(Statement {
                text: format!("{}: {}", status.capital(), one.in_short()),
                // The verdict is ours; what it rests on is cited.
                kind: adjutant_questions::FindingKind::Calculation,
                evidence: one.verdict.evidence.clone(),
            });
        }
    }
    let text = match watched.len() {
        0 => "No condition was given and no document states one. Name them with the input `conditions`".to_owned(),
        all => format!(
            "{}: {met} met, {near} near, {} not met, {} cannot be told",
            counted(all, "condition"),
            count(Status::NotMet),
            count(Status::Unknown)
        ),
    };
    if !news.follows {
        exhibit.headlines.insert(0, Statement::calculation(&text));
        exhibit.add_figure(met.to_string(), "met");
        exhibit.add_figure(near.to_string(), "near");
        exhibit.add_figure(count(Status::NotMet).to_string(), "not met");
        exhibit.add_figure(count(Status::Unknown).to_string(), "cannot be told");
    }
    exhibit.tables.extend(table(&told));
    exhibit.tables.extend(without_value(&told));
    news.tell(&mut exhibit);
    if !told.is_empty() {
        exhibit.add_note(
            "How a condition is judged",
            "A value counts if it has the unit of the limit and its sentence is on the same subject. The latest holds. If values \
             of one day lead to different verdicts, or there is none, it cannot be told. Near means not met by no more than the \
             given share of the limit",
        );
    }
    let text = match news.follows {
        true => news.told(),
        false => text,
    };
    exhibit.data = news.data(&text);
    exhibit.data["conditions"] = watched
        .iter()
        .map(|one| json!({"when": one.condition.text, "then": one.condition.then, "status": one.verdict.status.told()}))
        .collect();
    exhibit
}

impl Watched {
    /// Whether a value, or a statement, tells how it stands.
    fn is_decided(&self) -> bool {
        self.verdict.status != Status::Unknown
    }

    fn in_short(&self) -> String {
        let value = match &self.verdict.value {
            Some(value) => format!(" ({value})"),
            None => String::new(),
        };
        let then = match self.condition.then.as_str() {
            "" => String::new(),
            then => format!(". Then: {then}"),
        };
        format!("{}{value}{then}", short(&self.condition.text, 160))
    }
}

fn table(watched: &[&Watched]) -> Option<ExhibitTable> {
    let mut all: Vec<&&Watched> = watched.iter().filter(|one| one.is_decided()).collect();
    all.sort_by_key(|one| one.verdict.status);
    let rows = all.into_iter().map(|one| {
        let condition = &one.condition;
        let limit = condition.limit_told();
        let value = match (&one.verdict.value, one.verdict.why.as_str()) {
            (Some(value), _) => match &one.verdict.date {
                Some(date) => format!("{value}, {date}"),
                None => value.clone(),
            },
            (None, why) => why.to_owned(),
        };
        vec![
            ExhibitCell::label(one.verdict.status.told()),
            ExhibitCell::statement(
                short(&condition.text, CELL_CHARS_MAX),
                condition.evidence.clone(),
            ),
            ExhibitCell::calculation(limit.trim()),
            ExhibitCell::statement(value, one.verdict.evidence.clone()),
            match condition.then.as_str() {
                "" => ExhibitCell::label("not stated"),
                then => {
                    ExhibitCell::statement(short(then, CELL_CHARS_MAX), condition.evidence.clone())
                }
            },
        ]
    });
    let columns = vec![
        ExhibitColumn::text("Status", 2),
        ExhibitColumn::text("Condition", 6),
        ExhibitColumn::text("Met when", 3),
        ExhibitColumn::text("Value", 3),
        ExhibitColumn::text("What happens then", 4),
    ];
    filled("How the conditions stand", columns, rows.collect())
}

/// Conditions of which no value is known, each with what would tell it.
fn without_value(watched: &[&Watched]) -> Option<ExhibitTable> {
    let open = watched.iter().filter(|one| !one.is_decided());
    let rows = open.map(|one| {
        let condition = &one.condition;
        vec![
            ExhibitCell::statement(
                short(&condition.text, CELL_CHARS_MAX),
                condition.evidence.clone(),
            ),
            ExhibitCell::calculation(condition.limit_told().trim()),
            ExhibitCell::label(match &condition.limit {
                Some(limit) if !limit.amount.unit.is_empty() => format!(
                    "{}: a figure in {} on this subject",
                    one.verdict.why,
                    with_unit("", &limit.amount.unit).trim()
                ),
                _ => one.verdict.why.clone(),
            }),
        ]
    });
    let columns = vec![
        ExhibitColumn::text("Condition", 6),
        ExhibitColumn::text("Met when", 3),
        ExhibitColumn::text("Why it cannot be told", 4),
    ];
    filled("Conditions that cannot be told", columns, rows.collect())
}

impl Condition {
    /// When it is met: a demand when it is broken.
    fn limit_told(&self) -> String {
        match &self.limit {
            Some(limit) => format!(
                "{}{} {}",
                if limit.is_demand { "broken when " } else { "" },
                limit.side.told(),
                with_unit(&written_exactly(limit.amount.value), &limit.amount.unit)
            ),
            None => "when it happens".to_owned(),
        }
    }
}

/// With all decimals that it has.
fn written_exactly(value: f64) -> String {
    match value.fract() == 0.0 {
        true => written(value),
        false => format!("{value}"),
    }
}

#[cfg(test)]
#[path = "watched_conditions_tests.rs"]
mod tests;
