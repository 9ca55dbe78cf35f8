//! The document that a source belongs to.

/// The id of the document of a source. A document may be given in passages, whose ids differ behind the `#`.
pub(crate) fn document_id(source_id: &str) -> &str {
    source_id
        .split_once('#')
        .map_or(source_id, |(document, _)| document)
}
