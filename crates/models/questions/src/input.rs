//! What each purpose is asked with. A question carries what its purpose needs and nothing else.

use adjutant_mission::references;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::sense::senseless;
use crate::{
    Act, Cite, Conclude, Constitution, ConstitutionChecked, DatedQuestion, Finding, Output,
    Purpose, Read, Reconcile, Route, Split, Summarize, Think, Thought, Weigh, WorkerQuestion,
};

/// A text that may be drawn on and cited.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// What citations call it.
    pub id: String,
    #[serde(default)]
    pub title: String,
    pub text: String,
    /// When it was published: `2024-03-01`, `2024-03` or `2024`.
    #[serde(default)]
    pub published: Option<String>,
}

macro_rules! inputs {
    ($($variant:ident($kind:ident),)*) => {
        /// The input of a question, by its purpose.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Input {
            $($variant($kind),)*
        }

        impl Input {
            pub fn purpose(&self) -> Purpose {
                match self {
                    $(Self::$variant(_) => Purpose::$variant,)*
                }
            }

            /// Reads the input of a purpose from JSON.
            pub fn read(purpose: Purpose, value: Value) -> Result<Self, InputError> {
                let unfit = |error: serde_json::Error| InputError {
                    purpose,
                    message: in_plain_words(&error.to_string()),
                };
                match purpose {
                    $(Purpose::$variant => serde_json::from_value(value).map(Self::$variant).map_err(unfit),)*
                }
            }

            /// The input as JSON: what prompts are rendered with.
            pub fn value(&self) -> Value {
                let value = match self {
                    $(Self::$variant(input) => serde_json::to_value(input),)*
                };
                value.unwrap_or(Value::Null)
            }
        }
    };
}

inputs! {
    Plan(PlanInput),
    Extract(Extract),
    Compare(Compare),
    Cluster(Cluster),
    Timeline(Timeline),
    Gaps(Gaps),
    Score(Score),
    Object(Object),
    Draft(Draft),
    Grade(Grade),
    Think(Think),
    Weigh(Weigh),
    Split(Split),
    Act(Act),
    Conclude(Conclude),
    Route(Route),
    Read(Read),
    Reconcile(Reconcile),
    Hypothesize(WorkerQuestion),
    Causes(WorkerQuestion),
    Flag(DatedQuestion),
    Scenarios(DatedQuestion),
    Summarize(Summarize),
    Cite(Cite),
    Constitution(Constitution),
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the input of a question to `{}` does not fit: {message}", purpose.name())]
pub struct InputError {
    pub purpose: Purpose,
    pub message: String,
}

impl Purpose {
    /// The fields an input must have, and those it may have besides.
    pub fn fields(self) -> (&'static [&'static str], &'static [&'static str]) {
        match self {
            Self::Plan => (&["objective", "template"], &["constraints", "available"]),
            Self::Extract => (&["question", "sources"], &["most", "guidance"]),
            Self::Compare => (&["items", "criteria", "sources"], &["about", "guidance"]),
            Self::Cluster => (&["sources"], &["about", "most", "guidance"]),
            Self::Timeline => (&["sources"], &["about", "guidance"]),
            Self::Gaps => (&["checklist", "sources"], &["guidance"]),
            Self::Score => (&["items", "criteria"], &["sources"]),
            Self::Object => (&["claims", "sources"], &["guidance"]),
            Self::Draft => (
                &["heading", "findings"],
                &["about", "not_found", "words_max", "guidance"],
            ),
            Self::Grade => (&["sources"], &["claim"]),
            Self::Think => (
                &["question", "role", "sources"],
                &["thoughts", "part", "guidance"],
            ),
            Self::Weigh => (&["question", "role", "thoughts"], &["sources"]),
            Self::Split => (
                &["question", "role", "sources"],
                &["thoughts", "most", "guidance"],
            ),
            Self::Act => (&["question", "tools"], &["sources", "thoughts", "guidance"]),
            Self::Conclude => (&["question", "sources"], &["thoughts", "guidance", "most"]),
            Self::Route => (&["question", "missions"], &[]),
            Self::Read => (
                &["objective", "sources"],
                &["today", "documents", "topics", "guidance"],
            ),
            Self::Reconcile => (
                &["objective", "sources", "groups"],
                &["today", "documents", "points", "guidance"],
            ),
            Self::Hypothesize | Self::Causes => (&["question", "sources"], &["most", "guidance"]),
            Self::Flag | Self::Scenarios => {
                (&["question", "sources"], &["today", "most", "guidance"])
            }
            Self::Summarize => (&["sources"], &["about", "documents", "most", "guidance"]),
            Self::Cite => (&["findings", "sources"], &["guidance"]),
            Self::Constitution => (&["rules", "sources"], &["quoted"]),
        }
    }

    /// What in an input does not fit, where `{{…}}` references may still become anything: dotted path, message.
    pub fn check_unresolved(self, input: &Value) -> Vec<(String, String)> {
        let Value::Object(given) = input else {
            return vec![(String::new(), "an input is a map".to_owned())];
        };
        let (needed, more) = self.fields();
        let mut problems = Vec::new();
        for name in given.keys() {
            if !needed.contains(&name.as_str()) && !more.contains(&name.as_str()) {
                let known = [needed, more].concat().join("`, `");
                let message = format!("`{}` takes no `{name}`, but `{known}`", self.name());
                problems.push((name.clone(), message));
            }
        }
        for name in needed.iter().filter(|name| !given.contains_key(**name)) {
            problems.push((String::new(), format!("`{}` needs `{name}`", self.name())));
        }
        if problems.is_empty() && !mentions_any(input) {
            let read = Input::read(self, input.clone());
            problems.extend(read.err().map(|error| (String::new(), error.message)));
        }
        if problems.is_empty() {
            problems = senseless(input);
            problems.extend(self.no_role(&input["role"]));
        }
        problems
    }
}

