//! What documents say against each other, sought through all their statements: another value for the same quantity, or
//! the same said by one and denied by another.

mod values;

use std::collections::BTreeSet;

use adjutant_questions::{Contradiction, Evidence, Side};

use super::contradictions::shared_words;
use crate::corpus::{Corpus, Query};
use crate::document_id::document_id;
use crate::stance::{How, Reading, Relation};
use crate::subject::Subject;
use crate::text::{Quantity, clipped, is_stop_word, one_line, quantities, states, words};
pub(crate) use values::labels;
use values::{Value, at_odds, set_apart, values};

/// How many statements are held against each other, and how many contradictions are told.
const CLAIMS_MAX: usize = 800;
const TOLD_MAX: usize = 12;
const SIDES_MAX: usize = 4;
const SIDE_EVIDENCE_MAX: usize = 4;
/// How many words two statements share at least, and which share of all theirs, to deny each other.
const SHARED_MIN: usize = 3;
const ALIKE_MIN: f64 = 0.25;
const PHRASE_WORDS_MAX: usize = 9;
const ABOUT_CHARS_MAX: usize = 120;
const SIDE_CHARS_MAX: usize = 400;
/// Words of what is planned or asked for.
const TO_COME: &[&str] = &[
    "expected",
    "planned",
    "proposed",
    "requested",
    "should",
    "will",
    "would",
    "listed",
];
/// Words that two statements may share and be on different things.
const OF_TIME: &[&str] = &[
    "day", "days", "last", "month", "months", "next", "today", "week", "weeks", "year", "years",
];
/// Words of amounts that tell nothing of what they are amounts of.
const OF_AMOUNTS: &[&str] = &[
    "million", "billion", "thousand", "euro", "euros", "EUR", "USD", "percent", "months", "years",
    "patients",
];

/// A statement, or a row of a table that gives one name a value.
struct Claim {
    at: usize,
    document: String,
    relevance: f64,
    /// On something else of the kind than what is asked about.
    on_another: bool,
    /// What it names that its document is on, and hardly any other.
    own_names: BTreeSet<u32>,
}

impl Claim {
    /// Whether one is on something else than the other.
    fn apart(&self, other: &Self) -> bool {
        self.document == other.document
            || self.on_another != other.on_another
            || self.own_names.is_empty() != other.own_names.is_empty()
    }
}

/// Which claims stand against which, and on what.
struct Conflict {
    about: String,
    /// Of the values, if it is on values.
    unit: String,
    /// Claims of each side, the most relevant first.
    sides: Vec<Vec<usize>>,
    relevance: f64,
}

pub(crate) fn conflicts(corpus: &mut Corpus<'_>, question: &str) -> Vec<Contradiction> {
    let query = corpus.query(question);
    let subject = Subject::new(question, corpus.sources);
    let claims = claims(corpus, &query, &subject);
    let mut found = of_values(corpus, &claims);
    found.extend(of_denials(corpus, &claims));
    found.sort_by(|a, b| b.relevance.total_cmp(&a.relevance));
    found.truncate(TOLD_MAX);
    found
        .iter()
        .map(|conflict| to_contradiction(corpus, &claims, conflict))
        .collect()
}

fn claims(corpus: &Corpus<'_>, query: &Query, subject: &Subject) -> Vec<Claim> {
    let mut seen = BTreeSet::new();
    let mut claims: Vec<Claim> = (0..corpus.sentences.len())
        .filter(|at| states(corpus.text(*at)) || names_value(corpus.text(*at)))
        .map(|at| {
            let source = corpus.sentences[at].source;
            Claim {
                at,
                document: document_id(&corpus.sources[source].id).to_owned(),
                relevance: corpus.coverage(query, at),
                on_another: subject.is_about_another(&corpus.sources[source], corpus.text(at)),
                own_names: corpus.own_names(at, query),
            }
        })
        // Passages may overlap: the same sentence of the same document is one claim.
        .filter(|claim| seen.insert((claim.document.clone(), corpus.line(claim.at))))
        .collect();
    claims.sort_by(|a, b| b.relevance.total_cmp(&a.relevance));
    claims.truncate(CLAIMS_MAX);
    claims
}

/// `Shelf life | 24 months`, `Safety database: 16 events`: a name without a number, and one value.
fn names_value(text: &str) -> bool {
    let Some((name, value)) = text.split_once(" | ").or_else(|| text.split_once(": ")) else {
        return false;
    };
    let digits = |text: &str| text.contains(|char: char| char.is_ascii_digit());
    !value.contains('|') && digits(value) && words(name).len() > 1 && !name.contains('|')
}

