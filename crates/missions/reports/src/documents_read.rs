//! What was read in the documents themselves, all of them completely: who reads them tells it, and reports show it.

use adjutant_questions::{Evidence, Source};
use serde::{Deserialize, Serialize};

use crate::builder::document_of;
use crate::model_reading::ModelReading;
use crate::noticed::Noticed;

/// What a careful reader notices in a set of documents.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DocumentsRead {
    /// What the documents say on each part of the objective that asks for a fact.
    pub answers: Vec<PartAnswer>,
    pub documents: Vec<DocumentRead>,
    /// The documents that are drafts, or that a later one replaced, by their addresses.
    pub outdated: Vec<String>,
    /// The registers that hold, whole: a search would find only some of their rows.
    pub registers: Vec<Source>,
    /// Documents of which there is a later version.
    pub replaced: Vec<Replaced>,
    /// A later state took the place of an earlier one: the earlier value first.
    pub changed: Vec<Vec<Stated>>,
    /// Totals, durations and shares that their own parts contradict.
    pub wrong_sums: Vec<Miscounted>,
    /// Different values for what looks like the same thing, in documents that all hold.
    pub differing: Vec<Vec<Stated>>,
    /// What one document says and another denies.
    pub contradicting: Vec<[Stated; 2]>,
    pub owed: Vec<Owed>,
    pub missing: Vec<Missing>,
    /// Conditions, risks and what comes first.
    pub noticed: Noticed,
    /// The day against which due dates were held.
    pub today: String,
    /// How many documents there are; all of them were read if `documents` has as many.
    pub documents_found: usize,
    /// What a model added, if one read the documents too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelReading>,
}

/// What the documents say on one question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PartAnswer {
    pub question: String,
    pub verdict: PartVerdict,
    /// How likely it is that the passages answer the question, from 0 to 1.
    pub fit: f64,
    /// The best first. If there is no answer, the nearest ones.
    pub passages: Vec<Stated>,
    /// Words of the question that nothing near the best passage has.
    pub missing: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartVerdict {
    Answered,
    NotFound,
    /// It asks whether what was promised is done: what is owed answers it.
    Owed,
    /// It asks what is in dispute or without an answer: what does not fit together and what is missing answer it.
    Unsettled,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentRead {
    /// The address of the whole document.
    pub id: String,
    pub title: String,
    pub date: Option<String>,
    /// What it is: minutes, a register, a press release.
    pub genre: String,
    /// How much a statement in it proves, for what it is.
    pub strength: String,
    pub is_draft: bool,
    /// The title of the later version, if there is one.
    pub replaced_by: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replaced {
    pub source: String,
    pub by: String,
}

/// A statement, letter for letter, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stated {
    /// The value in it, where it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    pub sentence: String,
    /// A row of a table as words to read; what is stated in it, where it is about a value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    /// The document's title, and the heading that the statement stands under.
    pub title: String,
    pub source: String,
    pub date: Option<String>,
    /// `kb show` opens it.
    pub address: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Miscounted {
    pub stated: String,
    pub computed: f64,
    /// In which unit that is; empty for the unit of its parts.
    pub unit: String,
    pub at: Stated,
    pub parts: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owed {
    pub who: Option<String>,
    pub what: String,
    pub due: Option<String>,
    pub status: OwedStatus,
    pub at: Stated,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fulfilled_by: Option<Stated>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OwedStatus {
    Overdue,
    Open,
    Fulfilled,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    pub kind: String,
    pub what: String,
    pub at: Stated,
}

impl DocumentRead {
    pub fn is_outdated(&self) -> bool {
        self.is_draft || self.replaced_by.is_some()
    }

    /// What it is, and whether it still holds.
    pub(crate) fn told_as(&self) -> String {
        let mut told = self.genre.clone();
        if self.is_draft {
            told.push_str(", draft");
        }
        if self.replaced_by.is_some() {
            told.push_str(", replaced");
        }
        told
    }
}

impl Stated {
    pub(crate) fn evidence(&self) -> Evidence {
        Evidence {
            source: self.address.clone(),
            quote: self.sentence.clone(),
        }
    }

    /// The statement as it is shown.
    pub(crate) fn told(&self) -> &str {
        self.row.as_deref().unwrap_or(&self.sentence)
    }

    pub(crate) fn as_source(&self) -> Source {
        Source {
            id: self.address.clone(),
            title: self.title.clone(),
            text: self.sentence.clone(),
            published: self.date.clone(),
        }
    }
}

impl DocumentsRead {
    /// Keeps so many of each kind.
    pub fn keep(&mut self, most: usize) {
        self.changed.truncate(most);
        self.wrong_sums.truncate(most);
        self.differing.truncate(most);
        self.contradicting.truncate(most);
        self.owed.truncate(most);
        self.missing.truncate(most);
    }

    /// The statements in it, as sources that a report may cite.
    pub fn sources(&self) -> Vec<Source> {
        let answers = self.answers.iter().flat_map(|answer| &answer.passages);
        let pairs = self.contradicting.iter().flatten();
        let owed = self.owed.iter();
        let owed = owed.flat_map(|one| std::iter::once(&one.at).chain(&one.fulfilled_by));
        let all = answers
            .chain(self.changed.iter().flatten())
            .chain(self.wrong_sums.iter().map(|one| &one.at))
            .chain(self.differing.iter().flatten())
            .chain(pairs)
            .chain(owed)
            .chain(self.missing.iter().map(|one| &one.at))
            .chain(self.model.iter().flat_map(ModelReading::statements))
            .chain(self.noticed.all());
        let mut found: Vec<Source> = Vec::new();
        for stated in all {
            if !found.iter().any(|known| known.id == stated.address) {
                found.push(stated.as_source());
            }
        }
        found
    }

    /// The document that a source is of.
    pub(crate) fn document(&self, source: &str) -> Option<&DocumentRead> {
        let id = document_of(source);
        self.documents.iter().find(|document| document.id == id)
    }

    /// Whether a source is of a draft, or of a document that a later one replaced.
    pub(crate) fn is_outdated(&self, source: &str) -> bool {
        self.document(source)
            .is_some_and(|document| document.is_draft || document.replaced_by.is_some())
    }

    pub(crate) fn owed_count(&self, status: OwedStatus) -> usize {
        let sure = self.sure_owed().iter();
        sure.filter(|one| one.status == status).count()
    }

    /// What is owed, as far as it is sure enough to be told.
    pub(crate) fn sure_owed(&self) -> &[Owed] {
        let sure = self.noticed.sure_owed.unwrap_or(self.owed.len());
        self.owed.get(..sure).unwrap_or(&self.owed)
    }

    /// What is missing, as far as it is sure enough to be told.
    pub(crate) fn sure_missing(&self) -> &[Missing] {
        let sure = self.noticed.sure_missing.unwrap_or(self.missing.len());
        self.missing.get(..sure).unwrap_or(&self.missing)
    }

    /// What a condition's owner claims and a document denies: the claim first.
    pub(crate) fn denied_claims(&self) -> Vec<[&Stated; 2]> {
        let denied = self.noticed.conditions.iter();
        let denied = denied.filter(|one| one.state == crate::noticed::ConditionRated::NotMet);
        let pairs = denied.filter_map(|one| Some([one.claimed.as_ref()?, one.grounds.first()?]));
        pairs.collect()
    }
}
