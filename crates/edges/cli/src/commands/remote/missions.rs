//! Missions of a server: started, listed, shown, watched, steered, and their reports.

use std::collections::BTreeMap;
use std::path::Path;

use adjutant_document_model::{Document, Made};
use adjutant_mission::{Command, EndingPhase, Mission, MissionId, Payload, Summary};
use adjutant_store::Retention;
use serde_json::{Value, json};

use super::follow::{Followed, Telling, follow};
use super::{as_type, mission_of, passport_of, stops};
use crate::args::{
    Abort, AutonomyOf, Events, Inform, List, Mission as Named, MissionStart, Reasoned, Report,
    Show, Watch,
};
use crate::commands::{
    list as listing, mission as starting, reasoning as thinking, report as reporting, run, steer,
};
use crate::exit::Exit;
use crate::live::{Came, Patience};
use crate::output::{self, Form, Stage};
use crate::view::{Around, Frame, Line, Places, ending, passport, short};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::report::write_report;
use adjutant_app::wiring;
use adjutant_client::{Repeat, Server, mission_path};

/// The largest page that the server gives.
const PAGE: usize = 500;

pub(super) async fn catalogue(server: &Server, form: Form) -> Result<Exit, AppError> {
    let mut told = server.get("/api/catalogue").await?;
    let all: Vec<Value> = as_type(server, told["missions"].take())?;
    starting::tell(&all, form)
}

pub(super) async fn start(server: &Server, start: MissionStart) -> Result<Exit, AppError> {
    let with = &start.with;
    let form = Form::from(with.json.json);
    let attachments = starting::attachments(&with.attachments).await?;
    let attachments = attachments
        .iter()
        .map(|attached| json!({ "title": attached.title, "text": attached.text }));
    let budget = with.budget.as_deref().map(starting::budget).transpose()?;
    let mut body = json!({
        "mission": start.id,
        "objective": start.objective.trim(),
        "knowledge_bases": with.namespaces,
        "inputs": starting::inputs(&with.inputs)?,
        "attachments": attachments.collect::<Vec<Value>>(),
        "autonomy": match with.autonomy {
            AutonomyOf::Strict => "strict",
            AutonomyOf::Balanced => "balanced",
            AutonomyOf::Permissive => "permissive",
        },
    });
    if let Some(budget) = budget {
        body["budget"] = json!(budget.0 as f64 / 1e6);
    }
    let mut told = server.post("/api/missions", &body, Repeat::Safe).await?;
    let mission: MissionId = as_type(server, told["mission"].take())?;
    for left_out in told["left_out"].as_array().into_iter().flatten() {
        let text = |name: &str| left_out[name].as_str().unwrap_or_default();
        output::note(&format!("skipped: {} ({})", text("task"), text("why")));
    }
    if with.detach {
        match form {
            Form::Json => output::line(&json!({ "mission": mission }).to_string())?,
            Form::Text => output::line(&mission.to_string())?,
        }
        let id = short(mission);
        output::note(&format!(
            "The host is running it; watch it with `adjutant watch {id}`."
        ));
        return Ok(Exit::Ok);
    }
    let followed = follow(server, mission, Patience::UntilItWaits, telling(form)).await?;
    run::last_word(
        places(server),
        &followed.mission,
        followed.came,
        false,
        form,
    )
}

fn telling(form: Form) -> Telling {
    match (form, output::stage()) {
        (Form::Json, _) => Telling::Json,
        (Form::Text, Stage::Lines) => Telling::Lines,
        (Form::Text, Stage::Interactive | Stage::Drawable) => {
            Telling::Drawn(Frame::new(output::paint()))
        }
    }
}

/// Files that a mission wrote are named as the server names them.
fn places(server: &Server) -> Places<'_> {
    Places {
        store: server.address(),
        files: Path::new(""),
        is_afar: true,
    }
}

