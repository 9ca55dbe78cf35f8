//! Which options are compared, and by what: those that were given, else those that the objective or a table names.
//!
//! Says where each came from. A person's note changes both; what the note says and cannot be read is listed.

use adjutant_questions::{Evidence, Source};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::exhibit::{Exhibit, ExhibitCell, ExhibitColumn, ExhibitTable, Statement};
use crate::method::{Answer, Method, read_input};
use crate::text::{counted, listed, plain, short, written};

mod found;
mod notes;

pub(crate) const OPTIONS_MAX: usize = 12;
pub(crate) const CRITERIA_MAX: usize = 12;
const NAME_CHARS_MAX: usize = 80;

pub(crate) const OPTIONS: Method = Method {
    id: "options",
    name: "Options",
    about: "Finds the options of a choice and the criteria to compare them by: those given, else those named in the \
            objective or in a table of the sources.",
    inputs: || {
        json!({
            "objective": {"type": "string"},
            "options": {"type": "array", "description": "Options that are given: names, or `name` and `values` by criterion."},
            "criteria": {"type": "array", "description": "Criteria that are given: names, or `name`, `weight` and `prefers`."},
            "usual": {"type": "array", "description": "Names of the criteria to use if none are given or stated."},
            "assumed": {"type": "array", "description": "Names of the options to use if none are given or found."},
            "sources": {"type": "array", "description": "Sources with tables of options or criteria."},
            "amendments": {"type": "array", "description": "Answers of checkpoints: `with_my_note` changes options and criteria as its note says, `equal_weights` makes all weights equal."},
        })
    },
    required: &["objective"],
    apply: |input| read_input(input).map(options),
};

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Request {
    objective: String,
    options: Vec<Named<GivenOption>>,
    criteria: Vec<Named<GivenCriterion>>,
    usual: Vec<String>,
    assumed: Vec<String>,
    sources: Vec<Source>,
    amendments: Vec<Answer>,
}

/// A name, or a name with more.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Named<T> {
    Name(String),
    More(T),
}

#[derive(Debug, Deserialize)]
struct GivenOption {
    name: String,
    #[serde(default)]
    values: std::collections::BTreeMap<String, f64>,
}

