//! The answer `ail_required` to a workflow that was asked for in words: what would run, how sure that is, what is missing, and
//! the four choices. Pure: nothing is kept or started here.

use adjutant_mission::{MissionId, Timestamp};
use adjutant_session_events::rfc3339;
use adjutant_suggestion::{AilReason, Graph, Missing, Suggestion};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::service::Configuration;
use super::shorten::shorten;
use super::{toolbox, unfit};
use crate::error::{AppError, ErrorKind};
use crate::remedies::in_words_of_program;

/// What an answer shows of the suggested tasks. They are kept whole.
const TASKS_BYTES: usize = 14_000;
const PROBLEMS_MAX: usize = 10;

/// What can be done with a suggestion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Choice {
    AgentDelegation,
    ManualDag,
    ExecuteSuggested,
    Abort,
}

impl Choice {
    pub(super) const ALL: [Self; 4] = [
        Self::AgentDelegation,
        Self::ManualDag,
        Self::ExecuteSuggested,
        Self::Abort,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::AgentDelegation => "agent_delegation",
            Self::ManualDag => "manual_dag",
            Self::ExecuteSuggested => "execute_suggested",
            Self::Abort => "abort",
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::AgentDelegation => "Let an agent work it out",
            Self::ManualDag => "Write the graph yourself",
            Self::ExecuteSuggested => "Run the suggested graph",
            Self::Abort => "Start nothing",
        }
    }

    fn about(self, offered: &Offered) -> &'static str {
        match self {
            Self::AgentDelegation => {
                "Runs the intent as one agent_delegation, with those of the suggested tools that only read."
            }
            Self::ManualDag => "Runs the graph that you send in `tasks`.",
            Self::ExecuteSuggested if offered.graph.tasks.is_empty() => {
                "Not possible: no tool was suggested."
            }
            Self::ExecuteSuggested if offered.missing.is_empty() => "Runs suggested_dag as it is.",
            Self::ExecuteSuggested => "Runs suggested_dag with the missing arguments in `values`.",
            Self::Abort => "Closes the suggestion.",
        }
    }
}

/// Why a suggestion was not started.
#[derive(Debug)]
pub(super) enum Reason {
    /// The suggestion itself says that somebody must decide.
    Decide(AilReason),
    /// It is sure enough, and the suggested graph cannot run as it is.
    DoesNotFit(AppError),
}

impl Reason {
    fn name(&self) -> Value {
        match self {
            Self::Decide(reason) => json!(reason),
            Self::DoesNotFit(_) => json!("does_not_fit"),
        }
    }

    fn sentence(&self) -> &'static str {
        match self {
            Self::Decide(reason) => reason.sentence(),
            Self::DoesNotFit(_) => "The suggested graph cannot run as it is.",
        }
    }

    fn problems(&self) -> Vec<String> {
        match self {
            Self::Decide(_) => Vec::new(),
            Self::DoesNotFit(error) => {
                let told = error.complaints.iter().take(PROBLEMS_MAX);
                told.map(|one| format!("{}: {}", one.code, in_words_of_program(&one.message)))
                    .collect()
            }
        }
    }
}

/// A required argument that the suggestion has no value for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Gap {
    task: String,
    argument: String,
    kind: String,
    /// Arguments that do as well.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    or: Vec<String>,
}

impl Gap {
    fn is_filled(&self, given: &Map<String, Value>) -> bool {
        let mut names = self.or.iter().chain([&self.argument]);
        names.any(|name| given.contains_key(name))
    }
}

/// What is kept of a suggestion until it is answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Offered {
    pub(super) intent: String,
    pub(super) config: Configuration,
    pub(super) graph: Graph,
    missing: Vec<Gap>,
    /// The answer as it was sent, so that it is the same when the program asks again.
    pub(super) told: Value,
}

impl Offered {
    pub(super) fn new(
        mission: MissionId,
        suggested: &Suggestion,
        reason: &Reason,
        config: Configuration,
        until: Timestamp,
    ) -> Self {
        let gap = |missing: &Missing| Gap {
            task: missing.task.clone(),
            argument: missing.argument.clone(),
            kind: missing.kind.to_owned(),
            or: missing.or.clone(),
        };
        let mut offered = Self {
            intent: suggested.intent.clone(),
            config,
            graph: suggested.graph.clone(),
            missing: suggested.missing.iter().map(gap).collect(),
            told: Value::Null,
        };
        offered.told = offered.ail_required(mission, suggested, reason, until);
        offered
    }

    fn ail_required(
        &self,
        mission: MissionId,
        suggested: &Suggestion,
        reason: &Reason,
        until: Timestamp,
    ) -> Value {
        let mut told = json!({
            "status": "ail_required",
            "workflow_id": mission,
            "reason": reason.name(),
            "message": format!("{}{} Nothing was started: choose how to go on.", reason.sentence(), besides(suggested, reason)),
            "suggested_dag": { "tasks": shorten(&json!(suggested.graph.tasks), TASKS_BYTES) },
            "novel": suggested.novel,
            "missing": suggested.missing,
            "answer_by": rfc3339(until),
            "options": Choice::ALL.map(|choice| self.option(mission, choice)),
            "next": "Answer once, with execute_workflow, this workflow_id and one `choice`.",
        });
        if let (Some(told), Value::Object(sure)) = (told.as_object_mut(), how_sure(suggested)) {
            told.extend(sure);
        }
        let problems = reason.problems();
        if !problems.is_empty() {
            told["problems"] = problems.into();
        }
        told
    }

