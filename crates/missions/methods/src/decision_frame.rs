//! A decision made ready to be taken: the tree of questions below it, what is at stake, who decides, and what is still open.
//!
//! A question counts as answered if a finding or a checked point with evidence speaks of it. Amounts are compared only
//! within one unit.

use adjutant_questions::{Evidence, Finding, FindingKind, Found, GapPoint};
use serde::Deserialize;
use serde_json::json;

use crate::exhibit::{Exhibit, ExhibitCell, ExhibitColumn, ExhibitFigure, ExhibitTable, Statement};
use crate::method::{Answer, InputRefused, Method, read_input};
use crate::text::{Amount, amounts, bare, counted, coverage, listed, plain, written};

/// The branches of the tree.
const DECIDED: &str = "What is to be decided";
const KNOWN_BEFORE: &str = "What must be known before";
const PARTS_MAX: usize = 12;
const STAKES_MAX: usize = 10;
const DECIDERS_MAX: usize = 6;
/// Which share of a question's words a finding must have to answer it.
const ANSWERS_MIN: f64 = 0.5;
const MONEY: &[&str] = &["eur", "usd", "gbp", "chf"];
const TIME: &[&str] = &["day", "week", "month", "year", "hour"];

pub(crate) const DECISION_FRAME: Method = Method {
    id: "decision_frame",
    name: "Decision frame",
    about: "Makes a decision ready to be taken: a tree of the questions below it with what is known of each, what is at \
            stake, who decides, between what and by what.",
    inputs: || {
        json!({
            "objective": {"type": "string"},
            "parts": {"type": "array", "description": "Questions that the decision is made of."},
            "checklist": {"type": "array", "description": "What must be known, with `key` and `wants`."},
            "points": {"type": "array", "description": "What is known of the checklist, as a `gaps` question answers."},
            "options": {"type": "array", "description": "Names of the options."},
            "criteria": {"type": "array", "description": "Criteria with `name` and `weight`."},
            "stakes": {"type": "array", "description": "Findings on what is at stake."},
            "deciders": {"type": "array", "description": "Findings on who decides and who must agree."},
            "findings": {"type": "array", "description": "Findings that may answer the questions."},
            "answers": {"type": "array", "description": "Answers of checkpoints: with `in_my_words` the note is the decision."},
        })
    },
    required: &["objective"],
    apply: |input| read_input(input).and_then(frame),
};

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Request {
    objective: String,
    parts: Vec<String>,
    checklist: Vec<Point>,
    points: Vec<GapPoint>,
    options: Vec<String>,
    criteria: Vec<Criterion>,
    stakes: Vec<Finding>,
    deciders: Vec<Finding>,
    findings: Vec<Finding>,
    answers: Vec<Answer>,
}

#[derive(Debug, Deserialize)]
struct Point {
    key: String,
    wants: String,
}

#[derive(Debug, Deserialize)]
struct Criterion {
    name: String,
    #[serde(default = "one")]
    weight: f64,
}

fn one() -> f64 {
    1.0
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Answered,
    Partly,
    Open,
}

/// A question of the tree.
struct Node {
    branch: &'static str,
    question: String,
    state: State,
    known: String,
    evidence: Vec<Evidence>,
}

impl State {
    fn told(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Partly => "partly",
            Self::Open => "open",
        }
    }
}

fn frame(request: Request) -> Result<Exhibit, InputRefused> {
    if request.parts.len() > PARTS_MAX {
        return Err(InputRefused(format!(
            "a decision can be taken apart into at most {PARTS_MAX} questions"
        )));
    }
    let decision = decision(&request);
    let nodes = tree(&request);
    let mut exhibit = Exhibit::default();
    exhibit.headlines.push(Statement::interpretation(
        match request.options.as_slice() {
            [] => format!("To be decided: {decision}. No option is named yet"),
            [only] => format!("To be decided: {decision}. Only one option is named: {only}"),
            names => format!(
                "To be decided: {decision}. The choice is between {}",
                listed(names)
            ),
        },
    ));
    exhibit.headlines.extend(first_stake(&request.stakes));
    exhibit.headlines.push(first_decider(&request.deciders));
    exhibit.headlines.push(readiness(&nodes));
    exhibit.figures.extend(stake_figure(&request.stakes));
    exhibit.add_figure(
        format!(
            "{} of {}",
            nodes
                .iter()
                .filter(|node| node.state == State::Answered)
                .count(),
            nodes.len()
        ),
        "questions answered",
    );
    exhibit.add_figure(request.options.len().to_string(), "options named");
    exhibit.tables.push(tree_table(&nodes));
    exhibit.tables.extend(stakes_table(&request.stakes));
    exhibit.tables.extend(deciders_table(&request.deciders));
    exhibit.tables.extend(criteria_table(&request.criteria));
    exhibit.add_note(
        "How to read the tree",
        "A question is answered if a passage speaks of most of its words; whether the answer is right was not checked",
    );
    exhibit.data = json!({
        "open": nodes.iter().filter(|node| node.state != State::Answered).map(|node| node.question.clone()).collect::<Vec<_>>(),
        "answered": nodes.iter().filter(|node| node.state == State::Answered).count(),
    });
    Ok(exhibit)
}

