//! One report of one outlet.

use serde_json::{Value, json};

use crate::{Source, address, csl};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Story {
    pub(super) title: String,
    pub(super) text: String,
    pub(super) url: String,
    pub(super) published: Option<String>,
    pub(super) outlet: String,
    pub(super) author: Option<String>,
    pub(super) language: Option<String>,
    /// Other outlets with the same story.
    pub(super) others: Vec<Story>,
}

impl Story {
    pub(super) fn source(self) -> Source {
        let address = address::canonical(&self.url);
        let id = format!("NEWS:{}", address::fingerprint(&address));
        let author = self
            .author
            .as_deref()
            .map(|name| vec![json!({ "literal": name })]);
        let reference = csl::object([
            ("id", json!(id)),
            ("type", json!("article-newspaper")),
            ("title", json!(self.title)),
            ("author", json!(author)),
            ("container-title", json!(self.outlet)),
            (
                "issued",
                self.published
                    .as_deref()
                    .and_then(csl::date)
                    .unwrap_or_default(),
            ),
            ("language", json!(self.language)),
            ("URL", json!(address)),
        ]);
        let others: Vec<Value> = self
            .others
            .iter()
            .map(|other| {
                csl::object([
                    ("outlet", json!(other.outlet)),
                    ("title", json!(other.title)),
                    ("url", json!(other.url)),
                    ("published", json!(other.published)),
                ])
            })
            .collect();
        let details = csl::object([
            ("outlet", json!(self.outlet)),
            ("author", json!(self.author)),
            ("language", json!(self.language)),
            ("also_reported_by", json!(others)),
        ]);
        Source {
            id,
            text: if self.text.is_empty() {
                self.title.clone()
            } else {
                self.text
            },
            title: self.title,
            published: self.published,
            url: address,
            reference,
            details,
        }
    }
}
