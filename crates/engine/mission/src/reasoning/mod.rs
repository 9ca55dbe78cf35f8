//! Reasoning: how an agent thinks its way to a conclusion, one step at a time. Each step is a question to a model or a
//! call of a tool, so each is an effect of its own; what comes next follows from the steps that were taken and from
//! nothing else. So a mission that is killed in the middle of a thought goes on from that very step.

mod assessment;
mod next;
mod patterns;
mod phases;
mod problems;
mod run;

use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

pub use assessment::{Assessment, ESCALATE_BELOW, ROUNDS_AGAIN_MAX};
pub use next::{AGAIN_STEPS_MAX, again, next, rounds, steps_max};
pub use phases::{PhaseRecord, ReactPhase, phase_of, react_phases};
pub use problems::REASONING_TOOLS_MAX;

use crate::{Payload, Ppm, ToolCall, ToolId, Usage};

/// How a task's agent reasons.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reasoning {
    /// Applied in order: each continues from the thoughts of the previous ones.
    pub patterns: Vec<Pattern>,
    /// Rounds of one pattern at most: steps of a chain, depth of a tree, rounds of a debate, simulations of a search.
    #[serde(default = "default_iterations")]
    pub max_iterations: u16,
    /// A conclusion below it is thought through again, or put to a person.
    #[serde(default = "default_threshold")]
    pub confidence_threshold: Ppm,
    /// What the agent may call while it thinks. Only an L4 worker may call anything.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolId>,
}

pub const ITERATIONS_MAX: u16 = 20;
pub const PATTERNS_MAX: usize = 5;

fn default_iterations() -> u16 {
    3
}

fn default_threshold() -> Ppm {
    Ppm(700_000)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    ChainOfThought,
    TreeOfThought,
    React,
    Reflection,
    Mcts,
    Debate,
    Decomposition,
    Analogical,
    Adversarial,
    Socratic,
    Pedagogical,
}

impl Pattern {
    pub const ALL: [Self; 11] = [
        Self::ChainOfThought,
        Self::TreeOfThought,
        Self::React,
        Self::Reflection,
        Self::Mcts,
        Self::Debate,
        Self::Decomposition,
        Self::Analogical,
        Self::Adversarial,
        Self::Socratic,
        Self::Pedagogical,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::ChainOfThought => "chain_of_thought",
            Self::TreeOfThought => "tree_of_thought",
            Self::React => "react",
            Self::Reflection => "reflection",
            Self::Mcts => "mcts",
            Self::Debate => "debate",
            Self::Decomposition => "decomposition",
            Self::Analogical => "analogical",
            Self::Adversarial => "adversarial",
            Self::Socratic => "socratic",
            Self::Pedagogical => "pedagogical",
        }
    }
}

/// What kind of question a step asks. The names are those of the purposes of questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// A thought: its part in the pattern is the step's role.
    Think,
    /// Scores for earlier thoughts.
    Weigh,
    /// A question taken apart.
    Split,
    /// Which tool to call next, if any.
    Act,
    /// The call itself: an effect of a tool.
    Call,
    /// The conclusion: what the task comes to.
    Conclude,
}

impl StepKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Think => "think",
            Self::Weigh => "weigh",
            Self::Split => "split",
            Self::Act => "act",
            Self::Call => "call",
            Self::Conclude => "conclude",
        }
    }
}

/// What a step is for in its pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepRole {
    // Thinking.
    Step,
    Branch,
    Expand,
    Critique,
    Revise,
    For,
    Against,
    Rebut,
    Answer,
    Analogue,
    Map,
    Transfer,
    Attack,
    Defend,
    Examine,
    Explain,
    CheckUnderstanding,
    // Weighing.
    Promise,
    Simulate,
    Verdict,
    Fit,
    Postcondition,
    // Splitting.
    Parts,
    Assumptions,
    Lessons,
    // Acting, calling and concluding.
    Choose,
    Observe,
    Conclude,
}

impl StepRole {
    pub fn name(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::Branch => "branch",
            Self::Expand => "expand",
            Self::Critique => "critique",
            Self::Revise => "revise",
            Self::For => "for",
            Self::Against => "against",
            Self::Rebut => "rebut",
            Self::Answer => "answer",
            Self::Analogue => "analogue",
            Self::Map => "map",
            Self::Transfer => "transfer",
            Self::Attack => "attack",
            Self::Defend => "defend",
            Self::Examine => "examine",
            Self::Explain => "explain",
            Self::CheckUnderstanding => "check_understanding",
            Self::Promise => "promise",
            Self::Simulate => "simulate",
            Self::Verdict => "verdict",
            Self::Fit => "fit",
            Self::Postcondition => "postcondition",
            Self::Parts => "parts",
            Self::Assumptions => "assumptions",
            Self::Lessons => "lessons",
            Self::Choose => "choose",
            Self::Observe => "observe",
            Self::Conclude => "conclude",
        }
    }
}

/// A step that is to be taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Move {
    pub kind: StepKind,
    pub role: StepRole,
    pub pattern: Pattern,
    /// Which round of the pattern, from 1.
    pub iteration: u16,
    /// The steps, by their place from 0, whose answers it goes on from, in order. What it weighs, if it weighs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uses: Vec<u16>,
    /// It works on one part of an earlier step's answer: the step and the part, both from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<(u16, u16)>,
    /// What it calls, if it is a call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<ToolCall>,
}

/// What of an answer the next step depends on. Whoever performs a step reads it out of the answer, and it is recorded.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signs {
    /// How sure the answerer is of itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sure: Option<Ppm>,
    /// How well the answer does by the rules of evidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Ppm>,
    /// How well it is supported, by what can be counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub support: Option<Ppm>,
    /// Of weighing: one for each step that was weighed, in the order of `uses`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<Ppm>,
    /// Of splitting: into how many.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub parts: u16,
    /// Of acting: what to call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<ToolCall>,
    /// There is nothing more to think in this line: nothing new, nothing to object, nothing to mend.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub settled: bool,
}

fn is_zero(number: &u16) -> bool {
    *number == 0
}

/// A step that was taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepTaken {
    pub step: Move,
    #[serde(default)]
    pub signs: Signs,
    pub output: Payload,
    #[serde(default, skip_serializing_if = "Usage::is_none")]
    pub usage: Usage,
}

/// What comes next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    Take(Move),
    /// The last step was the conclusion.
    Concluded,
    /// It cannot go on: why.
    Stuck(String),
}
