//! What a question shows of inputs and results: their content, cut only where it is very long, and then saying so.
//!
//! A large result is kept apart from the journal, and the machine never sees it. So what questions will show of it is
//! picked out when it arrives, and is kept with the event that records it.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use serde_json::Value;

use super::Mission;
use crate::plan::words::{self, fields_in_words, one_line};
use crate::{
    CheckpointType, EffectClass, EffectNumber, Json, Payload, Reference, Task, TaskIndex, TaskKey,
    ToolCall, WorkSpec, references, references_in_json,
};

/// How much of one result a question shows.
pub const SHOWN_BYTES_MAX: usize = 16 * 1024;

/// Where an output says in words what it found; of several, the first.
const IN_WORDS: [&str; 2] = ["summary", "text"];
/// How many results the review of a mission shows.
const RESULTS_SHOWN_MAX: usize = 5;
/// How much it shows of each, in characters.
const RESULT_CHARS_MAX: usize = 800;

impl Payload {
    /// A large output that is kept as this blob, with what questions show of it.
    pub fn kept_apart(digest: String, output: &Json, paths: &[Vec<String>]) -> Self {
        let shown = paths.iter().filter_map(|path| {
            let found = output.at(path)?;
            let kept = match found.text().len() > SHOWN_BYTES_MAX {
                true => Json::encode(&cut(&found.to_plain_text())).ok()?,
                false => found,
            };
            Some((path.join("."), kept))
        });
        Self::Blob {
            digest,
            bytes: output.text().len() as u64,
            shown: shown.collect(),
        }
    }
}

impl Mission {
    /// What questions show of the result that this effect will have: paths into it.
    pub fn paths_shown(&self, effect: EffectNumber) -> Vec<Vec<String>> {
        let Some(effect) = self.effects.get(&effect) else {
            return Vec::new();
        };
        let key = self.spec(effect.task).key.as_str();
        let mut paths = BTreeSet::new();
        for reference in self.shown_references() {
            if reference.task() == Some(key) {
                paths.extend(reference.parts.get(2..).map(<[String]>::to_vec));
            }
        }
        if self.is_last(effect.task) {
            paths.extend(IN_WORDS.map(|field| vec![field.into()]));
        }
        paths.into_iter().collect()
    }

    /// Whether no task waits for this one.
    fn is_last(&self, task: TaskIndex) -> bool {
        let key = &self.spec(task).key;
        let waits = |other: &Task| other.after.iter().any(|after| after.task == *key);
        !self.plan().tasks.iter().any(waits)
    }

    /// What came out at the end, for whoever reviews it: the results that no task went on from.
    pub(super) fn results_in_words(&self) -> Vec<String> {
        let tasks = &self.plan().tasks;
        let waited_for = tasks.iter().flat_map(|task| &task.after);
        let waited_for: BTreeSet<&TaskKey> = waited_for.map(|after| &after.task).collect();
        let last = self
            .tasks()
            .filter(|(spec, _)| !waited_for.contains(&spec.key));
        let last = last.filter_map(|(spec, state)| {
            let output = state.output.as_ref()?;
            Some(format!("{}: {}", one_line(spec.name()), in_words(output)))
        });
        let mut results: Vec<String> = last.collect();
        let more = results.len().saturating_sub(RESULTS_SHOWN_MAX);
        results.truncate(RESULTS_SHOWN_MAX);
        if more > 0 {
            results.push(format!("and {more} more results"));
        }
        results
    }

    /// Every reference in what the plan may ask people about.
    fn shown_references(&self) -> Vec<Reference> {
        let plan = self.plan();
        let asks_agents = plan.asks_for(CheckpointType::SubagentApproval);
        let may_be_asked = |call: &&ToolCall| {
            let facts = self.tools().get(&call.tool);
            facts.is_none_or(|facts| facts.class != EffectClass::Pure)
        };
        let mut found = Vec::new();
        for task in &plan.tasks {
            let call = match &task.work {
                WorkSpec::Human(human) => {
                    found.extend(references(&human.question));
                    None
                }
                WorkSpec::Agent(agent) if asks_agents => {
                    found.extend(references_in_json(agent.with.text()));
                    None
                }
                WorkSpec::Mission(sub) if asks_agents => {
                    let with = sub.with.as_ref().map_or("", Json::text);
                    found.extend(references_in_json(with));
                    None
                }
                WorkSpec::Tool(call) => Some(call),
                WorkSpec::Agent(_) | WorkSpec::Mission(_) | WorkSpec::Gate(_) => None,
            };
            let calls = call.into_iter().chain(&task.alternative);
            for call in calls.filter(may_be_asked) {
                found.extend(references_in_json(call.with.text()));
            }
        }
        found
    }

