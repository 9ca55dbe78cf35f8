//! A streamed question with a schema to a real server, where one runs: `scripts/model-server` starts one.
//!
//! A model of a hundred million parameters understands next to nothing. Held to a schema that is narrowed to the
//! question, it still names only what it was given, and comes to an end.

use std::collections::BTreeSet;
use std::sync::Mutex;

use adjutant_mission::{MicroUsd, Millis};
use adjutant_providers::{AskOptions, Models, Progress};
use adjutant_questions::{Answer, Input, Output, Purpose};
use serde_json::{Value, json};

use crate::support::{ask, parts};

#[tokio::test]
async fn a_real_model_scores_what_it_is_asked_to() {
    let question = json!({
        "items": [{ "name": "tea", "values": { "cost": 2 } }, { "name": "coffee", "values": { "cost": 5 } }],
        "criteria": [{ "name": "cost", "prefers": "less" }],
    });
    let Some(given) = asked(Purpose::Score, question).await else {
        return;
    };
    let Output::Score(scored) = given.output else {
        panic!("{:?}", given.output);
    };
    assert_eq!(scored.ranking.len(), 2);
    for ranked in scored.ranking {
        assert!(["tea", "coffee"].contains(&ranked.item.as_str()));
        assert_eq!(ranked.parts.len(), 1);
        assert_eq!(ranked.parts[0].criterion, "cost");
    }
}

#[tokio::test]
async fn a_real_model_plans_with_the_steps_it_is_given() {
    let question = json!({
        "objective": "Find out whether tea is safe for children.",
        "template": [
            { "key": "read", "title": "Read what is known" },
            { "key": "write", "title": "Write it up", "after": ["read"] },
        ],
    });
    let Some(given) = asked(Purpose::Plan, question).await else {
        return;
    };
    let Output::Plan(planned) = given.output else {
        panic!("{:?}", given.output);
    };
    let keys = planned.steps.iter().map(|step| step.key.as_str());
    let known = BTreeSet::from(["read", "write"]);
    assert!(keys.collect::<BTreeSet<_>>().is_subset(&known));
}

/// The answer, which there has to be; none if there is no server to ask.
#[expect(
    clippy::disallowed_methods,
    reason = "names the server to test against"
)]
async fn asked(purpose: Purpose, question: Value) -> Option<Answer> {
    let Ok(url) = std::env::var("ADJUTANT_TEST_MODEL_URL") else {
        eprintln!(
            "skipped: ADJUTANT_TEST_MODEL_URL names no server; scripts/model-server starts one"
        );
        return None;
    };
    // Without a temperature the server takes its own, which is none at all.
    let settings = format!(
        r#"
[providers.real]
kind = "compatible"
url = "{url}"
temperature = false
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
    ask.input = Input::read(purpose, question).unwrap();
    let pieces = Mutex::new(Vec::new());
    let watcher = |progress: Progress<'_>| {
        pieces.lock().unwrap().push(match progress {
            Progress::Text(text) => text.to_owned(),
            Progress::StartedOver => "\n(again)\n".to_owned(),
        });
    };
    let options = AskOptions {
        watcher: Some(&watcher),
        tools: None,
    };
    let given = models.ask(&ask, options).await;
    let pieces = pieces.into_inner().unwrap();
    eprintln!("{}", pieces.concat());
    let given = given.unwrap();
    eprintln!(
        "{:?} in {}, {} pieces",
        given.tokens,
        given.latency,
        pieces.len()
    );
    assert!(pieces.len() > 1);
    assert_eq!(pieces.concat(), given.text, "it was right at once");
    assert!(given.tokens.input > 0 && given.tokens.output > 0);
    assert_eq!(given.cost, MicroUsd::ZERO);
    Some(given)
}
