//! A token bucket, without a clock of its own: so much per minute, and no more than a minute's worth at once.

use adjutant_mission::{Millis, Timestamp};

const MINUTE_MS: u128 = 60_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bucket {
    per_minute: u64,
    /// In units of one 60,000th, so that no millisecond's share is lost. Below zero after more was used than was taken.
    level: i128,
    at: Timestamp,
}

impl Bucket {
    pub(crate) fn full(per_minute: u64, now: Timestamp) -> Self {
        let mut bucket = Self {
            per_minute: per_minute.max(1),
            level: 0,
            at: now,
        };
        bucket.level = bucket.capacity();
        bucket
    }

    /// When `amount` can be taken: now, or at that instant. What is more than a minute's worth can be taken from a full
    /// bucket, and those after it wait the longer.
    pub(crate) fn ready(&mut self, amount: u64, now: Timestamp) -> Result<(), Timestamp> {
        self.fill(now);
        let wanted = units(amount).min(self.capacity());
        let missing = wanted - self.level;
        if missing <= 0 {
            return Ok(());
        }
        let missing = u128::try_from(missing).unwrap_or(0);
        let wait = missing.div_ceil(u128::from(self.per_minute));
        Err(now.plus(Millis(u64::try_from(wait).unwrap_or(u64::MAX))))
    }

    pub(crate) fn take(&mut self, amount: u64) {
        self.level = self.level.saturating_sub(units(amount));
    }

    /// Gives back what was taken and not used.
    pub(crate) fn give_back(&mut self, amount: u64) {
        self.level = self
            .level
            .saturating_add(units(amount))
            .min(self.capacity());
    }

    fn fill(&mut self, now: Timestamp) {
        let passed = now.since(self.at).0;
        self.at = self.at.max(now);
        let more = i128::from(passed) * i128::from(self.per_minute);
        self.level = (self.level + more).min(self.capacity());
    }

    fn capacity(&self) -> i128 {
        units(self.per_minute)
    }
}

fn units(amount: u64) -> i128 {
    i128::try_from(u128::from(amount) * MINUTE_MS).unwrap_or(i128::MAX)
}

#[cfg(test)]
#[path = "bucket_tests.rs"]
mod tests;
