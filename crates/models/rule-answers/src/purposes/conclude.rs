//! What a reasoning comes to: what stands of its findings and what the sources say besides, merged, best first; what
//! contradicts itself; what is open.

use std::collections::BTreeSet;

use adjutant_questions::{Conclude, Concluded, Contradiction, Extracted, Finding};

use super::conflicts::conflicts;
use super::contradictions::contradictions;
use super::extract::{Question, extracted_with};
use super::plan::listed;
use super::thoughts::{criticism, founded, merged, share, standing, stems_of};
use crate::corpus::Corpus;
use crate::text::{clipped, confidence, one_line};

/// How many findings of the sources are looked through for contradictions.
const LOOKED_THROUGH: usize = 40;
const NOT_FOUND_MAX: usize = 5;
const REMARK_CHARS_MAX: usize = 230;
const SENTENCE_CHARS_MAX: usize = 200;
const SUMMARY_CHARS_MAX: usize = 800;
/// Findings below this share of the question's words are not on it.
const RELEVANT_MIN: f64 = 0.1;
/// How many of the best findings tell how good the whole is, and what remains if something contradicts itself.
const JUDGED_BY: usize = 3;
const CONTRADICTED: f64 = 0.85;

pub(crate) fn conclude(input: &Conclude) -> Concluded {
    let mut corpus = Corpus::read(&input.sources);
    let found = extracted_with(
        &input.question,
        &input.guidance,
        &mut corpus,
        LOOKED_THROUGH,
    );
    let most = usize::from(input.most);
    let findings = best(&mut corpus, input, &found, most);
    let mut contradictions = conflicts(&mut corpus, &input.question);
    add_those_of_thoughts(&mut contradictions, input);
    let not_found = open(&mut corpus, &input.question, &found, &findings);
    Concluded {
        summary: summary(&findings, &contradictions, &not_found),
        confidence: sure(&findings, &contradictions, &not_found),
        findings,
        contradictions,
        not_found,
    }
}

/// What thoughts found out elsewhere contradicts itself as well; what stands in the sources was held against each other.
fn add_those_of_thoughts(known: &mut Vec<Contradiction>, input: &Conclude) {
    let given: BTreeSet<&str> = input.sources.iter().map(|at| at.id.as_str()).collect();
    let thought = input.thoughts.iter().flat_map(|at| &at.findings);
    let elsewhere: Vec<&Finding> = thought
        .filter(|at| {
            let mut evidence = at.evidence.iter();
            !evidence.any(|one| given.contains(one.source.as_str()))
        })
        .collect();
    known.extend(contradictions(&elsewhere));
}

/// What stands of the thoughts, what spoke against them, and what the sources say, by how sure and how relevant it is.
fn best(corpus: &mut Corpus<'_>, input: &Conclude, found: &Extracted, most: usize) -> Vec<Finding> {
    let asked = stems_of(&input.question, &mut corpus.stems);
    let parts = Question::read(corpus, &input.question);
    let thought = standing(&input.thoughts).into_iter();
    let thought = thought.chain(criticism(&input.thoughts));
    let all = thought.chain(&found.findings).filter_map(founded);
    let mut weighed: Vec<(f64, Finding)> = merged(all)
        .into_iter()
        .map(|at| {
            let sentence = at.evidence.first().and_then(|at| corpus.sentence_of(at));
            let relevant = match sentence {
                Some(sentence) => parts.coverage(corpus, sentence),
                None => share(&asked, &stems_of(&at.text, &mut corpus.stems)),
            };
            let sources: BTreeSet<&str> = at.evidence.iter().map(|at| at.source.as_str()).collect();
            let agreed = sources.len().min(3) as f64 / 3.0;
            let worth = 0.5 * relevant + 0.3 * at.confidence + 0.2 * agreed;
            (
                if relevant < RELEVANT_MIN {
                    worth / 2.0
                } else {
                    worth
                },
                at,
            )
        })
        .collect();
    weighed.sort_by(|a, b| b.0.total_cmp(&a.0));
    weighed.into_iter().map(|(_, at)| at).take(most).collect()
}

/// What no source tells and no finding has either.
fn open(
    corpus: &mut Corpus<'_>,
    question: &str,
    found: &Extracted,
    findings: &[Finding],
) -> Vec<String> {
    let said: BTreeSet<String> = findings
        .iter()
        .flat_map(|at| stems_of(&at.text, &mut corpus.stems))
        .collect();
    let mut open: Vec<String> = Vec::new();
    for part in &found.not_found {
        let told = share(&stems_of(part, &mut corpus.stems), &said) >= 1.0;
        let part = clipped(part, REMARK_CHARS_MAX);
        if !told && !part.is_empty() && open.len() < NOT_FOUND_MAX {
            open.push(part);
        }
    }
    let question = clipped(question, REMARK_CHARS_MAX);
    if open.is_empty() && findings.is_empty() && !question.is_empty() {
        open.push(question);
    }
    open
}

fn sure(findings: &[Finding], contradictions: &[Contradiction], not_found: &[String]) -> f64 {
    let best = findings.iter().take(JUDGED_BY).map(|at| at.confidence);
    let mean = best.sum::<f64>() / (findings.len().min(JUDGED_BY) as f64).max(1.0);
    let told = findings.len() as f64 / ((findings.len() + not_found.len()) as f64).max(1.0);
    let contradicted = if contradictions.is_empty() {
        1.0
    } else {
        CONTRADICTED
    };
    confidence(mean * (0.6 + 0.4 * told) * contradicted)
}

/// Two to five sentences: the three best findings, what contradicts itself, what is open.
fn summary(findings: &[Finding], contradictions: &[Contradiction], not_found: &[String]) -> String {
    // What would have to be cut is told in full elsewhere.
    let short = |at: &&Finding| one_line(&at.text).chars().count() <= SENTENCE_CHARS_MAX;
    let mut said: Vec<String> = findings
        .iter()
        .filter(short)
        .take(3)
        .map(|at| sentence(&at.text))
        .collect();
    if let (true, Some(first)) = (said.is_empty(), findings.first()) {
        said.push(sentence(&clipped(&first.text, SENTENCE_CHARS_MAX)));
    }
    if findings.is_empty() {
        said.push("The given material tells nothing on this.".to_owned());
    }
    match contradictions {
        [] => {}
        [one] => said.push(format!(
            "Sources contradict each other on {}.",
            clipped(&one.about, 80)
        )),
        [first, rest @ ..] => said.push(format!(
            "Sources contradict each other on {} and on {} more.",
            clipped(&first.about, 80),
            rest.len()
        )),
    }
    if !not_found.is_empty() {
        let open: Vec<String> = not_found.iter().take(2).map(|at| clipped(at, 60)).collect();
        let open: Vec<&str> = open.iter().map(String::as_str).collect();
        said.push(format!("Not found: {}.", listed(&open, "and")));
    }
    if said.len() < 2 {
        said.push("Nothing in the given material stands against it.".to_owned());
    }
    clipped(&said.join(" "), SUMMARY_CHARS_MAX)
}

fn sentence(text: &str) -> String {
    let line = one_line(text);
    match line.ends_with(['.', '!', '?', '…']) {
        true => line,
        false => format!("{line}."),
    }
}
