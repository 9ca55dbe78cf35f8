//! `template`: fills a text with values. Its placeholders are `[[ name ]]`, its blocks `[% … %]` and its
//! comments `[# … #]`, because `{{…}}` in a plan's arguments is Adjutant's own reference and is resolved before.

use std::io;

use adjutant_mission::{EffectClass, Millis, Provenance};
use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{ToolOutline, read};
use crate::{BoxFuture, Call, Manifest, RegistryError, Tool, ToolFailure};

const TEMPLATE_CHARS_MAX: usize = 64 * 1024;
const TEXT_BYTES_MAX: usize = 1024 * 1024;
/// How many steps one rendering may take.
const FUEL: u64 = 500_000;

pub(super) struct Template {
    manifest: Manifest,
    environment: Environment<'static>,
}

#[derive(Deserialize)]
struct Arguments {
    template: String,
    #[serde(default)]
    values: Map<String, Value>,
}

impl Template {
    pub(super) fn new() -> Result<Self, RegistryError> {
        let syntax = SyntaxConfig::builder()
            .variable_delimiters("[[", "]]")
            .block_delimiters("[%", "%]")
            .comment_delimiters("[#", "#]")
            .keep_trailing_newline(true)
            .build()
            .map_err(|error| RegistryError::Builtin {
                message: error.to_string(),
            })?;
        let mut environment = Environment::new();
        environment.set_syntax(syntax);
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        environment.set_fuel(Some(FUEL));

        let manifest = ToolOutline {
            id: "template",
            name: "Fill in a template",
            description: "Fills a text with values: `[[ name ]]`, `[% if … %]`, `[% for … %]`, `[# … #]`. \
                          A name that has no value is an error.",
            class: EffectClass::Pure,
            provenance: Provenance::Own,
            input: json!({
                "type": "object",
                "additionalProperties": false,
                "required": ["template"],
                "properties": {
                    "template": { "type": "string", "maxLength": TEMPLATE_CHARS_MAX },
                    "values": { "type": "object" }
                }
            }),
            output: Some(json!({
                "type": "object",
                "additionalProperties": false,
                "required": ["text"],
                "properties": { "text": { "type": "string" } }
            })),
            time_limit: Millis::seconds(10),
            output_bytes_max: 2 * TEXT_BYTES_MAX,
        }
        .manifest()?;
        Ok(Self {
            manifest,
            environment,
        })
    }

    fn render(&self, call: Call) -> Result<Value, ToolFailure> {
        let Arguments { template, values } = read(call.arguments)?;
        let mut text = Bounded { bytes: Vec::new() };
        self.environment
            .template_from_str(&template)
            .and_then(|template| {
                template.render_captured_to(minijinja::value::Serde(&values), &mut text)
            })
            .map_err(|error| explain(&error))?;
        Ok(json!({ "text": String::from_utf8_lossy(&text.bytes) }))
    }
}

impl Tool for Template {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(async move { self.render(call) })
    }
}

fn explain(error: &minijinja::Error) -> ToolFailure {
    let place = match error.line() {
        Some(line) => format!("line {line} of the template"),
        None => "the template".to_owned(),
    };
    let detail = error
        .detail()
        .map_or(String::new(), |detail| format!(": {detail}"));
    let message = match error.kind() {
        ErrorKind::WriteFailure => {
            format!("the text is longer than {TEXT_BYTES_MAX} bytes: make it shorter or split it")
        }
        ErrorKind::OutOfFuel => {
            format!("{place} took more than {FUEL} steps: loop over less")
        }
        ErrorKind::UndefinedError => format!(
            "{place} uses a name that has no value{detail}: add it to `values`, or write `[[ name|default('…') ]]`"
        ),
        kind => format!("{place}: {kind}{detail}"),
    };
    ToolFailure::bad_input(message)
}

/// Stops taking text at the limit, so that a loop cannot fill the memory.
struct Bounded {
    bytes: Vec<u8>,
}

impl io::Write for Bounded {
    fn write(&mut self, more: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + more.len() > TEXT_BYTES_MAX {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.bytes.extend_from_slice(more);
        Ok(more.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
#[path = "template_tests.rs"]
mod tests;
