//! `adjutant run`: from a plan file to its end, or to where only a human can go on.

use std::collections::BTreeMap;
use std::path::Path;

use adjutant_host::control::Request;
use adjutant_host::{Performs, new_command_id, new_mission_id};
use adjutant_mission::{
    ApprovalSource, CampaignId, CheckpointId, EndingPhase, Json, Mission, MissionId, Plan, Scope,
    Start, TaskStatus, Waivers, WorkSpec,
};

use super::dry_run;
use crate::args::Run;
use crate::exit::Exit;
use crate::live::{Came, Follow, Followed, Patience, Showing};
use crate::output::{self, Form, Stage};
use crate::view::{
    Line, Places, Tone, ending, how_to_decide, how_to_look, pause_words, short, wrap,
};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::host_link::HostLink;
use adjutant_app::plan_checker::PlanChecker;
use adjutant_app::settings::Settings;
use adjutant_app::wiring;

/// How often a mission is taken over from a host that stopped under us.
const TAKEOVERS_MAX: u32 = 100;
/// Running tasks that are named when somebody interrupts.
const AWAITED_NAMED_MAX: usize = 5;

/// What a mission is opened with, as it was given on the command line.
pub(super) struct Given<'a> {
    pub(super) plan: &'a Path,
    pub(super) inputs: &'a [String],
    pub(super) subjects: &'a [String],
    pub(super) campaign: Option<&'a str>,
    pub(super) approvals: Vec<ApprovalSource>,
}

/// Whoever runs this approves everything in advance that no rule reserves for a human, or nothing.
pub(super) fn approvals(settings: &Settings, yes: bool) -> Vec<ApprovalSource> {
    let waiver = ApprovalSource::Waiver {
        by: settings.me.clone(),
        types: Waivers::all(),
    };
    if yes { vec![waiver] } else { Vec::new() }
}

/// Reads and checks the plan, and puts together what opens a mission with it.
pub(super) async fn start(
    settings: &Settings,
    mission: MissionId,
    given: Given<'_>,
) -> Result<Start, AppError> {
    let known = PlanChecker::new(settings).await?;
    let loaded = adjutant_app::plan_checker::read_plan(given.plan, &known)?;
    let (mut plan, tools) = (loaded.plan, loaded.tools);
    give_inputs(&mut plan, given.inputs)?;
    Ok(Start {
        mission,
        scope: Scope {
            subjects: given.subjects.to_vec(),
            campaign: given.campaign.map(campaign).transpose()?,
            ..Scope::of(settings.tenant.clone())
        },
        plan,
        tools,
        approvals: given.approvals,
        parent: None,
        began_by: Vec::new(),
    })
}

pub(super) async fn run(settings: &Settings, run: Run) -> Result<Exit, AppError> {
    let now = wiring::clock().now();
    let mission = new_mission_id(now)?;
    let given = Given {
        plan: &run.plan,
        inputs: &run.inputs,
        subjects: &run.subjects,
        campaign: run.campaign.as_deref(),
        approvals: approvals(settings, run.yes),
    };
    let start = start(settings, mission, given).await?;
    if run.dry_run {
        return dry_run::tell(settings, &start, Form::from(run.json.json)).await;
    }
    open(settings, start, run.detach, Form::from(run.json.json)).await
}

/// Opens a mission and watches it, or leaves it to the host.
pub(super) async fn open(
    settings: &Settings,
    start: Start,
    detach: bool,
    form: Form,
) -> Result<Exit, AppError> {
    let mission = start.mission;
    let open = Request::Open {
        by: settings.actor(None),
        command: new_command_id(wiring::clock().now())?,
        start: Box::new(start),
    };
    let performs = if detach {
        Performs::Nothing
    } else {
        Performs::Effects
    };
    let engine = HostLink::reach(settings, performs).await?;
    if engine.host().is_none() && !detach {
        // Watching needs the key; better said before the mission is on its way than after.
        settings.vault()?;
    }
    if let Err(failure) = engine.request(open).await {
        // The refusal matters more than how the host closes.
        let _ = engine.close().await;
        return Err(failure);
    }
    if detach {
        return detached(engine, mission, form).await;
    }
    follow(settings, engine, mission, form).await
}

