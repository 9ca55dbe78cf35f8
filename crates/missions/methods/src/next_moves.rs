//! The next three moves where work has come to a halt: what was tried and how it ended, what is left, and what to do first.
//!
//! A move comes from what somebody owes, from what is missing, from an idea that was not tried, or from an assumption that was
//! not checked. It repeats nothing that was tried.

use adjutant_questions::{Evidence, Finding, FindingKind};
use serde::Deserialize;
use serde_json::json;

use crate::exhibit::{Exhibit, ExhibitCell, ExhibitColumn, ExhibitTable, Statement};
use crate::method::{Answer, Method, read_input};
use crate::text::{bare, counted, coverage, likeness, plain, short};

const MOVES_MAX: usize = 3;
const MORE_MAX: usize = 8;
const TRIED_MAX: usize = 12;
const TEXT_CHARS_MAX: usize = 240;
/// Above this two texts speak of the same thing.
const SAME_MIN: f64 = 0.6;
/// How much a move counts that has all words of the objective, against the worth of its kind.
const RELEVANCE: f64 = 3.0;
/// How much a person's preference for a kind counts.
const PREFERENCE: f64 = 4.0;

pub(crate) const NEXT_MOVES: Method = Method {
    id: "next_moves",
    name: "Next moves",
    about: "Tells what was tried and how it ended, what is left, and which three moves come next: what somebody owes, what is \
            missing, what was not tried, what was not checked.",
    inputs: || {
        json!({
            "objective": {"type": "string"},
            "tried": {"type": "array", "description": "Findings on what was tried."},
            "ideas": {"type": "array", "description": "Findings on what could be tried."},
            "assumptions": {"type": "array", "description": "What is taken for granted, as texts."},
            "reading": {"type": "array", "description": "What was read in the documents: `owed` and `missing`."},
            "answers": {"type": "array", "description": "Answers of checkpoints: `in_my_words` makes the note the problem, `ask_first` and `try_first` put such moves first."},
        })
    },
    required: &["objective"],
    apply: |input| read_input(input).map(next_moves),
};

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Request {
    objective: String,
    tried: Vec<Finding>,
    ideas: Vec<Finding>,
    assumptions: Vec<String>,
    reading: Vec<Read>,
    answers: Vec<Answer>,
}

/// The part of a reading that moves come from.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Read {
    owed: Vec<Owed>,
    missing: Vec<Missing>,
}

#[derive(Debug, Deserialize)]
struct Owed {
    who: Option<String>,
    what: String,
    due: Option<String>,
    status: String,
    at: Place,
}

#[derive(Debug, Deserialize)]
struct Missing {
    kind: String,
    what: String,
    at: Place,
}

#[derive(Debug, Deserialize)]
struct Place {
    sentence: String,
    address: String,
}

