//! What will be asked at a meeting, and whether the documents have the answer.
//!
//! Questions come from what a careful listener would notice: statements that contradict each other, work that is overdue,
//! sums that do not add up, values that changed, objections, questions that documents leave open. Answers are sentences of the
//! sources; a question without one stays open.

mod answers;
mod likely;

use adjutant_questions::{Evidence, Source};
use serde::Deserialize;
use serde_json::json;

use self::answers::{Answers, Coverage};
use self::likely::likely_questions;
use crate::exhibit::{Exhibit, ExhibitCell, ExhibitColumn, ExhibitTable, Statement};
use crate::given::{Choice, Raised, Reading};
use crate::method::{InputRefused, Method, read_input};
use crate::words::short;

const SOURCES_MAX: usize = 400;
const QUESTIONS_MAX: usize = 24;
const OPEN_TOLD_MAX: usize = 3;
const CELL_CHARACTERS_MAX: usize = 220;
/// The option of a person who goes to the meeting to ask, not to answer.
const WE_ASK: &str = "we_ask";
/// The option of a person who wants only what has no full answer.
const OPEN_ONLY: &str = "open_only";

pub(crate) const QUESTION_SHEET: Method = Method {
    id: "question_sheet",
    name: "Question sheet",
    about: "Lists the questions a meeting is likely to bring, each with its reason and its answer from the sources, and which \
            of them have no answer.",
    inputs: || {
        json!({
            "purpose": {"type": "string", "description": "What the meeting is about."},
            "sources": {"type": "array", "description": "The sources that may be cited: id, title, text."},
            "reading": {"type": "array", "description": "Answers of `read_documents`."},
            "objections": {"type": "array", "description": "Answers of `object` questions."},
            "questions": {"type": "array", "items": {"type": "string"}, "description": "Questions that are expected anyway."},
            "choices": {"type": "array", "description": "Answers of people: `option` and `note`. Each line of a note is a question."},
        })
    },
    required: &["purpose", "sources"],
    apply: |input| read_input(input).and_then(question_sheet),
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct QuestionSheet {
    purpose: String,
    sources: Vec<Source>,
    #[serde(default)]
    reading: Vec<Reading>,
    #[serde(default)]
    objections: Vec<Raised>,
    #[serde(default)]
    questions: Vec<String>,
    #[serde(default)]
    choices: Vec<Choice>,
}

/// A question with its reason.
#[derive(Debug, Clone, PartialEq)]
struct Question {
    text: String,
    reason: Reason,
    /// What gives rise to it.
    evidence: Vec<Evidence>,
    answer: Answer,
}

#[derive(Debug, Clone, PartialEq)]
struct Answer {
    coverage: Coverage,
    text: String,
    evidence: Vec<Evidence>,
}

/// Why it will be asked, the sharpest reason first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    Expected,
    Contradiction,
    Overdue,
    Sum,
    Change,
    Objection,
    LeftOpen,
    NotThere,
    Promised,
}

impl Reason {
    fn name(self) -> &'static str {
        match self {
            Self::Expected => "you expect it",
            Self::Contradiction => "documents disagree",
            Self::Overdue => "it is overdue",
            Self::Sum => "the sum is wrong",
            Self::Change => "the value changed",
            Self::Objection => "an objection was found",
            Self::LeftOpen => "a document asks it",
            Self::NotThere => "something is missing",
            Self::Promised => "it was promised",
        }
    }
}

fn question_sheet(input: QuestionSheet) -> Result<Exhibit, InputRefused> {
    if input.sources.len() > SOURCES_MAX {
        return Err(InputRefused(format!(
            "at most {SOURCES_MAX} sources can be read"
        )));
    }
    let answers = Answers::new(&input.sources);
    let mut questions = likely_questions(&input, &answers);
    questions.sort_by_key(|one| one.reason);
    questions.truncate(QUESTIONS_MAX);
    let mut exhibit = Exhibit::default();
    let count = |coverage: Coverage| {
        questions
            .iter()
            .filter(|one| one.answer.coverage == coverage)
            .count()
    };
    let (full, part, open) = (
        count(Coverage::Answered),
        count(Coverage::Partly),
        count(Coverage::Open),
    );
    let text = format!(
        "{} to expect: {full} answered by the documents, {part} in part, {open} open",
        match questions.len() {
            1 => "1 question".to_owned(),
            count => format!("{count} questions"),
        }
    );
    if questions.is_empty() {
        exhibit.add_note(
            "No question found",
            "The documents contain no contradiction, change, open point or objection that a meeting would ask about",
        );
    } else {
        exhibit.headlines.push(Statement::calculation(text.clone()));
        exhibit.add_figure(
            format!("{full} of {}", questions.len()),
            "questions with an answer",
        );
    }
    let unanswered = questions
        .iter()
        .filter(|one| one.answer.coverage == Coverage::Open);
    for one in unanswered.take(OPEN_TOLD_MAX) {
        exhibit.headlines.push(Statement {
            evidence: one.evidence.clone(),
            ..Statement::interpretation(format!("Prepare an answer to this: {}", one.text))
        });
    }
    exhibit.tables.extend(sheet(&questions, &input.choices));
    exhibit.data = json!({
        "questions": questions.len(), "answered": full, "partly": part, "open": open, "text": text,
    });
    Ok(exhibit)
}

fn sheet(questions: &[Question], choices: &[Choice]) -> Option<ExhibitTable> {
    let we_ask = Choice::chose(choices, WE_ASK);
    let open_only = we_ask || Choice::chose(choices, OPEN_ONLY);
    let shown = questions
        .iter()
        .filter(|one| !open_only || one.answer.coverage != Coverage::Answered);
    let rows: Vec<Vec<ExhibitCell>> = shown
        .map(|one| {
            let question =
                ExhibitCell::statement(short(&one.text, CELL_CHARACTERS_MAX), one.evidence.clone());
            let reason = ExhibitCell::label(one.reason.name());
            let answer = ExhibitCell {
                evidence: one.answer.evidence.clone(),
                ..match one.answer.evidence.is_empty() {
                    true => ExhibitCell::label(one.answer.text.clone()),
                    false => ExhibitCell::statement(
                        short(&one.answer.text, CELL_CHARACTERS_MAX),
                        Vec::new(),
                    ),
                }
            };
            let coverage = ExhibitCell::calculation(one.answer.coverage.name());
            match we_ask {
                true => vec![question, reason],
                false => vec![question, reason, answer, coverage],
            }
        })
        .collect();
    let mut columns = vec![
        ExhibitColumn::text("Question", 4),
        ExhibitColumn::text("Why it comes up", 2),
    ];
    if !we_ask {
        columns.push(ExhibitColumn::text("Answer from the documents", 4));
        columns.push(ExhibitColumn::text("Covered", 1));
    }
    let caption = match we_ask {
        true => "Questions to ask",
        false => "Questions to expect, and what the documents answer",
    };
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: caption.to_owned(),
        columns,
        rows,
    })
}

#[cfg(test)]
#[path = "question_sheet_tests.rs"]
mod tests;
