//! What is due of a trigger, and how far it has come, without any clock or zone.

use adjutant_mission::*;

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;

fn trigger(missed: Missed) -> Trigger {
    Trigger {
        name: "every hour".into(),
        schedule: Schedule::Cron("@hourly".into()),
        zone: "UTC".into(),
        repeat_max: None,
        cancel_on: None,
        missed,
        target: TriggerTarget::InformMission {
            mission: MissionId::from_bits(7),
            topic: "tick".into(),
            trust: Trust::Trusted,
            body: Json::null(),
        },
        made_by: Actor::human(AgentId::new("ann").unwrap()),
        made_with: None,
        made_at: Timestamp(0),
    }
}

fn hourly(after: Timestamp) -> impl Iterator<Item = Timestamp> {
    let next = after.0.div_euclid(HOUR) + 1;
    (next..).map(|hour| Timestamp(hour * HOUR))
}

fn waiting_for(hour: i64) -> TriggerState {
    TriggerState {
        next_at: Some(Timestamp(hour * HOUR)),
        ..TriggerState::default()
    }
}

fn due(missed: Missed, next: i64, now: i64) -> Option<Due> {
    trigger(missed).due(&waiting_for(next), Timestamp(now), hourly)
}

fn at_hour(hour: i64) -> Option<Timestamp> {
    Some(Timestamp(hour * HOUR))
}

#[test]
fn nothing_is_due_before_its_time_and_one_fire_at_its_time() {
    for missed in [Missed::Skip, Missed::Once, Missed::All] {
        assert_eq!(due(missed, 10, 10 * HOUR - 1), None);
        let on_time = Due {
            fire: at_hour(10),
            passed_over: 0,
            next_at: at_hour(11),
        };
        assert_eq!(due(missed, 10, 10 * HOUR), Some(on_time));
        assert_eq!(due(missed, 10, 10 * HOUR + MINUTE), Some(on_time));
    }
}

#[test]
fn missed_fires_are_skipped_made_up_for_once_or_one_by_one() {
    let now = 15 * HOUR + 5 * MINUTE;
    let due = |missed| due(missed, 10, now).unwrap();
    let next_at = at_hour(16);
    assert_eq!(
        due(Missed::Skip),
        Due {
            fire: None,
            passed_over: 6,
            next_at
        }
    );
    assert_eq!(
        due(Missed::Once),
        Due {
            fire: at_hour(15),
            passed_over: 5,
            next_at
        }
    );
    let mut state = waiting_for(10);
    for hour in 10..=15 {
        let due = trigger(Missed::All).due(&state, Timestamp(now), hourly);
        let due = due.unwrap();
        assert_eq!((due.fire, due.passed_over), (at_hour(hour), 0));
        state.announce(Timestamp(now), due);
        state.note(Timestamp(now), Fired::Done, None);
    }
    assert_eq!((state.next_at, state.fired), (at_hour(16), 6));
}

#[test]
fn skipping_fires_what_is_on_time_all_the_same() {
    let due = due(Missed::Skip, 10, 15 * HOUR + 30_000).unwrap();
    assert_eq!((due.fire, due.passed_over), (at_hour(15), 5));
}

#[test]
fn only_so_many_are_made_up_for_and_the_oldest_are_passed_over() {
    let now = Timestamp(500 * HOUR);
    let mut state = waiting_for(1);
    let mut fires = Vec::new();
    while let Some(due) = trigger(Missed::All).due(&state, now, hourly) {
        fires.extend(due.fire);
        state.announce(now, due);
        state.note(now, Fired::Done, None);
    }
    assert_eq!(fires.len(), MADE_UP_MAX);
    assert_eq!(fires.first().copied(), at_hour(401));
    assert_eq!(fires.last().copied(), at_hour(500));
    assert_eq!((state.passed_over, state.fired), (400, 100));
}

#[test]
fn what_was_missed_too_long_ago_is_not_looked_at() {
    let years = 20 * 366 * 24;
    let due = due(Missed::Once, 1, years * HOUR).unwrap();
    assert_eq!(due.fire, at_hour(years));
    assert_eq!(due.passed_over, 366 * 24);
}

#[test]
fn rules_of_a_zone_that_have_changed_move_what_was_expected() {
    let state = TriggerState {
        next_at: Some(Timestamp(10 * HOUR - 30 * MINUTE)),
        ..TriggerState::default()
    };
    let now = Timestamp(10 * HOUR - 30 * MINUTE);
    let due = trigger(Missed::Once).due(&state, now, hourly).unwrap();
    assert_eq!((due.fire, due.next_at), (None, at_hour(10)));
}

