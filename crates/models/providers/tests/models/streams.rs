use std::sync::Arc;
use std::time::Duration;

use adjutant_providers::AskOptions;
use adjutant_stand_ins::models::{Answer, Reply, Server};
use tokio::task::JoinSet;

use crate::support::{ONE, answer, ask, models, settings};

const STREAMS: usize = 100;

/// The thousand are in `examples/many_streams.rs`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_streams_run_side_by_side() {
    let script = |_: &_| {
        let mut answer = Answer::new(answer().to_string());
        answer.delay = Duration::from_millis(5);
        Reply::Answer(answer)
    };
    let server = Server::start(script).await.unwrap();
    let more = format!("concurrency_max = {STREAMS}");
    let models = Arc::new(models(&settings("openai", &server.url(), &more, ONE)));
    let mut streams = JoinSet::new();
    for _ in 0..STREAMS {
        let models = Arc::clone(&models);
        streams.spawn(async move { models.ask(&ask(), AskOptions::default()).await });
    }
    while let Some(given) = streams.join_next().await {
        assert_eq!(given.unwrap().unwrap().output.value(), answer());
    }
}
