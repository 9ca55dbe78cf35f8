//! What is suggested, with everything that is needed to judge it.

use serde::Serialize;

use crate::confidence::Confidence;
use crate::graph::Graph;
use crate::tool::Argument;

/// A graph for an intent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Suggestion {
    pub intent: String,
    pub graph: Graph,
    /// Required arguments that neither the intent nor another task gives.
    pub missing: Vec<Missing>,
    pub confidence: Confidence,
    /// Nothing like it was ever run to its end.
    pub novel: bool,
    /// The workflow most like it that completed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest: Option<Nearest>,
    /// Why each task is there, in the order of the tasks.
    pub why: Vec<Why>,
    /// Pieces of the intent that no task covers: things to do that none of the tools does, and figures that no argument has.
    pub not_covered: Vec<String>,
    /// Why somebody must decide before it is carried out, if somebody must.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ail_required: Option<AilReason>,
}

/// A required argument without a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Missing {
    pub task: String,
    pub argument: String,
    /// What kind of value it takes: `text`, `number`, `list`, `object` ...
    pub kind: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// Other arguments, of which one does as well.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub or: Vec<String>,
}

impl Missing {
    pub(crate) fn new(task: &str, argument: &Argument, one_of: &[String]) -> Self {
        let is_one = one_of.contains(&argument.name) && !argument.is_required;
        let others = one_of
            .iter()
            .filter(|name| is_one && **name != argument.name);
        Self {
            task: task.to_owned(),
            argument: argument.name.clone(),
            kind: argument.kind.name(),
            about: match argument.choices.is_empty() {
                true => argument.about.clone(),
                false => format!("one of {}", argument.choices.join(", ")),
            },
            or: others.cloned().collect(),
        }
    }
}

/// A workflow that was run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Nearest {
    pub workflow: String,
    pub intent: String,
    /// How alike the two intents are, from 0 to 1.
    pub similarity: f64,
}

/// Why a task is in the graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Why {
    pub task: String,
    pub because: String,
}

/// Why an agent or a person must decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AilReason {
    /// No tool serves the intent.
    NothingFits,
    /// The confidence is below 0.6.
    LowConfidence,
    /// No workflow like it has completed before.
    Novel,
    /// Required arguments are missing.
    MissingArguments,
    /// The graph leaves out a piece of the intent.
    NotCovered,
}

impl AilReason {
    /// In a sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::NothingFits => "No tool serves this intent.",
            Self::LowConfidence => "The confidence is below 60 %.",
            Self::Novel => "No workflow like it has completed here before.",
            Self::MissingArguments => "Required arguments are missing.",
            Self::NotCovered => "No task covers a part of the intent.",
        }
    }
}
