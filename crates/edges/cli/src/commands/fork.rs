//! `adjutant fork`: a mission that goes another way from some event of one that is there.

use adjutant_host::control::Request;
use adjutant_host::{ForkRequest, HostError, Performs, new_command_id, new_mission_id};
use adjutant_mission::{
    CheckpointNumber, Decision, ForkChange, ForkRefused, Json, Mission, MissionId, ModelId,
    OptionKey, Recorded, Role, Verdict, fork_point, forked_question,
};

use crate::args::Fork;
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::{Line, Tone, count, short};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::find;
use adjutant_app::host_link::HostLink;
use adjutant_app::planning::check_fork_input;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;
use adjutant_app::use_cases::model_routes;
use adjutant_app::wiring;

/// How far back a place to fork at is looked for, to name one.
const LOOKED_BACK_MAX: u64 = 50;

pub(super) async fn run(settings: &Settings, fork: Fork) -> Result<Exit, AppError> {
    let form = Form::from(fork.json.json);
    let reading = ReadOnlyStore::expect(settings).await?;
    let of = find::mission(reading.store(), &fork.mission.mission).await?;
    let (events, head) = reading.journal.read(of).await?;
    let at = fork.at.unwrap_or(head.seq);
    let stood = fork_point(&events, at).map_err(|refused| unfit(&events, refused))?;
    let mut role = None;
    let mut changes = Vec::new();
    for set in &fork.set {
        changes.push(change(settings, &stood, set, &mut role)?);
    }
    drop(reading);
    let now = wiring::clock().now();
    let mission = new_mission_id(now)?;
    let engine = HostLink::reach(settings, Performs::Nothing).await?;
    let request = Request::Fork {
        tenant: settings.tenant.clone(),
        by: settings.actor(role.as_ref()),
        command: new_command_id(now)?,
        fork: Box::new(ForkRequest {
            mission,
            of,
            at,
            changes,
        }),
    };
    let done = engine.request(request).await;
    let ours = engine.host().is_some();
    engine.close().await?;
    done?;
    tell(mission, of, at, form)?;
    if form == Form::Text {
        if ours {
            output::note("   No host is running: `adjutant up` continues it.");
        }
        tell_how_to_compare(of, mission);
    }
    Ok(Exit::Ok)
}

pub(super) fn tell(mission: MissionId, of: MissionId, at: u64, form: Form) -> Result<(), AppError> {
    if form == Form::Json {
        let told = serde_json::json!({ "fork": mission, "of": of, "at": at });
        return output::line(&told.to_string());
    }
    let inherited = usize::try_from(at).unwrap_or(usize::MAX);
    let line = Line::new()
        .plain(" ")
        .and(Tone::Done, "✓")
        .plain(" ")
        .and(
            Tone::Bold,
            format!("Forked {} into {}.", short(of), short(mission)),
        )
        .plain(format!(" It begins with {}.", count(inherited, "event")));
    output::line(&line.render(output::paint()))
}

pub(super) fn tell_how_to_compare(of: MissionId, fork: MissionId) {
    output::note(&format!(
        "   Compare them with `adjutant compare {} {}`.",
        short(of),
        short(fork)
    ));
}

/// What one `--set` makes different.
fn change(
    settings: &Settings,
    stood: &Mission,
    set: &str,
    role: &mut Option<Role>,
) -> Result<ForkChange, AppError> {
    match Set::read(set, stood)? {
        Set::Decision(named, decision) => {
            let checkpoint = forked_question(stood, named).map_err(HostError::from)?;
            let state = stood.checkpoints().get(checkpoint.index());
            *role = state.and_then(|state| state.checkpoint.role.clone());
            Ok(ForkChange::Decision {
                checkpoint,
                decision,
            })
        }
        Set::Input(name, value) => Ok(ForkChange::Input { name, value }),
        // With what its questions may cost.
        Set::Model(model) => {
            let tools = model_routes(settings, &model, stood.plan())?;
            Ok(ForkChange::Model { model, tools })
        }
    }
}

