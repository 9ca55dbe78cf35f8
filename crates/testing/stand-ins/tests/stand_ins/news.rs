//! Searches of the news against NewsAPI and feeds as they are stood in for.

use crate::driving::{Drive, HASTY_MS, site};
use adjutant_lookups::news::{Feeds, NewsSearch, NewsSites, lookup};
use adjutant_lookups::{Found, Lookup, LookupError, Reply, Step};
use adjutant_stand_ins::databases::{Database, Misbehaviour, StandIns};
use proptest::prelude::*;
use serde_json::{Value, json};

fn feeds() -> Feeds {
    let urls = ["wire.rss", "kanaalpost.atom", "ledger.json"];
    Feeds {
        urls: urls
            .iter()
            .map(|name| format!("http://127.0.0.1:4990/feeds/{name}"))
            .collect(),
    }
}

fn service() -> NewsSites {
    NewsSites {
        newsapi: Some(site("newsapi")),
        feeds: Feeds::default(),
    }
}

fn only_feeds() -> NewsSites {
    NewsSites {
        newsapi: None,
        feeds: feeds(),
    }
}

fn search(fields: Value) -> NewsSearch {
    serde_json::from_value(fields).unwrap()
}

fn find(sites: &NewsSites, fields: Value) -> Found {
    Drive::new().run(lookup(sites, search(fields))).unwrap()
}

fn titles(found: &Found) -> Vec<&str> {
    found
        .sources
        .iter()
        .map(|source| source.title.as_str())
        .collect()
}

#[test]
fn one_story_of_three_outlets_is_one_source() {
    let found = find(
        &service(),
        json!({ "words": "zephrane files tavodrostat", "from": "2026-06-01", "to": "2026-06-30" }),
    );
    let source = &found.sources[0];
    assert_eq!(
        source.title,
        "Zephrane files tavodrostat for resistant hypertension"
    );
    assert_eq!(source.details["outlet"], "The Dispensary Wire");
    let others = source.details["also_reported_by"].as_array().unwrap();
    let outlets: Vec<&Value> = others.iter().map(|other| &other["outlet"]).collect();
    assert_eq!(outlets, ["Northgate Markets", "Ledger & Lab"]);
    assert!(
        found.notes.iter().any(|note| note.starts_with("2 reports")),
        "{:?}",
        found.notes
    );
    assert_eq!(source.published.as_deref(), Some("2026-06-18"));
    assert!(source.id.starts_with("NEWS:") && source.id.len() == 21);
    assert_eq!(source.reference["type"], "article-newspaper");
    assert_eq!(
        source.reference["author"],
        json!([{ "literal": "Corin Aldwych" }])
    );
    assert_eq!(
        source.reference["issued"],
        json!({ "date-parts": [[2026, 6, 18]] })
    );
    assert!(!source.text.contains("[+"));
}

#[test]
fn pages_are_asked_for_until_there_is_enough() {
    let mut drive = Drive::new();
    let found = drive
        .run(lookup(
            &service(),
            search(json!({ "words": "of", "most": 100 })),
        ))
        .unwrap();
    assert!(found.total.unwrap() > 25);
    assert_eq!(drive.sent.len(), 2);
    let merged: usize = found
        .sources
        .iter()
        .map(|source| {
            1 + source.details["also_reported_by"]
                .as_array()
                .map_or(0, Vec::len)
        })
        .sum();
    assert_eq!(merged as u64, found.total.unwrap());
}

#[test]
fn languages_headlines_and_orders() {
    let german = find(&service(), json!({ "words": "velmoran", "language": "de" }));
    assert_eq!(german.sources.len(), 2);
    let newest = find(
        &service(),
        json!({ "words": "orrinvale", "order": "newest" }),
    );
    let days: Vec<&Option<String>> = newest
        .sources
        .iter()
        .map(|source| &source.published)
        .collect();
    assert!(days.is_sorted_by(|one, other| one >= other));
    let headlines = find(
        &service(),
        json!({ "words": "orrinvale", "kind": "headlines" }),
    );
    assert!(
        headlines
            .sources
            .iter()
            .all(|source| source.published.as_deref() >= Some("2026-08-01"))
    );
    assert!(!headlines.sources.is_empty());
}

#[test]
fn feeds_of_all_formats_are_read_and_filtered() {
    let found = find(&only_feeds(), json!({ "words": "velmoran" }));
    let titles = titles(&found);
    assert_eq!(titles.len(), 5, "{titles:?}");
    assert!(titles.contains(&"Velmoran café talk: Orrinvale & its plans"));
    assert!(titles.contains(&"Brennholt stock enough for Velmoran"));
    let dutch = found
        .sources
        .iter()
        .find(|source| source.title.starts_with("Orrinvale beslist"))
        .unwrap();
    assert_eq!(
        dutch.url,
        "https://kanaalpost.example/2026/orrinvale-oktober"
    );
    assert_eq!(dutch.details["outlet"], "Kanaalpost & regio");
    assert_eq!(found.total, None);
    assert!(
        found
            .notes
            .iter()
            .any(|note| note.contains("without a link"))
    );

    let dated = find(
        &only_feeds(),
        json!({ "words": "velmoran", "from": "2026-09-01" }),
    );
    assert_eq!(dated.sources.len(), 3);
    assert!(
        dated
            .notes
            .iter()
            .any(|note| note.contains("without a proper date"))
    );
    let english = find(
        &only_feeds(),
        json!({ "words": "velmoran", "language": "en" }),
    );
    assert_eq!(english.sources.len(), 4);
}

