//! `adjutant show`: a mission's passport.

use super::around::around;
use crate::args::One;
use crate::failure::{Exit, Failure};
use crate::output;
use crate::reading::Reading;
use crate::settings::Settings;
use crate::view::{Line, passport};
use crate::{find, wiring};

pub(super) async fn run(settings: &Settings, show: One) -> Result<Exit, Failure> {
    let reading = Reading::expect(settings).await?;
    let id = find::mission(reading.store(), &show.mission.mission).await?;
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
