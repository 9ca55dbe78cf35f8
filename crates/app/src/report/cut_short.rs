//! The report of a mission that was cut short: what exists by then, put together as its own `report` task would have.

use std::collections::BTreeMap;

use adjutant_document_model::{Block, Callout, Document, Span, Tone};
use adjutant_mission::{Reference, WorkSpec, fill_references, references};
use serde_json::{Value, json};

use crate::mission_record::MissionRecord;

const REPORT: &str = "report";

/// Nothing if the mission goes on, has no task that reports, or found nothing to report.
pub(super) fn cut_short(read: &MissionRecord) -> Option<Document> {
    let ending = read.mission.ending()?;
    let mut calls = read
        .mission
        .tasks()
        .filter_map(|(task, _)| match &task.work {
            WorkSpec::Tool(call) if call.tool.as_str() == REPORT => Some(call),
            _ => None,
        });
    let mut arguments: Value = serde_json::from_str(calls.next()?.with.text()).ok()?;
    let known = Known::of(read);
    known.fill(&mut arguments);
    let pieces = arguments["pieces"].as_object_mut()?;
    if !pieces.contains_key("sources") {
        let sources = read.sources();
        if sources.is_empty() {
            return None;
        }
        pieces.insert("sources".to_owned(), sources.into());
    }
    let made = crate::report_tools::report(arguments).ok()?;
    let mut document: Document = serde_json::from_value(made["document"].clone()).ok()?;
    let why = match ending.reason.as_str() {
        "" => "The mission ended before its report was complete.".to_owned(),
        reason => format!(
            "The mission ended before its report was complete: {reason}. These are the findings up to that point; \
             they were not checked against their sources."
        ),
    };
    document.summary.insert(
        0,
        Block::Callout(Callout {
            tone: Tone::Warning,
            title: "Cut short".to_owned(),
            text: vec![Span {
                text: why,
                ..Span::default()
            }],
        }),
    );
    Some(document)
}

/// What tasks gave, and what the mission was given.
struct Known(BTreeMap<String, Value>);

impl Known {
    fn of(read: &MissionRecord) -> Self {
        let gave = read.mission.tasks().filter_map(|(task, state)| {
            let output = read.output(state.output.as_ref()?)?;
            Some((task.key.to_string(), json!({ "output": output })))
        });
        let mut known: BTreeMap<String, Value> = gave.collect();
        let inputs = read.mission.plan().inputs.as_ref();
        if let Some(inputs) = inputs.and_then(|inputs| serde_json::from_str(inputs.text()).ok()) {
            known.insert("inputs".to_owned(), inputs);
        }
        Self(known)
    }

    /// Puts what is known in the place of references, and leaves out what rests on anything that is not.
    fn fill(&self, value: &mut Value) -> bool {
        match value {
            Value::String(text) => match self.text(text) {
                Some(filled) => {
                    *value = filled;
                    true
                }
                None => false,
            },
            Value::Array(items) => {
                items.retain_mut(|item| self.fill(item));
                true
            }
            Value::Object(fields) => {
                let whole = fields.len();
                fields.retain(|_, field| self.fill(field));
                // The arguments and their pieces do without one; what is looked up is nothing without its answer.
                fields.contains_key("kind")
                    || fields.len() == whole
                    || !fields.contains_key("where")
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => true,
        }
    }

    fn text(&self, text: &str) -> Option<Value> {
        let found = references(text);
        let value = |reference: &Reference| {
            let mut parts = reference.parts.iter();
            let first = self.0.get(parts.next()?)?;
            parts.try_fold(first, |value, part| match part.parse::<usize>() {
                Ok(at) if value.is_array() => value.get(at),
                _ => value.get(part),
            })
        };
        if found.iter().any(|reference| value(reference).is_none()) {
            return None;
        }
        if let [only] = found.as_slice()
            && text.trim() == format!("{{{{{}}}}}", only.text)
        {
            return value(only).cloned();
        }
        let written = |reference: &Reference| match value(reference)? {
            Value::String(value) => Some(value.clone()),
            other => Some(other.to_string()),
        };
        Some(Value::String(fill_references(text, written)))
    }
}
