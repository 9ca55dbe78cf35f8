//! Answering questions: decide, claim, release.

use std::io::BufRead as _;

use adjutant_mission::{
    Asks, CheckpointId, CheckpointState, Command, Decision, Json, Mission, OptionKey, TaskKey,
    Verdict,
};
use serde_json::Value;

use super::rate_mission;
use super::replan;
use super::steer::deliver;
use crate::args::{Checkpoint, Decide, Verdict as Named};
use crate::exit::Exit;
use crate::live::{Answering, Typed};
use crate::output::{self, Stage};
use crate::view::{Line, Tone, how_to_decide, question, short};
use adjutant_app::answer_in_words::{consequence, spell_out};
use adjutant_app::constitution::{overrule_all, review_answer};
use adjutant_app::context::Context;
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::find;
use adjutant_app::mission_record::MissionRecord;
use adjutant_app::plan_checker::PlanChecker;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::report::read_report;
use adjutant_app::rules::rule_book_or_none_start;
use adjutant_app::settings::Settings;
use adjutant_app::wiring;
use adjutant_document_model::markdown_summary;

const OPTION_NEEDED: &str = "ADJ-2016";
/// Where answers keep the text that somebody wrote.
const WRITTEN: [&str; 2] = ["text", "summary"];
/// Largest change that is read from a file.
const CHANGE_BYTES_MAX: u64 = 1024 * 1024;

pub(super) async fn claim(settings: &Settings, which: Checkpoint) -> Result<Exit, AppError> {
    let (id, state) = find_question(settings, &which).await?;
    let by = settings.actor(state.checkpoint.role.as_ref());
    let command = Command::Claim {
        checkpoint: id.number,
    };
    deliver(settings, id.mission, by, command, "Claimed for an hour.").await
}

pub(super) async fn release(settings: &Settings, which: Checkpoint) -> Result<Exit, AppError> {
    let (id, state) = find_question(settings, &which).await?;
    let by = settings.actor(state.checkpoint.role.as_ref());
    let command = Command::Release {
        checkpoint: id.number,
    };
    deliver(settings, id.mission, by, command, "Released.").await
}

pub(super) async fn decide(settings: &Settings, decide: Decide) -> Result<Exit, AppError> {
    let (id, mission) = find_checkpoint(settings, &decide.checkpoint).await?;
    let state = question_of(&mission, id)?;
    let decision = match decide.verdict {
        Some(verdict) => {
            let patch = match &decide.patch {
                Some(file) => Some(Box::new(replan::read(settings, file, &mission).await?)),
                None => None,
            };
            let decision = Decision {
                patch,
                ..spelled_out(verdict, &decide)?
            };
            match &decide.text {
                Some(text) => {
                    let new = Rewritten::read(text)?;
                    let done = MissionRecord::read(
                        &ReadOnlyStore::expect(settings).await?.journal,
                        id.mission,
                    )
                    .await?;
                    let state = done.mission.task(&new.task).map(|(_, state)| state);
                    let given = state.and_then(|state| done.output(state.output.as_ref()?));
                    new.instead_of(given, decision)?
                }
                None => decision,
            }
        }
        None => match shown_and_typed(settings, id, &state).await? {
            Some(decision) => decision,
            None => return Ok(Exit::WaitingForHuman),
        },
    };
    let by = settings.actor(state.checkpoint.role.as_ref());
    let decision = match decision.is_words() {
        true => {
            let checker = PlanChecker::new(settings).await?;
            let context = Context::outside_the_host(settings, &checker, &by);
            spell_out(context, &mission, &state.checkpoint, decision).await?
        }
        false => decision,
    };
    let journal = &ReadOnlyStore::expect(settings).await?.journal;
    let decision = review_answer(journal, id.mission, &state.checkpoint, decision).await?;
    let is_last = state.endorsed.len() + 1 >= state.checkpoint.approvals_needed();
    let delivers = state.checkpoint.asks == Asks::ReviewResult
        && decision.verdict == Verdict::Approve
        && is_last;
    // Before anything is decided: what cannot be rated decides nothing.
    rate_mission::check_rating_at_delivery(decide.rating, delivers)?;
    let done = done(settings, &mission, &state, &decision);
    let command = Command::Decide {
        checkpoint: id.number,
        decision,
    };
    let sent = deliver(settings, id.mission, by, command, &done).await;
    let sent = sent.map_err(|failure| with_how_to(failure, id, &state))?;
    if delivers {
        let stars = match decide.verdict {
            None => rate_mission::ask_for_stars(),
            Some(_) => decide.rating,
        };
        rate_mission::rate_at_delivery(settings, id.mission, stars).await?;
    }
    Ok(sent)
}

