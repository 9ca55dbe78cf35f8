use adjutant_mission::{Millis, Timestamp};
use proptest::prelude::*;

use super::Bucket;

const START: Timestamp = Timestamp(5_000);

#[test]
fn a_minutes_worth_at_once_then_one_by_one() {
    let mut bucket = Bucket::full(60, START);
    for _ in 0..60 {
        bucket.ready(1, START).unwrap();
        bucket.take(1);
    }
    let next = START.plus(Millis::seconds(1));
    assert_eq!(bucket.ready(1, START), Err(next));
    assert_eq!(bucket.ready(3, START), Err(START.plus(Millis::seconds(3))));
    assert_eq!(bucket.ready(1, next), Ok(()));
}

#[test]
fn more_than_a_minutes_worth_goes_through_a_full_bucket_and_is_paid_off() {
    let mut bucket = Bucket::full(60, START);
    bucket.ready(120, START).unwrap();
    bucket.take(120);
    assert_eq!(bucket.ready(1, START), Err(START.plus(Millis::seconds(61))));
}

#[test]
fn what_was_not_used_is_given_back() {
    let mut bucket = Bucket::full(100, START);
    bucket.take(100);
    bucket.give_back(70);
    assert_eq!(bucket.ready(70, START), Ok(()));
    assert!(bucket.ready(71, START).is_err());
    bucket.give_back(1_000);
    assert_eq!(bucket.ready(100, START), Ok(()));
}

#[test]
fn a_clock_that_goes_back_gives_nothing() {
    let mut bucket = Bucket::full(60, START);
    bucket.take(60);
    assert!(bucket.ready(1, Timestamp(0)).is_err());
    assert!(bucket.ready(1, START).is_err());
}

proptest! {
    /// Whoever comes again when told gets it; over any time no more goes out than a minute's worth and what time brought.
    #[test]
    fn the_instant_told_is_right(per_minute in 1u64..10_000, amounts in prop::collection::vec(1u64..500, 1..60)) {
        let mut bucket = Bucket::full(per_minute, START);
        let (mut now, mut taken) = (START, 0u128);
        for amount in amounts {
            let amount = amount.min(per_minute);
            if let Err(until) = bucket.ready(amount, now) {
                prop_assert!(until > now);
                prop_assert!(bucket.ready(amount, Timestamp(until.0 - 1)).is_err());
                now = until;
                prop_assert_eq!(bucket.ready(amount, now), Ok(()));
            }
            bucket.take(amount);
            taken += u128::from(amount);
            let brought = u128::from(now.since(START).0) * u128::from(per_minute);
            prop_assert!(taken * 60_000 <= brought + u128::from(per_minute) * 60_000);
        }
    }
}