pub(super) async fn list(server: &Server, list: List) -> Result<Exit, AppError> {
    let has_all = list.all || !list.phase.is_empty();
    let most = if has_all { usize::MAX } else { listing::LISTED };
    let phases: Vec<&str> = list
        .phase
        .iter()
        .map(|phase| listing::named(*phase).name())
        .collect();
    let phases = match phases.as_slice() {
        [] => String::new(),
        phases => format!("&phase={}", phases.join(",")),
    };
    let (mut shown, mut cursor, mut has_more) = (Vec::new(), String::new(), true);
    while has_more && shown.len() < most {
        let limit = PAGE.min(most - shown.len());
        let path = format!("/api/missions?limit={limit}{phases}{cursor}");
        let mut page = server.get(&path).await?;
        let rows: Vec<Value> = as_type(server, page["missions"].take())?;
        shown.extend(rows);
        has_more = match page["next_cursor"].as_str() {
            Some(next) => {
                cursor = format!("&cursor={next}");
                true
            }
            None => false,
        };
    }
    if list.json.json {
        for row in &shown {
            output::line(&row.to_string())?;
        }
        return Ok(Exit::Ok);
    }
    if shown.is_empty() {
        output::line("No missions here. `adjutant list --all` shows every phase.")?;
        return Ok(Exit::Ok);
    }
    let mut read: Vec<(Summary, Retention)> = Vec::new();
    for mut row in shown {
        let kept = row["kept"].take();
        let named = Retention::ALL.into_iter().find(|one| kept == one.name());
        let kept = named.ok_or_else(|| {
            server.unexpected_answer("the server sent an unknown kind of mission")
        })?;
        if let Some(fields) = row.as_object_mut() {
            fields.remove("kept");
        }
        read.push((as_type(server, row)?, kept));
    }
    let rows: Vec<(&Summary, Retention)> = read.iter().map(|(one, kept)| (one, *kept)).collect();
    let table = listing::table(&rows, &BTreeMap::new());
    Line::print_all(&table, output::paint())?;
    if has_more {
        output::line(" … and older missions; `adjutant list --all` shows them")?;
    }
    for stopped in stops::in_force(server).await? {
        let told = stopped.told_with_remedy();
        let told = told.map(|line| line.fit(output::size().0));
        Line::print_all(&told, output::paint())?;
    }
    Ok(Exit::Ok)
}

pub(super) async fn show(server: &Server, show: Show) -> Result<Exit, AppError> {
    let id = mission_of(server, &show.mission.mission).await?;
    if let (Some(task), true) = (&show.reasoning, show.json.json) {
        let mission = passport_of(server, id).await?;
        return reasoning(server, &mission, task, Form::Json).await;
    }
    if show.json.json {
        let bytes = server.bytes(&mission_path(id, "")).await?;
        output::line(&String::from_utf8_lossy(&bytes))?;
        return Ok(Exit::Ok);
    }
    let mission = passport_of(server, id).await?;
    if let Some(task) = &show.reasoning {
        return reasoning(server, &mission, task, Form::Text).await;
    }
    let width = output::size().0.min(120);
    let now = wiring::clock().now();
    let lines = passport(&mission, &Around::default(), now, width);
    Line::print_all(&lines, output::paint())?;
    Ok(Exit::Ok)
}

pub(super) async fn watch(server: &Server, watch: Watch) -> Result<Exit, AppError> {
    let id = mission_of(server, &watch.mission.mission).await?;
    let form = Form::from(watch.json.json);
    let followed = follow(server, id, Patience::UntilItEnds, telling(form)).await?;
    let Followed { mission, came } = followed;
    if came != Came::Ended {
        return Ok(Exit::Interrupted);
    }
    if form == Form::Text {
        let lines = ending(&mission, wiring::clock().now(), places(server));
        Line::print_all(&lines, output::paint())?;
    }
    let good = mission.ending().map(|ending| ending.phase) == Some(EndingPhase::Completed);
    Ok(if good { Exit::Ok } else { Exit::NotGood })
}

