//! Suggestions for a small house of tools, as a caller gets them.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]

mod covering;
mod finding;
mod hostile;
mod house;
mod intents;
mod learning;
mod repeating;
mod replanning;
