//! `adjutant show`: a mission's passport.

use super::reasoning;
use crate::args::Show;
use crate::exit::Exit;
use crate::output;
use crate::surroundings::around;
use crate::view::{Line, passport};
use adjutant_app::constitution::Release;
use adjutant_app::error::AppError;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;
use adjutant_app::{find, wiring};
use adjutant_mission::Mission;
use serde_json::Value;

pub(super) async fn run(settings: &Settings, show: Show) -> Result<Exit, AppError> {
    let reading = ReadOnlyStore::expect(settings).await?;
    let id = find::mission(reading.store(), &show.mission.mission).await?;
    if let Some(task) = &show.reasoning {
        return reasoning::show(&reading, id, task, show.json.json.into()).await;
    }
    let mission = reading.mission(id).await?.0;
    if show.json.json {
        let bytes = mission
            .passport()
            .map_err(adjutant_journal::JournalError::Encode)?;
        let told = String::from_utf8_lossy(&bytes);
        output::line(&may_be_shown(&mission, &told))?;
        return Ok(Exit::Ok);
    }
    let around = around(settings, &reading, &mission).await?;
    let width = output::size().0.min(120);
    let lines = passport(&mission, &around, wiring::clock().now(), width);
    Line::print_all(&lines, output::paint())?;
    Ok(Exit::Ok)
}

/// A passport without what the constitutional checks block; byte by byte as it is where they block nothing.
fn may_be_shown(mission: &Mission, passport: &str) -> String {
    let Ok(mut told) = serde_json::from_str::<Value>(passport) else {
        return passport.to_owned();
    };
    let before = told.clone();
    Release::new(mission, &[]).withhold(&mut told);
    match told == before {
        true => passport.to_owned(),
        false => told.to_string(),
    }
}
