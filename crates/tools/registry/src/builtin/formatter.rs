//! `L5-FMT`: citations, tables and documents in the form that a reader expects.

use adjutant_citations::{Request, answer_schema, format, schema};
use adjutant_mission::{EffectClass, MicroUsd, Millis, Provenance};
use serde_json::{Map, Value};

use super::{ToolOutline, chosen_by, read};
use crate::{BoxFuture, Call, Manifest, RegistryError, Tool, ToolFailure};

const PRICE: MicroUsd = MicroUsd(100);
const OUTPUT_BYTES_MAX: usize = 4 * 1024 * 1024;

pub(super) struct Formatter {
    manifest: Manifest,
}

impl Formatter {
    pub(super) fn new() -> Result<Self, RegistryError> {
        let mut manifest = ToolOutline {
            id: "L5-FMT",
            name: "Formatter",
            description: "Writes citations in Vancouver, APA, AMA, BibTeX, RIS, CSL-JSON, a named CSL style such as IEEE or \
                          a given .csl file, reads reference files, lays out tables, fills in documents. `notes` names \
                          the fields that a record lacks.",
            class: EffectClass::Pure,
            provenance: Provenance::Own,
            input: chosen_by("format", schema(), &Map::new()),
            output: Some(answer_schema()),
            time_limit: Millis::seconds(20),
            output_bytes_max: OUTPUT_BYTES_MAX,
        }
        .manifest()?;
        manifest.price = PRICE;
        Ok(Self { manifest })
    }
}

impl Tool for Formatter {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(async move {
            let request: Request = read(call.arguments)?;
            let answer =
                format(&request).map_err(|refusal| ToolFailure::bad_input(refusal.to_string()))?;
            serde_json::to_value(answer).map_err(|error| {
                ToolFailure::permanent(format!("the answer is not valid JSON: {error}"))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::{call, failure, settings};

    #[tokio::test]
    async fn a_citation_is_written_or_refused_by_its_field() {
        let folder = tempfile::tempdir().unwrap();
        let item = json!({
            "id": "a", "type": "article-journal", "title": "Walking and sleep",
            "author": [{ "family": "Moreau", "given": "Ines" }], "container-title": "Sleep Notes",
            "issued": { "date-parts": [[2024]] }, "volume": "3", "page": "12-19"
        });
        let wanted = json!({ "format": "citations", "style": "vancouver", "items": [item] });
        let made = call(settings(folder.path()), "L5-FMT", wanted)
            .await
            .unwrap();
        let text = made["text"].as_str().unwrap();
        assert!(text.contains("Moreau I. Walking and sleep."), "{text}");
        let mut wanted = json!({ "format": "citations", "style": "natur", "items": [] });
        let refused = failure(call(settings(folder.path()), "L5-FMT", wanted.clone()).await);
        assert!(refused.contains("did you mean `nature`?"), "{refused}");
        wanted["style"] = json!("nature");
        let made = call(settings(folder.path()), "L5-FMT", wanted)
            .await
            .unwrap();
        assert_eq!(
            made["method"],
            "Nature, as a CSL style written by hayagriva"
        );
        let wrong = json!({ "format": "template", "name": "memo", "values": {} });
        let refused = failure(call(settings(folder.path()), "L5-FMT", wrong).await);
        assert!(refused.starts_with("BadInput: "), "{refused}");
    }
}
