//! The server over real connections, on a real store.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]

mod access;
mod audit;
mod connections;
mod described;
mod events;
mod everything;
mod forks;
mod made;
mod metrics;
mod missions;
mod mode3;
mod support;
mod tenants;
mod upkeep;
