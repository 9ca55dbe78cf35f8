//! The answers of a learner, graded: a number must be the same number, a term must have the same stem. What was missed comes
//! with the passage that answers it, and the lessons to read again.

use serde::Deserialize;
use serde_json::json;

use crate::curriculum::CourseQuestion;
use crate::exhibit::{Exhibit, ExhibitCell, ExhibitColumn, ExhibitTable, Statement};
use crate::method::{InputRefused, Method, read_input};
use crate::phrasing::{content, counted, short};
use crate::reading::Answered;

const QUESTIONS_MAX: usize = 20;
const TEXT_CHARS_MAX: usize = 240;
const GIVEN_CHARS_MAX: usize = 80;
const REPEAT_MISSED: &str = "repeat_missed";

pub(crate) const GRADED_TEST: Method = Method {
    id: "graded_test",
    name: "Graded test",
    about: "Grades a learner's answers to the questions of a course, and lists what to read again.",
    inputs: || {
        json!({
            "questions": {"type": "array", "description": "The questions of a `curriculum`, from its `data`."},
            "answers": {"type": "array", "description": "Answers of people: a note of lines such as `1: 40` answers the questions; `repeat_missed` lists the lessons to read again."},
        })
    },
    required: &["questions"],
    apply: |input| read_input(input).and_then(graded_test),
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GradedTest {
    questions: Vec<CourseQuestion>,
    #[serde(default)]
    answers: Vec<Answered>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Grade {
    Right,
    Wrong,
    NotAnswered,
}

impl Grade {
    fn name(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong => "wrong",
            Self::NotAnswered => "not answered",
        }
    }
}

fn graded_test(input: GradedTest) -> Result<Exhibit, InputRefused> {
    if input.questions.len() > QUESTIONS_MAX {
        return Err(InputRefused(format!(
            "at most {QUESTIONS_MAX} questions can be graded"
        )));
    }
    let given: Vec<Option<String>> = (1..=input.questions.len())
        .map(|number| given(&input.answers, number))
        .collect();
    let grades: Vec<Grade> = input
        .questions
        .iter()
        .zip(&given)
        .map(|(question, given)| grade(question, given.as_deref()))
        .collect();
    let right = grades.iter().filter(|one| **one == Grade::Right).count();
    let taken = given.iter().any(Option::is_some);
    let missed: Vec<&CourseQuestion> = input
        .questions
        .iter()
        .zip(&grades)
        .filter(|(_, grade)| **grade != Grade::Right)
        .map(|(question, _)| question)
        .collect();
    let mut exhibit = Exhibit::default();
    let text = match (input.questions.is_empty(), taken) {
        (true, _) => "There was no question to answer".to_owned(),
        (false, false) => format!(
            "The test was not taken: {} with their answers are for self-study",
            counted(input.questions.len(), "question")
        ),
        (false, true) => format!(
            "{right} of {} were answered right",
            counted(input.questions.len(), "question")
        ),
    };
    exhibit.headlines.push(Statement::calculation(&text));
    if taken {
        exhibit.add_figure(right.to_string(), "questions answered right");
    }
    exhibit
        .tables
        .extend(table(&input.questions, &given, &grades));
    if taken && Answered::chose(&input.answers, REPEAT_MISSED) {
        exhibit.tables.extend(read_again(&missed));
    }
    let lessons: Vec<&str> = missed
        .iter()
        .map(|question| question.lesson.as_str())
        .collect();
    let again = match (taken, lessons.is_empty()) {
        (true, false) => format!(" Missed were: {}.", lessons.join("; ")),
        _ => String::new(),
    };
    exhibit.data = json!({"text": format!("{text}.{again}"), "right": right, "missed": lessons});
    Ok(exhibit)
}

/// What was answered to a question: the line of a note that begins with its number.
fn given(answers: &[Answered], number: usize) -> Option<String> {
    let lines = answers.iter().flat_map(|one| one.note.split([';', '\n']));
    let mut numbered = lines.filter_map(|line| line.trim().split_once([':', '.', ')']));
    let (_, answer) = numbered.find(|(at, _)| at.trim().parse() == Ok(number))?;
    let answer = answer.trim();
    (!answer.is_empty()).then(|| answer.to_owned())
}

fn grade(question: &CourseQuestion, given: Option<&str>) -> Grade {
    let Some(given) = given else {
        return Grade::NotAnswered;
    };
    let number = |text: &str| -> Option<f64> {
        let bare = text.trim_matches(|char: char| !char.is_alphanumeric());
        bare.replace(',', "").parse().ok()
    };
    let is_right = match number(&question.answer) {
        Some(expected) => {
            let numbers: Vec<f64> = given.split_whitespace().filter_map(number).collect();
            // Several different numbers are no answer.
            !numbers.is_empty() && numbers.iter().all(|own| (own - expected).abs() < 1e-9)
        }
        None => {
            let expected = content(&question.answer);
            !expected.is_empty() && expected.is_subset(&content(given))
        }
    };
    match is_right {
        true => Grade::Right,
        false => Grade::Wrong,
    }
}

fn table(
    questions: &[CourseQuestion],
    given: &[Option<String>],
    grades: &[Grade],
) -> Option<ExhibitTable> {
    let rows: Vec<Vec<ExhibitCell>> = questions
        .iter()
        .zip(given)
        .zip(grades)
        .enumerate()
        .map(|(at, ((question, given), grade))| {
            let given = given.as_deref().unwrap_or("nothing");
            vec![
                ExhibitCell::calculation((at + 1).to_string()),
                ExhibitCell::label(short(&question.text, TEXT_CHARS_MAX)),
                ExhibitCell::label(short(given, GIVEN_CHARS_MAX)),
                ExhibitCell::statement(&question.answer, question.statement.evidence.clone()),
                ExhibitCell::calculation(grade.name()),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "Questions and answers".to_owned(),
        columns: vec![
            ExhibitColumn::numbers("No.", 1),
            ExhibitColumn::text("Question", 7),
            ExhibitColumn::text("Answered", 2),
            ExhibitColumn::text("Right is", 2),
            ExhibitColumn::text("Grade", 2),
        ],
        rows,
    })
}

fn read_again(missed: &[&CourseQuestion]) -> Option<ExhibitTable> {
    let rows: Vec<Vec<ExhibitCell>> = missed
        .iter()
        .map(|question| {
            vec![
                ExhibitCell::label(short(&question.lesson, GIVEN_CHARS_MAX)),
                ExhibitCell::statement(
                    short(&question.statement.text, TEXT_CHARS_MAX),
                    question.statement.evidence.clone(),
                ),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: "Read again, in this order".to_owned(),
        columns: vec![
            ExhibitColumn::text("Lesson", 3),
            ExhibitColumn::text("The passage that answers the question", 8),
        ],
        rows,
    })
}

#[cfg(test)]
#[path = "graded_test_tests.rs"]
mod tests;
