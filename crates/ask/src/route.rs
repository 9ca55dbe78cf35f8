//! Which mission is for a question.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Route {
    pub question: String,
    pub missions: Vec<OfferedMission>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfferedMission {
    pub id: String,
    pub name: String,
    /// What it is for, in a line.
    pub about: String,
    /// `understand`, `evaluate`, `decide` …
    #[serde(default)]
    pub category: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Routed {
    /// The id of the mission that fits best.
    pub mission: String,
    pub because: String,
    /// Those that come next, best first.
    pub others: Vec<OtherMission>,
    pub confidence: f64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OtherMission {
    pub mission: String,
    pub because: String,
}
