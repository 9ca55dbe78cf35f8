//! What each purpose is answered with. Shapes only; the schemas beside the prompts say the same to models.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Acted, CausesFound, CitationsChecked, Concluded, ConstitutionChecked, Flagged, Hypothesized,
    Purpose, ReadOf, Reconciled, Routed, ScenariosBuilt, SplitInto, Summarized, Thinking, Weighed,
};

/// Where something is said, word for word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// The source's id.
    pub source: String,
    /// A passage of it, letter for letter.
    pub quote: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    pub text: String,
    pub kind: FindingKind,
    pub evidence: Vec<Evidence>,
    /// From 0 to 1.
    pub confidence: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    Fact,
    Interpretation,
    Calculation,
}

macro_rules! outputs {
    ($($variant:ident($kind:ident),)*) => {
        /// The answer to a question, by its purpose.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Output {
            $($variant($kind),)*
        }

        impl Output {
            /// Reads an answer that fits its schema.
            pub fn read(purpose: Purpose, value: Value) -> Result<Self, serde_json::Error> {
                match purpose {
                    $(Purpose::$variant => serde_json::from_value(value).map(Self::$variant),)*
                }
            }

            /// Reads an answer as a task's result keeps it, where [`crate::Answer::result`] has added to it.
            pub fn read_result(purpose: Purpose, mut value: Value) -> Result<Self, serde_json::Error> {
                if let Value::Object(fields) = &mut value {
                    fields.remove("answered_by");
                    if purpose.adds_findings() {
                        fields.remove("findings");
                    }
                }
                Self::read(purpose, value)
            }

            pub fn purpose(&self) -> Purpose {
                match self {
                    $(Self::$variant(_) => Purpose::$variant,)*
                }
            }

            pub fn value(&self) -> Value {
                let value = match self {
                    $(Self::$variant(output) => serde_json::to_value(output),)*
                };
                value.unwrap_or(Value::Null)
            }

            /// How sure the answerer is, from 0 to 1.
            pub fn confidence(&self) -> f64 {
                match self {
                    $(Self::$variant(output) => output.confidence,)*
                }
            }
        }
    };
}

outputs! {
    Plan(Planned),
    Extract(Extracted),
    Compare(Comparison),
    Cluster(Clusters),
    Timeline(TimelineOf),
    Gaps(GapsFound),
    Score(Scored),
    Object(Objections),
    Draft(Drafted),
    Grade(Graded),
    Think(Thinking),
    Weigh(Weighed),
    Split(SplitInto),
    Act(Acted),
    Conclude(Concluded),
    Route(Routed),
    Read(ReadOf),
    Reconcile(Reconciled),
    Hypothesize(Hypothesized),
    Causes(CausesFound),
    Flag(Flagged),
    Scenarios(ScenariosBuilt),
    Summarize(Summarized),
    Cite(CitationsChecked),
    Constitution(ConstitutionChecked),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Planned {
    pub steps: Vec<PlannedStep>,
    pub left_out: Vec<StepLeftOut>,
    pub confidence: f64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedStep {
    /// The template's key.
    pub key: String,
    /// The step's title, made to fit the objective.
    pub title: String,
    pub after: Vec<String>,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepLeftOut {
    pub key: String,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extracted {
    /// Best first.
    pub findings: Vec<Finding>,
    /// What was asked but no source answers.
    pub not_found: Vec<String>,
    pub confidence: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Comparison {
    pub rows: Vec<Row>,
    pub confidence: f64,
}

/// One criterion, for each item in turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    pub criterion: String,
    pub cells: Vec<Cell>,
    /// Whether what is known tells the items apart.
    pub differs: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    pub item: String,
    /// `null` if no source tells.
    pub text: Option<String>,
    pub evidence: Vec<Evidence>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clusters {
    pub clusters: Vec<ClusterOf>,
    /// Sources that are like no other.
    pub alone: Vec<String>,
    pub confidence: f64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClusterOf {
    pub label: String,
    pub sources: Vec<String>,
    pub keywords: Vec<String>,
    pub evidence: Vec<Evidence>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimelineOf {
    /// Oldest first.
    pub events: Vec<Dated>,
    pub confidence: f64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dated {
    /// `2024-03-01`, `2024-03` or `2024`, by its precision.
    pub date: String,
    pub precision: DatePrecision,
    pub text: String,
    pub evidence: Vec<Evidence>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DatePrecision {
    Year,
    Month,
    Day,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GapsFound {
    pub points: Vec<GapPoint>,
    pub confidence: f64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GapPoint {
    /// The checklist's key.
    pub key: String,
    pub found: Found,
    pub evidence: Vec<Evidence>,
    /// What is not covered; empty if everything is.
    pub missing: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Found {
    Yes,
    Partly,
    No,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scored {
    /// Best first.
    pub ranking: Vec<Ranked>,
    pub confidence: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ranked {
    pub item: String,
    /// From 0 to 100, over the criteria something is known of; `null` if nothing is.
    pub score: Option<f64>,
    pub parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    pub criterion: String,
    /// From 0 to 100; `null` if nothing is known.
    pub score: Option<f64>,
    pub reason: String,
    pub evidence: Vec<Evidence>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Objections {
    pub objections: Vec<Objection>,
    pub confidence: f64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Objection {
    /// The exact claim.
    pub claim: String,
    pub text: String,
    pub kind: ObjectionKind,
    pub evidence: Vec<Evidence>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ObjectionKind {
    /// A source says otherwise.
    Contradicted,
    /// A source says so with reservations.
    Weakened,
    /// A newer source speaks of it differently.
    Outdated,
    /// No source says so.
    Unsupported,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drafted {
    /// Markdown. Each sentence of fact ends with the numbers of its sources: `[1]`, `[2, 3]`.
    pub text: String,
    /// The evidence behind the numbers: the first is 1.
    pub citations: Vec<Evidence>,
    pub confidence: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Graded {
    pub sources: Vec<SourceGrade>,
    /// Of all of them together.
    pub overall: GradeOf,
    pub agreement: Agreement,
    pub reasons: Vec<String>,
    pub confidence: f64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceGrade {
    pub source: String,
    pub study: StudyKind,
    /// How many were studied, if it says so.
    pub size: Option<u64>,
    pub year: Option<u16>,
    pub grade: GradeOf,
    pub reasons: Vec<String>,
    pub evidence: Vec<Evidence>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StudyKind {
    SystematicReview,
    RandomisedTrial,
    Cohort,
    CaseControl,
    CrossSectional,
    CaseSeries,
    Guideline,
    Laboratory,
    Modelling,
    Opinion,
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GradeOf {
    VeryLow,
    Low,
    Moderate,
    High,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Agreement {
    Agree,
    Mixed,
    Contradict,
    /// Too few say anything on it.
    Unknown,
}
