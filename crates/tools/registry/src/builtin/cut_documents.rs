//! `cut_documents`: the documents of the knowledge base in pieces that one question to a model can carry.

use std::sync::Arc;

use adjutant_mission::{EffectClass, Millis, Provenance};
use serde::Deserialize;
use serde_json::{Value, json};

use super::recall::{Library, QUESTION_CHARS_MAX};
use super::{ToolOutline, read};
use crate::{BoxFuture, Call, Manifest, RegistryError, Tool, ToolFailure, ToolSettings};

/// Its id.
const CUT_DOCUMENTS: &str = "cut_documents";
const OUTPUT_BYTES_MAX: usize = 8 * 1024 * 1024;
const COUNT_MAX: usize = 1_000;

/// What is cut, and for what.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToCut {
    /// Of very many documents, only those are cut that it concerns.
    pub objective: String,
    /// All of them, if none is named.
    #[serde(default)]
    pub namespaces: Vec<String>,
    /// How many pieces there are to be.
    #[serde(default)]
    pub count: Option<usize>,
}

pub(super) struct CutDocuments {
    manifest: Manifest,
    library: Option<Arc<dyn Library>>,
}

impl CutDocuments {
    pub(super) fn new(settings: &ToolSettings) -> Result<Self, RegistryError> {
        let manifest = ToolOutline {
            id: CUT_DOCUMENTS,
            name: "Cut the documents",
            description: "Cuts all documents of the knowledge base, or of very many those that the objective concerns, into \
                          pieces that one question to a model can carry, and lists what no piece holds. Documents that hold \
                          come first, drafts and replaced ones last.",
            class: EffectClass::Pure,
            provenance: Provenance::Outside,
            input: json!({
                "type": "object",
                "additionalProperties": false,
                "required": ["objective"],
                "properties": {
                    "objective": { "type": "string", "minLength": 1, "maxLength": QUESTION_CHARS_MAX },
                    "namespaces": { "type": "array", "items": { "type": "string" }, "uniqueItems": true },
                    "count": { "type": "integer", "minimum": 1, "maximum": COUNT_MAX, "description": "How many pieces there are to be: the rest is left out, or the last ones are empty." }
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

impl Tool for CutDocuments {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(async move {
            let wanted: ToCut = read(call.arguments)?;
            match &self.library {
                Some(library) => library.cut(call.tenant, wanted).await,
                None => Err(ToolFailure::permanent(
                    "there is no knowledge base yet: add documents with `adjutant kb add`",
                )),
            }
        })
    }
}