/// A reading error in the words of a plan file.
fn in_plain_words(message: &str) -> String {
    let message = message
        .replace("invalid type: sequence", "invalid type: list")
        .replace("floating point `", "number `");
    let Some((before, expected)) = message.rsplit_once("expected ") else {
        return message;
    };
    let expected = match expected.split_whitespace().next() {
        Some("f64") => "a number",
        Some("u16") => "a whole number from 0 to 65535",
        Some("struct") => "a map",
        _ if expected == "a sequence" => "a list",
        _ => expected,
    };
    format!("{before}expected {expected}")
}

fn mentions_any(value: &Value) -> bool {
    match value {
        Value::String(text) => !references(text).is_empty(),
        Value::Array(items) => items.iter().any(mentions_any),
        Value::Object(fields) => fields.values().any(mentions_any),
        _ => false,
    }
}

impl Input {
    /// What is asked, in words: what relevance is judged by.
    pub fn question(&self) -> String {
        match self {
            Self::Plan(input) => input.objective.clone(),
            Self::Extract(input) => input.question.clone(),
            Self::Compare(input) => [&input.items[..], &input.criteria[..]].concat().join(" "),
            Self::Cluster(input) => input.about.clone(),
            Self::Timeline(input) => input.about.clone(),
            Self::Gaps(input) => joined(input.checklist.iter().map(|point| point.wants.as_str())),
            Self::Score(input) => {
                let items = input.items.iter().map(|item| item.name.as_str());
                joined(items.chain(input.criteria.iter().map(|by| by.name.as_str())))
            }
            Self::Object(input) => input.claims.join(" "),
            Self::Draft(input) => format!("{} {}", input.heading, input.about),
            Self::Grade(input) => input.claim.clone(),
            Self::Think(input) => {
                let part = input.part.as_deref().unwrap_or_default();
                joined([input.question.as_str(), part].into_iter())
            }
            Self::Weigh(input) => input.question.clone(),
            Self::Split(input) => input.question.clone(),
            Self::Act(input) => input.question.clone(),
            Self::Conclude(input) => input.question.clone(),
            Self::Route(input) => input.question.clone(),
            Self::Read(input) => input.objective.clone(),
            Self::Reconcile(input) => input.objective.clone(),
            Self::Hypothesize(input) | Self::Causes(input) => input.question.clone(),
            Self::Flag(input) | Self::Scenarios(input) => input.question.clone(),
            Self::Summarize(input) => input.about.clone(),
            Self::Cite(input) => joined(input.findings.iter().map(|at| at.text.as_str())),
            Self::Constitution(input) => joined(input.rules.iter().map(|at| at.forbids.as_str())),
        }
    }