#[test]
fn a_trigger_ends_after_so_many_fires_or_with_its_schedule() {
    let now = Timestamp(10 * HOUR);
    let mut state = waiting_for(10);
    let due = trigger(Missed::Once).due(&state, now, hourly).unwrap();
    state.announce(now, due);
    assert_eq!(state.wake_at(), Some(now), "announced, and not yet done");
    state.note(now, Fired::Done, Some(1));
    assert_eq!(state.ended, Some((now, TriggerEnd::RepeatReached)));
    assert_eq!(state.wake_at(), None);

    let mut state = waiting_for(10);
    let once = |_| [Timestamp(10 * HOUR)];
    let due = trigger(Missed::Once).due(&state, now, once).unwrap();
    state.announce(now, due);
    assert_eq!(state.ended, None);
    state.note(now, Fired::Done, Some(5));
    assert_eq!(state.ended, Some((now, TriggerEnd::NoMoreTimes)));

    let late = Timestamp(12 * HOUR);
    let mut state = waiting_for(10);
    let due = trigger(Missed::Skip).due(&state, late, once).unwrap();
    state.announce(late, due);
    assert_eq!((state.fired, state.passed_over), (0, 1));
    assert_eq!(state.ended, Some((late, TriggerEnd::NoMoreTimes)));
}

#[test]
fn a_refusal_that_passes_keeps_the_fire_and_another_lets_go_of_it() {
    let now = Timestamp(10 * HOUR);
    let problem = TriggerProblem {
        at: now,
        code: "ADJ-5006".into(),
        message: "no room".into(),
    };
    let mut state = waiting_for(10);
    let due = trigger(Missed::Once).due(&state, now, hourly).unwrap();
    state.announce(now, due);
    for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
        state.note(now, Fired::NotNow(problem.clone()), None);
        assert_eq!(state.wake_at(), Some(now.plus(Millis::seconds(seconds))));
    }
    state.note(now, Fired::Done, None);
    assert_eq!((state.fired, &state.last_problem), (1, &None));

    let mut state = waiting_for(10);
    state.announce(now, due);
    state.note(now, Fired::Refused(problem.clone()), None);
    assert_eq!((state.fired, state.wake_at()), (0, at_hour(11)));
    assert_eq!(state.last_problem, Some(problem));
}

#[test]
fn a_trigger_on_hold_fires_nothing_and_does_not_end_until_it_may_again() {
    let problem = |hour: i64| TriggerProblem {
        at: Timestamp(hour * HOUR),
        code: "ADJ-6173".into(),
        message: "revoked".into(),
    };
    let announced = |next_at| {
        let mut state = waiting_for(10);
        let due = Due {
            fire: at_hour(10),
            passed_over: 0,
            next_at,
        };
        state.announce(Timestamp(10 * HOUR), due);
        state.note(Timestamp(10 * HOUR), Fired::Held(problem(10)), None);
        state
    };
    let last = announced(None);
    assert_eq!((last.wake_at(), &last.ended), (None, &None));
    assert_eq!((last.fired, last.held), (0, Some(problem(10))));
    let mut state = announced(at_hour(11));
    assert_eq!(state.wake_at(), at_hour(11));
    let due = trigger(Missed::Once).due(&state, Timestamp(11 * HOUR), hourly);
    state.announce(Timestamp(11 * HOUR), due.unwrap());
    state.note(Timestamp(11 * HOUR), Fired::Done, None);
    assert_eq!((state.fired, state.held), (1, None));
}

#[test]
fn only_the_first_end_counts() {
    let mut state = waiting_for(10);
    let (first, second) = (Timestamp(1), Timestamp(2));
    state.end(first, TriggerEnd::NoMoreTimes);
    state.end(second, TriggerEnd::RepeatReached);
    assert_eq!(state.ended, Some((first, TriggerEnd::NoMoreTimes)));
}

#[test]
fn patterns() {
    for (pattern, fitting, other) in [
        ("done", &["done"][..], &["done.", "Done", ""][..]),
        ("done.*", &["done.", "done.today"], &["done", "undone.x"]),
        ("*", &["", "anything"], &[]),
        (
            "*.signed",
            &[".signed", "a.b.signed"],
            &["signed", "a.signed.b"],
        ),
        ("a*b*c", &["abc", "a-b-b-c", "abcc"], &["ac", "ab", "acb"]),
        ("ab*ba", &["abba", "ab-ba"], &["aba"]),
        ("*a*", &["a", "bab"], &["b"]),
        ("**", &["", "x"], &[]),
        ("ä*ö", &["äö", "äüö"], &["ä"]),
    ] {
        let pattern = TopicPattern::new(pattern).unwrap();
        for topic in fitting {
            assert!(pattern.fits(topic), "{pattern} and {topic}");
        }
        for topic in other {
            assert!(!pattern.fits(topic), "{pattern} and {topic}");
        }
    }
    assert!(TopicPattern::new("").is_err());
    assert!(TopicPattern::new("x".repeat(PATTERN_BYTES_MAX + 1)).is_err());
    assert!(serde_json::from_str::<TopicPattern>("\"\"").is_err());
}
