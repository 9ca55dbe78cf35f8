//! Schedules: an instant, a cron or a recurrence rule, and the instants they mean in a time zone.
//!
//! Nothing here waits, keeps anything or asks for the time: `times_after` is a function of the schedule, the zone's
//! rules and an instant. Firing is the host's work.

#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        reason = "a test that panics is a test that fails"
    )
)]

mod cron;
mod error;
mod recurrence;
mod repeat;
mod rrule;
mod timetable;
mod zone;

pub use error::ScheduleError;
pub use repeat::{REPEAT_RUNS_MAX, REPEAT_YEARS_MAX, Repeat, RepeatError, RepeatRequest};
pub use timetable::{Timetable, rrule_with_start, zone_in_rrule};
pub use zone::Zone;
