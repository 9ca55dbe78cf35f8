//! A tool's manifest: everything there is to know about it without calling it.

use std::fmt;

use adjutant_mission::{EffectClass, MicroUsd, Millis, Provenance, Role, ToolFacts, ToolId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::AllowedHosts;

#[derive(Debug, Clone, Serialize, Deserialize)]
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
    pub isolation: Isolation,
    /// How much autonomy whoever calls it may have earned.
    pub autonomy_levels: Vec<AutonomyLevel>,
    /// Who may plan calls of it; everybody, if none is named.
    pub roles: Vec<Role>,
    pub audit: Audit,
    /// Where it may send anything.
    pub hosts: AllowedHosts,
}

impl Manifest {
    /// As careful as a tool is about which nothing else is known: all it gives is from outside, in half a minute.
    pub fn new(id: ToolId, class: EffectClass, input: Value) -> Self {
        Self {
            name: id.to_string(),
            id,
            description: String::new(),
            class,
            provenance: Provenance::Outside,
            price: MicroUsd::ZERO,
            input,
            output: None,
            time_limit: Millis::seconds(30),
            output_bytes_max: 1024 * 1024,
            isolation: Isolation::None,
            autonomy_levels: AutonomyLevel::ALL.to_vec(),
            roles: Vec::new(),
            audit: Audit::Summary,
            hosts: AllowedHosts::NONE,
        }
    }

    /// What the machine must know of it.
    pub fn facts(&self) -> ToolFacts {
        // Where the operator has not said which hosts, the caller does.
        let provenance = match self.hosts {
            AllowedHosts::Any => Provenance::AnyHost,
            AllowedHosts::Only(_) => self.provenance,
        };
        ToolFacts {
            class: self.class,
            price: self.price,
            tokens: 0,
            time_limit: self.time_limit,
            provenance: Some(provenance),
        }
    }
}

/// Whether it runs what others wrote, which must be kept from doing harm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Isolation {
    /// It runs nothing but itself.
    None,
    /// In the sandbox, or not at all.
    Sandbox,
}

/// How much of a call the audit shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Audit {
    /// Only what the journal has anyway.
    None,
    /// That it was called, for what, at which cost, and how that ended.
    Summary,
    /// Its arguments and its result, too.
    Full,
}

/// How much autonomy a team or an agent has earned, from 1 to 5.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AutonomyLevel(u8);

impl AutonomyLevel {
    pub const ONE: Self = Self(1);
    pub const TWO: Self = Self(2);
    pub const THREE: Self = Self(3);
    pub const FOUR: Self = Self(4);
    pub const FIVE: Self = Self(5);
    pub const ALL: [Self; 5] = [Self::ONE, Self::TWO, Self::THREE, Self::FOUR, Self::FIVE];

    pub fn new(level: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.0 == level)
    }
}

impl fmt::Display for AutonomyLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
