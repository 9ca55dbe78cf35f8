//! What missions may use: tools, and documents to read.

use std::sync::Arc;

use adjutant_store::Store;
use axum::Extension;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use super::json as answer;
use crate::access::Authority;
use crate::{App, Problem};

const PASSAGES_DEFAULT: u32 = 5;
const PASSAGES_MAX: u32 = 100;
const QUERY_CHARS_MAX: usize = 2_000;

pub(super) async fn tools<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
) -> Result<Response, Problem> {
    let told = app.use_cases.tools(&authority.actor());
    Ok(answer(StatusCode::OK, &told))
}

pub(super) async fn bases<S: Store>(State(app): State<Arc<App<S>>>) -> Result<Response, Problem> {
    Ok(answer(
        StatusCode::OK,
        &app.use_cases.knowledge_bases().await?,
    ))
}

pub(super) async fn documents<S: Store>(
    State(app): State<Arc<App<S>>>,
    Path(base): Path<String>,
) -> Result<Response, Problem> {
    Ok(answer(
        StatusCode::OK,
        &app.use_cases.documents(base).await?,
    ))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Search {
    query: String,
    limit: Option<u32>,
}

pub(super) async fn search<S: Store>(
    State(app): State<Arc<App<S>>>,
    Path(base): Path<String>,
    Query(search): Query<Search>,
) -> Result<Response, Problem> {
    let length = search.query.chars().count();
    if search.query.trim().is_empty() || length > QUERY_CHARS_MAX {
        let told = format!("`query` has 1 to {QUERY_CHARS_MAX} characters");
        return Err(Problem::malformed(told));
    }
    let limit = search.limit.unwrap_or(PASSAGES_DEFAULT);
    if !(1..=PASSAGES_MAX).contains(&limit) {
        return Err(Problem::malformed(format!(
            "`limit` is 1 to {PASSAGES_MAX}"
        )));
    }
    let found = app.use_cases.search(base, search.query, limit).await?;
    Ok(answer(StatusCode::OK, &found))
}
