//! Tools of an invented house, and what was done with them.

use adjutant_suggestion::{
    Covers, Graph, GraphTask, KnownTool, PastWorkflow, Suggester, Suggestion, ToolEffect,
    WorkflowOutcome,
};
use serde_json::{Map, Value, json};

pub(crate) fn tool(
    id: &str,
    about: &str,
    effect: ToolEffect,
    input: Value,
    output: Option<Value>,
) -> KnownTool {
    KnownTool {
        id: id.to_owned(),
        name: id.replace('_', " "),
        description: about.to_owned(),
        input,
        output,
        effect,
        price: 0,
    }
}

fn object(required: &[&str], properties: Value) -> Value {
    json!({ "type": "object", "required": required, "properties": properties })
}

pub(crate) fn tools() -> Vec<KnownTool> {
    let text = json!({ "type": "string" });
    let sources = Some(object(
        &["sources"],
        json!({ "sources": { "type": "array" } }),
    ));
    vec![
        tool(
            "weather_search",
            "Finds measurements of weather stations: temperature, rain and wind.",
            ToolEffect::Finds,
            object(&["query"], json!({ "query": text })),
            sources.clone(),
        ),
        tool(
            "star_search",
            "Finds observations of stars and planets in a catalogue.",
            ToolEffect::Finds,
            object(&["query"], json!({ "query": text })),
            sources,
        ),
        tool(
            "trend_line",
            "Fits a trend to the measurements of its sources.",
            ToolEffect::Computes,
            object(&["sources"], json!({ "sources": { "type": "array" } })),
            Some(object(&["text"], json!({ "text": text }))),
        ),
        tool(
            "page_reader",
            "Opens a web page and gives its text.",
            ToolEffect::Finds,
            object(&["url"], json!({ "url": text })),
            Some(object(&["text"], json!({ "text": text }))),
        ),
        tool(
            "file_writer",
            "Saves a text to a file.",
            ToolEffect::Changes,
            object(&["path", "text"], json!({ "path": text, "text": text })),
            None,
        ),
        tool(
            "paint_mixer",
            "Mixes paint of a given hue.",
            ToolEffect::Computes,
            object(&["hue"], json!({ "hue": { "enum": ["red", "green"] } })),
            None,
        ),
    ]
}

pub(crate) fn task(id: &str, tool: &str, after: &[&str]) -> GraphTask {
    GraphTask {
        id: id.to_owned(),
        tool: tool.to_owned(),
        arguments: Map::new(),
        depends_on: after.iter().map(|id| (*id).to_owned()).collect(),
    }
}

pub(crate) fn workflow(
    id: &str,
    intent: &str,
    tasks: Vec<GraphTask>,
    outcome: WorkflowOutcome,
) -> PastWorkflow {
    PastWorkflow {
        id: id.to_owned(),
        intent: intent.to_owned(),
        graph: Graph { tasks },
        outcome,
        covers: Covers::Whole,
    }
}

pub(crate) fn suggester(past: Vec<PastWorkflow>) -> Suggester {
    Suggester::new(tools(), &[], past)
}

/// The house with a tool that waits.
pub(crate) fn suggester_with_waiter(past: Vec<PastWorkflow>) -> Suggester {
    let mut all = tools();
    all.push(tool(
        "waiter",
        "Waits for a number of seconds or minutes.",
        ToolEffect::Computes,
        object(&["seconds"], json!({ "seconds": { "type": "number" } })),
        None,
    ));
    Suggester::new(all, &[], past)
}

pub(crate) fn suggest(intent: &str) -> Suggestion {
    suggester(Vec::new()).suggest(intent).unwrap()
}

/// Each task as `tool < tools that it waits for`.
pub(crate) fn drawn(suggestion: &Suggestion) -> Vec<String> {
    let tasks = &suggestion.graph.tasks;
    let tool_of = |id: &String| {
        let task = tasks.iter().find(|task| task.id == *id);
        task.map_or("?", |task| task.tool.as_str())
    };
    let line = |task: &GraphTask| {
        let before: Vec<&str> = task.depends_on.iter().map(tool_of).collect();
        format!("{} < {}", task.tool, before.join(", "))
    };
    tasks.iter().map(line).collect()
}
