//! The events of all missions in one stream, and those of the inbox.

use reqwest::Method;
use serde_json::json;

use crate::support::{Stream, Told, World};

async fn follow(world: &World, path: &str) -> Stream {
    Stream::of(world.request(Method::GET, path).send().await.unwrap())
}

/// Mission and number in its journal, of each.
fn told_of(told: &[Told]) -> Vec<(String, u64)> {
    let of = |told: &Told| {
        let mission = told.data["session_id"].as_str().unwrap().to_owned();
        (mission, told.data["sequence"].as_u64().unwrap())
    };
    told.iter().map(of).collect()
}

#[tokio::test]
async fn all_missions_are_told_in_one_stream_from_any_place_on() {
    let world = World::new().await;
    let mut live = follow(&world, "/api/events").await;
    let first = world.started("one").await;
    world.asked(&first, 0).await;
    let second = world.started("two").await;
    world.approved(&second, 1).await;
    world.approved(&first, 1).await;
    let mut told = live.until("complete").await;
    told.extend(live.until("complete").await);
    let of = told_of(&told);
    assert!(of.iter().any(|(mission, _)| *mission == first));
    assert!(of.iter().any(|(mission, _)| *mission == second));

    // Each mission is told as its own stream tells it.
    for mission in [&first, &second] {
        let path = format!("/api/missions/{mission}/events");
        let own = follow(&world, &path).await.rest().await;
        let data: Vec<_> = told
            .iter()
            .filter(|told| told.data["session_id"] == **mission)
            .map(|told| (&told.name, &told.data))
            .collect();
        // Only there what it comes to is said, piece by piece.
        let is_event = |told: &&Told| !["draft", "token"].contains(&told.name.as_str());
        let own = own.iter().filter(is_event);
        let own: Vec<_> = own.map(|told| (&told.name, &told.data)).collect();
        assert_eq!(data, own);
    }

    // From every place on the rest follows, without a gap or a repetition.
    for (at, place) in told.iter().enumerate() {
        let path = format!("/api/events?after={}", place.id);
        let mut again = follow(&world, &path).await;
        for expected in &told[at + 1..] {
            assert_eq!(again.next().await.as_ref(), Some(expected));
        }
    }

    // Another server tells the same, also to those who read from the beginning.
    let world = World::reopened(world.stop().await).await;
    let mut again = follow(&world, "/api/events?after=0.0").await;
    for expected in &told {
        assert_eq!(again.next().await.as_ref(), Some(expected));
    }
    world.stop().await;
}

#[tokio::test]
async fn the_inbox_tells_what_is_asked_and_answered_and_nothing_else() {
    let world = World::new().await;
    let mission = world.started("one").await;
    world.asked(&mission, 0).await;
    let inbox = world.get("/api/inbox").await;
    assert_eq!(inbox["checkpoints"].as_array().unwrap().len(), 1);
    let place = inbox["place"].as_str().unwrap();
    let mut live = follow(&world, &format!("/api/inbox/events?after={place}")).await;
    world.approved(&mission, 1).await;
    let told = live.until("complete").await;
    let names: Vec<&str> = told.iter().map(|told| told.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "user_response_received",
            "checkpoint_critical_decision",
            "user_response_received",
            "checkpoint_final_review",
            "user_response_received",
            "complete"
        ]
    );
    let mut since = follow(&world, "/api/inbox/events?after=0.0").await;
    let first = since.next().await.unwrap();
    assert_eq!(first.name, "checkpoint_plan_approval");
    assert_eq!(first.data["data"]["number"], json!(0));
}

#[tokio::test]
async fn a_place_that_is_none_is_refused() {
    let world = World::new().await;
    for path in ["/api/events?after=here", "/api/inbox/events?after=1"] {
        let response = world.request(Method::GET, path).send().await.unwrap();
        assert_eq!(response.status(), 400, "{path}");
    }
}
