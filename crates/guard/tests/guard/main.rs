//! The guard against cases set aside before it was tuned, against examples of each trick, and against any text at all.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

mod cases;
mod fencing;
mod inspecting;
mod policies;
mod shapes;
mod totality;
