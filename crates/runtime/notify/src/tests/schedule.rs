use super::*;

#[test]
fn tries_grow_apart_and_come_to_an_end_after_about_a_day() {
    let vain = Sent::not_now("no answer");
    let (mut progress, mut now) = (Progress::default(), NOW);
    let mut pauses = Vec::new();
    while !progress.is_settled() {
        progress = progress.after(now, &vain);
        if let State::Waiting { next_try_at, .. } = progress.state {
            pauses.push(next_try_at.since(now).0 / 1_000);
            now = next_try_at;
        }
    }
    assert_eq!(progress.tries, TRIES_MAX);
    assert_eq!(
        pauses,
        [10, 40, 160, 640, 2_560, 10_240, 21_600, 21_600, 21_600]
    );
    let State::GivenUp { at, why } = progress.state else {
        panic!("{progress:?}");
    };
    assert!((18..30).contains(&(at.since(NOW).0 / 3_600_000)));
    assert_eq!(why, "10 attempts failed; the last: no answer");
}

#[test]
fn a_wish_for_patience_is_granted_if_it_is_longer() {
    let wait = |seconds| {
        let sent = Sent::NotNow {
            why: String::new(),
            wait: Some(Millis::seconds(seconds)),
        };
        let progress = Progress::default().after(NOW, &sent);
        progress.next_try_at(NOW).since(NOW).0 / 1_000
    };
    assert_eq!((wait(3), wait(90)), (10, 90));
}

#[test]
fn what_will_never_work_is_given_up_at_once() {
    for sent in [Sent::refused("no"), Sent::Gone { why: "gone".into() }] {
        let progress = Progress::default().after(NOW, &sent);
        assert!(matches!(progress.state, State::GivenUp { .. }));
    }
}

#[test]
fn records_read_back() {
    let progress = Progress::default().after(NOW, &Sent::not_now("x".repeat(5_000)));
    let json = serde_json::to_string(&progress).unwrap();
    assert!(json.len() < 500);
    assert_eq!(serde_json::from_str::<Progress>(&json).unwrap(), progress);
}