/// The objective, unless a person put it into other words.
fn decision(request: &Request) -> String {
    let own = request
        .answers
        .iter()
        .find(|answer| answer.chose("in_my_words"));
    let own = own
        .map(|answer| plain(answer.note()))
        .filter(|note| !note.is_empty());
    let text = own.unwrap_or_else(|| plain(&request.objective));
    text.trim_end_matches(['.', '?', '!', ' ']).to_owned()
}

fn tree(request: &Request) -> Vec<Node> {
    let mut nodes = Vec::new();
    for part in &request.parts {
        let best = request
            .findings
            .iter()
            .filter(|finding| !finding.evidence.is_empty())
            .map(|finding| (coverage(part, &finding.text), finding))
            .max_by(|one, other| one.0.total_cmp(&other.0));
        let answer = best
            .filter(|(fit, _)| *fit >= ANSWERS_MIN)
            .map(|(_, finding)| finding);
        nodes.push(Node {
            branch: DECIDED,
            question: plain(part),
            state: if answer.is_some() {
                State::Answered
            } else {
                State::Open
            },
            known: answer
                .map(|finding| plain(&finding.text))
                .unwrap_or_default(),
            evidence: answer
                .map(|finding| finding.evidence.clone())
                .unwrap_or_default(),
        });
    }
    for wanted in &request.checklist {
        let point = request.points.iter().find(|point| point.key == wanted.key);
        let state = match point.map(|point| point.found) {
            Some(Found::Yes) => State::Answered,
            Some(Found::Partly) => State::Partly,
            _ => State::Open,
        };
        let first = point.and_then(|point| point.evidence.first());
        let known = match (state, first) {
            (State::Open, _) | (_, None) => String::new(),
            (_, Some(evidence)) => plain(&evidence.quote),
        };
        nodes.push(Node {
            branch: KNOWN_BEFORE,
            question: format!("Do we know {}?", wanted.wants.trim_end_matches(['?', '.'])),
            state,
            evidence: if known.is_empty() {
                Vec::new()
            } else {
                first.cloned().into_iter().collect()
            },
            known,
        });
    }
    nodes
}

fn tree_table(nodes: &[Node]) -> ExhibitTable {
    let rows = nodes.iter().map(|node| {
        vec![
            ExhibitCell::label(node.branch),
            ExhibitCell::label(&node.question),
            ExhibitCell::label(node.state.told()),
            match node.known.as_str() {
                "" => ExhibitCell::label("nothing"),
                known => ExhibitCell::statement(known, node.evidence.clone()),
            },
        ]
    });
    ExhibitTable {
        caption: "The tree of questions".to_owned(),
        columns: vec![
            ExhibitColumn::text("Branch", 2),
            ExhibitColumn::text("Question", 4),
            ExhibitColumn::text("State", 1),
            ExhibitColumn::text("What is known", 5),
        ],
        rows: rows.collect(),
    }
}

/// What a finding says is at stake: money before time before everything else with a number.
fn stake(finding: &Finding) -> Option<(u8, Amount)> {
    let rank = |amount: &Amount| match amount.unit.as_str() {
        unit if MONEY.contains(&unit) => 0,
        unit if TIME.contains(&unit) => 1,
        "" => 3,
        _ => 2,
    };
    let all = amounts(&finding.text)
        .into_iter()
        .filter(|amount| amount.value > 0.0);
    let ranked = all
        .map(|amount| (rank(&amount), amount))
        .filter(|(rank, _)| *rank < 3);
    ranked.min_by(|one, other| {
        one.0
            .cmp(&other.0)
            .then(other.1.value.total_cmp(&one.1.value))
    })
}

/// Stakes that have a number, money first and the largest first.
fn stakes(findings: &[Finding]) -> Vec<(&Finding, u8, Amount)> {
    let mut all: Vec<(&Finding, u8, Amount)> = findings
        .iter()
        .filter(|finding| !finding.evidence.is_empty())
        .filter_map(|finding| stake(finding).map(|(rank, amount)| (finding, rank, amount)))
        .collect();
    all.sort_by(|one, other| {
        let by_size = || match one.2.unit == other.2.unit {
            true => other.2.value.total_cmp(&one.2.value),
            false => one.2.unit.cmp(&other.2.unit),
        };
        one.1.cmp(&other.1).then_with(by_size)
    });
    all
}

