//! `adjutant compare`: two missions side by side.

use adjutant_app::mission_record::MissionRecord;
use adjutant_journal::JournalError;
use adjutant_mission::{Comparison, Look, Millis};

use crate::args::Compare;
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::{Line, comparison, lasted};
use adjutant_app::error::AppError;
use adjutant_app::find;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;
use adjutant_app::wiring;

/// Wider than this, the eye loses the line.
const WIDTH_MAX: usize = 140;

pub(super) async fn run(settings: &Settings, compare: Compare) -> Result<Exit, AppError> {
    let reading = ReadOnlyStore::expect(settings).await?;
    let a = find::mission(reading.store(), &compare.a).await?;
    let b = find::mission(reading.store(), &compare.b).await?;
    let (a, b) = (
        MissionRecord::read(&reading.journal, a).await?,
        MissionRecord::read(&reading.journal, b).await?,
    );
    let mut told = Comparison::of(look(&a), look(&b));
    // A journal tells nothing of the time since its last event; a mission that goes on takes it all the same.
    let now = wiring::clock().now();
    for (side, read) in [(&mut told.a, &a), (&mut told.b, &b)] {
        let whole = lasted(&read.mission, now);
        side.own.time = Millis(whole.0.saturating_sub(side.inherited.time.0));
    }
    tell(&told, compare.json.json.into())
}

pub(super) fn tell(told: &Comparison, form: Form) -> Result<Exit, AppError> {
    if form == Form::Json {
        let text = serde_json::to_string(told).map_err(JournalError::Encode)?;
        output::line(&text)?;
        return Ok(Exit::Ok);
    }
    let lines = comparison(told, output::size().0.min(WIDTH_MAX));
    Line::print_all(&lines, output::paint())?;
    Ok(Exit::Ok)
}

fn look(read: &MissionRecord) -> Look<'_> {
    Look {
        events: &read.events,
        mission: &read.mission,
        blobs: &read.blobs,
    }
}
