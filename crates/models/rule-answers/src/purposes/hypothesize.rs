//! Hypotheses that can be tested: sentences that suspect, suggest, relate or leave something open, each with what would support
//! it, what would refute it, and how to find out. What a source rules out is no hypothesis.

use std::collections::BTreeSet;

use adjutant_questions::{CauseStrength, Evidence, Hypothesis, Hypothesized, WorkerQuestion};
use adjutant_text::phrases::{first_phrase, is_denied_at, phrase_at};
use adjutant_text::stems::content_stems;

use super::causes::{Found, pairs};
use crate::bearing::{Bearing, sure_of};
use crate::corpus::Corpus;
use crate::text::{capital, clipped, clipped_statement, confidence, is_clause, states};

const TEXT_CHARS_MAX: usize = 230;
const QUOTED_CHARS_MAX: usize = 90;
const SUMMARY_CHARS_MAX: usize = 560;
/// From here on two statements are one hypothesis.
const SAME_MIN: f64 = 0.7;

const SUSPECTS: &[&str] = &[
    "appears to",
    "assume",
    "assumed",
    "assumes",
    "assumption",
    "believe",
    "believed",
    "conjecture",
    "hypothesis",
    "may have",
    "might have",
    "perhaps",
    "possibly",
    "presumably",
    "probably",
    "seems to",
    "suspect",
    "suspected",
    "suspects",
    "suspicion",
];
const SUGGESTS: &[&str] = &[
    "consistent with",
    "hints at",
    "implies",
    "indicate that",
    "indicates that",
    "points to",
    "suggest",
    "suggested",
    "suggesting",
    "suggests",
];
const RELATES: &[&str] = &[
    "associated with",
    "coincided with",
    "coincides with",
    "correlate",
    "correlated",
    "correlates",
    "correlation",
    "goes together with",
    "linked to",
];
const LEAVES_OPEN: &[&str] = &[
    "is not known whether",
    "is open whether",
    "is unclear whether",
    "is unknown whether",
    "not clear whether",
    "question whether",
    "remains open whether",
    "to be seen whether",
    "was not examined whether",
    "was not known whether",
    "was unclear whether",
];

/// What a sentence gives reason to suppose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ground {
    Cause(CauseStrength),
    Suspected,
    Suggested,
    Related,
    Open,
}

impl Ground {
    fn sure(self) -> f64 {
        match self {
            Self::Cause(CauseStrength::Stated) => 0.6,
            Self::Cause(_) => 0.45,
            Self::Suggested => 0.5,
            Self::Related => 0.45,
            Self::Suspected => 0.4,
            Self::Open => 0.3,
        }
    }
}

struct Candidate {
    ground: Ground,
    relevance: f64,
    stems: BTreeSet<String>,
    hypothesis: Hypothesis,
}

pub(crate) fn hypothesize(input: &WorkerQuestion) -> Hypothesized {
    let mut corpus = Corpus::read(&input.sources);
    let mut all: Vec<Candidate> = pairs(&mut corpus, input)
        .into_iter()
        .filter(|one| one.pair.strength != CauseStrength::Denied)
        .map(of_cause)
        .collect();
    let of_causes: BTreeSet<String> = all
        .iter()
        .flat_map(|one| &one.hypothesis.evidence)
        .map(|at| at.quote.clone())
        .collect();
    let mut bearing = Bearing::new(&mut corpus, &input.question, &input.guidance);
    for at in 0..corpus.sentences.len() {
        let Some((ground, statement)) = supposed(&corpus, at) else {
            continue;
        };
        if of_causes.contains(corpus.text(at)) {
            continue;
        }
        if let Some(relevance) = bearing.relevance(&corpus, at) {
            let evidence = match ground {
                Ground::Open => corpus.evidence(at),
                _ => corpus.self_contained_evidence(at),
            };
            all.push(of_sentence(ground, statement, evidence, relevance));
        }
    }
    let weight = |one: &Candidate| one.relevance + one.ground.sure();
    all.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    let kept = distinct(all, usize::from(input.most));
    let relevances: Vec<f64> = kept.iter().map(|one| one.relevance).collect();
    let hypotheses: Vec<Hypothesis> = kept.into_iter().map(|one| one.hypothesis).collect();
    Hypothesized {
        summary: summary(&hypotheses),
        not_found: super::nothing_on(&input.question, hypotheses.is_empty()),
        confidence: sure_of(&relevances),
        hypotheses,
    }
}

/// The best of those that say the same; further sources join it.
fn distinct(all: Vec<Candidate>, most: usize) -> Vec<Candidate> {
    let mut kept: Vec<Candidate> = Vec::new();
    for one in all {
        let has_room = kept.len() < most;
        let same = kept.iter_mut().find(|known| {
            let both = known.stems.intersection(&one.stems).count() as f64;
            let either = known.stems.union(&one.stems).count() as f64;
            known.hypothesis.statement == one.hypothesis.statement || both >= SAME_MIN * either
        });
        match same {
            Some(known) => super::join(&mut known.hypothesis.evidence, one.hypothesis.evidence),
            None if has_room => kept.push(one),
            None => {}
        }
    }
    kept
}

