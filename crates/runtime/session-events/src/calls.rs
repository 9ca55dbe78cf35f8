//! What is under way: calls of tools, told when they begin and when they end, and what searches among them find.

use std::collections::BTreeMap;

use adjutant_mission::{
    AgentId, Effect, EffectId, EffectNumber, Failure, FailureKind, Payload, TaskKey, Timestamp,
    ToolId, Usage, Work,
};
use serde_json::{Value, json};

use crate::EventType;
use crate::event::{Told, blob_of, content_of, stored, value_of};
use crate::sources::{self, Sources};
use crate::tools::tool_name;

/// Where the tools that search have what is searched for.
const QUERIES: [&str; 5] = ["question", "query", "words", "url", "ids"];

/// What the machine has asked its host for, by the task that it is for: one at a time.
#[derive(Debug, Clone, Default)]
pub(crate) struct Calls {
    under_way: BTreeMap<TaskKey, UnderWay>,
}

#[derive(Debug, Clone)]
struct UnderWay {
    effect: EffectNumber,
    since: Timestamp,
    /// The tool, unless it is something else that is performed: a question to a model, a gate, a sub-mission.
    tool: Option<ToolId>,
    agent: Option<AgentId>,
    aim: Aim,
}

/// Whether a call does what its task is for, or takes it back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aim {
    Do,
    Undo,
}

/// Why a call gave no result, and what follows.
pub(crate) struct Trouble<'a> {
    pub(crate) kind: &'a str,
    pub(crate) message: &'a str,
    pub(crate) then: &'a str,
}

impl Calls {
    /// The task that an effect is for.
    pub(crate) fn task_of(&self, effect: EffectNumber) -> Option<&TaskKey> {
        let mut under_way = self.under_way.iter();
        under_way
            .find(|(_, under_way)| under_way.effect == effect)
            .map(|(task, _)| task)
    }

    /// The tool that is under way for a task, if one is.
    pub(crate) fn tool_of(&self, task: &TaskKey) -> Option<&ToolId> {
        self.under_way.get(task)?.tool.as_ref()
    }

    pub(crate) fn begin(&mut self, told: &mut Told<'_>, effect: &Effect, aim: Aim) {
        let task = &effect.task;
        let call = match &effect.work {
            Work::CallTool(call) => Some(call),
            Work::AskModel(_) | Work::EvaluateGate(_) | Work::RunMission { .. } => None,
        };
        let under_way = UnderWay {
            effect: effect.id.number,
            since: told.recorded.at,
            tool: call.map(|call| call.tool.clone()),
            agent: told.doer(task).cloned(),
            aim,
        };
        if let Some(call) = call {
            let input = value_of(&call.with);
            let query = QUERIES.iter().find_map(|name| input.get(name)).cloned();
            let data = json!({
                "call_id": effect.id,
                "tool_id": call.tool,
                "tool_name": tool_name(&call.tool),
                "task_id": task,
                "agent_id": under_way.agent,
                "attempt": effect.attempt,
                "undo": aim == Aim::Undo,
                "input": input,
            });
            told.tell(EventType::ToolInvoked, data);
            if let Some((started, _)) = search(&call.tool) {
                let data = json!({
                    "call_id": effect.id,
                    "tool_id": call.tool,
                    "tool_name": tool_name(&call.tool),
                    "task_id": task,
                    "agent_id": under_way.agent,
                    "query": query,
                });
                told.tell(started, data);
            }
        }
        self.under_way.insert(task.clone(), under_way);
    }

    /// What was under way for a task ended well.
    pub(crate) fn finish(
        &mut self,
        told: &mut Told<'_>,
        task: &TaskKey,
        payload: Option<&Payload>,
        usage: Usage,
        known: &mut Sources,
    ) {
        let Some((under_way, tool)) = self.take(task) else {
            return;
        };
        let (output, blob) = payload.map_or((Value::Null, Value::Null), content_of);
        let call_id = call_id(told, &under_way);
        let data = json!({
            "call_id": call_id,
            "tool_id": tool,
            "tool_name": tool_name(&tool),
            "task_id": task,
            "agent_id": under_way.agent,
            "undo": under_way.aim == Aim::Undo,
            "duration_ms": told.recorded.at.since(under_way.since),
            "cost_micro_usd": usage.money,
            "output": output,
            "blob": blob,
        });
        told.tell(EventType::ToolResult, data);
        let Some(payload) = payload.filter(|_| sources::finds_sources(&tool)) else {
            return;
        };
        let held = told.held(payload);
        known.learn(&tool, &held);
        if let Some((_, found)) = search(&tool) {
            let listed = sources::listed(&held);
            let total = held.get("total").filter(|total| total.is_u64());
            let data = json!({
                "call_id": call_id,
                "tool_id": tool,
                "tool_name": tool_name(&tool),
                "task_id": task,
                "agent_id": under_way.agent,
                "count": listed.map(<[Value]>::len),
                "total": total,
                "sources": listed.map(sources::told),
                "blob": blob_of(payload),
            });
            told.tell(found, data);
        }
    }

    /// What was under way for a task came to nothing.
    pub(crate) fn fail(&mut self, told: &mut Told<'_>, task: &TaskKey, trouble: &Trouble<'_>) {
        let Some((under_way, tool)) = self.take(task) else {
            return;
        };
        let data = json!({
            "call_id": call_id(told, &under_way),
            "tool_id": tool,
            "tool_name": tool_name(&tool),
            "task_id": task,
            "agent_id": under_way.agent,
            "undo": under_way.aim == Aim::Undo,
            "duration_ms": told.recorded.at.since(under_way.since),
            "error": trouble.kind,
            "message": trouble.message,
            "then": trouble.then,
        });
        told.tell(EventType::ToolError, data);
    }

    /// All that was under way came to nothing here.
    pub(crate) fn fail_all(&mut self, told: &mut Told<'_>, trouble: &Trouble<'_>) {
        let tasks: Vec<TaskKey> = self.under_way.keys().cloned().collect();
        for task in tasks {
            self.fail(told, &task, trouble);
        }
    }

    /// Nothing is under way for the task any more. Gives what was, if it was a tool's.
    fn take(&mut self, task: &TaskKey) -> Option<(UnderWay, ToolId)> {
        let under_way = self.under_way.remove(task)?;
        let tool = under_way.tool.clone()?;
        Some((under_way, tool))
    }
}

fn call_id(told: &Told<'_>, under_way: &UnderWay) -> EffectId {
    EffectId {
        mission: told.mission.id(),
        number: under_way.effect,
    }
}

/// How the beginning and the end of a search are told, if the tool searches.
fn search(tool: &ToolId) -> Option<(EventType, EventType)> {
    match tool.as_str() {
        "L5-RAG" | "recall" => Some((EventType::RagSearchStarted, EventType::RagDocumentsFound)),
        "L5-PS" => Some((
            EventType::PubmedSearchStarted,
            EventType::PubmedArticlesFound,
        )),
        "L5-WEB" | "L5-NEWS" => Some((EventType::WebSearchStarted, EventType::WebSourcesFound)),
        _ => None,
    }
}

/// A failure's kind as it is stored.
pub(crate) fn kind_of(failure: &Failure) -> String {
    let kind: FailureKind = failure.kind;
    let stored = stored(&kind);
    stored.as_str().unwrap_or_default().to_owned()
}
