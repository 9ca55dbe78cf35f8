//! The steps of a reasoning as questions: a thought, a weighing, a splitting, a choice of tool, a conclusion. Each is
//! asked with what was thought before; what comes next is decided elsewhere.

use adjutant_mission::{StepRole, references};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::{Evidence, Finding, Purpose, Source};

const THINKING: &[StepRole] = &[
    StepRole::Step,
    StepRole::Branch,
    StepRole::Expand,
    StepRole::Critique,
    StepRole::Revise,
    StepRole::For,
    StepRole::Against,
    StepRole::Rebut,
    StepRole::Answer,
    StepRole::Analogue,
    StepRole::Map,
    StepRole::Transfer,
    StepRole::Attack,
    StepRole::Defend,
    StepRole::Examine,
    StepRole::Explain,
    StepRole::CheckUnderstanding,
];
const WEIGHING: &[StepRole] = &[
    StepRole::Promise,
    StepRole::Simulate,
    StepRole::Verdict,
    StepRole::Fit,
    StepRole::Postcondition,
];
const SPLITTING: &[StepRole] = &[StepRole::Parts, StepRole::Assumptions, StepRole::Lessons];

impl Purpose {
    /// The parts that a question of this purpose can play in a reasoning; none if it takes no role.
    pub fn roles(self) -> &'static [StepRole] {
        match self {
            Self::Think => THINKING,
            Self::Weigh => WEIGHING,
            Self::Split => SPLITTING,
            _ => &[],
        }
    }

    /// What is wrong with a role that is given as a plain text, though references elsewhere are still open.
    pub(crate) fn no_role(self, role: &Value) -> Option<(String, String)> {
        let name = role.as_str().filter(|name| references(name).is_empty())?;
        let roles = self.roles();
        let known = roles.is_empty() || roles.iter().any(|role| role.name() == name);
        (!known).then(|| ("role".to_owned(), stranger(name, roles)))
    }
}

fn stranger(name: &str, roles: &[StepRole]) -> String {
    let known: Vec<&str> = roles.iter().map(|role| role.name()).collect();
    format!("`{name:.40}` is no role here, but `{}`", known.join("`, `"))
}

fn role_of<'de, D: Deserializer<'de>>(from: D, roles: &[StepRole]) -> Result<StepRole, D::Error> {
    let name = String::deserialize(from)?;
    let found = roles.iter().find(|role| role.name() == name);
    found
        .copied()
        .ok_or_else(|| D::Error::custom(stranger(&name, roles)))
}

fn thinking<'de, D: Deserializer<'de>>(from: D) -> Result<StepRole, D::Error> {
    role_of(from, THINKING)
}

fn weighing<'de, D: Deserializer<'de>>(from: D) -> Result<StepRole, D::Error> {
    role_of(from, WEIGHING)
}

fn splitting<'de, D: Deserializer<'de>>(from: D) -> Result<StepRole, D::Error> {
    role_of(from, SPLITTING)
}

/// What an earlier step came to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thought {
    /// The step's number.
    pub step: u16,
    /// What the step was for: `critique`, `observe`.
    pub role: String,
    pub text: String,
    #[serde(default)]
    pub findings: Vec<Finding>,
    /// What it was weighed at, from 0 to 1.
    #[serde(default)]
    pub score: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Think {
    pub question: String,
    #[serde(deserialize_with = "thinking")]
    pub role: StepRole,
    pub sources: Vec<Source>,
    #[serde(default)]
    pub thoughts: Vec<Thought>,
    /// The part of the question to work on, if it is one.
    #[serde(default)]
    pub part: Option<String>,
    /// What people want kept in mind.
    #[serde(default)]
    pub guidance: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weigh {
    pub question: String,
    #[serde(deserialize_with = "weighing")]
    pub role: StepRole,
    /// What is weighed.
    pub thoughts: Vec<Thought>,
    #[serde(default)]
    pub sources: Vec<Source>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Split {
    pub question: String,
    #[serde(deserialize_with = "splitting")]
    pub role: StepRole,
    pub sources: Vec<Source>,
    #[serde(default)]
    pub thoughts: Vec<Thought>,
    /// How many parts at most.
    #[serde(default = "parts_most")]
    pub most: u16,
    /// What people want kept in mind.
    #[serde(default)]
    pub guidance: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Act {
    pub question: String,
    #[serde(default)]
    pub sources: Vec<Source>,
    #[serde(default)]
    pub thoughts: Vec<Thought>,
    /// What may be called.
    pub tools: Vec<OfferedTool>,
    /// What people want kept in mind.
    #[serde(default)]
    pub guidance: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfferedTool {
    pub id: String,
    /// What it does, in a sentence.
    pub about: String,
    /// JSON Schema of its arguments.
    pub schema: Value,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conclude {
    pub question: String,
    pub sources: Vec<Source>,
    #[serde(default)]
    pub thoughts: Vec<Thought>,
    /// What people want kept in mind.
    #[serde(default)]
    pub guidance: Vec<String>,
    /// How many findings at most.
    #[serde(default = "findings_most")]
    pub most: u16,
}

fn parts_most() -> u16 {
    5
}

fn findings_most() -> u16 {
    12
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thinking {
    /// What was thought, in a few sentences.
    pub thought: String,
    pub findings: Vec<Finding>,
    /// There is nothing new to add in this line.
    pub settled: bool,
    pub confidence: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weighed {
    /// One for each thought.
    pub scores: Vec<ScoreOf>,
    pub confidence: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoreOf {
    /// The thought's number.
    pub step: u16,
    /// From 0 to 1.
    pub score: f64,
    pub because: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SplitInto {
    pub parts: Vec<String>,
    pub confidence: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Acted {
    /// `null` if nothing is worth calling.
    pub tool: Option<String>,
    /// The arguments: an object. Written as a text, since providers that hold a model to a schema take no object
    /// whose fields the schema does not name.
    #[serde(serialize_with = "as_text", deserialize_with = "object_in_text")]
    pub with: Value,
    pub because: String,
    pub confidence: f64,
}

fn as_text<S: Serializer>(with: &Value, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&with.to_string())
}

fn object_in_text<'de, D: Deserializer<'de>>(from: D) -> Result<Value, D::Error> {
    let text = String::deserialize(from)?;
    let read = serde_json::from_str::<Map<String, Value>>(&text);
    read.map(Value::Object)
        .map_err(|error| D::Error::custom(format!("`with` is no JSON object in a text: {error}")))
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Concluded {
    /// Two to five sentences.
    pub summary: String,
    /// Best first.
    pub findings: Vec<Finding>,
    pub contradictions: Vec<Contradiction>,
    /// What was asked and nothing tells.
    pub not_found: Vec<String>,
    pub confidence: f64,
}

/// What sources say differently of the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contradiction {
    pub about: String,
    pub sides: Vec<Side>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Side {
    pub text: String,
    pub evidence: Vec<Evidence>,
}
