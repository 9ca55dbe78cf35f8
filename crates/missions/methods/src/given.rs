//! What earlier tasks hand to a method. Whatever else their answers carry is not read.

use adjutant_questions::{Dated, Evidence, Finding, Objection};
use serde::Deserialize;

/// The answer of a `conclude` or `extract` question.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Found {
    pub(crate) findings: Vec<Finding>,
}

/// The answer of an `object` question.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Raised {
    pub(crate) objections: Vec<Objection>,
}

/// The answer of a `timeline` question.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Happened {
    pub(crate) events: Vec<Dated>,
}

/// What a person chose and wrote at a checkpoint.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Choice {
    pub(crate) option: Option<String>,
    pub(crate) note: String,
}

impl Choice {
    /// The lines of the notes, without marks of lists.
    pub(crate) fn lines(choices: &[Self]) -> Vec<String> {
        let lines = choices.iter().flat_map(|choice| choice.note.lines());
        let lines = lines.map(|line| line.trim().trim_start_matches(['-', '*', '•']).trim());
        lines
            .filter(|line| !line.is_empty())
            .map(str::to_owned)
            .collect()
    }

    pub(crate) fn chose(choices: &[Self], option: &str) -> bool {
        choices
            .iter()
            .any(|choice| choice.option.as_deref() == Some(option))
    }
}

/// Findings of several answers, the same text once.
pub(crate) fn findings(given: &[Found]) -> Vec<&Finding> {
    let mut all: Vec<&Finding> = Vec::new();
    for finding in given.iter().flat_map(|one| &one.findings) {
        if !finding.text.trim().is_empty() && !all.iter().any(|known| known.text == finding.text) {
            all.push(finding);
        }
    }
    all
}

/// What `read_documents` answers, as far as methods use it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Reading {
    /// The day against which due dates were held.
    pub(crate) today: String,
    pub(crate) documents: Vec<ReadDocument>,
    pub(crate) changed: Vec<Vec<Stated>>,
    pub(crate) wrong_sums: Vec<WrongSum>,
    pub(crate) differing: Vec<Vec<Stated>>,
    pub(crate) contradicting: Vec<[Stated; 2]>,
    pub(crate) owed: Vec<Owed>,
    pub(crate) missing: Vec<Missing>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ReadDocument {
    pub(crate) id: String,
    pub(crate) genre: String,
    pub(crate) strength: String,
}

/// A statement, letter for letter, and where it stands.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Stated {
    pub(crate) value: Option<String>,
    pub(crate) sentence: String,
    pub(crate) row: Option<String>,
    pub(crate) address: String,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct WrongSum {
    pub(crate) stated: String,
    pub(crate) computed: f64,
    pub(crate) unit: String,
    pub(crate) at: Stated,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Owed {
    pub(crate) who: Option<String>,
    pub(crate) what: String,
    pub(crate) due: Option<String>,
    pub(crate) status: String,
    pub(crate) at: Stated,
    pub(crate) fulfilled_by: Option<Stated>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Missing {
    pub(crate) kind: String,
    pub(crate) what: String,
    pub(crate) at: Stated,
}

impl Stated {
    pub(crate) fn evidence(&self) -> Evidence {
        Evidence {
            source: self.address.clone(),
            quote: self.sentence.clone(),
        }
    }

    pub(crate) fn shown(&self) -> &str {
        self.row.as_deref().unwrap_or(&self.sentence)
    }
}

impl Reading {
    /// What kind of document this is, and how much a statement in it proves.
    pub(crate) fn document(&self, source: &str) -> Option<&ReadDocument> {
        let document = crate::words::document_of(source);
        self.documents
            .iter()
            .find(|one| crate::words::document_of(&one.id) == document)
    }
}
