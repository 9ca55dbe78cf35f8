//! Which mission serves a question: what is asked with, and what comes of it.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Route {
    pub question: String,
    /// The missions there are to choose from.
    pub missions: Vec<OfferedMission>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfferedMission {
    pub id: String,
    pub name: String,
    /// What it is for, in a sentence.
    pub about: String,
    /// What kind of work it is: `understand`, `decide`.
    #[serde(default)]
    pub category: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Routed {
    /// The id of an offered mission; `null` if none serves.
    pub mission: Option<String>,
    pub because: String,
    /// Alternatives, best first.
    pub others: Vec<OtherMission>,
    pub confidence: f64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OtherMission {
    pub id: String,
    pub because: String,
}
