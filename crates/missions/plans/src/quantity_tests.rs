use adjutant_mission::{MicroUsd, Millis};
use proptest::prelude::*;

use super::{duration, money};

#[test]
fn durations_are_exact() {
    for (text, millis) in [
        ("0", 0),
        ("0s", 0),
        ("500ms", 500),
        ("90s", 90_000),
        ("10m", 600_000),
        ("1h30m", 5_400_000),
        (" 1h 30 m ", 5_400_000),
        ("2d", 172_800_000),
        ("1.5s", 1_500),
        ("0.25h", 900_000),
        ("0.001s", 1),
        ("366d", 31_622_400_000),
        ("1d1h1m1s1ms", 90_061_001),
        ("007s", 7_000),
    ] {
        assert_eq!(duration(text), Ok(Millis(millis)), "{text}");
    }
    for text in [
        "",
        " ",
        "5",
        "s",
        "-1s",
        "1 year",
        "1h1h",
        "1m1h",
        "1.5",
        ".5s",
        "1.s",
        "1..5s",
        "0.0001s",
        "1e3s",
        "1s!",
        "366d1ms",
        "99999999999999999999d",
        "１s",
    ] {
        assert!(duration(text).is_err(), "{text}");
    }
}

#[test]
fn money_is_exact() {
    for (text, micros) in [
        ("0", 0),
        ("2", 2_000_000),
        ("$2.00", 2_000_000),
        ("$ 1.5", 1_500_000),
        ("1.50 usd", 1_500_000),
        ("1.50USD", 1_500_000),
        ("0.1", 100_000),
        ("0.000001", 1),
        ("0.10000000000", 100_000),
        ("1000000000", 1_000_000_000_000_000),
    ] {
        assert_eq!(money(text), Ok(MicroUsd(micros)), "{text}");
    }
    for text in [
        "",
        "$",
        "usd",
        "-1",
        "$-1",
        "1,50",
        "1.5 eur",
        "€1",
        "1e3",
        "0.0000001",
        ".5",
        "1.",
        "1000000001",
        "$1 usd",
        "NaN",
    ] {
        assert!(money(text).is_err(), "{text}");
    }
}

proptest! {
    #[test]
    fn what_is_shown_is_read_back(micros in 0u64..=1_000_000_000_000_000) {
        prop_assert_eq!(money(&MicroUsd(micros).to_string()), Ok(MicroUsd(micros)));
    }

    #[test]
    fn any_text_gets_an_answer(text in "\\PC{0,40}") {
        let _ = (duration(&text), money(&text));
    }
}
