//! What a mission is started with, and what can be done with it. Makes no plan.

use std::collections::BTreeMap;

use adjutant_mission::{Autonomy, CheckpointType, MicroUsd, Task, ToolId, WorkSpec};
use serde_json::Value;

use crate::check_by_model::CHECKED_PIECES;
use crate::lookups::LOOKUPS;
use crate::template::Needs;

/// What a mission of the template is started with.
#[derive(Debug, Clone, PartialEq)]
pub struct StartWith {
    pub objective: String,
    /// Answers to the template's inputs, by name.
    pub inputs: BTreeMap<String, Value>,
    /// The knowledge bases it may look into.
    pub namespaces: Vec<String>,
    pub attachments: Vec<Attachment>,
    /// Titles and paths of the documents in the knowledge bases: they tell which field it is.
    pub documents: Vec<String>,
    pub autonomy: Autonomy,
    /// What is asked with every autonomy, because a rule says that somebody else must answer it.
    pub four_eyes: Vec<CheckpointType>,
    /// The hard cap; none means unlimited.
    pub money: Option<MicroUsd>,
    /// Which tools may be called. What calls others is left out.
    pub tools: Vec<ToolId>,
    /// How many items the results of tools will have, by tool, where a model is to be asked about each of them.
    pub lists: BTreeMap<String, usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    pub title: String,
    pub text: String,
}

impl StartWith {
    pub(crate) fn has(&self, needs: Needs) -> bool {
        match needs {
            Needs::KnowledgeBase => !self.namespaces.is_empty(),
            Needs::Attachments => !self.attachments.is_empty(),
            // A check by a model is asked for of every mission, whether there are documents to read or not.
            Needs::Model => self.lists.keys().any(|tool| tool != CHECKED_PIECES),
            Needs::Lookups => LOOKUPS.iter().any(|tool| self.may_call(tool)),
        }
    }

    pub(crate) fn may_call(&self, tool: &str) -> bool {
        self.tools
            .iter()
            .any(|permitted| permitted.as_str() == tool)
    }
}

pub(crate) fn cannot_be_done(
    task: &Task,
    only_with: &[Needs],
    start: &StartWith,
) -> Option<String> {
    if let Some(missing) = only_with.iter().find(|needs| !start.has(**needs)) {
        return Some(missing.missing().to_owned());
    }
    match &task.work {
        WorkSpec::Tool(call) if !start.may_call(call.tool.as_str()) => {
            Some(format!("the tool `{}` may not be called", call.tool))
        }
        _ => None,
    }
}
