//! What becomes of the documents that a model reads: `group_claims` puts what it found on the same things side by side, and
//! `merge_reading` holds what it adds against the documents.

use adjutant_guard::{Limits, Origin, Severity, inspect};
use adjutant_tools::{RegistryError, Tool, ToolFailure, read_arguments};
use serde_json::{Value, json};

use crate::pieces::GROUP_CLAIMS;
use crate::report_tools::{Method, made, written};

pub(crate) fn all() -> Result<Vec<Box<dyn Tool>>, RegistryError> {
    let reading = json!({"type": "object", "description": "What `read_documents` found."});
    let pieces = json!({"type": "object", "description": "What `cut_documents` made."});
    let read = json!({"type": "array", "description": "The answers to `read` questions, one for each piece, in their order."});
    let group = Method::new(
        GROUP_CLAIMS,
        "Group claims",
        "Groups what a model read in different documents on the same things, and finds statements that may settle what is \
         open, in batches that one question can carry.",
        json!({
            "reading": reading.clone(),
            "pieces": pieces.clone(),
            "read": read.clone(),
            "count": {"type": "integer", "minimum": 0, "maximum": 1_000, "description": "How many batches there are to be."},
        }),
        &["reading", "pieces", "read", "count"],
        |arguments| {
            made(arguments, |request| {
                adjutant_reports::group_claims(&request, is_suspicious)
            })
        },
    )?;
    let merge = Method::new(
        "merge_reading",
        "Merge readings",
        "Adds to what rules read in the documents what a model read. Each quote is looked up in its document and each value \
         in its quote; what fails is left out and counted, and says so.",
        json!({
            "reading": reading,
            "pieces": pieces,
            "read": read,
            "groups": {"type": "object", "description": "What `group_claims` made."},
            "reconciled": {"type": "array", "description": "The answers to `reconcile` questions, one for each batch."},
        }),
        &["reading", "pieces", "read"],
        merged,
    )?;
    Ok(vec![Box::new(group), Box::new(merge)])
}

/// The merged reading, and the statements that the model points to, as sources that other questions may draw on.
fn merged(arguments: Value) -> Result<Value, ToolFailure> {
    let read = adjutant_reports::merge_reading(read_arguments(arguments)?, is_suspicious);
    let stated = read
        .model
        .as_ref()
        .map(adjutant_reports::ModelReading::sources);
    let mut value = written(&read)?;
    value["stated"] = written(&stated.unwrap_or_default())?;
    Ok(value)
}

/// Whether a text of a document tries to steer whoever reads it.
fn is_suspicious(text: &str) -> bool {
    let inspected = inspect(text, Origin::Document, &Limits::default());
    inspected
        .severity
        .is_some_and(|severity| severity >= Severity::Medium)
}