    pub fn sources(&self) -> &[Source] {
        match self {
            Self::Plan(_) | Self::Draft(_) | Self::Route(_) => &[],
            Self::Extract(input) => &input.sources,
            Self::Compare(input) => &input.sources,
            Self::Cluster(input) => &input.sources,
            Self::Timeline(input) => &input.sources,
            Self::Gaps(input) => &input.sources,
            Self::Score(input) => &input.sources,
            Self::Object(input) => &input.sources,
            Self::Grade(input) => &input.sources,
            Self::Think(input) => &input.sources,
            Self::Weigh(input) => &input.sources,
            Self::Split(input) => &input.sources,
            Self::Act(input) => &input.sources,
            Self::Conclude(input) => &input.sources,
            Self::Read(input) => &input.sources,
            Self::Reconcile(input) => &input.sources,
            Self::Hypothesize(input) | Self::Causes(input) => &input.sources,
            Self::Flag(input) | Self::Scenarios(input) => &input.sources,
            Self::Summarize(input) => &input.sources,
            Self::Cite(input) => &input.sources,
            Self::Constitution(input) => &input.sources,
        }
    }

    pub fn sources_mut(&mut self) -> Option<&mut Vec<Source>> {
        match self {
            Self::Plan(_) | Self::Draft(_) | Self::Route(_) => None,
            Self::Extract(input) => Some(&mut input.sources),
            Self::Compare(input) => Some(&mut input.sources),
            Self::Cluster(input) => Some(&mut input.sources),
            Self::Timeline(input) => Some(&mut input.sources),
            Self::Gaps(input) => Some(&mut input.sources),
            Self::Score(input) => Some(&mut input.sources),
            Self::Object(input) => Some(&mut input.sources),
            Self::Grade(input) => Some(&mut input.sources),
            Self::Think(input) => Some(&mut input.sources),
            Self::Weigh(input) => Some(&mut input.sources),
            Self::Split(input) => Some(&mut input.sources),
            Self::Act(input) => Some(&mut input.sources),
            Self::Conclude(input) => Some(&mut input.sources),
            Self::Read(input) => Some(&mut input.sources),
            Self::Reconcile(input) => Some(&mut input.sources),
            Self::Hypothesize(input) | Self::Causes(input) => Some(&mut input.sources),
            Self::Flag(input) | Self::Scenarios(input) => Some(&mut input.sources),
            Self::Summarize(input) => Some(&mut input.sources),
            Self::Cite(input) => Some(&mut input.sources),
            Self::Constitution(input) => Some(&mut input.sources),
        }
    }

    /// The answer to a question that there is nothing to ask about: nobody needs to be asked.
    pub fn answer_of_nothing(&self) -> Option<Output> {
        match self {
            Self::Constitution(input) if input.sources.is_empty() => {
                Some(Output::Constitution(ConstitutionChecked::of_nothing()))
            }
            _ => None,
        }
    }

    /// What was thought before, if it is a step of a reasoning.
    pub fn thoughts(&self) -> &[Thought] {
        match self {
            Self::Think(input) => &input.thoughts,
            Self::Weigh(input) => &input.thoughts,
            Self::Split(input) => &input.thoughts,
            Self::Act(input) => &input.thoughts,
            Self::Conclude(input) => &input.thoughts,
            _ => &[],
        }
    }

    pub(crate) fn thoughts_mut(&mut self) -> &mut [Thought] {
        match self {
            Self::Think(input) => &mut input.thoughts,
            Self::Weigh(input) => &mut input.thoughts,
            Self::Split(input) => &mut input.thoughts,
            Self::Act(input) => &mut input.thoughts,
            Self::Conclude(input) => &mut input.thoughts,
            _ => &mut [],
        }
    }
}

