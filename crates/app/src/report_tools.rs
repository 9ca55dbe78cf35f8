//! What a mission's work comes to: `report` puts the pieces into one document, `judge` holds it against its sources, and
//! `fmea`, `monte_carlo` and `decision` are methods that need no model, as are those of the crate `methods`.

use adjutant_document_model::Document;
use adjutant_mission::{EffectClass, Millis, Provenance};
use adjutant_questions::Source;
use adjutant_reports::{Compose, Decide, DocumentsRead, Fmea, Kind, Outline, Simulate};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use adjutant_tools::{
    BoxFuture, Call, Manifest, RegistryError, Tool, ToolFailure, ToolOutline,
    read_arguments as read,
};

use crate::constitution::checking_tools;
use crate::reading_tools;

const OUTPUT_BYTES_MAX: usize = 8 * 1024 * 1024;

/// One method: its manifest, and what it makes of its arguments.
pub(crate) struct Method {
    manifest: Manifest,
    make: fn(Value) -> Result<Value, ToolFailure>,
}

pub fn all() -> Result<Vec<Box<dyn Tool>>, RegistryError> {
    let sources =
        json!({"type": "array", "description": "The sources that may be cited: id, title, text."});
    let findings = json!({"type": "array", "description": "The findings so far."});
    let methods = [
        Method::new(
            "report",
            "Report",
            "Combines a mission's findings into one document: sections, tables, charts, numbered citations. Every \
             factual sentence is cited, or marked as interpretation or calculation.",
            json!({
                "kind": {"enum": ["deep_dive", "risk_assessment", "go_no_go", "outline"]},
                "outline": {"type": "object", "description": "Of the kind `outline`: `name`, `first` (pieces whose results stand on the first page) and `sections` (`title`, `show`, `from`, `only_first`; with `show: reading` also `parts`: `conflicts`, `changed`, `owed`, `missing`)."},
                "title": {"type": "string"},
                "objective": {"type": "string"},
                "pieces": {"type": "object", "description": "Results of the plan's tasks, by name; `sources` may be cited."},
            }),
            &["kind", "title", "pieces"],
            report,
        ),
        Method::new(
            "judge",
            "Judge",
            "Checks a document against its sources: structure, citations, exact quotes, numbers, and calculations done \
             again.",
            json!({
                "document": {"type": "object"},
                "pieces": {"type": "object", "description": "`sources`: the sources the document cites; `reading`: what was read in the documents."},
            }),
            &["document", "pieces"],
            judge,
        ),
        Method::new(
            "fmea",
            "Failure modes and effects",
            "Lists failure modes with severity, occurrence and detection, stated in the sources or derived by scales, \
             and their product, highest first.",
            json!({
                "objective": {"type": "string"},
                "sources": sources,
                "findings": findings,
                "most": {"type": "integer", "minimum": 1, "maximum": 50},
            }),
            &["sources"],
            |arguments| made(arguments, |request: Fmea| adjutant_reports::fmea(request)),
        ),
        Method::new(
            "monte_carlo",
            "Monte Carlo",
            "Finds ranges in the sources and samples them many times with a fixed seed: mean, quantiles, the chance to exceed \
             a stated limit, and the most influential inputs.",
            json!({
                "objective": {"type": "string"},
                "sources": sources,
                "seed": {"type": "integer", "minimum": 0},
            }),
            &["sources"],
            |arguments| {
                made(arguments, |request: Simulate| {
                    adjutant_reports::simulation(request)
                })
            },
        ),
        Method::new(
            "decision",
            "Decision by criteria",
            "Weighs evidence for and against by the given criteria, or by criteria stated in a source. Reports when no \
             decision is possible, and what would change that.",
            json!({
                "objective": {"type": "string"},
                "criteria": {"type": "array", "description": "name, weight, threshold, must; the default is the criteria stated in the sources."},
                "usual": {"type": "array", "description": "name and words of the usual criteria of the field, if neither are given nor stated."},
                "sources": sources,
                "findings": findings,
                "grade": {"description": "The answer to a `grade` question."},
                "amendments": {"type": "array", "description": "Answers of checkpoints about the criteria: with the option `with_my_note`, the note changes them."},
            }),
            &["sources"],
            |arguments| {
                made(arguments, |request: Decide| {
                    adjutant_reports::decision(request)
                })
            },
        ),
    ];
    let mut tools: Vec<Box<dyn Tool>> = Vec::new();
    for method in methods {
        tools.push(Box::new(method?));
    }
    for method in adjutant_methods::METHODS {
        tools.push(Box::new(MethodTool::new(method)?));
    }
    tools.extend(checking_tools()?);
    tools.extend(reading_tools::all()?);
    Ok(tools)
}

/// A method of the crate `methods`, as a tool.
struct MethodTool {
    manifest: Manifest,
    method: &'static adjutant_methods::Method,
}

