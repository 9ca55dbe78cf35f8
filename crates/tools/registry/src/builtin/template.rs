//! `template`: fills a text with values. Its placeholders are `[[ name ]]`, its blocks `[% … %]` and its
//! comments `[# … #]`, because `{{…}}` in a plan's arguments is Adjutant's own reference and is resolved before.

use adjutant_citations::{count_what_is_built, render_counted};
use adjutant_mission::{EffectClass, Millis, Provenance};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, ErrorKind, UndefinedBehavior};
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
        count_what_is_built(&mut environment);
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
        let values = minijinja::Value::from(Serde(&values));
        let text = render_counted(&self.environment, &template, values);
        let text = text.map_err(|error| explain(&error))?;
        if text.len() > TEXT_BYTES_MAX {
            return Err(ToolFailure::bad_input(format!(
                "the text is longer than {TEXT_BYTES_MAX} bytes: make it shorter or split it"
            )));
        }
        Ok(json!({ "text": text }))
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

#[cfg(test)]
#[path = "template_tests.rs"]
mod tests;
