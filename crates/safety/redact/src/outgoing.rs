//! Takes personal data out of what is handed to people and programs, such as reports and events.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::dates;
use crate::find::SEPARATOR;
use crate::identifiers::Scope;
use crate::kind::Kind;
use crate::names;
use crate::pseudonyms::{Pseudonyms, Replacement};
use crate::text::Text;

/// What is replaced in what leaves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutgoingPolicy {
    /// What identifies a patient or another private person with certainty. Names of authors stay.
    #[default]
    Identifiers,
    /// Everything that is found.
    All,
    Off,
}

/// One text that leaves. It may be in several pieces, which are read as one.
#[derive(Debug)]
pub struct Leaving<'a> {
    /// What the text is called: the name of its field, or the heading of its column.
    label: String,
    pieces: Vec<&'a mut String>,
}

impl<'a> Leaving<'a> {
    #[must_use]
    pub fn text(text: &'a mut String) -> Self {
        Self::pieces(vec![text])
    }

    #[must_use]
    pub fn pieces(pieces: Vec<&'a mut String>) -> Self {
        Self {
            label: String::new(),
            pieces,
        }
    }

    /// A date under `Date of birth` needs no further word to be one. Other labels say nothing: under `Patients` may be
    /// the name of a drug.
    #[must_use]
    pub fn labelled(mut self, label: &str) -> Self {
        let name = label.replace(['_', '-', '\u{1}'], " ");
        let tokens = Text::new(&name);
        if dates::names_birth(&tokens) || names::names_initials(&tokens) {
            self.label = format!("{name}: ");
        }
        self
    }
}

/// The redaction of what one mission hands over. What was replaced once is replaced in all that follows.
#[derive(Debug, Clone)]
pub struct Outgoing {
    policy: OutgoingPolicy,
    pseudonyms: Pseudonyms,
    marks: Marks,
}

/// What takes the place of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Marks {
    /// `[NAME_7Q3]`
    Pseudonyms,
    /// `[NAME]`
    Kinds,
}

impl Outgoing {
    /// With the key of the mission's pseudonyms. Without one, kinds take the place of values.
    #[must_use]
    pub fn new(policy: OutgoingPolicy, key: Option<[u8; 32]>) -> Self {
        let marks = match key {
            Some(_) => Marks::Pseudonyms,
            None => Marks::Kinds,
        };
        Self {
            policy,
            pseudonyms: Pseudonyms::new(key.unwrap_or_default()),
            marks,
        }
    }

    /// Replaces personal data in related texts, and counts the different values of each kind. The texts are searched
    /// as one, so that a value found in one of them is also replaced in the others.
    pub fn redact(&mut self, texts: &mut [Leaving<'_>]) -> BTreeMap<Kind, usize> {
        let scope = match self.policy {
            OutgoingPolicy::Identifiers => Scope::Identifiers,
            OutgoingPolicy::All => Scope::All,
            OutgoingPolicy::Off => return BTreeMap::new(),
        };
        let mut whole = String::new();
        // Where each piece begins.
        let mut starts = Vec::new();
        for text in texts.iter() {
            whole.push_str(&text.label);
            for piece in &text.pieces {
                starts.push(whole.len());
                // As long as it was.
                whole.push_str(&piece.replace('\u{1}', " "));
            }
            whole.push_str(SEPARATOR);
        }
        let replacements = self.pseudonyms.replacements(&whole, scope);
        let pieces = texts.iter_mut().flat_map(|text| text.pieces.iter_mut());
        let mut values: BTreeSet<(Kind, usize)> = BTreeSet::new();
        for (start, piece) in starts.into_iter().zip(pieces) {
            let end = start + piece.len();
            let from = replacements.partition_point(|one| one.found.span.end <= start);
            let within = replacements[from..]
                .iter()
                .take_while(|one| one.found.span.start < end);
            let within: Vec<&Replacement> = within.collect();
            if within.is_empty() {
                continue;
            }
            values.extend(within.iter().map(|one| (one.found.kind, one.entry)));
            **piece = self.rewritten(piece, start, &within);
        }
        let mut counts = BTreeMap::new();
        for (kind, _) in values {
            *counts.entry(kind).or_default() += 1;
        }
        counts
    }

    /// A piece that begins at `start` of the whole. A value that goes on in the next piece is named in its first one.
    fn rewritten(&self, piece: &str, start: usize, within: &[&Replacement]) -> String {
        let mut text = String::with_capacity(piece.len());
        let mut copied = 0;
        for one in within {
            let from = one.found.span.start.saturating_sub(start);
            text.push_str(piece.get(copied..from).unwrap_or_default());
            if one.found.span.start >= start {
                match self.marks {
                    Marks::Pseudonyms => text.push_str(&one.pseudonym),
                    Marks::Kinds => {
                        text.push('[');
                        text.push_str(one.found.kind.label());
                        text.push(']');
                    }
                }
            }
            copied = (one.found.span.end - start).min(piece.len());
        }
        text.push_str(piece.get(copied..).unwrap_or_default());
        text
    }
}
