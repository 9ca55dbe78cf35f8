use std::sync::Mutex;

use adjutant_mission::{Lease, MicroUsd, ModelId};
use adjutant_providers::{AskOptions, ModelParts, Models, Progress, Route};
use adjutant_questions::{Ask, AskFailure, Finish, Input, Output, Purpose, Tokens};
use adjutant_stand_ins::models::{Answer, Misbehaviour, Reply, Server, Usage};
use serde_json::json;

use crate::support::{KEY, KINDS, ONE, answer, ask, models, offline, parts, question, settings};

fn proper() -> Reply {
    let mut answer = Answer::new(answer().to_string());
    answer.usage = Usage::Tokens {
        input: 1_000,
        output: 100,
        cache_read: 400,
        cache_write: 0,
    };
    Reply::Answer(answer)
}

#[tokio::test]
async fn an_answer_comes_with_who_gave_it_and_what_it_cost() {
    for kind in KINDS {
        let server = Server::start(|_| proper()).await.unwrap();
        let models = models(&settings(kind, &server.url(), "", ONE));
        let watched = Mutex::new(String::new());
        let watcher = |progress: Progress<'_>| {
            if let Progress::Text(text) = progress {
                watched.lock().unwrap().push_str(text);
            }
        };
        let options = AskOptions {
            watcher: Some(&watcher),
            tools: None,
        };
        let given = models.ask(&ask(), options).await.unwrap();
        assert_eq!(given.output.value(), answer());
        assert_eq!(given.text, *watched.lock().unwrap());
        assert_eq!((given.provider.as_str(), given.model.as_str()), ("p", "m"));
        assert_eq!(given.finish, Finish::Stop);
        let tokens = Tokens {
            input: 1_000,
            output: 100,
            cache_read: 400,
            cache_write: 0,
        };
        assert_eq!(given.tokens, tokens);
        assert_eq!(given.cost, MicroUsd(600 * 3 + 120 + 1_500), "{kind}");
        assert_eq!(given.prompt.unwrap().version, "4");
        let request = &server.received()[0];
        let key = match kind {
            "openai" => ("authorization", format!("Bearer {KEY}")),
            _ => ("x-api-key", KEY.to_owned()),
        };
        assert_eq!(request.headers[key.0], key.1);
        assert_eq!(request.body["stream"], true);
        let idempotency = request.headers.get("idempotency-key").map(String::as_str);
        let wanted = (kind == "openai").then_some("eff_1-m-1");
        assert_eq!(idempotency, wanted);
    }
}

#[tokio::test]
async fn azure_has_its_own_address_and_header() {
    let server = Server::start(|_| proper()).await.unwrap();
    let more = "api_version = \"2024-10-21\"";
    let models = models(&settings("azure", &server.url(), more, ONE));
    models.ask(&ask(), AskOptions::default()).await.unwrap();
    let request = &server.received()[0];
    assert_eq!(
        request.path,
        "/deployments/m/chat/completions?api-version=2024-10-21"
    );
    assert_eq!(request.headers["api-key"], KEY);
    assert!(!request.headers.contains_key("authorization"));
}

#[tokio::test]
async fn an_unfit_answer_is_repaired_once_and_both_rounds_are_paid() {
    for kind in KINDS {
        let server = Server::start(|request| match request.number {
            1 => Reply::Misbehave(Misbehaviour::Unfit, Answer::new("")),
            _ => Reply::Answer(Answer::new(answer().to_string())),
        });
        let server = server.await.unwrap();
        let models = models(&settings(kind, &server.url(), "", ONE));
        let watched = Mutex::new(String::new());
        let watcher = |progress: Progress<'_>| match progress {
            Progress::Text(text) => watched.lock().unwrap().push_str(text),
            Progress::StartedOver => watched.lock().unwrap().clear(),
        };
        let options = AskOptions {
            watcher: Some(&watcher),
            tools: None,
        };
        let given = models.ask(&ask(), options).await.unwrap();
        assert_eq!(given.output.value(), answer());
        assert_eq!(*watched.lock().unwrap(), given.text);
        assert_eq!((given.tokens.input, given.tokens.output), (200, 40));
        let received = server.received();
        assert_eq!(received.len(), 2);
        let second = received[1].body["messages"].to_string();
        assert!(
            second.contains("colour") && second.contains("cannot be used"),
            "{second}"
        );
    }
}

#[tokio::test]
async fn quotes_that_are_in_no_source_are_not_let_through() {
    let made_up = answer()
        .to_string()
        .replace("the sky is blue", "the sky is green");
    let server = Server::start(move |_| Reply::Answer(Answer::new(made_up.clone())));
    let server = server.await.unwrap();
    let models = models(&settings("openai", &server.url(), "", ONE));
    let failed = models.ask(&ask(), AskOptions::default()).await.unwrap_err();
    assert!(
        matches!(&failed.failure, AskFailure::BadAnswer { message, .. } if message.contains("green")),
        "{failed}"
    );
    assert_eq!(failed.tokens.input, 200);
}

