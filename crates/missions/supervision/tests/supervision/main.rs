//! Supervisors on missions that really run: in the machine, without a host.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]
#![expect(unreachable_pub, reason = "modules of one test binary share freely")]

mod kinds;
mod looks;
mod races;
mod world;
