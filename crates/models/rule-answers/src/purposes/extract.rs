//! What sources say on a question: the sentences that bear on it, those that agree together in one finding.

use std::collections::BTreeSet;

use adjutant_questions::{Extract, Extracted, Finding, FindingKind};

use adjutant_text::phrases::first_phrase;

use crate::corpus::{Corpus, Query, QueryTerm, best_first};
use crate::document_id::document_id;
use crate::stance::{Reading, Relation};
use crate::subject::Subject;
use crate::text::{confidence, is_stop_word, one_line, states, words};

/// How many of the best sentences are compared with each other, at most and for each finding wanted.
const CANDIDATES_MAX: usize = 240;
const CANDIDATES_PER_FINDING: usize = 6;
/// A sentence must have this share of what is asked.
const COVERAGE_MIN: f64 = 0.25;
/// Fewer words state nothing: a name, a heading.
const WORDS_MIN: usize = 3;
/// How much a sentence counts that speaks of something it does not name.
const POINTING_BACK: f64 = 0.4;
/// How much a sentence counts that is on something else of the kind, or on another strength.
const ON_ANOTHER: f64 = 0.3;
/// How much a rule or a demand counts where nobody asks what ought to be.
const ON_WHAT_OUGHT_TO_BE: f64 = 0.5;
const DEMANDING: &[&str] = &["must", "shall", "should"];
/// Words of questions that ask for rules and demands.
const ASKING_FOR_DEMANDS: &[&str] = &[
    "allowed",
    "committed",
    "condition",
    "conditions",
    "criteria",
    "demand",
    "demands",
    "duties",
    "limit",
    "limits",
    "must",
    "need",
    "needed",
    "needs",
    "obligation",
    "obligations",
    "owe",
    "owed",
    "permitted",
    "policies",
    "policy",
    "procedure",
    "promise",
    "promised",
    "require",
    "required",
    "requirement",
    "requirements",
    "requires",
    "rule",
    "rules",
    "shall",
    "should",
    "standard",
    "standards",
    "step",
    "steps",
    "threshold",
    "thresholds",
];
/// How much more a sentence counts that has all of a part of the question.
const PART_WEIGHT: f64 = 0.2;
/// From here on a sentence only repeats another, or says the same as one of another source.
const REPEATED_MIN: f64 = 0.8;
const SAME_FINDING_MIN: f64 = 0.4;
const PART_TOLD_MIN: f64 = 0.5;
/// That a word is mentioned does not yet answer the part of a question it makes up.
const ONE_WORD_PART: f64 = 0.6;
const COMMON_WORD_PART: f64 = 0.2;
/// How much more a finding counts that several sources agree on.
const AGREED_WEIGHT: f64 = 0.3;
/// What remains of confidence if one source stands alone, another says otherwise, or it is said with reservations.
const DOUBT_OF_ONE: f64 = 0.45;
const CONTRADICTED: f64 = 0.6;
const HEDGED: f64 = 0.85;
const CONFIDENCE_MAX: f64 = 0.95;
/// How many of the best findings tell how good the whole is.
const JUDGED_BY: usize = 3;

/// Words of questions that are not what is asked about.
const ASKING: &[&str] = &[
    "best",
    "case",
    "could",
    "follow",
    "follows",
    "go",
    "goes",
    "going",
    "grave",
    "likely",
    "lowers",
    "matter",
    "matters",
    "may",
    "might",
    "miss",
    "missing",
    "planned",
    "speak",
    "speaks",
    "tried",
    "turn",
    "worst",
    "wrong",
    "evidence",
    "known",
    "affect",
    "cause",
    "causes",
    "lead",
    "say",
    "says",
    "show",
    "shows",
    "find",
    "state",
    "report",
    "reported",
    "compared",
    "describe",
    "explain",
    "list",
    "summarise",
    "summarize",
    "happen",
    "happens",
    "there",
    "available",
    "exist",
    "often",
    "well",
    "long",
    "good",
    "information",
];

pub(crate) fn extract(input: &Extract) -> Extracted {
    extracted_with(
        &input.question,
        &input.guidance,
        &mut Corpus::read(&input.sources),
        usize::from(input.most),
    )
}

