//! What workers are asked who hold more than findings: hypotheses, causes, flags, scenarios.
//!
//! Every entry quotes what it rests on. Whoever only knows findings reads the same entries as findings, which are not part of
//! what a model writes: [`Output::as_findings`] makes them of the entries.

use serde::{Deserialize, Serialize};

use crate::{Evidence, Finding, FindingKind, Output, Purpose, Source};

/// How sure a cause is that a source states, suspects or denies.
const SURE_IF_STATED: f64 = 0.75;
const SURE_IF_SUSPECTED: f64 = 0.45;
const SURE_IF_DENIED: f64 = 0.6;
const SURE_OF_A_FLAG: f64 = 0.7;

/// A question on sources, where no day matters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkerQuestion {
    pub question: String,
    pub sources: Vec<Source>,
    /// How many entries at most.
    #[serde(default = "entries_most")]
    pub most: u16,
    /// What people want kept in mind.
    #[serde(default)]
    pub guidance: Vec<String>,
}

/// A question on sources whose answer depends on the day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatedQuestion {
    pub question: String,
    pub sources: Vec<Source>,
    /// The day against which due dates are held: `2026-09-30`. Without it, no date has passed.
    #[serde(default)]
    pub today: String,
    /// How many entries at most.
    #[serde(default = "entries_most")]
    pub most: u16,
    /// What people want kept in mind.
    #[serde(default)]
    pub guidance: Vec<String>,
}

fn entries_most() -> u16 {
    10
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hypothesized {
    /// One to three sentences.
    pub summary: String,
    /// Best first.
    pub hypotheses: Vec<Hypothesis>,
    /// What was asked and nothing tells.
    pub not_found: Vec<String>,
    pub confidence: f64,
}

/// A statement that may be wrong, and how to find out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hypothesis {
    pub statement: String,
    /// What it rests on.
    pub evidence: Vec<Evidence>,
    pub would_support: String,
    pub would_refute: String,
    /// What to do to find out.
    pub test: String,
    pub confidence: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CausesFound {
    /// One to three sentences.
    pub summary: String,
    /// Surest first.
    pub causes: Vec<CausePair>,
    /// What was asked and nothing tells.
    pub not_found: Vec<String>,
    pub confidence: f64,
}

/// A cause and one of its effects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CausePair {
    pub cause: String,
    pub effect: String,
    pub direction: CauseDirection,
    pub strength: CauseStrength,
    /// The sentences that state it.
    pub evidence: Vec<Evidence>,
}

/// What a cause does to its effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CauseDirection {
    BringsAbout,
    Raises,
    Lowers,
    Prevents,
}

/// How a source speaks of a cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CauseStrength {
    Denied,
    Suspected,
    Stated,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flagged {
    /// One to three sentences.
    pub summary: String,
    /// Gravest first.
    pub flags: Vec<RaisedFlag>,
    /// What was asked and nothing tells.
    pub not_found: Vec<String>,
    pub confidence: f64,
}

/// Something that may become a problem, or is one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RaisedFlag {
    pub what: String,
    pub kind: FlagKind,
    pub severity: FlagSeverity,
    /// Which words of the source make it one, and make it that severe.
    pub because: String,
    pub evidence: Vec<Evidence>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FlagKind {
    DeadlineMissed,
    LimitExceeded,
    ConditionUnmet,
    OpenFinding,
    Failure,
    Harm,
    Warning,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FlagSeverity {
    Low,
    Moderate,
    High,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScenariosBuilt {
    /// One to three sentences.
    pub summary: String,
    pub scenarios: Vec<Scenario>,
    /// What was asked and nothing tells.
    pub not_found: Vec<String>,
    pub confidence: f64,
}

/// One way in which it could turn out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    pub name: String,
    pub case: ScenarioCase,
    /// What would have to happen.
    pub conditions: Vec<CitedLine>,
    /// What follows; empty if no source tells.
    pub outcomes: Vec<CitedLine>,
    /// What would show it early.
    pub early_signs: Vec<CitedLine>,
    pub confidence: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScenarioCase {
    Best,
    Likely,
    Worst,
    /// Neither, or nobody says which.
    Alternative,
}

/// A statement with the passages that it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CitedLine {
    pub text: String,
    pub evidence: Vec<Evidence>,
}

impl CauseStrength {
    pub fn name(self) -> &'static str {
        match self {
            Self::Denied => "denied",
            Self::Suspected => "suspected",
            Self::Stated => "stated",
        }
    }
}

