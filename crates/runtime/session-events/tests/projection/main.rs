//! The projection against journals that real missions wrote.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]

mod documented;
mod instants;
mod laws;
mod seen;
mod stories;
mod told;
mod world;
