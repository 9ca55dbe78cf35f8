//! What a mission found, numbered, so that people can say which of it was useful.

use std::collections::BTreeSet;

use adjutant_mission::{CorruptJournal, Event, Mission, Recorded, WorkSpec};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::count::Outputs;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Insight {
    /// From 1, in the order in which they were found; the same number for as long as the journal stands.
    pub number: u32,
    pub task: String,
    pub text: String,
}

/// The findings of a mission's agents, each text once.
pub fn insights(events: &[Recorded], outputs: &Outputs) -> Result<Vec<Insight>, CorruptJournal> {
    let mut mission: Option<Mission> = None;
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    for recorded in events {
        let now = match mission.take() {
            None => Mission::begin(recorded)?,
            Some(mut before) => {
                before.apply(recorded)?;
                before
            }
        };
        if let Event::TaskCompleted { task, output, .. } | Event::TaskHeld { task, output, .. } =
            &recorded.event
            && is_by_agent(&now, task.as_str())
            && let Some(answer) = outputs.value(output)
        {
            for text in findings(&answer) {
                if seen.insert(text.clone()) {
                    found.push(Insight {
                        number: u32::try_from(found.len())
                            .unwrap_or(u32::MAX)
                            .saturating_add(1),
                        task: task.to_string(),
                        text,
                    });
                }
            }
        }
        mission = Some(now);
    }
    Ok(found)
}

pub(crate) fn is_by_agent(mission: &Mission, task: &str) -> bool {
    let spec = mission.task(task).map(|(spec, _)| spec);
    spec.is_some_and(|spec| matches!(spec.work, WorkSpec::Agent(_)))
}

fn findings(answer: &Value) -> impl Iterator<Item = String> + '_ {
    let findings = answer.get("findings").and_then(Value::as_array);
    let texts = findings.into_iter().flatten();
    texts
        .filter_map(|finding| finding.get("text")?.as_str())
        .map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty())
}