/// What a sentence gives reason to suppose, and in which words.
fn supposed(corpus: &Corpus<'_>, at: usize) -> Option<(Ground, String)> {
    let text = corpus.text(at);
    // Of the same length, so that places in it are places in the text.
    let small = text.to_ascii_lowercase();
    if let Some((start, words)) = first_phrase(&small, LEAVES_OPEN) {
        let asked = text[start + words.len()..].split([';', '?', ':']).next()?;
        let asked = asked.trim().trim_end_matches(['.', ',']);
        return is_clause(asked).then(|| (Ground::Open, capital(asked)));
    }
    if !states(text) {
        return None;
    }
    let lists = [
        (RELATES, Ground::Related),
        (SUGGESTS, Ground::Suggested),
        (SUSPECTS, Ground::Suspected),
    ];
    let (ground, start) = lists.iter().find_map(|(list, ground)| {
        let (start, _) = first_phrase(&small, list)?;
        Some((*ground, start))
    })?;
    let is_excluded = is_denied_at(&small, start) || phrase_at(&small, "ruled out").is_some();
    (!is_excluded).then(|| (ground, corpus.self_contained_line(at)))
}

fn of_cause(found: Found) -> Candidate {
    let (cause, effect) = (found.pair.cause, found.pair.effect);
    let because = match is_clause(&cause) {
        true => "because",
        false => "because of",
    };
    let statement = format!("{} {because} {cause}", capital(&effect));
    let (cause, effect) = (quoted(&cause), quoted(&effect));
    let hypothesis = Hypothesis {
        statement: clipped_statement(&statement, TEXT_CHARS_MAX),
        evidence: found.pair.evidence,
        would_support: clipped(
            &format!("A record dated before {effect} shows {cause}"),
            TEXT_CHARS_MAX,
        ),
        would_refute: clipped(
            &format!("{effect} is recorded without {cause}, or before it"),
            TEXT_CHARS_MAX,
        ),
        test: clipped(
            &format!(
                "Date {cause} and {effect} in the records, and look for cases that have one without the other"
            ),
            TEXT_CHARS_MAX,
        ),
        confidence: 0.0,
    };
    Candidate::new(
        Ground::Cause(found.pair.strength),
        found.relevance,
        hypothesis,
    )
}

fn of_sentence(ground: Ground, statement: String, evidence: Evidence, relevance: f64) -> Candidate {
    let name = quoted(&statement);
    let (would_support, would_refute, test) = match ground {
        Ground::Related => (
            "Both still go together in other periods, groups and sources",
            "They come apart in another period or group, or where a third thing is the same for both",
            "Count both in periods or groups with and without the one, and test whether they are associated",
        ),
        Ground::Open => (
            "A record or a measurement that says so",
            "A record or a measurement that says the opposite",
            "Ask whoever left it open, and look for a record of that time",
        ),
        Ground::Suggested | Ground::Suspected | Ground::Cause(_) => (
            "A second source that does not rest on the first says so without reserve",
            "A record of the same time and place that cannot be true if it is",
            "Ask who says so what it rests on, and check that in the records",
        ),
    };
    let about = |text: &str| clipped(&format!("{text}: {name}"), TEXT_CHARS_MAX);
    let hypothesis = Hypothesis {
        statement: clipped_statement(&statement, TEXT_CHARS_MAX),
        evidence: vec![evidence],
        would_support: about(would_support),
        would_refute: about(would_refute),
        test: about(test),
        confidence: 0.0,
    };
    Candidate::new(ground, relevance, hypothesis)
}

impl Candidate {
    fn new(ground: Ground, relevance: f64, hypothesis: Hypothesis) -> Self {
        Self {
            ground,
            relevance,
            stems: content_stems(&hypothesis.statement),
            hypothesis: Hypothesis {
                confidence: confidence(ground.sure() * (0.5 + relevance / 2.0)),
                ..hypothesis
            },
        }
    }
}

fn quoted(text: &str) -> String {
    format!("“{}”", clipped(text, QUOTED_CHARS_MAX))
}

fn summary(hypotheses: &[Hypothesis]) -> String {
    let Some(first) = hypotheses.first() else {
        return "No source suspects, suggests or leaves open anything on this.".to_owned();
    };
    let count = match hypotheses.len() {
        1 => "1 hypothesis".to_owned(),
        count => format!("{count} hypotheses"),
    };
    let first = first.statement.trim_end_matches('.');
    clipped(
        &format!("The sources give reason for {count}. The first: {first}."),
        SUMMARY_CHARS_MAX,
    )
}