fn fact(finding: &Finding) -> Statement {
    Statement {
        text: bare(&finding.text),
        kind: if finding.evidence.is_empty() {
            FindingKind::Interpretation
        } else {
            finding.kind
        },
        evidence: finding.evidence.clone(),
    }
}

/// An amount with the number as its source writes it, so that it can be found there.
fn amount_told(amount: &Amount) -> String {
    let number = &amount.number;
    match amount.unit.as_str() {
        unit if MONEY.contains(&unit) => format!("{} {number}", unit.to_uppercase()),
        unit if TIME.contains(&unit) && amount.value > 1.0 => format!("{number} {unit}s"),
        unit => format!("{number} {unit}"),
    }
}

fn first_stake(findings: &[Finding]) -> Option<Statement> {
    let first = stakes(findings).first().map(|(finding, ..)| *finding);
    first.or(findings.first()).map(fact)
}

fn stake_figure(findings: &[Finding]) -> Option<ExhibitFigure> {
    let all = stakes(findings);
    let (finding, rank, amount) = all.first()?;
    (*rank == 0).then(|| ExhibitFigure {
        value: amount_told(amount),
        label: "largest amount at stake".to_owned(),
        evidence: finding.evidence.clone(),
    })
}

fn stakes_table(findings: &[Finding]) -> Option<ExhibitTable> {
    let rows: Vec<Vec<ExhibitCell>> = stakes(findings)
        .into_iter()
        .take(STAKES_MAX)
        .map(|(finding, rank, amount)| {
            let kind = ["money", "time", "other"][usize::from(rank.min(2))];
            vec![
                ExhibitCell::label(kind),
                ExhibitCell::statement(amount_told(&amount), finding.evidence.clone()),
                ExhibitCell::statement(bare(&finding.text), finding.evidence.clone()),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "What is at stake".to_owned(),
        columns: vec![
            ExhibitColumn::text("Kind", 1),
            ExhibitColumn::text("Amount", 2),
            ExhibitColumn::text("Stated as", 6),
        ],
        rows,
    })
}

fn first_decider(findings: &[Finding]) -> Statement {
    match findings.iter().find(|finding| !finding.evidence.is_empty()) {
        Some(finding) => fact(finding),
        None => Statement::interpretation("No document was found that names who decides"),
    }
}

fn deciders_table(findings: &[Finding]) -> Option<ExhibitTable> {
    let cited = findings
        .iter()
        .filter(|finding| !finding.evidence.is_empty());
    let rows: Vec<Vec<ExhibitCell>> = cited
        .take(DECIDERS_MAX)
        .map(|finding| {
            vec![ExhibitCell::statement(
                bare(&finding.text),
                finding.evidence.clone(),
            )]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "Who decides, and who must agree".to_owned(),
        columns: vec![ExhibitColumn::text("What the documents say", 1)],
        rows,
    })
}

fn criteria_table(criteria: &[Criterion]) -> Option<ExhibitTable> {
    let all: f64 = criteria.iter().map(|one| one.weight).sum();
    let rows: Vec<Vec<ExhibitCell>> = criteria
        .iter()
        .filter(|_| all > 0.0)
        .map(|one| {
            vec![
                ExhibitCell::label(&one.name),
                ExhibitCell::label(written(one.weight)),
                ExhibitCell::calculation(format!("{} %", written(one.weight / all * 100.0))),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "By what it is decided".to_owned(),
        columns: vec![
            ExhibitColumn::text("Criterion", 4),
            ExhibitColumn::numbers("Weight", 1),
            ExhibitColumn::numbers("Share of all weights", 2),
        ],
        rows,
    })
}

/// Whether the decision can be taken now.
fn readiness(nodes: &[Node]) -> Statement {
    let open: Vec<&str> = nodes
        .iter()
        .filter(|node| node.state == State::Open)
        .map(|node| node.question.as_str())
        .collect();
    Statement::calculation(match (nodes.len(), open.len()) {
        (0, _) => "Nothing was listed that must be known before".to_owned(),
        (all, 0) => format!("None of the {} is open", counted(all, "question")),
        (all, count) => format!(
            "{count} of {} are open, the first: {}",
            counted(all, "question"),
            open[0]
        ),
    })
}

#[cfg(test)]
#[path = "decision_frame_tests.rs"]
mod tests;