#[derive(Debug, Deserialize)]
struct GivenCriterion {
    name: String,
    #[serde(default)]
    weight: Option<f64>,
    #[serde(default)]
    prefers: Option<Prefers>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Prefers {
    More,
    Less,
}

/// Where options or criteria came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Origin {
    Given,
    Objective,
    Document,
    Note,
    Assumed,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Choice {
    name: String,
    values: std::collections::BTreeMap<String, f64>,
    #[serde(skip)]
    origin: Origin,
    #[serde(skip)]
    evidence: Vec<Evidence>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Dimension {
    name: String,
    weight: f64,
    prefers: Prefers,
    #[serde(skip)]
    origin: Origin,
    #[serde(skip)]
    evidence: Vec<Evidence>,
}

#[derive(Debug, Default)]
struct Frame {
    options: Vec<Choice>,
    criteria: Vec<Dimension>,
}

impl Choice {
    fn new(name: &str, origin: Origin, evidence: Vec<Evidence>) -> Self {
        Self {
            name: short(name, NAME_CHARS_MAX),
            values: std::collections::BTreeMap::new(),
            origin,
            evidence,
        }
    }
}

impl Dimension {
    fn new(name: &str, origin: Origin, evidence: Vec<Evidence>) -> Self {
        let name = short(name, NAME_CHARS_MAX);
        Self {
            prefers: preference(&name),
            name,
            weight: 1.0,
            origin,
            evidence,
        }
    }
}

impl Origin {
    fn told(self) -> &'static str {
        match self {
            Self::Given => "given at the start",
            Self::Objective => "named in the objective",
            Self::Document => "named in a document",
            Self::Note => "added by a person",
            Self::Assumed => "assumed: nothing names any",
        }
    }
}

/// Words of criteria of which less is better.
const LESS_IS_BETTER: &[&str] = &[
    "cost",
    "price",
    "expense",
    "fee",
    "risk",
    "harm",
    "danger",
    "duration",
    "delay",
    "effort",
    "loss",
    "noise",
    "emission",
    "complexity",
    "downtime",
    "latency",
    "weight",
    "waste",
    "consumption",
    "lead time",
    "disruption",
];

fn preference(name: &str) -> Prefers {
    let small = name.to_lowercase();
    match LESS_IS_BETTER.iter().any(|word| small.contains(word)) {
        true => Prefers::Less,
        false => Prefers::More,
    }
}

fn options(request: Request) -> Exhibit {
    let mut frame = gather(&request);
    frame.options.truncate(OPTIONS_MAX);
    frame.criteria.truncate(CRITERIA_MAX);
    let noted = notes::amend(&mut frame, &request.amendments);
    shown(&frame, &noted)
}

fn gather(request: &Request) -> Frame {
    let tables = found::in_tables(&request.sources, &request.objective);
    let mut frame = Frame::default();
    for one in &request.options {
        frame.add_option(given_option(one));
    }
    if frame.options.is_empty() {
        for name in found::in_objective(&request.objective) {
            frame.add_option(Choice::new(&name, Origin::Objective, Vec::new()));
        }
    }
    if frame.options.len() < 2 && !frame.has_given() {
        frame.options.clear();
        for one in &tables.options {
            frame.add_option(one.clone());
        }
    }
    if frame.options.is_empty() {
        for name in found::done_or_not(&plain(&request.objective)) {
            frame.add_option(Choice::new(&name, Origin::Objective, Vec::new()));
        }
    }
    if frame.options.is_empty() {
        for name in &request.assumed {
            frame.add_option(Choice::new(name, Origin::Assumed, Vec::new()));
        }
    }
    for one in &request.criteria {
        frame.add_criterion(given_criterion(one));
    }
    if frame.criteria.is_empty() {
        for one in &tables.criteria {
            frame.add_criterion(one.clone());
        }
    }
    if frame.criteria.is_empty() {
        for name in &request.usual {
            frame.add_criterion(Dimension::new(name, Origin::Assumed, Vec::new()));
        }
    }
    frame.take_values(&tables.options);
    frame
}

impl Frame {
    fn has_given(&self) -> bool {
        self.options.iter().any(|one| one.origin == Origin::Given)
    }

    fn add_option(&mut self, option: Choice) -> bool {
        let is_new = !option.name.is_empty() && self.option(&option.name).is_none();
        if is_new {
            self.options.push(option);
        }
        is_new
    }

    fn add_criterion(&mut self, criterion: Dimension) -> bool {
        let is_new = !criterion.name.is_empty() && self.criterion(&criterion.name).is_none();
        if is_new {
            self.criteria.push(criterion);
        }
        is_new
    }

    fn option(&self, name: &str) -> Option<usize> {
        self.options
            .iter()
            .position(|one| is_named(&one.name, name))
    }

    fn criterion(&self, name: &str) -> Option<usize> {
        self.criteria
            .iter()
            .position(|one| is_named(&one.name, name))
    }

