//! Events in the words of the Mode 3 API: bare UUIDs, its own models of tasks, calls, citations and questions.

use adjutant_mission::{CheckpointId, Mission, ToolId};
use adjutant_session_events::{EventType, tool_name};
use serde_json::{Value, json};

use super::tasks::{tasks, word_of};
use super::{checkpoint, plan_was_rejected};
use crate::identity::{uuid_of_agent, uuid_of_checkpoint, uuid_of_mission};

const MICRO: f64 = 1_000_000.0;
/// The fields that name an agent.
const AGENTS: [&str; 3] = ["agent_id", "parent_agent_id", "to_agent_id"];
/// The knowledge base has two names; agents know this one.
const RECALL: (&str, &str) = ("recall", "L5-RAG");

/// Says an event as a client of that API reads it; nothing if it has no such event. `text` is the approved report.
pub(crate) fn speak(mut event: Value, mission: &Mission, text: Option<&str>) -> Option<Value> {
    event["session_id"] = uuid_of_mission(mission.id()).into();
    if event["type"] == EventType::Error.name() && plan_was_rejected(mission) {
        event["type"] = EventType::Complete.name().into();
    }
    let kind = event["type"].as_str().unwrap_or_default().to_owned();
    let at = event["timestamp"].clone();
    let data = &mut event["data"];
    name_agents(data);
    match kind.as_str() {
        "plan_created" | "plan_updated" => data["tasks"] = tasks(mission).into(),
        "task_status_change" => {
            let word = |name: &str| data[name].as_str().and_then(word_of);
            let (from, to) = (word("from"), word("to"));
            if from == to {
                return None;
            }
            data["id"] = data["task_id"].clone();
            (data["from"], data["to"], data["status"]) = (json!(from), json!(to), json!(to));
        }
        "tool_invoked" | "tool_result" | "tool_error" => call(data, &at)?,
        // That API has no name for text that is not approved yet; the question at the final review says where it is.
        "draft" => return None,
        "rag_search_started" | "rag_documents_found" => name_tool(data),
        "citation_added" => score_citation(data),
        "user_response_received" => data["decision"] = data["answer"].clone(),
        "error" => data["error"] = data["reason"].clone(),
        "complete" => data["response"] = json!(text.unwrap_or_default()),
        _ => {}
    }
    ask(data, mission);
    Some(event)
}

/// Remembers what an event cites, and tells all of it with the last one. Events come redacted, so what they cite is too.
pub(crate) fn cite(event: &mut Value, citations: &mut Vec<Value>) {
    let kind = event["type"].as_str();
    if kind == Some(EventType::CitationAdded.name()) {
        citations.push(event["data"].clone());
    } else if kind == Some(EventType::Complete.name()) {
        event["data"]["citations"] = std::mem::take(citations).into();
    }
}

/// Agents have UUIDs there; their `type` says who they are.
fn name_agents(data: &mut Value) {
    for name in AGENTS {
        if let Some(id) = data[name].as_str() {
            data[name] = uuid_of_agent(id).into();
        }
    }
    let agents = data.get_mut("agents").and_then(Value::as_array_mut);
    agents.into_iter().flatten().for_each(name_agents);
    let active = data.get_mut("active_agents").and_then(Value::as_array_mut);
    for agent in active.into_iter().flatten() {
        *agent = uuid_of_agent(agent.as_str().unwrap_or_default()).into();
    }
}

fn name_tool(data: &mut Value) {
    if data["tool_id"] == RECALL.0 {
        data["tool_id"] = RECALL.1.into();
        if let Ok(tool) = ToolId::new(RECALL.1) {
            data["tool_name"] = tool_name(&tool).into();
        }
    }
}

/// A call. That API knows the tools of agents only: what the house does itself, such as putting the report together, is
/// seen as a task.
fn call(data: &mut Value, at: &Value) -> Option<()> {
    name_tool(data);
    if data["tool_id"] == data["tool_name"] {
        return None;
    }
    data["called_by_l4"] = data["agent_id"].clone();
    if let Some(cost) = data["cost_micro_usd"].as_u64() {
        data["cost"] = json!(cost as f64 / MICRO);
    }
    data["timestamp"] = at.clone();
    Some(())
}

/// A citation's scores are numbers: what is not known is 0. Its text has one name.
fn score_citation(citation: &mut Value) {
    for name in ["confidence", "relevance_score"] {
        if citation[name].is_null() {
            citation[name] = json!(0.0);
        }
    }
    if let Some(fields) = citation.as_object_mut() {
        fields.remove("quote");
    }
}

/// The question that an event asks or names.
fn ask(data: &mut Value, mission: &Mission) {
    let id = data["checkpoint_id"].as_str();
    let Some(id) = id.and_then(|id| id.parse::<CheckpointId>().ok()) else {
        return;
    };
    let asked = mission.checkpoints().get(id.number.index());
    match asked.filter(|_| data["options"].is_array()) {
        Some(asked) => *data = checkpoint(mission.id(), asked),
        None => data["checkpoint_id"] = uuid_of_checkpoint(id).into(),
    }
}
