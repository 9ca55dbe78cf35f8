//! Purposes from the outside: their inputs, prompts, schemas and what counts as evidence.
#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

mod context;
mod evidence;
mod narrow;
mod prompts;
mod reading;
mod samples;
mod schemas;
mod sense;
mod signs;
mod tokens;
mod workers;
