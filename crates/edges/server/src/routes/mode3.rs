//! The four endpoints of the Mode 3 API, in its own words: thin routes over the same missions.

use std::collections::BTreeMap;
use std::sync::Arc;

use adjutant_catalogue::{MissionFacts, experts_of};
use adjutant_mission::{
    AgentId, Autonomy, CheckpointState, Command, Decision, Millis, Mission, MissionId, TaskStatus,
    Verdict,
};
use adjutant_store::Store;
use axum::Extension;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Value, json};

use super::checkpoints::take_answer;
use super::events;
use super::missions::{begin, send};
use super::{json as answer, read};
use crate::access::Authority;
use crate::identity::{mission_of_uuid, uuid_of_agent, uuid_of_checkpoint, uuid_of_mission};
use crate::mission_cache::folded;
use crate::mission_events::Dialect;
use crate::mode3::{checkpoint, id_of, status_word};
use crate::{App, Problem, idempotency, limits};
use adjutant_app::use_cases::StartMission;

/// How long a checkpoint of such a session waits before it means no.
const DEADLINE: Millis = Millis::seconds(300);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mode3Request {
    agent_id: String,
    message: String,
    mission_type: String,
    #[serde(default)]
    autonomy_level: Autonomy,
    #[serde(default)]
    context: BTreeMap<String, Value>,
}

pub(super) async fn stream<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let asked: Mode3Request = read(&body)?;
    let after = events::last_seen(&headers)?;
    let facts = adjutant_catalogue::mission(&asked.mission_type).ok_or_else(|| {
        let told = format!("unknown mission_type `{:.60}`", asked.mission_type);
        Problem::malformed(told)
    })?;
    let lead = lead(facts, &asked.agent_id)?;
    app.use_cases.check_message(&asked.message)?;
    let (knowledge_bases, context) = told(asked.context)?;
    let wanted = StartMission {
        mission: asked.mission_type,
        lead: Some(lead),
        objective: asked.message,
        knowledge_bases,
        inputs: BTreeMap::new(),
        context,
        attachments: Vec::new(),
        autonomy: asked.autonomy_level,
        budget: None,
        checkpoint_deadline: Some(DEADLINE),
    };
    let begun = begin(&app, &authority, &headers, &body, wanted).await?;
    let mut response =
        events::stream(&app, &authority, begun.mission, after, Dialect::Mode3).await?;
    if let Some(room) = begun.room {
        limits::tell(room, response.headers_mut());
    }
    Ok(response)
}

/// The expert with this UUID, if it may lead the mission.
fn lead(mission: &MissionFacts, uuid: &str) -> Result<AgentId, Problem> {
    let experts = experts_of(mission);
    let mut chosen = experts.iter();
    let chosen = chosen.find(|expert| uuid.eq_ignore_ascii_case(&uuid_of_agent(expert)));
    let chosen = chosen.and_then(|expert| AgentId::new(*expert).ok());
    chosen.ok_or_else(|| {
        let known = experts
            .iter()
            .map(|at| format!("{} ({at})", uuid_of_agent(at)));
        let known: Vec<String> = known.collect();
        Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "ADJ-9010",
            format!(
                "`{uuid:.60}` cannot lead {}; these can: {}",
                mission.id,
                known.join(", ")
            ),
            "GET /api/agents lists the UUIDs of all experts.",
        )
    })
}