    /// Puts inputs and results in the place of references, as text.
    pub(super) fn fill(&self, text: &str) -> String {
        let mut filled = String::new();
        let mut rest = text;
        for reference in references(text) {
            let Some(start) = rest.find("{{") else { break };
            let Some(length) = rest[start..].find("}}") else {
                break;
            };
            filled.push_str(&rest[..start]);
            let found = self.look_up(&reference.parts);
            filled
                .push_str(&found.map_or_else(|| "(not there)".into(), |json| json.to_plain_text()));
            rest = &rest[start + length + 2..];
        }
        filled.push_str(rest);
        filled
    }

    /// Arguments with inputs and results in the place of references, as the tool will get them.
    pub(super) fn fill_arguments(&self, with: &str) -> Option<Json> {
        let mut arguments: Value = serde_json::from_str(with).ok()?;
        self.fill_value(&mut arguments);
        Json::encode(&arguments).ok()
    }

    fn fill_value(&self, value: &mut Value) {
        match value {
            Value::String(text) if text.contains("{{") => {
                let whole = references(text);
                let is_one = text.trim().starts_with("{{") && text.trim().ends_with("}}");
                let found = match whole.as_slice() {
                    [one] if is_one => self.look_up(&one.parts),
                    _ => None,
                };
                let found = found.and_then(|json| serde_json::from_str(json.text()).ok());
                *value = found.unwrap_or_else(|| Value::String(self.fill(text)));
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.fill_value(item)),
            Value::Object(fields) => fields.values_mut().for_each(|field| self.fill_value(field)),
            _ => {}
        }
    }

    fn look_up(&self, parts: &[String]) -> Option<Json> {
        let (first, path) = parts.split_first()?;
        if first == "inputs" {
            return self.plan().inputs.as_ref()?.at(path);
        }
        let path = path.get(1..)?;
        match self.output(first)? {
            Payload::Inline(json) => json.at(path),
            Payload::Blob { shown, .. } => match shown.get(&path.join(".")) {
                Some(found) => Some(found.clone()),
                // A later plan asks for it than the one it was kept for.
                None => Json::encode(&format!("(the result of task `{first}`)")).ok(),
            },
        }
    }

    /// What has become of a task, in one word.
    pub(super) fn standing(&self, task: &TaskKey) -> String {
        let found = self.task(task.as_str());
        found.map_or("no longer planned".into(), |(_, state)| {
            state.status.name().replace('_', " ")
        })
    }
}

/// What a result says, on one line.
fn in_words(output: &Payload) -> String {
    let field = |name: &&str| match output {
        Payload::Inline(json) => json.at(&[String::from(*name)]),
        Payload::Blob { shown, .. } => shown.get(*name).cloned(),
    };
    let text = IN_WORDS
        .iter()
        .find_map(field)
        .map(|json| json.to_plain_text());
    let text = text
        .map(|text| one_line(&text))
        .filter(|text| !text.is_empty());
    let text = text.unwrap_or_else(|| match output {
        Payload::Inline(json) => match fields_in_words(json.text()) {
            fields if fields.is_empty() => json.to_plain_text(),
            fields => fields,
        },
        Payload::Blob { bytes, .. } => format!("({bytes} bytes)"),
    });
    words::cut(&one_line(&text), RESULT_CHARS_MAX)
}

/// The fields of an object as people read them; nothing for anything else.
pub(super) fn readable(arguments: &Json) -> BTreeMap<String, String> {
    let fields = arguments.fields().into_iter();
    let read = fields.filter_map(|name| {
        let value = arguments.at(core::slice::from_ref(&name))?;
        Some((name, value.to_plain_text()))
    });
    read.collect()
}

fn cut(text: &str) -> String {
    let end = (0..=SHOWN_BYTES_MAX.min(text.len()))
        .rev()
        .find(|&end| text.is_char_boundary(end))
        .unwrap_or(0);
    let (all, begin) = (text.len(), &text[..end]);
    format!("{begin}… (the first {end} of {all} bytes)").to_string()
}
