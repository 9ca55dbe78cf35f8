//! The sources that a mission's searches found: what citations say of the source they are from.

use std::collections::BTreeMap;

use adjutant_mission::ToolId;
use serde_json::{Value, json};

use crate::event::ONE_PPM;

/// Sources that are remembered. What is cited beyond has its id for a title.
const SOURCES_MAX: usize = 10_000;
/// Sources that one event lists. Its count is that of all.
const LISTED_MAX: usize = 100;

/// The tool that puts together what searches found, with what was handed to the mission.
pub(crate) const MERGES: &str = "merge_sources";

/// The types of sources, by the tool that finds them.
const TYPES: [(&str, &str); 9] = [
    ("L5-RAG", "rag"),
    ("recall", "rag"),
    ("L5-PS", "pubmed"),
    ("L5-CT", "clinical_trial"),
    ("L5-FDA", "fda"),
    ("L5-WEB", "web"),
    ("L5-NEWS", "news"),
    ("L5-PT", "patent"),
    ("L5-EMA", "ema"),
];

/// Where the ids of passages from the knowledge base begin.
const KNOWLEDGE_BASE: &str = "kb:";
const PUBMED: &str = "PMID:";

/// Whether what a tool gives has sources.
pub(crate) fn finds_sources(tool: &ToolId) -> bool {
    tool.as_str() == MERGES || type_of_tool(tool).is_some()
}

fn type_of_tool(tool: &ToolId) -> Option<&'static str> {
    let mut types = TYPES.iter();
    let found = types.find(|(id, _)| *id == tool.as_str());
    found.map(|(_, name)| *name)
}

/// Every source found so far, by its id.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sources {
    by_id: BTreeMap<String, Source>,
}

#[derive(Debug, Clone)]
struct Source {
    source_type: &'static str,
    title: Option<String>,
    url: Option<String>,
    doi: Option<String>,
    published: Option<String>,
    relevance: u32,
}

impl Sources {
    /// Remembers what a tool found. Results come best first, so the first is the most relevant one; what was handed to
    /// the mission was not searched for and is as relevant as can be.
    pub(crate) fn learn(&mut self, tool: &ToolId, output: &Value) {
        if !finds_sources(tool) {
            return;
        }
        let found = listed(output).unwrap_or_default();
        for (place, source) in found.iter().enumerate() {
            let Some(id) = text(source, "id") else {
                continue;
            };
            let relevance = match type_of_tool(tool) {
                Some(_) => relevance_at(place, found.len()),
                None => ONE_PPM,
            };
            let is_room = self.by_id.len() < SOURCES_MAX;
            match self.by_id.get_mut(&id) {
                Some(_) if tool.as_str() == MERGES => {}
                Some(known) => known.relevance = known.relevance.max(relevance),
                None if is_room => {
                    let source = Source {
                        source_type: type_of_tool(tool).unwrap_or_else(|| type_of_id(&id)),
                        title: text(source, "title"),
                        url: text(source, "url"),
                        doi: source
                            .get("reference")
                            .and_then(|record| text(record, "DOI")),
                        published: text(source, "published"),
                        relevance,
                    };
                    self.by_id.insert(id, source);
                }
                None => {}
            }
        }
    }

    /// What a citation says of its source.
    pub(crate) fn describe(&self, id: &str) -> Value {
        let known = self.by_id.get(id);
        json!({
            "source_type": known.map_or_else(|| type_of_id(id), |source| source.source_type),
            "title": known.and_then(|source| source.title.as_deref()).unwrap_or(id),
            "url": known.and_then(|source| source.url.as_deref()),
            "pmid": id.strip_prefix(PUBMED),
            "doi": known.and_then(|source| source.doi.as_deref()),
            "published": known.and_then(|source| source.published.as_deref()),
            "relevance_score": known.map(|source| f64::from(source.relevance) / f64::from(ONE_PPM)),
        })
    }
}

/// From 1 for the first result to a little over 0 for the last, in parts per million.
fn relevance_at(place: usize, count: usize) -> u32 {
    let left = (count - place) as u64 * u64::from(ONE_PPM);
    u32::try_from(left / count.max(1) as u64).unwrap_or(ONE_PPM)
}

fn type_of_id(id: &str) -> &'static str {
    match id {
        id if id.starts_with(KNOWLEDGE_BASE) => "rag",
        id if id.starts_with(PUBMED) => "pubmed",
        _ => "other",
    }
}

fn text(value: &Value, name: &str) -> Option<String> {
    let text = value.get(name)?.as_str()?;
    (!text.trim().is_empty()).then(|| text.to_owned())
}

/// The sources in what a search gave.
pub(crate) fn listed(output: &Value) -> Option<&[Value]> {
    let sources = output.get("sources")?.as_array()?;
    Some(sources)
}

/// What a search found, without the texts: the first of it.
pub(crate) fn told(sources: &[Value]) -> Vec<Value> {
    let first = sources.iter().take(LISTED_MAX);
    let first = first.map(|source| {
        json!({
            "id": source.get("id"),
            "title": source.get("title"),
            "published": source.get("published"),
            "url": source.get("url"),
        })
    });
    first.collect()
}
