//! Values as they are written.

use adjutant_reader::{Unit, Value, values};

fn only(text: &str) -> Value {
    let mut found = values(text);
    assert_eq!(found.len(), 1, "{text}: {found:?}");
    found.remove(0).value
}

fn amount(low: f64, high: f64, unit: Unit) -> Value {
    Value::Amount { low, high, unit }
}

#[test]
fn amounts_have_their_unit() {
    let money = |sign: &str| Unit::Money(sign.to_owned());
    let time = |unit: &str| Unit::Time(unit.to_owned());
    let cases = [
        (
            "EUR 2.5 million",
            amount(2_500_000.0, 2_500_000.0, money("€")),
        ),
        ("€40", amount(40.0, 40.0, money("€"))),
        ("1,204 dollars", amount(1204.0, 1204.0, money("$"))),
        ("36.8 %", amount(36.8, 36.8, Unit::Percent)),
        ("99.95 per cent", amount(99.95, 99.95, Unit::Percent)),
        ("9-12 months", amount(9.0, 12.0, time("month"))),
        ("three working days", amount(3.0, 3.0, time("day"))),
        ("450 ms", amount(450.0, 450.0, time("millisecond"))),
    ];
    for (text, wanted) in cases {
        assert_eq!(only(text), wanted, "{text}");
    }
}

#[test]
fn dates_and_times_are_no_amounts() {
    for text in ["on 14 August 2031", "on 2031-08-14", "August 14, 2031"] {
        assert!(
            matches!(only(text), Value::Day(date) if date.iso() == "2031-08-14"),
            "{text}"
        );
    }
    assert_eq!(only("at 14:05"), Value::Clock(845));
    assert!(values("one of them").is_empty());
}
