//! Figures as people read them.

use crate::figure::{Figure, Interval};
use crate::measure::{Target, Unit};

const SECOND: f64 = 1_000.0;
const MINUTE: f64 = 60.0 * SECOND;
const HOUR: f64 = 60.0 * MINUTE;
const DAY: f64 = 24.0 * HOUR;

/// The value with its unit; a dash if there is none.
pub fn value_in_words(figure: &Figure) -> String {
    match figure.value {
        Some(value) => with_unit(value, figure.unit),
        None => "–".to_owned(),
    }
}

/// `> 95 %`.
pub fn target_in_words(figure: &Figure) -> String {
    let Some(target) = figure.target else {
        return "–".to_owned();
    };
    match (target, figure.unit) {
        (Target::Within(limit), Unit::Distance) => format!("±{} %", trimmed(limit * 100.0, 0)),
        (Target::Above(limit), unit) => format!("> {}", limit_with_unit(limit, unit)),
        (Target::AtLeast(limit), unit) => format!("≥ {}", limit_with_unit(limit, unit)),
        (Target::Below(limit), unit) => format!("< {}", limit_with_unit(limit, unit)),
        (Target::Within(limit), unit) => format!("≤ {}", limit_with_unit(limit, unit)),
    }
}

/// What a figure rests on: `40 missions, 87–100 %`.
pub fn cases_in_words(figure: &Figure) -> String {
    if let Some(elsewhere) = figure.measure.measured_elsewhere() {
        return elsewhere.to_owned();
    }
    let case = figure.measure.case();
    let cases = match figure.cases {
        0 => return String::new(),
        1 => format!("1 {case}"),
        cases => match case
            .split_once(" to ")
            .or_else(|| case.split_once(" with "))
        {
            Some((noun, _)) => format!("{cases} {noun}s{}", &case[noun.len()..]),
            None => format!("{cases} {case}s"),
        },
    };
    match figure.interval {
        Some(interval) => format!("{cases}, {}", interval_in_words(interval)),
        None => cases,
    }
}

/// `88–99 %`.
fn interval_in_words(interval: Interval) -> String {
    let percent = |share: f64| trimmed(share * 100.0, 0);
    format!("{}–{} %", percent(interval.from), percent(interval.to))
}

fn with_unit(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Share | Unit::Percentage => match (value * 100.0).abs() {
            // 99.96 % must not read as all.
            share if share > 99.0 && share < 100.0 => {
                format!("{:.1} %", (value * 1000.0).floor() / 10.0)
            }
            share => format!("{} %", trimmed(share, 1)),
        },
        Unit::Milliseconds => duration_in_words(value),
        Unit::Stars => format!("{value:.1} of 5"),
        Unit::Dollars if value > 0.0 && value < 0.01 => format!("${}", trimmed(value, 4)),
        Unit::Dollars => format!("${value:.2}"),
        Unit::Ratio => format!("{:.2}", (value * 100.0).floor() / 100.0),
        Unit::Distance => format!("±{} %", trimmed(value * 100.0, 1)),
    }
}

fn limit_with_unit(limit: f64, unit: Unit) -> String {
    match unit {
        Unit::Stars => format!("{limit:.1}"),
        Unit::Ratio => trimmed(limit, 2),
        unit => with_unit(limit, unit),
    }
}

/// `41 s`, `2 min`, `3.4 h`, from milliseconds.
fn duration_in_words(millis: f64) -> String {
    let (value, unit) = match millis {
        _ if millis < SECOND => (millis, "ms"),
        _ if millis < 2.0 * MINUTE && millis % MINUTE != 0.0 => (millis / SECOND, "s"),
        _ if millis < 2.0 * HOUR => (millis / MINUTE, "min"),
        _ if millis < 2.0 * DAY => (millis / HOUR, "h"),
        _ => (millis / DAY, "days"),
    };
    let places = usize::from(value < 10.0);
    format!("{} {unit}", trimmed(value, places))
}

/// A number with at most so many places, without zeros at the end.
fn trimmed(value: f64, places: usize) -> String {
    let text = format!("{value:.places$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Measure;

    #[test]
    fn what_a_figure_rests_on_is_counted() {
        let words = |measure, part, cases| cases_in_words(&Figure::share(measure, part, cases));
        assert_eq!(words(Measure::Completion, 0, 0), "");
        assert_eq!(words(Measure::Completion, 1, 1), "1 mission");
        assert_eq!(words(Measure::InsightUsefulness, 1, 2), "2 marked insights");
        assert_eq!(words(Measure::Completion, 39, 40), "40 missions, 87–100 %");
        let tokens = Figure::value(Measure::TokenAdherence, Some(1.0), 7);
        assert_eq!(cases_in_words(&tokens), "7 questions to a model");
        let estimate = Figure::value(Measure::CostAgainstEstimate, Some(1.0), 7);
        assert_eq!(cases_in_words(&estimate), "7 missions with an estimate");
    }

    #[test]
    fn values_and_targets_read_as_the_targets_were_written() {
        let words = |measure, value| {
            let figure = Figure::value(measure, Some(value), 30);
            (value_in_words(&figure), target_in_words(&figure))
        };
        for (measure, value, expected, target) in [
            (Measure::Completion, 0.976, "97.6 %", "> 95 %"),
            (Measure::Completion, 0.9999, "99.9 %", "> 95 %"),
            (Measure::Completion, 1.0, "100 %", "> 95 %"),
            (Measure::ErrorRate, 0.0, "0 %", "< 1 %"),
            (Measure::ResponseTime, 41_000.0, "41 s", "< 2 min"),
            (Measure::EventLatency, 12.0, "12 ms", "< 200 ms"),
            (Measure::ToolSuccess, 0.5, "50 %", "> 99 %"),
            (Measure::ToolEfficiency, 0.8, "0.80", "> 0.8"),
            (Measure::CitationAccuracy, 0.91, "91 %", "> 90 %"),
            (Measure::Compliance, 0.995, "99.5 %", "≥ 100 %"),
            (Measure::Satisfaction, 4.25, "4.2 of 5", "> 4.0"),
            (Measure::InsightUsefulness, 0.81, "81 %", "> 80 %"),
            (Measure::Calibration, 0.042, "±4.2 %", "±10 %"),
            (Measure::Cost, 0.215, "$0.21", "< $0.50"),
            (Measure::Cost, 0.0004, "$0.0004", "< $0.50"),
            (Measure::TokenAdherence, 1.04, "104 %", "< 105 %"),
            (Measure::Duration, 5_400_000.0, "90 min", "–"),
        ] {
            assert_eq!(words(measure, value), (expected.into(), target.into()));
        }
    }
}