fn of_values(corpus: &mut Corpus<'_>, claims: &[Claim]) -> Vec<Conflict> {
    let all: Vec<Value> = claims
        .iter()
        .enumerate()
        .flat_map(|(nth, claim)| values(corpus.text(claim.at), nth, &mut corpus.stems))
        .collect();
    // A statement that has the other's value too tells of both.
    let texts: Vec<Vec<Quantity>> = claims
        .iter()
        .map(|claim| quantities(corpus.text(claim.at), &mut corpus.stems))
        .collect();
    let gives = |claim: usize, value: &Value| texts[claim].iter().any(|at| value.is(at));
    let mut found: Vec<Conflict> = Vec::new();
    for (a, own) in all.iter().enumerate() {
        for other in &all[a + 1..] {
            let (one, two) = (&claims[own.claim], &claims[other.claim]);
            if one.apart(two)
                || !at_odds(own, other)
                || gives(other.claim, own)
                || gives(own.claim, other)
            {
                continue;
            }
            // Two statements that differ in one number often differ in the next: it is told once.
            let both = |conflict: &Conflict| {
                let inside = |claim: usize| conflict.sides.iter().any(|side| side.contains(&claim));
                inside(own.claim) && inside(other.claim)
            };
            if found.iter().any(both) {
                continue;
            }
            let known = found.iter_mut().find(|conflict| {
                let mut inside = conflict.sides.iter();
                conflict.unit == own.unit
                    && inside.any(|side| side.contains(&own.claim) || side.contains(&other.claim))
            });
            let relevance = one.relevance.max(two.relevance);
            match known {
                Some(conflict) => {
                    for value in [own, other] {
                        join(conflict, value, &all);
                    }
                }
                None => found.push(Conflict {
                    about: format!(
                        "{}: {} or {}",
                        phrase(corpus, one.at, two.at),
                        own.written,
                        other.written
                    ),
                    unit: own.unit.clone(),
                    sides: vec![vec![own.claim], vec![other.claim]],
                    relevance,
                }),
            }
        }
    }
    found
}

/// Puts a value's claim to the side that gives the same value, or makes it a side of its own.
fn join(conflict: &mut Conflict, value: &Value, all: &[Value]) {
    if conflict
        .sides
        .iter()
        .any(|side| side.contains(&value.claim))
    {
        return;
    }
    let same = |claim: usize| {
        let mut of_claim = all.iter().filter(|at| at.claim == claim);
        of_claim.any(|at| at.unit == value.unit && at.equals(value))
    };
    let of_same = |side: &Vec<usize>| side.first().is_some_and(|claim| same(*claim));
    match conflict.sides.iter().position(of_same) {
        Some(side) => conflict.sides[side].push(value.claim),
        None if conflict.sides.len() < SIDES_MAX => conflict.sides.push(vec![value.claim]),
        None => {}
    }
}

/// What is known of a statement before it is held against all others: read once, because there are many pairs.
struct Statement {
    at: usize,
    reading: Reading,
    words_of_time: usize,
    /// What is still to come is not denied by there being none yet, and a row of a table denies nothing.
    may_conflict: bool,
}

impl Statement {
    fn read(corpus: &mut Corpus<'_>, at: usize) -> Self {
        let text = corpus.text(at);
        let reading = Reading::new(text, &mut corpus.stems);
        let all = words(text);
        let of_time = all.iter().filter(|word| OF_TIME.contains(&word.text));
        let is_to_come = |text: &str| TO_COME.iter().any(|word| word.eq_ignore_ascii_case(text));
        Self {
            at,
            reading,
            words_of_time: of_time.count(),
            may_conflict: !names_value(text) && !all.iter().any(|word| is_to_come(word.text)),
        }
    }
}

