//! One question to a model, and its answer: a purpose with a typed input and output, a level, limits, a prompt.
//!
//! Nothing is sent from here and nothing is answered: `adjutant-providers` sends, `adjutant-rule-answers` answers without
//! a language model.

mod answer;
mod answerer;
mod constitution;
mod context;
mod document_reading;
mod evidence;
mod input;
mod level;
mod narrow;
mod ordered;
mod output;
mod prompt;
mod purpose;
mod reasoning;
mod routing;
mod sense;
mod signs;
mod source_records;
mod tokens;
mod worker_checks;
mod workers;

pub use answer::{Answer, AskFailure, Finish, Tokens};
pub use answerer::{Answerer, Answering, Nobody, ProviderZone, Unanswered};
pub use constitution::{Breach, Constitution, ConstitutionChecked, ConstitutionRule};
pub use context::{Fitted, LeftOut, findings_bound, fit, sources_bound};
pub use document_reading::{
    ClaimGroup, ClaimRelation, ClaimStatus, ClaimedStatement, FirstStatement, GroupJudgement,
    JudgedSide, OpenPoint, PointJudgement, PointKind, PointStatus, Read, ReadClaim, ReadMissing,
    ReadObligation, ReadOf, Reconcile, Reconciled, ToldDocument, pruned,
};
pub use evidence::{says, unfounded};
pub use input::{
    ChecklistPoint, Cluster, Compare, Criterion, Draft, Extract, Gaps, Grade, Input, InputError,
    Item, Object, PlanInput, PlanStep, Preference, Score, Source, Timeline,
};
pub use level::{LevelFacts, Tier};
pub use narrow::narrowed;
pub use ordered::Ordered;
pub use output::{
    Agreement, Cell, ClusterOf, Clusters, Comparison, DatePrecision, Dated, Drafted, Evidence,
    Extracted, Finding, FindingKind, Found, GapPoint, GapsFound, GradeOf, Graded, Objection,
    ObjectionKind, Objections, Output, Part, Planned, PlannedStep, Ranked, Row, Scored,
    SourceGrade, StepLeftOut, StudyKind, TimelineOf,
};
pub use prompt::{Prompt, PromptError, Prompts, Rendered};
pub use purpose::Purpose;
pub use reasoning::{
    Act, Acted, Conclude, Concluded, Contradiction, OfferedTool, ScoreOf, Side, Split, SplitInto,
    Think, Thinking, Thought, Weigh, Weighed,
};
pub use routing::{OfferedMission, OtherMission, Route, Routed};
pub use signs::{RuleVerdict, evidence_rules, numbers_at_odds, signs};
pub use source_records::{
    CitationIssue, CitationIssueKind, CitationsChecked, Cite, DocumentSummary, Summarize,
    Summarized,
};
pub use tokens::token_bound;
pub use workers::{
    CauseDirection, CausePair, CauseStrength, CausesFound, CitedLine, DatedQuestion, FlagKind,
    FlagSeverity, Flagged, Hypothesis, Hypothesized, RaisedFlag, Scenario, ScenarioCase,
    ScenariosBuilt, WorkerQuestion,
};

use adjutant_mission::{AgentId, AgentLevel, Complexity, DomainId, Millis, ModelId, ProviderId};
use serde::{Deserialize, Serialize};

/// One question to a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// The same over crashes and repeated sending; sent along where a provider takes such a key.
    pub key: String,
    pub level: AgentLevel,
    pub input: Input,
    /// The same without the guard's marks, if it has any. Marks are for models: whoever answers by rules reads this, and
    /// a quote that is in it counts too.
    pub unmarked: Option<Box<Input>>,
    pub limits: Limits,
    /// The field the question is from, for models that know it better: `biomedical`.
    pub domain: Option<DomainId>,
    pub complexity: Complexity,
    /// This model and no other.
    pub model: Option<ModelId>,
    /// Providers that are stopped: nobody of theirs is asked.
    pub without: Vec<ProviderId>,
    /// The agent that asks, if one does: the prompt says who it is.
    pub asker: Option<Asker>,
}

/// The agent in whose name a question is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asker {
    pub id: AgentId,
    pub level: AgentLevel,
    pub name: String,
}

impl Ask {
    pub fn purpose(&self) -> Purpose {
        self.input.purpose()
    }

    pub fn tier(&self) -> Tier {
        LevelFacts::of(self.level).tier
    }
}

/// What one question may take at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// The prompt and what it carries.
    pub input_tokens_max: u32,
    pub output_tokens_max: u32,
    pub time_max: Millis,
}
