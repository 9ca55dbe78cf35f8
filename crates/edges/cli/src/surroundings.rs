//! What a view of a mission needs beside its journal: the sub-missions of its tasks, and the stops that hold it.

use adjutant_host::StopScope;
use adjutant_mission::Mission;

use crate::stops_in_force::{Stopped, stops_in_force};
use crate::view::{Around, Started, Undoing};
use adjutant_app::calibration::calibration_table;
use adjutant_app::error::AppError;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;

/// Stops are looked up only for a mission that is undone: any other is paused for them, and its journal says so.
pub(crate) async fn look_around(
    settings: &Settings,
    reading: &ReadOnlyStore,
    mission: &Mission,
    started: &Started,
) -> Result<Around, AppError> {
    let mut around = Around::default();
    for (task, child) in started.children(mission) {
        if let Some(listed) = reading.journal.summary(child).await? {
            around.children.insert(task, listed.summary);
        }
    }
    if let Some(undoing) = Undoing::of(mission) {
        let stopped = stops_in_force(settings, reading).await?;
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
pub(crate) async fn around(
    settings: &Settings,
    reading: &ReadOnlyStore,
    mission: &Mission,
) -> Result<Around, AppError> {
    let mut started = Started::default();
    if has_sub_missions(mission) {
        let (events, _) = reading.journal.read(mission.id()).await?;
        events
            .iter()
            .for_each(|recorded| started.note(&recorded.event));
    }
    let calibration = Some(calibration_table(&reading.journal).await?);
    Ok(Around {
        calibration,
        ..look_around(settings, reading, mission, &started).await?
    })
}

fn has_sub_missions(mission: &Mission) -> bool {
    let mut tasks = mission.plan().tasks.iter();
    tasks.any(|task| matches!(task.work, adjutant_mission::WorkSpec::Mission(_)))
}
