//! Documents read by a model: a piece of them at a time, and then what the pieces say on the same things, side by side.
//!
//! A piece holds many statements, and one quote that is not letter for letter must not lose all the others: such entries
//! are taken out of an answer, as long as they are few. What is left cites only what the question carried.

use serde::{Deserialize, Serialize};

use crate::evidence::says;
use crate::{Evidence, Input, Output, Source};

/// Of so many entries, one may be unfounded: with more, the whole answer is sent back.
const FOUNDED_FOR_ONE_DROPPED: usize = 3;

/// One piece of the documents, to be read from beginning to end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Read {
    pub objective: String,
    /// The day against which due dates are held.
    #[serde(default)]
    pub today: String,
    /// The documents of the piece, or the part of a long one.
    pub sources: Vec<Source>,
    #[serde(default)]
    pub documents: Vec<ToldDocument>,
    /// What earlier pieces are about: the same thing is to have the same name.
    #[serde(default)]
    pub topics: Vec<String>,
    /// What people want kept in mind.
    #[serde(default)]
    pub guidance: Vec<String>,
}

/// What is known of a document besides its title and date.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToldDocument {
    pub source: String,
    /// Minutes, a register, a press release.
    pub genre: String,
    /// `current`, `draft`, `replaced by …`.
    pub standing: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadOf {
    pub claims: Vec<ReadClaim>,
    pub obligations: Vec<ReadObligation>,
    pub missing: Vec<ReadMissing>,
    pub confidence: f64,
    /// Entries that were taken out of the answer, since their quotes are in no source.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub dropped: usize,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// What a document says on something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadClaim {
    /// A short noun phrase, the same for the same thing.
    pub subject: String,
    pub assertion: String,
    pub value: Option<String>,
    pub condition: Option<String>,
    pub time: Option<String>,
    pub speaker: Option<String>,
    pub status: ClaimStatus,
    pub evidence: Evidence,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimStatus {
    Asserted,
    Denied,
    Planned,
    Required,
    Asked,
}

/// What somebody promised, was asked to do, or has to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadObligation {
    pub who: Option<String>,
    pub what: String,
    pub due: Option<String>,
    /// Whether its own document says that it is done.
    pub done: bool,
    pub evidence: Evidence,
}

/// What a document speaks of and does not have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadMissing {
    pub what: String,
    pub why: String,
    pub evidence: Evidence,
}

/// What several documents say on the same things, and what is open, to be judged together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reconcile {
    pub objective: String,
    #[serde(default)]
    pub today: String,
    /// The statements that groups and points name.
    pub sources: Vec<Source>,
    #[serde(default)]
    pub documents: Vec<ToldDocument>,
    pub groups: Vec<ClaimGroup>,
    #[serde(default)]
    pub points: Vec<OpenPoint>,
    /// What people want kept in mind.
    #[serde(default)]
    pub guidance: Vec<String>,
}

/// Statements on one thing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimGroup {
    pub key: String,
    pub subject: String,
    pub statements: Vec<ClaimedStatement>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimedStatement {
    /// The id of the source that it is.
    pub source: String,
    /// What it was read to say, with its condition and time.
    #[serde(default)]
    pub says: String,
}

/// Something that is owed or missing, and statements that may settle it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenPoint {
    pub key: String,
    pub kind: PointKind,
    pub what: String,
    #[serde(default)]
    pub due: Option<String>,
    /// The id of the statement that it comes from.
    pub statement: String,
    #[serde(default)]
    pub candidates: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PointKind {
    Owed,
    Missing,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reconciled {
    pub judgements: Vec<GroupJudgement>,
    pub points: Vec<PointJudgement>,
    /// The statements that matter most for the objective, the most important first.
    pub first: Vec<FirstStatement>,
    pub confidence: f64,
    /// Entries that were taken out of the answer, since their quotes are in no source.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub dropped: usize,
}

/// How statements on one thing stand to each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupJudgement {
    /// The group's key.
    pub group: String,
    pub about: String,
    pub relation: ClaimRelation,
    pub sides: Vec<JudgedSide>,
    pub why: String,
    /// What would settle it; empty if nothing is to be settled.
    pub settled_by: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimRelation {
    /// Both hold, and both cannot be true.
    Conflict,
    /// The later one takes the place of the earlier one.
    Update,
    /// They are of different things, or count differently.
    Definition,
    Same,
    Unrelated,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgedSide {
    pub says: String,
    /// The value it gives, as it is written; `null` if it is not about one.
    pub value: Option<String>,
    pub evidence: Evidence,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PointJudgement {
    /// The point's key.
    pub point: String,
    pub status: PointStatus,
    pub why: String,
    /// What settles it; empty if it is open.
    pub evidence: Vec<Evidence>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PointStatus {
    Open,
    /// It is done, or what was missing is there.
    Settled,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FirstStatement {
    pub why: String,
    pub evidence: Evidence,
}

/// The answer without what none of the inputs says, if that is little of it. Nothing for other purposes, where every entry
/// counts, and for an answer that is unfounded in too much.
pub fn pruned(inputs: &[&Input], output: &Output) -> Option<Output> {
    let holds = |evidence: &Evidence| {
        let mut inputs = inputs.iter();
        inputs.any(|input| says(input, &evidence.source, &evidence.quote))
    };
    // Here every entry stands for itself, and one that is unfounded says nothing of the others.
    if let Output::Constitution(checked) = output {
        let founded = checked.founded(inputs);
        let changed = founded.dropped > checked.dropped;
        return changed.then_some(Output::Constitution(founded));
    }
    let before = entries(output)?;
    let mut output = output.clone();
    match &mut output {
        Output::Read(read) => {
            read.claims.retain(|at| holds(&at.evidence));
            read.obligations.retain(|at| holds(&at.evidence));
            read.missing.retain(|at| holds(&at.evidence));
        }
        Output::Reconcile(told) => {
            for judgement in &mut told.judgements {
                judgement.sides.retain(|side| holds(&side.evidence));
            }
            // With a single side left nothing is said of how statements stand to each other.
            told.judgements.retain(|at| at.sides.len() > 1);
            told.points.retain(|at| at.evidence.iter().all(holds));
            told.first.retain(|at| holds(&at.evidence));
        }
        _ => return None,
    }
    let kept = entries(&output)?;
    let dropped = before.saturating_sub(kept);
    match &mut output {
        Output::Read(read) => read.dropped = dropped,
        Output::Reconcile(told) => told.dropped = dropped,
        _ => {}
    }
    (dropped > 0 && kept >= dropped * FOUNDED_FOR_ONE_DROPPED).then_some(output)
}

fn entries(output: &Output) -> Option<usize> {
    match output {
        Output::Read(read) => Some(read.claims.len() + read.obligations.len() + read.missing.len()),
        Output::Reconcile(told) => {
            Some(told.judgements.len() + told.points.len() + told.first.len())
        }
        _ => None,
    }
}

impl ReadOf {
    pub(crate) fn evidence(&self) -> impl Iterator<Item = &Evidence> {
        let claims = self.claims.iter().map(|at| &at.evidence);
        let owed = self.obligations.iter().map(|at| &at.evidence);
        claims
            .chain(owed)
            .chain(self.missing.iter().map(|at| &at.evidence))
    }
}

impl Reconciled {
    pub(crate) fn evidence(&self) -> impl Iterator<Item = &Evidence> {
        let sides = self.judgements.iter().flat_map(|at| &at.sides);
        let points = self.points.iter().flat_map(|at| &at.evidence);
        sides
            .map(|side| &side.evidence)
            .chain(points)
            .chain(self.first.iter().map(|at| &at.evidence))
    }
}
