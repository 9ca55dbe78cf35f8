//! Missions: started, listed, looked at, steered, and their reports.

use std::collections::BTreeMap;
use std::sync::Arc;

use adjutant_host::{Audited, HostError, RequestKey, Room, new_mission_id};
use adjutant_journal::Listed;
use adjutant_mission::{
    Actor, Autonomy, Command, CommandId, MicroUsd, MissionId, Phase, Refused, Scope, Start,
};
use adjutant_store::{ListOrder, ListQuery, Store};
use axum::Extension;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{json as answer, known, mission_id, read};
use crate::access::Authority;
use crate::mission_cache::folded;
use crate::outgoing::{redact, sees_originals};
use crate::{App, Problem, idempotency, limits};
use adjutant_app::constitution::Release;
use adjutant_app::report::ReportFormat;
use adjutant_app::use_cases::{AttachedText, StartMission};
use adjutant_app::workflow::{may_command, program_makers};

const PAGE_DEFAULT: u32 = 50;
const PAGE_MAX: u32 = 500;
const OBJECTIVE_CHARS_MAX: usize = 8_000;
/// Of a reason, a note or a topic.
pub(crate) const WORDS_CHARS_MAX: usize = 8_000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Filter {
    /// One or several, with commas between them.
    phase: Option<String>,
    limit: Option<u32>,
    #[serde(default)]
    sort: Sort,
    /// Where the page before ended.
    cursor: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Sort {
    #[default]
    Newest,
    Oldest,
}

pub(super) async fn list<S: Store>(
    State(app): State<Arc<App<S>>>,
    Query(filter): Query<Filter>,
) -> Result<Response, Problem> {
    let phases = filter.phase.as_deref().map(phases).transpose()?;
    let limit = filter.limit.unwrap_or(PAGE_DEFAULT);
    if !(1..=PAGE_MAX).contains(&limit) {
        return Err(Problem::malformed(format!("`limit` is 1 to {PAGE_MAX}")));
    }
    let past = filter.cursor.as_deref().map(cursor).transpose()?;
    let journal = app.host.journal(&app.tenant);
    let query = ListQuery {
        phases,
        limit,
        order: match filter.sort {
            Sort::Newest => ListOrder::NewestFirst,
            Sort::Oldest => ListOrder::OldestFirst,
        },
        past,
    };
    let page = journal.list(query).await?;
    let is_full = page.len() == limit as usize;
    let next = page.last().filter(|_| is_full);
    let next = next.map(|listed| listed.summary.mission);
    let missions: Vec<Value> = page.iter().map(row).collect();
    let body = json!({ "missions": missions, "next_cursor": next });
    Ok(answer(StatusCode::OK, &body))
}

fn cursor(text: &str) -> Result<MissionId, Problem> {
    let wrong = |_| {
        Problem::malformed(format!(
            "`{text:.60}` is not a `next_cursor` of a previous page"
        ))
    };
    text.parse().map_err(wrong)
}

fn row(listed: &Listed) -> Value {
    let mut row = serde_json::to_value(&listed.summary).unwrap_or_default();
    row["kept"] = listed.kept.name().into();
    row
}

fn phases(text: &str) -> Result<Vec<Phase>, Problem> {
    let named = |name: &str| {
        let found = Phase::ALL.into_iter().find(|phase| phase.name() == name);
        found.ok_or_else(|| Problem::malformed(format!("there is no phase `{name:.40}`")))
    };
    text.split(',').map(named).collect()
}

/// What starts a mission.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    mission: String,
    objective: String,
    #[serde(default)]
    knowledge_bases: Vec<String>,
    #[serde(default)]
    inputs: BTreeMap<String, Value>,
    #[serde(default)]
    attachments: Vec<AttachedText>,
    #[serde(default)]
    autonomy: Autonomy,
    /// In US dollars.
    budget: Option<f64>,
}

impl Wanted {
    pub(super) fn checked(self) -> Result<StartMission, Problem> {
        check_objective(&self.objective)?;
        Ok(StartMission {
            mission: self.mission,
            lead: None,
            context: BTreeMap::new(),
            objective: self.objective,
            knowledge_bases: self.knowledge_bases,
            inputs: self.inputs,
            attachments: self.attachments,
            autonomy: self.autonomy,
            budget: self.budget.map(money).transpose()?,
            checkpoint_deadline: None,
        })
    }
}

fn check_objective(objective: &str) -> Result<(), Problem> {
    if objective.trim().is_empty() || objective.chars().count() > OBJECTIVE_CHARS_MAX {
        let told = format!("`objective` must have 1 to {OBJECTIVE_CHARS_MAX} characters");
        return Err(Problem::malformed(told));
    }
    Ok(())
}

