//! Questions of a server's missions, and their answers.

use adjutant_mission::{
    CheckpointId, CheckpointNumber, CheckpointState, Decision, InboxEntry, MissionId, Verdict,
};
use serde_json::{Value, json};

use super::{as_type, mission_of, passport_of};
use crate::args::{Checkpoint, Decide};
use crate::commands::{answer, inbox as local, steer};
use crate::exit::Exit;
use crate::output::Form;
use adjutant_app::error::AppError;
use adjutant_app::find;
use adjutant_client::{Repeat, Server, empty_body, mission_path};

/// The task has given nothing.
const NO_ARTIFACT: &str = "ADJ-9020";

async fn open(server: &Server) -> Result<Vec<InboxEntry>, AppError> {
    let mut told = server.get("/api/inbox").await?;
    let mut entries: Vec<Value> = as_type(server, told["checkpoints"].take())?;
    for entry in &mut entries {
        if let Some(fields) = entry.as_object_mut() {
            // Said twice, for those who do not take a checkpoint's id apart.
            fields.remove("mission");
            fields.remove("number");
        }
    }
    as_type(server, entries.into())
}

pub(super) async fn inbox(server: &Server, form: Form) -> Result<Exit, AppError> {
    local::tell(&open(server).await?, form)
}

async fn checkpoint(server: &Server, text: &str) -> Result<CheckpointId, AppError> {
    let part = text.trim_start_matches("chk_");
    if let Some((id, number)) = part.rsplit_once('-') {
        let number = number.parse().map_err(|_| find::no_question(text))?;
        let mission = mission_of(server, id).await?;
        return Ok(CheckpointId {
            mission,
            number: CheckpointNumber::new(number),
        });
    }
    let mission = mission_of(server, part).await?;
    let folded = passport_of(server, mission).await?;
    let open = folded.open_checkpoints().map(|state| CheckpointId {
        mission,
        number: state.checkpoint.number,
    });
    find::only_open(mission, &open.collect::<Vec<_>>())
}

async fn send(
    server: &Server,
    id: CheckpointId,
    verb: &str,
    body: &Value,
    done: &str,
) -> Result<Exit, AppError> {
    let path = mission_path(id.mission, &format!("/checkpoints/{}/{verb}", id.number));
    server.post(&path, body, Repeat::Safe).await?;
    steer::delivered(id.mission, done)?;
    Ok(Exit::Ok)
}

pub(super) async fn claim(server: &Server, which: Checkpoint) -> Result<Exit, AppError> {
    let id = checkpoint(server, &which.checkpoint).await?;
    send(server, id, "claim", &empty_body(), "Claimed for an hour.").await
}

pub(super) async fn release(server: &Server, which: Checkpoint) -> Result<Exit, AppError> {
    let id = checkpoint(server, &which.checkpoint).await?;
    send(server, id, "release", &empty_body(), "Released.").await
}

async fn rewritten(
    server: &Server,
    mission: MissionId,
    text: &str,
    decision: Decision,
) -> Result<Decision, AppError> {
    let new = answer::Rewritten::read(text)?;
    let id = mission.to_string();
    let path = server.path(&["api", "missions", &id, "artifacts", &new.task], &[]);
    let given = match server.get(&path).await {
        Ok(given) => Some(given),
        Err(failure) if failure.has_code(NO_ARTIFACT) => None,
        Err(failure) => return Err(failure),
    };
    new.instead_of(given, decision)
}

pub(super) async fn decide(server: &Server, decide: Decide) -> Result<Exit, AppError> {
    let id = checkpoint(server, &decide.checkpoint.checkpoint).await?;
    let folded = passport_of(server, id.mission).await?;
    let state: CheckpointState = answer::question_of(&folded, id)?;
    let decision = match decide.verdict {
        Some(verdict) => {
            let decision = answer::spelled_out(verdict, &decide)?;
            match &decide.text {
                Some(text) => rewritten(server, id.mission, text, decision).await?,
                None => decision,
            }
        }
        None => match answer::typed(id, &state)? {
            Some(decision) => decision,
            None => return Ok(Exit::WaitingForHuman),
        },
    };
    let path = mission_path(id.mission, &format!("/checkpoints/{}/decision", id.number));
    let sent = server.post(&path, &json!(decision), Repeat::Safe).await;
    let answered = sent.map_err(|failure| answer::with_how_to(failure, id, &state))?;
    let done = match decision.verdict {
        Verdict::Approve => "Approved.",
        Verdict::Reject => "Rejected.",
        Verdict::Modify => answered["will"].as_str().unwrap_or("Changed."),
    };
    steer::delivered(id.mission, done)?;
    Ok(Exit::Ok)
}
