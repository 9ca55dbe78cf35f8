//! What may be searched for.

use serde::Deserialize;
use serde_json::Value;

use crate::wanted::{self, LIST_MAX};

/// One of its datasets, and what must hold for a record.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    pub database: Dataset,
    /// A phrase anywhere in a record.
    #[serde(default)]
    pub query: Option<String>,
    /// By brand, generic or device name.
    #[serde(default)]
    pub product: Option<String>,
    #[serde(default)]
    pub company: Option<String>,
    /// Only for adverse events.
    #[serde(default)]
    pub reaction: Option<String>,
    /// Only for adverse events.
    #[serde(default)]
    pub seriousness: Seriousness,
    /// Only for adverse events.
    #[serde(default)]
    pub answer: Answer,
    /// Only for recalls.
    #[serde(default)]
    pub classes: Vec<Class>,
    /// Only for recalls.
    #[serde(default)]
    pub area: Area,
    #[serde(default)]
    pub ids: Vec<String>,
    #[serde(default)]
    pub from: Option<String>,
    #[serde(default)]
    pub to: Option<String>,
    #[serde(default = "wanted::most")]
    pub most: u32,
}

impl Search {
    pub fn product(database: Dataset, product: impl Into<String>) -> Self {
        Self {
            product: Some(product.into()),
            ..Self::all(database)
        }
    }

    pub fn all(database: Dataset) -> Self {
        Self {
            database,
            query: None,
            product: None,
            company: None,
            reaction: None,
            seriousness: Seriousness::Any,
            answer: Answer::Records,
            classes: Vec::new(),
            area: Area::Drug,
            ids: Vec::new(),
            from: None,
            to: None,
            most: wanted::MOST,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Dataset {
    #[serde(rename = "drugsfda")]
    Applications,
    #[serde(rename = "label")]
    Labels,
    #[serde(rename = "event")]
    Events,
    #[serde(rename = "510k")]
    Clearances,
    #[serde(rename = "enforcement")]
    Recalls,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seriousness {
    #[default]
    Any,
    Serious,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    #[default]
    Records,
    /// How often each reaction was reported, for the product and for all.
    ReactionCounts,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Area {
    #[default]
    Drug,
    Device,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Class {
    #[serde(rename = "I")]
    First,
    #[serde(rename = "II")]
    Second,
    #[serde(rename = "III")]
    Third,
}

impl Class {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::First => "Class I",
            Self::Second => "Class II",
            Self::Third => "Class III",
        }
    }
}

/// The JSON Schema of a search.
pub fn schema() -> Value {
    let mut schema = wanted::object_schema(
        "A search of openFDA. All given conditions must match; at least one of query, product, company, reaction, \
         classes and ids is needed.",
        vec![
            (
                "database",
                wanted::choice_schema(
                    &["drugsfda", "label", "event", "510k", "enforcement"],
                    "applications for drugs, labels, reports of adverse events, cleared devices, or recalls",
                ),
            ),
            (
                "query",
                wanted::text_schema("a phrase anywhere in a record"),
            ),
            (
                "product",
                wanted::text_schema("brand, generic or device name"),
            ),
            (
                "company",
                wanted::text_schema("sponsor, manufacturer, applicant or recalling firm"),
            ),
            (
                "reaction",
                wanted::text_schema("a reaction as MedDRA calls it; only for event"),
            ),
            (
                "seriousness",
                wanted::choice_schema(
                    &["any", "serious"],
                    "only serious reports, or all; only for event",
                ),
            ),
            (
                "answer",
                wanted::choice_schema(
                    &["records", "reaction_counts"],
                    "the reports, or how often each reaction was reported for the product and for all products; only \
                     for event",
                ),
            ),
            (
                "classes",
                wanted::choices_schema(
                    &["I", "II", "III"],
                    "classes of a recall; only for enforcement",
                ),
            ),
            (
                "area",
                wanted::choice_schema(
                    &["drug", "device"],
                    "recalls of drugs or devices; only for enforcement",
                ),
            ),
            (
                "ids",
                wanted::list_schema(
                    "application, set, report, K or recall numbers, by the database",
                    LIST_MAX,
                ),
            ),
            ("from", wanted::date_schema("the first year, month or day")),
            ("to", wanted::date_schema("the last year, month or day")),
        ],
    );
    schema["required"] = serde_json::json!(["database"]);
    let fields = ["query", "product", "company", "reaction", "classes", "ids"];
    wanted::needs_one_of(schema, &fields)
}
