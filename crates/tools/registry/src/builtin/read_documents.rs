//! `read_documents`: reads the documents of the knowledge base completely, and tells what a careful reader notices.

use std::sync::Arc;

use adjutant_mission::{EffectClass, Millis, Provenance};
use serde::Deserialize;
use serde_json::{Value, json};

use super::recall::{Library, QUESTION_CHARS_MAX};
use super::{ToolOutline, read};
use crate::{BoxFuture, Call, Manifest, RegistryError, Tool, ToolFailure, ToolSettings};

/// Its id.
const READ_DOCUMENTS: &str = "read_documents";
const OUTPUT_BYTES_MAX: usize = 4 * 1024 * 1024;

/// What is read, and for what.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToRead {
    /// Its questions are answered.
    pub objective: String,
    /// All of them, if none is named.
    #[serde(default)]
    pub namespaces: Vec<String>,
    /// The day against which due dates are held; today if it is empty.
    #[serde(default)]
    pub as_of: String,
}

pub(super) struct ReadDocuments {
    manifest: Manifest,
    library: Option<Arc<dyn Library>>,
}

impl ReadDocuments {
    pub(super) fn new(settings: &ToolSettings) -> Result<Self, RegistryError> {
        let manifest = ToolOutline {
            id: READ_DOCUMENTS,
            name: "Read the documents",
            description: "Reads all documents of the knowledge base, or of very many those that the objective concerns, from \
                          beginning to end. Answers the objective's questions with passages, or says that there is no answer. \
                          Lists what has changed, what may not fit together, what is owed by whom and when, and what is missing.",
            class: EffectClass::Pure,
            provenance: Provenance::Outside,
            input: json!({
                "type": "object",
                "additionalProperties": false,
                "required": ["objective"],
                "properties": {
                    "objective": { "type": "string", "minLength": 1, "maxLength": QUESTION_CHARS_MAX },
                    "namespaces": { "type": "array", "items": { "type": "string" }, "uniqueItems": true },
                    "as_of": { "type": "string", "pattern": "^([0-9]{4}-[0-9]{2}-[0-9]{2})?$" }
                }
            }),
            output: None,
            time_limit: Millis::seconds(180),
            output_bytes_max: OUTPUT_BYTES_MAX,
        }
        .manifest()?;
        let library = settings.library.clone();
        Ok(Self { manifest, library })
    }
}

impl Tool for ReadDocuments {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(async move {
            let wanted: ToRead = read(call.arguments)?;
            match &self.library {
                Some(library) => library.read(call.tenant, wanted).await,
                None => Err(ToolFailure::permanent(
                    "there is no knowledge base yet: add documents with `adjutant kb add`",
                )),
            }
        })
    }
}