/// What a context says: `knowledge_bases`, and otherwise what the mission and its agents are told.
fn told(
    mut context: BTreeMap<String, Value>,
) -> Result<(Vec<String>, BTreeMap<String, Value>), Problem> {
    let bases = context
        .remove("knowledge_bases")
        .unwrap_or_else(|| json!([]));
    let bases = serde_json::from_value(bases);
    let bases =
        bases.map_err(|_| Problem::malformed("`knowledge_bases` must be a list of names"))?;
    Ok((bases, context))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct HitlResponse {
    checkpoint_id: String,
    decision: Verdict,
    #[serde(default)]
    modifications: Option<String>,
}

pub(super) async fn respond<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    Path(session): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let mission = mission(&session)?;
    let response: HitlResponse = read(&body)?;
    let folded = folded(&app, mission).await?;
    let asked = folded.checkpoints().iter().find(|asked| {
        let uuid = uuid_of_checkpoint(id_of(mission, asked));
        uuid.eq_ignore_ascii_case(&response.checkpoint_id)
    });
    let asked = asked.ok_or_else(|| {
        let unknown = response.checkpoint_id;
        Problem::new(
            StatusCode::NOT_FOUND,
            "ADJ-9011",
            format!("this session has no checkpoint `{unknown:.60}`"),
            "The session's status shows the pending checkpoint.",
        )
    })?;
    let decision = decision(asked, response.decision, response.modifications);
    let key = idempotency::key_of(&headers)?;
    let taken = take_answer(
        &app,
        &authority,
        &folded,
        &asked.checkpoint,
        key.as_deref(),
        decision,
    )
    .await?;
    let will = taken.will(&app, &folded, &asked.checkpoint);
    let told = json!({ "session_id": uuid_of_mission(mission), "accepted": true, "will": will });
    Ok(answer(StatusCode::OK, &told))
}

/// An answer in our words. A yes takes the option that its words name, or else what is recommended, or the only one
/// there is; where it could mean several things, the mission asks which. All other words are a note.
fn decision(asked: &CheckpointState, verdict: Verdict, words: Option<String>) -> Decision {
    let checkpoint = &asked.checkpoint;
    let words = words.unwrap_or_default();
    let mut options = checkpoint.options.iter().map(|option| &option.key);
    let named = options.find(|key| key.as_str() == words.trim());
    let recommended = checkpoint.recommendation.as_ref().map(|told| &told.option);
    let only = match checkpoint.options.as_slice() {
        [one] => Some(&one.key),
        _ => None,
    };
    let option = match verdict {
        Verdict::Approve => named.or(recommended).or(only).cloned(),
        Verdict::Modify | Verdict::Reject => None,
    };
    let note = match named {
        Some(_) => String::new(),
        None => words,
    };
    Decision {
        option,
        note,
        ..Decision::new(verdict)
    }
}

pub(super) async fn status<S: Store>(
    State(app): State<Arc<App<S>>>,
    Path(session): Path<String>,
) -> Result<Response, Problem> {
    let mission = mission(&session)?;
    let folded = folded(&app, mission).await?;
    let pending = folded.open_checkpoints().next();
    let reason = folded.ending().map(|ending| &ending.reason);
    let (status, is_error) = status_word(&folded);
    let mut told = json!({
        "session_id": session.to_lowercase(),
        "status": status,
        "current_task": current_task(&folded),
        "progress_percent": progress(&folded),
        "awaiting_hitl": pending.is_some(),
        "pending_checkpoint": pending.map(|asked| checkpoint(mission, asked)),
    });
    if is_error {
        told["error"] = json!(reason);
    }
    Ok(answer(StatusCode::OK, &told))
}

fn current_task(mission: &Mission) -> Option<String> {
    let mut tasks = mission.tasks();
    let running = tasks.find(|(_, state)| state.status == TaskStatus::Running);
    running.map(|(task, _)| task.name().to_owned())
}

fn progress(mission: &Mission) -> f64 {
    let (mut all, mut ended) = (0u32, 0u32);
    for (_, state) in mission.tasks() {
        all += 1;
        ended += u32::from(state.status.is_ended());
    }
    match all {
        0 => 0.0,
        all => (f64::from(ended) / f64::from(all) * 1000.0).round() / 10.0,
    }
}

pub(super) async fn cancel<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    Path(session): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let mission = mission(&session)?;
    let command = Command::Abort {
        reason: format!("cancelled by {}", authority.who),
        undo: false,
    };
    send(&app, authority.actor(), mission, &headers, command).await?;
    let told = json!({ "session_id": session.to_lowercase(), "cancelled": true });
    Ok(answer(StatusCode::OK, &told))
}

fn mission(session: &str) -> Result<MissionId, Problem> {
    mission_of_uuid(session).ok_or_else(|| Problem::unknown_mission(session))
}
