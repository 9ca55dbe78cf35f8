//! Tools a mission can call: manifests, the registry, and the built-in tools.
//!
//! A tool takes arguments that are already resolved and checked, and gives back JSON or a typed failure.
//! Resolving references, permissions, time limits and recording outcomes happen in `adjutant-perform`.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        clippy::panic,
        reason = "a test that panics is a test that fails"
    )
)]

mod builtin;
mod manifest;
mod registry;
mod schema;
mod settings;
mod tool;

pub use builtin::{Library, QUESTION_CHARS_MAX, RECALL, Wanted};
pub use manifest::Manifest;
pub use registry::{Registered, Registry, RegistryError};
pub use schema::{Finding, Schema, SchemaError};
pub use settings::{AllowedHosts, Clock, ToolSettings};
pub use tool::{BoxFuture, Call, Tool, ToolFailure};
