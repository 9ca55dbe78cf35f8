use adjutant_providers::{AskOptions, Cassette, ModelParts, Models};
use adjutant_questions::AskFailure;
use adjutant_stand_ins::models::{Answer, Misbehaviour, Received, Reply, Server};

use crate::support::{KEY, KINDS, ONE, answer, ask, parts, settings};

#[tokio::test]
async fn what_was_recorded_replays_without_a_server_and_without_keys() {
    for kind in KINDS {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cassette.jsonl");
        // A failure, an answer that has to be repaired, and the repair.
        let script = |request: &Received| match request.number {
            1 => Reply::Misbehave(Misbehaviour::Truncated, Answer::new(answer().to_string())),
            2 => Reply::Misbehave(Misbehaviour::Unfit, Answer::new("")),
            _ => Reply::Answer(Answer::new(answer().to_string())),
        };
        let server = Server::start(script).await.unwrap();
        let text = settings(kind, &server.url(), "", ONE);
        let with = |cassette: Cassette| {
            let parts = ModelParts {
                cassette,
                ..parts(&text)
            };
            Models::new(parts).unwrap()
        };
        let recorded = with(Cassette::Record(path.clone()));
        let first = recorded.ask(&ask(), AskOptions::default()).await.unwrap();
        assert_eq!(server.received().len(), 3);
        drop(server);

        let lines = std::fs::read_to_string(&path).unwrap();
        assert_eq!(lines.lines().count(), 3);
        assert!(!lines.contains(KEY), "{lines}");

        let replayed = with(Cassette::Replay(path));
        let second = replayed.ask(&ask(), AskOptions::default()).await.unwrap();
        assert_eq!(second.output, first.output);
        assert_eq!((second.tokens, second.cost), (first.tokens, first.cost));

        let failed = replayed
            .ask(&ask(), AskOptions::default())
            .await
            .unwrap_err();
        let AskFailure::Cassette { message, .. } = &failed.failure else {
            panic!("{failed}");
        };
        let hash = lines.split("\"hash\":\"").nth(1).unwrap();
        assert!(message.contains(&hash[..32]), "{message}");
    }
}

#[test]
fn a_cassette_that_cannot_be_read_is_told_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cassette.jsonl");
    std::fs::write(&path, "{}\n").unwrap();
    let parts = ModelParts {
        cassette: Cassette::Replay(path),
        ..parts("")
    };
    let error = Models::new(parts).unwrap_err().to_string();
    assert!(error.contains("line 1"), "{error}");
}

#[tokio::test]
async fn a_key_that_a_provider_says_back_is_neither_recorded_nor_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cassette.jsonl");
    let script = |request: &Received| Reply::Status {
        status: 401,
        headers: Vec::new(),
        body: format!(
            "{{\"error\": \"wrong: {}\"}}",
            request.headers["authorization"]
        ),
    };
    let server = Server::start(script).await.unwrap();
    let parts = ModelParts {
        cassette: Cassette::Record(path.clone()),
        ..parts(&settings("openai", &server.url(), "", ONE))
    };
    let models = Models::new(parts).unwrap();
    let failed = models.ask(&ask(), AskOptions::default()).await.unwrap_err();
    let (told, recorded) = (failed.to_string(), std::fs::read_to_string(&path).unwrap());
    for text in [told, recorded] {
        assert!(text.contains("wrong") && !text.contains(KEY), "{text}");
    }
}
