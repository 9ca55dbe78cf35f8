//! A course out of what sources tell: lessons in the order in which each uses as few terms as can be that a later one explains,
//! and a question on each, made by leaving a number or a term out of a statement.
//!
//! The order is the best of all orders, found by trying them all; that is why a course has few lessons.

use std::collections::BTreeSet;

use adjutant_questions::{ClusterOf, Finding, FindingKind};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::exhibit::{Exhibit, ExhibitCell, ExhibitColumn, ExhibitTable, Statement};
use crate::method::{InputRefused, Method, read_input};
use crate::phrasing::{capital, content, counted, short};
use crate::reading::{Answered, Findings, Reading, document_of};

/// All orders of so many lessons are tried: 5,040.
const LESSONS_MAX: usize = 7;
const LESSONS_FOR_NEWCOMERS: usize = 5;
const STATEMENTS_MAX: usize = 5;
const STATEMENTS_FOR_NEWCOMERS: usize = 3;
const KEYWORDS_MAX: usize = 6;
const TEXT_CHARS_MAX: usize = 240;
/// Shorter words are too easy to guess, and longer statements too long to complete.
const HIDDEN_CHARS_MIN: usize = 6;
const QUESTION_CHARS_MAX: usize = 260;
const BLANK: &str = "____";
const PRACTITIONER: &str = "practitioner";

pub(crate) const CURRICULUM: Method = Method {
    id: "curriculum",
    name: "Curriculum",
    about: "Orders groups of sources into lessons so that terms are explained before they are used, with statements and a question for each.",
    inputs: || {
        json!({
            "groups": {"type": "array", "description": "Answers to a `cluster` question: what belongs together."},
            "findings": {"type": "array", "description": "Answers with the statements to learn."},
            "reading": {"type": "array", "description": "What was read in the documents."},
            "answers": {"type": "array", "description": "Answers of people: `practitioner` makes more and longer lessons."},
        })
    },
    required: &["groups", "findings"],
    apply: |input| read_input(input).and_then(curriculum),
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Curriculum {
    groups: Vec<Groups>,
    findings: Vec<Findings>,
    #[serde(default)]
    reading: Vec<Reading>,
    #[serde(default)]
    answers: Vec<Answered>,
}

#[derive(Debug, Deserialize)]
struct Groups {
    #[serde(default)]
    clusters: Vec<ClusterOf>,
}

struct Lesson<'a> {
    label: String,
    terms: BTreeSet<String>,
    statements: Vec<&'a Finding>,
}

/// A question of a course, with what answers it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct CourseQuestion {
    pub(crate) lesson: String,
    pub(crate) text: String,
    pub(crate) answer: String,
    /// The whole statement and its passages.
    pub(crate) statement: Finding,
}

fn curriculum(input: Curriculum) -> Result<Exhibit, InputRefused> {
    let reading = Reading::of(&input.reading);
    let is_practitioner = Answered::chose(&input.answers, PRACTITIONER);
    let (lessons_max, statements_max) = match is_practitioner {
        true => (LESSONS_MAX, STATEMENTS_MAX),
        false => (LESSONS_FOR_NEWCOMERS, STATEMENTS_FOR_NEWCOMERS),
    };
    let found = lessons(&input, &reading, lessons_max, statements_max);
    let uses = uses(&found);
    let order = best_order(&uses);
    let lessons: Vec<&Lesson<'_>> = order.iter().map(|at| &found[*at]).collect();
    let questions: Vec<CourseQuestion> = lessons.iter().filter_map(|it| question(it)).collect();
    let mut exhibit = Exhibit::default();
    exhibit.headlines.push(Statement::calculation(format!(
        "The course has {} and {}; {} a term is used before the lesson that explains it, which no other order makes fewer",
        counted(lessons.len(), "lesson"),
        counted(questions.len(), "question"),
        times(cost(&order, &uses)),
    )));
    if let Some(first) = lessons.first().and_then(|it| it.statements.first()) {
        exhibit.headlines.push(Statement {
            text: first.text.clone(),
            kind: first.kind,
            evidence: first.evidence.clone(),
        });
    }
    exhibit.add_figure(lessons.len().to_string(), "lessons, in order");
    exhibit.add_figure(
        questions.len().to_string(),
        "questions to check what was understood",
    );
    exhibit.tables.extend(overview(&lessons));
    for (number, lesson) in lessons.iter().enumerate() {
        exhibit.tables.push(lesson_table(number + 1, lesson));
    }
    if lessons.is_empty() {
        exhibit.add_note(
            "No lessons",
            "The sources were too few, or too unlike, to make lessons of them",
        );
    }
    exhibit.data = json!({
        "text": in_short(&lessons),
        "test": test(&questions),
        "questions": questions,
    });
    Ok(exhibit)
}

