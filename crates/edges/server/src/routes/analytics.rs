//! How well the tenant's missions go, and what people say of them.

use std::sync::Arc;

use adjutant_app::analytics::{Counting, figures_json, gather, group_by, since};
use adjutant_app::ratings::{QUESTION, RatingGiven, check_rating, read_rated};
use adjutant_host::Upkeep;
use adjutant_store::Store;
use axum::Extension;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use bytes::Bytes;
use serde::Deserialize;
use serde_json::json;
use tokio::runtime::Handle;

use super::{json as answer, known, mission_id, read};
use crate::access::Authority;
use crate::outgoing::redact_for;
use crate::{App, Problem};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Filter {
    since: Option<String>,
    by: Option<String>,
}

pub(super) async fn figures<S: Store>(
    State(app): State<Arc<App<S>>>,
    Query(filter): Query<Filter>,
) -> Result<Response, Problem> {
    let now = app.host.clock().now();
    let by = filter.by.as_deref().map(group_by).transpose()?;
    let from = filter.since.as_deref().map(|text| since(text, now));
    let from = from.transpose()?;
    let catalogue = app.use_cases.mission_types()?;
    // One after the other: the second finds what the first has counted.
    let turn = Arc::clone(&app.counting).lock_owned().await;
    let counting = Arc::clone(&app);
    let handle = Handle::current();
    let gathered = tokio::task::spawn_blocking(move || {
        // The caller may have left: the turn ends with the work.
        let turn = turn;
        let journal = counting.host.journal(&counting.tenant);
        handle.block_on(gather(&journal, &catalogue, from, Counting::Beside(&turn)))
    });
    let gathered = gathered.await.map_err(|error| {
        Problem::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "ADJ-6204",
            format!("the missions cannot be counted: {error}"),
            "Send the request again. If it fails again, report it.",
        )
    })??;
    let told = figures_json(&app.tenant, from, now, &gathered, by);
    Ok(answer(StatusCode::OK, &told))
}

/// What can be said of a mission, and what was.
pub(super) async fn ratings<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    Path(mission): Path<String>,
) -> Result<Response, Problem> {
    let mission = mission_id(&mission)?;
    known(&app, mission).await?;
    let rated = read_rated(&app.host.journal(&app.tenant), mission).await?;
    let mut told = json!({
        "question": QUESTION, "insights": rated.insights, "ratings": rated.ratings,
    });
    redact_for(&app, &authority, mission, &mut told).await?;
    Ok(answer(StatusCode::OK, &told))
}

pub(super) async fn rate<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    Path(mission): Path<String>,
    body: Bytes,
) -> Result<Response, Problem> {
    let given: RatingGiven = read(&body)?;
    let mission = mission_id(&mission)?;
    known(&app, mission).await?;
    let journal = app.host.journal(&app.tenant);
    let now = app.host.clock().now();
    let checked = check_rating(&journal, mission, authority.who.clone(), given, now).await?;
    let told = json!({ "rated": checked.rating, "replaced": checked.replaces.is_some() });
    let rating = Box::new(checked.rating);
    let by = Some(authority.who);
    let rate = Upkeep::RateMission { rating };
    app.host.upkeep_by(&app.tenant, by, rate).await?;
    Ok(answer(StatusCode::OK, &told))
}
