//! Servers of others, and servers that misbehave.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]

mod containment;
mod real_servers;
mod support;
mod web;
