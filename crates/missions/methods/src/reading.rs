//! What a reading of the documents and the answers of agents and people look like to a method. Only the fields that methods
//! use; what else comes along is ignored.

use std::collections::BTreeSet;

use adjutant_questions::{Evidence, Finding, GapPoint, GradeOf, Objection, SourceGrade};
use serde::Deserialize;

use crate::exhibit::{ExhibitCell, ExhibitColumn, ExhibitTable};
use crate::phrasing::{capital, content, is_about, short};

const OVERDUE_MAX: usize = 20;
const TEXT_CHARS_MAX: usize = 240;
const WHO_CHARS_MAX: usize = 60;

/// What was read in the documents.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Reading {
    pub(crate) answers: Vec<PartAnswer>,
    pub(crate) documents: Vec<DocumentRead>,
    pub(crate) changed: Vec<Vec<Stated>>,
    pub(crate) wrong_sums: Vec<Miscounted>,
    pub(crate) contradicting: Vec<[Stated; 2]>,
    pub(crate) owed: Vec<Owed>,
    pub(crate) missing: Vec<Missing>,
    pub(crate) today: String,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct PartAnswer {
    pub(crate) question: String,
    pub(crate) verdict: PartVerdict,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PartVerdict {
    Answered,
    NotFound,
    Owed,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct DocumentRead {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) date: Option<String>,
    pub(crate) genre: String,
    pub(crate) strength: String,
    pub(crate) is_draft: bool,
    pub(crate) replaced_by: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Stated {
    pub(crate) sentence: String,
    pub(crate) row: Option<String>,
    pub(crate) date: Option<String>,
    pub(crate) address: String,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Miscounted {
    pub(crate) stated: String,
    pub(crate) computed: f64,
    #[serde(default)]
    pub(crate) unit: String,
    pub(crate) at: Stated,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Owed {
    pub(crate) who: Option<String>,
    pub(crate) what: String,
    pub(crate) due: Option<String>,
    pub(crate) status: OwedStatus,
    pub(crate) at: Stated,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OwedStatus {
    Overdue,
    Open,
    Fulfilled,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Missing {
    pub(crate) kind: String,
    pub(crate) what: String,
    pub(crate) at: Stated,
}

/// The answer to a `gaps` question.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct Points {
    #[serde(default)]
    pub(crate) points: Vec<GapPoint>,
}

/// The answer to an `extract` or a `conclude` question.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct Findings {
    #[serde(default)]
    pub(crate) findings: Vec<Finding>,
}

/// The answer to an `object` question.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct Objected {
    #[serde(default)]
    pub(crate) objections: Vec<Objection>,
}

/// The answer to a `grade` question.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct Grades {
    #[serde(default)]
    pub(crate) sources: Vec<SourceGrade>,
}

/// The answer of a person at a checkpoint.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct Answered {
    #[serde(default)]
    pub(crate) option: Option<String>,
    #[serde(default)]
    pub(crate) note: String,
}

/// Something that is wanted, as a checklist has it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Wanted {
    pub(crate) key: String,
    pub(crate) wants: String,
}

impl Answered {
    pub(crate) fn chose(all: &[Self], option: &str) -> bool {
        all.iter().any(|one| one.option.as_deref() == Some(option))
    }

    /// Whether a note names something: a line of it is about the same.
    pub(crate) fn names(all: &[Self], text: &str) -> bool {
        let lines = all.iter().flat_map(|one| one.note.split([';', '\n']));
        lines
            .map(content)
            .any(|line| !line.is_empty() && is_about(&line, text))
    }
}

impl Stated {
    pub(crate) fn evidence(&self) -> Vec<Evidence> {
        vec![Evidence {
            source: self.address.clone(),
            quote: self.sentence.clone(),
        }]
    }

    pub(crate) fn told(&self) -> String {
        short(
            self.row.as_deref().unwrap_or(&self.sentence),
            TEXT_CHARS_MAX,
        )
    }
}

