//! The tools that programs outside are offered: each with what it does, its arguments, and the right it takes.

use serde_json::{Value, json};

use super::Right;
use super::offer::Choice;

/// A tool for programs outside.
#[derive(Debug, Clone, Copy)]
pub struct AgentTool {
    pub name: &'static str,
    pub description: &'static str,
    /// Without it, the call is refused. Steering one's own missions takes the right to start them.
    pub right: Right,
    /// Whether calls only look.
    pub reads: bool,
    /// The JSON Schema of its arguments.
    pub schema: fn() -> Value,
}

pub(super) const EXECUTE: &str = "execute_workflow";
pub(super) const START: &str = "start_mission";
pub(super) const CONTINUE: &str = "continue";
pub(super) const ABORT: &str = "abort";
pub(super) const REPLAN: &str = "replan_dag";
pub(super) const APPROVE: &str = "approval_response";
pub(super) const SEARCH: &str = "search_tools";
pub(super) const LIST: &str = "list_missions";
pub(super) const INBOX: &str = "inbox";
pub(super) const REPORT: &str = "report";
pub(super) const STATUS: &str = "workflow_status";
pub(super) const RESULTS: &str = "workflow_results";

pub const TOOLS: &[AgentTool] = &[
    AgentTool {
        name: EXECUTE,
        description: "Runs a workflow: a graph of tasks, each a call of a tool (see search_tools) or an agent_delegation. \
Tasks run durably; a task refers to the output of another as {{id.output}} or {{id.output.field}}. \
With config.per_layer_validation, the workflow stops after each layer for your validation. \
With only an intent, the tasks are derived from it, and started if that is sure enough and something like it was run before; otherwise the answer is ail_required: answer it with its workflow_id and one choice. \
Returns ail_required, layer_complete, awaiting_approval, running, complete or failed, within about 20 seconds.",
        right: Right::Start,
        reads: false,
        schema: execute_schema,
    },
    AgentTool {
        name: START,
        description: "Starts a ready-made mission that answers a question with a cited report, such as deep_dive or go_no_go. A person approves its plan and its result. Follow it with workflow_status; read it with report.",
        right: Right::Start,
        reads: false,
        schema: start_schema,
    },
    AgentTool {
        name: CONTINUE,
        description: "Runs the next layer of a workflow that answered layer_complete. Pass its `checkpoint`, so that a repeated call does not pass another layer.",
        right: Right::Start,
        reads: false,
        schema: continue_schema,
    },
    AgentTool {
        name: ABORT,
        description: "Cancels a workflow. What its tasks have already done stays done.",
        right: Right::Start,
        reads: false,
        schema: abort_schema,
    },
    AgentTool {
        name: REPLAN,
        description: "Changes a workflow while it runs: adds tasks, changes or drops tasks that have not started. \
With only new_requirement, the tasks are derived from it and from available_context. \
A person is asked before a task that you add or change, or one that works on it, changes anything outside. The workflow then goes on, or asks again for your validation of the layer.",
        right: Right::Start,
        reads: false,
        schema: replan_schema,
    },
    AgentTool {
        name: APPROVE,
        description: "Answers a question that a workflow puts to people. Only for principals that the settings name, and never for a workflow that was started or changed in the same name. Everybody else: tell your user.",
        right: Right::Decide,
        reads: false,
        schema: approve_schema,
    },
    AgentTool {
        name: STATUS,
        description: "How a workflow stands: the same answer that execute_workflow and continue give. Waits until it rests, for at most wait_seconds.",
        right: Right::Read,
        reads: true,
        schema: status_schema,
    },
    AgentTool {
        name: RESULTS,
        description: "What the tasks of a workflow gave; or, with `task`, the whole output of one task, in pages.",
        right: Right::Read,
        reads: true,
        schema: results_schema,
    },
    AgentTool {
        name: SEARCH,
        description: "Finds tools that tasks of a workflow can call, with their arguments. Without a query: the names of all.",
        right: Right::Read,
        reads: true,
        schema: search_schema,
    },
    AgentTool {
        name: LIST,
        description: "The newest workflows and other missions, and how each stands.",
        right: Right::Read,
        reads: true,
        schema: list_schema,
    },
    AgentTool {
        name: INBOX,
        description: "The questions of all missions that wait for a person.",
        right: Right::Read,
        reads: true,
        schema: inbox_schema,
    },
    AgentTool {
        name: REPORT,
        description: "The report of a mission as Markdown, in pages. A workflow has one if a task calls the tool `report`.",
        right: Right::Read,
        reads: true,
        schema: report_schema,
    },
];

pub(super) fn find(name: &str) -> Option<&'static AgentTool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

fn object(required: &[&str], properties: Value) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn workflow_id() -> Value {
    json!({ "type": "string", "description": "As execute_workflow returned it: msn_…" })
}

fn wait_seconds() -> Value {
    json!({ "type": "integer", "minimum": 0, "maximum": super::waiting::SECONDS_MAX, "default": super::waiting::SECONDS_DEFAULT })
}