/// Asks at the terminal. What is to be delivered is shown first.
async fn shown_and_typed(
    settings: &Settings,
    id: CheckpointId,
    state: &CheckpointState,
) -> Result<Option<Decision>, AppError> {
    if state.checkpoint.asks == Asks::ReviewResult {
        let reading = ReadOnlyStore::expect(settings).await?;
        // Not every mission has a report; `show` prints the outputs.
        if let Ok((document, _)) = read_report(
            &reading.journal,
            id.mission,
            settings.outgoing,
            &rule_book_or_none_start(settings),
        )
        .await
        {
            output::note(&markdown_summary(&document));
            let mission = short(id.mission);
            output::note(&format!("The whole: `adjutant report {mission}`\n"));
        }
    }
    typed(id, state)
}

/// The machine says that a choice is needed; here is how to make it.
pub(super) fn with_how_to(
    mut failure: AppError,
    id: CheckpointId,
    state: &CheckpointState,
) -> AppError {
    if let Some(first) = failure.complaints.first_mut()
        && first.code == OPTION_NEEDED
    {
        let commands = how_to_decide(id, &state.checkpoint);
        first.help = format!(
            "For instance `{}`.",
            commands.first().map_or("", |first| first)
        );
    }
    failure
}

/// What an answer does.
fn done(
    settings: &Settings,
    mission: &Mission,
    state: &CheckpointState,
    decision: &Decision,
) -> String {
    let will = consequence(settings, mission, &state.checkpoint, decision);
    match decision.verdict {
        Verdict::Approve if state.checkpoint.approvals_needed() > 1 => format!("Approved. {will}"),
        Verdict::Approve => "Approved.".to_owned(),
        Verdict::Reject => "Rejected.".to_owned(),
        Verdict::Modify => will,
    }
}

async fn find_question(
    settings: &Settings,
    which: &Checkpoint,
) -> Result<(CheckpointId, CheckpointState), AppError> {
    let (id, mission) = find_checkpoint(settings, which).await?;
    Ok((id, question_of(&mission, id)?))
}

async fn find_checkpoint(
    settings: &Settings,
    which: &Checkpoint,
) -> Result<(CheckpointId, Mission), AppError> {
    let reading = ReadOnlyStore::expect(settings).await?;
    let id = find::checkpoint(reading.store(), &which.checkpoint).await?;
    Ok((id, reading.mission(id.mission).await?.0))
}

pub(super) fn question_of(
    mission: &Mission,
    id: CheckpointId,
) -> Result<CheckpointState, AppError> {
    let state = mission.checkpoints().get(id.number.index()).cloned();
    state.ok_or_else(|| {
        AppError::from(adjutant_host::HostError::Refused(
            adjutant_mission::Refused::CheckpointUnknown {
                checkpoint: id.number,
            },
        ))
    })
}

pub(super) fn spelled_out(verdict: Named, decide: &Decide) -> Result<Decision, AppError> {
    let name = |flag: &str, error: adjutant_mission::IdError| {
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-6031",
            format!("{flag}: {error}"),
            "`adjutant show` lists the names.",
        )
    };
    let says_nothing = decide.change.is_none()
        && decide.text.is_none()
        && decide.patch.is_none()
        && decide.redo.is_empty()
        && decide.note.as_deref().unwrap_or_default().trim().is_empty();
    if verdict == Named::Modify && says_nothing {
        return Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6037",
            "`modify` needs a change or guidance",
            "Add `--change`, `--text`, `--patch`, `--redo`, or guidance with `--note`.",
        ));
    }
    let option = decide.option.as_ref().map(OptionKey::new).transpose();
    let redo = decide
        .redo
        .iter()
        .map(TaskKey::new)
        .collect::<Result<_, _>>();
    Ok(Decision {
        verdict: match verdict {
            Named::Approve => Verdict::Approve,
            Named::Reject => Verdict::Reject,
            Named::Modify => Verdict::Modify,
        },
        option: option.map_err(|error| name("--option", error))?,
        note: decide
            .overrule
            .as_ref()
            .or(decide.note.as_ref())
            .cloned()
            .unwrap_or_default(),
        change: match decide.overrule {
            Some(_) => Some(overrule_all()),
            None => decide.change.as_deref().map(change).transpose()?,
        },
        redo: redo.map_err(|error| name("--redo", error))?,
        patch: None,
    })
}

