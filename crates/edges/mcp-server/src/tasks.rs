//! Tasks of the protocol, for clients that offer them: a call whose workflow still runs when it is answered. A task ends
//! when its workflow rests for the first time, whatever comes after.
//!
//! **Invariant:** Nothing of a task is kept but its mission's journal. Its name says which mission it is and how many
//! questions had been asked when it began, so any server that reads the journal can tell what became of it.

use adjutant_app::workflow::WorkflowPulse;
use rmcp::model::{CallToolResult, DetailedTask, Task, TaskPayload, TaskStatus};
use serde_json::Value;

const POLL_MS: u64 = 5_000;

/// The name of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TaskName {
    pub(crate) workflow: String,
    questions: usize,
}

impl TaskName {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (workflow, questions) = text.rsplit_once('.')?;
        Some(Self {
            workflow: workflow.to_owned(),
            questions: questions.parse().ok()?,
        })
    }

    fn of(pulse: &WorkflowPulse) -> Self {
        Self {
            workflow: pulse.workflow.clone(),
            questions: pulse.questions,
        }
    }

    fn text(&self) -> String {
        format!("{}.{}", self.workflow, self.questions)
    }
}

/// The task of a call that told that its workflow runs.
pub(crate) fn begun(pulse: &WorkflowPulse) -> Task {
    described(&TaskName::of(pulse), pulse)
}

/// What has become of a task, from how its workflow stands now.
pub(crate) fn stands(
    name: &TaskName,
    pulse: &WorkflowPulse,
    told: &Value,
    result: &CallToolResult,
) -> DetailedTask {
    let has_rested = pulse.questions > name.questions || told["status"] != "running";
    let payload = match has_rested {
        false => TaskPayload::Working,
        true if told["status"] == "aborted" => TaskPayload::Cancelled,
        true => TaskPayload::Completed {
            result: match serde_json::to_value(result) {
                Ok(Value::Object(result)) => result,
                _ => serde_json::Map::new(),
            },
        },
    };
    DetailedTask::new(described(name, pulse), payload)
}

fn described(name: &TaskName, pulse: &WorkflowPulse) -> Task {
    let (began, changed) = (pulse.began.as_str(), pulse.changed.as_str());
    Task::new(name.text(), TaskStatus::Working, began, changed).with_poll_interval_ms(POLL_MS)
}

#[cfg(test)]
mod tests {
    use rmcp::model::ContentBlock;
    use serde_json::json;

    use super::*;

    fn pulse(questions: usize) -> WorkflowPulse {
        WorkflowPulse {
            workflow: "msn_1".to_owned(),
            began: "2026-11-19T10:00:00.000Z".to_owned(),
            changed: "2026-11-19T10:00:05.000Z".to_owned(),
            questions,
        }
    }

    #[test]
    fn a_task_ends_when_its_workflow_first_rests() {
        let name = TaskName::parse(&begun(&pulse(1)).task_id).unwrap();
        assert_eq!(name, TaskName::of(&pulse(1)));
        let result = CallToolResult::success(vec![ContentBlock::text("done")]);
        for (status, questions, expected) in [
            ("running", 1, TaskStatus::Working),
            ("awaiting_approval", 2, TaskStatus::Completed),
            // It was answered since, and the workflow runs again: that is no part of this task.
            ("running", 2, TaskStatus::Completed),
            ("complete", 1, TaskStatus::Completed),
            ("failed", 1, TaskStatus::Completed),
            ("aborted", 1, TaskStatus::Cancelled),
        ] {
            let told = json!({ "status": status });
            let task = stands(&name, &pulse(questions), &told, &result);
            assert_eq!(task.status(), expected, "{status} {questions}");
        }
    }

    #[test]
    fn what_names_no_task_is_none() {
        for text in ["", "msn_1", "msn_1.", "msn_1.x", "msn_1.-1"] {
            assert_eq!(TaskName::parse(text), None, "{text}");
        }
    }
}
