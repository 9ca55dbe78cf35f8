//! `adjutant show`: a mission's passport.

use super::around::around;
use super::reasoning;
use crate::args::Show;
use crate::failure::{Exit, Failure};
use crate::output;
use crate::reading::Reading;
use crate::settings::Settings;
use crate::view::{Line, passport};
use crate::{find, wiring};

pub(super) async fn run(settings: &Settings, show: Show) -> Result<Exit, Failure> {
    let reading = Reading::expect(settings).await?;
    let id = find::mission(reading.store(), &show.mission.mission).await?;
    if let Some(task) = &show.reasoning {
        return reasoning::show(&reading, id, task, show.json.json.into()).await;
    }
    let mission = reading.mission(id).await?.0;
    if show.json.json {
        let bytes = mission
            .passport()
            .map_err(adjutant_journal::JournalError::Encode)?;
        output::line(&String::from_utf8_lossy(&bytes))?;
        return Ok(Exit::Ok);
    }
    let around = around(settings, &reading, &mission).await?;
    let width = output::size().0.min(120);
    let lines = passport(&mission, &around, wiring::clock().now(), width);
    Line::print_all(&lines, output::paint())?;
    Ok(Exit::Ok)
}
