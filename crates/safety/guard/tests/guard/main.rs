//! Tests the guard with the committed cases, examples of each kind of threat, and arbitrary text.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

mod cases;
mod courtesy;
mod fencing;
mod inspecting;
mod look_alikes;
mod policies;
mod shapes;
mod totality;
