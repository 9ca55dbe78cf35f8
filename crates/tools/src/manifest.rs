//! A tool's manifest: everything there is to know about it without calling it.

use adjutant_mission::{EffectClass, MicroUsd, Millis, Provenance, ToolFacts, ToolId};
use serde::Serialize;
use serde_json::Value;

#[derive(Debug, Clone, Serialize)]
pub struct Manifest {
    pub id: ToolId,
    pub name: String,
    pub description: String,
    pub class: EffectClass,
    /// `Own` only if its result is made of its arguments and of nothing else.
    pub provenance: Provenance,
    /// Upper bound of what one call costs.
    pub price: MicroUsd,
    /// JSON Schema of the arguments.
    pub input: Value,
    /// JSON Schema of the result. Without one, references into it are only checked when they resolve.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Value>,
    /// A call that takes longer is cut off.
    pub time_limit: Millis,
    /// A result whose JSON text is longer is refused.
    pub output_bytes_max: usize,
}

impl Manifest {
    /// What the machine must know of it.
    pub fn facts(&self) -> ToolFacts {
        ToolFacts {
            class: self.class,
            price: self.price,
            tokens: 0,
            time_limit: self.time_limit,
            provenance: Some(self.provenance),
        }
    }
}
