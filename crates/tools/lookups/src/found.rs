//! What a lookup gives.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The result of a lookup, best first.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Found {
    pub sources: Vec<Source>,
    /// How many there are in all, where the database says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// What a careful reader should know: pages left out, records that could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
}

/// One record, ready to be cited.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// Stable over time and places: `PMID:31452104`, `NCT:NCT04280705`, `US:US11111111B2`.
    pub id: String,
    pub title: String,
    /// What may be quoted: the abstract, the summary, the passages.
    pub text: String,
    /// `2024`, `2024-05` or `2024-05-17`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
    /// Where a person opens it.
    pub url: String,
    /// The bibliographic record as a CSL-JSON item, which the formatter takes.
    pub reference: Value,
    /// What only records of this kind have, by fields that the tool's manifest describes.
    pub details: Value,
}
