//! Quantities with their unit in the type. Integers only: where something is decided, no float.

use core::fmt;
use serde::{Deserialize, Serialize};

/// Money in millionths of a US dollar.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MicroUsd(pub u64);

impl MicroUsd {
    pub const ZERO: Self = Self(0);
}

impl fmt::Display for MicroUsd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, micro) = (self.0 / 1_000_000, self.0 % 1_000_000);
        if micro % 10_000 == 0 {
            write!(f, "${whole}.{:02}", micro / 10_000)
        } else {
            write!(f, "${whole}.{micro:06}")
        }
    }
}

/// A share in parts per million: confidence, progress, weights.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ppm(pub u32);

/// An instant: milliseconds since the Unix epoch, UTC.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// Before every other time: whatever is due then is due at once, whichever clock is asked.
    pub const DUE_NOW: Self = Self(0);

    /// The instant `by` later, clamped at the end of time.
    #[must_use]
    pub fn plus(self, by: Millis) -> Self {
        Self(
            self.0
                .saturating_add(i64::try_from(by.0).unwrap_or(i64::MAX)),
        )
    }

    /// How long after `earlier` this is; zero when it is not.
    pub fn since(self, earlier: Self) -> Millis {
        Millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
}

/// A span of time in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Millis(pub u64);

impl Millis {
    pub const ZERO: Self = Self(0);

    pub const fn seconds(n: u64) -> Self {
        Self(n.saturating_mul(1_000))
    }

    pub const fn hours(n: u64) -> Self {
        Self(n.saturating_mul(3_600_000))
    }
}

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0 / 1_000;
        match self.0 {
            0..=999 => write!(f, "{} ms", self.0),
            1_000..=59_999 => write!(f, "{seconds}.{} s", self.0 % 1_000 / 100),
            60_000..=3_599_999 => write!(f, "{} min {} s", seconds / 60, seconds % 60),
            _ => write!(f, "{} h {} min", seconds / 3_600, seconds % 3_600 / 60),
        }
    }
}
