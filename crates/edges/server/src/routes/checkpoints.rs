//! Questions that missions put to people, and their answers.

use std::sync::Arc;

use adjutant_host::HostError;
use adjutant_journal::JournalError;
use adjutant_mission::{
    Actor, Checkpoint, CheckpointNumber, Command, Decision, Mission, MissionId, Refused,
};
use adjutant_session_events::rfc3339;
use adjutant_store::{Store, TenantStore};
use axum::Extension;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use bytes::Bytes;
use serde_json::{Value, json};

use super::missions::{check_words, command_id, send, send_as};
use super::{json as answer, mission_id, read};
use crate::access::Authority;
use crate::mission_cache::folded;
use crate::mission_events::Place;
use crate::{App, Problem, idempotency};
use adjutant_app::workflow::{may_answer, not_its_own, program_makers};

const INBOX_MAX: u32 = 500;

pub(super) async fn inbox<S: Store>(State(app): State<Arc<App<S>>>) -> Result<Response, Problem> {
    let journal = app.host.journal(&app.tenant);
    // Before the questions are read: whoever follows from here on misses none.
    let place = journal.store().newest().await.map_err(JournalError::from)?;
    let open = journal.inbox(INBOX_MAX).await?;
    let open = open.iter().map(|entry| {
        let mut told = json!(entry);
        told["mission"] = json!(entry.checkpoint.mission);
        told["number"] = entry.checkpoint.number.get().into();
        // As events tell it.
        told["opened"] = rfc3339(entry.opened_at).into();
        told["answer_by"] = rfc3339(entry.deadline).into();
        told
    });
    let open: Vec<Value> = open.collect();
    Ok(answer(
        StatusCode::OK,
        &json!({ "checkpoints": open, "place": Place::after_all_of(place).to_string() }),
    ))
}

/// Every question of a mission with all that helps to answer it, and what became of it.
pub(super) async fn list<S: Store>(
    State(app): State<Arc<App<S>>>,
    Path(mission): Path<String>,
) -> Result<Response, Problem> {
    let mission = mission_id(&mission)?;
    let folded = folded(&app, mission).await?;
    let body = json!({ "mission": mission, "checkpoints": folded.checkpoints() });
    Ok(answer(StatusCode::OK, &body))
}

fn which((mission, number): (String, String)) -> Result<(MissionId, CheckpointNumber), Problem> {
    let number = number.parse();
    let number =
        number.map_err(|_| Problem::malformed("a checkpoint is identified by a number"))?;
    Ok((mission_id(&mission)?, CheckpointNumber::new(number)))
}

/// As whom somebody answers.
async fn answering<S: Store>(
    app: &App<S>,
    authority: &Authority,
    mission: MissionId,
    number: CheckpointNumber,
) -> Result<Actor, Problem> {
    let folded = folded(app, mission).await?;
    let asked = folded.checkpoints().get(number.index());
    Ok(authority.answering(asked.map(|asked| &*asked.checkpoint)))
}

pub(super) async fn claim<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    Path(path): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (mission, checkpoint) = which(path)?;
    // Whoever cannot answer does not keep others from it.
    let makers = program_makers(&app.host.journal(&app.tenant), mission).await?;
    not_its_own(&makers, &authority.who, authority.way)?;
    let command = Command::Claim { checkpoint };
    let by = answering(&app, &authority, mission, checkpoint).await?;
    send(&app, by, mission, &headers, command).await
}

pub(super) async fn release<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    Path(path): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (mission, checkpoint) = which(path)?;
    let command = Command::Release { checkpoint };
    let by = answering(&app, &authority, mission, checkpoint).await?;
    send(&app, by, mission, &headers, command).await
}

pub(super) async fn decide<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    Path(path): Path<(String, String)>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let (mission, number) = which(path)?;
    let decision: Decision = read(&body)?;
    let folded = folded(&app, mission).await?;
    let asked = folded.checkpoints().get(number.index());
    let asked = asked.ok_or_else(|| {
        let refused = Refused::CheckpointUnknown { checkpoint: number };
        Problem::from(HostError::Refused(refused))
    })?;
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
    let body = json!({ "mission": mission, "will": will });
    Ok(answer(StatusCode::OK, &body))
}

/// An answer that was taken.
pub(super) struct TakenAnswer {
    /// With what its words ask for spelled out.
    decision: Decision,
    /// Whether it is the same answer as one that was taken before.
    pub(super) is_repeated: bool,
}

impl TakenAnswer {
    /// What follows from it, in words.
    pub(super) fn will<S: Store>(
        &self,
        app: &App<S>,
        mission: &Mission,
        checkpoint: &Checkpoint,
    ) -> String {
        app.use_cases
            .consequence(mission, checkpoint, &self.decision)
    }
}

/// Takes an answer. With a key, the same answer counts once however often it comes.
pub(super) async fn take_answer<S: Store>(
    app: &App<S>,
    authority: &Authority,
    mission: &Mission,
    checkpoint: &Checkpoint,
    key: Option<&str>,
    decision: Decision,
) -> Result<TakenAnswer, Problem> {
    let by = authority.answering(Some(checkpoint));
    let said = Command::Decide {
        checkpoint: checkpoint.number,
        decision: decision.clone(),
    };
    check_words(&said)?;
    let makers = program_makers(&app.host.journal(&app.tenant), mission.id()).await?;
    let (who, way) = (&authority.who, authority.way);
    may_answer(&makers, who, way, &checkpoint.asks, &decision)?;
    // By what was said, not by what came of it: said again it is the same command.
    let id = command_id(app, key, &by, mission.id(), &said)?;
    let is_repeated = mission.has_command(id);
    let decision = match is_repeated {
        true => decision,
        false => {
            let spelled = app
                .use_cases
                .spell_out(by.clone(), mission, checkpoint, decision);
            spelled.await?
        }
    };
    let command = Command::Decide {
        checkpoint: checkpoint.number,
        decision: decision.clone(),
    };
    send_as(app, by, mission.id(), id, command).await?;
    Ok(TakenAnswer {
        decision,
        is_repeated,
    })
}
