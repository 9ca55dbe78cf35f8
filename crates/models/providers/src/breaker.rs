//! A circuit breaker, without a clock of its own: after some failures in a row a provider is left alone for a while,
//! then one question tries whether it is back.

use adjutant_mission::{Millis, Timestamp};

/// Failures in a row that open it.
pub(crate) const FAILURES_MAX: u32 = 5;
/// How long it stays open the first time; twice as long each time the try fails, up to the maximum.
pub(crate) const OPEN_FOR: Millis = Millis::seconds(15);
pub(crate) const OPEN_FOR_MAX: Millis = Millis::seconds(300);
/// A question that tries and never reports back (its task was dropped) holds the others up no longer than this.
pub(crate) const TRIAL_MAX: Millis = Millis::seconds(60);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Breaker {
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Closed {
        failures: u32,
    },
    Open {
        until: Timestamp,
        open_for: Millis,
    },
    HalfOpen {
        trial_until: Timestamp,
        open_for: Millis,
    },
}

impl Breaker {
    pub(crate) fn new() -> Self {
        Self {
            state: State::Closed { failures: 0 },
        }
    }

    /// Whether a question may go out; if not, from when on.
    pub(crate) fn admit(&mut self, now: Timestamp) -> Result<(), Timestamp> {
        let (until, open_for) = match self.state {
            State::Closed { .. } => return Ok(()),
            State::Open { until, open_for } => (until, open_for),
            State::HalfOpen {
                trial_until,
                open_for,
            } => (trial_until, open_for),
        };
        if now < until {
            return Err(until);
        }
        self.state = State::HalfOpen {
            trial_until: now.plus(TRIAL_MAX),
            open_for,
        };
        Ok(())
    }

    pub(crate) fn succeeded(&mut self) {
        self.state = State::Closed { failures: 0 };
    }

    pub(crate) fn failed(&mut self, now: Timestamp) {
        self.state = match self.state {
            State::Closed { failures } if failures + 1 < FAILURES_MAX => State::Closed {
                failures: failures + 1,
            },
            State::Closed { .. } => State::Open {
                until: now.plus(OPEN_FOR),
                open_for: OPEN_FOR,
            },
            State::HalfOpen { open_for, .. } => {
                let open_for = Millis(open_for.0.saturating_mul(2)).min(OPEN_FOR_MAX);
                State::Open {
                    until: now.plus(open_for),
                    open_for,
                }
            }
            // Sent before it opened, failed after: that says nothing new.
            open @ State::Open { .. } => open,
        };
    }
}

#[cfg(test)]
#[path = "breaker_tests.rs"]
mod tests;
