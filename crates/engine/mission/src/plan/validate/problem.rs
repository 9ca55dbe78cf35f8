//! What can be wrong with a plan, in words and codes.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::{AgentId, TaskKey};

/// Something that keeps a plan from being run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Path into the plan: `tasks[3].after[0]`.
    pub place: String,
    pub kind: ProblemKind,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.kind)
    }
}

/// Something worth knowing that does not keep a plan from being run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    pub place: String,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProblemKind {
    #[error("a plan needs at least one task")]
    Empty,
    #[error("{what}: {found} exceeds the limit of {limit}")]
    OverLimit {
        what: &'static str,
        found: u64,
        limit: u64,
    },
    #[error("{what}: {found} is below the minimum of {least}")]
    UnderLimit {
        what: &'static str,
        found: u64,
        least: u64,
    },
    #[error("task `{key}` is defined twice; the first is {first}")]
    Duplicate { key: TaskKey, first: String },
    #[error("`inputs` names the mission's inputs and cannot be a task's key")]
    ReservedKey,
    #[error("a task's key cannot contain `.`: references use it to reach into outputs")]
    DottedKey,
    #[error("task `{task}` waits for `{on}`, which is not in the plan{}", did_you_mean(.near))]
    UnknownDependency {
        task: TaskKey,
        on: TaskKey,
        near: Option<String>,
    },
    #[error("task `{task}` waits for itself")]
    SelfDependency { task: TaskKey },
    #[error("task `{task}` waits for `{on}` twice")]
    RepeatedDependency { task: TaskKey, on: TaskKey },
    #[error("these tasks wait for each other in a cycle: {}", .members.join(" -> "))]
    Cycle { members: Vec<String> },
    #[error(
        "task `{task}` can never start: it waits for a cycle or for a task that is not in the plan"
    )]
    Unreachable { task: TaskKey },
    #[error("there is no tool `{tool}`{}", did_you_mean(.near))]
    UnknownTool { tool: String, near: Option<String> },
    #[error("no model is available for this {level} task")]
    NoModel { level: &'static str },
    #[error("`{{{{{text}}}}}` cannot be resolved: {why}")]
    DanglingReference { text: String, why: String },
    #[error("there is no task `{to}` to return to{}", did_you_mean(.near))]
    UnknownReturn { to: TaskKey, near: Option<String> },
    #[error(
        "a gate can only return to a task it waits for, directly or indirectly; `{to}` is not one"
    )]
    ReturnNotUpstream { to: TaskKey },
    #[error("task `{task}` follows `{to}` without passing this gate, so `{to}` cannot be repeated")]
    ReturnBypassed { to: TaskKey, task: TaskKey },
    #[error("a `repairable` verdict needs `return_to`")]
    ReturnMissing,
    #[error("option `{key}` is offered twice")]
    RepeatedOption { key: String },
    #[error("the recommended option `{key}` is not among the options")]
    UnknownRecommendation { key: String },
    #[error("{why}")]
    Approvers { why: String },
    #[error("{what} must not be empty")]
    Blank { what: &'static str },
    #[error("only a tool task can have {what}")]
    OnlyForTools { what: &'static str },
    #[error("agent `{agent}` is listed twice")]
    RepeatedAgent { agent: AgentId },
    #[error("there is no agent `{agent}` in the plan{}", did_you_mean(.near))]
    UnknownAgent { agent: String, near: Option<String> },
    #[error("agent `{agent}` is an {level}, and a mission starts only an L1 or L2 by itself")]
    NobodyStarts { agent: AgentId, level: &'static str },
    #[error("agent `{by}` is an {level}, and may not start {what}")]
    MayNotStart {
        by: AgentId,
        level: &'static str,
        what: String,
    },
    #[error("only a question or a tool call can be assigned to an agent")]
    NotByAgents,
    /// Found by a checker outside the machine: a tool's schema, a rule's grammar.
    #[error("{text}")]
    Unfit { text: String },
}

impl ProblemKind {
    pub fn code(&self) -> &'static str {
        match self {
            Self::Empty => "ADJ-1001",
            Self::OverLimit { .. } | Self::UnderLimit { .. } => "ADJ-1002",
            Self::Duplicate { .. } | Self::ReservedKey | Self::DottedKey => "ADJ-1003",
            Self::UnknownDependency { .. } => "ADJ-1004",
            Self::SelfDependency { .. } | Self::RepeatedDependency { .. } => "ADJ-1005",
            Self::Cycle { .. } => "ADJ-1006",
            Self::Unreachable { .. } => "ADJ-1007",
            Self::UnknownTool { .. } => "ADJ-1008",
            Self::DanglingReference { .. } => "ADJ-1009",
            Self::UnknownReturn { .. }
            | Self::ReturnNotUpstream { .. }
            | Self::ReturnBypassed { .. }
            | Self::ReturnMissing => "ADJ-1010",
            Self::RepeatedOption { .. } | Self::UnknownRecommendation { .. } => "ADJ-1011",
            Self::Blank { .. } => "ADJ-1012",
            Self::OnlyForTools { .. } => "ADJ-1013",
            Self::Unfit { .. } => "ADJ-1014",
            Self::NoModel { .. } => "ADJ-1015",
            Self::RepeatedAgent { .. } | Self::UnknownAgent { .. } | Self::NotByAgents => {
                "ADJ-1016"
            }
            Self::NobodyStarts { .. } | Self::MayNotStart { .. } => "ADJ-1017",
            Self::Approvers { .. } => "ADJ-1018",
        }
    }
}

pub(super) fn did_you_mean(near: &Option<String>) -> String {
    near.as_ref()
        .map_or(String::new(), |near| format!("; did you mean `{near}`?"))
}

/// The candidate that differs by a slip of the pen, if one does: two edits, one in short names.
pub(super) fn nearest<'a>(
    wrong: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<String> {
    let edits_max = if wrong.len() < 4 { 1 } else { 2 };
    candidates
        .filter(|known| known.len().abs_diff(wrong.len()) <= edits_max)
        .map(|known| (edits(wrong, known), known))
        .filter(|(distance, _)| *distance <= edits_max)
        .min()
        .map(|(_, known)| known.to_owned())
}

fn edits(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = core::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
