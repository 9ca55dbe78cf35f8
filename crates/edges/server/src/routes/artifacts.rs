//! What a mission made, and what it rests on: artifacts, citations, checks, calls and steps.

use std::collections::BTreeMap;
use std::sync::Arc;

use adjutant_app::constitution::Release;
use adjutant_app::event_contents::events_of;
use adjutant_journal::{JournalError, TenantJournal};
use adjutant_mission::{ArtifactAddress, Event, MissionId, Payload, Recorded, TaskKey, WorkSpec};
use adjutant_session_events::{EventType, rfc3339};
use adjutant_store::{Store, TenantStore};
use axum::Extension;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::calls::calls_of;
use super::{json as answer, mission_id};
use crate::access::Authority;
use crate::content::content;
use crate::mission_cache::folded;
use crate::outgoing::{redact, redact_for, sees_originals};
use crate::{App, Problem};

/// Fields under which the answers of agents hold passages of sources.
const PASSAGES: [&str; 2] = ["evidence", "citations"];

/// Everything that tasks gave, by name. What was done last is what the mission hands over.
pub(super) async fn artifacts<S: Store>(
    State(app): State<Arc<App<S>>>,
    Path(mission): Path<String>,
) -> Result<Response, Problem> {
    let mission = mission_id(&mission)?;
    let folded = folded(&app, mission).await?;
    let results: Vec<&TaskKey> = folded.last_tasks().collect();
    let given = folded.tasks().filter_map(|(task, state)| {
        let (digest, bytes) = match state.output.as_ref()? {
            Payload::Inline(json) => (None, json.text().len() as u64),
            Payload::Blob { digest, bytes, .. } => (Some(digest), *bytes),
        };
        let address = ArtifactAddress {
            mission,
            name: task.key.clone(),
        };
        Some(json!({
            "name": task.key,
            "address": address.to_string(),
            "title": task.name(),
            "status": state.status,
            "bytes": bytes,
            "digest": digest,
            "is_result": results.contains(&&task.key),
        }))
    });
    let given: Vec<Value> = given.collect();
    let told = json!({ "mission": mission, "artifacts": given });
    Ok(answer(StatusCode::OK, &told))
}

/// One output, as the task returned it.
pub(super) async fn artifact<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    Path((mission, name)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let mission = mission_id(&mission)?;
    let journal = app.host.journal(&app.tenant);
    let (folded, standing) = journal.load(mission).await?;
    let given = folded.output(&name);
    let given = content(&journal, &standing.seal, mission, given).await?;
    let given = given.ok_or_else(|| {
        Problem::new(
            StatusCode::NOT_FOUND,
            "ADJ-9020",
            format!("this mission has no artifact `{name:.60}` yet"),
            "List the artifacts with GET /api/missions/{mission}/artifacts.",
        )
    })?;
    let mut told: Value = serde_json::from_str(given.text()).unwrap_or_default();
    app.use_cases.may_leave(&folded, &told)?;
    if !sees_originals(&authority) {
        redact(&app, mission, &mut told).await?;
        return Ok(answer(StatusCode::OK, &told));
    }
    let kind = [(header::CONTENT_TYPE, "application/json")];
    Ok((StatusCode::OK, kind, given.into_string()).into_response())
}

/// Every passage that what agents found rests on, each once, with the tasks that rest on it.
pub(super) async fn citations<S: Store>(
    State(app): State<Arc<App<S>>>,
    Path(mission): Path<String>,
) -> Result<Response, Problem> {
    let mission = mission_id(&mission)?;
    let journal = app.host.journal(&app.tenant);
    let (folded, standing) = journal.load(mission).await?;
    let mut gathered = Citations::default();
    for (task, state) in folded.tasks() {
        if !matches!(task.work, WorkSpec::Agent(_)) {
            continue;
        }
        let given = content(&journal, &standing.seal, mission, state.output.as_ref()).await?;
        let given = given.and_then(|json| serde_json::from_str(json.text()).ok());
        gathered.gather(&task.key, &given.unwrap_or_default());
    }
    let known = sources_of(&journal, mission).await?;
    let mut told = json!({ "mission": mission, "citations": gathered.told(&known) });
    app.use_cases.may_leave(&folded, &told)?;
    redact(&app, mission, &mut told).await?;
    Ok(answer(StatusCode::OK, &told))
}

