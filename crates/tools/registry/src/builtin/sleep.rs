//! `sleep`: waits. It holds one of the mission's places while it does; a dependency's `lag` does not.

use std::time::Duration;

use adjutant_mission::{EffectClass, Millis, Provenance};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{ToolOutline, read};
use crate::{BoxFuture, Call, Manifest, RegistryError, Tool, ToolFailure};

const SECONDS_MAX: u64 = 3_600;

pub(super) struct Sleep {
    manifest: Manifest,
}

#[derive(Deserialize)]
struct Arguments {
    seconds: f64,
}

impl Sleep {
    pub(super) fn new() -> Result<Self, RegistryError> {
        let manifest = ToolOutline {
            id: "sleep",
            name: "Wait",
            description: "Waits for a number of seconds, at most an hour.",
            class: EffectClass::Pure,
            provenance: Provenance::Own,
            input: json!({
                "type": "object",
                "additionalProperties": false,
                "required": ["seconds"],
                "properties": {
                    "seconds": { "type": "number", "minimum": 0, "maximum": SECONDS_MAX }
                }
            }),
            output: Some(json!({
                "type": "object",
                "additionalProperties": false,
                "required": ["seconds"],
                "properties": { "seconds": { "type": "number" } }
            })),
            time_limit: Millis::seconds(SECONDS_MAX + 10),
            output_bytes_max: 1024,
        }
        .manifest()?;
        Ok(Self { manifest })
    }
}

impl Tool for Sleep {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(async move {
            let Arguments { seconds } = read(call.arguments)?;
            let wait = Duration::try_from_secs_f64(seconds)
                .map_err(|error| ToolFailure::bad_input(format!("`seconds`: {error}")))?;
            tokio::time::sleep(wait).await;
            Ok(json!({ "seconds": seconds }))
        })
    }
}