fn of_denials(corpus: &mut Corpus<'_>, claims: &[Claim]) -> Vec<Conflict> {
    let mut statements = Vec::new();
    for claim in claims {
        statements.push(Statement::read(corpus, claim.at));
    }
    let mut found: Vec<Conflict> = Vec::new();
    for a in 0..claims.len() {
        for b in a + 1..claims.len() {
            let (one, two) = (&claims[a], &claims[b]);
            if one.apart(two) || !denied(corpus, &statements[a], &statements[b]) {
                continue;
            }
            let relevance = one.relevance.max(two.relevance);
            let known = found.iter_mut().find_map(|conflict| {
                let side = |claim: usize| conflict.sides.iter().position(|at| at.contains(&claim));
                match (side(a), side(b)) {
                    (Some(side), None) => Some((conflict, 1 - side.min(1), b)),
                    (None, Some(side)) => Some((conflict, 1 - side.min(1), a)),
                    (Some(_), Some(_)) => Some((conflict, 0, a)),
                    (None, None) => None,
                }
            });
            match known {
                Some((conflict, side, claim)) => {
                    let inside = conflict.sides.iter().any(|at| at.contains(&claim));
                    if !inside && let Some(side) = conflict.sides.get_mut(side) {
                        side.push(claim);
                    }
                }
                None => found.push(Conflict {
                    about: phrase(corpus, one.at, two.at),
                    unit: String::new(),
                    sides: vec![vec![a], vec![b]],
                    relevance,
                }),
            }
        }
    }
    found
}

fn denied(corpus: &Corpus<'_>, one: &Statement, two: &Statement) -> bool {
    let (own, other) = (&one.reading, &two.reading);
    if !one.may_conflict || !two.may_conflict || !(own.may_deny() || other.may_deny()) {
        return false;
    }
    let shared = corpus.shared_stems(one.at, two.at);
    if shared.saturating_sub(one.words_of_time.min(two.words_of_time)) < SHARED_MIN {
        return false;
    }
    let (text, other_text) = (corpus.text(one.at), corpus.text(two.at));
    if labels(text).differ(&labels(other_text)) || set_apart(text, other_text) {
        return false;
    }
    if own.denies_phrase(other) || other.denies_phrase(own) {
        return true;
    }
    let outright =
        |relation: Relation| matches!(relation, Relation::Contradicts(How::Denied | How::Opposite));
    corpus.likeness(one.at, two.at) >= ALIKE_MIN
        && (outright(own.relation(other)) || outright(other.relation(own)))
}

/// What both are about: the stretch of the first from the first to the last word that the second has too, if it is
/// short and has no number, else those words alone.
fn phrase(corpus: &mut Corpus<'_>, one: usize, two: usize) -> String {
    let (text, other) = (corpus.text(one), corpus.text(two));
    let mut shared = shared_words(text, other, &mut corpus.stems);
    shared.retain(|word| !OF_AMOUNTS.contains(&word.as_str()));
    let all = words(text);
    let is_shared = |word: &str| shared.iter().any(|at| at == word);
    let mut best: Option<(usize, usize, usize)> = None;
    for from in 0..all.len() {
        if !is_shared(all[from].text) {
            continue;
        }
        for to in from..all.len().min(from + PHRASE_WORDS_MAX) {
            let inside = &text[all[from].start..all[to].end];
            let whole =
                !inside.contains(|char: char| char.is_ascii_digit() || ".,;:()|".contains(char));
            let count = all[from..=to]
                .iter()
                .filter(|word| is_shared(word.text))
                .count();
            let filled = all[from..=to]
                .iter()
                .all(|word| is_shared(word.text) || is_stop_word(&word.text.to_lowercase()));
            if whole && filled && is_shared(all[to].text) && best.is_none_or(|at| count > at.2) {
                best = Some((from, to, count));
            }
        }
    }
    let said = match best {
        Some((from, to, count)) if count > 1 => one_line(&text[all[from].start..all[to].end]),
        _ => shared.join(", "),
    };
    match said.is_empty() {
        true => clipped(text, ABOUT_CHARS_MAX),
        false => clipped(&said, ABOUT_CHARS_MAX),
    }
}

fn to_contradiction(corpus: &Corpus<'_>, claims: &[Claim], conflict: &Conflict) -> Contradiction {
    let side = |of: &Vec<usize>| {
        let evidence: Vec<Evidence> = of
            .iter()
            .take(SIDE_EVIDENCE_MAX)
            .map(|claim| corpus.evidence(claims[*claim].at))
            .collect();
        let first = of.first().map(|claim| corpus.line(claims[*claim].at));
        Side {
            text: clipped(
                &first.unwrap_or_default().replace(" | ", ": "),
                SIDE_CHARS_MAX,
            ),
            evidence,
        }
    };
    Contradiction {
        about: conflict.about.clone(),
        sides: conflict.sides.iter().map(side).collect(),
    }
}
