//! `L5-VIZ`: charts, as SVG and as PNG.

use adjutant_charts::{Chart, Theme, draw, png, schema};
use adjutant_mission::{EffectClass, MicroUsd, Millis, Provenance};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{ToolOutline, chosen_by, read};
use crate::{BoxFuture, Call, Manifest, RegistryError, Tool, ToolFailure};

const PRICE: MicroUsd = MicroUsd(5_000);
const OUTPUT_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Pixels to a unit of the drawing, so that text is sharp on paper and on dense screens.
const PNG_SCALE: f64 = 2.0;

pub(super) struct Visualizer {
    manifest: Manifest,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Format {
    #[default]
    Svg,
    Png,
}

impl Visualizer {
    pub(super) fn new() -> Result<Self, RegistryError> {
        let more = json!({
            "theme": { "enum": ["light", "dark"], "default": "light", "description": "The background it is shown on." },
            "format": { "enum": ["svg", "png"], "default": "svg", "description": "`png` is returned as base64." }
        });
        let mut manifest = ToolOutline {
            id: "L5-VIZ",
            name: "Visualizer",
            description: "Draws a line, bar, scatter, box, heat map, forest, timeline, Gantt, tornado, decision tree \
                          or network chart, in colours that are safe for colour-blind readers, for light and dark \
                          backgrounds. `alt` describes the chart in words.",
            class: EffectClass::Pure,
            provenance: Provenance::Own,
            input: chosen_by("chart", schema(), more.as_object().unwrap_or(&Map::new())),
            output: Some(json!({
                "type": "object",
                "additionalProperties": false,
                "required": ["alt", "width", "height"],
                "properties": {
                    "svg": { "type": "string" },
                    "png": { "type": "string" },
                    "alt": { "type": "string" },
                    "width": { "type": "number" },
                    "height": { "type": "number" }
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

impl Tool for Visualizer {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(async move {
            let mut arguments = call.arguments;
            let mut taken = |name: &str| arguments.as_object_mut().and_then(|all| all.remove(name));
            let theme: Theme = taken("theme").map(read).transpose()?.unwrap_or_default();
            let format: Format = taken("format").map(read).transpose()?.unwrap_or_default();
            let chart: Chart = read(arguments)?;
            // A large picture takes a while, and whoever else is at work must not wait.
            let drawn = tokio::task::spawn_blocking(move || drawn(&chart, theme, format)).await;
            drawn.map_err(|error| ToolFailure::permanent(format!("drawing crashed: {error}")))?
        })
    }
}

fn drawn(chart: &Chart, theme: Theme, format: Format) -> Result<Value, ToolFailure> {
    let drawing =
        draw(chart, theme).map_err(|refusal| ToolFailure::bad_input(refusal.to_string()))?;
    let mut told = json!({ "alt": drawing.alt, "width": drawing.width, "height": drawing.height });
    match format {
        Format::Svg => told["svg"] = Value::String(drawing.svg),
        Format::Png => {
            let bytes = png(&drawing, PNG_SCALE)
                .map_err(|refusal| ToolFailure::bad_input(refusal.to_string()))?;
            told["png"] = Value::String(STANDARD.encode(bytes));
        }
    }
    Ok(told)
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use serde_json::json;

    use super::super::testing::{call, failure, settings};

    #[tokio::test]
    async fn a_chart_is_drawn_in_both_formats_and_themes_or_refused() {
        let folder = tempfile::tempdir().unwrap();
        for theme in ["light", "dark"] {
            let mut chart = json!({
                "chart": "bar", "title": "Patients", "theme": theme, "categories": ["placebo", "5 mg"],
                "series": [{ "name": "enrolled", "values": [312, 313] }]
            });
            let svg = call(settings(folder.path()), "L5-VIZ", chart.clone())
                .await
                .unwrap();
            assert!(svg["svg"].as_str().unwrap().starts_with("<svg"), "{svg}");
            assert!(
                svg["alt"].as_str().unwrap().contains("312"),
                "{}",
                svg["alt"]
            );
            chart["format"] = json!("png");
            let png = call(settings(folder.path()), "L5-VIZ", chart)
                .await
                .unwrap();
            let bytes = STANDARD.decode(png["png"].as_str().unwrap()).unwrap();
            assert!(bytes.starts_with(b"\x89PNG"));
        }
        let short = json!({
            "chart": "bar", "title": "Patients", "categories": ["placebo", "5 mg"],
            "series": [{ "name": "enrolled", "values": [312] }]
        });
        let refused = failure(call(settings(folder.path()), "L5-VIZ", short).await);
        assert!(refused.starts_with("BadInput: "), "{refused}");
    }
}
