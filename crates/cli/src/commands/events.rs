//! `adjutant events`: the journal, event by event.

use adjutant_host::read_journal;
use adjutant_mission::Mission;

use crate::args::Events;
use crate::engine::Engine;
use crate::failure::{Exit, Failure};
use crate::find;
use crate::live::{Came, Follow, Patience, Showing};
use crate::output::{self, Form};
use crate::reading::Reading;
use crate::settings::Settings;
use crate::view::happened;

pub(super) async fn run(settings: &Settings, events: Events) -> Result<Exit, Failure> {
    let reading = Reading::expect(settings)?;
    let id = find::mission(&reading.tenant, &events.mission.mission).await?;
    let form = Form::from(events.json.json);
    if events.follow
        && let Some(engine) = Engine::find(settings).await
    {
        let follow = Follow {
            settings,
            engine: &engine,
            mission: id,
            patience: Patience::UntilItEnds,
            showing: if form == Form::Json {
                Showing::Json
            } else {
                Showing::Lines
            },
        };
        return Ok(match follow.run().await?.came {
            Came::Interrupted => Exit::Interrupted,
            Came::Ended | Came::Waiting | Came::HostStopped => Exit::Ok,
        });
    }
    let (recorded, _) = read_journal(&reading.tenant, &settings.tenant, id).await?;
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
            let line = happened(mission, event);
            output::line(&line.render(output::paint()))?;
        }
    }
    if events.follow {
        output::note("No host is running, so nothing more happens. `adjutant up` carries it on.");
    }
    Ok(Exit::Ok)
}

fn begin(
    id: adjutant_mission::MissionId,
    first: &adjutant_mission::Recorded,
) -> Result<Mission, Failure> {
    Mission::begin(first).map_err(|source| {
        adjutant_host::HostError::JournalCorrupt {
            mission: id,
            source: Box::new(source),
        }
        .into()
    })
}