/// A text in the place of what a task wrote.
pub(super) struct Rewritten {
    pub(super) task: String,
    text: String,
}

impl Rewritten {
    pub(super) fn read(given: &str) -> Result<Self, AppError> {
        let Some((task, text)) = given.split_once('=') else {
            return Err(Self::wrong("names no task".into()));
        };
        let text = match text.strip_prefix('@') {
            None => text.to_owned(),
            Some(path) => {
                let bytes = adjutant_app::files::read(path.as_ref(), CHANGE_BYTES_MAX)?;
                String::from_utf8(bytes).map_err(|_| Self::wrong(format!("{path} is not text")))?
            }
        };
        let task = task.to_owned();
        Ok(Self { task, text })
    }

    /// The decision with it. All else that the task gave stays: its citations too.
    pub(super) fn instead_of(
        &self,
        given: Option<Value>,
        decision: Decision,
    ) -> Result<Decision, AppError> {
        let name = &self.task;
        let Some(mut output) = given else {
            let told = format!("names `{name}`, which has no output");
            return Err(Self::wrong(told));
        };
        let field = WRITTEN.iter().find(|field| output[**field].is_string());
        let Some(field) = field else {
            return Err(Self::wrong(format!(
                "names `{name}`, which produced no text"
            )));
        };
        output[*field] = self.text.trim_end().into();
        let change = Json::encode(&output).map_err(|error| Self::wrong(error.to_string()))?;
        let task = TaskKey::new(name).map_err(|error| Self::wrong(error.to_string()))?;
        Ok(Decision {
            change: Some(change),
            redo: vec![task],
            ..decision
        })
    }

    fn wrong(why: String) -> AppError {
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-6118",
            format!("--text {why}"),
            "Write it as `--text TASK=@FILE`, with a task that produced a text; `adjutant show` lists them.",
        )
    }
}

fn change(text: &str) -> Result<Json, AppError> {
    let wrong = |why: String| {
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-6032",
            format!("--change: {why}"),
            "Give JSON, such as '{\"text\": \"…\"}', or @file with JSON in it.",
        )
    };
    let from_file = match text.strip_prefix('@') {
        None => None,
        Some(path) => {
            let bytes = adjutant_app::files::read(path.as_ref(), CHANGE_BYTES_MAX)?;
            Some(String::from_utf8(bytes).map_err(|_| wrong(format!("{path} is not text")))?)
        }
    };
    Json::parse(from_file.as_deref().unwrap_or(text))
        .map_err(|error| wrong(format!("this is not JSON: {error}")))
}

/// Asks at the terminal, line by line.
pub(super) fn typed(
    id: CheckpointId,
    state: &CheckpointState,
) -> Result<Option<Decision>, AppError> {
    let checkpoint = &state.checkpoint;
    if output::stage() != Stage::Interactive {
        let lines = question(checkpoint, wiring::clock().now(), output::size().0);
        Line::print_all(&lines, output::paint())?;
        let commands = how_to_decide(id, checkpoint);
        let commands: Vec<String> = commands.iter().map(|one| format!("`{one}`")).collect();
        return Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6033",
            "there is no terminal to ask on",
            format!("Give the answer in the command: {}.", commands.join(" or ")),
        ));
    }
    if state.closed.is_some() {
        // The host says how it was closed, and by whom.
        return Ok(Some(Decision::new(Verdict::Approve)));
    }
    let paint = output::paint();
    let mut answering = Answering::new(id.number);
    let lines = question(checkpoint, wiring::clock().now(), output::size().0);
    Line::print_all(&lines, paint)?;
    let mut stdin = std::io::stdin().lock();
    loop {
        if let Some(complaint) = &answering.complaint {
            output::line(&Line::of(Tone::Failed, format!(" ┃ {complaint}")).render(paint))?;
        }
        prompt(&answering.prompt().render(paint))?;
        let mut line = String::new();
        let read = stdin.read_line(&mut line).map_err(output::unwritten)?;
        if read == 0 {
            return Ok(None);
        }
        answering.typed = line;
        match answering.submit(checkpoint) {
            Typed::More => {}
            Typed::Decide(decision) => return Ok(Some(decision)),
            Typed::Leave => return Ok(None),
        }
    }
}

fn prompt(text: &str) -> Result<(), AppError> {
    use std::io::Write as _;
    let mut out = std::io::stdout().lock();
    let written = write!(out, "{text}").and_then(|()| out.flush());
    written.map_err(output::unwritten)
}
