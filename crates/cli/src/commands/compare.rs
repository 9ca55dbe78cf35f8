//! `adjutant compare`: two missions side by side.

use std::collections::BTreeMap;

use adjutant_journal::JournalError;
use adjutant_mission::{Comparison, Json, Look, Millis, Mission, MissionId, Payload, Recorded};

use crate::args::Compare;
use crate::failure::{Exit, Failure};
use crate::find;
use crate::output::{self, Form};
use crate::reading::Reading;
use crate::settings::Settings;
use crate::view::{Line, comparison, lasted};
use crate::wiring;

/// Wider than this, the eye loses the line.
const WIDTH_MAX: usize = 140;

/// A mission with all that it gave.
pub(super) struct Read {
    pub(super) events: Vec<Recorded>,
    pub(super) mission: Mission,
    pub(super) blobs: BTreeMap<String, Json>,
    /// The hash at the end of its journal.
    pub(super) head: String,
}

pub(super) async fn run(settings: &Settings, compare: Compare) -> Result<Exit, Failure> {
    let reading = Reading::expect(settings).await?;
    let a = find::mission(reading.store(), &compare.a).await?;
    let b = find::mission(reading.store(), &compare.b).await?;
    let (a, b) = (read(&reading, a).await?, read(&reading, b).await?);
    let mut told = Comparison::of(look(&a), look(&b));
    // A journal tells nothing of the time since its last event; a mission that goes on takes it all the same.
    let now = wiring::clock().now();
    for (side, read) in [(&mut told.a, &a), (&mut told.b, &b)] {
        let whole = lasted(&read.mission, now);
        side.own.time = Millis(whole.0.saturating_sub(side.inherited.time.0));
    }
    tell(&told, compare.json.json.into())
}

pub(super) fn tell(told: &Comparison, form: Form) -> Result<Exit, Failure> {
    if form == Form::Json {
        let text = serde_json::to_string(told).map_err(JournalError::Encode)?;
        output::line(&text)?;
        return Ok(Exit::Ok);
    }
    let lines = comparison(told, output::size().0.min(WIDTH_MAX));
    Line::print_all(&lines, output::paint())?;
    Ok(Exit::Ok)
}

fn look(read: &Read) -> Look<'_> {
    Look {
        events: &read.events,
        mission: &read.mission,
        blobs: &read.blobs,
    }
}

pub(super) async fn read(reading: &Reading, mission: MissionId) -> Result<Read, Failure> {
    let journal = &reading.journal;
    let (events, _) = journal.read(mission).await?;
    let (folded, standing) = journal.load(mission).await?;
    let mut blobs = BTreeMap::new();
    for digest in digests(&folded) {
        if let Ok(parsed) = digest.parse()
            && let Some(json) = journal.output(&standing.seal, mission, parsed).await?
        {
            blobs.insert(digest, json);
        }
    }
    Ok(Read {
        events,
        head: standing.head.hash.to_string(),
        mission: folded,
        blobs,
    })
}

/// Of everything that tasks and their steps gave and that is kept apart from the journal.
fn digests(mission: &Mission) -> Vec<String> {
    let given = mission.tasks().flat_map(|(_, state)| {
        let steps = state.steps.iter().map(|taken| &taken.output);
        steps.chain(state.output.as_ref())
    });
    let digests = given.filter_map(|payload| match payload {
        Payload::Blob { digest, .. } => Some(digest.clone()),
        Payload::Inline(_) => None,
    });
    digests.collect()
}
