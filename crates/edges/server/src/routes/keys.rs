//! Keys that let others in: given, listed and revoked by an admin.

use std::sync::Arc;

use adjutant_host::{AccessKey, AccessRole, Upkeep};
use adjutant_mission::{AgentId, Millis, Role};
use adjutant_store::{RecordKind, Store};
use axum::Extension;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{json as answer, read};
use crate::access::Authority;
use crate::idempotency::Asked;
use crate::{App, Problem};

const DAY: u64 = 24 * 60 * 60;
const DAYS_MAX: u64 = 3_650;

pub(super) async fn list<S: Store>(State(app): State<Arc<App<S>>>) -> Result<Response, Problem> {
    let journal = app.host.journal(&app.tenant);
    let keys: Vec<(String, AccessKey)> = journal.records(RecordKind::Access).await?;
    let keys: Vec<Value> = keys.iter().map(|(id, key)| told(id, key)).collect();
    Ok(answer(StatusCode::OK, &json!({ "keys": keys })))
}

/// A key without its hash.
fn told(id: &str, key: &AccessKey) -> Value {
    json!({
        "id": id,
        "who": key.who,
        "role": key.role,
        "decides_for": key.decides_for,
        "made_at": key.made_at,
        "made_by": key.made_by,
        "expires_at": key.expires_at,
        "revoked_at": key.revoked_at,
    })
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    who: AgentId,
    role: AccessRole,
    #[serde(default)]
    decides_for: Vec<Role>,
    #[serde(default = "days")]
    expires_in_days: u64,
}

fn days() -> u64 {
    90
}

pub(super) async fn give<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let wanted: Wanted = read(&body)?;
    let asked = Asked::of(authority.who.as_str(), "POST /api/access", &headers, &body)?;
    let days = wanted.expires_in_days;
    if !(1..=DAYS_MAX).contains(&days) {
        return Err(Problem::malformed(format!(
            "`expires_in_days` must be 1 to {DAYS_MAX}"
        )));
    }
    let now = app.host.clock().now();
    let (mut id, mut token) = AccessKey::new_token()?;
    let journal = app.host.journal(&app.tenant);
    // Two of the same at once are one after the other.
    let _alone = app.starting.lock().await;
    if let Some(bits) = asked.bits() {
        // Its id follows from the request, so that the same request gives one key. Its secret does not.
        let own = format!("{bits:032x}").split_off(32 - id.len());
        token = token.replacen(&id, &own, 1);
        id = own;
        let before: Option<AccessKey> = journal.record(RecordKind::Access, &id).await?;
        asked.before(&journal).await?;
        if let Some(key) = before {
            let mut body = told(&id, &key);
            // It was shown once, and nobody has it to show it again.
            body["token"] = Value::Null;
            return Ok(answer(StatusCode::OK, &body));
        }
    }
    let key = AccessKey {
        who: wanted.who,
        role: wanted.role,
        decides_for: wanted.decides_for,
        hash: AccessKey::hash_of(&token),
        made_at: now,
        made_by: authority.who,
        expires_at: Some(now.plus(Millis::seconds(days * DAY))),
        revoked_at: None,
    };
    let mut body = told(&id, &key);
    let kept = json!({ "id": id });
    body["token"] = token.into();
    let give = Upkeep::GiveAccess {
        id,
        key: Box::new(key),
    };
    // First what was asked for: a key that is there is never given for another request.
    asked.keep(&journal, now, &kept).await?;
    app.host.upkeep(&app.tenant, give).await?;
    Ok(answer(StatusCode::CREATED, &body))
}

pub(super) async fn revoke<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    Path(which): Path<String>,
) -> Result<Response, Problem> {
    let by = Some(authority.who);
    let revoke = Upkeep::RevokeAccess {
        which: which.clone(),
    };
    match app.host.upkeep_by(&app.tenant, by, revoke).await? {
        0 => Err(Problem::new(
            StatusCode::NOT_FOUND,
            "ADJ-9016",
            format!("no valid key has the id or the owner `{which:.60}`"),
            "List the keys with GET /api/access.",
        )),
        revoked => Ok(answer(StatusCode::OK, &json!({ "revoked": revoked }))),
    }
}
