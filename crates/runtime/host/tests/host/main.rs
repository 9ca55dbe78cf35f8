//! The embedded host on a real SQLite file, with real tools.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]
#![expect(unreachable_pub, reason = "modules of one test binary share freely")]

mod control;
mod forged_rows;
mod forking;
mod full_disk;
mod notifying;
mod offers;
mod permits;
mod receiver;
mod repeating;
mod rules;
mod running;
mod signing;
mod stops;
mod supervisors;
mod support;
mod trigger_permissions;
mod triggers;
