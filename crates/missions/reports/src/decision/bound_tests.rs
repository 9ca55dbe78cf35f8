use super::{Side, bound, counted_when, edge, kind_of_measure, readings};

fn read(text: &str) -> (Side, f64, String) {
    let bound = bound(text).unwrap();
    (bound.side, bound.value, bound.unit)
}

#[test]
fn thresholds_in_words() {
    let cases = [
        (
            "effect of at least 5 mmHg, lower bound at least 3 mmHg",
            Side::AtLeast,
            5.0,
            "mmhg",
        ),
        (
            "potassium above 6.0 mmol/L in no more than 3 % of patients",
            Side::AtMost,
            3.0,
            "%",
        ),
        (
            "at least eight years of protection",
            Side::AtLeast,
            8.0,
            "year",
        ),
        (
            "shelf life of 24 months and a validated process",
            Side::AtLeast,
            24.0,
            "month",
        ),
        (
            "cost of no more than EUR 60 million",
            Side::AtMost,
            60e6,
            "eur",
        ),
        ("no less than 70 %", Side::AtLeast, 70.0, "%"),
        ("dropout below 20 %", Side::AtMost, 20.0, "%"),
    ];
    for (text, side, value, unit) in cases {
        assert_eq!(read(text), (side, value, unit.to_owned()), "{text}");
    }
    assert_eq!(bound("written agreement with the agency"), None);
}

#[test]
fn what_is_counted_is_not_the_limit() {
    let counted = counted_when("potassium above 6.0 mmol/L in no more than 3 % of patients");
    assert_eq!(counted, Some(("6.0".to_owned(), 6.0)));
}

#[test]
fn values_of_a_unit_without_levels_of_confidence() {
    let values = |text: &str, unit: &str| -> Vec<f64> {
        readings(text, unit)
            .into_iter()
            .map(|at| at.value)
            .collect()
    };
    assert_eq!(values("by 7.3 mmHg (95% CI 4.0 to 10.6)", "mmhg"), [7.3]);
    assert_eq!(
        values("by 7.3 mmHg (95% CI 4.0 to 10.6)", "%"),
        Vec::<f64>::new()
    );
    assert_eq!(values("EUR 17.9 million (28 %) falls due", "%"), [28.0]);
    assert_eq!(values("EUR 17.9 million (28 %) falls due", "eur"), [17.9e6]);
    assert_eq!(values("little more than one year", "year"), [1.0]);
    let share = readings("4 of 106 in the report", "%");
    assert_eq!(share[0].share, Some((4.0, 106.0)));
}

#[test]
fn a_threshold_may_ask_for_the_interval_too() {
    let asked =
        edge("effect of at least 5 mmHg, lower bound of the confidence interval at least 3 mmHg");
    let asked = asked.unwrap();
    assert!(asked.lower && asked.bound.holds(3.0) && !asked.bound.holds(2.9));
    assert_eq!(edge("effect of at least 5 mmHg"), None);
    let low = |text: &str| readings(text, "mmhg").first().and_then(|at| asked.of(at));
    assert_eq!(low("by 7.3 mmHg (95% CI 4.0 to 10.6; p<0.0001)"), Some(4.0));
    assert_eq!(low("-7.3 mmHg (95% CI -10.6 to -4.0)"), Some(4.0));
    assert_eq!(low("-3.0 mmHg (95 % CI -6.4 to 0.4)"), Some(-0.4));
    assert_eq!(low("by almost 8 mmHg more than placebo"), None);
}

#[test]
fn what_somebody_had_to_be_above_is_no_value() {
    assert_eq!(
        readings("had a systolic pressure above 150 mmHg", "mmhg"),
        []
    );
}

#[test]
fn a_kind_of_measure_is_part_of_what_is_measured() {
    let kind = kind_of_measure("effect on 24-hour systolic pressure of at least 5 mmHg");
    assert_eq!(kind, Some(("24-hour".to_owned(), "systolic".to_owned())));
    assert_eq!(kind_of_measure("at least 5 mmHg"), None);
}
