//! Triggers: schedules that start missions or inform them.

use std::sync::Arc;

use adjutant_host::{HostError, TriggerError, Upkeep, left_by, new_trigger_id};
use adjutant_mission::{
    Json, Missed, MissionId, Prepared, Schedule, Scope, TopicPattern, Trigger, TriggerId,
    TriggerRecord, TriggerTarget, Trust,
};
use adjutant_schedule::{Zone, rrule_with_start, zone_in_rrule};
use adjutant_session_events::rfc3339;
use adjutant_store::{RecordKind, Store};
use axum::Extension;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Value, json};

use super::missions::Wanted as Start;
use super::{json as answer, read};
use crate::access::Authority;
use crate::idempotency::Asked;
use crate::{App, Problem};

const NAME_CHARS_MAX: usize = 200;

pub(super) async fn list<S: Store>(State(app): State<Arc<App<S>>>) -> Result<Response, Problem> {
    let journal = app.host.journal(&app.tenant);
    let kept: Vec<(String, TriggerRecord)> = journal.records(RecordKind::Trigger).await?;
    let kept: Vec<Value> = kept.iter().map(|(id, record)| told(id, record)).collect();
    Ok(answer(StatusCode::OK, &json!({ "triggers": kept })))
}

fn told(id: &str, record: &TriggerRecord) -> Value {
    let TriggerRecord { trigger, state } = record;
    let does = match &trigger.target {
        TriggerTarget::StartMission(prepared) => {
            let mut does = json!({ "start": prepared.plan.title });
            if let Some(mission) = id.parse().ok().and_then(|id| left_by(id, prepared)) {
                does["left_by"] = json!(mission);
            }
            does
        }
        TriggerTarget::InformMission { mission, topic, .. } => {
            json!({ "inform": mission, "topic": topic })
        }
    };
    let ended = state.ended.as_ref();
    json!({
        "id": id,
        "name": trigger.name,
        "schedule": trigger.schedule,
        "zone": trigger.zone,
        "repeat_max": trigger.repeat_max,
        "missed": trigger.missed,
        "cancel_on": trigger.cancel_on,
        "does": does,
        "made_by": trigger.made_by.id,
        "made_with": trigger.made_with,
        "made_at": rfc3339(trigger.made_at),
        "next_at": state.next_at.filter(|_| ended.is_none()).map(rfc3339),
        "fired": state.fired,
        "passed_over": state.passed_over,
        "firing": state.firing.as_ref().map(|firing| {
            json!({ "at": rfc3339(firing.at), "held_up": firing.refused > 0 })
        }),
        "last_fired": state.last_fired.map(rfc3339),
        "last_problem": state.last_problem,
        "held": state.held,
        "ended": ended.map(|(at, why)| json!({ "at": rfc3339(*at), "why": why })),
    })
}

/// A schedule, and what is to be done.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    #[serde(default)]
    name: String,
    schedule: Schedule,
    /// UTC, where none is named.
    zone: Option<String>,
    repeat_max: Option<u32>,
    cancel_on: Option<TopicPattern>,
    #[serde(default)]
    missed: Missed,
    start: Option<Start>,
    inform: Option<Inform>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Inform {
    mission: MissionId,
    topic: String,
    #[serde(default)]
    trust: Trust,
    body: Json,
}

pub(super) async fn add<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let wanted: Wanted = read(&body)?;
    let asked = Asked::of(
        authority.who.as_str(),
        "POST /api/triggers",
        &headers,
        &body,
    )?;
    let journal = app.host.journal(&app.tenant);
    if let Some(before) = asked.before(&journal).await? {
        return Ok(answer(StatusCode::OK, &before));
    }
    let now = app.host.clock().now();
    let trigger = trigger(&app, &authority, wanted).await?;
    let id = match asked.bits() {
        Some(bits) => TriggerId::from_bits(bits),
        None => new_trigger_id(now)?,
    };
    let add = Upkeep::AddTrigger {
        id,
        trigger: Box::new(trigger),
    };
    app.host.upkeep(&app.tenant, add).await?;
    let name = id.to_string();
    let kept: Option<TriggerRecord> = journal.record(RecordKind::Trigger, &name).await?;
    let kept = kept.ok_or(HostError::from(TriggerError::Unknown(id)))?;
    let told = told(&name, &kept);
    asked.keep(&journal, now, &told).await?;
    Ok(answer(StatusCode::CREATED, &told))
}

async fn trigger<S: Store>(
    app: &App<S>,
    authority: &Authority,
    wanted: Wanted,
) -> Result<Trigger, Problem> {
    let now = app.host.clock().now();
    let named = match (&wanted.zone, &wanted.schedule) {
        (Some(zone), _) => Some(zone.as_str()),
        (None, Schedule::Rrule(rule)) => zone_in_rrule(rule),
        (None, _) => None,
    };
    let zone = named.map(Zone::named).transpose();
    let zone = zone.map_err(|error| HostError::from(TriggerError::from(error)))?;
    let zone = zone.unwrap_or_else(Zone::utc);
    let schedule = match wanted.schedule {
        Schedule::Rrule(rule) => Schedule::Rrule(rrule_with_start(&rule, now, &zone)),
        other => other,
    };
    let by = authority.actor();
    let (target, called) = match (wanted.start, wanted.inform) {
        (Some(start), None) => {
            let planned = app.use_cases.plan(by.clone(), start.checked()?).await?;
            let called = planned.plan.title.clone();
            let prepared = Prepared {
                scope: Scope::of(app.tenant.clone()),
                plan: planned.plan,
                tools: planned.tools,
                approvals: Vec::new(),
            };
            (TriggerTarget::StartMission(Box::new(prepared)), called)
        }
        (None, Some(inform)) => {
            let called = inform.topic.clone();
            let target = TriggerTarget::InformMission {
                mission: inform.mission,
                topic: inform.topic,
                trust: inform.trust,
                body: inform.body,
            };
            (target, called)
        }
        _ => {
            return Err(Problem::malformed(
                "a trigger must have either `start` or `inform`",
            ));
        }
    };
    let name = match wanted.name.is_empty() {
        true => called,
        false => wanted.name,
    };
    Ok(Trigger {
        name: name.chars().take(NAME_CHARS_MAX).collect(),
        schedule,
        zone: zone.name().to_owned(),
        repeat_max: wanted.repeat_max,
        cancel_on: wanted.cancel_on,
        missed: wanted.missed,
        target,
        made_by: by,
        made_with: authority.key.clone(),
        made_at: now,
    })
}

pub(super) async fn cancel<S: Store>(
    State(app): State<Arc<App<S>>>,
    Extension(authority): Extension<Authority>,
    Path(trigger): Path<String>,
) -> Result<Response, Problem> {
    let id: TriggerId = trigger.parse().map_err(|_| {
        Problem::new(
            StatusCode::NOT_FOUND,
            "ADJ-7007",
            format!("there is no trigger `{trigger:.60}`"),
            "List the triggers with GET /api/triggers.",
        )
    })?;
    let by = authority.actor();
    let cancel = Upkeep::CancelTrigger { id, by };
    app.host.upkeep(&app.tenant, cancel).await?;
    Ok(answer(StatusCode::OK, &json!({ "id": id })))
}
