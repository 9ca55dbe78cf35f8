//! What can be read off an answer without asking anybody: the signs by which a reasoning goes on. How sure the answerer
//! says it is, how well it keeps to the rules of evidence, and how well it is supported by what can be counted.

pub(crate) mod figures;

use std::collections::BTreeSet;

use adjutant_mission::{Json, Ppm, Signs, ToolCall, ToolId};
use serde::{Deserialize, Serialize};

use crate::context::terms;
use crate::{Act, Acted, Contradiction, Finding, FindingKind, Input, Output};
pub use figures::numbers_at_odds;
use figures::{asserted, figures};

/// Fewer words can be found anywhere.
const QUOTE_WORDS_MIN: usize = 3;
/// From here on two findings say the same: words in common, of all words of both.
const SAME_MIN: f64 = 0.9;
/// More findings are not held against each other.
const COMPARED_MAX: usize = 200;

/// Words of questions that say nothing of their subject.
const ASKING: &[&str] = &[
    "about", "all", "also", "and", "any", "are", "been", "being", "but", "can", "could", "did",
    "doe", "does", "for", "from", "had", "has", "have", "how", "into", "its", "may", "might",
    "much", "not", "now", "only", "other", "our", "should", "some", "such", "than", "that", "the",
    "their", "them", "then", "there", "these", "they", "this", "those", "too", "was", "were",
    "what", "when", "where", "whether", "which", "who", "why", "will", "with", "would", "you",
    "your",
];

/// The signs of an answer. `rules` and `support` are told of thoughts and conclusions; scores stand in the order of the
/// question's thoughts, 0 for one that has none.
pub fn signs(output: &Output, input: &Input) -> Signs {
    let mut signs = Signs {
        sure: Some(ppm(output.confidence())),
        ..Signs::default()
    };
    match output {
        Output::Think(thought) => {
            let told = [thought.thought.as_str()];
            signs.settled = thought.settled;
            signs.rules = Some(share_of_rules(&evidence_rules(&thought.findings, &told)));
            signs.support = Some(ppm(support(&thought.findings, &input.question())));
        }
        Output::Conclude(conclusion) => {
            let told: Vec<String> = conclusion.contradictions.iter().map(in_words).collect();
            let told: Vec<&str> = told.iter().map(String::as_str).collect();
            signs.rules = Some(share_of_rules(&evidence_rules(&conclusion.findings, &told)));
            signs.support = Some(ppm(support(&conclusion.findings, &input.question())));
        }
        Output::Weigh(weighed) => {
            let score = |step: u16| weighed.scores.iter().find(|at| at.step == step);
            let scores = input.thoughts().iter().map(|at| score(at.step));
            signs.scores = scores
                .map(|at| at.map_or(Ppm(0), |at| ppm(at.score)))
                .collect();
        }
        Output::Split(split) => {
            signs.parts = u16::try_from(split.parts.len()).unwrap_or(u16::MAX);
        }
        Output::Act(acted) => {
            signs.call = match input {
                Input::Act(input) => call(acted, input),
                _ => None,
            };
            signs.settled = signs.call.is_none();
        }
        _ => {}
    }
    signs
}

fn ppm(share: f64) -> Ppm {
    // What is no number becomes 0.
    Ppm((share.clamp(0.0, 1.0) * 1_000_000.0).round() as u32)
}

/// Nothing is called that was not offered.
fn call(acted: &Acted, input: &Act) -> Option<ToolCall> {
    let tool = acted.tool.as_ref()?;
    input.tools.iter().find(|offered| offered.id == *tool)?;
    Some(ToolCall {
        tool: ToolId::new(tool.clone()).ok()?,
        with: Json::encode(&acted.with).ok()?,
    })
}

fn in_words(contradiction: &Contradiction) -> String {
    let sides = contradiction.sides.iter().flat_map(|side| {
        let quotes = side.evidence.iter().map(|at| at.quote.as_str());
        quotes.chain([side.text.as_str()])
    });
    let all: Vec<&str> = [contradiction.about.as_str()]
        .into_iter()
        .chain(sides)
        .collect();
    all.join("\n")
}

/// One rule of evidence, and whether it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleVerdict {
    pub name: String,
    pub holds: bool,
}