/// What people want kept in mind is searched for as well, but it is not what was asked.
pub(crate) fn extracted_with(
    question: &str,
    guidance: &[String],
    corpus: &mut Corpus<'_>,
    most: usize,
) -> Extracted {
    if guidance.is_empty() {
        return extracted(question, corpus, most);
    }
    let asked = format!("{question}\n{}", guidance.join("\n"));
    Extracted {
        not_found: extracted(question, corpus, most).not_found,
        ..extracted(&asked, corpus, most)
    }
}

pub(crate) fn extracted(question: &str, corpus: &mut Corpus<'_>, most: usize) -> Extracted {
    let asked = Question::read(corpus, question);
    let subject = Subject::new(question, corpus.sources);
    let demands = match says(question, ASKING_FOR_DEMANDS) {
        true => Demands::Asked,
        false => Demands::NotAsked,
    };
    let wanted = (most * CANDIDATES_PER_FINDING).clamp(CANDIDATES_PER_FINDING, CANDIDATES_MAX);
    let found = corpus.search(&asked.whole).into_iter();
    let mut found: Vec<(usize, f64)> = found
        .map(|(at, score)| (at, score, asked.coverage(corpus, at)))
        .filter(|(at, _, coverage)| {
            *coverage >= COVERAGE_MIN && words(corpus.text(*at)).len() >= WORDS_MIN
        })
        .map(|(at, score, coverage)| {
            let kept = kept_share(corpus, &subject, at, demands);
            (at, score * (1.0 + PART_WEIGHT * coverage) * kept)
        })
        .collect();
    let named = corpus.documents_naming(&asked.whole, question);
    found.retain(|(at, _)| {
        let source = corpus.sentences[*at].source;
        named.contains(document_id(&corpus.sources[source].id))
    });
    // A table's headings say nothing by themselves.
    found.retain(|(at, _)| {
        let text = corpus.text(*at);
        !text.contains(" | ") || text.contains(|char: char| char.is_ascii_digit())
    });
    // Headings, rows and fields are told only where nothing states anything.
    if found.iter().any(|(at, _)| states(corpus.text(*at))) {
        found.retain(|(at, _)| states(corpus.text(*at)));
    }
    found.sort_by(best_first);
    found.truncate(wanted);
    let candidates: Vec<usize> = found.iter().map(|(at, _)| *at).collect();
    let readings: Vec<Reading> = candidates
        .iter()
        .map(|at| Reading::new(corpus.text(*at), &mut corpus.stems))
        .collect();
    let mut groups = grouped(corpus, &candidates, &readings);
    // What several sources say comes before what one says as well.
    groups.sort_by(|a, b| {
        let weight =
            |group: &[usize]| found[group[0]].1 * (1.0 + AGREED_WEIGHT * support(group.len()));
        weight(b).total_cmp(&weight(a)).then(a[0].cmp(&b[0]))
    });
    let findings: Vec<Finding> = groups
        .iter()
        .take(most)
        .map(|group| finding(corpus, &asked, &candidates, &readings, group))
        .collect();
    let parts = parts(question);
    let not_found: Vec<String> = parts
        .iter()
        .flat_map(|part| gaps_in_answer(corpus, question, part, &candidates))
        .collect();
    let told = parts.len().saturating_sub(not_found.len()) as f64 / (parts.len() as f64).max(1.0);
    let best: Vec<f64> = findings
        .iter()
        .take(JUDGED_BY)
        .map(|at| at.confidence)
        .collect();
    let mean = best.iter().sum::<f64>() / (best.len() as f64).max(1.0);
    Extracted {
        findings,
        not_found,
        confidence: confidence(mean * (0.5 + 0.5 * told)),
    }
}

/// Whether a question asks for rules and demands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Demands {
    Asked,
    NotAsked,
}

/// What remains of a sentence's score if it does not name what it speaks of, is on something else, or says what ought to be.
fn kept_share(corpus: &Corpus<'_>, subject: &Subject, at: usize, demands: Demands) -> f64 {
    let text = corpus.text(at);
    let source = &corpus.sources[corpus.sentences[at].source];
    let ought_to_be = demands == Demands::NotAsked && says(text, DEMANDING);
    [
        (corpus.points_back(at), POINTING_BACK),
        (subject.is_about_another(source, text), ON_ANOTHER),
        (ought_to_be, ON_WHAT_OUGHT_TO_BE),
    ]
    .into_iter()
    .filter(|(holds, _)| *holds)
    .map(|(_, kept)| kept)
    .product()
}

