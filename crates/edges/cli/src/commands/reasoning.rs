//! `adjutant show --reasoning`: how agents came to what they concluded, step by step.

use adjutant_mission::{Json, Mission, MissionId, Payload};
use serde_json::Value;

use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::{self, Line, reasoning, short};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::mission_record::MissionRecord;
use adjutant_app::read_only_store::ReadOnlyStore;

/// What a call found is cut after this.
const FOUND_CHARS_MAX: usize = 300;

pub(super) async fn show(
    reading: &ReadOnlyStore,
    mission: MissionId,
    task: &str,
    form: Form,
) -> Result<Exit, AppError> {
    let read = MissionRecord::read(&reading.journal, mission).await?;
    tell(&read.mission, |payload| read.output(payload), task, form)
}

/// `given` is what a step gave, wherever it is kept.
pub(super) fn tell(
    mission: &Mission,
    given: impl Fn(&Payload) -> Option<Value>,
    task: &str,
    form: Form,
) -> Result<Exit, AppError> {
    let wanted = |key: &str| task.is_empty() || task == key;
    let thought: Vec<_> = mission
        .tasks()
        .filter(|(task, state)| wanted(task.key.as_str()) && !state.steps.is_empty())
        .collect();
    if thought.is_empty() {
        let id = short(mission.id());
        let (what, help) = match task {
            "" => (
                format!("mission {id} has no reasoning steps"),
                "Reasoning steps appear once an agent that reasons step by step has started.",
            ),
            task => (
                format!("task `{task}` of mission {id} has no reasoning steps"),
                "Without a task, `--reasoning` shows every task with reasoning steps.",
            ),
        };
        return Err(AppError::new(ErrorKind::BadInput, "ADJ-6119", what, help));
    }
    if form == Form::Json {
        for (task, state) in thought {
            for (number, taken) in state.steps.iter().enumerate() {
                let line = serde_json::json!({
                    "task": task.key,
                    "number": number + 1,
                    "step": taken.step,
                    "signs": taken.signs,
                    "usage": taken.usage,
                    "output": given(&taken.output),
                });
                output::line(&line.to_string())?;
            }
        }
        return Ok(Exit::Ok);
    }
    let width = output::size().0.min(110);
    for (task, state) in thought {
        let lines = reasoning(task, state, |taken| said(given(&taken.output)), width);
        Line::print_all(&lines, output::paint())?;
    }
    Ok(Exit::Ok)
}

fn said(output: Option<Value>) -> Vec<String> {
    let Some(output) = output else {
        return vec!["(its content was erased)".to_owned()];
    };
    let told = Json::encode(&output)
        .ok()
        .and_then(|json| view::tell(&json));
    match told {
        Some(told) => told.lines,
        None => vec![found(&output)],
    }
}

fn found(output: &Value) -> String {
    let text = output.to_string();
    match text.char_indices().nth(FOUND_CHARS_MAX) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