/// What events say of each passage, by its source and text.
type Known = BTreeMap<(String, String), Value>;

async fn sources_of<T: TenantStore>(
    journal: &TenantJournal<T>,
    mission: MissionId,
) -> Result<Known, JournalError> {
    let (recorded, _) = journal.read(mission).await?;
    let events = events_of(journal, mission, &recorded).await?;
    let cited = events
        .into_iter()
        .filter(|event| event.event_type == EventType::CitationAdded);
    let known = cited.map(|event| {
        let part = |name: &str| event.data[name].as_str().unwrap_or_default().to_owned();
        ((part("source"), part("quote")), Value::Object(event.data))
    });
    Ok(known.collect())
}

/// Passages in the order in which they came.
#[derive(Default)]
struct Citations {
    numbers: BTreeMap<(String, String), usize>,
    /// Source, quote, and who rests on it.
    passages: Vec<(String, String, Vec<TaskKey>)>,
}

impl Citations {
    /// Values are read with a limit on their depth, so this ends soon.
    fn gather(&mut self, task: &TaskKey, within: &Value) {
        match within {
            Value::Array(items) => items.iter().for_each(|item| self.gather(task, item)),
            Value::Object(fields) => {
                for (name, field) in fields {
                    let passages = field
                        .as_array()
                        .filter(|_| PASSAGES.contains(&name.as_str()));
                    for passage in passages.into_iter().flatten() {
                        self.cite(task, passage);
                    }
                    self.gather(task, field);
                }
            }
            _ => {}
        }
    }

    fn cite(&mut self, task: &TaskKey, passage: &Value) {
        let part = |name| passage.get(name).and_then(Value::as_str);
        let (Some(source), Some(quote)) = (part("source"), part("quote")) else {
            return;
        };
        let key = (source.to_owned(), quote.to_owned());
        let at = *self.numbers.entry(key).or_insert(self.passages.len());
        match self.passages.get_mut(at) {
            None => {
                let told = (source.to_owned(), quote.to_owned(), vec![task.clone()]);
                self.passages.push(told);
            }
            Some((_, _, tasks)) if !tasks.contains(task) => tasks.push(task.clone()),
            Some(_) => {}
        }
    }

    /// With what is known of their sources, as the event says it; `number` and `id` are those of the event, too.
    fn told(&self, known: &Known) -> Vec<Value> {
        let passages = (1..).zip(&self.passages);
        let told = passages.map(|(number, (source, quote, tasks)): (usize, _)| {
            let event = known.get(&(source.clone(), quote.clone()));
            let mut told = event.cloned().unwrap_or_else(|| {
                json!({ "number": number, "source": source, "quote": quote, "citation_text": quote })
            });
            if let Some(fields) = told.as_object_mut() {
                fields.remove("task_id");
                fields.remove("agent_id");
            }
            told["tasks"] = json!(tasks);
            told
        });
        told.collect()
    }
}

/// What was judged on the way: verdicts of gates, how sure conclusions are, and what agents wanted and may not.
pub(super) async fn checks<S: Store>(
    State(app): State<Arc<App<S>>>,
    Path(mission): Path<String>,
) -> Result<Response, Problem> {
    let mission = mission_id(&mission)?;
    let (events, _) = app.host.journal(&app.tenant).read(mission).await?;
    let checks: Vec<Value> = events.iter().filter_map(check).collect();
    let told = json!({ "mission": mission, "checks": checks });
    Ok(answer(StatusCode::OK, &told))
}

