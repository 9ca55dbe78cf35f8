//! Go or no go: criteria with weights and thresholds, the evidence on each, what follows, and what would change it.

mod amend;
pub(crate) mod bound;
mod criteria;
mod table_counts;
mod tree;
mod weigh;

use adjutant_charts::Chart;
use adjutant_questions::{Evidence, Finding, Source};
use adjutant_rule_answers::Subject;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cited_text::Contradiction;
use crate::passages::Passages;
use crate::passages::keep_to_the_subject;
use crate::text::{capital, counted, written};

pub use amend::{Amended, Amendment};
pub(crate) use bound::{Bound, Side, amount, bound, is_measure, readings};

/// Fewer sources than this decide nothing.
const SOURCES_MIN: usize = 3;
/// Evidence must bear on this share of the weight.
const WEIGHT_KNOWN_MIN: f64 = 0.5;
/// From here on, of 100, the balance is for it.
const GO_MIN: f64 = 70.0;
const CONDITIONAL_MIN: f64 = 50.0;

/// What is to be decided, by what, out of which texts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decide {
    #[serde(default)]
    pub objective: String,
    /// If there are none, those that a source states, else the usual ones.
    #[serde(default)]
    pub criteria: Vec<AskedCriterion>,
    /// The usual criteria of the field; five general ones if there are none.
    #[serde(default)]
    pub usual: Vec<UsualCriterion>,
    #[serde(default)]
    pub sources: Vec<Source>,
    #[serde(default)]
    pub findings: Vec<Finding>,
    /// The answer to a `grade` question; better graded sources go first among equals.
    #[serde(default)]
    pub grade: Option<Value>,
    /// What people answered when asked about the criteria; a note may change them.
    #[serde(default)]
    pub amendments: Vec<Amendment>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskedCriterion {
    pub name: String,
    #[serde(default = "one")]
    pub weight: f64,
    #[serde(default)]
    pub threshold: String,
    /// It stops everything when it is missed.
    #[serde(default)]
    pub must: bool,
}

/// What is usually looked at in a field, and words by which evidence on it is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UsualCriterion {
    pub name: String,
    #[serde(default)]
    pub words: String,
}

fn one() -> f64 {
    1.0
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DecisionTable {
    pub objective: String,
    pub decision: Decision,
    /// One sentence each.
    pub because: Vec<String>,
    /// What must be true for a conditional decision.
    pub conditions: Vec<String>,
    pub criteria_from: CriteriaFrom,
    pub criteria: Vec<CriterionOf>,
    /// From 0 to 100, over the criteria that could be scored.
    pub score: f64,
    /// Share of the weight that could be scored, from 0 to 1.
    #[serde(default)]
    pub weight_scored: f64,
    /// Share of the weight that evidence bears on, from 0 to 1.
    pub weight_known: f64,
    pub sources: usize,
    pub would_change: Vec<Change>,
    pub contradictions: Vec<Contradiction>,
    pub not_found: Vec<String>,
    #[serde(default)]
    pub tree: Option<Chart>,
    /// How a person's note changed the criteria.
    #[serde(default)]
    pub amended: Amended,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    Go,
    NoGo,
    Conditional,
    NotPossible,
}

impl Decision {
    pub fn name(self) -> &'static str {
        match self {
            Self::Go => "Go",
            Self::NoGo => "No go",
            Self::Conditional => "Go with conditions",
            Self::NotPossible => "No decision is possible",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CriteriaFrom {
    Given,
    Source,
    /// The usual ones, with equal weights: nobody set them.
    Assumed,
}

/// One criterion and what bears on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CriterionOf {
    pub name: String,
    pub threshold: String,
    pub must: bool,
    pub weight: f64,
    /// Where the criterion itself is stated.
    pub evidence: Vec<Evidence>,
    pub verdict: Verdict,
    /// From 0 to 100. What is unclear has no score: a middle one would say that something is known.
    pub score: Option<f64>,
    /// Its share of the whole score.
    pub weighted: f64,
    pub because: String,
    pub measured: Option<Measured>,
    pub supports: Vec<Testimony>,
    pub opposes: Vec<Testimony>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Met,
    Missed,
    Unclear,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Missed => "missed",
            Self::Unclear => "unclear",
        }
    }
}

