use adjutant_mission::{Millis, Timestamp};

use super::{Breaker, FAILURES_MAX, OPEN_FOR, OPEN_FOR_MAX, TRIAL_MAX};

const START: Timestamp = Timestamp(1_000);

fn opened() -> Breaker {
    let mut breaker = Breaker::new();
    for _ in 0..FAILURES_MAX {
        breaker.admit(START).unwrap();
        breaker.failed(START);
    }
    breaker
}

#[test]
fn failures_in_a_row_open_it_and_a_success_between_them_does_not() {
    let mut breaker = Breaker::new();
    for _ in 0..FAILURES_MAX * 3 {
        breaker.failed(START);
        breaker.succeeded();
    }
    assert_eq!(breaker.admit(START), Ok(()));
    assert_eq!(opened().admit(START), Err(START.plus(OPEN_FOR)));
}

#[test]
fn one_question_tries_whether_it_is_back() {
    let mut breaker = opened();
    let later = START.plus(OPEN_FOR);
    assert_eq!(breaker.admit(Timestamp(later.0 - 1)), Err(later));
    assert_eq!(breaker.admit(later), Ok(()));
    assert_eq!(breaker.admit(later), Err(later.plus(TRIAL_MAX)));
    breaker.succeeded();
    assert_eq!(breaker.admit(later), Ok(()));
    assert_eq!(breaker.admit(later), Ok(()));
}

#[test]
fn each_failed_try_doubles_the_rest_up_to_a_limit() {
    let mut breaker = opened();
    let mut now = START.plus(OPEN_FOR);
    let mut rest = OPEN_FOR;
    for _ in 0..10 {
        breaker.admit(now).unwrap();
        breaker.failed(now);
        rest = Millis(rest.0 * 2).min(OPEN_FOR_MAX);
        assert_eq!(breaker.admit(now), Err(now.plus(rest)));
        now = now.plus(rest);
    }
    assert_eq!(rest, OPEN_FOR_MAX);
}

#[test]
fn a_try_that_never_reports_back_is_not_waited_for_for_ever() {
    let mut breaker = opened();
    let later = START.plus(OPEN_FOR);
    breaker.admit(later).unwrap();
    assert_eq!(breaker.admit(later.plus(TRIAL_MAX)), Ok(()));
}

#[test]
fn a_late_failure_does_not_prolong_the_rest() {
    let mut breaker = opened();
    breaker.failed(START.plus(Millis(5)));
    assert_eq!(breaker.admit(START), Err(START.plus(OPEN_FOR)));
}
