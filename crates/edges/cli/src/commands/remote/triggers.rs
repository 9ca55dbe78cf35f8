//! A server's triggers.

use adjutant_mission::{
    Command, Missed, MissionId, Schedule, TriggerEnd, TriggerId, TriggerProblem,
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{as_type, mission_of};
use crate::args::{Trigger, TriggerAdd, TriggerList};
use crate::commands::steer::information;
use crate::commands::trigger as local;
use crate::commands::trigger_add::{missed, pattern, scheduled};
use crate::commands::trigger_seen::{Pending, Seen, informs, starts};
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::{Line, short};
use adjutant_app::error::AppError;
use adjutant_app::find;
use adjutant_app::wiring;
use adjutant_client::{Repeat, Server, instant};

pub(super) async fn run(server: &Server, which: Trigger) -> Result<Exit, AppError> {
    match which {
        Trigger::Add(add) => self::add(server, *add).await,
        Trigger::List(list) => self::list(server, &list).await,
        Trigger::Show { trigger, json } => show(server, &trigger.trigger, json.json.into()).await,
        Trigger::Cancel { trigger } => cancel(server, &trigger.trigger).await,
        // It has nothing to do with a server, and was done.
        Trigger::Next(_) => Ok(Exit::Ok),
    }
}

async fn all(server: &Server) -> Result<Vec<(TriggerId, Value)>, AppError> {
    let mut told = server.get("/api/triggers").await?;
    let rows: Vec<Value> = as_type(server, told["triggers"].take())?;
    let named = rows
        .into_iter()
        .map(|row| Ok((as_type(server, row["id"].clone())?, row)));
    named.collect()
}

#[derive(Deserialize)]
struct Told {
    name: String,
    schedule: Schedule,
    zone: String,
    repeat_max: Option<u32>,
    missed: Missed,
    cancel_on: Option<String>,
    does: Does,
    made_by: String,
    #[serde(default)]
    made_with: Option<String>,
    made_at: String,
    next_at: Option<String>,
    firing: Option<Firing>,
    fired: u32,
    last_fired: Option<String>,
    passed_over: u64,
    last_problem: Option<TriggerProblem>,
    #[serde(default)]
    held: Option<TriggerProblem>,
    ended: Option<Ended>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Does {
    Start {
        start: String,
        #[serde(default)]
        left_by: Option<MissionId>,
    },
    Inform {
        inform: MissionId,
        topic: String,
    },
}

#[derive(Deserialize)]
struct Firing {
    at: String,
    held_up: bool,
}

#[derive(Deserialize)]
struct Ended {
    at: String,
    why: TriggerEnd,
}

fn seen(server: &Server, id: TriggerId, row: Value) -> Result<Seen, AppError> {
    let told: Told = as_type(server, row)?;
    let at = |text: Option<String>| text.map(|text| instant(server, &text)).transpose();
    let (does, starts_missions, left_by) = match told.does {
        Does::Start { start, left_by } => (starts(&start), true, left_by.map(short)),
        Does::Inform { inform, topic } => (informs(&short(inform), &topic), false, None),
    };
    let firing = match told.firing {
        None => None,
        Some(firing) => Some(Pending {
            at: instant(server, &firing.at)?,
            held_up: firing.held_up,
        }),
    };
    let ended = match told.ended {
        None => None,
        Some(ended) => Some((instant(server, &ended.at)?, ended.why)),
    };
    Ok(Seen {
        id,
        name: told.name,
        does,
        starts_missions,
        left_by,
        schedule: told.schedule,
        zone: told.zone,
        missed: told.missed,
        cancel_on: told.cancel_on,
        repeat_max: told.repeat_max,
        made_by: told.made_by,
        made_with: told.made_with,
        made_at: instant(server, &told.made_at)?,
        next_at: at(told.next_at)?,
        firing,
        fired: told.fired,
        last_fired: at(told.last_fired)?,
        passed_over: told.passed_over,
        last_problem: told.last_problem,
        held: told.held,
        ended,
    })
}

async fn list(server: &Server, list: &TriggerList) -> Result<Exit, AppError> {
    let mut rows = all(server).await?;
    let count = rows.len();
    rows.retain(|(_, row)| list.all || row["ended"].is_null());
    if list.json.json {
        for (_, row) in &rows {
            output::line(&row.to_string())?;
        }
        return Ok(Exit::Ok);
    }
    let seen: Result<Vec<Seen>, AppError> = rows
        .into_iter()
        .map(|(id, row)| seen(server, id, row))
        .collect();
    let how =
        "Add one with `adjutant trigger add --inform ID --topic TOPIC --cron '0 9 * * MON-FRI'`.";
    local::tell_all(&seen?, count, how)?;
    Ok(Exit::Ok)
}

async fn show(server: &Server, text: &str, form: Form) -> Result<Exit, AppError> {
    let (id, row) = find::trigger(all(server).await?, text)?;
    if form == Form::Json {
        output::line(&row.to_string())?;
        return Ok(Exit::Ok);
    }
    let lines = seen(server, id, row)?.lines(wiring::clock().now());
    Line::print_all(&lines, output::paint())?;
    Ok(Exit::Ok)
}

async fn cancel(server: &Server, text: &str) -> Result<Exit, AppError> {
    let (id, row) = find::trigger(all(server).await?, text)?;
    server.delete(&format!("/api/triggers/{id}")).await?;
    local::tell_cancelled(id, row["name"].as_str().unwrap_or_default())
}

/// That a plan file is started is refused before: a server starts missions of its catalogue.
async fn add(server: &Server, add: TriggerAdd) -> Result<Exit, AppError> {
    let scheduled = scheduled(&add.when, wiring::clock().now())?;
    let mission = mission_of(server, add.inform.as_deref().unwrap_or_default()).await?;
    let topic = add.topic.as_deref().unwrap_or_default();
    let Command::Inform { topic, trust, body } = information(topic, &add.body, add.trusted)? else {
        return Err(server.unexpected_answer("a mission cannot be informed"));
    };
    let body = json!({
        "name": add.name.unwrap_or_default(),
        "schedule": scheduled.schedule,
        "zone": scheduled.zone.name(),
        "repeat_max": add.repeat,
        "cancel_on": add.cancel_on.as_deref().map(pattern).transpose()?,
        "missed": missed(add.missed),
        "inform": { "mission": mission, "topic": topic, "trust": trust, "body": body },
    });
    let told = server.post("/api/triggers", &body, Repeat::Safe).await?;
    let id: TriggerId = as_type(server, told["id"].clone())?;
    let name = told["name"].as_str().unwrap_or_default();
    scheduled.tell_added(id, name, add.json.json.into())?;
    Ok(Exit::Ok)
}
