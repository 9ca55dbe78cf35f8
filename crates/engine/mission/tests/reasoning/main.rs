//! Reasoning patterns: given the signs of the steps so far, this step comes next. One binary.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]
#![expect(unreachable_pub, reason = "modules of one test binary share freely")]

mod composition;
mod laws;
mod problems;
mod react;
mod scripts;
mod searches;
mod support;