impl MethodTool {
    fn new(method: &'static adjutant_methods::Method) -> Result<Self, RegistryError> {
        Ok(Self {
            manifest: manifest(
                method.id,
                method.name,
                method.about,
                (method.inputs)(),
                method.required,
            )?,
            method,
        })
    }
}

impl Tool for MethodTool {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        let method = self.method;
        Box::pin(async move {
            let applied = tokio::task::spawn_blocking(move || (method.apply)(call.arguments)).await;
            let applied = applied
                .map_err(|error| ToolFailure::permanent(format!("the tool failed: {error}")))?;
            written(&applied.map_err(|refused| ToolFailure::permanent(refused.to_string()))?)
        })
    }
}

/// The manifest of a tool that computes something out of its arguments and does nothing else.
fn manifest(
    id: &'static str,
    name: &'static str,
    description: &'static str,
    properties: Value,
    required: &[&str],
) -> Result<Manifest, RegistryError> {
    let input = json!({
        "type": "object", "additionalProperties": false,
        "required": required, "properties": properties,
    });
    ToolOutline {
        id,
        name,
        description,
        class: EffectClass::Pure,
        provenance: Provenance::Own,
        input,
        output: None,
        time_limit: Millis::seconds(120),
        output_bytes_max: OUTPUT_BYTES_MAX,
    }
    .manifest()
}

impl Method {
    pub(crate) fn new(
        id: &'static str,
        name: &'static str,
        description: &'static str,
        properties: Value,
        required: &[&str],
        make: fn(Value) -> Result<Value, ToolFailure>,
    ) -> Result<Self, RegistryError> {
        let manifest = manifest(id, name, description, properties, required)?;
        Ok(Self { manifest, make })
    }
}

impl Tool for Method {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        let make = self.make;
        Box::pin(async move {
            // Long texts take a moment, and others wait for this thread.
            let made = tokio::task::spawn_blocking(move || make(call.arguments)).await;
            made.map_err(|error| ToolFailure::permanent(format!("the tool failed: {error}")))?
        })
    }
}

pub(crate) fn made<T: DeserializeOwned, M: serde::Serialize>(
    arguments: Value,
    make: impl FnOnce(T) -> M,
) -> Result<Value, ToolFailure> {
    written(&make(read(arguments)?))
}

pub(crate) fn written(made: &impl serde::Serialize) -> Result<Value, ToolFailure> {
    serde_json::to_value(made)
        .map_err(|error| ToolFailure::permanent(format!("invalid JSON: {error}")))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Report {
    kind: Kind,
    title: String,
    #[serde(default)]
    objective: String,
    #[serde(default)]
    outline: Option<Outline>,
    pieces: Map<String, Value>,
}

/// What the tool `report` makes of its arguments.
pub fn report(arguments: Value) -> Result<Value, ToolFailure> {
    let mut report: Report = read(arguments)?;
    let sources = sources(&mut report.pieces)?;
    if report.kind == Kind::Outline && report.outline.is_none() {
        return Err(ToolFailure::permanent(
            "the kind `outline` needs an `outline` with its sections".to_owned(),
        ));
    }
    let compose = Compose {
        outline: report.outline,
        title: report.title,
        objective: report.objective,
        offline: report.pieces.values().all(|piece| !by_model(piece)),
        pieces: report.pieces,
        sources,
    };
    let document = adjutant_reports::document(report.kind, compose);
    let cited = document.sources.len();
    Ok(json!({ "document": written(&document)?, "sources_cited": cited }))
}

/// What may be cited: the sources that were found, and the statements that were read in the documents.
fn sources(pieces: &mut Map<String, Value>) -> Result<Vec<Source>, ToolFailure> {
    let given = pieces.remove("sources").unwrap_or_else(|| json!([]));
    let mut sources: Vec<Source> = read(given)?;
    let reading = pieces.get("reading").filter(|value| !value.is_null());
    if let Some(reading) = reading {
        let reading: DocumentsRead = read(reading.clone())?;
        sources.extend(reading.sources());
    }
    Ok(sources)
}

/// Whether a language model had a part in a piece.
fn by_model(piece: &Value) -> bool {
    match piece {
        Value::Object(fields) => fields.iter().any(|(name, value)| match name.as_str() {
            "answered_by" => value["provider"] != json!("offline"),
            _ => by_model(value),
        }),
        Value::Array(items) => items.iter().any(by_model),
        _ => false,
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Judge {
    document: Value,
    pieces: Map<String, Value>,
}

fn judge(arguments: Value) -> Result<Value, ToolFailure> {
    let mut judge: Judge = read(arguments)?;
    let document: Document = read(judge.document)?;
    let sources = sources(&mut judge.pieces)?;
    let reading = judge.pieces.remove("reading");
    let reading: Option<DocumentsRead> =
        reading.filter(|it| !it.is_null()).map(read).transpose()?;
    let judged = adjutant_reports::judge_with(&document, &sources, reading.as_ref());
    written(&judged)
}
