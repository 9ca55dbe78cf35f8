//! The server over real connections, on a real store.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]

mod access;
mod all_events;
mod analytics;
mod answering;
mod artifacts;
mod audit;
mod connections;
mod described;
mod events;
mod every_route;
mod forks;
mod metrics;
mod missions;
mod mode3;
mod outgoing;
mod own_workflows;
mod route_things;
mod support;
mod tenants;
mod upkeep;
