//! `adjutant events`: the journal, event by event.

use adjutant_journal::JournalError;
use adjutant_mission::{CorruptJournal, Mission, MissionId, Recorded};
use adjutant_store::Retention;
use serde_json::Value;

use crate::args::Events;
use crate::exit::Exit;
use crate::live::{Came, Follow, Patience, Showing};
use crate::output::{self, Form};
use crate::view::{Line, Tone, happened, instant};
use adjutant_app::constitution::{BLOCKED, Release};
use adjutant_app::error::AppError;
use adjutant_app::event_contents::events_of;
use adjutant_app::find;
use adjutant_app::host_link::HostLink;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;

pub(super) async fn run(settings: &Settings, events: Events) -> Result<Exit, AppError> {
    let reading = ReadOnlyStore::expect(settings).await?;
    let id = find::mission(reading.store(), &events.mission.mission).await?;
    let form = Form::from(events.json.json);
    if events.follow
        && let Some(engine) = HostLink::find(settings).await
    {
        let follow = Follow {
            settings,
            engine: &engine,
            mission: id,
            patience: Patience::UntilItEnds,
            showing: match (events.session, form) {
                (true, _) => Showing::Session(Box::default()),
                (false, Form::Json) => Showing::Json,
                (false, Form::Text) => Showing::Lines,
            },
        };
        return Ok(match follow.run().await?.came {
            Came::Interrupted => Exit::Interrupted,
            Came::Ended | Came::Waiting | Came::HostStopped => Exit::Ok,
        });
    }
    let recorded = match reading.journal.read(id).await {
        Ok((recorded, _)) => recorded,
        Err(JournalError::Gone {
            kept: Retention::Erased,
            ..
        }) => return skeleton(&reading, id, form).await,
        Err(error) => return Err(error.into()),
    };
    if events.session {
        for event in events_of(&reading.journal, id, &recorded).await? {
            output::line(&serde_json::to_string(&event).unwrap_or_default())?;
        }
        return Ok(Exit::Ok);
    }
    let mut mission = None;
    for event in &recorded {
        let mission: &Mission = match &mut mission {
            None => mission.insert(begin(id, event)?),
            Some(begun) => begun,
        };
        if form == Form::Json {
            output::line(&String::from_utf8_lossy(
                &event.encode().unwrap_or_default(),
            ))?;
        } else {
            let number = Line::of(Tone::Dim, format!("{:>5}", event.seq));
            let line = number.then(happened(mission, event));
            output::line(&line.render(output::paint()))?;
        }
    }
    if form == Form::Json
        && let Some(mission) = &mission
    {
        tell_blocked(mission, &recorded);
    }
    if events.follow {
        output::note("No host is running, so no more events follow. Start one with `adjutant up`.");
    }
    Ok(Exit::Ok)
}

/// The journal is evidence and is printed as it is recorded: whoever verifies or judges what was blocked must see it. What
/// is in it is not for passing on, and that is said.
fn tell_blocked(mission: &Mission, recorded: &[Recorded]) {
    let release = Release::new(mission, &[]);
    let is_blocked = |event: &&Recorded| {
        let Ok(mut told) = serde_json::from_slice::<Value>(&event.encode().unwrap_or_default())
        else {
            return false;
        };
        let whole = told.clone();
        release.withhold(&mut told);
        told != whole
    };
    let count = recorded.iter().filter(is_blocked).count();
    if count > 0 {
        output::note(&format!(
            "{count} of these events have text that the constitutional checks block. This is the record as it is: do not pass \
             it on [{BLOCKED}]. `--session` prints the events without it."
        ));
    }
}

/// What is left of an erased journal: what kind of events there were, and when.
async fn skeleton(reading: &ReadOnlyStore, id: MissionId, form: Form) -> Result<Exit, AppError> {
    for (seq, label) in reading.journal.labels(id).await? {
        let line = if form == Form::Json {
            serde_json::json!({ "seq": seq, "label": label }).to_string()
        } else {
            Line::of(Tone::Dim, format!("{seq:>5}  {}  ", instant(label.at)))
                .plain(label.name.split('/').next().unwrap_or_default())
                .render(output::paint())
        };
        output::line(&line)?;
    }
    output::note("The content is erased; the remaining record still verifies.");
    Ok(Exit::Ok)
}

fn begin(
    id: adjutant_mission::MissionId,
    first: &adjutant_mission::Recorded,
) -> Result<Mission, AppError> {
    Mission::begin(first).map_err(|source| corrupt(id, source))
}

fn corrupt(mission: MissionId, source: CorruptJournal) -> AppError {
    JournalError::Corrupt {
        mission,
        source: Box::new(source),
    }
    .into()
}
