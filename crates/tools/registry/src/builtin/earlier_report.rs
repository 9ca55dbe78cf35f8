//! `earlier_report`: what an earlier mission saw and reported, so that its repetition tells only what is new.

use std::sync::Arc;

use adjutant_mission::{EffectClass, Millis, Provenance};
use serde::Deserialize;
use serde_json::{Value, json};

use super::recall::Library;
use super::{ToolOutline, read};
use crate::{BoxFuture, Call, Manifest, RegistryError, Tool, ToolFailure, ToolSettings};

/// Its id.
const EARLIER_REPORT: &str = "earlier_report";
const OUTPUT_BYTES_MAX: usize = 4 * 1024 * 1024;
const ID_CHARS_MAX: usize = 100;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    #[serde(default)]
    mission: String,
}

pub(super) struct EarlierReport {
    manifest: Manifest,
    library: Option<Arc<dyn Library>>,
}

impl EarlierReport {
    pub(super) fn new(settings: &ToolSettings) -> Result<Self, RegistryError> {
        let manifest = ToolOutline {
            id: EARLIER_REPORT,
            name: "Earlier report",
            description: "Gives what an earlier mission saw, if its report was approved, and the day of today. Without a mission \
                          it gives only the day.",
            class: EffectClass::Pure,
            // What was seen are sentences of documents.
            provenance: Provenance::Outside,
            input: json!({
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "mission": { "type": "string", "maxLength": ID_CHARS_MAX, "description": "Its id, or the end of it." }
                }
            }),
            output: Some(json!({
                "type": "object",
                "additionalProperties": false,
                "required": ["today", "known"],
                "properties": {
                    "today": { "type": "string" },
                    "known": { "type": "boolean" },
                    "mission": { "type": "string" },
                    "reported": { "type": "string" },
                    "why": { "type": "string" },
                    "seen": {}
                }
            })),
            time_limit: Millis::seconds(60),
            output_bytes_max: OUTPUT_BYTES_MAX,
        }
        .manifest()?;
        let library = settings.library.clone();
        Ok(Self { manifest, library })
    }
}

impl Tool for EarlierReport {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(async move {
            let wanted: Wanted = read(call.arguments)?;
            match &self.library {
                Some(library) => library.earlier(call.tenant, wanted.mission).await,
                None => Err(ToolFailure::permanent(
                    "there is no store to look the earlier mission up in",
                )),
            }
        })
    }
}
