//! One figure: a value, how many cases it rests on, and what that says about its target.

use serde::{Deserialize, Serialize};

use crate::measure::{Measure, Target, Unit};

/// With fewer cases than this a figure is shown and not held against its target.
pub const CASES_MIN: u64 = 5;
/// With fewer cases than this the 95th percentile is the largest value.
pub const PERCENTILE_CASES_MIN: u64 = 20;
/// Of the standard normal distribution, for an interval that holds in 95 % of cases.
const Z: f64 = 1.959_963_985;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    pub measure: Measure,
    name: String,
    pub unit: Unit,
    /// Absent if there is no case.
    pub value: Option<f64>,
    /// How many missions, calls, ratings … it rests on.
    pub cases: u64,
    /// Where the share lies with a probability of 95 %, as far as so many cases can say.
    pub interval: Option<Interval>,
    pub target: Option<Target>,
    pub reading: Reading,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    pub from: f64,
    pub to: f64,
}

/// What a figure says about its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reading {
    Met,
    /// It is met, and with so few cases that may be chance.
    LikelyMet,
    LikelyMissed,
    Missed,
    TooFew,
    /// There is no case.
    NoCases,
    NoTarget,
}

impl Reading {
    pub fn words(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::LikelyMet => "likely met",
            Self::LikelyMissed => "likely missed",
            Self::Missed => "missed",
            Self::TooFew => "too few",
            Self::NoCases => "no data",
            Self::NoTarget => "no target",
        }
    }
}

impl Figure {
    /// A share of cases.
    pub(crate) fn share(measure: Measure, part: u64, cases: u64) -> Self {
        let interval = (cases >= CASES_MIN).then(|| wilson(part, cases));
        let value = (cases > 0).then(|| part as f64 / cases as f64);
        Self::new(measure, value, cases, interval, CASES_MIN)
    }

    /// Any other value.
    pub(crate) fn value(measure: Measure, value: Option<f64>, cases: u64) -> Self {
        Self::new(measure, value, cases, None, CASES_MIN)
    }

    /// A percentile.
    pub(crate) fn percentile(measure: Measure, value: Option<f64>, cases: u64) -> Self {
        Self::new(measure, value, cases, None, PERCENTILE_CASES_MIN)
    }

    /// The same without a target, where it is of something that the target is not for.
    pub(crate) fn without_target(self) -> Self {
        let reading = match self.value {
            Some(_) => Reading::NoTarget,
            None => Reading::NoCases,
        };
        Self {
            target: None,
            reading,
            ..self
        }
    }

    fn new(
        measure: Measure,
        value: Option<f64>,
        cases: u64,
        interval: Option<Interval>,
        cases_min: u64,
    ) -> Self {
        let target = measure.target();
        let reading = match (value, target) {
            (None, _) => Reading::NoCases,
            (Some(_), None) => Reading::NoTarget,
            (Some(_), Some(_)) if cases < cases_min => Reading::TooFew,
            (Some(value), Some(target)) => reading_of(value, target, interval),
        };
        Self {
            measure,
            name: measure.name().to_owned(),
            unit: measure.unit(),
            value,
            cases,
            interval,
            target,
            reading,
        }
    }
}

fn reading_of(value: f64, target: Target, interval: Option<Interval>) -> Reading {
    let is_met = target.is_met(value);
    let is_sure = interval.is_none_or(|interval| {
        target.is_met(interval.from) == is_met && target.is_met(interval.to) == is_met
    });
    match (is_met, is_sure) {
        (true, true) => Reading::Met,
        (true, false) => Reading::LikelyMet,
        (false, false) => Reading::LikelyMissed,
        (false, true) => Reading::Missed,
    }
}

/// Wilson's interval of a share: it holds near 0 and 1, and for few cases.
fn wilson(part: u64, cases: u64) -> Interval {
    let (part, cases) = (part as f64, cases as f64);
    let share = part / cases;
    let square = Z * Z;
    let middle = share + square / (2.0 * cases);
    let half = Z * (share * (1.0 - share) / cases + square / (4.0 * cases * cases)).sqrt();
    let whole = 1.0 + square / cases;
    Interval {
        from: ((middle - half) / whole).clamp(0.0, share),
        to: ((middle + half) / whole).clamp(share, 1.0),
    }
}

/// The value that a share of all values does not pass, by nearest rank. The values are in order.
pub(crate) fn percentile(ordered: &[u64], share_percent: u64) -> Option<u64> {
    let count = ordered.len() as u64;
    let rank = (count * share_percent).div_ceil(100).max(1);
    ordered.get(usize::try_from(rank - 1).ok()?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_wilsons() {
        // Newcombe (1998), table I, method 3: 81/263, 15/148, 0/20, 1/29.
        for (part, cases, from, to) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let interval = wilson(part, cases);
            assert!((interval.from - from).abs() < 5e-5, "{part}/{cases}");
            assert!((interval.to - to).abs() < 5e-5, "{part}/{cases}");
        }
    }

    #[test]
    fn a_target_is_judged_only_by_enough_cases_and_by_what_they_can_say() {
        let reading = |part, cases| Figure::share(Measure::Completion, part, cases).reading;
        assert_eq!(reading(0, 0), Reading::NoCases);
        assert_eq!(reading(4, 4), Reading::TooFew);
        assert_eq!(reading(5, 5), Reading::LikelyMet);
        assert_eq!(reading(995, 1000), Reading::Met);
        assert_eq!(reading(19, 20), Reading::LikelyMissed, "95 % is not above");
        assert_eq!(reading(10, 20), Reading::Missed);
        let cost = |value| Figure::value(Measure::Cost, Some(value), 9).reading;
        assert_eq!(cost(0.5), Reading::Missed);
        assert_eq!(cost(0.499), Reading::Met);
        let calibration = |value| Figure::value(Measure::Calibration, Some(value), 9).reading;
        assert_eq!(calibration(0.1), Reading::Met);
        let waits = |cases| Figure::percentile(Measure::ResponseTime, Some(1.0), cases).reading;
        assert_eq!((waits(19), waits(20)), (Reading::TooFew, Reading::Met));
    }

    #[test]
    fn percentiles_are_values_that_occurred() {
        let values: Vec<u64> = (1..=20).collect();
        assert_eq!(percentile(&values, 95), Some(19));
        assert_eq!(percentile(&values, 50), Some(10));
        assert_eq!(percentile(&values[..1], 95), Some(1));
        assert_eq!(percentile(&[], 95), None);
    }
}
