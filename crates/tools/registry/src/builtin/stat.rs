//! `L5-STAT`: statistical analyses, each figure with its method and what speaks against it.

use adjutant_mission::{EffectClass, MicroUsd, Millis, Provenance};
use adjutant_statistics::{Request, analyse, schema};
use serde_json::{Value, json};

use super::{ToolOutline, read};
use crate::{BoxFuture, Call, Manifest, RegistryError, Tool, ToolFailure};

const PRICE: MicroUsd = MicroUsd(10_000);
const OUTPUT_BYTES_MAX: usize = 4 * 1024 * 1024;

pub(super) struct Stat {
    manifest: Manifest,
}

impl Stat {
    pub(super) fn new() -> Result<Self, RegistryError> {
        let mut manifest = ToolOutline {
            id: "L5-STAT",
            name: "Statistical analysis",
            description: "Describes data, compares groups, relates variables, analyses survival, estimates effects \
                          and intervals, corrects for multiple tests, pools studies and runs simulations. `method` \
                          states exactly what was computed, `notes` its limitations.",
            class: EffectClass::Pure,
            provenance: Provenance::Own,
            input: schema(),
            output: Some(json!({
                "type": "object",
                "additionalProperties": false,
                "required": ["analysis", "figures", "method", "notes"],
                "properties": {
                    "analysis": { "type": "string" },
                    "figures": { "type": "object" },
                    "method": { "type": "string" },
                    "notes": { "type": "array", "items": { "type": "string" } }
                }
            })),
            time_limit: Millis::seconds(60),
            output_bytes_max: OUTPUT_BYTES_MAX,
        }
        .manifest()?;
        manifest.price = PRICE;
        Ok(Self { manifest })
    }
}

impl Tool for Stat {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(async move {
            let request: Request = read(call.arguments)?;
            // Some take seconds, and whoever else is at work must not wait.
            let answered = tokio::task::spawn_blocking(move || analyse(&request)).await;
            let answered = answered.map_err(|error| {
                ToolFailure::permanent(format!("the analysis crashed: {error}"))
            })?;
            let answer = answered.map_err(|refusal| ToolFailure::bad_input(refusal.to_string()))?;
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

    #[tokio::test]
    async fn an_analysis_is_made_or_refused_by_its_field() {
        let folder = tempfile::tempdir().unwrap();
        let welch = json!({ "analysis": "welch_t", "a": [1, 2, 3, 4], "b": [3, 4, 5, 9] });
        let made = call(settings(folder.path()), "L5-STAT", welch)
            .await
            .unwrap();
        let p = made["figures"]["p"].as_f64().unwrap();
        // scipy.stats.ttest_ind([1, 2, 3, 4], [3, 4, 5, 9], equal_var=False)
        assert!((p - 0.127_680_412_78).abs() < 1e-9, "{made}");
        let short = json!({ "analysis": "welch_t", "a": [1, 1], "b": [1, 1] });
        let refused = failure(call(settings(folder.path()), "L5-STAT", short).await);
        assert!(refused.starts_with("BadInput: "), "{refused}");
    }
}
