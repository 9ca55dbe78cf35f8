//! Dates, figures, identifiers and names in a text, each with its place, its value and how sure it is.
//!
//! Rules and lists, no model: what has a form is found well, what is only a name is found where a list or its neighbours
//! give it away.

mod dates;
mod identifiers;
mod measures;
mod medical;
mod names;
mod results;
mod rule;
#[cfg(test)]
mod rules_tests;
mod terms;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Refusal;
use crate::answer::{Answer, Content, truncate_with_note};
use crate::character_offsets::{CharacterOffsets, Span};
use crate::request::{check, new_answer};
use rule::Candidate;

/// Entities that are listed.
pub const ENTITIES_MAX: usize = 20_000;

macro_rules! kinds {
    ($( $variant:ident = $word:literal ),+ $(,)?) => {
        /// What an entity is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Kind { $( #[serde(rename = $word)] $variant, )+ }

        impl Kind {
            /// The names of all kinds.
            pub const NAMES: &[&str] = &[$($word),+];
        }
    };
}

kinds! {
    Identifier = "identifier",
    Url = "url",
    Email = "email",
    Interval = "interval",
    PValue = "p_value",
    Ratio = "ratio",
    Dose = "dose",
    LabValue = "lab_value",
    Date = "date",
    Duration = "duration",
    Money = "money",
    Percentage = "percentage",
    Quantity = "quantity",
    SampleSize = "sample_size",
    Study = "study",
    Drug = "drug",
    Condition = "condition",
    Gene = "gene",
    Organisation = "organisation",
    CharacterRange = "place",
    Person = "person",
}

/// How sure an entity is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// By its form or a check digit.
    Certain,
    /// By a pattern, a list or its neighbours.
    Likely,
}

/// Asks for the entities of a text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntitiesRequest {
    pub text: String,
    /// Only these kinds; all where it is left out.
    #[serde(default)]
    pub kinds: Option<BTreeSet<Kind>>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EntitiesAnswer {
    pub count: usize,
    /// How many there are of each kind.
    pub counts: BTreeMap<Kind, usize>,
    pub entities: Vec<Entity>,
}

/// One entity and its place.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entity {
    pub kind: Kind,
    #[serde(flatten)]
    pub span: Span,
    pub confidence: Certainty,
    /// What it means, brought to one form: an ISO date, a number with its unit, an identifier with its scheme.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}

pub(crate) fn answer(request: &EntitiesRequest) -> Result<Answer, Refusal> {
    let text = request.text.as_str();
    check("text", text)?;
    let mut found = find(text);
    if let Some(kinds) = &request.kinds {
        found.retain(|one| kinds.contains(&one.kind));
    }
    let places = CharacterOffsets::new(text);
    let mut counts: BTreeMap<Kind, usize> = BTreeMap::new();
    for one in &found {
        *counts.entry(one.kind).or_default() += 1;
    }
    let mut notes = vec![
        "Names (organisations, places, persons, drugs, conditions, genes) are found by lists and patterns: some are \
         missed, and those marked `likely` need to be checked."
            .to_owned(),
    ];
    let ambiguous = found
        .iter()
        .filter(|one| {
            one.value
                .as_ref()
                .is_some_and(|value| value.get("either").is_some())
        })
        .count();
    if ambiguous > 0 {
        notes.push(format!(
            "{ambiguous} dates with slashes may be day first or month first: both are given."
        ));
    }
    let count = found.len();
    truncate_with_note(&mut found, ENTITIES_MAX, "entities", &mut notes);
    let entities = found
        .into_iter()
        .map(|one| Entity {
            kind: one.kind,
            span: places.span(&one.range),
            confidence: one.certainty,
            value: one.value,
        })
        .collect();
    Ok(new_answer(
        "entities",
        Content::Entities(EntitiesAnswer {
            count,
            counts,
            entities,
        }),
        "patterns with check digits, stems of international drug names, word endings and word lists; persons as redaction \
         finds them; of overlapping finds the longest stays, then the more certain; offsets count characters",
        notes,
    ))
}

/// All entities in order, none over another.
fn find(text: &str) -> Vec<Candidate> {
    let mut found = Vec::new();
    for rules in [
        &*identifiers::RULES,
        &*dates::RULES,
        &*results::RULES,
        &*measures::RULES,
        &*names::RULES,
        &*medical::RULES,
    ] {
        rule::run(rules, text, &mut found);
    }
    let lists = [
        &*names::PLACES,
        &*names::ORGANISATIONS,
        &*medical::DRUGS,
        &*medical::CONDITIONS,
        &*medical::GENES,
    ];
    for terms in lists.into_iter().flatten() {
        terms.find(text, &mut found);
    }
    medical::by_ending(text, &mut found);
    names::persons(text, &mut found);
    settle(found)
}

/// Of candidates that overlap the longest stays, then the more certain, then the kind that says more.
fn settle(mut found: Vec<Candidate>) -> Vec<Candidate> {
    found.retain(|one| !one.range.is_empty());
    found.sort_by_key(|one| {
        (
            std::cmp::Reverse(one.range.len()),
            one.certainty,
            one.kind,
            one.range.start,
        )
    });
    let mut kept: BTreeMap<usize, Candidate> = BTreeMap::new();
    for one in found {
        let before = kept.range(..one.range.end).next_back();
        if before.is_none_or(|(_, other)| other.range.end <= one.range.start) {
            kept.insert(one.range.start, one);
        }
    }
    kept.into_values().collect()
}
