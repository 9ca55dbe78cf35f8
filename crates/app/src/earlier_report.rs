//! What an earlier mission saw, for the mission that repeats it. Only what was approved counts as reported.

use adjutant_journal::TenantJournal;
use adjutant_mission::{Delivery, Timestamp};
use adjutant_store::TenantStore;
use serde_json::{Value, json};

use crate::error::{AppError, ErrorKind};
use crate::find;
use crate::mission_record::MissionRecord;

/// What it saw, or why nothing is known of it. An earlier mission that cannot be read any more stops nobody: then everything
/// counts as new, and the report says so.
pub(crate) async fn earlier_report<T: TenantStore>(
    journal: &TenantJournal<T>,
    mission: &str,
    today: String,
) -> Result<Value, AppError> {
    let wanted = mission.trim();
    if wanted.is_empty() {
        return Ok(json!({"today": today, "known": false}));
    }
    let unknown = |why: &str| json!({"today": today, "known": false, "why": why});
    let mission = match find::mission(journal.store(), wanted).await {
        Ok(mission) => mission,
        Err(error)
            if matches!(
                error.kind,
                ErrorKind::NotFound | ErrorKind::BadInput | ErrorKind::Gone
            ) =>
        {
            return Ok(unknown("there is no such mission any more"));
        }
        Err(error) => return Err(error),
    };
    let record = match MissionRecord::read(journal, mission).await {
        Ok(record) => record,
        Err(error)
            if matches!(
                error.kind,
                ErrorKind::Gone | ErrorKind::Unreadable | ErrorKind::NotFound
            ) =>
        {
            return Ok(unknown("its content was erased or cannot be read"));
        }
        Err(error) => return Err(error),
    };
    let delivered = record
        .mission
        .ending()
        .is_some_and(|ending| ending.delivery == Delivery::Delivered);
    if !delivered {
        return Ok(unknown("its report was not approved"));
    }
    let outputs = record
        .mission
        .tasks()
        .filter_map(|(_, state)| record.output(state.output.as_ref()?));
    let seen = outputs.filter_map(|mut output| {
        let seen = output.pointer_mut("/data/seen").map(Value::take)?;
        seen["items"].is_array().then_some(seen)
    });
    let Some(seen) = seen.last() else {
        return Ok(unknown("it reported nothing that can be compared"));
    };
    Ok(json!({
        "today": today,
        "known": true,
        "mission": mission,
        "reported": day(record.mission.updated_at()),
        "seen": seen,
    }))
}

fn day(at: Timestamp) -> String {
    let at = jiff::Timestamp::from_millisecond(at.0).unwrap_or_default();
    at.to_zoned(jiff::tz::TimeZone::system()).date().to_string()
}
