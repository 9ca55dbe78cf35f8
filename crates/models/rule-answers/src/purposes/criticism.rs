//! What the sources have against findings, and what remains of findings after criticism.

use std::collections::BTreeSet;

use adjutant_questions::{Finding, FindingKind, ObjectionKind};

use super::contradictions::at_odds;
use super::object::{against, publication_date};
use super::thoughts::{founded, passage};
use crate::corpus::Corpus;
use crate::stance::Reading;
use crate::text::{confidence, one_line};

/// How many claims are held against the sources.
const CLAIMS_MAX: usize = 16;
const SURE_OF_CONTRADICTION: f64 = 0.65;
const SURE_OF_RESERVATION: f64 = 0.5;
/// What remains of confidence in a finding that an equal stands against.
const CONTESTED: f64 = 0.6;

/// Something that speaks against a claim.
pub(crate) struct Counter {
    /// What the source says, with its quote.
    pub(crate) finding: Finding,
    /// How it speaks against the claim, in words.
    pub(crate) told: String,
    kind: ObjectionKind,
}

/// What the sources have against claims, without passages that are known already; the gravest first.
pub(crate) fn counters(
    corpus: &mut Corpus<'_>,
    claims: &[String],
    known: &BTreeSet<(String, String)>,
) -> Vec<Counter> {
    let mut seen = known.clone();
    let mut found: Vec<Counter> = Vec::new();
    for claim in claims.iter().take(CLAIMS_MAX) {
        for objection in against(corpus, claim) {
            let Some(evidence) = objection.evidence.first() else {
                continue;
            };
            let said = one_line(&evidence.quote);
            if said == one_line(claim) || !seen.insert(passage(evidence)) {
                continue;
            }
            let hedged = Reading::new(&said, &mut corpus.stems).hedge.is_some();
            let sure = match objection.kind {
                ObjectionKind::Contradicted | ObjectionKind::Outdated => SURE_OF_CONTRADICTION,
                ObjectionKind::Weakened | ObjectionKind::Unsupported => SURE_OF_RESERVATION,
            };
            found.push(Counter {
                finding: Finding {
                    text: said,
                    kind: if hedged {
                        FindingKind::Interpretation
                    } else {
                        FindingKind::Fact
                    },
                    evidence: objection.evidence.clone(),
                    confidence: confidence(sure),
                },
                told: objection.text,
                kind: objection.kind,
            });
        }
    }
    let gravity = |kind: ObjectionKind| match kind {
        ObjectionKind::Contradicted => 0,
        ObjectionKind::Outdated => 1,
        ObjectionKind::Weakened => 2,
        ObjectionKind::Unsupported => 3,
    };
    found.sort_by_key(|at| gravity(at.kind));
    found
}

/// What remains of findings after criticism.
#[derive(Default)]
pub(crate) struct Remains {
    pub(crate) findings: Vec<Finding>,
    pub(crate) dropped: Vec<String>,
    pub(crate) weakened: Vec<String>,
}

/// Keeps what nothing stands against; drops what newer or more sources contradict; weakens the rest.
pub(crate) fn remaining(
    corpus: &mut Corpus<'_>,
    standing: &[&Finding],
    criticism: &[&Finding],
) -> Remains {
    let mut remains = Remains::default();
    for finding in standing.iter().filter_map(|at| founded(at)) {
        let mut against = criticism.iter().copied().filter(|critic| {
            critic.text != finding.text && at_odds(&finding, critic, &mut corpus.stems)
        });
        let Some(critic) = against.next() else {
            remains.findings.push(finding);
            continue;
        };
        if outweighs(corpus, critic, &finding) {
            remains.dropped.push(finding.text);
            continue;
        }
        remains.weakened.push(finding.text.clone());
        remains.findings.push(Finding {
            kind: FindingKind::Interpretation,
            confidence: confidence(finding.confidence * CONTESTED),
            ..finding
        });
    }
    remains
}

/// More sources, or as many and all newer.
fn outweighs(corpus: &Corpus<'_>, critic: &Finding, finding: &Finding) -> bool {
    let ids = |at: &Finding| -> BTreeSet<String> {
        at.evidence.iter().map(|at| at.source.clone()).collect()
    };
    let (critics, own) = (ids(critic), ids(finding));
    let dates = |ids: &BTreeSet<String>| {
        let sources = corpus.sources.iter().filter(|at| ids.contains(&at.id));
        sources.filter_map(publication_date).collect::<Vec<_>>()
    };
    let newer = match (dates(&critics).iter().min(), dates(&own).iter().max()) {
        (Some(critic), Some(own)) => critic > own,
        _ => false,
    };
    critics.len() > own.len() || (critics.len() == own.len() && newer)
}