/// As programs are told of it. The server's stream ends with the mission; so one that is not over is followed.
pub(super) async fn events(server: &Server, events: Events) -> Result<Exit, AppError> {
    let id = mission_of(server, &events.mission.mission).await?;
    let is_over = passport_of(server, id).await?.phase().is_ended();
    if !events.follow && !is_over {
        return Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6146",
            "the mission is still running, and the server only streams its events",
            "Add `--follow`.",
        ));
    }
    let followed = follow(server, id, Patience::UntilItEnds, Telling::Json).await?;
    Ok(match followed.came {
        Came::Interrupted => Exit::Interrupted,
        Came::Ended | Came::Waiting | Came::HostStopped => Exit::Ok,
    })
}

/// The server hands over the document as data; it is written here, as it would be there.
pub(super) async fn report(server: &Server, report: Report) -> Result<Exit, AppError> {
    let id = mission_of(server, &report.mission).await?;
    let mut told = server.get(&mission_path(id, "/report?format=json")).await?;
    let document: Document = as_type(server, told["document"].take())?;
    let made: Made = as_type(server, told["made"].take())?;
    let bytes = write_report(
        reporting::format_of(&report)?,
        &document,
        &made,
        reporting::write_pdf,
    )?;
    reporting::hand_over(&report, id, &document, &bytes)
}

/// What steps gave is in the passport where it is short, and by its digest where it is long.
async fn reasoning(
    server: &Server,
    mission: &Mission,
    task: &str,
    form: Form,
) -> Result<Exit, AppError> {
    let mut given: BTreeMap<String, Value> = BTreeMap::new();
    for (of_task, state) in mission.tasks() {
        let key = of_task.key.as_str();
        if state.steps.is_empty() || !(task.is_empty() || task == key) {
            continue;
        }
        let id = mission.id().to_string();
        let path = server.path(&["api", "missions", &id, "tasks", key], &[]);
        let mut told = server.get(&path).await?;
        let steps = told["steps"].as_array_mut().into_iter().flatten();
        for (taken, step) in state.steps.iter().zip(steps) {
            if let Payload::Blob { digest, .. } = &taken.output {
                given.insert(digest.clone(), step["output"].take());
            }
        }
    }
    let output = |payload: &Payload| match payload {
        Payload::Inline(json) => serde_json::from_str(json.text()).ok(),
        Payload::Blob { digest, .. } => given.get(digest).filter(|json| !json.is_null()).cloned(),
    };
    thinking::tell(mission, output, task, form)
}

pub(super) async fn inform(server: &Server, inform: Inform) -> Result<Exit, AppError> {
    let command = steer::information(&inform.topic, &inform.body, inform.trusted)?;
    send(server, &inform.mission, command, steer::TOLD).await
}

async fn send(
    server: &Server,
    which: &Named,
    command: Command,
    done: &str,
) -> Result<Exit, AppError> {
    let mission = mission_of(server, &which.mission).await?;
    let path = mission_path(mission, "/commands");
    server.post(&path, &json!(command), Repeat::Safe).await?;
    steer::delivered(mission, done)?;
    Ok(Exit::Ok)
}

pub(super) async fn pause(server: &Server, pause: Reasoned) -> Result<Exit, AppError> {
    let reason = pause.reason.unwrap_or_default();
    let command = Command::Pause { reason };
    send(server, &pause.mission, command, steer::PAUSED).await
}

pub(super) async fn resume(server: &Server, which: Named) -> Result<Exit, AppError> {
    send(server, &which, Command::Resume, steer::RESUMED).await
}

pub(super) async fn go_on(server: &Server, which: Named) -> Result<Exit, AppError> {
    send(server, &which, Command::Continue, steer::GOES_ON).await
}

pub(super) async fn abort(server: &Server, abort: Abort) -> Result<Exit, AppError> {
    let undo = abort.undo;
    // Who it was stands beside it in the journal; only the server knows whose key this is.
    let reason = abort.reason.unwrap_or_else(|| "aborted from afar".into());
    let command = Command::Abort { reason, undo };
    send(server, &abort.mission, command, steer::aborted(undo)).await
}
