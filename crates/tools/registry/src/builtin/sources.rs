//! `merge_sources`: what several tasks found, as one list; and `nothing_found`: what stands for a place that could not
//! be asked, so that a mission goes on and says so.

use std::collections::BTreeSet;

use adjutant_mission::{EffectClass, Millis, Provenance};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{ToolOutline, read};
use crate::{BoxFuture, Call, Manifest, RegistryError, Tool, ToolFailure};

/// What is kept of a source: what questions take.
const KEPT: [&str; 4] = ["id", "title", "text", "published"];
const MOST_DEFAULT: usize = 60;
const MOST_MAX: usize = 500;
const OUTPUT_BYTES_MAX: usize = 8 * 1024 * 1024;

pub(super) struct MergeSources {
    manifest: Manifest,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Merge {
    lists: Vec<Value>,
    #[serde(default)]
    most: Option<usize>,
    /// Lists of documents.
    #[serde(default)]
    without: Vec<Vec<String>>,
}

impl MergeSources {
    pub(super) fn new() -> Result<Self, RegistryError> {
        let input = json!({
            "type": "object", "additionalProperties": false, "required": ["lists"],
            "properties": {
                "lists": {"type": "array", "description": "Results with `sources`, or lists of sources."},
                "most": {"type": "integer", "minimum": 1, "maximum": MOST_MAX, "description": "How many to keep; 60 \
                 by default."},
                "without": {"type": "array", "items": {"type": "array", "items": {"type": "string"}}, "description": "Lists of documents whose \
                 passages are left out, such as drafts and documents that a later version replaced."},
            },
        });
        let output = json!({
            "type": "object", "required": ["sources", "total", "left_out", "not_found"],
            "properties": {
                "sources": {"type": "array", "items": {"type": "object"}},
                "total": {"type": "integer"},
                "left_out": {"type": "integer"},
                "not_found": {"type": "array", "items": {"type": "string"}},
            },
        });
        let manifest = ToolOutline {
            id: "merge_sources",
            name: "Merge sources",
            description: "Merges the sources of several results into one list without duplicates, the best of each \
                          list first. Searches without results are listed too.",
            class: EffectClass::Pure,
            // Its texts are those of its arguments, wherever these came from.
            provenance: Provenance::Own,
            input,
            output: Some(output),
            time_limit: Millis::seconds(10),
            output_bytes_max: OUTPUT_BYTES_MAX,
        }
        .manifest()?;
        Ok(Self { manifest })
    }
}

impl Tool for MergeSources {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(async move {
            let merge: Merge = read(call.arguments)?;
            Ok(merged(&merge))
        })
    }
}

/// One of each list in turn, so that a long list does not push out the best of a short one.
fn merged(merge: &Merge) -> Value {
    let lists: Vec<&[Value]> = merge.lists.iter().map(sources_of).collect();
    let longest = lists.iter().map(|list| list.len()).max().unwrap_or(0);
    let most = merge.most.unwrap_or(MOST_DEFAULT);
    let (mut seen, mut kept, mut left_out) = (BTreeSet::new(), Vec::new(), 0);
    for at in 0..longest {
        for source in lists.iter().filter_map(|list| list.get(at)) {
            let (Some(id), Some(text)) = (source["id"].as_str(), source["text"].as_str()) else {
                continue;
            };
            let document = id.rsplit_once('#').map_or(id, |(document, _)| document);
            if merge.without.iter().flatten().any(|one| one == document) {
                continue;
            }
            if id.is_empty() || text.trim().is_empty() || !seen.insert(id) {
                continue;
            }
            if kept.len() < most {
                kept.push(plain(source));
            } else {
                left_out += 1;
            }
        }
    }
    let not_found: BTreeSet<&str> = merge.lists.iter().flat_map(not_found_of).collect();
    json!({
        "total": kept.len(),
        "sources": kept,
        "left_out": left_out,
        "not_found": not_found,
    })
}

