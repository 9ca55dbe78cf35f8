//! A streamed question with a schema to a real server, where one runs: `scripts/model-server` starts one.

use std::sync::Mutex;

use adjutant_ask::{AskFailure, Input, Purpose};
use adjutant_mission::{MicroUsd, Millis};
use adjutant_models::{AskOptions, Models, Progress};
use serde_json::json;

use crate::support::{ask, parts};

#[tokio::test]
#[expect(
    clippy::disallowed_methods,
    reason = "names the server to test against"
)]
async fn a_real_model_is_streamed_to_an_answer_or_a_typed_failure() {
    let Ok(url) = std::env::var("ADJUTANT_TEST_MODEL_URL") else {
        eprintln!(
            "skipped: ADJUTANT_TEST_MODEL_URL names no server; scripts/model-server starts one"
        );
        return;
    };
    let settings = format!(
        r#"
[providers.real]
kind = "compatible"
url = "{url}"
timeout = 900
idle_timeout = 300
[tiers]
worker = ["real/model"]
[prices."real/model"]
price = "free"
"#
    );
    let models = Models::new(parts(&settings)).unwrap();
    let mut ask = ask();
    ask.limits.time_max = Millis::seconds(900);
    ask.limits.output_tokens_max = 400;
    let question = json!({
        "objective": "Find out whether tea is safe for children.",
        "template": [
            { "key": "read", "title": "Read what is known" },
            { "key": "write", "title": "Write it up", "after": ["read"] },
        ],
    });
    ask.input = Input::read(Purpose::Plan, question).unwrap();
    let written = Mutex::new(String::new());
    let watcher = |progress: Progress<'_>| match progress {
        Progress::Text(text) => written.lock().unwrap().push_str(text),
        Progress::StartedOver => written.lock().unwrap().push_str("\n(again)\n"),
    };
    let options = AskOptions {
        watcher: Some(&watcher),
        tools: None,
    };
    let began = std::time::Instant::now();
    let given = models.ask(&ask, options).await;
    eprintln!("{:?}: {}", began.elapsed(), written.lock().unwrap());
    // A model of a hundred million parameters may well come to no end: then that is what has to be told.
    let (tokens, cost) = match given {
        Ok(given) => (given.tokens, given.cost),
        Err(failed) => {
            eprintln!("{failed}");
            let known = matches!(
                failed.failure,
                AskFailure::BadAnswer { .. } | AskFailure::CutOff { .. }
            );
            assert!(known, "{failed}");
            (failed.tokens, failed.cost)
        }
    };
    eprintln!("{tokens:?}");
    assert!(tokens.input > 0 && tokens.output > 0);
    assert_eq!(cost, MicroUsd::ZERO);
}
