//! Every misbehaviour there is ends in a typed failure or an answer, in time, and never dearer than its bound.

use std::time::{Duration, Instant};

use adjutant_mission::Millis;
use adjutant_providers::{AskOptions, Models, Route};
use adjutant_questions::{Answer as Given, AskFailure, Unanswered};
use adjutant_stand_ins::models::{Answer, Misbehaviour, Reply, Server};
use tokio::task::JoinSet;

use crate::support::{KINDS, ONE, answer, ask, models, settings};

/// Long after every limit of time in the settings.
const HANG: Duration = Duration::from_secs(60);
/// As the settings say.
const IDLE: Millis = Millis::seconds(3);
const WHOLE: Millis = Millis::seconds(20);

/// A server that misbehaves, and a client that knows it. Making these takes long enough to be felt by whoever is timed.
async fn prepare(kind: &str, misbehaviour: Misbehaviour) -> (Server, Models) {
    let script = move |_: &_| Reply::Misbehave(misbehaviour, Answer::new(answer().to_string()));
    let server = Server::start(script).await.unwrap();
    let models = models(&settings(kind, &server.url(), "", ONE));
    (server, models)
}

async fn meet(
    kind: &str,
    misbehaviour: Misbehaviour,
    (_server, models): (Server, Models),
) -> Result<Given, Unanswered> {
    let ask = ask();
    let bound = models.bound(&Route::from(&ask), ask.limits).unwrap();
    let began = Instant::now();
    let asked = tokio::time::timeout(HANG, models.ask(&ask, AskOptions::default())).await;
    let ended = asked.unwrap_or_else(|_| panic!("{kind}: {misbehaviour:?} hangs"));
    let (tokens, cost) = match &ended {
        Ok(given) => (given.tokens, given.cost),
        Err(failed) => (failed.tokens, failed.cost),
    };
    assert!(
        cost <= bound.money,
        "{kind}: {misbehaviour:?} cost {cost} of {}",
        bound.money
    );
    assert!(tokens.total() <= bound.tokens, "{kind}: {misbehaviour:?}");
    assert!(began.elapsed() < HANG / 2, "{kind}: {misbehaviour:?}");
    ended
}

/// What each has to end in.
fn ends_well(kind: &str, misbehaviour: Misbehaviour, ended: &Result<Given, Unanswered>) -> bool {
    use Misbehaviour as M;
    let failure = ended.as_ref().map_err(|failed| &failed.failure);
    match misbehaviour {
        M::Slow | M::Fenced | M::NoUsage | M::NegativeUsage | M::HugeUsage => failure.is_ok(),
        M::Stall => matches!(failure, Err(AskFailure::TimedOut { limit, .. }) if *limit == IDLE),
        M::Silence => matches!(failure, Err(AskFailure::TimedOut { limit, .. }) if *limit == WHOLE),
        M::Truncated | M::HangUp | M::Reset | M::NotHttp | M::EndlessHeaders => {
            matches!(failure, Err(AskFailure::Unreachable { .. }))
        }
        M::TooManyRequests | M::TooManyRequestsForAnHour | M::Unavailable503 => {
            matches!(failure, Err(AskFailure::Busy { .. }))
        }
        M::Error500 => matches!(failure, Err(AskFailure::Trouble { status: 500, .. })),
        M::Overloaded529 => matches!(failure, Err(AskFailure::Trouble { status: 529, .. })),
        M::QuotaSpent => matches!(failure, Err(AskFailure::Rejected { status: 429, .. })),
        M::WrongKey => matches!(failure, Err(AskFailure::Rejected { status: 401, .. })),
        M::DuplicateFrames if kind == "openai" => {
            matches!(failure, Err(AskFailure::BadAnswer { .. }))
        }
        M::WrongContentType
        | M::WrongJson
        | M::NotUtf8
        | M::EndlessFrame
        | M::ErrorInStream
        | M::DuplicateFrames
        | M::OutOfOrder => matches!(failure, Err(AskFailure::Trouble { .. })),
        M::Prose | M::Unfit | M::Empty | M::ToolLoop | M::BrokenToolCall => {
            matches!(failure, Err(AskFailure::BadAnswer { .. }))
        }
        M::Refusal | M::ContentFilter => matches!(failure, Err(AskFailure::Declined { .. })),
        M::CutOff => matches!(failure, Err(AskFailure::CutOff { .. })),
        M::Endless => matches!(failure, Err(AskFailure::TooLarge { .. })),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_misbehaviour_ends_typed_in_time_and_within_its_bound() {
    let mut prepared = Vec::new();
    for kind in KINDS {
        for &misbehaviour in Misbehaviour::ALL {
            prepared.push((kind, misbehaviour, prepare(kind, misbehaviour).await));
        }
    }
    let mut meetings = JoinSet::new();
    for (kind, misbehaviour, parts) in prepared {
        meetings.spawn(async move {
            let ended = meet(kind, misbehaviour, parts).await;
            (kind, misbehaviour, ended)
        });
    }
    let mut wrong = Vec::new();
    while let Some(met) = meetings.join_next().await {
        let (kind, misbehaviour, ended) = met.unwrap();
        if !ends_well(kind, misbehaviour, &ended) {
            let ended = ended.map(|given| given.text);
            wrong.push(format!("{kind}: {misbehaviour:?}: {ended:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn a_server_that_recovers_is_asked_again() {
    for kind in KINDS {
        for misbehaviour in [
            Misbehaviour::Truncated,
            Misbehaviour::HangUp,
            Misbehaviour::Error500,
            Misbehaviour::Unavailable503,
            Misbehaviour::Overloaded529,
            Misbehaviour::TooManyRequests,
            Misbehaviour::ErrorInStream,
            Misbehaviour::WrongJson,
        ] {
            let proper = Answer::new(answer().to_string());
            let script = move |request: &adjutant_stand_ins::models::Received| match request.number
            {
                1 => Reply::Misbehave(misbehaviour, proper.clone()),
                _ => Reply::Answer(proper.clone()),
            };
            let server = Server::start(script).await.unwrap();
            let models = models(&settings(kind, &server.url(), "", ONE));
            let given = models.ask(&ask(), AskOptions::default()).await;
            let given = given.unwrap_or_else(|failed| panic!("{kind}: {misbehaviour:?}: {failed}"));
            assert_eq!(given.output.value(), answer());
            let keys = server.received();
            let keys: Vec<_> = keys
                .iter()
                .map(|at| at.headers.get("idempotency-key"))
                .collect();
            assert_eq!(keys.len(), 2);
            assert_eq!(keys[0], keys[1], "the same question under the same key");
        }
    }
}