pub(super) fn tasks_schema() -> Value {
    json!({
        "type": "array",
        "items": {
            "type": "object",
            "required": ["id"],
            "additionalProperties": false,
            "properties": {
                "id": { "type": "string" },
                "tool": { "type": "string" },
                "arguments": { "type": "object" },
                "depends_on": { "type": "array", "items": { "type": "string" } },
                "type": { "enum": ["tool", "agent_delegation"] },
                "agent_role": { "type": "string" },
                "agent_goal": { "type": "string" },
                "agent_model": { "type": "string" },
                "agent_tools": { "type": "array", "items": { "type": "string" } },
                "max_iterations": { "type": "integer", "minimum": 1, "maximum": 20 },
                "timeout": { "type": "integer", "description": "Milliseconds" },
                "max_cost": { "type": "number", "description": "The most that an agent_delegation may cost, in US dollars" },
                "delegate": { "type": "string", "description": "Another agent that does it: search_tools finds delegate.NAME" },
                "files": { "type": "array", "items": { "type": ["object", "string"] }, "description": "For a delegate: {name, text}, {name, base64} or {{id.output.files.0}}" },
                "output_files": { "type": "array", "items": { "type": "string" }, "description": "Files that the delegate must write" },
                "output_schema": { "type": "object", "description": "JSON Schema of the delegate's {{id.output.answer}}" },
            },
        },
    })
}

fn execute_schema() -> Value {
    object(
        &[],
        json!({
            "intent": { "type": "string", "description": "What the workflow is for, in a sentence; needed where there are no tasks" },
            "tasks": tasks_schema(),
            "config": {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "per_layer_validation": { "type": "boolean", "default": false },
                    "ail": {
                        "type": "object",
                        "additionalProperties": false,
                        "properties": { "per_layer_validation": { "type": "boolean" } },
                    },
                    "max_cost": { "type": "number", "description": "The most it may cost, in US dollars" },
                },
            },
            "workflow_id": { "type": "string", "description": "Only to answer ail_required: its workflow_id" },
            "choice": { "enum": Choice::ALL.map(Choice::name), "description": "Only with workflow_id. manual_dag needs tasks" },
            "values": { "type": "object", "description": "Only with execute_suggested: missing arguments, {task: {argument: value}}" },
            "idempotency_key": {
                "type": "string",
                "description": "Your own key for this workflow: the same key again finds the same workflow instead of starting another",
            },
            "wait_seconds": wait_seconds(),
        }),
    )
}

fn continue_schema() -> Value {
    object(
        &["workflow_id"],
        json!({
            "workflow_id": workflow_id(),
            "checkpoint": { "type": "integer", "description": "The `checkpoint` of the layer_complete that you validated" },
            "results": { "type": "boolean", "default": true, "description": "Whether outputs are included" },
            "wait_seconds": wait_seconds(),
        }),
    )
}

fn abort_schema() -> Value {
    object(
        &["workflow_id"],
        json!({
            "workflow_id": workflow_id(),
            "reason": { "type": "string" },
            "wait_seconds": wait_seconds(),
        }),
    )
}

fn status_schema() -> Value {
    object(
        &["workflow_id"],
        json!({
            "workflow_id": workflow_id(),
            "results": { "type": "boolean", "default": true, "description": "Whether outputs are included" },
            "wait_seconds": wait_seconds(),
        }),
    )
}

fn results_schema() -> Value {
    object(
        &["workflow_id"],
        json!({
            "workflow_id": workflow_id(),
            "task": { "type": "string", "description": "Only the output of this task, whole; without it, all tasks are listed" },
            "offset": offset(),
        }),
    )
}

fn offset() -> Value {
    json!({ "type": "integer", "minimum": 0, "default": 0, "description": "Where the part begins: `next_offset` of the part before" })
}

fn replan_schema() -> Value {
    object(
        &["workflow_id"],
        json!({
            "workflow_id": workflow_id(),
            "tasks": tasks_schema(),
            "drop": { "type": "array", "items": { "type": "string" }, "description": "The ids of tasks to remove" },
            "new_requirement": { "type": "string", "description": "What is needed, in a sentence; it is recorded" },
            "available_context": { "type": "object", "description": "What was discovered, by name: arguments of the new tasks are taken from it; it is recorded" },
            "idempotency_key": { "type": "string" },
            "wait_seconds": wait_seconds(),
        }),
    )
}

fn approve_schema() -> Value {
    object(
        &["workflow_id", "checkpoint"],
        json!({
            "workflow_id": workflow_id(),
            "checkpoint": { "type": "integer", "description": "Out of `approvals`" },
            "approved": { "type": "boolean", "description": "false ends the workflow early, or cancels it before its plan is approved. Left out, your user is asked, if your client can" },
            "option": { "type": "string", "description": "The key of the chosen option, if there are options" },
            "feedback": { "type": "string" },
            "wait_seconds": wait_seconds(),
        }),
    )
}

fn search_schema() -> Value {
    object(
        &[],
        json!({
            "query": { "type": "string", "description": "What is to be done, such as `read a web page`, or the name of a tool" },
            "limit": { "type": "integer", "minimum": 1, "maximum": 20, "default": 5 },
        }),
    )
}

fn list_schema() -> Value {
    object(
        &[],
        json!({ "limit": { "type": "integer", "minimum": 1, "maximum": 50, "default": 20 } }),
    )
}

fn inbox_schema() -> Value {
    object(&[], json!({}))
}

fn report_schema() -> Value {
    object(
        &["workflow_id"],
        json!({ "workflow_id": workflow_id(), "offset": offset() }),
    )
}

fn start_schema() -> Value {
    object(
        &["mission", "objective"],
        json!({
            "mission": { "type": "string", "description": "The type, as the prompts list them: deep_dive, go_no_go, …" },
            "objective": { "type": "string", "description": "The question" },
            "knowledge_bases": { "type": "array", "items": { "type": "string" } },
            "inputs": { "type": "object" },
            "autonomy": { "enum": ["strict", "balanced"], "default": "balanced" },
            "max_cost": { "type": "number", "description": "The most it may cost, in US dollars" },
            "idempotency_key": { "type": "string" },
            "wait_seconds": wait_seconds(),
        }),
    )
}