async fn detached(engine: HostLink, mission: MissionId, form: Form) -> Result<Exit, AppError> {
    let ours = engine.host().is_some();
    engine.close().await?;
    match form {
        Form::Json => output::line(&serde_json::json!({ "mission": mission }).to_string())?,
        Form::Text => output::line(&mission.to_string())?,
    }
    if ours {
        output::note("No host is running: `adjutant up` continues the mission.");
    } else {
        output::note(&format!(
            "The host is running it; watch it with `adjutant watch {}`.",
            short(mission)
        ));
    }
    Ok(Exit::Ok)
}

fn showing(form: Form) -> Showing {
    match (form, output::stage()) {
        (Form::Json, _) => Showing::Json,
        (Form::Text, Stage::Interactive | Stage::Drawable) => Showing::drawn(),
        (Form::Text, Stage::Lines) => Showing::Lines,
    }
}

async fn follow(
    settings: &Settings,
    mut engine: HostLink,
    mission: MissionId,
    form: Form,
) -> Result<Exit, AppError> {
    let mut takeovers = 0;
    loop {
        let follow = Follow {
            settings,
            engine: &engine,
            mission,
            patience: Patience::UntilItWaits,
            showing: showing(form),
        };
        let followed = follow.run().await;
        let stopped = matches!(
            &followed,
            Ok(Followed {
                came: Came::HostStopped,
                ..
            })
        );
        if stopped && takeovers < TAKEOVERS_MAX {
            // The host we watched has stopped: find the next one, or be it.
            takeovers += 1;
            engine.close().await?;
            engine = HostLink::reach(settings, Performs::Effects).await?;
            if let Some(host) = engine.host() {
                host.take_up(&settings.tenant, mission);
            }
            continue;
        }
        let ours = engine.host().is_some();
        if let Ok(Followed {
            mission,
            came: Came::Interrupted,
        }) = &followed
            && ours
            && form == Form::Text
        {
            tell_what_is_awaited(mission, settings);
        }
        engine.close().await?;
        let Followed { mission, came } = followed?;
        let places = Places {
            store: &settings.store.to_string(),
            files: &settings.own_files(),
            is_afar: false,
        };
        return last_word(places, &mission, came, ours, form);
    }
}

/// Calls that run are given time to end, and whoever interrupted must not wait in silence.
fn tell_what_is_awaited(mission: &Mission, settings: &Settings) {
    let running = mission.tasks();
    let is_call = |work: &WorkSpec| matches!(work, WorkSpec::Tool(_) | WorkSpec::Agent(_));
    let running =
        running.filter(|(task, state)| state.status == TaskStatus::Running && is_call(&task.work));
    let running: Vec<String> = running
        .map(|(task, _)| format!("`{}`", task.key))
        .take(AWAITED_NAMED_MAX)
        .collect();
    if !running.is_empty() {
        output::note(&format!(
            "Stopping: waiting at most {} s for {} to end.",
            settings.drain.as_secs(),
            running.join(", ")
        ));
    }
}

pub(super) fn last_word(
    places: Places<'_>,
    mission: &Mission,
    came: Came,
    ours: bool,
    form: Form,
) -> Result<Exit, AppError> {
    let exit = match (came, mission.ending()) {
        (Came::Interrupted, _) => Exit::Interrupted,
        (Came::Waiting | Came::HostStopped, _) => Exit::WaitingForHuman,
        (Came::Ended, Some(ending)) if ending.phase == EndingPhase::Completed => Exit::Ok,
        (Came::Ended, _) => Exit::NotGood,
    };
    if form == Form::Json {
        let summary = serde_json::json!({
            "summary": mission.summary(), "ending": mission.ending(), "exit": exit as u8,
        });
        output::line(&summary.to_string())?;
        return Ok(exit);
    }
    let id = short(mission.id());
    let lines = match came {
        Came::Ended => ending(mission, wiring::clock().now(), places),
        Came::Interrupted if ours => vec![
            Line::new(),
            Line::new()
                .plain(" ")
                .and(Tone::Human, "Interrupted. ")
                .plain("The mission is safe."),
            Line::of(
                Tone::Dim,
                format!("   `adjutant up` continues it; `adjutant abort {id}` cancels it."),
            ),
        ],
        Came::Interrupted => vec![
            Line::new(),
            Line::new()
                .plain(" ")
                .and(Tone::Human, "No longer watching. ")
                .plain("The mission continues in the running host."),
            Line::of(
                Tone::Dim,
                format!(
                    "   Watch it again with `adjutant watch {id}`; cancel it with `adjutant abort {id}`."
                ),
            ),
        ],
        Came::Waiting | Came::HostStopped => waiting(mission, ours),
    };
    Line::print_all(&lines, output::paint())?;
    Ok(exit)
}