impl DocumentRead {
    pub(crate) fn is_outdated(&self) -> bool {
        self.is_draft || self.replaced_by.is_some()
    }
}

impl Reading {
    /// The first of a list that has one or none.
    pub(crate) fn of(given: &[Self]) -> Self {
        given.first().cloned().unwrap_or_default()
    }

    pub(crate) fn document(&self, source: &str) -> Option<&DocumentRead> {
        let id = document_of(source);
        self.documents.iter().find(|document| document.id == id)
    }

    /// Whether something rests on more than drafts, replaced documents and values that have changed since.
    pub(crate) fn holds(&self, evidence: &[Evidence]) -> bool {
        let before: BTreeSet<&str> = self
            .changed
            .iter()
            .filter_map(|values| values.split_last())
            .flat_map(|(_, earlier)| earlier.iter().map(|stated| stated.sentence.as_str()))
            .collect();
        let no_longer = |one: &Evidence| {
            let document = self.document(&one.source);
            before.contains(one.quote.as_str()) || document.is_some_and(DocumentRead::is_outdated)
        };
        evidence.is_empty() || !evidence.iter().all(no_longer)
    }

    pub(crate) fn owed_of(&self, status: OwedStatus) -> impl Iterator<Item = &Owed> {
        self.owed.iter().filter(move |one| one.status == status)
    }

    /// What is past its date, as a table; nothing if nothing is.
    pub(crate) fn overdue_table(&self, caption: &str, what: &str) -> Option<ExhibitTable> {
        let rows: Vec<Vec<ExhibitCell>> = self
            .owed_of(OwedStatus::Overdue)
            .take(OVERDUE_MAX)
            .map(|one| {
                let who = one.who.as_deref().unwrap_or("not named");
                vec![
                    ExhibitCell::label(one.due.clone().unwrap_or_default()),
                    ExhibitCell::label(short(who, WHO_CHARS_MAX)),
                    ExhibitCell::statement(
                        capital(&short(&one.what, TEXT_CHARS_MAX)),
                        one.at.evidence(),
                    ),
                ]
            })
            .collect();
        (!rows.is_empty()).then(|| ExhibitTable {
            caption: caption.to_owned(),
            columns: vec![
                ExhibitColumn::text("Was due", 2),
                ExhibitColumn::text("From whom", 3),
                ExhibitColumn::text(what, 8),
            ],
            rows,
        })
    }
}

/// How much a source proves, from 1 to 4: a document of ours for what it is, another as it was graded; 1 if nobody knows.
pub(crate) fn strength(source: &str, reading: &Reading, grades: &[SourceGrade]) -> u8 {
    if let Some(document) = reading.document(source) {
        let names = ["very low", "low", "moderate", "high"];
        let at = names.iter().position(|name| *name == document.strength);
        return at.and_then(|at| u8::try_from(at + 1).ok()).unwrap_or(1);
    }
    let graded = grades
        .iter()
        .find(|one| one.source == source || one.source == document_of(source));
    match graded.map(|one| one.grade) {
        Some(GradeOf::High) => 4,
        Some(GradeOf::Moderate) => 3,
        Some(GradeOf::Low) => 2,
        Some(GradeOf::VeryLow) | None => 1,
    }
}

pub(crate) fn strength_name(strength: u8) -> &'static str {
    match strength {
        4 => "high",
        3 => "moderate",
        2 => "low",
        _ => "very low",
    }
}

/// The document of a passage, whose id ends in `#FROM-TO`; other ids are whole.
pub(crate) fn document_of(source: &str) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match source.rsplit_once('#') {
        Some((document, place))
            if !document.is_empty()
                && place
                    .split_once('-')
                    .is_some_and(|(from, to)| is_number(from) && is_number(to)) =>
        {
            document
        }
        _ => source,
    }
}

/// How many different documents some evidence is of.
pub(crate) fn documents_of(evidence: &[Evidence]) -> usize {
    let documents: BTreeSet<&str> = evidence
        .iter()
        .map(|one| document_of(&one.source))
        .collect();
    documents.len()
}
