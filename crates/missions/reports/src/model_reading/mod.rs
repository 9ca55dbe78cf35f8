//! Documents read by a model too: cut into pieces that fit a question, what the pieces say grouped by what they are about,
//! and what the model adds merged with what was read by rules.
//!
//! **Invariant:** What a model adds is in a document, letter for letter, and a conflict is between documents that both
//! hold. Everything else is dropped and counted.

mod check;
mod cut;
mod group;
mod merge;
mod near;
mod places;

use std::collections::BTreeMap;

use adjutant_questions::Source;
use serde::{Deserialize, Serialize};

pub use check::Suspicion;
pub use cut::{Cut, PIECES_MAX, PartOf, Piece, UnreadPart, WholeDocument, cut};
pub use group::{Batch, GroupClaims, Grouped, batches_for, group_claims};
pub use merge::{MergeReading, merge_reading};

use crate::documents_read::{Owed, Stated};

/// What a model found in the documents, checked.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelReading {
    /// How many pieces there were, and how many were read.
    pub pieces: usize,
    pub read: usize,
    /// The models that answered.
    pub by: Vec<String>,
    /// How statements of different documents stand to each other. Conflicts first.
    pub relations: Vec<Related>,
    /// What is owed according to rules, and done according to the model.
    pub done: Vec<Owed>,
    /// What rules listed as missing, and the model found.
    pub found_elsewhere: Vec<FoundElsewhere>,
    /// What matters most for the objective.
    pub first: Vec<First>,
    /// Documents, or parts of them, that the model did not read.
    pub unread: Vec<Unread>,
    /// Statements of the model that did not stand up to the documents.
    pub dropped: usize,
    /// Why they were dropped, and how many for each reason.
    pub dropped_because: BTreeMap<String, usize>,
    /// Conflicts of the model in which one side no longer holds: they are changes.
    pub turned_into_changes: usize,
    /// Groups of statements that did not fit into the questions.
    pub not_compared: usize,
    /// Who found the entries at these addresses, where it was not the rules alone.
    pub found_by: BTreeMap<String, FoundBy>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FoundBy {
    #[default]
    Rules,
    Model,
    Both,
}

impl FoundBy {
    pub fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Model => "model",
            Self::Both => "rules and model",
        }
    }
}

/// How statements on one thing stand to each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Related {
    pub about: String,
    pub relation: adjutant_questions::ClaimRelation,
    pub sides: Vec<RelatedSide>,
    pub why: String,
    pub settled_by: String,
    pub found_by: FoundBy,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelatedSide {
    pub says: String,
    pub at: Stated,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundElsewhere {
    pub what: String,
    pub at: Stated,
    pub by: Stated,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct First {
    pub why: String,
    pub at: Stated,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Unread {
    pub document: String,
    pub title: String,
    pub why: String,
}

impl ModelReading {
    /// Every statement that it rests on.
    pub(crate) fn statements(&self) -> impl Iterator<Item = &Stated> {
        let sides = self.relations.iter().flat_map(|at| &at.sides);
        let elsewhere = self.found_elsewhere.iter();
        sides
            .map(|side| &side.at)
            .chain(elsewhere.flat_map(|at| [&at.at, &at.by]))
            .chain(self.first.iter().map(|at| &at.at))
    }

    /// What it points to first, and the sides of conflicts, as sources that other questions may draw on.
    pub fn sources(&self) -> Vec<Source> {
        let first = self.first.iter().map(|one| &one.at);
        let sides = self.relations.iter().flat_map(|at| &at.sides);
        let mut found: Vec<Source> = Vec::new();
        for stated in first.chain(sides.map(|side| &side.at)) {
            if !found.iter().any(|known| known.id == stated.address) {
                found.push(stated.as_source());
            }
        }
        found
    }

    pub(crate) fn found_by(&self, at: &Stated) -> FoundBy {
        self.found_by.get(&at.address).copied().unwrap_or_default()
    }

    pub(crate) fn drop_one(&mut self, why: &str) {
        self.dropped += 1;
        *self.dropped_because.entry(why.to_owned()).or_default() += 1;
    }
}
