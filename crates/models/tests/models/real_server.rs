//! A streamed question with a schema to a real server, where one runs: `scripts/model-server` starts one.

use adjutant_mission::{MicroUsd, Millis};
use adjutant_models::{AskOptions, Models};

use crate::support::{ask, parts};

#[tokio::test]
#[expect(
    clippy::disallowed_methods,
    reason = "names the server to test against"
)]
async fn a_real_model_answers_by_the_schema() {
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
    ask.limits.output_tokens_max = 200;
    let began = std::time::Instant::now();
    // A model of a hundred million parameters may well quote wrongly: then that is what has to come out.
    match models.ask(&ask, AskOptions::default()).await {
        Ok(given) => {
            eprintln!("{:?}: {}\n{:?}", began.elapsed(), given.text, given.tokens);
            assert!(given.tokens.input > 0 && given.tokens.output > 0);
            assert_eq!(given.cost, MicroUsd::ZERO);
        }
        Err(failed) => {
            eprintln!("{:?}: {failed}\n{:?}", began.elapsed(), failed.tokens);
            assert!(failed.tokens.input > 0 && failed.tokens.output > 0);
            assert!(
                matches!(
                    failed.failure,
                    adjutant_ask::AskFailure::BadAnswer { .. }
                        | adjutant_ask::AskFailure::CutOff { .. }
                ),
                "{failed}"
            );
        }
    }
}
