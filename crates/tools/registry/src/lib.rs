//! Tools a mission can call: manifests, the registry, and the built-in tools.
//!
//! A tool takes arguments that are already resolved and checked, and gives back JSON or a typed failure.
//! Resolving references, permissions, time limits and recording outcomes happen in `adjutant-effects`.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        clippy::panic,
        reason = "a test that panics is a test that fails"
    )
)]

mod builtin;
mod egress;
mod manifest;
mod outline;
mod permission;
mod registry;
mod schema;
mod settings;
mod tally;
mod tool;

pub use adjutant_lookups::Site;
pub use adjutant_lookups::news::Feeds;
pub use adjutant_lookups::web::{Engine, Robots};
pub use builtin::{
    Library, QUESTION_CHARS_MAX, RAG, RECALL, Sites, ToCut, ToRead, Wanted, WantedWhole,
};
pub use egress::{AllowedHosts, Egress};
pub use manifest::{Audit, AutonomyLevel, Isolation, Manifest};
pub use outline::{ToolOutline, read_arguments};
pub use permission::{Limit, Permissions, Rules};
pub use registry::{Registered, Registry, RegistryError};
pub use schema::{Finding, Schema, SchemaError};
pub use settings::{Clock, CommandSandbox, TENANT_DEFAULT, ToolSettings, folder_of};
pub use tally::{OverLimit, Tally};
pub use tool::{BoxFuture, Call, References, Tool, ToolFailure};
