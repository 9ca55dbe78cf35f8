//! What agents found, and the passages that it rests on.

use std::collections::BTreeMap;

use adjutant_mission::{Payload, TaskKey, WorkSpec};
use serde_json::{Value, json};

use crate::EventType;
use crate::event::{ONE_PPM, Told};
use crate::sources::Sources;

/// Fields under which the answers of agents hold passages of sources.
const PASSAGES: [&str; 2] = ["evidence", "citations"];

/// The passages told so far: each is told once, however many findings rest on it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Citations {
    numbers: BTreeMap<(String, String), usize>,
}

impl Citations {
    pub(crate) fn count(&self) -> usize {
        self.numbers.len()
    }

    /// A task ended well: if an agent did it, what it found is told, each passage before the finding that rests on it.
    pub(crate) fn gather(
        &mut self,
        told: &mut Told<'_>,
        task: &TaskKey,
        output: &Payload,
        sources: &Sources,
    ) {
        let spec = told.mission.task(task.as_str()).map(|(spec, _)| spec);
        if !spec.is_some_and(|spec| matches!(spec.work, WorkSpec::Agent(_))) {
            return;
        }
        let answer = told.held(output);
        let overall = confidence(&answer);
        let findings = answer.get("findings").and_then(Value::as_array);
        for finding in findings.into_iter().flatten() {
            let own = confidence(finding);
            let cited = Cited {
                task,
                confidence: own.or(overall),
                sources,
            };
            let citations = self.cite(told, &cited, finding);
            let data = json!({
                "task_id": task,
                "agent_id": told.doer(task),
                "text": finding.get("text"),
                "kind": finding.get("kind"),
                "confidence": own.map(in_full),
                "confidence_ppm": own,
                "citations": citations,
            });
            told.tell(EventType::InsightGenerated, data);
        }
        // Answers of other shapes hold passages elsewhere.
        let cited = Cited {
            task,
            confidence: overall,
            sources,
        };
        self.cite(told, &cited, &answer);
    }

    /// Tells the passages anywhere in `within` that were not told before. Gives the numbers of all of them.
    fn cite(&mut self, told: &mut Told<'_>, cited: &Cited<'_>, within: &Value) -> Vec<usize> {
        let mut passages = Vec::new();
        collect(within, &mut passages);
        let mut numbers = Vec::new();
        for (source, quote) in passages {
            let next = self.numbers.len() + 1;
            let key = (source.to_owned(), quote.to_owned());
            let number = *self.numbers.entry(key).or_insert(next);
            if number == next {
                let mut data = cited.sources.describe(source);
                data["id"] = number.to_string().into();
                data["number"] = number.into();
                data["task_id"] = json!(cited.task);
                data["agent_id"] = json!(told.doer(cited.task));
                data["source"] = source.into();
                data["citation_text"] = quote.into();
                data["quote"] = quote.into();
                data["confidence"] = json!(cited.confidence.map(in_full));
                told.tell(EventType::CitationAdded, data);
            }
            if !numbers.contains(&number) {
                numbers.push(number);
            }
        }
        numbers
    }
}

/// Where a passage is cited, and how sure that answer is of it.
struct Cited<'a> {
    task: &'a TaskKey,
    confidence: Option<u32>,
    sources: &'a Sources,
}

/// Every passage in a value, in order. Values are read with a limit on their depth, so this ends soon.
pub(crate) fn collect<'a>(value: &'a Value, into: &mut Vec<(&'a str, &'a str)>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, into)),
        Value::Object(fields) => {
            for (name, field) in fields {
                let passages = field
                    .as_array()
                    .filter(|_| PASSAGES.contains(&name.as_str()));
                into.extend(passages.into_iter().flatten().filter_map(passage));
                collect(field, into);
            }
        }
        _ => {}
    }
}

fn passage(value: &Value) -> Option<(&str, &str)> {
    let part = |name| value.get(name).and_then(Value::as_str);
    Some((part("source")?, part("quote")?))
}

/// The confidence of an answer or a finding, from 0 to 1, in parts per million.
fn confidence(of: &Value) -> Option<u32> {
    let share = of.get("confidence")?.as_f64()?;
    // Within 0 and a million it fits.
    Some((share.clamp(0.0, 1.0) * f64::from(ONE_PPM)).round() as u32)
}

fn in_full(ppm: u32) -> f64 {
    f64::from(ppm) / f64::from(ONE_PPM)
}
