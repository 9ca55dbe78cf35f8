//! `whole_documents`: the documents of the knowledge base as they are, so that what is not in them can be told from what a search
//! did not show.

use std::sync::Arc;

use adjutant_mission::{EffectClass, Millis, Provenance};
use serde::Deserialize;
use serde_json::{Value, json};

use super::recall::{Library, QUESTION_CHARS_MAX};
use super::{ToolOutline, read};
use crate::{BoxFuture, Call, Manifest, RegistryError, Tool, ToolFailure, ToolSettings};

/// Its id.
const WHOLE_DOCUMENTS: &str = "whole_documents";
const OUTPUT_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Which documents are wanted.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WantedWhole {
    /// Of very many documents, only those are given that it concerns.
    pub objective: String,
    /// All of them, if none is named.
    #[serde(default)]
    pub namespaces: Vec<String>,
}

pub(super) struct WholeDocuments {
    manifest: Manifest,
    library: Option<Arc<dyn Library>>,
}

impl WholeDocuments {
    pub(super) fn new(settings: &ToolSettings) -> Result<Self, RegistryError> {
        let manifest = ToolOutline {
            id: WHOLE_DOCUMENTS,
            name: "Whole documents",
            description: "Gives the documents of the knowledge base as a whole, without drafts and documents that a later version \
                          replaced, and says whether these are all.",
            class: EffectClass::Pure,
            provenance: Provenance::Outside,
            input: json!({
                "type": "object",
                "additionalProperties": false,
                "required": ["objective"],
                "properties": {
                    "objective": { "type": "string", "minLength": 1, "maxLength": QUESTION_CHARS_MAX },
                    "namespaces": { "type": "array", "items": { "type": "string" }, "uniqueItems": true }
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

impl Tool for WholeDocuments {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(async move {
            let wanted: WantedWhole = read(call.arguments)?;
            match &self.library {
                Some(library) => library.whole(call.tenant, wanted).await,
                None => Err(ToolFailure::permanent(
                    "there is no knowledge base yet: add documents with `adjutant kb add`",
                )),
            }
        })
    }
}
