//! Verbs against a server (`--server`): what it answers is read into the types that the local verbs show, and shown by
//! them. No store of this machine is opened or made.

mod access;
mod analytics;
mod budget;
mod follow;
mod forks;
mod library;
mod missions;
mod questions;
mod refusal;
mod stops;
mod triggers;

use adjutant_mission::{Mission, MissionId};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::args::{Command, MissionOf};
use crate::exit::Exit;
use adjutant_app::error::AppError;
use adjutant_app::find;
use adjutant_app::settings::Environment;

use adjutant_client::{Server, ServerAddress, mission_path};

pub(super) use refusal::needs_no_store;

/// How many of the newest missions are searched for a part of an id.
const SEARCHED_MAX: usize = 100_000;
const PAGE: usize = 500;

pub(super) async fn run(
    command: Command,
    server: ServerAddress,
    environment: &Environment,
) -> Result<Exit, AppError> {
    // Before anything is asked: what cannot be done is not begun.
    refusal::check(&command)?;
    let server = &Server::reach(&server, environment).await?;
    match command {
        Command::Mission(MissionOf::List(json)) => {
            missions::catalogue(server, json.json.into()).await
        }
        Command::Mission(MissionOf::Start(start)) => missions::start(server, *start).await,
        Command::List(list) => missions::list(server, list).await,
        Command::Show(show) => missions::show(server, show).await,
        Command::Watch(watch) => missions::watch(server, watch).await,
        Command::Events(events) => missions::events(server, events).await,
        Command::Report(report) => missions::report(server, report).await,
        Command::Stats(stats) => analytics::stats(server, stats).await,
        Command::Rate(rate) => analytics::rate(server, rate).await,
        Command::Inbox(json) => questions::inbox(server, json.json.into()).await,
        Command::Decide(decide) => questions::decide(server, decide).await,
        Command::Claim(which) => questions::claim(server, which).await,
        Command::Release(which) => questions::release(server, which).await,
        Command::Pause(pause) => missions::pause(server, pause).await,
        Command::Resume(which) => missions::resume(server, which).await,
        Command::Continue(which) => missions::go_on(server, which).await,
        Command::Abort(abort) => missions::abort(server, abort).await,
        Command::Inform(inform) => missions::inform(server, inform).await,
        Command::Access(which) => access::run(server, which).await,
        Command::Fork(fork) => forks::fork(server, fork).await,
        Command::Compare(compare) => forks::compare(server, compare).await,
        Command::Export(export) => forks::export(server, export).await,
        Command::Stop(stop) => stops::stop(server, stop).await,
        Command::Allow(allow) => stops::allow(server, allow).await,
        Command::Stops(json) => stops::list(server, json.json.into()).await,
        Command::Budget(which) => budget::run(server, which).await,
        Command::Trigger(which) => triggers::run(server, which).await,
        Command::Tools(which) => library::tools(server, which).await,
        Command::Kb(which) => library::knowledge(server, which).await,
        other => Err(refusal::unknown(&other)),
    }
}

/// A part of an answer, as one of our types.
fn as_type<T: DeserializeOwned>(server: &Server, value: Value) -> Result<T, AppError> {
    serde_json::from_value(value).map_err(|error| server.unexpected_answer(&error.to_string()))
}

/// A mission as it stands.
async fn passport_of(server: &Server, mission: MissionId) -> Result<Mission, AppError> {
    let bytes = server.bytes(&mission_path(mission, "")).await?;
    Mission::from_passport(&bytes).map_err(|error| server.unexpected_answer(&error.to_string()))
}

/// The mission whose id is `text`, or begins or ends with it; `last` is the newest.
async fn mission_of(server: &Server, text: &str) -> Result<MissionId, AppError> {
    if let Ok(id) = text.parse() {
        return Ok(id);
    }
    let part = match text {
        "last" => String::new(),
        text => find::part(text)?,
    };
    let (mut found, mut cursor, mut searched) = (Vec::new(), String::new(), 0);
    while searched < SEARCHED_MAX {
        let limit = if text == "last" { 1 } else { PAGE };
        let path = format!("/api/missions?limit={limit}{cursor}");
        let page = server.get(&path).await?;
        let rows = page["missions"].as_array().cloned().unwrap_or_default();
        searched += rows.len();
        for row in rows {
            let id: MissionId = as_type(server, row["mission"].clone())?;
            let told = id.to_string();
            let digits = told.trim_start_matches(MissionId::PREFIX);
            if digits.starts_with(&part) || digits.ends_with(&part) {
                found.push(id);
            }
        }
        match page["next_cursor"].as_str() {
            Some(next) if text != "last" => cursor = format!("&cursor={next}"),
            _ => break,
        }
    }
    find::only(text, &found)
}
