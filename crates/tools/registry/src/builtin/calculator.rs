//! `L5-CALC`: units, dates, dosing and finance, on exact decimals and with every step written out.

use adjutant_calculator::{Request, calculate, schema};
use adjutant_mission::{EffectClass, MicroUsd, Millis, Provenance};
use serde_json::{Map, Value, json};

use super::{ToolOutline, chosen_by, read};
use crate::{BoxFuture, Call, Manifest, RegistryError, Tool, ToolFailure};

const PRICE: MicroUsd = MicroUsd(100);
const OUTPUT_BYTES_MAX: usize = 1024 * 1024;

pub(super) struct Calculator {
    manifest: Manifest,
}

impl Calculator {
    pub(super) fn new() -> Result<Self, RegistryError> {
        let mut manifest = ToolOutline {
            id: "L5-CALC",
            name: "Calculator suite",
            description: "Converts units and calculates dates, doses, interest and costs with exact decimals. `steps` \
                          lists each formula with its numbers so that a person can check it, `method` its source, \
                          `notes` anything unusual. Use `calc` for plain arithmetic.",
            class: EffectClass::Pure,
            provenance: Provenance::Own,
            input: chosen_by("calculate", schema(), &Map::new()),
            output: Some(json!({
                "type": "object",
                "required": ["text", "steps", "method", "notes"],
                "properties": {
                    "value": { "type": "number" },
                    "text": { "type": "string" },
                    "rounded": { "type": "string" },
                    "unit": { "type": "string" },
                    "parts": { "type": "array" },
                    "table": { "type": "object" },
                    "steps": { "type": "array", "items": { "type": "string" } },
                    "method": { "type": "string" },
                    "notes": { "type": "array", "items": { "type": "string" } }
                }
            })),
            time_limit: Millis::seconds(10),
            output_bytes_max: OUTPUT_BYTES_MAX,
        }
        .manifest()?;
        manifest.price = PRICE;
        Ok(Self { manifest })
    }
}

impl Tool for Calculator {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(async move {
            let request: Request = read(call.arguments)?;
            let answer = calculate(&request)
                .map_err(|refusal| ToolFailure::bad_input(refusal.to_string()))?;
            serde_json::to_value(answer).map_err(|error| {
                ToolFailure::permanent(format!("the result is not valid JSON: {error}"))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::{call, failure, settings};
    use crate::Registry;

    #[tokio::test]
    async fn a_calculation_is_made_or_refused_by_its_field() {
        let folder = tempfile::tempdir().unwrap();
        let glucose = json!({
            "calculate": "convert", "value": "90", "from": "mg/dL", "to": "mmol/L", "substance": "glucose"
        });
        let made = call(settings(folder.path()), "L5-CALC", glucose)
            .await
            .unwrap();
        assert!(made["text"].as_str().unwrap().starts_with("4.99"), "{made}");
        let wrong = json!({ "calculate": "convert", "value": "90", "from": "mg", "to": "m" });
        let refused = failure(call(settings(folder.path()), "L5-CALC", wrong).await);
        assert!(refused.starts_with("BadInput: "), "{refused}");
    }

    #[test]
    fn what_does_not_fit_is_told_by_the_kind_that_was_named() {
        let folder = tempfile::tempdir().unwrap();
        let registry = Registry::builtin(settings(folder.path())).unwrap();
        let input = registry.get("L5-CALC").unwrap().input();
        let found = input.check(&json!({ "calculate": "convert", "value": "90", "from": "mg" }));
        let told: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(told, [r#""to" is a required property"#]);
    }
}