/// What the mission waits for, and exactly how to go on.
fn waiting(mission: &Mission, ours: bool) -> Vec<Line> {
    let id = short(mission.id());
    let head = Line::new().plain(" ").and(Tone::Human, "? ");
    if let Some(pause) = mission.pause().filter(|_| mission.is_stopped()) {
        let head = head
            .and(Tone::Bold, "Stopped.")
            .plain(" The mission is safe.");
        let why = Line::new().plain("   ").plain(&pause.reason);
        let how = Line::of(Tone::Dim, "   adjutant stops");
        return vec![Line::new(), head, why, how];
    }
    if mission.open_checkpoints().next().is_none() {
        let head = head
            .and(Tone::Bold, "Paused.")
            .plain(" The mission is safe.");
        let why = mission.pause().map(pause_words).unwrap_or_default();
        let why = Some(why).filter(|why| !why.is_empty());
        let why = why.map(|why| Line::new().plain(format!("   {why}")));
        let how = Line::of(Tone::Dim, format!("   adjutant resume {id}"));
        return [Line::new(), head]
            .into_iter()
            .chain(why)
            .chain([how])
            .collect();
    }
    let mut lines = vec![
        Line::new(),
        head.and(Tone::Bold, "Waiting for a human.")
            .plain(" The mission is safe."),
    ];
    for state in mission.open_checkpoints() {
        let checkpoint = &state.checkpoint;
        let role = checkpoint
            .role
            .as_ref()
            .map_or(String::new(), |role| format!(" (for the role {role})"));
        let asked = format!("{}{role}", checkpoint.question);
        let asked = wrap(&asked, output::size().0.min(100) - 4).into_iter();
        lines.extend(asked.map(|part| Line::new().plain("   ").plain(part)));
        let number = CheckpointId {
            mission: mission.id(),
            number: checkpoint.number,
        };
        let look = format!("{}  # look first", how_to_look(number, checkpoint));
        let commands = std::iter::once(look).chain(how_to_decide(number, checkpoint));
        lines.extend(commands.map(|command| Line::of(Tone::Dim, format!("     {command}"))));
    }
    let then = match ours {
        true => format!("   Then `adjutant up` continues it, and `adjutant watch {id}` shows it."),
        false => {
            format!("   Then the running host continues it, and `adjutant watch {id}` shows it.")
        }
    };
    lines.push(Line::of(Tone::Dim, then));
    lines
}

pub(super) fn campaign(name: &str) -> Result<CampaignId, AppError> {
    CampaignId::new(name).map_err(|error| {
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-6060",
            format!("`{name}` is not a valid campaign name: {error}"),
            "Use letters, digits, `_` and `-`.",
        )
    })
}

/// Puts the values of `--input name=value` in the place of the plan's own.
fn give_inputs(plan: &mut Plan, given: &[String]) -> Result<(), AppError> {
    if given.is_empty() {
        return Ok(());
    }
    let wrong =
        |message: String, help: &str| AppError::new(ErrorKind::BadInput, "ADJ-6030", message, help);
    let text = plan.inputs.as_ref().map_or("{}", Json::text);
    let mut inputs: BTreeMap<String, serde_json::Value> =
        serde_json::from_str(text).unwrap_or_default();
    let known = inputs.keys().cloned().collect::<Vec<_>>().join(", ");
    for given in given {
        let Some((name, value)) = given.split_once('=') else {
            return Err(wrong(
                format!("`--input {given}` has no `=`"),
                "Write it as `--input name=value`.",
            ));
        };
        let Some(slot) = inputs.get_mut(name) else {
            let has = if known.is_empty() {
                "the plan has no inputs".into()
            } else {
                format!("the plan has {known}")
            };
            return Err(wrong(
                format!("unknown input `{name}`; {has}"),
                "Add it under `inputs:` in the plan, or correct the name.",
            ));
        };
        // What is meant as text in the plan stays text, even if it looks like a number.
        *slot = match slot {
            serde_json::Value::String(_) => value.into(),
            _ => serde_json::from_str(value).unwrap_or_else(|_| value.into()),
        };
    }
    let encoded =
        Json::encode(&inputs).map_err(|error| wrong(error.to_string(), "Give plain values."))?;
    plan.inputs = Some(encoded);
    Ok(())
}
