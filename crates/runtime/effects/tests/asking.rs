//! One question, one outcome: what every way to be answered or not means for the task that asked.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]

use std::sync::{Arc, Mutex};

use adjutant_effects::{Performer, PreparedEffect, Request, ResolvedInputs};
use adjutant_mission::{
    AgentLevel, AgentWork, Complexity, Effect, EffectClass, EffectId, EffectNumber, FailureKind,
    Json, MicroUsd, Millis, MissionId, Outcome, Payload, PurposeId, TaskKey, TenantId, Timestamp,
    ToolFacts, Usage, Work,
};
use adjutant_questions::{
    Answer, Answerer, Answering, Ask, AskFailure, Extracted, Finish, Output, ProviderZone, Tokens,
    Unanswered,
};
use adjutant_tools::Registry;
use serde_json::{Value, json};

type Says = dyn Fn(&Ask) -> Result<Answer, Unanswered> + Send + Sync;

/// Answers as it is told, and remembers what it was asked.
struct Scripted {
    says: Box<Says>,
    asked: Mutex<Vec<Ask>>,
}

impl Answerer for Scripted {
    fn facts(&self, _: &AgentWork) -> Result<ToolFacts, AskFailure> {
        Ok(ToolFacts {
            class: EffectClass::Paid,
            price: MicroUsd(100),
            tokens: 10,
            time_limit: Millis::seconds(1),
            provenance: None,
        })
    }

    fn providers(&self, _: &AgentWork) -> Vec<adjutant_mission::ProviderId> {
        Vec::new()
    }

    fn zone(&self, _: &AgentWork) -> ProviderZone {
        ProviderZone::Inside
    }

    fn ask<'a>(&'a self, ask: &'a Ask) -> Answering<'a> {
        self.asked.lock().unwrap().push(ask.clone());
        Box::pin(std::future::ready((self.says)(ask)))
    }
}

fn answer(confidence: f64) -> Answer {
    Answer {
        output: Output::Extract(Extracted {
            findings: Vec::new(),
            not_found: vec!["all of it".into()],
            confidence,
        }),
        text: String::new(),
        tokens: Tokens {
            input: 30,
            output: 12,
            ..Tokens::default()
        },
        cost: MicroUsd(77),
        model: "small".into(),
        provider: "script".into(),
        latency: Millis(5),
        finish: Finish::Stop,
        prompt: None,
        left_out: Vec::new(),
        notice: "by nobody".into(),
    }
}

async fn perform(
    with: Value,
    says: impl Fn(&Ask) -> Result<Answer, Unanswered> + Send + Sync + 'static,
) -> (Outcome, Vec<Ask>) {
    let scripted = Arc::new(Scripted {
        says: Box::new(says),
        asked: Mutex::default(),
    });
    let agent = AgentWork {
        level: AgentLevel::L3,
        purpose: PurposeId::new("extract").unwrap(),
        with: Json::encode(&with).unwrap(),
        domain: None,
        complexity: Complexity::Complex,
        model: None,
        reasoning: None,
    };
    let mission = MissionId::from_bits(7);
    let effect = Effect {
        id: EffectId {
            mission,
            number: EffectNumber::new(4),
        },
        task: TaskKey::new("ask").unwrap(),
        attempt: 1,
        class: EffectClass::Paid,
        not_before: None,
        thought: None,
        guidance: Vec::new(),
        work: Work::AskModel(Box::new(agent)),
    };
    let mut resolved = ResolvedInputs::default();
    let sources = json!([{ "id": "a", "text": "It rained." }]);
    resolved
        .outputs
        .insert("read".into(), Json::encode(&sources).unwrap());
    assert_eq!(
        PreparedEffect::from(effect.clone()).referenced_tasks(),
        ["read"]
    );
    let performer = Performer::new(Arc::new(Registry::new())).answered_by(scripted.clone());
    let request = Request::new(TenantId::new("acme").unwrap(), effect, resolved);
    let outcome = performer.perform(request).await;
    let asked = scripted.asked.lock().unwrap().clone();
    (outcome, asked)
}

fn question() -> Value {
    json!({ "question": "Did it rain?", "sources": "{{read.output}}" })
}

