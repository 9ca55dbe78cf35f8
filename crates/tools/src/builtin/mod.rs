//! The built-in tools, one per file.

mod calc;
mod http;
mod noop;
mod recall;
mod run_command;
mod sleep;
mod stat;
mod template;
mod write_file;

pub use recall::{Library, QUESTION_CHARS_MAX, RECALL, Wanted};

use adjutant_mission::{EffectClass, MicroUsd, Millis, Provenance, ToolId};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{Manifest, RegistryError, Tool, ToolFailure, ToolSettings};

pub(crate) fn all(settings: &ToolSettings) -> Result<Vec<Box<dyn Tool>>, RegistryError> {
    Ok(vec![
        Box::new(calc::Calc::new()?),
        Box::new(http::Http::idempotent(settings)?),
        Box::new(http::Http::once(settings)?),
        Box::new(noop::Noop::new()?),
        Box::new(recall::Recall::new(settings)?),
        Box::new(run_command::RunCommand::new(settings)?),
        Box::new(sleep::Sleep::new()?),
        Box::new(stat::Stat::new()?),
        Box::new(template::Template::new()?),
        Box::new(write_file::WriteFile::new(settings)?),
    ])
}

/// What differs between the built-in tools' manifests. They cost nothing unless the tool says so.
struct About {
    id: &'static str,
    name: &'static str,
    description: &'static str,
    class: EffectClass,
    provenance: Provenance,
    input: Value,
    output: Option<Value>,
    time_limit: Millis,
    output_bytes_max: usize,
}

impl About {
    fn manifest(self) -> Result<Manifest, RegistryError> {
        let id = ToolId::new(self.id).map_err(|error| RegistryError::Builtin {
            message: error.to_string(),
        })?;
        Ok(Manifest {
            id,
            name: self.name.into(),
            description: self.description.into(),
            class: self.class,
            provenance: self.provenance,
            price: MicroUsd::ZERO,
            input: self.input,
            output: self.output,
            time_limit: self.time_limit,
            output_bytes_max: self.output_bytes_max,
        })
    }
}

/// Reads checked arguments into a tool's own type.
fn read<T: DeserializeOwned>(arguments: Value) -> Result<T, ToolFailure> {
    serde_json::from_value(arguments)
        .map_err(|error| ToolFailure::bad_input(format!("the arguments do not fit: {error}")))
}

#[cfg(test)]
pub(crate) mod testing;