fn times(count: usize) -> String {
    match count {
        0 => "never".to_owned(),
        1 => "once".to_owned(),
        _ => format!("{count} times"),
    }
}

/// A lesson for each group, with the statements of its sources; what holds no statement is no lesson.
fn lessons<'a>(
    input: &'a Curriculum,
    reading: &Reading,
    lessons_max: usize,
    statements_max: usize,
) -> Vec<Lesson<'a>> {
    let mut taken: BTreeSet<&str> = BTreeSet::new();
    let mut lessons = Vec::new();
    for group in input.groups.iter().flat_map(|one| &one.clusters) {
        if lessons.len() == lessons_max {
            break;
        }
        let keywords = group.keywords.iter().take(KEYWORDS_MAX);
        let terms: BTreeSet<String> = keywords.flat_map(|word| content(word)).collect();
        let of_group = |finding: &&Finding| {
            let mut evidence = finding.evidence.iter();
            let from_it = evidence.any(|one| {
                let mut sources = group.sources.iter();
                sources.any(|id| *id == one.source || document_of(id) == document_of(&one.source))
            });
            from_it && content(&finding.text).intersection(&terms).next().is_some()
        };
        let mut statements = Vec::new();
        for finding in input
            .findings
            .iter()
            .flat_map(|one| &one.findings)
            .filter(of_group)
        {
            let fits = statements.len() < statements_max && reading.holds(&finding.evidence);
            if fits && taken.insert(finding.text.as_str()) {
                statements.push(finding);
            }
        }
        if !statements.is_empty() {
            lessons.push(Lesson {
                label: capital(&group.label),
                terms,
                statements,
            });
        }
    }
    lessons
}

/// How many terms that a lesson (second) explains another (first) uses, where it does not explain them itself.
fn uses(lessons: &[Lesson<'_>]) -> Vec<Vec<usize>> {
    let words = |lesson: &Lesson<'_>| -> BTreeSet<String> {
        lesson
            .statements
            .iter()
            .flat_map(|it| content(&it.text))
            .collect()
    };
    lessons
        .iter()
        .map(|user| {
            let used: BTreeSet<String> = words(user).difference(&user.terms).cloned().collect();
            lessons
                .iter()
                .map(|other| other.terms.intersection(&used).count())
                .collect()
        })
        .collect()
}

/// How many terms are used before they are explained.
fn cost(order: &[usize], uses: &[Vec<usize>]) -> usize {
    let pairs = order
        .iter()
        .enumerate()
        .flat_map(|(at, first)| order[at + 1..].iter().map(move |later| (*first, *later)));
    pairs.map(|(first, later)| uses[first][later]).sum()
}

/// The order with the least cost; of several the one nearest to the given order.
fn best_order(uses: &[Vec<usize>]) -> Vec<usize> {
    fn extend(
        begun: &mut Vec<usize>,
        so_far: usize,
        uses: &[Vec<usize>],
        best: &mut Option<(usize, Vec<usize>)>,
    ) {
        if best.as_ref().is_some_and(|(least, _)| so_far >= *least) {
            return;
        }
        if begun.len() == uses.len() {
            *best = Some((so_far, begun.clone()));
            return;
        }
        for next in (0..uses.len())
            .filter(|at| !begun.contains(at))
            .collect::<Vec<_>>()
        {
            let added: usize = begun.iter().map(|earlier| uses[*earlier][next]).sum();
            begun.push(next);
            extend(begun, so_far + added, uses, best);
            begun.pop();
        }
    }
    let mut best = None;
    extend(&mut Vec::new(), 0, uses, &mut best);
    best.map(|(_, order)| order).unwrap_or_default()
}

