//! A delegate that is a tool of somebody else, such as an MCP server's: it is told the task in one argument, and its answer is
//! checked like that of a program. How often it may be called, what it costs and whether it is repeated are the tool's own.

use std::fmt;
use std::time::Duration;

use adjutant_mission::EffectClass;
use adjutant_tools::{
    BoxFuture, Call, Finding, Manifest, References, RegistryError, Schema, Tool, ToolFailure,
    read_arguments,
};
use serde_json::{Map, Value, json};

use crate::brief::{Arguments, spoken};
use crate::result::misfit;
use crate::task_check::{self, Takes};
use crate::tool::delegate_manifest;
use crate::{AnswerSchema, DelegateSettings};

/// What the results of a tool are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultShape {
    /// Data whose form the tool has promised.
    Data,
    /// A message: `text`, `parts`, and data under `structured` if there are any.
    Message,
}

pub struct ToolDelegate {
    name: String,
    /// The argument of the tool that takes the task.
    argument: String,
    inner: Box<dyn Tool>,
    shape: ResultShape,
    input: Schema,
    manifest: Manifest,
}

impl fmt::Debug for ToolDelegate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ToolDelegate").field(&self.name).finish()
    }
}

impl ToolDelegate {
    pub fn new(
        settings: &DelegateSettings,
        argument: &str,
        inner: Box<dyn Tool>,
        shape: ResultShape,
    ) -> Result<Self, RegistryError> {
        let of = inner.manifest();
        let input = Schema::compile(&of.input).map_err(|source| RegistryError::Schema {
            id: of.id.clone(),
            which: "input",
            source,
        })?;
        let mut manifest = delegate_manifest(settings, of.class, of.time_limit)?;
        manifest.provenance = of.provenance;
        manifest.price = of.price;
        manifest.time_limit = of.time_limit;
        manifest.isolation = of.isolation;
        manifest.autonomy_levels = of.autonomy_levels.clone();
        manifest.roles = of.roles.clone();
        manifest.audit = of.audit;
        manifest.hosts = of.hosts.clone();
        Ok(Self {
            name: settings.name.clone(),
            argument: argument.to_owned(),
            input,
            manifest,
            inner,
            shape,
        })
    }

    async fn run(&self, call: Call) -> Result<Value, ToolFailure> {
        let arguments: Arguments = read_arguments(call.arguments)?;
        let (schema, told) = self.prepare(&arguments)?;
        let inner = Call {
            tenant: call.tenant,
            effect: call.effect,
            arguments: told,
            lease: call.lease,
        };
        let given = match arguments.timeout_ms {
            None => self.inner.call(inner).await?,
            Some(wanted) => {
                let limit = Duration::from_millis(wanted);
                let called = tokio::time::timeout(limit, self.inner.call(inner)).await;
                called.map_err(|_| self.too_long(limit))??
            }
        };
        let answer = self.answer(given, schema.as_ref())?;
        Ok(json!({ "delegate": self.name, "answer": answer, "files": [], "log": "" }))
    }

    /// Whatever is wrong with a task is told before anything is sent.
    fn prepare(&self, arguments: &Arguments) -> Result<(Option<AnswerSchema>, Value), ToolFailure> {
        if !(arguments.files.is_empty() && arguments.output_files.is_empty()) {
            return Err(ToolFailure::bad_input(format!(
                "the delegate `{}` is a tool of an MCP server, which takes and gives no files [ADJ-6310]",
                self.name
            )));
        }
        let schema = arguments.output_schema.as_ref();
        let schema = schema.map(AnswerSchema::compile).transpose();
        let schema = schema.map_err(|error| {
            ToolFailure::bad_input(format!(
                "`output_schema` cannot be used: {error} [ADJ-6303]"
            ))
        })?;
        let task = spoken(arguments).map_err(ToolFailure::bad_input)?;
        let told = Value::Object(Map::from_iter([(self.argument.clone(), task.into())]));
        match self.input.check(&told).first() {
            None => Ok((schema, told)),
            Some(finding) => Err(ToolFailure::bad_input(format!(
                "the delegate `{}` cannot be told the task in its argument `{}`: {finding} [ADJ-6301]",
                self.name, self.argument
            ))),
        }
    }

    fn too_long(&self, limit: Duration) -> ToolFailure {
        let message = format!("the delegate `{}` took longer than {limit:?}", self.name);
        match self.manifest.class {
            EffectClass::Once => ToolFailure::in_doubt(format_args!("{message} [ADJ-6305]")),
            EffectClass::Pure | EffectClass::Idempotent | EffectClass::Paid => {
                ToolFailure::timed_out(format!("{message} [ADJ-6305]"))
            }
        }
    }

    /// With a schema: what the tool gave as data, or else the JSON in its text. Without one: its text.
    fn answer(&self, given: Value, schema: Option<&AnswerSchema>) -> Result<Value, ToolFailure> {
        let text = given.get("text").and_then(Value::as_str);
        let Some(schema) = schema else {
            return Ok(match text {
                Some(text) => text.into(),
                None => given.to_string().into(),
            });
        };
        // How we wrap a message is no answer of the tool's: prose would fit a schema that wants any object.
        let candidates = match self.shape {
            ResultShape::Data => [Some(given), None],
            ResultShape::Message => [
                given.get("structured").cloned(),
                text.and_then(|text| serde_json::from_str(text.trim()).ok()),
            ],
        };
        let mut findings = None;
        for candidate in candidates.into_iter().flatten() {
            let found = schema.check(&candidate);
            if found.is_empty() {
                return Ok(candidate);
            }
            findings.get_or_insert(found);
        }
        let message = match findings {
            Some(findings) => misfit(&self.name, &findings),
            None => format!(
                "the answer of the delegate `{}` does not fit `output_schema`: it is not JSON [ADJ-6304]",
                self.name
            ),
        };
        Err(ToolFailure::permanent(message))
    }
}

impl Tool for ToolDelegate {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn check(&self, arguments: &Value, references: References) -> Vec<Finding> {
        task_check::problems(arguments, references, Takes::Words)
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(self.run(call))
    }
}

#[cfg(test)]
#[path = "remote_tests.rs"]
mod tests;
