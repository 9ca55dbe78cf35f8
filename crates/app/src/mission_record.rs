//! A mission as loaded for reports and audits: its events, its state, and the outputs of its tasks.

use std::collections::BTreeMap;

use adjutant_journal::TenantJournal;
use adjutant_mission::{Event, Json, Mission, MissionId, Payload, Recorded, WorkSpec};
use adjutant_store::TenantStore;
use serde_json::Value;

use crate::error::AppError;

/// The tool that holds a document against its sources.
pub(crate) const JUDGE: &str = "judge";

#[derive(Debug)]
pub struct MissionRecord {
    pub events: Vec<Recorded>,
    pub mission: Mission,
    /// Outputs that are stored outside the journal, by digest.
    pub blobs: BTreeMap<String, Json>,
    /// The hash of the last event in the journal.
    pub head: String,
}

impl MissionRecord {
    pub async fn read<T: TenantStore>(
        journal: &TenantJournal<T>,
        mission: MissionId,
    ) -> Result<Self, AppError> {
        let (events, _) = journal.read(mission).await?;
        let (folded, standing) = journal.load(mission).await?;
        let mut blobs = BTreeMap::new();
        for digest in blob_digests(&folded, &events) {
            if let Ok(parsed) = digest.parse()
                && let Some(json) = journal.output(&standing.seal, mission, parsed).await?
            {
                blobs.insert(digest, json);
            }
        }
        Ok(Self {
            events,
            head: standing.head.hash.to_string(),
            mission: folded,
            blobs,
        })
    }

    /// The output of a task or a step, from the journal or from a blob.
    pub fn output(&self, payload: &Payload) -> Option<Value> {
        let json = match payload {
            Payload::Inline(json) => json,
            Payload::Blob { digest, .. } => self.blobs.get(digest)?,
        };
        serde_json::from_str(json.text()).ok()
    }

    /// Whether any lookup was answered by a stand-in instead of the public database.
    pub fn has_stand_in_answers(&self) -> bool {
        self.mission.tasks().any(|(_, state)| {
            let steps = state.steps.iter().map(|taken| &taken.output);
            let mut gave = steps.chain(state.output.as_ref());
            gave.any(|payload| {
                let output = self.output(payload);
                output.is_some_and(|output| output["stand_in"] == true)
            })
        })
    }

    /// The sources that the tasks found, without duplicates, in the form that questions and reports use.
    pub fn sources(&self) -> Vec<Value> {
        let mut sources: Vec<Value> = Vec::new();
        for (_, state) in self.mission.tasks() {
            let output = state.output.as_ref().and_then(|output| self.output(output));
            let given = output
                .as_ref()
                .and_then(|output| output["sources"].as_array());
            for source in given.into_iter().flatten() {
                let is_new = !sources.iter().any(|had| had["id"] == source["id"]);
                if is_new && source["id"].is_string() && source["text"].is_string() {
                    let fields = ["id", "title", "text", "published"].into_iter();
                    let kept = fields.filter_map(|name| {
                        let value = source.get(name).filter(|value| value.is_string())?;
                        Some((name.to_owned(), value.clone()))
                    });
                    sources.push(Value::Object(kept.collect()));
                }
            }
        }
        sources
    }
}

/// The digests of all outputs of tasks and steps that are stored outside the journal. For judges, those of earlier rounds
/// too, because the report lists every round.
fn blob_digests(mission: &Mission, events: &[Recorded]) -> Vec<String> {
    let given = mission.tasks().flat_map(|(_, state)| {
        let steps = state.steps.iter().map(|taken| &taken.output);
        steps.chain(state.output.as_ref())
    });
    let judged = events.iter().filter_map(|recorded| match &recorded.event {
        Event::TaskCompleted { task, output, .. } if is_judge(mission, task.as_str()) => {
            Some(output)
        }
        _ => None,
    });
    let digests = given.chain(judged).filter_map(|payload| match payload {
        Payload::Blob { digest, .. } => Some(digest.clone()),
        Payload::Inline(_) => None,
    });
    digests.collect()
}

/// Whether a task holds a report against its sources.
pub(crate) fn is_judge(mission: &Mission, task: &str) -> bool {
    mission.task(task).is_some_and(
        |(task, _)| matches!(&task.work, WorkSpec::Tool(call) if call.tool.as_str() == JUDGE),
    )
}
