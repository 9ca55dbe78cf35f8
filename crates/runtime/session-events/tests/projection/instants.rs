//! Instants as text.

use adjutant_mission::Timestamp;
use adjutant_session_events::rfc3339;
use proptest::prelude::*;

#[test]
fn instants_are_written_as_rfc_3339_does() {
    for (ms, text) in [
        (0, "1970-01-01T00:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
        (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        (1_794_812_400_007, "2026-11-16T07:00:00.007Z"),
        (i64::MAX, "9999-12-31T23:59:59.999Z"),
        (i64::MIN, "0000-01-01T00:00:00.000Z"),
    ] {
        assert_eq!(rfc3339(Timestamp(ms)), text);
    }
}

proptest! {
    #[test]
    fn later_instants_are_later_in_writing(one in -62_000_000_000_000_i64..253_000_000_000_000, by in 1_i64..1_000_000_000_000) {
        prop_assert!(rfc3339(Timestamp(one)) < rfc3339(Timestamp(one + by)));
    }
}