/// A value that was held against the threshold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// `3.8 %`
    pub value: String,
    /// `at most 3 %`
    pub bound: String,
    /// `4 / 106 = 3.8 %`, if it was worked out.
    pub calculation: Option<String>,
    pub evidence: Vec<Evidence>,
}

/// What a source says for or against, with its date.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Testimony {
    pub text: String,
    pub evidence: Vec<Evidence>,
    pub published: Option<String>,
}

/// What would turn one criterion, and what that would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    pub criterion: String,
    pub needs: String,
    /// The decision if this criterion alone were met.
    pub then: Decision,
    pub changes: bool,
}

/// Weighs the evidence by fixed rules.
pub fn decision(mut request: Decide) -> DecisionTable {
    keep_to_the_subject(&request.objective, &mut request.sources);
    let subject = Subject::new(&request.objective, &request.sources);
    let passages = Passages::of(&request.sources);
    let (mut criteria, criteria_from) = criteria::criteria(&request);
    let amended = amend::amend(&mut criteria, &request.amendments);
    let mut contradictions = criteria::contradictions(&request);
    let mut weighed: Vec<CriterionOf> = Vec::new();
    for one in &criteria {
        let (criterion, contradiction) = weigh::weigh(&passages, &request, &subject, one);
        weighed.push(criterion);
        contradictions.extend(contradiction);
    }
    weigh_up(&mut weighed);
    let whole: f64 = weighed.iter().map(|at| at.weight).sum();
    let known: f64 = weighed
        .iter()
        .filter(|at| bears(at))
        .map(|at| at.weight)
        .sum();
    let mut sources: Vec<&str> = weighed
        .iter()
        .flat_map(|at| at.supports.iter().chain(&at.opposes))
        .flat_map(|at| &at.evidence)
        .map(|at| at.source.as_str())
        .collect();
    sources.sort_unstable();
    sources.dedup();
    let ground = Ground {
        sources: sources.len(),
        known: share(known, whole),
    };
    let (decision, because) = decide(&weighed, &ground);
    let would_change = changes(&weighed, &ground, decision);
    let open = weighed.iter().filter(|at| at.verdict != Verdict::Met);
    let conditions = match decision {
        Decision::Conditional => open
            .map(|at| format!("{}: {}", at.name, weigh::needs(at)))
            .collect(),
        _ => Vec::new(),
    };
    let not_found = weighed
        .iter()
        .filter(|at| !bears(at))
        .map(|at| format!("evidence on the criterion {}", at.name));
    DecisionTable {
        not_found: not_found.collect(),
        tree: tree::tree(&weighed, decision),
        score: score(&weighed),
        weight_scored: weight_scored(&weighed),
        weight_known: ground.known,
        sources: ground.sources,
        objective: request.objective,
        decision,
        because,
        conditions,
        criteria_from,
        criteria: weighed,
        would_change,
        contradictions,
        amended,
    }
}

struct Ground {
    sources: usize,
    known: f64,
}

fn bears(criterion: &CriterionOf) -> bool {
    !criterion.supports.is_empty() || !criterion.opposes.is_empty()
}

fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// Gives each criterion its share of the whole score. What is not scored counts neither for nor against.
fn weigh_up(criteria: &mut [CriterionOf]) {
    let scored = criteria.iter().filter(|at| at.score.is_some());
    let scored: f64 = scored.map(|at| at.weight).sum();
    for criterion in criteria {
        let share = share(criterion.weight, scored);
        criterion.weighted = tenth(share * criterion.score.unwrap_or_default());
    }
}

fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

fn score(criteria: &[CriterionOf]) -> f64 {
    tenth(criteria.iter().map(|at| at.weighted).sum())
}