/// A question on the first statement of a lesson from which something can be left out: a number, else a term of the lesson.
fn question(lesson: &Lesson<'_>) -> Option<CourseQuestion> {
    let facts = lesson
        .statements
        .iter()
        .filter(|it| it.kind == FindingKind::Fact);
    let mut hidden = facts.filter_map(|finding| {
        let words: Vec<&str> = finding.text.split_whitespace().collect();
        if finding.text.chars().count() > QUESTION_CHARS_MAX {
            return None;
        }
        let is_number = |word: &&str| bare(word).replace(',', "").parse::<f64>().is_ok();
        let is_term = |word: &&str| {
            let long = bare(word).chars().count() >= HIDDEN_CHARS_MIN;
            long && content(word).intersection(&lesson.terms).next().is_some()
        };
        let at = words.iter().position(is_number);
        let at = at.or_else(|| words.iter().position(is_term))?;
        let answer = bare(words[at]);
        let mut shown = words
            .iter()
            .map(|word| (*word).to_owned())
            .collect::<Vec<String>>();
        shown[at] = words[at].replace(&answer, BLANK);
        Some((shown.join(" "), answer, (*finding).clone()))
    });
    let (text, answer, statement) = hidden.next()?;
    Some(CourseQuestion {
        lesson: lesson.label.clone(),
        text,
        answer,
        statement,
    })
}

fn bare(word: &str) -> String {
    word.trim_matches(|char: char| !char.is_alphanumeric())
        .to_owned()
}

fn in_short(lessons: &[&Lesson<'_>]) -> String {
    let labels: Vec<&str> = lessons.iter().map(|it| it.label.as_str()).collect();
    match labels.is_empty() {
        true => "No lesson could be made of the sources.".to_owned(),
        false => format!("The lessons, in order: {}.", labels.join("; ")),
    }
}

fn test(questions: &[CourseQuestion]) -> String {
    let told: Vec<String> = questions
        .iter()
        .enumerate()
        .map(|(at, question)| format!("{}: {}", at + 1, question.text))
        .collect();
    match told.is_empty() {
        true => "There is no question.".to_owned(),
        false => format!(
            "What is missing where there is a blank? {}",
            told.join(" — ")
        ),
    }
}

fn overview(lessons: &[&Lesson<'_>]) -> Option<ExhibitTable> {
    let rows: Vec<Vec<ExhibitCell>> = lessons
        .iter()
        .enumerate()
        .map(|(at, lesson)| {
            let earlier = lessons[..at].iter().filter(|other| {
                let mut texts = lesson.statements.iter().map(|it| content(&it.text));
                texts.any(|words| words.intersection(&other.terms).next().is_some())
            });
            let earlier: Vec<&str> = earlier.map(|other| other.label.as_str()).collect();
            vec![
                ExhibitCell::calculation((at + 1).to_string()),
                ExhibitCell::label(&lesson.label),
                ExhibitCell::calculation(lesson.statements.len().to_string()),
                ExhibitCell::label(match earlier.is_empty() {
                    true => "nothing".to_owned(),
                    false => short(&earlier.join(", "), TEXT_CHARS_MAX),
                }),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "The course at a glance".to_owned(),
        columns: vec![
            ExhibitColumn::numbers("Lesson", 1),
            ExhibitColumn::text("About", 5),
            ExhibitColumn::numbers("Statements", 2),
            ExhibitColumn::text("Builds on", 5),
        ],
        rows,
    })
}

fn lesson_table(number: usize, lesson: &Lesson<'_>) -> ExhibitTable {
    let rows = lesson.statements.iter().map(|finding| {
        vec![ExhibitCell::statement(
            short(&finding.text, TEXT_CHARS_MAX),
            finding.evidence.clone(),
        )]
    });
    ExhibitTable {
        caption: format!("Lesson {number}: {}", short(&lesson.label, 80)),
        columns: vec![ExhibitColumn::text("What to know", 1)],
        rows: rows.collect(),
    }
}

#[cfg(test)]
#[path = "curriculum_tests.rs"]
mod tests;
