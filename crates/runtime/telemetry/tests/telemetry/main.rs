//! A mission's trace, and how it is sent.

#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

mod following;
mod sending;
mod told;
mod world;