fn sources_of(result: &Value) -> &[Value] {
    let list = match result {
        Value::Array(list) => Some(list),
        other => other.get("sources").and_then(Value::as_array),
    };
    list.map_or(&[], Vec::as_slice)
}

fn not_found_of(result: &Value) -> impl Iterator<Item = &str> {
    let list = result.get("not_found").and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str)
}

/// A source as questions take it: what else a search says of it stays with the search.
fn plain(source: &Value) -> Value {
    let mut kept = Map::new();
    for name in KEPT {
        if let Some(value) = source.get(name).filter(|value| value.is_string()) {
            kept.insert(name.to_owned(), value.clone());
        }
    }
    Value::Object(kept)
}

pub(super) struct NothingFound {
    manifest: Manifest,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LookedFor {
    looked_for: Value,
    r#where: String,
}

impl NothingFound {
    pub(super) fn new() -> Result<Self, RegistryError> {
        let input = json!({
            "type": "object", "additionalProperties": false, "required": ["looked_for", "where"],
            "properties": {
                "looked_for": {"description": "The search, in words."},
                "where": {"type": "string", "description": "Where."},
            },
        });
        let output = json!({
            "type": "object", "required": ["sources", "total", "not_found"],
            "properties": {
                "sources": {"type": "array", "maxItems": 0},
                "total": {"type": "null"},
                "not_found": {"type": "array", "items": {"type": "string"}},
            },
        });
        let manifest = ToolOutline {
            id: "nothing_found",
            name: "Nothing found",
            description: "Represents a search that could not be made: no sources, only the search in words.",
            class: EffectClass::Pure,
            provenance: Provenance::Own,
            input,
            output: Some(output),
            time_limit: Millis::seconds(5),
            output_bytes_max: 64 * 1024,
        }
        .manifest()?;
        Ok(Self { manifest })
    }
}

impl Tool for NothingFound {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(async move {
            let LookedFor {
                looked_for,
                r#where,
            } = read(call.arguments)?;
            let what = match looked_for {
                Value::String(words) => words,
                other => other.to_string(),
            };
            let told = format!("{}, which could not be searched: {what}", r#where);
            // Nobody knows how much there is.
            Ok(json!({"sources": [], "total": null, "not_found": [told]}))
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::{call, settings};

    #[tokio::test]
    async fn each_source_comes_once_and_the_best_of_each_list_first() {
        let folder = tempfile::tempdir().unwrap();
        let source = |id: &str| json!({"id": id, "title": id, "text": "It rained.", "score": 3});
        let lists = json!([
            {"sources": [source("a"), source("b"), source("c")], "not_found": ["snow"]},
            [source("b"), source("d"), {"id": "empty", "text": " "}],
            {"total": 0},
        ]);
        let merged = call(
            settings(folder.path()),
            "merge_sources",
            json!({"lists": lists, "most": 3}),
        )
        .await
        .unwrap();
        let ids: Vec<_> = merged["sources"].as_array().unwrap().iter().collect();
        assert_eq!(ids.len(), 3);
        assert_eq!(
            [&ids[0]["id"], &ids[1]["id"], &ids[2]["id"]],
            ["a", "b", "d"]
        );
        assert_eq!(ids[0].get("score"), None, "questions take no more");
        assert_eq!(merged["left_out"], 1);
        assert_eq!(merged["not_found"], json!(["snow"]));
    }

    #[tokio::test]
    async fn a_search_that_was_not_made_says_what_it_was_for() {
        let folder = tempfile::tempdir().unwrap();
        let wanted = json!({"looked_for": "rain", "where": "PubMed"});
        let answer = call(settings(folder.path()), "nothing_found", wanted)
            .await
            .unwrap();
        assert!(answer["total"].is_null());
        assert_eq!(
            answer["not_found"],
            json!(["PubMed, which could not be searched: rain"])
        );
    }
}
