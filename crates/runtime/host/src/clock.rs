//! The one place that reads the wall clock.
//!
//! **Invariant:** No other product code reads the wall clock; `clippy.toml` bans it.

use std::time::{SystemTime, UNIX_EPOCH};

use adjutant_mission::Timestamp;

/// Where a host gets the time from.
#[derive(Debug, Clone, Copy)]
pub struct Clock(fn() -> Timestamp);

impl Clock {
    #[expect(clippy::disallowed_methods, reason = "this is the place")]
    pub fn system() -> Self {
        Self(|| {
            let elapsed = SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .unwrap_or_default();
            Timestamp(i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX))
        })
    }

    /// A clock that shows what it is told to, for tests.
    pub fn reading(read: fn() -> Timestamp) -> Self {
        Self(read)
    }

    pub fn now(self) -> Timestamp {
        (self.0)()
    }
}
