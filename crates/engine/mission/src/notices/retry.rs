//! How far a channel is with a notice, and when it tries again. This is what records keep.

use alloc::format;
use alloc::string::String;

use crate::{Millis, Timestamp};
use serde::{Deserialize, Serialize};

use crate::notices::Subject;

/// How one try ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sent {
    Delivered {
        /// What the other side said.
        said: String,
    },
    /// It may work later: nobody answered, or the other side asked for patience.
    NotNow { why: String, wait: Option<Millis> },
    /// It will not work however often it is tried.
    Refused { why: String },
    /// Nothing will work on this channel any more.
    Gone { why: String },
}

impl Sent {
    pub fn not_now(why: impl Into<String>) -> Self {
        Self::NotNow {
            why: why.into(),
            wait: None,
        }
    }

    pub fn refused(why: impl Into<String>) -> Self {
        Self::Refused { why: why.into() }
    }
}

/// Tries before a notice is given up: about a day, by the pauses below.
pub const TRIES_MAX: u16 = 10;

const PAUSE_FIRST: Millis = Millis::seconds(10);
const PAUSE_MAX: Millis = Millis::hours(6);
/// Each pause is so many times the one before.
const PAUSE_GROWS: u64 = 4;
/// Events are decided a little before they are durable, so that they need not come in the order of their times.
const LATE_MAX: Millis = Millis::hours(1);
/// Longest text that is kept of what went wrong, in characters.
const WHY_CHARS_MAX: usize = 300;

/// How long to wait after so many tries; none when there were enough.
pub fn pause_after(tries: u16) -> Option<Millis> {
    if tries >= TRIES_MAX {
        return None;
    }
    let grown = PAUSE_GROWS.saturating_pow(u32::from(tries.saturating_sub(1)));
    Some(Millis(PAUSE_FIRST.0.saturating_mul(grown)).min(PAUSE_MAX))
}

/// One channel's progress with one notice.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    pub tries: u16,
    pub state: State,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum State {
    /// Not tried yet.
    #[default]
    Owed,
    /// Tried in vain, and to be tried again.
    Waiting {
        next_try_at: Timestamp,
        why: String,
    },
    Delivered {
        at: Timestamp,
    },
    /// Not tried any more.
    GivenUp {
        at: Timestamp,
        why: String,
    },
}

impl Progress {
    /// What follows from a try that ended at `now`.
    #[must_use]
    pub fn after(&self, now: Timestamp, sent: &Sent) -> Self {
        let tries = self.tries.saturating_add(1);
        let state = match sent {
            Sent::Delivered { .. } => State::Delivered { at: now },
            Sent::Refused { why } | Sent::Gone { why } => State::GivenUp {
                at: now,
                why: short(why),
            },
            Sent::NotNow { why, wait } => match pause_after(tries) {
                Some(pause) => State::Waiting {
                    next_try_at: now.plus(pause.max(wait.unwrap_or(Millis::ZERO))),
                    why: short(why),
                },
                None => State::GivenUp {
                    at: now,
                    why: format!("{tries} attempts failed; the last: {}", short(why)),
                },
            },
        };
        Self { tries, state }
    }

    /// How far a notice is that is to be told, by what is kept of it; none if it is settled.
    pub fn still_owed(kept: Option<&Self>, subject: Subject, look: Look) -> Option<Self> {
        let Some(kept) = kept else {
            return Some(Self::default());
        };
        let asks = matches!(subject, Subject::Checkpoint(_));
        match kept.state {
            State::Owed | State::Waiting { .. } => Some(kept.clone()),
            State::GivenUp { .. } if asks && look == Look::First => Some(Self::default()),
            State::GivenUp { .. } | State::Delivered { .. } => None,
        }
    }

    /// Whether there is nothing more to do.
    pub fn is_settled(&self) -> bool {
        matches!(self.state, State::Delivered { .. } | State::GivenUp { .. })
    }

    /// The earliest instant of the next try.
    pub fn next_try_at(&self, now: Timestamp) -> Timestamp {
        match self.state {
            State::Waiting { next_try_at, .. } => next_try_at,
            _ => now,
        }
    }
}

fn short(why: &str) -> String {
    why.chars().take(WHY_CHARS_MAX).collect()
}

/// Whether a host has looked at what is owed before. A question that was given up is tried again by one that has not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    First,
    Again,
}

/// How far a channel has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChannelState {
    pub since: Timestamp,
    /// Endings up to here are settled, and need no second look.
    pub endings_until: Timestamp,
    /// What the other side said when it wanted no more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gone: Option<String>,
}

impl ChannelState {
    /// What ended before a channel was there is not told.
    pub fn begun(now: Timestamp) -> Self {
        Self {
            since: now,
            endings_until: now,
            gone: None,
        }
    }
    /// Whether an ending is settled by its time alone.
    pub fn is_past(&self, ending: Timestamp) -> bool {
        ending <= self.endings_until
    }

    /// Further on, if endings are settled up to a later time. `owed` is the time of the oldest that is not.
    pub fn moved_on(&self, now: Timestamp, owed: Option<Timestamp>) -> Option<Self> {
        let late = Timestamp(now.0.saturating_sub_unsigned(LATE_MAX.0));
        let until = owed.map_or(late, |oldest| late.min(Timestamp(oldest.0 - 1)));
        (until > self.endings_until).then(|| Self {
            endings_until: until,
            ..self.clone()
        })
    }
}