fn weight_scored(criteria: &[CriterionOf]) -> f64 {
    let scored = criteria.iter().filter(|at| at.score.is_some());
    let whole = criteria.iter().map(|at| at.weight).sum();
    share(scored.map(|at| at.weight).sum(), whole)
}

/// The rules, in their order: enough to decide on; nothing that stops it; then the balance.
fn decide(criteria: &[CriterionOf], ground: &Ground) -> (Decision, Vec<String>) {
    let mut because = Vec::new();
    if !criteria.iter().any(bears) {
        because.push("No source addresses any criterion".to_owned());
        return (Decision::NotPossible, because);
    }
    if ground.sources < SOURCES_MIN {
        because.push(format!(
            "Only {} with evidence on the criteria, and {SOURCES_MIN} are needed",
            counted(ground.sources, "source")
        ));
    }
    if ground.known < WEIGHT_KNOWN_MIN {
        let share = written(ground.known * 100.0, 0);
        because.push(format!(
            "Evidence covers only {share} % of the weight, and half is needed"
        ));
    } else if weight_scored(criteria) < WEIGHT_KNOWN_MIN {
        let share = written(weight_scored(criteria) * 100.0, 0);
        because.push(format!(
            "Only {share} % of the weight could be scored, and half is needed"
        ));
    }
    if !because.is_empty() {
        return (Decision::NotPossible, because);
    }
    let names = |verdict: Verdict, must: bool| -> Vec<&str> {
        let all = criteria
            .iter()
            .filter(|at| at.verdict == verdict && (!must || at.must));
        all.map(|at| at.name.as_str()).collect()
    };
    let stopped = names(Verdict::Missed, true);
    if !stopped.is_empty() {
        let verb = if stopped.len() == 1 { "is" } else { "are" };
        because.push(format!(
            "{} must be met and {verb} missed",
            capital(&stopped.join(" and "))
        ));
    }
    let score = score(criteria);
    let scored = weight_scored(criteria);
    let of = match scored < 1.0 {
        true => format!(
            ", over the {} % of the weight that could be scored",
            written(scored * 100.0, 0)
        ),
        false => String::new(),
    };
    because.push(format!(
        "The weighted score is {} of 100{of}",
        written(score, 1)
    ));
    let (missed, unclear) = (
        names(Verdict::Missed, false),
        names(Verdict::Unclear, false),
    );
    if !missed.is_empty() {
        because.push(format!("Missed: {}", missed.join(", ")));
    }
    if !unclear.is_empty() {
        because.push(format!("Unclear: {}", unclear.join(", ")));
    }
    let decision = if !stopped.is_empty() || score < CONDITIONAL_MIN {
        Decision::NoGo
    } else if missed.is_empty()
        && names(Verdict::Unclear, true).is_empty()
        // It must hold also if everything that is open were missed.
        && score * scored >= GO_MIN
    {
        Decision::Go
    } else {
        Decision::Conditional
    };
    (decision, because)
}

/// For each open criterion: what would turn it, and the decision worked out anew as if it had.
fn changes(criteria: &[CriterionOf], ground: &Ground, decision: Decision) -> Vec<Change> {
    let whole: f64 = criteria.iter().map(|at| at.weight).sum();
    let mut found = Vec::new();
    for (nth, criterion) in criteria.iter().enumerate() {
        if criterion.verdict == Verdict::Met {
            continue;
        }
        let mut turned = criteria.to_vec();
        let mut known = ground.known;
        if let Some(one) = turned.get_mut(nth) {
            one.verdict = Verdict::Met;
            one.score = Some(100.0);
            if !bears(one) {
                known += share(one.weight, whole);
                one.supports.push(Testimony {
                    text: String::new(),
                    evidence: Vec::new(),
                    published: None,
                });
            }
        }
        weigh_up(&mut turned);
        let ground = Ground {
            sources: ground.sources,
            known,
        };
        let (then, _) = decide(&turned, &ground);
        found.push(Change {
            criterion: criterion.name.clone(),
            needs: weigh::needs(criterion),
            then,
            changes: then != decision,
        });
    }
    found
}
