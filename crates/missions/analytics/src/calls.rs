//! What is under way for each task: a call of a tool or a question to a model, and by whom.

use std::collections::BTreeMap;

use adjutant_mission::{Effect, FailureKind, Mission, TaskKey, Work};
use adjutant_questions::LevelFacts;
use serde_json::Value;

/// The tool that stands in for a lookup that failed. The lookup is counted; this is not.
const STAND_IN: &str = "nothing_found";
/// The tool that holds what is handed over against the constitution.
const CONSTITUTION: &str = "constitution";
/// Fields that hold what a search found.
const FOUND: [&str; 8] = [
    "sources",
    "results",
    "hits",
    "passages",
    "items",
    "records",
    "rows",
    "documents",
];

/// Something that was begun for a task and has not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnderWay {
    pub(crate) what: CallKind,
    /// Who does it; empty if no agent is named.
    pub(crate) agent: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CallKind {
    Tool,
    /// A tool too: the constitutional checks.
    Check,
    /// A question to a model, with the tokens that its level may use for it.
    Question {
        tokens_max: u64,
    },
    /// A gate, a sub-mission, or a tool that only stands in for another.
    Uncounted,
}

#[derive(Debug, Default)]
pub(crate) struct Calls(BTreeMap<TaskKey, UnderWay>);

impl Calls {
    pub(crate) fn begin(&mut self, mission: &Mission, effect: &Effect) {
        let what = match &effect.work {
            Work::CallTool(call) if call.tool.as_str() == CONSTITUTION => CallKind::Check,
            Work::CallTool(call) if call.tool.as_str() != STAND_IN => CallKind::Tool,
            Work::AskModel(work) => {
                let limits = LevelFacts::of(work.level).limits(work.complexity);
                let tokens_max =
                    u64::from(limits.input_tokens_max) + u64::from(limits.output_tokens_max);
                CallKind::Question { tokens_max }
            }
            Work::CallTool(_) | Work::EvaluateGate(_) | Work::RunMission { .. } => {
                CallKind::Uncounted
            }
        };
        let doer = mission
            .task(effect.task.as_str())
            .and_then(|(task, state)| state.doer(task));
        let agent = doer.map_or_else(String::new, ToString::to_string);
        self.0.insert(effect.task.clone(), UnderWay { what, agent });
    }

    pub(crate) fn end(&mut self, task: &TaskKey) -> Option<UnderWay> {
        self.0.remove(task)
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

/// Whether a call that failed like this had been sent to its tool.
pub(crate) fn was_sent(kind: FailureKind) -> bool {
    match kind {
        FailureKind::CapReached
        | FailureKind::Denied
        | FailureKind::NeedsHuman
        | FailureKind::Verdict => false,
        FailureKind::Temporary
        | FailureKind::Permanent
        | FailureKind::BadInput
        | FailureKind::BadOutput
        | FailureKind::TimedOut
        | FailureKind::OutcomeUnknown => true,
    }
}

/// Whether a result holds something: a search that found nothing worked, and was of no use.
pub(crate) fn is_useful(output: &Value) -> bool {
    match output {
        Value::Null => false,
        Value::Bool(_) | Value::Number(_) => true,
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => {
            let lists = FOUND
                .iter()
                .filter_map(|name| fields.get(*name)?.as_array());
            let lists: Vec<&Vec<Value>> = lists.collect();
            match lists.is_empty() {
                true => !fields.is_empty(),
                false => lists.iter().any(|list| !list.is_empty()),
            }
        }
    }
}
