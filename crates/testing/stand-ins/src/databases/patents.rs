//! The records both patent offices answer from.

use serde::Deserialize;

const RECORDS: &str = include_str!("../../../../../samples/velmoran/apis/patents.json");

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Office {
    Us,
    Ep,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Record {
    pub(crate) office: Office,
    #[serde(default)]
    pub(crate) number: String,
    /// Of the document in Europe, of the application in the United States.
    pub(crate) kind: String,
    pub(crate) application: String,
    #[serde(default)]
    pub(crate) publication: Option<String>,
    pub(crate) title: String,
    #[serde(default, rename = "abstract")]
    pub(crate) summary: String,
    pub(crate) applicants: Vec<String>,
    pub(crate) inventors: Vec<String>,
    #[serde(default)]
    pub(crate) ipc: Vec<String>,
    pub(crate) cpc: Vec<String>,
    pub(crate) filed: String,
    #[serde(default)]
    pub(crate) priority: Option<String>,
    #[serde(default)]
    pub(crate) published: Option<String>,
    #[serde(default)]
    pub(crate) granted: Option<String>,
    #[serde(default)]
    pub(crate) status: String,
    #[serde(default)]
    pub(crate) status_date: String,
    #[serde(default)]
    pub(crate) family: String,
}

/// Those of one office, newest filing first.
pub(crate) fn records(office: Office) -> Vec<Record> {
    let mut all: Vec<Record> = serde_json::from_str(RECORDS).unwrap_or_default();
    all.retain(|record| record.office == office);
    all.sort_by(|one, other| other.filed.cmp(&one.filed));
    all
}
