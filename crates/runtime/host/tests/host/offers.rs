//! Offers: answered once, by whom they were made to, also after the host was killed between two steps.

use adjutant_host::{AnsweredOffer, Host, HostError, Offer, OfferAnswer, Upkeep, read_offer};
use adjutant_mission::*;
use adjutant_store_sqlite::SqliteStore;
use serde_json::json;

use crate::support::*;
use crate::triggers::crashed;

fn person(name: &str) -> AgentId {
    AgentId::new(name).unwrap()
}

fn plan() -> Plan {
    Plan::new("offered", vec![call("a", "noop", "{}", &[])])
}

async fn offered(world: &World) -> Start {
    let start = world.start(plan(), Vec::new());
    let offer = Offer {
        mission: start.mission,
        to: person("ann"),
        until: world.host.clock().now().plus(Millis::hours(1)),
        content: Some(json!({ "intent": "Find the lamp" })),
        answer: None,
    };
    world.host.keep_offer(&tenant(), offer).await.unwrap();
    start
}

fn answer(start: &Start, who: &str, choice: &str) -> AnsweredOffer {
    AnsweredOffer {
        mission: start.mission,
        person: person(who),
        answer: OfferAnswer {
            choice: choice.into(),
            digest: format!("digest of {choice}"),
        },
        start: (choice != "abort").then(|| Box::new(start.clone())),
    }
}

/// The command that stands for an answer.
fn command(choice: &str) -> CommandId {
    CommandId::from_bits(choice.bytes().map(u128::from).sum())
}

async fn give(host: &Host<SqliteStore>, given: AnsweredOffer) -> Result<(), HostError> {
    let command = command(&given.answer.choice);
    host.answer_offer(&tenant(), ann(), command, given).await
}

#[tokio::test]
async fn an_offer_survives_its_host_and_counts_one_answer() {
    let first = World::new();
    let start = offered(&first).await;
    let world = World::reopened(crashed(first).await);
    let host = &world.host;
    let journal = host.journal(&tenant());
    let kept = read_offer(&journal, start.mission).await.unwrap().unwrap();
    assert_eq!(kept.content, Some(json!({ "intent": "Find the lamp" })));

    let other = give(host, answer(&start, "bob", "run")).await;
    assert!(matches!(other, Err(HostError::OfferOfAnother)), "{other:?}");
    assert!(journal.summary(start.mission).await.unwrap().is_none());

    give(host, answer(&start, "ann", "run")).await.unwrap();
    give(host, answer(&start, "ann", "run")).await.unwrap();
    assert!(journal.summary(start.mission).await.unwrap().is_some());
    let late = give(host, answer(&start, "ann", "abort")).await;
    assert!(
        matches!(&late, Err(HostError::OfferAnswered { choice }) if choice == "`run`"),
        "{late:?}"
    );
    let kept = read_offer(&journal, start.mission).await.unwrap().unwrap();
    assert_eq!(kept.content, None, "an answered offer keeps no words");
}

#[tokio::test]
async fn of_many_answers_at_once_one_counts() {
    let world = World::new();
    let start = offered(&world).await;
    let choices = ["abort", "run", "agent", "manual", "abort"];
    let given = choices.map(|choice| {
        let (host, given) = (world.host.clone(), answer(&start, "ann", choice));
        tokio::spawn(async move { give(&host, given).await })
    });
    let mut done = Vec::new();
    for given in given {
        done.push(given.await.unwrap());
    }
    let counted: Vec<&str> = choices
        .iter()
        .zip(&done)
        .filter(|(_, done)| done.is_ok())
        .map(|(choice, _)| *choice)
        .collect();
    assert!(
        !counted.is_empty() && counted.iter().all(|choice| choice == &counted[0]),
        "{counted:?}"
    );
    let journal = world.host.journal(&tenant());
    let is_there = journal.summary(start.mission).await.unwrap().is_some();
    assert_eq!(is_there, counted[0] != "abort");
}

#[tokio::test]
async fn a_mission_that_was_opened_before_its_offer_was_closed_belongs_to_its_answer() {
    let world = World::new();
    let start = offered(&world).await;
    // As far as a host gets that is killed between the two steps.
    world
        .host
        .open(ann(), command("run"), start.clone())
        .await
        .unwrap();
    let other = give(&world.host, answer(&start, "ann", "abort")).await;
    assert!(
        matches!(other, Err(HostError::OfferAnswered { .. })),
        "{other:?}"
    );
    give(&world.host, answer(&start, "ann", "run"))
        .await
        .unwrap();
}

#[tokio::test]
async fn what_was_never_offered_or_gave_way_to_newer_offers_cannot_be_answered() {
    let world = World::new();
    let unknown = world.start(plan(), Vec::new());
    let none = give(&world.host, answer(&unknown, "ann", "run")).await;
    assert!(matches!(none, Err(HostError::OfferUnknown(_))), "{none:?}");
    let oldest = offered(&world).await;
    for _ in 0..50 {
        offered(&world).await;
    }
    let gone = give(&world.host, answer(&oldest, "ann", "run")).await;
    assert!(matches!(gone, Err(HostError::OfferUnknown(_))), "{gone:?}");
    let journal = world.host.journal(&tenant());
    assert!(journal.summary(oldest.mission).await.unwrap().is_none());
}

#[tokio::test]
async fn an_answer_cannot_start_another_mission_than_the_offered_one() {
    let world = World::new();
    let start = offered(&world).await;
    let another = world.start(plan(), Vec::new());
    let mut given = answer(&start, "ann", "run");
    given.start = Some(Box::new(another.clone()));
    let refused = give(&world.host, given).await;
    assert!(
        matches!(refused, Err(HostError::OfferUnknown(_))),
        "{refused:?}"
    );
    let journal = world.host.journal(&tenant());
    assert!(journal.summary(another.mission).await.unwrap().is_none());
}

#[tokio::test]
async fn an_offer_that_nobody_answered_in_time_is_none() {
    let world = World::new();
    let start = world.start(plan(), Vec::new());
    let offer = Offer {
        mission: start.mission,
        to: person("ann"),
        until: world.host.clock().now(),
        content: None,
        answer: None,
    };
    world.host.keep_offer(&tenant(), offer).await.unwrap();
    let late = give(&world.host, answer(&start, "ann", "run")).await;
    assert!(matches!(late, Err(HostError::OfferUnknown(_))), "{late:?}");

    // Its words go with the next upkeep, and what is still open stays.
    let open = offered(&world).await;
    let prune = Upkeep::Prune {
        before: Timestamp(0),
        reason: "old".into(),
    };
    world.host.upkeep(&tenant(), prune).await.unwrap();
    let journal = world.host.journal(&tenant());
    let gone = read_offer(&journal, start.mission).await.unwrap();
    assert!(gone.is_none());
    assert!(read_offer(&journal, open.mission).await.unwrap().is_some());
}
