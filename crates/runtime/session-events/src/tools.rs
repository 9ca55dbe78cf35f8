//! The names of the tools that agents call, as a reader knows them.

use adjutant_mission::ToolId;

/// The thirteen tools of agents. Their names are part of the interface.
const NAMES: [(&str, &str); 13] = [
    ("L5-PS", "PubMed Search"),
    ("L5-CT", "Clinical Trial Search"),
    ("L5-PT", "Patent Search"),
    ("L5-FDA", "FDA Database"),
    ("L5-RAG", "RAG Knowledge Search"),
    ("L5-WEB", "Web Fetch"),
    ("L5-CALC", "Calculator Suite"),
    ("L5-NLP", "NLP Processor"),
    ("L5-FMT", "Formatter"),
    ("L5-VIZ", "Visualizer"),
    ("L5-NEWS", "News Search"),
    ("L5-EMA", "EMA Database"),
    ("L5-STAT", "Statistical Analysis"),
];

/// A tool's name; of a tool that no agent calls, its id.
pub fn tool_name(tool: &ToolId) -> &str {
    let mut names = NAMES.iter();
    let found = names.find(|(id, _)| *id == tool.as_str());
    found.map_or(tool.as_str(), |(_, name)| name)
}