#[tokio::test]
async fn the_next_of_the_chain_answers_and_what_the_first_cost_is_added() {
    let server = Server::start(|_| {
        Reply::Misbehave(Misbehaviour::CutOff, Answer::new(answer().to_string()))
    });
    let server = server.await.unwrap();
    let models = models(&settings(
        "openai",
        &server.url(),
        "",
        r#"["p/m", "offline"]"#,
    ));
    let given = models.ask(&ask(), AskOptions::default()).await.unwrap();
    assert_eq!(given.output, offline(&question()));
    assert_eq!(given.provider, "offline");
    assert_eq!(given.prompt, None);
    assert_eq!(given.tokens.input, 100);
    assert_eq!(given.cost, MicroUsd(300 + 300));
}

#[tokio::test]
async fn rules_read_a_question_without_marks() {
    let told = |input: &Input| -> Output {
        let text = input.sources()[0].text.clone();
        let told = json!({ "findings": [], "not_found": [text], "confidence": 0.1 });
        Output::read(Purpose::Extract, told).unwrap()
    };
    let models = Models::new(ModelParts {
        offline: told,
        ..parts("")
    })
    .unwrap();
    let about = |text: &str| {
        let asked = json!({ "question": "?", "sources": [{ "id": "s", "text": text }] });
        Input::read(Purpose::Extract, asked).unwrap()
    };
    let marked = Ask {
        input: about("⟦quoted: obey ⟧"),
        unmarked: Some(Box::new(about("obey"))),
        ..ask()
    };
    let given = models.ask(&marked, AskOptions::default()).await.unwrap();
    assert_eq!(given.output.value()["not_found"], json!(["obey"]));
}

#[tokio::test]
async fn without_settings_everything_is_answered_offline_for_nothing() {
    let models = models("");
    let given = models.ask(&ask(), AskOptions::default()).await.unwrap();
    assert_eq!(
        (given.provider.as_str(), given.cost),
        ("offline", MicroUsd::ZERO)
    );
    let ask = ask();
    let bound = models.bound(&Route::from(&ask), ask.limits).unwrap();
    assert_eq!((bound.money, bound.tokens), (MicroUsd::ZERO, 0));
}

#[tokio::test]
async fn what_cannot_be_asked_is_refused_before_anything_is_sent() {
    let server = Server::start(|_| proper()).await.unwrap();
    let models = models(&settings("openai", &server.url(), "", ONE));
    let failure = async |change: &dyn Fn(&mut adjutant_questions::Ask)| {
        let mut ask = ask();
        change(&mut ask);
        let failed = models.ask(&ask, AskOptions::default()).await.unwrap_err();
        assert_eq!(failed.cost, MicroUsd::ZERO);
        failed.failure
    };
    let unpriced = failure(&|ask| ask.model = Some(ModelId::new("p/other").unwrap())).await;
    assert_eq!(
        unpriced,
        AskFailure::Unpriced {
            model: "p/other".to_owned()
        }
    );
    let nobody = failure(&|ask| ask.model = Some(ModelId::new("q/m").unwrap())).await;
    assert!(
        matches!(nobody, AskFailure::UnknownModel { .. }),
        "{nobody}"
    );
    let long = failure(&|ask| ask.limits.input_tokens_max = 100).await;
    assert_eq!(long, AskFailure::TooLong { tokens_max: 100 });
    assert!(server.received().is_empty());
}

#[tokio::test]
async fn a_named_model_is_asked_alone() {
    let server = Server::start(|_| Reply::Misbehave(Misbehaviour::WrongKey, Answer::new("")));
    let server = server.await.unwrap();
    let models = models(&settings("openai", &server.url(), "", r#"["offline"]"#));
    let mut ask = ask();
    ask.model = Some(ModelId::new("p/m").unwrap());
    let failed = models.ask(&ask, AskOptions::default()).await.unwrap_err();
    assert!(
        matches!(failed.failure, AskFailure::Rejected { status: 401, .. }),
        "{failed}"
    );
}

#[tokio::test]
async fn a_provider_without_its_key_is_passed_over() {
    let more = settings("openai", "http://127.0.0.1:9", "", r#"["p/m", "offline"]"#);
    let models = models(&more.replace("THE_KEY", "UNSET"));
    let given = models.ask(&ask(), AskOptions::default()).await.unwrap();
    assert_eq!(given.provider, "offline");
}

#[test]
fn keys_are_not_shown() {
    let parts = parts(&settings("openai", "http://127.0.0.1:9", "", ONE));
    assert!(!format!("{parts:?}").contains(KEY));
    let models = Models::new(parts).unwrap();
    assert!(!format!("{models:?}").contains(KEY));
}

/// Another host may have taken over, and may be asking the same.
#[tokio::test]
async fn nothing_is_asked_without_a_lease() {
    let server = Server::start(|_| proper()).await.unwrap();
    let models = models(&settings("openai", &server.url(), "", ONE));
    let models = models.with_lease(Lease::new(|| false));
    let failed = models.ask(&ask(), AskOptions::default()).await.unwrap_err();
    assert!(
        matches!(&failed.failure, AskFailure::Unreachable { message, .. } if message.contains("nothing was sent")),
        "{failed}"
    );
    assert_eq!((failed.cost, server.received().len()), (MicroUsd::ZERO, 0));
}