/// Whether findings keep to the rules of evidence. `told` are the texts in which contradictions are told: one for each,
/// or all in one.
pub fn evidence_rules(findings: &[Finding], told: &[&str]) -> Vec<RuleVerdict> {
    let findings = &findings[..findings.len().min(COMPARED_MAX)];
    let rules = [
        ("facts_have_evidence", facts_have_evidence(findings)),
        ("numbers_are_quoted", numbers_are_quoted(findings)),
        ("nothing_is_said_twice", nothing_is_said_twice(findings)),
        ("quotes_say_something", quotes_say_something(findings)),
        (
            "contradictions_are_told",
            contradictions_are_told(findings, told),
        ),
    ];
    let verdicts = rules.map(|(name, holds)| RuleVerdict {
        name: name.to_owned(),
        holds,
    });
    verdicts.into()
}

fn share_of_rules(verdicts: &[RuleVerdict]) -> Ppm {
    let holding = verdicts.iter().filter(|verdict| verdict.holds).count();
    ppm(holding as f64 / (verdicts.len() as f64).max(1.0))
}

fn facts_have_evidence(findings: &[Finding]) -> bool {
    let mut facts = findings.iter().filter(|at| at.kind == FindingKind::Fact);
    facts.all(|at| !at.evidence.is_empty())
}

/// Every number of a finding stands in its quotes, unless it was calculated.
fn numbers_are_quoted(findings: &[Finding]) -> bool {
    let mut read = findings
        .iter()
        .filter(|at| at.kind != FindingKind::Calculation);
    read.all(|at| {
        let quoted: BTreeSet<String> = at
            .evidence
            .iter()
            .flat_map(|evidence| figures(&evidence.quote))
            .collect();
        asserted(&at.text).is_subset(&quoted)
    })
}

fn nothing_is_said_twice(findings: &[Finding]) -> bool {
    let words: Vec<BTreeSet<String>> = findings
        .iter()
        .map(|at| {
            terms(&at.text)
                .into_iter()
                .chain(figures(&at.text))
                .collect()
        })
        .collect();
    !pairs(findings.len()).any(|(a, b)| {
        let both = words[a].intersection(&words[b]).count();
        let either = words[a].union(&words[b]).count();
        match either {
            0 => findings[a].text.trim() == findings[b].text.trim(),
            either => both as f64 / either as f64 >= SAME_MIN,
        }
    })
}

fn quotes_say_something(findings: &[Finding]) -> bool {
    let mut quotes = findings.iter().flat_map(|at| &at.evidence);
    quotes.all(|at| word_count(&at.quote) >= QUOTE_WORDS_MIN)
}

/// Signs of Chinese and Japanese are words by themselves.
fn word_count(text: &str) -> usize {
    let words = text.split(|char: char| !char.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(|word| {
            let signs = word.chars().filter(|char| *char >= '\u{3040}').count();
            signs.max(1)
        })
        .sum()
}

/// Findings that give different numbers of the same are told as a contradiction.
fn contradictions_are_told(findings: &[Finding], told: &[&str]) -> bool {
    let told: Vec<BTreeSet<String>> = told.iter().map(|text| figures(text)).collect();
    pairs(findings.len()).all(|(a, b)| {
        let Some((one, other)) = numbers_at_odds(&findings[a].text, &findings[b].text) else {
            return true;
        };
        let both = |told: &BTreeSet<String>| told.contains(&one) && told.contains(&other);
        told.iter().any(both)
    })
}

fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |a| (a + 1..count).map(move |b| (a, b)))
}

/// How well findings are supported, by counting alone; no model has a say in it. 0 if no source is cited, else
/// `0.6 s + 0.15 p + 0.25 q` where
/// - `s` is 0.4 for one source, 0.65 for two, 0.85 for three and more,
/// - `p` is the number of quotes for each finding, over two, 1 at most,
/// - `q` is the share of the question's words, without those that only ask, that stand in the findings or their quotes.
fn support(findings: &[Finding], question: &str) -> f64 {
    let evidence: Vec<_> = findings.iter().flat_map(|at| &at.evidence).collect();
    let sources: BTreeSet<&str> = evidence.iter().map(|at| at.source.as_str()).collect();
    let by_sources = match sources.len() {
        0 => return 0.0,
        1 => 0.4,
        2 => 0.65,
        _ => 0.85,
    };
    let by_quotes = (evidence.len() as f64 / (findings.len() as f64).max(1.0) / 2.0).min(1.0);
    let mut asked = terms(question);
    asked.retain(|word| !ASKING.contains(&word.as_str()));
    let quotes = evidence.iter().map(|at| at.quote.as_str());
    let said: BTreeSet<String> = findings
        .iter()
        .map(|at| at.text.as_str())
        .chain(quotes)
        .flat_map(terms)
        .collect();
    let covered = asked.intersection(&said).count() as f64 / (asked.len() as f64).max(1.0);
    0.6 * by_sources + 0.15 * by_quotes + 0.25 * covered
}
