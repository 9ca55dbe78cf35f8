//! What is handed from step to step: statements with evidence, and contradictions between them.

use adjutant_questions::Evidence;
use serde::{Deserialize, Serialize};

/// Something a source says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CitedText {
    pub text: String,
    #[serde(default)]
    pub evidence: Vec<Evidence>,
}

/// Sources that do not say the same of one thing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contradiction {
    pub about: String,
    pub sides: Vec<CitedText>,
    /// Which side was gone by, and why; empty if none was.
    #[serde(default)]
    pub held: String,
}