pub(super) async fn start<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let wanted: Wanted = read(&body)?;
    let wanted = wanted.checked()?;
    let begun = begin(&app, &authority, &headers, &body, wanted).await?;
    let left_out: Vec<Value> = begun
        .left_out
        .iter()
        .map(|(task, why)| json!({ "task": task, "why": why }))
        .collect();
    let told = json!({ "mission": begun.mission, "left_out": left_out });
    let status = match begun.is_new {
        true => StatusCode::CREATED,
        false => StatusCode::OK,
    };
    Ok(self::begun(status, begun.mission, &told, begun.room))
}

/// What whoever started a mission is told: where it is, and how many more they may start.
pub(super) fn begun(
    status: StatusCode,
    mission: MissionId,
    told: &Value,
    room: Option<Room>,
) -> Response {
    let mut response = answer(status, told);
    if let Ok(place) = format!("/api/missions/{mission}").parse() {
        response.headers_mut().insert(header::LOCATION, place);
    }
    if let Some(room) = room {
        limits::tell(room, response.headers_mut());
    }
    response
}

fn money(dollars: f64) -> Result<MicroUsd, Problem> {
    let micro = (dollars * 1e6).round();
    if !(0.0..=1e15).contains(&micro) {
        let told = format!("the budget {dollars} is not a valid amount of US dollars");
        return Err(Problem::malformed(told));
    }
    Ok(MicroUsd(micro as u64))
}

/// A mission that a request has started, now or when it came before.
pub(super) struct Begun {
    pub(super) mission: MissionId,
    pub(super) is_new: bool,
    left_out: Vec<(String, String)>,
    /// What the caller may still start.
    pub(super) room: Option<Room>,
}

/// Plans and opens a mission; the same request with the same key opens it once.
pub(super) async fn begin<S: Store>(
    app: &App<S>,
    authority: &Authority,
    headers: &HeaderMap,
    body: &[u8],
    wanted: StartMission,
) -> Result<Begun, Problem> {
    check_objective(&wanted.objective)?;
    let journal = app.host.journal(&app.tenant);
    let key = idempotency::key_of(headers)?;
    let known = |mission| Begun {
        mission,
        is_new: false,
        left_out: Vec::new(),
        room: None,
    };
    let before = match &key {
        Some(key) => started_before(app, authority, key, body).await?,
        None => None,
    };
    if let Some(mission) = before
        && journal.summary(mission).await?.is_some()
    {
        return Ok(known(mission));
    }
    // Before anybody is asked for a plan, or anything is kept.
    limits::check(app, authority.who.as_str()).await?;
    let mission = match &key {
        Some(key) => mission_of_key(app, authority, key, body).await?,
        None => new_mission_id(app.host.clock().now())?,
    };
    let deadline = wanted.checkpoint_deadline;
    let by = authority.actor();
    let mut planned = app.use_cases.plan(by.clone(), wanted).await?;
    if let Some(deadline) = deadline {
        planned.plan.checkpoint_deadline = deadline;
    }
    let start = Start {
        mission,
        scope: Scope::of(app.tenant.clone()),
        plan: planned.plan,
        tools: planned.tools,
        approvals: Vec::new(),
        parent: None,
        began_by: Vec::new(),
    };
    // Starts are counted one after the other, each with those before it at work.
    let _alone = app.starting.lock().await;
    if journal.summary(mission).await?.is_some() {
        return Ok(known(mission));
    }
    let room = limits::take(app, authority.who.as_str(), mission).await?;
    // Opening is known by the mission's id; the command's only has to be another than those that follow.
    let command = CommandId::from_bits(mission.bits());
    app.host.open(by, command, start).await?;
    Ok(Begun {
        is_new: true,
        left_out: planned.left_out,
        room: Some(room),
        ..known(mission)
    })
}

/// The mission that a request with this key started when it came before.
pub(super) async fn started_before<S: Store>(
    app: &App<S>,
    authority: &Authority,
    key: &str,
    body: &[u8],
) -> Result<Option<MissionId>, Problem> {
    let key = RequestKey::new(authority.who.as_str(), key, body);
    let before = app.host.mission_begun(&app.tenant, &key).await;
    before.map_err(refused_key)
}

/// The mission that a key stands for: the one that it started before, or a new one.
pub(super) async fn mission_of_key<S: Store>(
    app: &App<S>,
    authority: &Authority,
    key: &str,
    body: &[u8],
) -> Result<MissionId, Problem> {
    let key = RequestKey::new(authority.who.as_str(), key, body);
    let mission = app.host.mission_of_key(&app.tenant, &key).await;
    mission.map_err(refused_key)
}

fn refused_key(error: HostError) -> Problem {
    match error {
        HostError::KeyOfAnother => idempotency::another_request(),
        error => error.into(),
    }
}

