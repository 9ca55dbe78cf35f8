//! The works that a report draws on as bibliographic records, for the formatter to write in a style.
//!
//! A record that a database gave is taken as it is; a document of ours is recorded by its title and its date. Nothing is invented.

use std::collections::BTreeSet;

use adjutant_text::dates::Date;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::exhibit::Exhibit;
use crate::method::{Method, read_input};
use crate::words::document_of;

const WORKS_MAX: usize = 60;

pub(crate) const REFERENCE_LIST: Method = Method {
    id: "reference_list",
    name: "Reference list",
    about: "Makes a bibliographic record (CSL-JSON) of each document and article among the sources, each work once. `data.items` \
            can be written in a style by L5-FMT.",
    inputs: || {
        json!({
            "sources": {"type": "array", "description": "Sources: id, title, published."},
            "found": {"type": "array", "description": "Answers of lookups, whose sources may have a `reference`."},
        })
    },
    required: &["sources"],
    apply: |input| read_input(input).map(reference_list),
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReferenceList {
    sources: Vec<Work>,
    #[serde(default)]
    found: Vec<Found>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Found {
    sources: Vec<Work>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Work {
    id: String,
    title: String,
    published: Option<String>,
    reference: Option<Value>,
}

fn reference_list(input: ReferenceList) -> Exhibit {
    let mut exhibit = Exhibit::default();
    let looked_up: Vec<&Work> = input.found.iter().flat_map(|one| &one.sources).collect();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut items = Vec::new();
    for work in &input.sources {
        let document = document_of(&work.id);
        if document.is_empty() || items.len() == WORKS_MAX || !seen.insert(document) {
            continue;
        }
        let recorded = looked_up
            .iter()
            .find(|one| document_of(&one.id) == document)
            .and_then(|one| one.reference.as_ref())
            .filter(|reference| reference["title"].is_string());
        items.extend(match recorded {
            Some(reference) => with_id(reference, document),
            None => of_document(work, document),
        });
    }
    if items.is_empty() {
        exhibit.add_note("No works", "No source has a title");
        return exhibit;
    }
    exhibit.data = json!({"items": items});
    exhibit
}

fn with_id(reference: &Value, id: &str) -> Option<Value> {
    let mut item = reference.as_object()?.clone();
    item.insert("id".to_owned(), json!(id));
    Some(Value::Object(item))
}

/// A document of ours. One without a title cannot be listed.
fn of_document(work: &Work, id: &str) -> Option<Value> {
    // Behind the dot stands a heading within the document.
    let title = work.title.split(" · ").next().unwrap_or_default().trim();
    let mut item = json!({"id": id, "type": "report", "title": title});
    if let Some(date) = work.published.as_deref().and_then(Date::from_iso) {
        let mut parts = vec![u32::from(date.year())];
        parts.extend(date.month().map(u32::from));
        parts.extend(date.day().map(u32::from));
        item["issued"] = json!({"date-parts": [parts]});
    }
    (!title.is_empty()).then_some(item)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::method;

    #[test]
    fn each_work_is_listed_once_by_what_is_known_of_it() {
        let made = (method("reference_list").unwrap().apply)(json!({
            "sources": [
                {"id": "kb:plan#1-9", "title": "Repair plan · The lock", "published": "2020-03-01", "text": "x"},
                {"id": "kb:plan#10-12", "title": "Repair plan · Money", "text": "y"},
                {"id": "PMID:1", "title": "On locks", "text": "z"},
                {"id": "kb:untitled", "title": " ", "text": "z"},
            ],
            "found": [{"total": 1, "sources": [
                {"id": "PMID:1", "reference": {"type": "article-journal", "title": "On locks", "volume": "7"}},
            ]}],
        }));
        assert_eq!(
            made.unwrap().data["items"],
            json!([
                {"id": "kb:plan", "type": "report", "title": "Repair plan", "issued": {"date-parts": [[2020, 3, 1]]}},
                {"id": "PMID:1", "type": "article-journal", "title": "On locks", "volume": "7"},
            ])
        );
        let nothing = (method("reference_list").unwrap().apply)(json!({"sources": []}));
        assert!(nothing.unwrap().data.is_null());
    }
}
