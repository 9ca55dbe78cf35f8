//! What a tool of our own says of itself in short; its manifest follows from it.

use adjutant_mission::{EffectClass, Millis, Provenance, ToolId};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{Manifest, RegistryError, ToolFailure};

/// What differs between the manifests of our own tools. They cost nothing, reach nothing and run nothing unless the tool
/// says so.
#[derive(Debug)]
pub struct ToolOutline {
    pub id: &'static str,
    pub name: &'static str,
    pub description: &'static str,
    pub class: EffectClass,
    pub provenance: Provenance,
    pub input: Value,
    pub output: Option<Value>,
    pub time_limit: Millis,
    pub output_bytes_max: usize,
}

impl ToolOutline {
    pub fn manifest(self) -> Result<Manifest, RegistryError> {
        let id = ToolId::new(self.id).map_err(|error| RegistryError::Builtin {
            message: error.to_string(),
        })?;
        Ok(Manifest {
            name: self.name.into(),
            description: self.description.into(),
            provenance: self.provenance,
            output: self.output,
            time_limit: self.time_limit,
            output_bytes_max: self.output_bytes_max,
            ..Manifest::new(id, self.class, self.input)
        })
    }
}

/// Reads checked arguments into a tool's own type.
pub fn read_arguments<T: DeserializeOwned>(arguments: Value) -> Result<T, ToolFailure> {
    serde_json::from_value(arguments)
        .map_err(|error| ToolFailure::bad_input(format!("the arguments are not valid: {error}")))
}
