//! Live events come in order, each once, whatever happens to the connection or the server.

use std::time::Duration;

use reqwest::Method;

use crate::support::*;

async fn follow(world: &World, mission: &str, after: Option<&str>) -> Stream {
    let request = world.request(Method::GET, &format!("/api/missions/{mission}/events"));
    let request = match after {
        Some(after) => request.header("Last-Event-ID", after),
        None => request,
    };
    Stream::of(request.send().await.unwrap())
}

#[tokio::test]
async fn a_reader_is_told_everything_until_the_end() {
    let world = World::new().await;
    let mission = world.started("red blue").await;
    let mut early = follow(&world, &mission, None).await;
    for number in 0..4 {
        world.asked(&mission, number).await;
        assert_eq!(
            world.decide(&mission, number, "approve").await.status(),
            200
        );
    }
    let told = early.rest().await;
    assert_eq!(told.last().unwrap().name, "complete", "{told:#?}");
    assert!(
        told.iter()
            .all(|event| event.data["session_id"] == mission.as_str())
    );
    let late = follow(&world, &mission, None).await.rest().await;
    assert_eq!(late, told, "whoever comes late is told the same");
    let mut ids: Vec<(u64, u32)> = Vec::new();
    for event in &told {
        let (seq, part) = event.id.split_once('.').unwrap();
        ids.push((seq.parse().unwrap(), part.parse().unwrap()));
    }
    assert!(ids.is_sorted_by(|one, other| one < other), "{ids:?}");
    world.stop().await;
}

#[tokio::test]
async fn a_reader_comes_back_without_a_gap_or_a_repetition_even_to_another_server() {
    let world = World::new().await;
    let mission = world.started("red blue").await;
    world.asked(&mission, 0).await;
    let mut first = follow(&world, &mission, None).await;
    let mut told = first.until("checkpoint_plan_approval").await;
    assert_eq!(world.decide(&mission, 0, "approve").await.status(), 200);
    world.asked(&mission, 1).await;
    // The server goes, and its streams end with it.
    let folder = world.stop().await;
    told.extend(first.rest().await);
    let world = World::reopened(folder).await;
    let last = told.last().unwrap().id.clone();
    let mut second = follow(&world, &mission, Some(&last)).await;
    for number in 1..4 {
        world.asked(&mission, number).await;
        assert_eq!(
            world.decide(&mission, number, "approve").await.status(),
            200
        );
    }
    told.extend(second.rest().await);
    assert_eq!(told, follow(&world, &mission, None).await.rest().await);

    // From every place there is the rest, and nothing else.
    for (at, event) in told.iter().enumerate() {
        let rest = follow(&world, &mission, Some(&event.id)).await.rest().await;
        assert_eq!(rest, told[at + 1..], "after {}", event.id);
    }
    world.stop().await;
}

#[tokio::test]
async fn a_reader_who_takes_nothing_holds_nobody_up() {
    let world = World::new().await;
    let mission = world.started("red").await;
    world.asked(&mission, 0).await;
    let stuck = follow(&world, &mission, None).await;
    let mut quick = follow(&world, &mission, None).await;
    for number in 0..3 {
        world.asked(&mission, number).await;
        assert_eq!(
            world.decide(&mission, number, "approve").await.status(),
            200
        );
    }
    let told = tokio::time::timeout(Duration::from_secs(10), quick.rest())
        .await
        .unwrap();
    assert_eq!(told.last().unwrap().name, "complete");
    drop(stuck);
    world.stop().await;
}

/// The pieces of one kind, put together.
fn text(told: &[Told], name: &str) -> String {
    let pieces = told.iter().filter(|event| event.name == name);
    let pieces = pieces.map(|event| event.data["data"]["token"].as_str().unwrap());
    pieces.collect()
}

#[tokio::test]
async fn what_is_approved_is_said_to_all_and_drafts_to_those_who_may_decide() {
    let world = World::new().await;
    let wanted = serde_json::json!({ "who": "vic", "role": "viewer" });
    let given = read(world.post("/api/access", wanted).await).await;
    let viewer = given["token"].as_str().unwrap();
    let mission = world.started("red").await;
    world.approved(&mission, 1).await;
    let path = format!("/api/missions/{mission}/events");
    let seen = |after: Option<String>| {
        let request = world.bare(Method::GET, &path).bearer_auth(viewer);
        let request = match after {
            Some(after) => request.header("Last-Event-ID", after),
            None => request,
        };
        request.send()
    };
    let said = "The last answer was: approve.\n".repeat(20);
    let reviewer = follow(&world, &mission, None).await.rest().await;
    assert_eq!(text(&reviewer, "draft"), said);
    assert_eq!(text(&reviewer, "token"), said);
    let viewer_told = Stream::of(seen(None).await.unwrap()).rest().await;
    assert_eq!(text(&viewer_told, "token"), said);
    assert_eq!(
        text(&viewer_told, "draft"),
        "",
        "nobody has approved it then"
    );
    assert_eq!(
        viewer_told.last().unwrap().name,
        "complete",
        "nothing follows"
    );
    let is_no_draft = |event: &&Told| event.name != "draft";
    let others: Vec<Told> = reviewer.iter().filter(is_no_draft).cloned().collect();
    assert_eq!(viewer_told, others);
    for (at, event) in viewer_told.iter().enumerate() {
        let rest = Stream::of(seen(Some(event.id.clone())).await.unwrap());
        let mut rest = rest;
        assert_eq!(
            rest.rest().await,
            viewer_told[at + 1..],
            "after {}",
            event.id
        );
    }
    world.stop().await;
}

#[tokio::test]
async fn what_nobody_approved_is_not_said() {
    let world = World::new().await;
    let mission = world.started("red").await;
    for (number, verdict) in [(0, "approve"), (1, "approve"), (2, "reject")] {
        world.asked(&mission, number).await;
        assert_eq!(world.decide(&mission, number, verdict).await.status(), 200);
    }
    let told = follow(&world, &mission, None).await.rest().await;
    assert_ne!(text(&told, "draft"), "", "its reviewers saw it");
    assert_eq!(text(&told, "token"), "");
    world.stop().await;
}
