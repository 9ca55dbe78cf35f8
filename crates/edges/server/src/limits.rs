//! Limits on starting and running missions, as HTTP headers and errors. The host counts.

use adjutant_host::{HostError, Room};
use adjutant_mission::MissionId;
use adjutant_store::Store;
use axum::http::{HeaderMap, HeaderValue, StatusCode};

use crate::{App, Problem};

/// Adds headers with what is left after this request.
pub(crate) fn tell(room: Room, headers: &mut HeaderMap) {
    let told = [
        ("ratelimit-limit", u64::from(room.limit)),
        (
            "ratelimit-remaining",
            u64::from(room.remaining.saturating_sub(1)),
        ),
        ("ratelimit-reset", room.reset_seconds),
    ];
    for (name, value) in told {
        headers.insert(name, HeaderValue::from(value));
    }
}

/// Whether a user may start one more mission now. Counts nothing.
pub(crate) async fn check<S: Store>(app: &App<S>, who: &str) -> Result<(), Problem> {
    let checked = app.host.check_start(&app.tenant, who, app.limits).await;
    checked.map_err(problem)
}

/// Counts a start of somebody's, if there is room.
pub(crate) async fn take<S: Store>(
    app: &App<S>,
    who: &str,
    mission: MissionId,
) -> Result<Room, Problem> {
    let counted = app
        .host
        .count_start(&app.tenant, who, mission, app.limits)
        .await;
    counted.map_err(problem)
}

fn problem(error: HostError) -> Problem {
    let HostError::TooManyStarts(over) = &error else {
        return error.into();
    };
    let seconds = over.wait_seconds();
    let remedy = match over.code() {
        "ADJ-9014" => format!("Try again in {seconds} s."),
        _ => over.remedy().to_owned(),
    };
    let mut problem = Problem::new(
        StatusCode::TOO_MANY_REQUESTS,
        over.code(),
        over.to_string(),
        remedy,
    );
    problem.retry_after = Some(seconds);
    problem
}
