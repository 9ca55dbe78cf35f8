//! The tools that look something up, and the one that stands in for them.

/// Tools that ask public databases.
pub(crate) const LOOKUPS: [&str; 7] = [
    "L5-PS", "L5-CT", "L5-FDA", "L5-EMA", "L5-PT", "L5-NEWS", "L5-WEB",
];
/// Tools that ask our own documents.
pub(crate) const RECALLS: [&str; 2] = ["L5-RAG", "recall"];
/// What answers in the place of a source that cannot be reached.
pub(crate) const NOTHING_FOUND: &str = "nothing_found";

pub(crate) fn looks_up(tool: &str) -> bool {
    LOOKUPS.contains(&tool) || RECALLS.contains(&tool)
}