fn says(text: &str, list: &[&'static str]) -> bool {
    first_phrase(&text.to_lowercase(), list).is_some()
}

/// Candidates that say the same, best first; what only repeats a sentence of its own source is dropped.
fn grouped(corpus: &Corpus<'_>, candidates: &[usize], readings: &[Reading]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let source = |at: usize| corpus.sentences[candidates[at]].source;
    for at in 0..candidates.len() {
        let mut joined = false;
        for group in &mut groups {
            let head = group[0];
            let like = corpus.likeness(candidates[head], candidates[at]);
            let against = matches!(
                readings[head].relation(&readings[at]),
                Relation::Contradicts(_)
            );
            let repeats =
                like >= REPEATED_MIN && !against && !readings[at].adds_to(&readings[head]);
            if repeats && source(head) == source(at) {
                joined = true;
                break;
            }
            if like >= SAME_FINDING_MIN && readings[head].supported_by(&readings[at]) {
                // What it says beyond the finding is a finding of its own.
                let more = readings[at].adds_to(&readings[head]);
                if group.iter().all(|member| source(*member) != source(at)) {
                    group.push(at);
                    joined = !more;
                } else {
                    joined = like >= REPEATED_MIN && !more;
                }
                if joined {
                    break;
                }
            }
        }
        if !joined {
            groups.push(vec![at]);
        }
    }
    groups
}

fn finding(
    corpus: &Corpus<'_>,
    asked: &Question,
    candidates: &[usize],
    readings: &[Reading],
    group: &[usize],
) -> Finding {
    let head = group[0];
    let said_by: BTreeSet<usize> = group
        .iter()
        .map(|at| corpus.sentences[candidates[*at]].source)
        .collect();
    let contradicted = (0..candidates.len()).any(|at| {
        let elsewhere = !said_by.contains(&corpus.sentences[candidates[at]].source);
        elsewhere
            && matches!(
                readings[head].relation(&readings[at]),
                Relation::Contradicts(_)
            )
    });
    let hedged = readings[head].hedge.is_some();
    let mut sure = asked.coverage(corpus, candidates[head]).sqrt() * support(said_by.len());
    if contradicted {
        sure *= CONTRADICTED;
    }
    if hedged {
        sure *= HEDGED;
    }
    Finding {
        text: corpus.self_contained_line(candidates[head]),
        kind: if hedged {
            FindingKind::Interpretation
        } else {
            FindingKind::Fact
        },
        evidence: group
            .iter()
            .enumerate()
            .map(|(nth, at)| match nth {
                0 => corpus.self_contained_evidence(candidates[*at]),
                _ => corpus.evidence(candidates[*at]),
            })
            .collect(),
        confidence: confidence(sure.min(CONFIDENCE_MAX)),
    }
}

/// How much it counts that so many sources agree.
fn support(sources: usize) -> f64 {
    1.0 - DOUBT_OF_ONE.powi(i32::try_from(sources).unwrap_or(i32::MAX))
}

/// A question: all of it, and each of the questions it is made of.
pub(crate) struct Question {
    whole: Query,
    parts: Vec<Query>,
}

impl Question {
    pub(crate) fn read(corpus: &mut Corpus<'_>, question: &str) -> Self {
        let whole = corpus.query(&without_asking(question));
        let spaced = question.replace(" and ", ", ").replace(" or ", ", ");
        let parts = spaced.split([',', ';', '?', ':', '\n']);
        let parts = parts.map(|part| corpus.query(&without_asking(part)));
        Self {
            whole,
            parts: parts.filter(|part| !part.terms.is_empty()).collect(),
        }
    }

    /// Which share a sentence has of the whole, or of the part it has most of.
    pub(crate) fn coverage(&self, corpus: &Corpus<'_>, at: usize) -> f64 {
        let parts = self.parts.iter().map(|part| {
            let certain = match part.terms.as_slice() {
                [one] if one.is_rare() => ONE_WORD_PART,
                [_] => COMMON_WORD_PART,
                _ => 1.0,
            };
            corpus.coverage_with_title(part, at) * certain
        });
        parts.fold(corpus.coverage_with_title(&self.whole, at), f64::max)
    }
}

fn without_asking(question: &str) -> String {
    let kept = words(question)
        .into_iter()
        .filter(|word| !ASKING.contains(&word.text.to_lowercase().as_str()));
    kept.map(|word| word.text).collect::<Vec<_>>().join(" ")
}

/// The parts of a question: words that stand together between words that say nothing.
fn parts(question: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut last_end = None;
    for word in words(question) {
        let small = word.text.to_lowercase();
        if is_stop_word(&small) || ASKING.contains(&small.as_str()) {
            last_end = None;
            continue;
        }
        let together = last_end.is_some_and(|end: usize| {
            let between = &question[end..word.start];
            between
                .chars()
                .all(|char| char.is_whitespace() || char == '-')
        });
        match parts.last_mut() {
            Some(part) if together => {
                part.push_str(&one_line_gap(
                    &question[last_end.unwrap_or(word.start)..word.start],
                ));
                part.push_str(word.text);
            }
            _ => parts.push(word.text.to_owned()),
        }
        last_end = Some(word.end);
    }
    let mut seen = BTreeSet::new();
    parts.retain(|part| seen.insert(part.to_lowercase()));
    parts
}

fn one_line_gap(gap: &str) -> String {
    if gap.contains('-') {
        "-".to_owned()
    } else {
        one_line(gap) + " "
    }
}

fn gaps_in_answer(
    corpus: &mut Corpus<'_>,
    question: &str,
    part: &str,
    candidates: &[usize],
) -> Vec<String> {
    let unknown = unknown(corpus, question, part);
    let unanswered = unanswered(corpus, part, candidates);
    match (unknown, unanswered) {
        (Some(unknown), Some(unanswered)) if unanswered.contains(&unknown) => vec![unanswered],
        (Some(unknown), Some(unanswered)) if unknown.contains(&unanswered) => vec![unknown],
        (unknown, unanswered) => unknown.into_iter().chain(unanswered).collect(),
    }
}

/// A number or names of a part that no source has: whatever else is told, it is not told of these.
fn unknown(corpus: &mut Corpus<'_>, question: &str, part: &str) -> Option<String> {
    let query = corpus.query(part);
    let missing = |term: &&QueryTerm| {
        let sources = 0..corpus.sources.len();
        let mut dates = corpus.sources.iter().filter_map(|at| at.published.as_ref());
        !(0..corpus.sentences.len()).any(|at| corpus.has(term, at))
            && !sources.into_iter().any(|at| corpus.title_has(term, at))
            && !dates.any(|date| date.contains(&term.word))
    };
    let numbered = |term: &&QueryTerm| term.word.starts_with(|char: char| char.is_ascii_digit());
    let number = query.terms.iter().filter(numbered).find(missing);
    if let Some(number) = number {
        let end = part.find(&number.word).map(|at| at + number.word.len())?;
        return Some(part[..end].to_owned());
    }
    // The first word of a question has a capital anyhow.
    let opens = |term: &QueryTerm| question.trim_start().starts_with(&term.word);
    let names = query
        .terms
        .iter()
        .filter(|term| term.word.starts_with(char::is_uppercase) && !opens(term));
    let names: Vec<&str> = names
        .filter(missing)
        .map(|term| term.word.as_str())
        .collect();
    (!names.is_empty()).then(|| names.join(" "))
}

/// What is not told of a part: nothing if a candidate has half of it or any sentence all; else what follows the
/// words at its beginning that are told.
fn unanswered(corpus: &mut Corpus<'_>, part: &str, candidates: &[usize]) -> Option<String> {
    let query = corpus.query(part);
    let half = candidates
        .iter()
        .any(|at| corpus.coverage(&query, *at) >= PART_TOLD_MIN);
    let all = |at: usize| query.terms.iter().all(|term| corpus.has(term, at));
    if half || (0..corpus.sentences.len()).any(all) {
        return None;
    }
    let told = |term: &&QueryTerm| candidates.iter().any(|at| corpus.has(term, *at));
    let first = query.terms.iter().find(|term| !told(term))?;
    let from = part.find(&first.word).unwrap_or(0);
    Some(part[from..].to_owned())
}
