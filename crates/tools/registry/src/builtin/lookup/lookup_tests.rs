//! The searches over a real connection to the stand-ins.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;

use adjutant_stand_ins::databases::{Database, Misbehaviour, Server, StandIns};
use serde_json::{Value, json};

use super::super::testing::{call, failure, settings};
use super::*;

async fn serve(stand_ins: StandIns) -> (Server, ToolSettings) {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let server = Server::start(address, stand_ins, || 1_750_000_000_000)
        .await
        .unwrap();
    let settings = ToolSettings {
        sites: Sites::at_stand_in(&server.url()),
        ..settings(Path::new("unused"))
    };
    (server, settings)
}

#[tokio::test]
async fn every_database_is_searched() {
    let (server, settings) = serve(StandIns::default()).await;
    let page = format!("{}/pages/", server.url());
    let searches = [
        (
            "L5-PS",
            json!({ "query": "velordrostat", "most": 3 }),
            "PMID:",
        ),
        (
            "L5-CT",
            json!({ "query": "velordrostat", "most": 3 }),
            "NCT:",
        ),
        (
            "L5-FDA",
            json!({ "database": "event", "product": "velordrostat", "most": 3 }),
            "",
        ),
        ("L5-EMA", json!({ "name": "Epleron", "most": 3 }), ""),
        ("L5-PT", json!({ "words": "velordrostat", "most": 3 }), ""),
        (
            "L5-NEWS",
            json!({ "words": "Velmoran", "most": 3 }),
            "NEWS:",
        ),
        ("L5-WEB", json!({ "query": "Velmoran", "most": 3 }), "WEB:"),
    ];
    for (tool, search, id) in searches {
        let found = call(settings.clone(), tool, search).await.unwrap();
        let first = &found["sources"][0];
        let told = first["id"].as_str().unwrap_or_default();
        assert!(told.starts_with(id) && !told.is_empty(), "{tool}: {found}");
        if tool == "L5-WEB" {
            let url = first["url"].as_str().unwrap();
            assert!(url.starts_with(&page), "{url}");
            let fetched = call(settings.clone(), tool, json!({ "url": url }))
                .await
                .unwrap();
            assert_eq!(fetched["sources"].as_array().map(Vec::len), Some(1));
        }
    }
}

#[tokio::test]
async fn trouble_is_told_by_what_helps_against_it() {
    let fails = |wrong: Misbehaviour| async move {
        let mut stand_ins = StandIns::default();
        stand_ins.script(Database::Trials, [wrong]);
        let (_server, settings) = serve(stand_ins).await;
        failure(call(settings, "L5-CT", json!({ "query": "velordrostat" })).await)
    };
    assert!(
        fails(Misbehaviour::ServerError)
            .await
            .starts_with("Temporary")
    );
    assert!(fails(Misbehaviour::Html).await.starts_with("BadOutput"));
    assert!(
        fails(Misbehaviour::Unavailable)
            .await
            .starts_with("Deferred")
    );
}

#[tokio::test]
async fn what_is_not_set_up_is_named() {
    let bare = || settings(Path::new("unused"));
    let told = failure(call(bare(), "L5-NEWS", json!({ "words": "x" })).await);
    assert!(
        told.starts_with("Denied") && told.contains("`lookups.newsapi.key`"),
        "{told}"
    );
    let told = failure(call(bare(), "L5-PT", json!({ "words": "x" })).await);
    assert!(
        told.starts_with("Denied") && told.contains("lookups."),
        "{told}"
    );
    let told = failure(call(bare(), "L5-WEB", json!({ "query": "x" })).await);
    assert!(
        told.starts_with("Denied") && told.contains("`lookups.tavily.key`"),
        "{told}"
    );
}

#[tokio::test]
async fn a_page_of_the_house_is_not_fetched() {
    for url in [
        "http://127.0.0.1:9/secrets",
        "http://[::1]:9/secrets",
        "http://[::ffff:127.0.0.1]:9/secrets",
        "http://2130706433:9/secrets",
    ] {
        let bare = ToolSettings {
            private_hosts: Vec::new(),
            ..settings(Path::new("unused"))
        };
        let told = failure(call(bare, "L5-WEB", json!({ "url": url })).await);
        assert!(told.contains("not a public address"), "{url}: {told}");
    }
}

#[tokio::test]
async fn a_table_that_has_not_changed_comes_once() {
    let (server, settings) = serve(StandIns::default()).await;
    let registry = crate::Registry::builtin(settings).unwrap();
    let tool = registry.get("L5-EMA").unwrap();
    let search = |most: u32| {
        let call = Call {
            tenant: TenantId::new("acme").unwrap(),
            effect: super::super::testing::effect(1),
            arguments: json!({ "name": "Epleron", "most": most }),
            lease: adjutant_mission::Lease::default(),
        };
        tool.tool().call(call)
    };
    let first: Value = search(2).await.unwrap();
    let again: Value = search(2).await.unwrap();
    assert_eq!(first, again);
    let answered = server.answered(0);
    let whole = answered.iter().filter(|line| line.ends_with(" 200"));
    assert_eq!(whole.count(), 1, "{answered:?}");
}
