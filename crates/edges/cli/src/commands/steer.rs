//! Commands that move a mission from outside: pause, resume, continue, abort, inform.

use adjutant_host::Performs;
use adjutant_mission::{Command, Json, MissionId, Trust};

use crate::args::{Abort, Inform, Mission, Reasoned};
use crate::exit::Exit;
use crate::output;
use crate::view::{Line, Tone, short};
use adjutant_app::error::AppError;
use adjutant_app::find;
use adjutant_app::host_link::HostLink;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;

pub(super) const PAUSED: &str = "Paused. No new work starts until `adjutant resume`.";
pub(super) const RESUMED: &str = "Resumed.";
pub(super) const GOES_ON: &str = "Continuing with the next layer.";
pub(super) const TOLD: &str = "Told.";

pub(super) fn aborted(undo: bool) -> &'static str {
    match undo {
        true => {
            "Aborted. Completed tasks are undone, newest first; `adjutant show` shows the progress."
        }
        false => "Aborted. Completed work is kept.",
    }
}

pub(super) async fn pause(settings: &Settings, pause: Reasoned) -> Result<Exit, AppError> {
    let reason = pause.reason.unwrap_or_default();
    send(settings, &pause.mission, Command::Pause { reason }, PAUSED).await
}

pub(super) async fn resume(settings: &Settings, which: Mission) -> Result<Exit, AppError> {
    send(settings, &which, Command::Resume, RESUMED).await
}

pub(super) async fn go_on(settings: &Settings, which: Mission) -> Result<Exit, AppError> {
    send(settings, &which, Command::Continue, GOES_ON).await
}

pub(super) async fn abort(settings: &Settings, abort: Abort) -> Result<Exit, AppError> {
    let reason = abort
        .reason
        .unwrap_or_else(|| format!("aborted by {}", settings.me));
    send(
        settings,
        &abort.mission,
        Command::Abort {
            reason,
            undo: abort.undo,
        },
        aborted(abort.undo),
    )
    .await
}

pub(super) async fn inform(settings: &Settings, inform: Inform) -> Result<Exit, AppError> {
    let command = information(&inform.topic, &inform.body, inform.trusted)?;
    send(settings, &inform.mission, command, TOLD).await
}

pub(super) fn information(topic: &str, body: &str, trusted: bool) -> Result<Command, AppError> {
    let body = Json::parse(body).or_else(|_| Json::encode(&body));
    Ok(Command::Inform {
        topic: topic.to_owned(),
        trust: match trusted {
            true => Trust::Trusted,
            false => Trust::Untrusted,
        },
        body: body.map_err(adjutant_journal::JournalError::Encode)?,
    })
}

async fn send(
    settings: &Settings,
    which: &Mission,
    command: Command,
    done: &str,
) -> Result<Exit, AppError> {
    let mission = {
        let reading = ReadOnlyStore::expect(settings).await?;
        find::mission(reading.store(), &which.mission).await?
    };
    deliver(settings, mission, settings.actor(None), command, done).await
}

/// Sends a command to the running host, or does it here and says that nothing goes on by itself.
pub(super) async fn deliver(
    settings: &Settings,
    mission: MissionId,
    by: adjutant_mission::Actor,
    command: Command,
    done: &str,
) -> Result<Exit, AppError> {
    let engine = HostLink::reach(settings, Performs::Nothing).await?;
    let sent = engine.command(&settings.tenant, mission, by, command).await;
    let ours = engine.host().is_some();
    let closed = engine.close().await;
    sent?;
    closed?;
    delivered(mission, done)?;
    if ours {
        output::note("   No host is running: `adjutant up` continues the mission.");
    }
    Ok(Exit::Ok)
}

/// Says what a command did.
pub(super) fn delivered(mission: MissionId, done: &str) -> Result<(), AppError> {
    let line = Line::new()
        .plain(" ")
        .and(Tone::Done, "✓")
        .plain(format!(" {done}"))
        .and(Tone::Dim, format!("  {}", short(mission)));
    output::line(&line.render(output::paint()))
}
