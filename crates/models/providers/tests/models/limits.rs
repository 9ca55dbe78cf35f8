use std::sync::Arc;

use adjutant_mission::{MicroUsd, Millis};
use adjutant_providers::{AskOptions, Route};
use adjutant_questions::AskFailure;
use adjutant_stand_ins::models::{Answer, Misbehaviour, Reply, Server};

use crate::support::{ONE, answer, ask, models, parts, settings};

fn proper() -> Reply {
    Reply::Answer(Answer::new(answer().to_string()))
}

#[tokio::test]
async fn over_its_rate_a_question_is_told_when_to_come_back() {
    for more in ["requests_per_minute = 1", "tokens_per_minute = 100"] {
        let server = Server::start(|_| proper()).await.unwrap();
        let parts = parts(&settings("openai", &server.url(), more, ONE));
        let clock = parts.clock.clone();
        let models = adjutant_providers::Models::new(parts).unwrap();
        models.ask(&ask(), AskOptions::default()).await.unwrap();
        let failed = models.ask(&ask(), AskOptions::default()).await.unwrap_err();
        let AskFailure::Busy { until, .. } = failed.failure else {
            panic!("{failed}");
        };
        let wait = until.since(clock());
        assert!(wait > Millis::seconds(30), "{more}: {wait}");
        assert_eq!(failed.cost, MicroUsd::ZERO);
        assert_eq!(server.received().len(), 1);
    }
}

#[tokio::test]
async fn a_provider_that_keeps_failing_is_left_alone() {
    let server = Server::start(|_| Reply::Misbehave(Misbehaviour::Error500, Answer::new("")));
    let server = server.await.unwrap();
    let models = models(&settings("openai", &server.url(), "", ONE));
    let mut last = None;
    for _ in 0..3 {
        let failed = models.ask(&ask(), AskOptions::default()).await.unwrap_err();
        last = Some(failed.failure);
    }
    assert!(matches!(last, Some(AskFailure::Busy { .. })), "{last:?}");
    assert_eq!(server.received().len(), 5, "as many as open the circuit");
}

#[tokio::test]
async fn a_wait_that_a_provider_asks_for_holds_for_the_next_question_too() {
    let script = |_: &_| Reply::Misbehave(Misbehaviour::TooManyRequestsForAnHour, Answer::new(""));
    let server = Server::start(script).await.unwrap();
    let models = models(&settings("anthropic", &server.url(), "", ONE));
    for _ in 0..2 {
        let failed = models.ask(&ask(), AskOptions::default()).await.unwrap_err();
        assert!(
            matches!(failed.failure, AskFailure::Busy { .. }),
            "{failed}"
        );
    }
    assert_eq!(server.received().len(), 1);
}

#[tokio::test]
async fn a_bound_counts_every_model_of_the_chain() {
    let ask = ask();
    let bound = |chain: &str| {
        let models = models(&settings("openai", "http://127.0.0.1:9", "", chain));
        models.bound(&Route::from(&ask), ask.limits).unwrap()
    };
    let one = bound(ONE);
    let two = bound(r#"["p/m", "p/m", "offline"]"#);
    assert_eq!(two.money.0, 2 * one.money.0);
    assert_eq!(two.tokens, 2 * one.tokens);
    // Three requests of at least 4,000 tokens in at 3.75 and 1,000 out at 15 micro-dollars.
    assert!(
        one.money.0 >= 3 * (4_000 * 375 / 100 + 1_000 * 15),
        "{}",
        one.money
    );
    assert!(
        one.money.0 <= 3 * (12_000 * 375 / 100 + 1_000 * 15),
        "{}",
        one.money
    );
}

#[tokio::test]
async fn no_more_questions_run_at_once_than_are_allowed() {
    let arrived = Arc::new(tokio::sync::Notify::new());
    let told = Arc::clone(&arrived);
    let script = move |_: &_| {
        told.notify_one();
        Reply::Misbehave(Misbehaviour::Silence, Answer::new(""))
    };
    let server = Server::start(script).await.unwrap();
    let models = models(&settings(
        "openai",
        &server.url(),
        "concurrency_max = 1",
        ONE,
    ));
    let (first_ask, mut second_ask) = (ask(), ask());
    second_ask.limits.time_max = Millis(100);
    let second = async {
        arrived.notified().await;
        models.ask(&second_ask, AskOptions::default()).await
    };
    let first = models.ask(&first_ask, AskOptions::default());
    let (first, second) = tokio::join!(first, second);
    assert!(matches!(
        first.unwrap_err().failure,
        AskFailure::TimedOut { .. }
    ));
    assert!(matches!(
        second.unwrap_err().failure,
        AskFailure::Busy { .. }
    ));
    assert_eq!(server.received().len(), 1);
}

#[tokio::test]
async fn when_its_time_is_up_a_question_can_still_be_answered_offline() {
    let script = |_: &_| Reply::Misbehave(Misbehaviour::Silence, Answer::new(""));
    let server = Server::start(script).await.unwrap();
    let chain = r#"["p/m", "p/m", "offline"]"#;
    let models = models(&settings("anthropic", &server.url(), "", chain));
    let mut ask = ask();
    // Enough to make the client and connect on a busy machine, which comes before the first question is sent.
    ask.limits.time_max = Millis::seconds(3);
    let given = models.ask(&ask, AskOptions::default()).await.unwrap();
    assert_eq!(given.provider, "offline");
    assert_eq!(
        server.received().len(),
        1,
        "no time was left for the second"
    );
    let bound = models.bound(&Route::from(&ask), ask.limits).unwrap();
    assert!(given.cost > MicroUsd::ZERO && given.cost <= bound.money);
}

/// What may have to be paid is repeated less often than what was turned away.
#[tokio::test]
async fn lost_answers_are_asked_for_again_only_so_often() {
    for (misbehaviour, sent) in [(Misbehaviour::Truncated, 3), (Misbehaviour::Error500, 4)] {
        let script = move |_: &_| Reply::Misbehave(misbehaviour, Answer::new(answer().to_string()));
        let server = Server::start(script).await.unwrap();
        let models = models(&settings("openai", &server.url(), "", ONE));
        let failed = models.ask(&ask(), AskOptions::default()).await.unwrap_err();
        assert_eq!(server.received().len(), sent, "{misbehaviour:?}");
        let paid = misbehaviour == Misbehaviour::Truncated;
        assert_eq!(failed.tokens.output, if paid { 3_000 } else { 0 });
    }
}
