//! What rules know of a result and of a report.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use adjutant_mission::{EffectClass, Usage};
use adjutant_rules::Subject;
use serde_json::{Value, json};

use super::call_facts::dollars;
use super::{CallKind, MissionRules};

/// What gave a result.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ResultFacts<'a> {
    pub(crate) kind: CallKind,
    pub(crate) tool: &'a str,
    pub(crate) task: &'a str,
    pub(crate) class: EffectClass,
}

impl ResultFacts<'_> {
    /// As rules on results see it.
    pub(crate) fn value(
        &self,
        rules: &MissionRules,
        output: &Value,
        bytes: usize,
        usage: Usage,
    ) -> Value {
        let looks_at = |field: &str| rules.looks_at(Subject::Result, field);
        let mut value = json!({
            "kind": self.kind.name(), "tool": self.tool, "task": self.task,
            "size": bytes, "cost": dollars(usage.money),
        });
        if looks_at("text") {
            value["text"] = texts(output).join("\n").into();
        }
        if looks_at("fields") {
            value["fields"] = output.clone();
        }
        if looks_at("personal_data") {
            value["personal_data"] = count_personal_data(output).into();
        }
        value
    }
}

/// The report in what a tool gave, if it is one.
pub fn document_of(output: &Value) -> Option<&Value> {
    let document = output.get("document")?;
    (document["title"].is_string() && document["sections"].is_array()).then_some(document)
}

/// A report as rules see it.
pub fn report_value(document: &Value, rules: &MissionRules) -> Value {
    let items = |name: &str| document[name].as_array().map_or(&[][..], Vec::as_slice);
    let headings = items("sections").iter();
    let headings: Vec<&str> = headings.filter_map(|it| it["heading"].as_str()).collect();
    let blocks = items("sections")
        .iter()
        .filter_map(|section| section["blocks"].as_array())
        .flatten()
        .chain(items("summary"));
    let unsupported: usize = blocks.map(count_unsupported).sum();
    let mut value = json!({
        "kind": document["kind"].as_str().unwrap_or_default(),
        "title": document["title"].as_str().unwrap_or_default(),
        "sections": headings, "sources": items("sources").len(), "unsupported": unsupported,
        "offline": document["offline"].as_bool().unwrap_or(false),
    });
    if rules.looks_at(Subject::Report, "text") {
        value["text"] = texts(document).join("\n").into();
    }
    if rules.looks_at(Subject::Report, "personal_data") {
        value["personal_data"] = count_personal_data(document).into();
    }
    value
}

/// Paragraphs and list items of a block in which nothing is cited or marked.
fn count_unsupported(block: &Value) -> usize {
    let paragraph = block.get("paragraph").into_iter();
    let bullets = block.get("bullets").and_then(Value::as_array);
    let runs = paragraph.chain(bullets.into_iter().flatten());
    runs.filter(|run| is_unsupported(run)).count()
}

fn is_unsupported(run: &Value) -> bool {
    let rests_on_something = |span: &Value| {
        let cites = span["cites"].as_array();
        cites.is_some_and(|cites| !cites.is_empty()) || span["mark"].is_string()
    };
    let spans = run.as_array().map_or(&[][..], Vec::as_slice);
    !spans.is_empty() && !spans.iter().any(rests_on_something)
}

/// Passages in the texts of a value in which personal data is recognised.
pub(crate) fn count_personal_data(value: &Value) -> usize {
    texts(value).into_iter().map(counted).sum()
}

/// Texts whose count is kept: questions of one mission, and missions of one tenant, quote the same sources.
const COUNTS_MAX: usize = 20_000;
/// Shorter ones are searched faster than they are looked up.
const COUNTED_BYTES_MIN: usize = 64;

static COUNTS: LazyLock<Mutex<BTreeMap<[u8; 32], usize>>> = LazyLock::new(Mutex::default);

fn counted(text: &str) -> usize {
    if text.len() < COUNTED_BYTES_MIN {
        return adjutant_redact::find(text).len();
    }
    let hash = *blake3::hash(text.as_bytes()).as_bytes();
    let counts = || COUNTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(count) = counts().get(&hash) {
        return *count;
    }
    let count = adjutant_redact::find(text).len();
    let mut counts = counts();
    if counts.len() >= COUNTS_MAX {
        counts.clear();
    }
    counts.insert(hash, count);
    count
}

/// Every text in a value, but not the names of its fields.
fn texts(value: &Value) -> Vec<&str> {
    let mut texts = Vec::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => texts.push(text.as_str()),
            Value::Array(items) => open.extend(items.iter().rev()),
            Value::Object(fields) => {
                let values: Vec<&Value> = fields.values().collect();
                open.extend(values.into_iter().rev());
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    texts
}