pub(super) async fn show<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    Path(mission): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let mission = mission_id(&mission)?;
    let folded = folded(&app, mission).await?;
    // Of a mission nothing changes but by events. It is weak, for compressed it has other bytes.
    let tag = format!("W/\"{}\"", folded.seq());
    let fresh = [
        (header::ETAG, tag.clone()),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ];
    let known = headers.get(header::IF_NONE_MATCH);
    let known = known
        .and_then(|known| known.to_str().ok())
        .unwrap_or_default();
    let mut known = known.split(',').map(str::trim);
    let is_same = |known: &str| known.trim_start_matches("W/") == tag.trim_start_matches("W/");
    if known.any(|known| is_same(known) || known == "*") {
        return Ok((StatusCode::NOT_MODIFIED, fresh).into_response());
    }
    let passport = folded
        .passport()
        .map_err(adjutant_journal::JournalError::Encode)?;
    let mut told: Value = serde_json::from_slice(&passport).unwrap_or_default();
    let whole = told.clone();
    Release::new(&folded, &[]).withhold(&mut told);
    let passport = match sees_originals(&authority) {
        true if told == whole => passport,
        true => told.to_string().into_bytes(),
        false => {
            redact(&app, mission, &mut told).await?;
            told.to_string().into_bytes()
        }
    };
    let kind = [(header::CONTENT_TYPE, "application/json")];
    Ok((StatusCode::OK, kind, fresh, passport).into_response())
}

pub(super) async fn command<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    Path(mission): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let mission = mission_id(&mission)?;
    let command: Command = read(&body)?;
    match command {
        Command::Claim { .. } | Command::Release { .. } | Command::Decide { .. } => {
            Err(Problem::malformed(
                "answer questions with POST /api/missions/{mission}/checkpoints/{number}/decision",
            ))
        }
        Command::Pause { .. }
        | Command::Resume
        | Command::Continue
        | Command::Abort { .. }
        | Command::Replan { .. }
        | Command::Inform { .. } => {
            let makers = program_makers(&app.host.journal(&app.tenant), mission).await?;
            may_command(&makers, &authority.who, &command)?;
            send(&app, authority.actor(), mission, &headers, command).await
        }
    }
}

/// What somebody says with a command.
fn words(command: &Command) -> &str {
    match command {
        Command::Pause { reason } | Command::Abort { reason, .. } => reason,
        Command::Replan { why, .. } => why,
        Command::Decide { decision, .. } => &decision.note,
        Command::Inform { topic, .. } => topic,
        Command::Resume | Command::Continue | Command::Claim { .. } | Command::Release { .. } => "",
    }
}

/// Sends a command. When this answers well, what it did is durable.
pub(super) async fn send<S: Store>(
    app: &App<S>,
    by: Actor,
    mission: MissionId,
    headers: &HeaderMap,
    command: Command,
) -> Result<Response, Problem> {
    check_words(&command)?;
    known(app, mission).await?;
    let key = idempotency::key_of(headers)?;
    let id = command_id(app, key.as_deref(), &by, mission, &command)?;
    send_as(app, by, mission, id, command).await?;
    Ok(answer(StatusCode::OK, &json!({ "mission": mission })))
}

pub(super) fn check_words(command: &Command) -> Result<(), Problem> {
    if words(command).chars().count() > WORDS_CHARS_MAX {
        let told =
            format!("a reason, a note or a topic can have at most {WORDS_CHARS_MAX} characters");
        return Err(Problem::malformed(told));
    }
    Ok(())
}

/// The id of a command: the same for the same request with the same key.
pub(super) fn command_id<S: Store>(
    app: &App<S>,
    key: Option<&str>,
    by: &Actor,
    mission: MissionId,
    command: &Command,
) -> Result<CommandId, Problem> {
    Ok(match key {
        Some(key) => idempotency::command_of(by.id.as_str(), mission, command, key),
        None => adjutant_host::new_command_id(app.host.clock().now())?,
    })
}

pub(super) async fn send_as<S: Store>(
    app: &App<S>,
    by: Actor,
    mission: MissionId,
    id: CommandId,
    command: Command,
) -> Result<(), Problem> {
    let sent = app.host.command(&app.tenant, mission, id, by, command);
    match sent.await {
        // It came before, and did its work then.
        Ok(()) | Err(HostError::Refused(Refused::CommandRepeated)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Format {
    format: Option<String>,
}

pub(super) async fn report<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    Path(mission): Path<String>,
    Query(asked): Query<Format>,
) -> Result<Response, Problem> {
    let mission = mission_id(&mission)?;
    let format = asked.format.as_deref().unwrap_or("md");
    let format = ReportFormat::from_name(format).ok_or_else(|| {
        Problem::new(
            StatusCode::BAD_REQUEST,
            "ADJ-9012",
            format!("unknown format `{format:.20}`"),
            "Use md, html, pdf, docx or json.",
        )
    })?;
    known(&app, mission).await?;
    let export = Audited::Export {
        mission,
        what: format!("report {}", format.extension()),
    };
    let report = app.use_cases.report(mission, format).await?;
    // Before it leaves.
    let by = Some(authority.who);
    app.host.note(&app.tenant, by, export).await?;
    // A page with its own styles and pictures, and nothing else.
    let policy =
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'";
    let headers = [
        (header::CONTENT_TYPE, report.media_type),
        (header::CONTENT_SECURITY_POLICY, policy),
    ];
    Ok((StatusCode::OK, headers, report.bytes).into_response())
}