impl Place {
    fn evidence(&self) -> Vec<Evidence> {
        vec![Evidence {
            source: self.address.clone(),
            quote: self.sentence.clone(),
        }]
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MoveKind {
    Ask,
    Get,
    Try,
    Check,
}

struct Move {
    kind: MoveKind,
    text: String,
    why: String,
    evidence: Vec<Evidence>,
    worth: f64,
}

impl MoveKind {
    fn told(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Get => "get",
            Self::Try => "try",
            Self::Check => "check",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Failed,
    Worked,
    NotStated,
}

/// Words by which a text says how an attempt ended.
const FAILED: &[&str] = &[
    "failed",
    "fails",
    "failure",
    "without success",
    "unsuccessful",
    "did not",
    "could not",
    "cannot",
    "rejected",
    "refused",
    "declined",
    "abandoned",
    "cancelled",
    "stopped",
    "no answer",
    "no reply",
    "not enough",
    "in vain",
    "no effect",
    "gave up",
];
const WORKED: &[&str] = &[
    "worked",
    "succeeded",
    "successful",
    "solved",
    "resolved",
    "fixed",
    "approved",
    "passed",
];

fn end_of(text: &str) -> End {
    let small = text.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| small.contains(word));
    if has(FAILED) {
        End::Failed
    } else if has(WORKED) {
        End::Worked
    } else {
        End::NotStated
    }
}

fn next_moves(request: Request) -> Exhibit {
    let own = request
        .answers
        .iter()
        .find(|answer| answer.chose("in_my_words"));
    let own = own
        .map(|answer| plain(answer.note()))
        .filter(|note| !note.is_empty());
    let problem = own.unwrap_or_else(|| plain(&request.objective));
    let tried = different(&request.tried, TRIED_MAX);
    let (first, more) = ranked(moves(&request, &tried, &problem));
    let mut exhibit = Exhibit::default();
    exhibit
        .headlines
        .extend(
            first
                .iter()
                .zip(["First", "Then", "After that"])
                .map(|(one, when)| Statement {
                    text: format!("{when}: {}", one.text),
                    kind: FindingKind::Interpretation,
                    evidence: one.evidence.clone(),
                }),
        );
    if first.is_empty() {
        exhibit.headlines.push(Statement::interpretation(
            "No next move was found: nothing is owed or missing, and no idea is left that was not tried",
        ));
    }
    exhibit.headlines.push(Statement::calculation(told(&tried)));
    exhibit
        .tables
        .extend(moves_table("The next three moves", &first));
    exhibit.tables.extend(tried_table(&tried));
    exhibit
        .tables
        .extend(moves_table("What else is left", &more));
    exhibit.add_figure(tried.len().to_string(), "attempts found");
    exhibit.add_figure((first.len() + more.len()).to_string(), "moves left");
    exhibit.add_note(
        "How moves are ranked",
        "What is overdue comes before what is asked and unanswered, that before what is missing, that before what was not \
         tried, and assumptions last; moves that share words with the problem come earlier",
    );
    exhibit.data = json!({
        "problem": problem,
        "moves": first.iter().map(|one| json!({"kind": one.kind.told(), "text": one.text})).collect::<Vec<_>>(),
    });
    exhibit
}

/// Findings that do not repeat each other.
fn different(findings: &[Finding], most: usize) -> Vec<&Finding> {
    let mut kept: Vec<&Finding> = Vec::new();
    for finding in findings {
        let is_known = kept
            .iter()
            .any(|known| likeness(&known.text, &finding.text) >= SAME_MIN);
        if !is_known && kept.len() < most {
            kept.push(finding);
        }
    }
    kept
}

fn moves(request: &Request, tried: &[&Finding], problem: &str) -> Vec<Move> {
    let mut all: Vec<Move> = Vec::new();
    for read in &request.reading {
        all.extend(read.owed.iter().filter_map(owed_move));
        all.extend(read.missing.iter().map(missing_move));
    }
    let was_tried = |finding: &&&Finding| {
        tried
            .iter()
            .any(|one| likeness(&one.text, &finding.text) >= SAME_MIN)
    };
    let ideas = different(&request.ideas, MORE_MAX);
    all.extend(
        ideas
            .iter()
            .filter(|idea| !was_tried(idea))
            .map(|idea| Move {
                kind: MoveKind::Try,
                text: format!(
                    "Try what no document reports as tried: {}",
                    short(&bare(&idea.text), TEXT_CHARS_MAX)
                ),
                why: "it is named and no attempt is reported".to_owned(),
                evidence: idea.evidence.clone(),
                worth: 3.0,
            }),
    );
    all.extend(request.assumptions.iter().map(|text| Move {
        kind: MoveKind::Check,
        text: format!("Check: {}", short(&bare(text), TEXT_CHARS_MAX)),
        why: "it is taken for granted".to_owned(),
        evidence: Vec::new(),
        worth: 2.0,
    }));
    let prefers = |option: &str| request.answers.iter().any(|answer| answer.chose(option));
    for one in &mut all {
        one.worth += RELEVANCE * coverage(problem, &one.text);
        let is_preferred = match one.kind {
            MoveKind::Ask | MoveKind::Get => prefers("ask_first"),
            MoveKind::Try | MoveKind::Check => prefers("try_first"),
        };
        if is_preferred {
            one.worth += PREFERENCE;
        }
    }
    all
}

fn owed_move(owed: &Owed) -> Option<Move> {
    let what = short(&bare(&owed.what), TEXT_CHARS_MAX);
    let (worth, state) = match owed.status.as_str() {
        "overdue" => (5.0, "overdue"),
        "open" => (3.2, "open"),
        _ => return None,
    };
    let due = owed
        .due
        .as_ref()
        .map(|due| format!(", due {due}"))
        .unwrap_or_default();
    Some(Move {
        kind: MoveKind::Ask,
        text: match &owed.who {
            Some(who) => format!("Ask {} for what is owed: {what}", plain(who)),
            None => format!("Find out who owes this, and ask for it: {what}"),
        },
        why: format!("it is {state}{due}"),
        evidence: owed.at.evidence(),
        worth,
    })
}

fn missing_move(missing: &Missing) -> Move {
    let what = short(&bare(&missing.what), TEXT_CHARS_MAX);
    let is_question = missing.kind.contains("asked");
    Move {
        kind: MoveKind::Get,
        text: match is_question {
            true => format!("Get an answer to: {what}"),
            false => format!("Get what is missing: {what}"),
        },
        why: missing.kind.clone(),
        evidence: missing.at.evidence(),
        worth: if is_question { 4.0 } else { 3.5 },
    }
}

/// The first moves, and what else is left. Nothing twice.
fn ranked(mut all: Vec<Move>) -> (Vec<Move>, Vec<Move>) {
    all.sort_by(|one, other| other.worth.total_cmp(&one.worth));
    let mut kept: Vec<Move> = Vec::new();
    for one in all {
        let is_known = kept
            .iter()
            .any(|known| likeness(&known.text, &one.text) >= SAME_MIN);
        if !is_known && kept.len() < MOVES_MAX + MORE_MAX {
            kept.push(one);
        }
    }
    let more = kept.split_off(kept.len().min(MOVES_MAX));
    (kept, more)
}

fn told(tried: &[&Finding]) -> String {
    let count = |end: End| tried.iter().filter(|one| end_of(&one.text) == end).count();
    match tried.len() {
        0 => "No document reports an attempt".to_owned(),
        all => format!(
            "{} found: {} failed, {} worked, of {} no end is stated",
            counted(all, "attempt"),
            count(End::Failed),
            count(End::Worked),
            count(End::NotStated)
        ),
    }
}

fn moves_table(caption: &str, moves: &[Move]) -> Option<ExhibitTable> {
    let rows: Vec<Vec<ExhibitCell>> = moves
        .iter()
        .map(|one| {
            vec![
                ExhibitCell::label(one.kind.told()),
                ExhibitCell::statement(&one.text, one.evidence.clone()),
                ExhibitCell::label(&one.why),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: caption.to_owned(),
        columns: vec![
            ExhibitColumn::text("Kind", 1),
            ExhibitColumn::text("Move", 6),
            ExhibitColumn::text("Because", 3),
        ],
        rows,
    })
}

fn tried_table(tried: &[&Finding]) -> Option<ExhibitTable> {
    let rows: Vec<Vec<ExhibitCell>> = tried
        .iter()
        .map(|one| {
            vec![
                ExhibitCell::statement(bare(&one.text), one.evidence.clone()),
                ExhibitCell::label(match end_of(&one.text) {
                    End::Failed => "failed",
                    End::Worked => "worked",
                    End::NotStated => "not stated",
                }),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "What was tried".to_owned(),
        columns: vec![
            ExhibitColumn::text("Attempt", 6),
            ExhibitColumn::text("How it ended", 2),
        ],
        rows,
    })
}

#[cfg(test)]
#[path = "next_moves_tests.rs"]
mod tests;
