//! Programs that try to do harm, or to learn what is not theirs. Each must be contained, and leave the host able to
//! run the next job.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

mod amounts;
mod files;
mod kernel;
mod network;
mod others;
mod plain;
mod support;
mod survivors;
