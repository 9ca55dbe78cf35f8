//! How much there is and what it has used, what may be spent, and what is stopped.

use std::collections::BTreeMap;
use std::sync::Arc;

use adjutant_host::{AccessRole, HostError, StopNote, StopScope, Upkeep};
use adjutant_mission::{
    Account, AccountCaps, AccountKey, AccountOwner, Limits, Phase, Timestamp, Window,
};
use adjutant_session_events::rfc3339;
use adjutant_store::{RecordKind, Store, StoreError, TenantStore};
use axum::Extension;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{json as answer, read};
use crate::access::Authority;
use crate::idempotency::Asked;
use crate::{App, Problem};

/// Open questions are counted up to here.
const QUESTIONS_COUNTED_MAX: u32 = 10_000;
const REASON_CHARS_MAX: usize = 8_000;

fn stored(error: StoreError) -> Problem {
    HostError::from(error).into()
}

pub(super) async fn stats<S: Store>(State(app): State<Arc<App<S>>>) -> Result<Response, Problem> {
    let store = app.host.store().tenant(&app.tenant);
    let mut phases = Map::new();
    for phase in Phase::ALL {
        phases.insert(phase.name().to_owned(), 0.into());
    }
    let mut missions = 0;
    for (phase, count) in store.counts().await.map_err(stored)? {
        missions += count;
        phases.insert(phase.name().to_owned(), count.into());
    }
    let asked = store.inbox(QUESTIONS_COUNTED_MAX).await.map_err(stored)?;
    let now = app.host.clock().now();
    let accounts = accounts_at(&app, now).await?;
    let used = |window: Window| {
        let key = AccountKey {
            owner: AccountOwner::Tenant,
            window,
            from: window.start(now),
        };
        let account = accounts.get(&key).cloned().unwrap_or_default();
        json!(account.balance.used)
    };
    let told = json!({
        "missions": missions,
        "phases": phases,
        "in_memory": app.host.active(),
        "open_questions": asked.len(),
        "used": used(Window::Total),
        "used_today": used(Window::Day),
    });
    Ok(answer(StatusCode::OK, &told))
}

/// Every account of the windows that `now` falls into, with what it may come to.
async fn accounts_at<S: Store>(
    app: &App<S>,
    now: Timestamp,
) -> Result<BTreeMap<AccountKey, Account>, Problem> {
    let store = app.host.store().tenant(&app.tenant);
    let mut accounts: BTreeMap<AccountKey, Account> = BTreeMap::new();
    for row in store.caps().await.map_err(stored)? {
        let key = AccountKey {
            owner: row.owner,
            window: row.window,
            from: row.window.start(now),
        };
        accounts.entry(key).or_default().caps = row.caps;
    }
    let balances = store.accounts(Window::Day.start(now)).await;
    for (key, balance) in balances.map_err(stored)? {
        accounts.entry(key).or_default().balance = balance;
    }
    Ok(accounts)
}

pub(super) async fn accounts<S: Store>(
    State(app): State<Arc<App<S>>>,
) -> Result<Response, Problem> {
    let accounts = accounts_at(&app, app.host.clock().now()).await?;
    let told = accounts.iter().map(|(key, account)| {
        json!({
            "account": key.owner.name(),
            "per": key.window,
            "used": account.balance.used,
            "reserved": account.balance.reserved,
            "hard": account.caps.hard,
            "soft": account.caps.soft,
        })
    });
    let told: Vec<Value> = told.collect();
    Ok(answer(StatusCode::OK, &json!({ "accounts": told })))
}

/// What an account may come to: all of it, so that what is left out is not limited.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Caps {
    account: String,
    per: Window,
    #[serde(default)]
    hard: Limits,
    #[serde(default)]
    soft: Limits,
}

pub(super) async fn set_caps<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    body: Bytes,
) -> Result<Response, Problem> {
    let caps: Caps = read(&body)?;
    let owner = AccountOwner::parse(&caps.account).ok_or_else(|| {
        let told = format!(
            "unknown account `{:.60}`; use `tenant` or `campaign/NAME`",
            caps.account
        );
        Problem::malformed(told)
    })?;
    let mut soft = caps.soft.iter();
    let crossed =
        soft.find(|(resource, soft)| caps.hard.get(resource).is_some_and(|hard| hard < soft));
    if let Some((resource, _)) = crossed {
        let told = format!(
            "the soft limit of {} is above the hard limit",
            resource.name()
        );
        return Err(Problem::malformed(told));
    }
    let told = json!({
        "account": caps.account, "per": caps.per, "hard": caps.hard, "soft": caps.soft,
    });
    let set = Upkeep::SetCaps {
        owner,
        window: caps.per,
        caps: AccountCaps {
            soft: caps.soft,
            hard: caps.hard,
        },
    };
    let by = Some(authority.who);
    app.host.upkeep_by(&app.tenant, by, set).await?;
    Ok(answer(StatusCode::OK, &told))
}

