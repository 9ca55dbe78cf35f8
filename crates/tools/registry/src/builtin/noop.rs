//! `noop`: gives back its `value`. For examples, benchmarks, and joining branches of a plan.

use adjutant_mission::{EffectClass, Millis, Provenance};
use serde_json::{Value, json};

use super::ToolOutline;
use crate::{BoxFuture, Call, Manifest, RegistryError, Tool, ToolFailure};

pub(super) struct Noop {
    manifest: Manifest,
}

impl Noop {
    pub(super) fn new() -> Result<Self, RegistryError> {
        let manifest = ToolOutline {
            id: "noop",
            name: "Do nothing",
            description: "Returns its `value`, or null.",
            class: EffectClass::Pure,
            provenance: Provenance::Own,
            input: json!({
                "type": "object",
                "additionalProperties": false,
                "properties": { "value": { "description": "Anything." } }
            }),
            output: None,
            time_limit: Millis::seconds(10),
            output_bytes_max: 8 * 1024 * 1024,
        }
        .manifest()?;
        Ok(Self { manifest })
    }
}

impl Tool for Noop {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn call(&self, mut call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        let value = call.arguments.get_mut("value").map(Value::take);
        Box::pin(std::future::ready(Ok(value.unwrap_or_default())))
    }
}
