//! Who did what, to be asked and taken along.

use std::sync::Arc;

use adjutant_host::Audited;
use adjutant_mission::{MissionId, Timestamp};
use adjutant_store::Store;
use axum::Extension;
use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures::stream;
use serde::Deserialize;
use serde_json::{Value, json};

use super::json as answer;
use crate::access::Authority;
use crate::audit::{AUDIT_KINDS, AuditPlace, AuditQuery, audit_page};
use crate::{App, Problem};

const PAGE_DEFAULT: usize = 100;
const PAGE_MAX: usize = 1_000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    /// One or several, with commas between them.
    kind: Option<String>,
    who: Option<String>,
    mission: Option<String>,
    from: Option<String>,
    until: Option<String>,
    limit: Option<usize>,
    cursor: Option<String>,
}

impl Asked {
    fn query(&self) -> Result<AuditQuery, Problem> {
        let kinds = self.kind.iter().flat_map(|kinds| kinds.split(','));
        let kinds: Vec<String> = kinds.map(str::to_owned).collect();
        let unknown = |kind: &&String| !AUDIT_KINDS.contains(&kind.as_str());
        if let Some(unknown) = kinds.iter().find(unknown) {
            let told = format!(
                "unknown kind `{unknown:.40}`; the kinds are {}",
                AUDIT_KINDS.join(", ")
            );
            return Err(Problem::malformed(told));
        }
        Ok(AuditQuery {
            kinds,
            who: self.who.clone(),
            mission: self.mission.as_deref().map(mission).transpose()?,
            from: self.from.as_deref().map(instant).transpose()?,
            until: self.until.as_deref().map(instant).transpose()?,
        })
    }

    fn place(&self) -> Result<AuditPlace, Problem> {
        let Some(text) = &self.cursor else {
            return Ok(AuditPlace::default());
        };
        AuditPlace::parse(text).ok_or_else(|| {
            Problem::malformed(format!(
                "`{text:.40}` is not a `next_cursor` of a previous page"
            ))
        })
    }
}

fn mission(text: &str) -> Result<MissionId, Problem> {
    let wrong = |_| Problem::malformed(format!("`{text:.60}` is not a mission id"));
    text.parse().map_err(wrong)
}

fn instant(text: &str) -> Result<Timestamp, Problem> {
    let parsed: Result<jiff::Timestamp, _> = text.parse();
    let parsed = parsed.map_err(|_| {
        let told = format!("`{text:.40}` is not a timestamp such as 2026-11-16T08:00:00Z");
        Problem::malformed(told)
    })?;
    Ok(Timestamp(parsed.as_millisecond()))
}

pub(super) async fn list<S: Store>(
    State(app): State<Arc<App<S>>>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let limit = asked.limit.unwrap_or(PAGE_DEFAULT);
    if !(1..=PAGE_MAX).contains(&limit) {
        return Err(Problem::malformed(format!("`limit` is 1 to {PAGE_MAX}")));
    }
    let journal = app.host.journal(&app.tenant);
    let page = audit_page(&journal, &asked.query()?, asked.place()?, limit).await?;
    let lines: Vec<Value> = page.lines.iter().map(|line| line.as_json()).collect();
    let next = page.next.map(|next| next.to_string());
    let told = json!({ "lines": lines, "next_cursor": next });
    Ok(answer(StatusCode::OK, &told))
}

/// All of it as lines of JSON, while it is read.
pub(super) async fn export<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let (query, place) = (asked.query()?, asked.place()?);
    let note = app
        .host
        .note(&app.tenant, Some(authority.who), Audited::AuditExport {});
    note.await?;
    let journal = app.host.journal(&app.tenant);
    let lines = stream::try_unfold(Some(place), move |place| {
        let (journal, query) = (journal.clone(), query.clone());
        async move {
            let Some(place) = place else { return Ok(None) };
            let page = audit_page(&journal, &query, place, PAGE_MAX).await?;
            let text: String = page
                .lines
                .iter()
                .map(|line| format!("{}\n", line.as_json()))
                .collect();
            Ok::<_, adjutant_journal::JournalError>(Some((Bytes::from(text), page.next)))
        }
    });
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"audit.ndjson\"",
        ),
    ];
    Ok((StatusCode::OK, headers, Body::from_stream(lines)).into_response())
}