impl CauseDirection {
    pub fn name(self) -> &'static str {
        match self {
            Self::BringsAbout => "brings about",
            Self::Raises => "raises",
            Self::Lowers => "lowers",
            Self::Prevents => "prevents",
        }
    }
}

impl FlagKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::DeadlineMissed => "deadline missed",
            Self::LimitExceeded => "limit exceeded",
            Self::ConditionUnmet => "condition not met",
            Self::OpenFinding => "open finding",
            Self::Failure => "failure",
            Self::Harm => "harm",
            Self::Warning => "warning",
        }
    }
}

impl FlagSeverity {
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Moderate => "moderate",
            Self::High => "high",
        }
    }
}

impl ScenarioCase {
    pub fn name(self) -> &'static str {
        match self {
            Self::Best => "best case",
            Self::Likely => "expected",
            Self::Worst => "worst case",
            Self::Alternative => "alternative",
        }
    }
}

impl CausePair {
    /// The pair in one line: `Pump stopped. Suspected cause: blocked filter`.
    pub fn in_words(&self) -> String {
        let effect = capital(&self.effect);
        let cause = &self.cause;
        let by = match self.direction {
            CauseDirection::BringsAbout => "cause",
            CauseDirection::Raises => "raised by",
            CauseDirection::Lowers => "lowered by",
            CauseDirection::Prevents => "prevented by",
        };
        match self.strength {
            CauseStrength::Stated => format!("{effect}. {}: {cause}", capital(by)),
            CauseStrength::Suspected => format!("{effect}. Suspected {by}: {cause}"),
            CauseStrength::Denied => format!("{effect}. Ruled out as a cause: {cause}"),
        }
    }

    fn finding(&self) -> Finding {
        let (kind, confidence) = match self.strength {
            CauseStrength::Stated => (FindingKind::Fact, SURE_IF_STATED),
            CauseStrength::Suspected => (FindingKind::Interpretation, SURE_IF_SUSPECTED),
            CauseStrength::Denied => (FindingKind::Fact, SURE_IF_DENIED),
        };
        Finding {
            text: self.in_words(),
            kind,
            evidence: self.evidence.clone(),
            confidence,
        }
    }
}

impl Scenario {
    /// Everything that it states.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &CitedLine> {
        let told = self.conditions.iter().chain(&self.outcomes);
        told.chain(&self.early_signs)
    }

    /// What would have to happen, and what follows.
    fn finding(&self) -> Finding {
        let texts = |lines: &[CitedLine]| {
            let texts = lines.iter().map(|line| line.text.as_str());
            texts.collect::<Vec<_>>().join("; ")
        };
        let outcomes = texts(&self.outcomes);
        let follows = match outcomes.is_empty() {
            true => "what follows is not told".to_owned(),
            false => outcomes,
        };
        let mut evidence: Vec<Evidence> = Vec::new();
        for one in self.conditions.iter().chain(&self.outcomes) {
            for quote in &one.evidence {
                if !evidence.contains(quote) {
                    evidence.push(quote.clone());
                }
            }
        }
        Finding {
            text: format!("{}: {follows}", self.name),
            kind: FindingKind::Interpretation,
            evidence,
            confidence: self.confidence,
        }
    }
}

impl Purpose {
    /// Whether its answers, as they are kept, have `findings` that were made of their entries.
    pub fn adds_findings(self) -> bool {
        matches!(
            self,
            Self::Hypothesize | Self::Causes | Self::Flag | Self::Scenarios | Self::Summarize
        )
    }
}

impl Output {
    /// The entries of a worker's answer as findings, for readers that know nothing else; nothing if it has findings itself.
    pub fn as_findings(&self) -> Option<Vec<Finding>> {
        let findings = match self {
            Self::Hypothesize(output) => {
                let all = output.hypotheses.iter().map(|one| Finding {
                    text: one.statement.clone(),
                    kind: FindingKind::Interpretation,
                    evidence: one.evidence.clone(),
                    confidence: one.confidence,
                });
                all.collect()
            }
            Self::Causes(output) => output.causes.iter().map(CausePair::finding).collect(),
            Self::Flag(output) => {
                let all = output.flags.iter().map(|one| Finding {
                    text: one.what.clone(),
                    kind: FindingKind::Fact,
                    evidence: one.evidence.clone(),
                    confidence: SURE_OF_A_FLAG,
                });
                all.collect()
            }
            Self::Scenarios(output) => output.scenarios.iter().map(Scenario::finding).collect(),
            Self::Summarize(output) => output.as_findings(),
            _ => return None,
        };
        Some(findings)
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}
