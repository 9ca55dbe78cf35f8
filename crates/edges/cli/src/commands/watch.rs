//! `adjutant watch`: a mission live, from a second terminal.

use adjutant_mission::EndingPhase;

use crate::args::Watch;
use crate::exit::Exit;
use crate::live::{Came, Follow, Patience, Showing};
use crate::output::{self, Form, Stage};
use crate::surroundings::around;
use crate::view::{Around, Line, Places, Room, ending, tree};
use adjutant_app::error::AppError;
use adjutant_app::host_link::HostLink;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;
use adjutant_app::{find, wiring};

pub(super) async fn run(settings: &Settings, watch: Watch) -> Result<Exit, AppError> {
    let reading = ReadOnlyStore::expect(settings).await?;
    let mission = find::mission(reading.store(), &watch.mission.mission).await?;
    let form = Form::from(watch.json.json);
    let Some(engine) = HostLink::find(settings).await else {
        let (mission, _) = reading.mission(mission).await?;
        let around = around(settings, &reading, &mission).await?;
        return still(settings, &mission, &around, form);
    };
    let showing = match (form, output::stage()) {
        (Form::Json, _) => Showing::Json,
        (Form::Text, Stage::Lines) => Showing::Lines,
        (Form::Text, _) => Showing::drawn(),
    };
    let follow = Follow {
        settings,
        engine: &engine,
        mission,
        patience: Patience::UntilItEnds,
        showing,
    };
    let followed = follow.run().await?;
    let mission = followed.mission;
    match followed.came {
        Came::Interrupted => Ok(Exit::Interrupted),
        Came::Ended => said(settings, &mission, form),
        Came::HostStopped | Came::Waiting => {
            output::note("The host has stopped; the mission is safe. `adjutant up` continues it.");
            Ok(Exit::WaitingForHuman)
        }
    }
}

fn said(
    settings: &Settings,
    mission: &adjutant_mission::Mission,
    form: Form,
) -> Result<Exit, AppError> {
    if form == Form::Text {
        let places = Places {
            store: &settings.store.to_string(),
            files: &settings.own_files(),
            is_afar: false,
        };
        let lines = ending(mission, wiring::clock().now(), places);
        Line::print_all(&lines, output::paint())?;
    }
    let good = mission
        .ending()
        .is_some_and(|ending| ending.phase == EndingPhase::Completed);
    Ok(if good { Exit::Ok } else { Exit::NotGood })
}

/// Without a host nothing moves: one look is all there is.
fn still(
    settings: &Settings,
    mission: &adjutant_mission::Mission,
    around: &Around,
    form: Form,
) -> Result<Exit, AppError> {
    if form == Form::Json {
        output::line(&serde_json::json!({ "summary": mission.summary() }).to_string())?;
    } else {
        let (width, height) = output::size();
        let width = width.min(120);
        let room = Room {
            width,
            height,
            turn: 0,
        };
        let lines = tree(mission, around, wiring::clock().now(), room);
        Line::print_all(&lines, output::paint())?;
    }
    if mission.ending().is_some() {
        return said(settings, mission, form);
    }
    output::note(
        "No host is running, so the mission does not progress. Start one with `adjutant up`.",
    );
    Ok(Exit::Ok)
}