/// Whatever holds missions here: the tenant's own stops, and everything's, whoever said it.
pub(super) async fn stops<S: Store>(State(app): State<Arc<App<S>>>) -> Result<Response, Problem> {
    let mut stops = Vec::new();
    for tenant in app.host.store().tenants().await.map_err(stored)? {
        let is_own = tenant == app.tenant;
        let journal = app.host.journal(&tenant);
        for (name, note) in journal.records::<StopNote>(RecordKind::Stop).await? {
            let concerns = is_own || StopScope::parse(&name) == Some(StopScope::All);
            if note.allowed_by.is_some() || !concerns {
                continue;
            }
            // Who somebody of another tenant is, and what they say, is not told here.
            let said = is_own.then_some(&note);
            stops.push(json!({
                "what": name,
                "at": rfc3339(note.at),
                "by": said.map(|note| &note.by.id),
                "reason": said.map(|note| &note.reason),
            }));
        }
    }
    Ok(answer(StatusCode::OK, &json!({ "stops": stops })))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stop {
    what: String,
    #[serde(default)]
    reason: String,
}

/// What is meant, if the caller may stop and allow it.
fn scope(authority: &Authority, what: &str) -> Result<StopScope, Problem> {
    let scope = StopScope::parse(what).ok_or_else(|| {
        Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "ADJ-9022",
            format!("`{what:.60}` cannot be stopped"),
            "Say `tenant`, `all`, `tool/NAME` or `provider/NAME`.",
        )
    })?;
    // It stops other tenants, too.
    if scope == StopScope::All && authority.role != AccessRole::Admin {
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            "ADJ-9007",
            "only an admin may stop everything or lift that stop",
            "Stop the `tenant`, or ask an admin.",
        ));
    }
    Ok(scope)
}

pub(super) async fn stop<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let wanted: Stop = read(&body)?;
    if wanted.reason.chars().count() > REASON_CHARS_MAX {
        let told = format!("a reason can have at most {REASON_CHARS_MAX} characters");
        return Err(Problem::malformed(told));
    }
    let scope = scope(&authority, &wanted.what)?;
    // A stop of a tool that is not there would stop nothing, and look as if it did.
    if let StopScope::Tool(tool) = &scope
        && !app.use_cases.has_tool(tool)
    {
        return Err(Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "ADJ-9022",
            format!("there is no tool `{tool:.60}`"),
            "List the tools with GET /api/tools.",
        ));
    }
    let asked = Asked::of(authority.who.as_str(), "POST /api/stops", &headers, &body)?;
    let journal = app.host.journal(&app.tenant);
    if let Some(before) = asked.before(&journal).await? {
        return Ok(answer(StatusCode::OK, &before));
    }
    let by = authority.actor();
    let stop = Upkeep::Stop {
        scope,
        by,
        reason: wanted.reason,
    };
    let paused = app.host.upkeep(&app.tenant, stop).await?;
    let told = json!({ "what": wanted.what, "paused": paused });
    asked.keep(&journal, app.host.clock().now(), &told).await?;
    Ok(answer(StatusCode::CREATED, &told))
}

pub(super) async fn allow<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    Path(what): Path<String>,
) -> Result<Response, Problem> {
    go_on(&app, &authority, what).await
}

/// The same for one tool, or one provider of models.
pub(super) async fn allow_one<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    Path((kind, name)): Path<(String, String)>,
) -> Result<Response, Problem> {
    go_on(&app, &authority, format!("{kind}/{name}")).await
}

async fn go_on<S: Store>(
    app: &App<S>,
    authority: &Authority,
    what: String,
) -> Result<Response, Problem> {
    let scope = scope(authority, &what)?;
    let by = authority.actor();
    let allow = Upkeep::Allow { scope, by };
    let resumed = match app.host.upkeep(&app.tenant, allow).await {
        Err(HostError::NotStopped { scope }) => {
            return Err(Problem::new(
                StatusCode::NOT_FOUND,
                "ADJ-5023",
                format!("{scope} is not stopped"),
                "List the active stops with GET /api/stops.",
            ));
        }
        done => done?,
    };
    let told = json!({ "what": what, "resumed": resumed });
    Ok(answer(StatusCode::OK, &told))
}
