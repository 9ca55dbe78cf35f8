//! A server's missions beside one another: forked, compared, and taken along in a file.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write as _};

use adjutant_journal::JournalError;
use adjutant_mission::{Comparison, Json, MissionId};
use serde_json::{Value, json};

use super::{as_type, mission_of, passport_of};
use crate::args::{Compare, Export, Fork};
use crate::commands::fork::{self as local, Set};
use crate::commands::{compare as comparing, export as exporting};
use crate::exit::Exit;
use crate::output::Form;
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_client::{Repeat, Server, mission_path};

pub(super) async fn fork(server: &Server, fork: Fork) -> Result<Exit, AppError> {
    let form = Form::from(fork.json.json);
    let original = mission_of(server, &fork.mission.mission).await?;
    let stood = passport_of(server, original).await?;
    let (mut decisions, mut inputs) = (Vec::new(), BTreeMap::<String, Json>::new());
    let mut model = None;
    for set in &fork.set {
        match Set::read(set, &stood)? {
            Set::Decision(checkpoint, decision) => {
                decisions.push(json!({ "checkpoint": checkpoint, "decision": decision }));
            }
            Set::Input(name, value) => {
                inputs.insert(name, value);
            }
            Set::Model(named) => model = Some(named),
        }
    }
    let body = json!({
        "at": fork.at, "decisions": decisions, "inputs": inputs, "model": model,
    });
    let path = mission_path(original, "/fork");
    let mut told = server.post(&path, &body, Repeat::Safe).await?;
    let mission: MissionId = as_type(server, told["mission"].take())?;
    let forked = passport_of(server, mission).await?;
    let at = forked.forked().map_or(0, |forked| forked.at);
    local::tell(mission, original, at, form)?;
    if form == Form::Text {
        local::tell_how_to_compare(original, mission);
    }
    Ok(Exit::Ok)
}

pub(super) async fn compare(server: &Server, compare: Compare) -> Result<Exit, AppError> {
    let a = mission_of(server, &compare.a).await?;
    let b = mission_of(server, &compare.b).await?;
    let told: Value = server
        .get(&mission_path(a, &format!("/compare/{b}")))
        .await?;
    let told: Comparison = as_type(server, told)?;
    comparing::tell(&told, compare.json.json.into())
}

/// One mission: a server writes each into a file of its own. What was not taken over whole is not left behind.
pub(super) async fn export(server: &Server, export: Export) -> Result<Exit, AppError> {
    let [named] = export.missions.as_slice() else {
        return Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6146",
            "a server exports one mission at a time",
            "Name one mission, or export them on the server's machine.",
        ));
    };
    let mission = mission_of(server, named).await?;
    let answer = server.open(&mission_path(mission, "/export")).await?;
    let file = exporting::create(&export.output)?;
    let written = take_over(server, answer, BufWriter::new(file)).await;
    let size = match written {
        Ok(written) => exporting::finish(&export.output, written)?,
        Err(away) => {
            // It is no file of ours yet; if it cannot be removed, its end says so.
            let _ = std::fs::remove_file(&export.output);
            return Err(away);
        }
    };
    exporting::tell_exported(&export, &[mission], size)
}

type Written = Result<BufWriter<File>, JournalError>;

async fn take_over(
    server: &Server,
    mut answer: reqwest::Response,
    mut to: BufWriter<File>,
) -> Result<Written, AppError> {
    while let Some(more) = answer
        .chunk()
        .await
        .map_err(|error| server.unreachable(&error))?
    {
        if let Err(error) = to.write_all(&more) {
            return Ok(Err(JournalError::Write(error)));
        }
    }
    Ok(Ok(to))
}
