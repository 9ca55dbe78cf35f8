//! `L5-NLP`: what a text says on its face, by lists and rules and without a model.

use adjutant_language::{Request, answer_schema, process, schema};
use adjutant_mission::{EffectClass, MicroUsd, Millis, Provenance};
use serde_json::{Map, Value};

use super::{ToolOutline, chosen_by, read};
use crate::{BoxFuture, Call, Manifest, RegistryError, Tool, ToolFailure};

const PRICE: MicroUsd = MicroUsd(2_000);
const OUTPUT_BYTES_MAX: usize = 8 * 1024 * 1024;

pub(super) struct Language {
    manifest: Manifest,
}

impl Language {
    pub(super) fn new() -> Result<Self, RegistryError> {
        let mut manifest = ToolOutline {
            id: "L5-NLP",
            name: "Text processor",
            description: "Detects a text's language, sentences, entities, key phrases, sentiment and readability, and \
                          compares two texts. Every finding has its offset in the text; `method` names the method, \
                          `notes` its limitations.",
            class: EffectClass::Pure,
            provenance: Provenance::Own,
            input: chosen_by("process", schema(), &Map::new()),
            output: Some(answer_schema()),
            time_limit: Millis::seconds(60),
            output_bytes_max: OUTPUT_BYTES_MAX,
        }
        .manifest()?;
        manifest.price = PRICE;
        Ok(Self { manifest })
    }
}

impl Tool for Language {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn own_words(&self) -> &'static [&'static str] {
        &["method"]
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(async move {
            let request: Request = read(call.arguments)?;
            // A long text takes a moment, and others wait for this thread.
            let answer = tokio::task::spawn_blocking(move || process(&request)).await;
            let answer = answer
                .map_err(|error| ToolFailure::permanent(format!("it crashed: {error}")))?
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

    #[tokio::test]
    async fn a_text_is_processed_or_refused_by_its_field() {
        let folder = tempfile::tempdir().unwrap();
        let text = "In NCT04280705, 412 patients took 5 mg once daily until 17 May 2024.";
        let wanted = json!({ "process": "entities", "text": text });
        let made = call(settings(folder.path()), "L5-NLP", wanted)
            .await
            .unwrap();
        assert!(made.to_string().contains("NCT04280705"), "{made}");
        let wrong = json!({ "process": "readability", "text": "…" });
        let refused = failure(call(settings(folder.path()), "L5-NLP", wrong).await);
        assert!(refused.starts_with("BadInput: "), "{refused}");
    }
}