/// What one `--set` says.
#[derive(Debug)]
pub(super) enum Set {
    /// Of the question with this number, or of the only one.
    Decision(Option<CheckpointNumber>, Decision),
    Input(String, Json),
    Model(ModelId),
}

impl Set {
    /// `stood` says which inputs are texts.
    pub(super) fn read(set: &str, stood: &Mission) -> Result<Self, AppError> {
        let (what, value) = set.split_once('=').ok_or_else(|| {
            wrong(
                format!("`--set {set}` has no `=`"),
                "Write `decision=approve`, `decision=2:left`, `input=name=value` or `model=provider/model`.",
            )
        })?;
        match what {
            "decision" => decision(value),
            "input" => input(stood, value),
            "model" => model(value),
            _ => Err(wrong(
                format!("`{what}` cannot be set in a fork"),
                "Set a `decision`, an `input` or a `model`.",
            )),
        }
    }
}

fn model(name: &str) -> Result<Set, AppError> {
    let model = ModelId::new(name).map_err(|error| {
        wrong(
            format!("`{name}` cannot be a model: {error}"),
            "Write it as `provider/model`, or `offline`.",
        )
    })?;
    Ok(Set::Model(model))
}

fn decision(value: &str) -> Result<Set, AppError> {
    let (named, said) = match value.split_once(':') {
        Some((number, said)) => {
            let number = number.parse().map_err(|_| {
                wrong(
                    format!("`{number}` is not the number of a question"),
                    "Write it as in `decision=2:approve`; `adjutant show` lists the numbers.",
                )
            })?;
            (Some(CheckpointNumber::new(number)), said)
        }
        None => (None, value),
    };
    let decision = match said {
        "approve" => Decision::new(Verdict::Approve),
        "reject" => Decision::new(Verdict::Reject),
        option => Decision {
            option: Some(OptionKey::new(option).map_err(|error| {
                wrong(
                    format!("`{option}` is not an answer: {error}"),
                    "Use `approve`, `reject`, or one of the question's options.",
                )
            })?),
            ..Decision::new(Verdict::Approve)
        },
    };
    Ok(Set::Decision(named, decision))
}

fn input(stood: &Mission, given: &str) -> Result<Set, AppError> {
    let (name, value) = given.split_once('=').ok_or_else(|| {
        wrong(
            format!("`--set input={given}` has no value"),
            "Write it as `input=name=value`.",
        )
    })?;
    check_fork_input(name)?;
    // What is meant as text in the plan stays text, even if it looks like a number.
    let before = stood.plan().inputs.as_ref();
    let before = before.and_then(|inputs| inputs.at(&[name.to_owned()]));
    let is_text = before.is_some_and(|before| before.text().starts_with('"'));
    let parsed = if is_text {
        Json::encode(value)
    } else {
        Json::parse(value).or_else(|_| Json::encode(value))
    };
    let value = parsed.map_err(adjutant_journal::JournalError::Encode)?;
    Ok(Set::Input(name.to_owned(), value))
}

/// A refusal, with a place to fork at instead if there is one near.
fn unfit(events: &[Recorded], refused: ForkRefused) -> AppError {
    let near = match &refused {
        ForkRefused::Ended { at } => (1..*at)
            .rev()
            .take(LOOKED_BACK_MAX as usize)
            .find(|at| fork_point(events, *at).is_ok()),
        _ => None,
    };
    let mut failure = AppError::from(HostError::from(refused));
    if let (Some(near), Some(first)) = (near, failure.complaints.first_mut()) {
        first.help = format!(
            "Fork at an earlier event, the last of which is {near}; `adjutant events` has the numbers."
        );
    }
    failure
}

fn wrong(message: String, help: &str) -> AppError {
    AppError::new(ErrorKind::BadInput, "ADJ-3068", message, help)
}
