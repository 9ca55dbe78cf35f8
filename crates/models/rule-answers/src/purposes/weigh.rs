//! How much thoughts are worth: how much of the question they speak of, what they rest on, and what stands against them.

use std::collections::BTreeSet;

use adjutant_mission::StepRole;
use adjutant_questions::{Finding, ScoreOf, Thought, Weigh, Weighed};

use super::contradictions::at_odds;
use super::criticism::counters;
use super::extract::extracted;
use super::thoughts::{passage, share, stems_of, used};
use crate::corpus::Corpus;
use crate::text::{Stems, confidence};

/// How many findings of a thought are held against others.
const FINDINGS_MAX: usize = 12;
/// How many new findings a thought can lead to before it counts fully.
const LEADS_TO_MAX: usize = 4;
const SURE: f64 = 0.6;

/// What a thought is weighed by.
struct Measures {
    /// Which share of the question's words it has.
    relevant: f64,
    sources: usize,
    quotes: usize,
    /// How sure its findings are.
    sure: f64,
    /// How many of its findings have a quote.
    founded: f64,
    /// How much the sources have on its words that no thought cites yet.
    leads_on: f64,
    contradicted: bool,
}

pub(crate) fn weigh(input: &Weigh) -> Weighed {
    let mut corpus = Corpus::read(&input.sources);
    let asked = stems_of(&input.question, &mut corpus.stems);
    let used = used(&input.thoughts);
    let scores = input.thoughts.iter().map(|thought| {
        let measures = measured(&mut corpus, input, thought, &asked, &used);
        ScoreOf {
            step: thought.step,
            score: confidence(worth(input.role, &measures)),
            because: explain_weight(&measures),
        }
    });
    let mut seen = BTreeSet::new();
    // One number stands for one thought, should two have the same.
    let scores: Vec<ScoreOf> = scores.filter(|at| seen.insert(at.step)).collect();
    let told = input
        .thoughts
        .iter()
        .filter(|at| !at.findings.is_empty())
        .count();
    let told = told as f64 / (input.thoughts.len() as f64).max(1.0);
    Weighed {
        scores,
        confidence: confidence(SURE * (0.5 + 0.5 * told)),
    }
}

fn measured(
    corpus: &mut Corpus<'_>,
    input: &Weigh,
    thought: &Thought,
    asked: &BTreeSet<String>,
    used: &BTreeSet<(String, String)>,
) -> Measures {
    let own = &thought.findings[..thought.findings.len().min(FINDINGS_MAX)];
    let texts: Vec<&str> = own.iter().map(|at| at.text.as_str()).collect();
    let said = format!("{}\n{}", thought.text, texts.join("\n"));
    let evidence = || own.iter().flat_map(|at| &at.evidence);
    let sources: BTreeSet<&str> = evidence().map(|at| at.source.as_str()).collect();
    let count = (own.len() as f64).max(1.0);
    let founded = own.iter().filter(|at| !at.evidence.is_empty()).count();
    Measures {
        relevant: share(asked, &stems_of(&said, &mut corpus.stems)),
        sources: sources.len(),
        quotes: evidence().count(),
        sure: confidence(own.iter().map(|at| confidence(at.confidence)).sum::<f64>() / count),
        founded: founded as f64 / count,
        leads_on: leads_on(corpus, &said, used),
        contradicted: contradicted(corpus, input, thought, own),
    }
}

fn leads_on(corpus: &mut Corpus<'_>, said: &str, used: &BTreeSet<(String, String)>) -> f64 {
    let found = extracted(said, corpus, LEADS_TO_MAX * 2).findings;
    let new = found.iter().filter(|at| {
        let mut evidence = at.evidence.iter();
        !evidence.any(|at| used.contains(&passage(at)))
    });
    new.count().min(LEADS_TO_MAX) as f64 / LEADS_TO_MAX as f64
}

/// By another thought, or by a source.
fn contradicted(
    corpus: &mut Corpus<'_>,
    input: &Weigh,
    thought: &Thought,
    own: &[Finding],
) -> bool {
    let mut stems = Stems::new();
    let others = input.thoughts.iter().filter(|at| at.step != thought.step);
    let others: Vec<&Finding> = others
        .flat_map(|at| at.findings.iter().take(FINDINGS_MAX))
        .collect();
    let by_thought = own.iter().any(|at| {
        let mut others = others.iter();
        others.any(|other| other.text != at.text && at_odds(at, other, &mut stems))
    });
    let claims: Vec<String> = own.iter().map(|at| at.text.clone()).collect();
    let known = own
        .iter()
        .flat_map(|at| &at.evidence)
        .map(passage)
        .collect();
    by_thought || !counters(corpus, &claims, &known).is_empty()
}

/// What counts in each role. A thought without any finding is worth what it is about, and little.
fn worth(role: StepRole, by: &Measures) -> f64 {
    let sources = match by.sources {
        0 => 0.0,
        1 => 0.5,
        2 => 0.8,
        _ => 1.0,
    };
    let stands = if by.contradicted { 0.0 } else { 1.0 };
    match role {
        StepRole::Promise => 0.4 * by.relevant + 0.3 * by.leads_on + 0.2 * sources + 0.1 * stands,
        StepRole::Simulate => {
            0.3 * by.relevant + 0.3 * by.sure + 0.2 * by.leads_on + 0.2 * stands * by.founded
        }
        StepRole::Verdict => {
            0.2 * by.relevant + 0.35 * sources + 0.2 * by.sure + 0.25 * stands * by.founded
        }
        StepRole::Fit => 0.7 * by.relevant + 0.2 * by.sure + 0.1 * by.founded,
        _ => 0.4 * by.relevant + 0.25 * by.founded + 0.15 * sources + 0.2 * stands * by.founded,
    }
}

fn explain_weight(by: &Measures) -> String {
    let counted = |count: usize, what: &str| match count {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        more => format!("{more} {what}s"),
    };
    let against = if by.contradicted {
        "something stands against it"
    } else {
        "nothing was found against it"
    };
    format!(
        "It has {:.0} % of the question's words, {} of {}; {against}.",
        by.relevant * 100.0,
        counted(by.quotes, "quote"),
        counted(by.sources, "source"),
    )
}
