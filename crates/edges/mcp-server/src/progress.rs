//! Long calls for clients that want to hear how far they are: the same call in short turns, with a notice after each. What
//! is told is read from the mission's journal, so it is the same after a restart.

use adjutant_app::error::AppError;
use adjutant_app::workflow::{ProgramCaller, ProgramTools};
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::{Peer, RoleServer};
use serde_json::{Value, json};

/// How long one turn waits for the workflow to rest.
const TURN_SECONDS: u64 = 2;
/// As the tools themselves have it.
const SECONDS_DEFAULT: u64 = 20;
const SECONDS_MAX: u64 = 25;
/// The tools that wait until a workflow rests.
const WAITING: &[&str] = &[
    "execute_workflow",
    "start_mission",
    "continue",
    "replan_dag",
    "workflow_status",
];

/// What only the call itself says, and no later look at the workflow.
const SAID_ONCE: [&str; 4] = ["left_out", "note", "suggested", "replanned"];

pub(crate) fn is_waited_for(tool: &str) -> bool {
    WAITING.contains(&tool)
}

/// Who wants to hear of a call.
pub(crate) struct Listener<'a> {
    pub(crate) peer: &'a Peer<RoleServer>,
    pub(crate) token: ProgressToken,
}

impl Listener<'_> {
    /// Tells how many tasks have ended, if more have than before. A client that does not hear it misses nothing.
    async fn hear(&self, told: &Value, before: Option<u64>) -> Option<u64> {
        let progress = &told["progress"];
        let ended = progress["tasks_ended"].as_u64()?;
        if before.is_some_and(|before| ended <= before) {
            return before;
        }
        let all = progress["tasks_total"].as_u64().unwrap_or(ended);
        let notice = ProgressNotificationParam::new(self.token.clone(), ended as f64)
            .with_total(all as f64)
            .with_message(format!("{ended} of {all} tasks have ended"));
        let _ = self.peer.notify_progress(notice).await;
        Some(ended)
    }
}

/// Calls a tool in turns until the workflow rests or the caller's time is up.
pub(crate) async fn call_in_turns(
    tools: &dyn ProgramTools,
    caller: &ProgramCaller,
    tool: &str,
    mut arguments: Value,
    listener: &Listener<'_>,
) -> Result<Value, AppError> {
    let wanted = match &arguments["wait_seconds"] {
        Value::Null => Some(SECONDS_DEFAULT),
        given => given.as_u64(),
    };
    // What does not fit is refused by the tool.
    let Some(mut left) = wanted.filter(|seconds| *seconds <= SECONDS_MAX) else {
        return tools.call(caller, tool, arguments).await;
    };
    let mut turn = left.min(TURN_SECONDS);
    arguments["wait_seconds"] = turn.into();
    let results = arguments["results"] != false;
    let mut told = tools.call(caller, tool, arguments).await?;
    let only_said_first = SAID_ONCE.map(|name| (name, told[name].take()));
    let mut heard = None;
    loop {
        left -= turn;
        if left == 0 || told["status"] != "running" {
            break;
        }
        heard = listener.hear(&told, heard).await;
        turn = left.min(TURN_SECONDS);
        let asked = json!({
            "workflow_id": told["workflow_id"], "results": results, "wait_seconds": turn,
        });
        match tools.call(caller, "workflow_status", asked).await {
            Ok(now) => told = now,
            // The call itself did its work: what is known of it is the answer.
            Err(_) => break,
        }
    }
    if let Some(told) = told.as_object_mut() {
        for (name, said) in only_said_first {
            match said {
                Value::Null => told.remove(name),
                said => told.insert(name.into(), said),
            };
        }
    }
    Ok(told)
}