fn joined<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.collect::<Vec<_>>().join(" ")
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanInput {
    pub objective: String,
    /// The steps of a template, in an order that their `after` allows.
    pub template: Vec<PlanStep>,
    #[serde(default)]
    pub constraints: Vec<String>,
    /// What there is to work with: names of tools and sources. A step that needs something else is left out.
    #[serde(default)]
    pub available: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanStep {
    pub key: String,
    pub title: String,
    #[serde(default)]
    pub after: Vec<String>,
    /// What must be available for it.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Words of objectives it is for; for every objective if there are none.
    #[serde(default)]
    pub only_for: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extract {
    pub question: String,
    pub sources: Vec<Source>,
    /// How many findings at most.
    #[serde(default = "most")]
    pub most: u16,
    /// What people want kept in mind.
    #[serde(default)]
    pub guidance: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compare {
    /// The question it is done for.
    #[serde(default)]
    pub about: String,
    pub items: Vec<String>,
    pub criteria: Vec<String>,
    pub sources: Vec<Source>,
    /// What people want kept in mind.
    #[serde(default)]
    pub guidance: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cluster {
    #[serde(default)]
    pub about: String,
    pub sources: Vec<Source>,
    /// How many groups at most.
    #[serde(default = "most")]
    pub most: u16,
    /// What people want kept in mind.
    #[serde(default)]
    pub guidance: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timeline {
    #[serde(default)]
    pub about: String,
    pub sources: Vec<Source>,
    /// What people want kept in mind.
    #[serde(default)]
    pub guidance: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gaps {
    pub checklist: Vec<ChecklistPoint>,
    pub sources: Vec<Source>,
    /// What people want kept in mind.
    #[serde(default)]
    pub guidance: Vec<String>,
}

/// One point of a checklist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChecklistPoint {
    pub key: String,
    /// What should be told, in words.
    pub wants: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// Names, or names with values.
    #[serde(deserialize_with = "items")]
    pub items: Vec<Item>,
    pub criteria: Vec<Criterion>,
    #[serde(default)]
    pub sources: Vec<Source>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    pub name: String,
    /// What is known of it in numbers, by the criterion's name.
    #[serde(default)]
    pub values: std::collections::BTreeMap<String, f64>,
}

fn items<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Item>, D::Error> {
    let given = Vec::<Value>::deserialize(from)?.into_iter();
    let item = |one: Value| match one {
        Value::String(name) => Ok(Item {
            name,
            values: std::collections::BTreeMap::new(),
        }),
        other => serde_json::from_value(other).map_err(serde::de::Error::custom),
    };
    given.map(item).collect()
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Criterion {
    pub name: String,
    #[serde(default = "one")]
    pub weight: f64,
    #[serde(default)]
    pub prefers: Preference,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Preference {
    #[default]
    More,
    Less,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Object {
    /// Texts, findings, or lists of them.
    #[serde(deserialize_with = "texts")]
    pub claims: Vec<String>,
    pub sources: Vec<Source>,
    /// What people want kept in mind.
    #[serde(default)]
    pub guidance: Vec<String>,
}

/// Texts, whether they are given as such, as what has a text, or in lists. Each once.
fn texts<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        Text(String),
        Finding { text: String },
        List(Vec<Given>),
    }
    fn flat(given: Given, all: &mut Vec<String>) {
        match given {
            Given::Text(text) | Given::Finding { text } if !all.contains(&text) => all.push(text),
            Given::Text(_) | Given::Finding { .. } => {}
            Given::List(list) => list.into_iter().for_each(|at| flat(at, all)),
        }
    }
    let mut all = Vec::new();
    let given = Vec::<Given>::deserialize(from)?;
    given.into_iter().for_each(|at| flat(at, &mut all));
    Ok(all)
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draft {
    pub heading: String,
    #[serde(default)]
    pub about: String,
    pub findings: Vec<Finding>,
    /// What was searched for and not found, to be said.
    #[serde(default)]
    pub not_found: Vec<String>,
    #[serde(default = "words_max")]
    pub words_max: u16,
    /// What people want kept in mind.
    #[serde(default)]
    pub guidance: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grade {
    /// What the evidence is for; all the sources' own subject if it is left out.
    #[serde(default)]
    pub claim: String,
    pub sources: Vec<Source>,
}

fn most() -> u16 {
    10
}

fn one() -> f64 {
    1.0
}

fn words_max() -> u16 {
    400
}