    fn option(&self, mission: MissionId, choice: Choice) -> Value {
        let is_possible = choice != Choice::ExecuteSuggested || !self.graph.tasks.is_empty();
        let mut told = json!({
            "value": choice.name(),
            "label": choice.label(),
            "description": choice.about(self),
            "available": is_possible,
            "tool": toolbox::EXECUTE,
            "arguments": { "workflow_id": mission, "choice": choice.name() },
        });
        match choice {
            Choice::ManualDag => {
                told["requires_input"] = json!({ "tasks": "array: the graph" });
            }
            Choice::ExecuteSuggested if !self.missing.is_empty() => {
                let mut values: Map<String, Value> = Map::new();
                for gap in &self.missing {
                    let of_task = values.entry(gap.task.clone()).or_insert_with(|| json!({}));
                    of_task[&gap.argument] = json!(gap.kind);
                }
                told["requires_input"] = json!({ "values": values });
            }
            _ => {}
        }
        told
    }

    /// The suggested graph with the values that the program gave: by task, then by argument.
    pub(super) fn completed(&self, values: &Map<String, Value>) -> Result<Graph, AppError> {
        if self.graph.tasks.is_empty() {
            return Err(AppError::new(
                ErrorKind::BadInput,
                "ADJ-6261",
                "nothing was suggested, so there is nothing to run",
                "Use the choice `manual_dag` or `agent_delegation`.",
            ));
        }
        let mut graph = self.graph.clone();
        for (task, given) in values {
            let found = graph.tasks.iter_mut().find(|known| known.id == *task);
            let (Some(found), Value::Object(given)) = (found, given) else {
                return Err(unfit(
                    "ADJ-6262",
                    format!(
                        "`values` names `{task:.64}`, which is no suggested task with an object of arguments"
                    ),
                    "Send `values: {\"TASK\": {\"ARGUMENT\": …}}` with tasks of suggested_dag.",
                ));
            };
            found.arguments.extend(given.clone());
        }
        let is_open = |gap: &&Gap| {
            let task = graph.tasks.iter().find(|task| task.id == gap.task);
            task.is_some_and(|task| !gap.is_filled(&task.arguments))
        };
        let open = self.missing.iter().filter(is_open);
        let open: Vec<String> = open
            .map(|gap| format!("`{}` of `{}` ({})", gap.argument, gap.task, gap.kind))
            .collect();
        if open.is_empty() {
            return Ok(graph);
        }
        Err(unfit(
            "ADJ-6261",
            format!("the suggested graph lacks {}", open.join(", ")),
            "Give them in `values`: {\"TASK\": {\"ARGUMENT\": …}}.",
        ))
    }

    /// The intent as the work of one agent, with the suggested tools that it may have.
    pub(super) fn as_agent(&self, may_have: impl Fn(&str) -> bool) -> Value {
        let tools = self.graph.tools().into_iter().filter(|tool| may_have(tool));
        let tools: Vec<&str> = tools.collect();
        // What the intent holds is no reference to a task.
        let goal = self.intent.replace("{{", "{ {").replace("}}", "} }");
        json!([{
            "id": "agent",
            "type": "agent_delegation",
            "agent_goal": goal,
            "agent_tools": tools,
        }])
    }
}

/// What else the caller needs to know to decide, if the reason does not say it.
fn besides(suggested: &Suggestion, reason: &Reason) -> String {
    let is_reason = |other: AilReason| matches!(reason, Reason::Decide(one) if *one == other);
    let nothing_fits = is_reason(AilReason::NothingFits);
    let mut besides = String::new();
    for (holds, named) in [
        (!suggested.missing.is_empty(), AilReason::MissingArguments),
        (!suggested.not_covered.is_empty(), AilReason::NotCovered),
    ] {
        if holds && !nothing_fits && !is_reason(named) {
            besides.push(' ');
            besides.push_str(named.sentence());
        }
    }
    besides
}

/// How sure a suggestion is, why its tasks are in it, and which parts of the intent no task covers. The objective of an earlier
/// workflow is left out: those who may see that workflow can ask for it by its id.
pub(super) fn how_sure(suggested: &Suggestion) -> Value {
    let confidence = &suggested.confidence;
    let mut told = json!({
        "confidence": confidence.value,
        "confidence_parts": {
            "raw": confidence.raw,
            "hybrid": confidence.hybrid,
            "pagerank": confidence.pagerank,
            "path": confidence.path,
            "density": confidence.density,
        },
        "why": suggested.why,
        "not_covered": suggested.not_covered,
    });
    if let Some(nearest) = &suggested.nearest {
        told["nearest"] = json!({ "workflow": nearest.workflow, "similarity": nearest.similarity });
    }
    told
}

/// How a suggestion stands that was declined.
pub(super) fn declined(mission: MissionId) -> Value {
    json!({
        "status": "aborted",
        "workflow_id": mission,
        "reason": "The suggestion was declined. Nothing was started.",
    })
}

#[cfg(test)]
#[path = "offer_tests.rs"]
mod tests;
