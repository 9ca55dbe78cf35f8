//! Looks for what stands around a mission: the missions that its tasks are, and what is stopped that it needs.

use adjutant_host::StopScope;
use adjutant_mission::Mission;

use super::rate::calibration_of;
use super::stops::{self, Stopped};
use crate::failure::Failure;
use crate::reading::Reading;
use crate::settings::Settings;
use crate::view::{Around, Started, Undoing};

/// Stops are looked up only for a mission that is undone: any other is paused for them, and its journal says so.
pub(crate) async fn look_around(
    settings: &Settings,
    reading: &Reading,
    mission: &Mission,
    started: &Started,
) -> Result<Around, Failure> {
    let mut around = Around::default();
    for (task, child) in started.children(mission) {
        if let Some(listed) = reading.journal.summary(child).await? {
            around.children.insert(task, listed.summary);
        }
    }
    if let Some(undoing) = Undoing::of(mission) {
        let stopped = stops::in_force(settings, reading).await?;
        let holds = stopped.iter().find(|stopped| match &stopped.scope {
            StopScope::Tool(tool) => undoing.needs(tool),
            StopScope::Tenant | StopScope::All => true,
            StopScope::Provider(_) => false,
        });
        around
            .held_by
            .extend(holds.into_iter().flat_map(Stopped::told_with_remedy));
    }
    Ok(around)
}

/// The same for a mission that is not followed: what its tasks started is read from its journal.
pub(super) async fn around(
    settings: &Settings,
    reading: &Reading,
    mission: &Mission,
) -> Result<Around, Failure> {
    let mut started = Started::default();
    if has_sub_missions(mission) {
        let (events, _) = reading.journal.read(mission.id()).await?;
        events
            .iter()
            .for_each(|recorded| started.note(&recorded.event));
    }
    let calibration = Some(calibration_of(&reading.journal).await?);
    Ok(Around {
        calibration,
        ..look_around(settings, reading, mission, &started).await?
    })
}

fn has_sub_missions(mission: &Mission) -> bool {
    let mut tasks = mission.plan().tasks.iter();
    tasks.any(|task| matches!(task.work, adjutant_mission::WorkSpec::Mission(_)))
}
