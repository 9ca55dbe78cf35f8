//! Metrics in the Prometheus text format.

use std::sync::Arc;

use adjutant_store::{Store, TenantStore};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::App;
use crate::metrics::{Looked, resident_bytes};

/// Questions that are counted; more are told as this many.
const QUESTIONS_MAX: u32 = 1_000;
const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// A store that does not answer is no reason to tell nothing: then it is told to be away.
pub(super) async fn scrape<S: Store>(State(app): State<Arc<App<S>>>) -> Response {
    let journal = app.host.journal(&app.tenant);
    let store = journal.store();
    let status = tokio::fs::read_to_string("/proc/self/status").await;
    let looked = Looked {
        phases: store.counts().await.ok(),
        questions: store
            .inbox(QUESTIONS_MAX)
            .await
            .ok()
            .map(|all| all.len() as u64),
        in_memory: app.host.active() as u64,
        spans_dropped: app.spans_dropped.as_ref().map(|count| count()),
        resident_bytes: status.ok().as_deref().and_then(resident_bytes),
    };
    let headers = [(header::CONTENT_TYPE, TEXT)];
    (StatusCode::OK, headers, app.metrics.text(&looked)).into_response()
}