#[test]
fn the_same_address_from_service_and_feed_is_one_source() {
    let both = NewsSites {
        newsapi: Some(site("newsapi")),
        feeds: feeds(),
    };
    let found = find(
        &both,
        json!({ "words": "zephrane tavodrostat application", "from": "2026-06-01" }),
    );
    let mut ids: Vec<&str> = found
        .sources
        .iter()
        .map(|source| source.id.as_str())
        .collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
    assert!(
        found.sources[0]
            .url
            .ends_with("/2026/zephrane-files-tavodrostat")
    );
}

#[test]
fn settings_and_searches_that_cannot_be() {
    let error = lookup(&NewsSites::default(), search(json!({ "words": "x" })))
        .begin()
        .unwrap_err();
    assert!(
        matches!(&error, LookupError::InvalidSetting(said) if said.contains("lookups.newsapi.key") && said.contains("lookups.feeds.urls"))
    );

    let mut wrong = service();
    wrong.newsapi.as_mut().unwrap().key = Some("guessed".into());
    let error = Drive::new()
        .run(lookup(&wrong, search(json!({ "words": "x" }))))
        .unwrap_err();
    assert!(matches!(&error, LookupError::InvalidSetting(said) if said.contains("apiKeyInvalid")));

    for (fields, part) in [
        (json!({ "words": " ?! " }), "requires words"),
        (json!({ "words": "x", "from": "2026" }), "`from`"),
        (json!({ "words": "x", "language": "english" }), "`language`"),
        (json!({ "words": "x", "most": 101 }), "between 1 and 100"),
    ] {
        let error = lookup(&service(), search(fields)).begin().unwrap_err();
        assert!(
            matches!(&error, LookupError::InvalidSearch(said) if said.contains(part)),
            "{error:?}"
        );
    }
}

#[test]
fn a_used_quota_asks_for_patience() {
    let mut drive = Drive::new();
    drive.pause_ms = HASTY_MS;
    let mut last = Ok(Found::default());
    for _ in 0..51 {
        last = drive.run(lookup(&service(), search(json!({ "words": "zeppelin" }))));
    }
    let error = last.unwrap_err();
    assert!(
        matches!(
            error,
            LookupError::Busy {
                after_seconds: Some(_),
                ..
            }
        ),
        "{error:?}"
    );
}

#[test]
fn the_errors_of_the_service_have_their_troubles() {
    let fault = |code: &str| {
        let body = json!({ "status": "error", "code": code, "message": "said" });
        let mut under_way = lookup(&service(), search(json!({ "words": "x" })));
        under_way.begin().unwrap();
        under_way
            .received(Reply::new(400, "application/json", body.to_string()))
            .unwrap_err()
    };
    assert!(matches!(
        fault("apiKeyMissing"),
        LookupError::InvalidSetting(_)
    ));
    assert!(matches!(fault("rateLimited"), LookupError::Busy { .. }));
    assert!(matches!(
        fault("parameterInvalid"),
        LookupError::InvalidSearch(_)
    ));
    assert!(matches!(
        fault("maximumResultsReached"),
        LookupError::InvalidSearch(_)
    ));
    assert!(matches!(
        fault("unexpectedError"),
        LookupError::Unavailable(_)
    ));
}

#[test]
fn wrong_answers_are_troubles_or_notes() {
    for wrong in [
        Misbehaviour::CutOff,
        Misbehaviour::Empty,
        Misbehaviour::Html,
        Misbehaviour::WrongFields,
    ] {
        let mut drive = Drive::new();
        drive.stand_ins.script(Database::Newsapi, [wrong]);
        let error = drive
            .run(lookup(&service(), search(json!({ "words": "of" }))))
            .unwrap_err();
        assert!(
            matches!(error, LookupError::Unreadable(_)),
            "{wrong:?} {error:?}"
        );

        drive
            .stand_ins
            .script(Database::Newsapi, [Misbehaviour::Behaves, wrong]);
        let found = drive
            .run(lookup(
                &service(),
                search(json!({ "words": "of", "most": 100 })),
            ))
            .unwrap();
        assert!(!found.sources.is_empty());
        assert!(
            found
                .notes
                .iter()
                .any(|note| note.starts_with("Only the first 25")),
            "{:?}",
            found.notes
        );

        drive
            .stand_ins
            .script(Database::Feeds, [Misbehaviour::Behaves, wrong]);
        let found = drive
            .run(lookup(
                &only_feeds(),
                search(json!({ "words": "velmoran" })),
            ))
            .unwrap();
        assert!(
            found
                .notes
                .iter()
                .any(|note| note.contains("kanaalpost.atom")),
            "{:?}",
            found.notes
        );
    }
}

#[test]
fn the_schema_knows_every_field() {
    let schema = NewsSearch::schema();
    let full = serde_json::to_value(search(json!({ "words": "x" }))).unwrap();
    for field in full.as_object().unwrap().keys() {
        assert!(schema["properties"][field].is_object(), "{field}");
    }
}

proptest! {
    #[test]
    fn spoilt_answers_are_an_answer_or_a_trouble(changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..20)) {
        for sites in [service(), only_feeds()] {
            let mut under_way = lookup(&sites, search(json!({ "words": "of" })));
            let Step::Send(request) = under_way.begin().unwrap() else { panic!("no request") };
            let mut reply = StandIns::default().answer(&request, 0);
            for (at, byte) in &changes {
                let length = reply.body.len();
                reply.body[at % length] = *byte;
            }
            drop(under_way.received(reply));
        }
    }
}
