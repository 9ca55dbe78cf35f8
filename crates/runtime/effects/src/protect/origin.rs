//! Where the texts of a question come from: the plan, the mission's inputs, or what a task brought in.

use std::collections::BTreeMap;

use adjutant_guard::Origin;
use adjutant_mission::{WorkSpec, references};
use serde_json::Value;

/// The tool whose results are passages of the tenant's own documents.
const DOCUMENTS: [&str; 2] = ["recall", "L5-RAG"];
/// Tools whose results are pages that anybody may have written.
const WEB_TOOLS: [&str; 4] = ["http", "http_post", "L5-NEWS", "L5-WEB"];

/// The name of the mission's inputs among the origins. They are a person's words, unless another mission gave them.
pub const INPUTS: &str = "inputs";

/// Where what a task gives comes from.
pub fn origin_of(work: &WorkSpec) -> Origin {
    match work {
        WorkSpec::Tool(call) => origin_of_tool(call.tool.as_str()),
        WorkSpec::Mission(_) => Origin::ToolResult,
        WorkSpec::Agent(_) => Origin::Model,
        WorkSpec::Human(_) | WorkSpec::Gate(_) => Origin::Person,
    }
}

/// Where what a tool gives comes from.
pub(crate) fn origin_of_tool(tool: &str) -> Origin {
    match tool {
        tool if WEB_TOOLS.contains(&tool) => Origin::WebPage,
        tool if DOCUMENTS.contains(&tool) => Origin::Document,
        _ => Origin::ToolResult,
    }
}

/// The places of an input that references fill, and where from.
#[derive(Debug, Default)]
pub(crate) struct Origins(Vec<(String, Origin)>);

/// Reads them from an input whose references are not resolved yet.
pub(crate) fn origins(input: &Value, of_tasks: &BTreeMap<String, Origin>) -> Origins {
    let mut found = Vec::new();
    super::each(&mut input.clone(), &mut |pointer, text| {
        let from = references(text).into_iter().map(|reference| {
            let (name, unsaid) = match reference.task() {
                Some(task) => (task, Origin::ToolResult),
                None => (INPUTS, Origin::Person),
            };
            of_tasks.get(name).copied().unwrap_or(unsaid)
        });
        if let Some(origin) = from.min_by_key(|origin| trust(*origin)) {
            found.push((pointer.to_owned(), origin));
        }
        None
    });
    Origins(found)
}

/// Of several origins of one text, the one that is trusted least counts.
fn trust(origin: Origin) -> u8 {
    match origin {
        Origin::WebPage => 0,
        Origin::Mcp => 1,
        Origin::ToolResult => 2,
        Origin::Document => 3,
        Origin::Model => 4,
        Origin::Person => 5,
    }
}

impl Origins {
    /// A place that something else fills. It counts before what was said of a place around it.
    pub(crate) fn add(&mut self, place: &str, origin: Origin) {
        self.0.insert(0, (place.to_owned(), origin));
    }

    /// Where a text comes from. What may be cited is material, whoever handed it on: never a person's own words or a
    /// model's.
    pub(crate) fn of(&self, pointer: &str) -> Origin {
        let inside = |place: &str| {
            pointer
                .strip_prefix(place)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let filled = self.0.iter().find(|(place, _)| inside(place));
        let origin = filled.map_or(Origin::Person, |(_, origin)| *origin);
        let is_material = pointer.starts_with("/sources/") || pointer.ends_with("/quote");
        match origin {
            Origin::Person | Origin::Model if is_material => Origin::Document,
            origin => origin,
        }
    }
}
