//! Live events: of a mission, of all, and of the inbox.

use std::convert::Infallible;
use std::sync::Arc;

use adjutant_mission::MissionId;
use adjutant_store::Store;
use axum::Extension;
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures::{Stream, StreamExt as _};
use serde::Deserialize;

use super::{known, mission_id};
use crate::access::{Authority, Permit, may};
use crate::all_events::Wanted;
use crate::mission_events::{Dialect, Place, read};
use crate::pace::{Pace, TAKEN_WITHIN};
use crate::text_stream::Hearers;
use crate::while_valid::while_valid;
use crate::{App, Problem};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct From {
    /// For those who cannot send `Last-Event-ID`.
    after: Option<String>,
}

pub(super) async fn follow<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    Path(mission): Path<String>,
    Query(from): Query<From>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let mission = mission_id(&mission)?;
    let asked = from.after.as_deref().map(place).transpose()?;
    let after = last_seen(&headers)?.or(asked);
    stream(&app, &authority, mission, after, Dialect::Own).await
}

/// The last event that a reader has had, if it says so.
pub(super) fn last_seen(headers: &HeaderMap) -> Result<Option<Place>, Problem> {
    let last = headers.get("last-event-id").map(|value| value.to_str());
    // What cannot be read is told like what is no place.
    let last = last.map(|last| last.unwrap_or("?"));
    last.filter(|last| !last.is_empty()).map(place).transpose()
}

fn place(text: &str) -> Result<Place, Problem> {
    Place::parse(text)
        .ok_or_else(|| Problem::malformed(format!("`{text:.40}` is not an event id such as 12.0")))
}

/// The events of a mission from a place on.
pub(super) async fn stream<S: Store>(
    app: &Arc<App<S>>,
    authority: &Authority,
    mission: MissionId,
    after: Option<Place>,
    dialect: Dialect,
) -> Result<Response, Problem> {
    known(app, mission).await?;
    let following = app.followings.of(mission, dialect);
    let hears = match may(authority.role, Permit::Decide) {
        true => Hearers::Reviewers,
        false => Hearers::Everybody,
    };
    let pace = pace(app);
    let events = read(following, after, hears, pace, app.stopping.clone());
    Ok(streamed(app, authority, events))
}

fn pace<S: Store>(app: &App<S>) -> Pace {
    Pace::new(TAKEN_WITHIN, app.log.clone())
}

fn streamed<S: Store>(
    app: &Arc<App<S>>,
    authority: &Authority,
    events: impl Stream<Item = Result<Bytes, Infallible>> + Send + 'static,
) -> Response {
    let key = authority.key.as_deref();
    let share = match key.map(|key| app.stream_shares.take(key)).transpose() {
        Ok(share) => share,
        Err(problem) => {
            let mut refused = problem.into_response();
            let headers = refused.headers_mut();
            // Otherwise the connection would be held all the same.
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
            return refused;
        }
    };
    let events = while_valid(Arc::clone(app), authority.key.clone(), events);
    let reading = app.metrics.reading();
    // As long as the stream is there, somebody reads.
    let events = events.inspect(move |_| {
        let _ = (&reading, &share);
    });
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (StatusCode::OK, headers, Body::from_stream(events)).into_response()
}

/// What all missions tell from here on, or since a place.
pub(super) async fn all<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    Query(from): Query<From>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    together(&app, &authority, &from, &headers, Wanted::All).await
}

/// The questions of all missions, and what becomes of them.
pub(super) async fn inbox<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    Query(from): Query<From>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    together(&app, &authority, &from, &headers, Wanted::Questions).await
}

async fn together<S: Store>(
    app: &Arc<App<S>>,
    authority: &Authority,
    from: &From,
    headers: &HeaderMap,
    wanted: Wanted,
) -> Result<Response, Problem> {
    let asked = from.after.as_deref().map(place).transpose()?;
    let after = last_seen(headers)?.or(asked);
    let stopping = app.stopping.clone();
    let events = app
        .everything
        .read(after, wanted, pace(app), stopping)
        .await?;
    Ok(streamed(app, authority, events))
}
