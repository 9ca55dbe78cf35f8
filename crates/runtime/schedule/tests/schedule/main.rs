//! Schedules against the standards they come from, clocks that are put forward and back, and a scan of every minute.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]

mod brute_force;
mod clock_changes;
mod cron;
mod rfc5545;
mod support;
