//! Whether the server is there, what it is, and what it can do.

use std::sync::Arc;

use adjutant_catalogue::ROSTER;
use adjutant_store::{Store, TenantStore};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::json as answer;
use crate::identity::uuid_of_agent;
use crate::{App, Problem, openapi};

/// A page with its own styles, and nothing else.
const STYLED: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

pub(super) async fn health() -> Response {
    answer(StatusCode::OK, &json!({ "alive": true }))
}

/// Ready means that the store answers, and can be written.
pub(super) async fn ready<S: Store>(State(app): State<Arc<App<S>>>) -> Result<Response, Problem> {
    let journal = app.host.journal(&app.tenant);
    // Whoever asks is not known: what is wrong stays here.
    let not_ready = |code, message: &str| {
        Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            code,
            message,
            "See the server's log; the server continues when the store is available again.",
        )
    };
    let answered = journal.store().counts().await;
    answered.map_err(|error| not_ready(error.code(), "the store does not respond"))?;
    if let Some(error) = app.host.health().trouble() {
        return Err(not_ready(error.code(), "the store cannot be written"));
    }
    Ok(answer(StatusCode::OK, &json!({ "ready": true })))
}

pub(super) async fn version() -> Response {
    let version = json!({ "name": "adjutant", "version": env!("CARGO_PKG_VERSION") });
    answer(StatusCode::OK, &version)
}

pub(super) async fn openapi() -> Response {
    answer(StatusCode::OK, &openapi::document())
}

/// The same, to be read.
pub(super) async fn docs() -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, STYLED),
    ];
    let page = openapi::page(&openapi::document());
    (StatusCode::OK, headers, page).into_response()
}

pub(super) async fn agents() -> Response {
    let agents: Vec<Value> = ROSTER
        .iter()
        .map(|agent| {
            json!({
                "id": agent.id,
                "uuid": uuid_of_agent(agent.id),
                "level": agent.level.name(),
                "name": agent.name,
                "about": agent.about,
                "tools": agent.tools,
                "missions": agent.missions().map(|mission| mission.id).collect::<Vec<_>>(),
            })
        })
        .collect();
    answer(StatusCode::OK, &json!({ "agents": agents }))
}

pub(super) async fn catalogue<S: Store>(
    State(app): State<Arc<App<S>>>,
) -> Result<Response, Problem> {
    Ok(answer(StatusCode::OK, &app.use_cases.catalogue()?))
}