    /// Figures that a table gives for the options, for the criteria that are used. Given figures stay.
    fn take_values(&mut self, tabled: &[Choice]) {
        let criteria: Vec<String> = self.criteria.iter().map(|one| one.name.clone()).collect();
        for option in &mut self.options {
            let Some(row) = tabled.iter().find(|row| is_named(&row.name, &option.name)) else {
                continue;
            };
            for (heading, value) in &row.values {
                if let Some(name) = criteria.iter().find(|name| is_named(heading, name)) {
                    option.values.entry(name.clone()).or_insert(*value);
                }
            }
            if option.evidence.is_empty() {
                option.evidence.clone_from(&row.evidence);
            }
        }
    }
}

/// Whether two names are the same but for case, spaces and what a heading adds in brackets.
fn is_named(one: &str, other: &str) -> bool {
    let key = |name: &str| plain(name.split('(').next().unwrap_or(name)).to_lowercase();
    key(one) == key(other)
}

fn given_option(given: &Named<GivenOption>) -> Choice {
    match given {
        Named::Name(name) => Choice::new(name, Origin::Given, Vec::new()),
        Named::More(more) => Choice {
            values: more.values.clone(),
            ..Choice::new(&more.name, Origin::Given, Vec::new())
        },
    }
}

fn given_criterion(given: &Named<GivenCriterion>) -> Dimension {
    let (name, weight, prefers) = match given {
        Named::Name(name) => (name, None, None),
        Named::More(more) => (&more.name, more.weight, more.prefers),
    };
    let mut made = Dimension::new(name, Origin::Given, Vec::new());
    made.weight = weight
        .filter(|weight| weight.is_finite() && *weight > 0.0)
        .unwrap_or(1.0);
    made.prefers = prefers.unwrap_or(made.prefers);
    made
}

fn shown(frame: &Frame, noted: &notes::Noted) -> Exhibit {
    let mut exhibit = Exhibit::default();
    let names: Vec<&str> = frame.options.iter().map(|one| one.name.as_str()).collect();
    exhibit
        .headlines
        .push(Statement::interpretation(match names.as_slice() {
            [] => {
                "No options are given, and neither the objective nor a table names any".to_owned()
            }
            [only] => format!("Only one option is named: {only}"),
            names => format!(
                "{} are compared: {}",
                counted(names.len(), "option"),
                listed(names)
            ),
        }));
    exhibit.tables.push(option_table(frame));
    exhibit.tables.push(criterion_table(frame));
    for change in &noted.applied {
        exhibit.add_note("Changed by a person", change.clone());
    }
    if !noted.not_understood.is_empty() {
        let parts: Vec<String> = noted
            .not_understood
            .iter()
            .map(|part| format!("“{part}”"))
            .collect();
        exhibit.add_note("Not understood in a person's note", parts.join(", "));
    }
    let criteria: Vec<&str> = frame.criteria.iter().map(|one| one.name.as_str()).collect();
    exhibit.data = json!({
        "items": frame.options,
        "criteria": frame.criteria,
        "names": names,
        "criteria_names": criteria,
        "options_from": frame.options.first().map(|one| one.origin),
        "criteria_from": frame.criteria.first().map(|one| one.origin),
    });
    exhibit
}

fn option_table(frame: &Frame) -> ExhibitTable {
    let rows = frame.options.iter().map(|one| {
        let values: Vec<String> = one
            .values
            .iter()
            .map(|(name, value)| format!("{name} {}", written(*value)))
            .collect();
        vec![
            ExhibitCell::label(&one.name),
            from_where(one.origin, &one.evidence),
            match values.as_slice() {
                [] => ExhibitCell::label("-"),
                values => ExhibitCell::statement(values.join("; "), one.evidence.clone()),
            },
        ]
    });
    ExhibitTable {
        caption: "The options".to_owned(),
        columns: vec![
            ExhibitColumn::text("Option", 3),
            ExhibitColumn::text("From", 3),
            ExhibitColumn::text("Figures", 3),
        ],
        rows: rows.collect(),
    }
}

fn criterion_table(frame: &Frame) -> ExhibitTable {
    let rows = frame.criteria.iter().map(|one| {
        vec![
            ExhibitCell::label(&one.name),
            ExhibitCell::label(written(one.weight)),
            ExhibitCell::label(match one.prefers {
                Prefers::More => "more",
                Prefers::Less => "less",
            }),
            from_where(one.origin, &one.evidence),
        ]
    });
    ExhibitTable {
        caption: "The criteria".to_owned(),
        columns: vec![
            ExhibitColumn::text("Criterion", 3),
            ExhibitColumn::numbers("Weight", 1),
            ExhibitColumn::text("Better is", 1),
            ExhibitColumn::text("From", 3),
        ],
        rows: rows.collect(),
    }
}

fn from_where(origin: Origin, evidence: &[Evidence]) -> ExhibitCell {
    ExhibitCell {
        evidence: evidence.to_vec(),
        ..ExhibitCell::label(origin.told())
    }
}

#[cfg(test)]
#[path = "options_tests.rs"]
mod tests;
