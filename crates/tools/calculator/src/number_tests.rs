use rust_decimal::dec;

use crate::maths::{cube_root, exponential, logarithm, power};
use crate::{Number, Refusal};

fn read(json: &str) -> Result<Number, serde_json::Error> {
    serde_json::from_str(json)
}

#[test]
fn numbers_are_read_as_they_are_written() {
    for (json, exact) in [
        ("0.1", dec!(0.1)),
        ("12", dec!(12)),
        ("-3.25", dec!(-3.25)),
        ("1e-7", dec!(0.0000001)),
        ("1.5E+3", dec!(1500)),
        ("\"0.30\"", dec!(0.30)),
        ("\" 7 \"", dec!(7)),
        ("\"1.5e3\"", dec!(1500)),
        ("\"1.5E+3\"", dec!(1500)),
        (
            "\"1234567890123456789.012345678\"",
            dec!(1234567890123456789.012345678),
        ),
        ("18446744073709551615", dec!(18446744073709551615)),
    ] {
        assert_eq!(read(json).ok(), Some(exact.into()), "{json}");
    }
}

#[test]
fn what_is_no_decimal_is_refused() {
    for json in [
        "true", "null", "\"\"", "\"abc\"", "\"1,5\"", "\"NaN\"", "\"1e99\"", "1e300", "\"1e\"",
        "[1]",
    ] {
        assert!(read(json).is_err(), "{json}");
    }
}

#[test]
fn what_overflows_stays_no_number() {
    let huge = Number::from(i64::MAX) * i64::MAX;
    assert_eq!((huge - huge).decimal(), Err(Refusal::Overflow));
    assert_eq!((Number::ONE / 0).decimal(), Err(Refusal::Overflow));
}

#[test]
fn powers_and_logarithms_hold_twenty_digits() {
    let near = |given: Number, known: rust_decimal::Decimal| {
        let away = (given - known).abs();
        assert!(
            away < Number::from(dec!(0.0000000000000000001)),
            "{given:?}, not {known}"
        );
    };
    near(exponential(1.into()), dec!(2.7182818284590452354));
    near(exponential((-5).into()), dec!(0.0067379469990854670966));
    near(logarithm(10.into()), dec!(2.3025850929940456840));
    near(logarithm(dec!(0.001).into()), dec!(-6.9077552789821370521));
    near(power(2.into(), dec!(0.5)), dec!(1.4142135623730950488));
    assert_eq!(power(10.into(), -3), dec!(0.001).into());
    assert_eq!(power(0.into(), dec!(0.5)), Number::ZERO);
    assert_eq!(cube_root(27.into()), 3.into());
    assert_eq!(logarithm((-1).into()).decimal(), Err(Refusal::Overflow));
}
