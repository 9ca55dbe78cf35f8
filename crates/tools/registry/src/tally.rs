//! How often a tool was called, and what that cost, as far as its limits ask.

use std::collections::VecDeque;

use adjutant_mission::{MicroUsd, Timestamp};
use serde::{Deserialize, Serialize};

use crate::Limit;

const MINUTE_MS: i64 = 60_000;
const DAY_MS: i64 = 86_400_000;

/// The calls of one tool by one tenant: those of the day (UTC), and when those of the last minute were.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    day: i64,
    calls: u32,
    money: MicroUsd,
    recent: VecDeque<i64>,
}

/// Why a call has to wait, or is not made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OverLimit {
    /// There will be room at this instant.
    Wait { until: Timestamp },
    /// Not on this day.
    Spent { told: String },
}

impl Tally {
    /// Counts one call before it is made, unless a limit says no: then nothing is counted.
    pub fn take(
        &mut self,
        now: Timestamp,
        limit: &Limit,
        price: MicroUsd,
    ) -> Result<(), OverLimit> {
        let day = now.0.div_euclid(DAY_MS);
        if day != self.day {
            (self.day, self.calls, self.money) = (day, 0, MicroUsd::ZERO);
        }
        let spent = |told: String| Err(OverLimit::Spent { told });
        if let Some(most) = limit.per_day
            && self.calls >= most
        {
            return spent(format!("it may be called {most} times a day"));
        }
        let money = MicroUsd(self.money.0.saturating_add(price.0));
        if let Some(most) = limit.money_per_day
            && money > most
        {
            return spent(format!("it may cost {most} a day"));
        }
        if let Some(most) = limit.per_minute {
            while self
                .recent
                .front()
                .is_some_and(|at| now.0 - at >= MINUTE_MS)
            {
                self.recent.pop_front();
            }
            let most = most.max(1) as usize;
            if self.recent.len() >= most {
                let oldest = self.recent[self.recent.len() - most];
                let until = Timestamp(oldest + MINUTE_MS);
                return Err(OverLimit::Wait { until });
            }
            self.recent.push_back(now.0);
        }
        self.calls = self.calls.saturating_add(1);
        self.money = money;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: Timestamp = Timestamp(1_750_075_200_000);
    const CENT: MicroUsd = MicroUsd(10_000);

    fn after(seconds: i64) -> Timestamp {
        Timestamp(NOON.0 + 1_000 * seconds)
    }

    #[test]
    fn a_minute_holds_so_many_calls_wherever_it_begins() {
        let limit = Limit {
            per_minute: Some(2),
            ..Limit::default()
        };
        let mut tally = Tally::default();
        assert_eq!(tally.take(after(0), &limit, CENT), Ok(()));
        assert_eq!(tally.take(after(50), &limit, CENT), Ok(()));
        let until = after(60);
        assert_eq!(
            tally.take(after(55), &limit, CENT),
            Err(OverLimit::Wait { until })
        );
        assert_eq!(tally.take(after(60), &limit, CENT), Ok(()));
        let until = after(110);
        assert_eq!(
            tally.take(after(61), &limit, CENT),
            Err(OverLimit::Wait { until })
        );
        // What had to wait was not counted.
        assert_eq!(tally.calls, 3);
    }

    #[test]
    fn a_day_holds_so_many_calls_and_so_much_money() {
        let mut tally = Tally::default();
        let calls = Limit {
            per_day: Some(2),
            ..Limit::default()
        };
        assert_eq!(tally.take(NOON, &calls, CENT), Ok(()));
        assert_eq!(tally.take(NOON, &calls, CENT), Ok(()));
        let told = "it may be called 2 times a day".to_owned();
        assert_eq!(
            tally.take(NOON, &calls, CENT),
            Err(OverLimit::Spent { told })
        );
        let money = Limit {
            money_per_day: Some(MicroUsd(25_000)),
            ..Limit::default()
        };
        let Err(OverLimit::Spent { told }) = tally.take(NOON, &money, CENT) else {
            panic!("three cents are more than two and a half");
        };
        assert_eq!(told, format!("it may cost {} a day", MicroUsd(25_000)));
        assert_eq!(tally.take(after(86_400), &money, CENT), Ok(()));
        assert_eq!((tally.calls, tally.money), (1, CENT));
    }

    #[test]
    fn the_clock_may_go_back() {
        let limit = Limit {
            per_minute: Some(1),
            per_day: Some(5),
            ..Limit::default()
        };
        let mut tally = Tally::default();
        assert_eq!(tally.take(after(100), &limit, CENT), Ok(()));
        assert!(tally.take(after(50), &limit, CENT).is_err());
        assert_eq!(tally.take(after(160), &limit, CENT), Ok(()));
    }
}