#[tokio::test]
async fn an_answer_is_the_tasks_result_with_who_gave_it() {
    let (outcome, asked) = perform(question(), |_| Ok(answer(0.25))).await;
    let Outcome::Done {
        output: Payload::Inline(json),
        usage,
        remarks,
    } = outcome
    else {
        panic!("{outcome:?}");
    };
    let result: Value = serde_json::from_str(json.text()).unwrap();
    assert_eq!(result["not_found"], json!(["all of it"]));
    assert_eq!(result["answered_by"]["model"], "small");
    assert_eq!(result["answered_by"]["notice"], "by nobody");
    assert_eq!((usage.money, usage.tokens), (MicroUsd(77), 42));
    assert_eq!(remarks.confidence.unwrap().0, 250_000);
    let [ask] = &asked[..] else {
        panic!("{asked:?}");
    };
    assert!(
        ask.key.starts_with("eff_") && ask.key.ends_with("-4"),
        "{}",
        ask.key
    );
    assert_eq!(ask.input.sources()[0].text, "It rained.");
    // Six times what the level usually has, because the question is complex.
    assert_eq!(
        ask.limits.input_tokens_max + ask.limits.output_tokens_max,
        24_000
    );
    assert_eq!(ask.complexity, Complexity::Complex);
}

#[tokio::test]
async fn a_question_that_cannot_be_put_is_not_asked() {
    for (with, wanted) in [
        (
            json!({ "question": "?", "sources": "{{read.output}}", "colour": 1 }),
            "`colour`",
        ),
        (
            json!({ "question": "?", "sources": "{{read.output.9.text}}" }),
            "there is no `9`",
        ),
        (json!({ "sources": "{{read.output}}" }), "`question`"),
    ] {
        let (outcome, asked) = perform(with, |_| Ok(answer(1.0))).await;
        let Outcome::Failed { failure, usage } = outcome else {
            panic!("{outcome:?}");
        };
        assert_eq!((failure.kind, usage), (FailureKind::BadInput, Usage::NONE));
        assert!(failure.message.contains(wanted), "{}", failure.message);
        assert!(asked.is_empty());
    }
}

#[tokio::test]
async fn every_failure_means_something_for_the_task_and_keeps_what_was_used() {
    let provider = || "script".to_owned();
    let message = || "why".to_owned();
    let limit = Millis::seconds(1);
    for (failure, wanted) in [
        (
            AskFailure::Unreachable {
                provider: provider(),
                message: message(),
            },
            FailureKind::Temporary,
        ),
        (
            AskFailure::TimedOut {
                provider: provider(),
                limit,
            },
            FailureKind::TimedOut,
        ),
        (
            AskFailure::Trouble {
                provider: provider(),
                status: 500,
                message: message(),
            },
            FailureKind::Temporary,
        ),
        (
            AskFailure::Rejected {
                provider: provider(),
                status: 401,
                message: message(),
            },
            FailureKind::Permanent,
        ),
        (
            AskFailure::Declined {
                provider: provider(),
                message: message(),
            },
            FailureKind::Permanent,
        ),
        (
            AskFailure::CutOff {
                provider: provider(),
                tokens_max: 9,
            },
            FailureKind::Permanent,
        ),
        (
            AskFailure::BadAnswer {
                provider: provider(),
                message: message(),
            },
            FailureKind::BadOutput,
        ),
        (
            AskFailure::TooLarge {
                provider: provider(),
                bytes_max: 9,
            },
            FailureKind::Permanent,
        ),
        (AskFailure::TooLong { tokens_max: 9 }, FailureKind::BadInput),
        (
            AskFailure::ToolLoop {
                provider: provider(),
                rounds_max: 9,
            },
            FailureKind::Permanent,
        ),
        (
            AskFailure::Unpriced { model: provider() },
            FailureKind::BadInput,
        ),
        (
            AskFailure::NoModel { tier: provider() },
            FailureKind::BadInput,
        ),
        (
            AskFailure::Busy {
                provider: provider(),
                until: Timestamp(9),
            },
            FailureKind::Temporary,
        ),
    ] {
        let told = failure.to_string();
        let (outcome, _) = perform(question(), move |_| {
            Err(Unanswered {
                cost: MicroUsd(3),
                ..failure.clone().into()
            })
        })
        .await;
        let Outcome::Failed { failure, usage } = outcome else {
            panic!("{told}: {outcome:?}");
        };
        assert_eq!(failure.kind, wanted, "{told}");
        assert_eq!(usage.money, MicroUsd(3), "{told}");
        assert_eq!(failure.message, told);
    }
}

#[tokio::test]
async fn who_is_busy_is_asked_later_and_one_that_breaks_down_is_told() {
    let until = Timestamp(60_000);
    let (outcome, _) = perform(question(), move |_| {
        let provider = "script".to_owned();
        Err(AskFailure::Busy { provider, until }.into())
    })
    .await;
    assert_eq!(outcome, Outcome::Deferred { until });
    let (outcome, _) = perform(question(), |_| panic!("out of ideas")).await;
    let Outcome::Failed { failure, .. } = outcome else {
        panic!("{outcome:?}");
    };
    assert!(
        failure.message.contains("out of ideas"),
        "{}",
        failure.message
    );
}