fn check(recorded: &Recorded) -> Option<Value> {
    let (kind, task, passed, found) = match &recorded.event {
        Event::GateJudged {
            task,
            verdict,
            reason,
            then,
            ..
        } => {
            let found = json!({ "verdict": verdict, "reason": reason, "then": then });
            let passed = *verdict == adjutant_mission::GateVerdict::Valid;
            ("gate", task, passed, found)
        }
        Event::ConfidenceAssessed {
            task,
            assessment,
            then,
        } => {
            let found = json!({ "assessment": assessment, "then": then });
            ("confidence", task, assessment.is_enough(), found)
        }
        Event::BreachRefused {
            task,
            agent,
            wanted,
            reason,
        } => {
            let found = json!({ "agent": agent, "wanted": wanted, "reason": reason });
            ("permission", task, false, found)
        }
        _ => return None,
    };
    Some(json!({
        "kind": kind,
        "task": task,
        "passed": passed,
        "found": found,
        "sequence": recorded.seq,
        "at": rfc3339(recorded.at),
    }))
}

/// Every call of a tool and every question to a model, with what it cost.
pub(super) async fn calls<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    Path(mission): Path<String>,
) -> Result<Response, Problem> {
    let mission = mission_id(&mission)?;
    let (events, _) = app.host.journal(&app.tenant).read(mission).await?;
    let calls = calls_of(&events).map_err(|source| JournalError::Corrupt {
        mission,
        source: Box::new(source),
    })?;
    let mut told = json!({ "mission": mission, "calls": calls });
    Release::new(&*folded(&app, mission).await?, &[]).withhold(&mut told);
    redact_for(&app, &authority, mission, &mut told).await?;
    Ok(answer(StatusCode::OK, &told))
}

/// The steps of all reasonings, task by task, with what each came to.
pub(super) async fn steps<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    Path(mission): Path<String>,
) -> Result<Response, Problem> {
    let mission = mission_id(&mission)?;
    let journal = app.host.journal(&app.tenant);
    let (folded, standing) = journal.load(mission).await?;
    let mut steps = Vec::new();
    for (task, state) in folded.tasks() {
        for (number, taken) in state.steps.iter().enumerate() {
            let mut step = json!(taken);
            let given = content(&journal, &standing.seal, mission, Some(&taken.output)).await?;
            step["output"] = json!(given);
            step["task"] = json!(task.key);
            step["by"] = json!(state.doer(task));
            step["number"] = number.into();
            steps.push(step);
        }
    }
    let mut told = json!({ "mission": mission, "steps": steps });
    app.use_cases.may_leave(&folded, &told)?;
    redact_for(&app, &authority, mission, &mut told).await?;
    Ok(answer(StatusCode::OK, &told))
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_is_told_once_with_all_that_rest_on_it() {
        let (one, two) = (TaskKey::new("one").unwrap(), TaskKey::new("two").unwrap());
        let passage = json!({ "source": "kb:a", "quote": "It is so." });
        let other = json!({ "source": "kb:a", "quote": "And so." });
        let mut gathered = Citations::default();
        gathered.gather(
            &one,
            &json!({ "findings": [{ "text": "x", "evidence": [passage] }] }),
        );
        gathered.gather(
            &two,
            &json!({ "citations": [other, passage], "source": "no" }),
        );
        let event =
            json!({ "number": 7, "id": "7", "title": "A", "task_id": "one", "quote": "It is so." });
        let known = Known::from([(("kb:a".to_owned(), "It is so.".to_owned()), event)]);
        let told = gathered.told(&known);
        assert_eq!(told[0]["title"], "A");
        assert_eq!(told[0].get("task_id"), None);
        assert_eq!(told.len(), 2);
        assert_eq!(told[0]["number"], 7);
        assert_eq!(told[0]["tasks"], json!(["one", "two"]));
        assert_eq!(told[1]["quote"], "And so.");
    }
}
