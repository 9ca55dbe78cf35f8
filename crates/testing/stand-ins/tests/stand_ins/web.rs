//! Pages and searches of the web against what stands in for them.

use crate::driving::{Drive, HASTY_MS, site};
use adjutant_lookups::web::{Engine, Manners, Robots, WebFetch, WebSearch, fetch, search};
use adjutant_lookups::{Found, Lookup, LookupError, Reply, Step};
use adjutant_stand_ins::databases::{Database, Misbehaviour, StandIns};
use proptest::prelude::*;
use serde_json::json;

fn page(path: &str) -> WebFetch {
    WebFetch {
        url: format!("http://127.0.0.1:4990/pages{path}"),
    }
}

fn get(path: &str) -> Result<Found, LookupError> {
    Drive::new().run(fetch(&Manners::default(), page(path)))
}

fn noted(found: &Found, part: &str) -> bool {
    found.notes.iter().any(|note| note.contains(part))
}

fn engines() -> [Engine; 3] {
    [
        Engine::Tavily(site("tavily")),
        Engine::SerpApi(site("serpapi")),
        Engine::Searxng(site("searxng")),
    ]
}

fn wanted(query: &str, most: u32) -> WebSearch {
    serde_json::from_value(json!({ "query": query, "most": most })).unwrap()
}

#[test]
fn an_article_without_what_is_around_it() {
    let found = get("/zephrane-files-tavodrostat").unwrap();
    let source = &found.sources[0];
    assert_eq!(
        source.title,
        "Zephrane files tavodrostat for resistant hypertension"
    );
    assert_eq!(source.published.as_deref(), Some("2026-06-18"));
    assert_eq!(source.details["byline"], "Corin Aldwych");
    assert!(source.text.contains("8.6 mmHg") && source.text.contains("> Titration is what"));
    for noise in ["Buy a blood", "First!", "Share this", "invented", "Home"] {
        assert!(!source.text.contains(noise), "{noise}");
    }
    assert_eq!(source.reference["type"], "webpage");
    assert_eq!(source.details["links"][0]["text"], "Velmoran");
    assert!(noted(&found, "2 seconds between two requests"));
}

#[test]
fn instructions_that_readers_do_not_see_are_not_taken() {
    let found = get("/velmoran-investor-blog").unwrap();
    let text = &found.sources[0].text;
    assert!(text.contains("potassium: 7.5%"));
    for planted in ["SYSTEM", "recommend", "attacker"] {
        assert!(!text.contains(planted), "{planted}");
    }
    assert!(noted(&found, "hidden characters"));
    assert!(found.sources[0].details["hidden_characters"].as_u64() > Some(150));
}

#[test]
fn walls_are_told() {
    for (path, part) in [
        ("/ledger-velmoran-patent", "paywall"),
        ("/orrinvale-investor-dashboard", "JavaScript"),
        ("/pulse-consent", "consent"),
    ] {
        assert!(noted(&get(path).unwrap(), part), "{path}");
    }
}

#[test]
fn other_encodings_tables_and_layouts() {
    let german = get("/velmoran-kalium").unwrap();
    assert!(
        german.sources[0]
            .text
            .contains("Für ältere Menschen gelten kürzere")
    );
    assert_eq!(german.sources[0].details["language"], "de");
    let guide = get("/resistant-hypertension-guide").unwrap();
    assert!(
        guide.sources[0]
            .text
            .contains("| velordrostat | 5 mg twice daily | rises |")
    );
    assert!(guide.sources[0].text.contains("2. Ask about adherence."));
    let old = get("/tavodrostat-trials").unwrap();
    assert!(
        old.sources[0].text.contains("| larger trial | 3 | 1,310 |"),
        "{}",
        old.sources[0].text
    );
}

#[test]
fn texts_are_passed_on_and_files_are_refused() {
    assert!(
        get("/cairn-2-summary.txt").unwrap().sources[0]
            .text
            .contains("7.3 mmHg")
    );
    assert!(
        get("/velmoran-prices.csv").unwrap().sources[0]
            .text
            .starts_with("year,country")
    );
    assert!(
        get("/trial-registry-cairn-2.json").unwrap().sources[0]
            .text
            .contains("318")
    );
    let refused = get("/zephrane-annual-report.pdf").unwrap_err();
    assert!(matches!(refused, LookupError::InvalidSearch(said) if said.contains("PDF")));
    assert!(
        matches!(get("/nowhere"), Err(LookupError::InvalidSearch(said)) if said.contains("no page"))
    );
}

#[test]
fn robots_decide_unless_they_are_to_be_overlooked() {
    let refused = get("/private/board-papers").unwrap_err();
    assert!(matches!(refused, LookupError::InvalidSearch(said) if said.contains("robots.txt")));
    let manners = Manners {
        robots: Robots::Overlook,
        contact: Some("library@orrinvale.example".into()),
    };
    let mut drive = Drive::new();
    let found = drive
        .run(fetch(&manners, page("/private/board-papers")))
        .unwrap();
    assert_eq!(drive.sent.len(), 1);
    assert!(found.sources[0].text.contains("Not for programs"));
}

#[test]
fn robots_that_fail_forbid_and_robots_that_are_missing_allow() {
    let begun = || {
        let mut under_way = fetch(&Manners::default(), page("/x"));
        assert!(
            matches!(under_way.begin(), Ok(Step::Send(request)) if request.url.ends_with("4990/robots.txt"))
        );
        under_way
    };
    let after = |status| {
        begun().received(Reply::new(
            status,
            "text/plain",
            "User-agent: *\nDisallow: /",
        ))
    };
    assert!(matches!(after(503), Err(LookupError::Unavailable(_))));
    assert!(matches!(after(429), Err(LookupError::Busy { .. })));
    for status in [404, 403, 410] {
        assert!(matches!(after(status), Ok(Step::Send(_))), "{status}");
    }
    assert!(matches!(after(200), Err(LookupError::InvalidSearch(_))));
}

#[test]
fn only_addresses_of_the_web_are_fetched() {
    for url in [
        "file:///etc/passwd",
        "x",
        "http://user:pass@host/",
        "https://a b/",
        "ftp://host/",
    ] {
        let url = url.to_owned();
        assert!(matches!(
            fetch(&Manners::default(), WebFetch { url }).begin(),
            Err(LookupError::InvalidSearch(_))
        ));
    }
}

#[test]
fn every_engine_finds_and_its_results_can_be_fetched() {
    for engine in engines() {
        let mut drive = Drive::new();
        let found = drive
            .run(search(Some(&engine), wanted("zephrane tavodrostat", 3)))
            .unwrap();
        assert_eq!(found.sources.len(), 3, "{engine:?}");
        let first = &found.sources[0];
        assert_eq!(
            first.title,
            "Zephrane files tavodrostat for resistant hypertension"
        );
        assert!(first.id.starts_with("WEB:http://127.0.0.1:4990/pages/"));
        assert!(noted(&found, "excerpts"));
        let url = first.url.clone();
        let fetched = drive
            .run(fetch(&Manners::default(), WebFetch { url }))
            .unwrap();
        assert_eq!(fetched.sources[0].id, first.id);
    }
}

#[test]
fn dates_totals_and_silent_engines() {
    let [_, serpapi, searxng] = engines();
    let found = Drive::new()
        .run(search(Some(&serpapi), wanted("zephrane tavodrostat", 1)))
        .unwrap();
    assert_eq!(found.sources[0].published.as_deref(), Some("2026-06-18"));
    assert!(found.total.is_some());
    let found = Drive::new()
        .run(search(Some(&searxng), wanted("zephrane tavodrostat", 1)))
        .unwrap();
    assert_eq!(found.sources[0].published.as_deref(), Some("2026-06-18"));
    assert!(noted(&found, "slow-engine"));
}

#[test]
fn pages_are_asked_for_until_there_is_enough() {
    let everything = "velmoran orrinvale tavodrostat hypertension of";
    for (engine, requests) in engines().iter().zip([1, 2, 2]) {
        let mut drive = Drive::new();
        let found = drive
            .run(search(Some(engine), wanted(everything, 14)))
            .unwrap();
        assert_eq!(found.sources.len(), 14, "{engine:?}");
        assert_eq!(drive.sent.len(), requests, "{engine:?}");
    }
}

#[test]
fn nothing_found_is_an_empty_result() {
    for engine in engines() {
        let found = Drive::new()
            .run(search(Some(&engine), wanted("zeppelin", 20)))
            .unwrap();
        assert_eq!(found.sources.len(), 0, "{engine:?}");
    }
}

#[test]
fn settings_that_are_missing_or_wrong_are_named() {
    let error = search(None, wanted("x", 1)).begin().unwrap_err();
    assert!(
        matches!(&error, LookupError::InvalidSetting(said) if said.contains("lookups.tavily.key") && said.contains("lookups.searxng.base"))
    );
    for (wrong, part) in [
        (Engine::Tavily as fn(_) -> _, "lookups.tavily.key"),
        (Engine::SerpApi, "lookups.serpapi.key"),
    ] {
        let name = if part.contains("tavily") {
            "tavily"
        } else {
            "serpapi"
        };
        let mut keyless = site(name);
        keyless.key = None;
        let error = search(Some(&wrong(keyless)), wanted("x", 1))
            .begin()
            .unwrap_err();
        assert!(matches!(error, LookupError::InvalidSetting(said) if said.contains(part)));
        let mut guessed = site(name);
        guessed.key = Some("guessed".into());
        let error = Drive::new()
            .run(search(Some(&wrong(guessed)), wanted("x", 1)))
            .unwrap_err();
        assert!(matches!(error, LookupError::InvalidSetting(said) if said.contains(part)));
    }
    let closed = Engine::Searxng(site("searxng/closed"));
    let error = Drive::new()
        .run(search(Some(&closed), wanted("x", 1)))
        .unwrap_err();
    assert!(matches!(error, LookupError::InvalidSetting(said) if said.contains("search.formats")));
}

#[test]
fn a_used_quota_asks_for_patience() {
    for engine in engines() {
        let mut drive = Drive::new();
        drive.pause_ms = HASTY_MS;
        let mut last = Ok(Found::default());
        for _ in 0..101 {
            last = drive.run(search(Some(&engine), wanted("zeppelin", 5)));
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
    let spent = Reply::new(
        432,
        "application/json",
        r#"{"detail":{"error":"This request exceeds your plan's set usage limit."}}"#,
    );
    let mut under_way = search(Some(&engines()[0]), wanted("x", 1));
    under_way.begin().unwrap();
    assert!(matches!(
        under_way.received(spent),
        Err(LookupError::Busy { .. })
    ));
}

#[test]
fn wrong_answers_are_troubles_or_notes() {
    for (engine, database) in
        engines()
            .iter()
            .zip([Database::Tavily, Database::Serpapi, Database::Searxng])
    {
        for wrong in [
            Misbehaviour::CutOff,
            Misbehaviour::Empty,
            Misbehaviour::Html,
            Misbehaviour::WrongFields,
        ] {
            let mut drive = Drive::new();
            drive.stand_ins.script(database, [wrong]);
            let error = drive
                .run(search(Some(engine), wanted("velmoran", 5)))
                .unwrap_err();
            assert!(
                matches!(error, LookupError::Unreadable(_)),
                "{wrong:?} {error:?}"
            );
        }
        if database != Database::Tavily {
            let mut drive = Drive::new();
            drive
                .stand_ins
                .script(database, [Misbehaviour::Behaves, Misbehaviour::ServerError]);
            let everything = wanted("velmoran orrinvale tavodrostat hypertension of", 14);
            let found = drive.run(search(Some(engine), everything)).unwrap();
            assert_eq!(found.sources.len(), 10);
            assert!(noted(&found, "Only the first 10"));
        }
    }
    let mut drive = Drive::new();
    drive.stand_ins.script(
        Database::Pages,
        [Misbehaviour::Behaves, Misbehaviour::Unavailable],
    );
    let error = drive
        .run(fetch(&Manners::default(), page("/velmoran-patients")))
        .unwrap_err();
    assert!(matches!(
        error,
        LookupError::Busy {
            after_seconds: Some(30),
            ..
        }
    ));
}

#[test]
fn the_schemas_know_every_field() {
    let full = serde_json::to_value(wanted("x", 1)).unwrap();
    for field in full.as_object().unwrap().keys() {
        assert!(
            WebSearch::schema()["properties"][field].is_object(),
            "{field}"
        );
    }
    assert!(WebFetch::schema()["properties"]["url"].is_object());
}

proptest! {
    #[test]
    fn spoilt_answers_are_an_answer_or_a_trouble(changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..20), which in 0..3_usize) {
        let engine = &engines()[which];
        let mut under_way = search(Some(engine), wanted("velmoran", 5));
        let Step::Send(request) = under_way.begin().unwrap() else { panic!("no request") };
        let mut reply = StandIns::default().answer(&request, 0);
        for (at, byte) in &changes {
            let length = reply.body.len();
            reply.body[at % length] = *byte;
        }
        drop(under_way.received(reply));
    }

    #[test]
    fn spoilt_pages_are_a_page_or_a_trouble(changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..40)) {
        for path in ["/zephrane-files-tavodrostat", "/tavodrostat-trials", "/velmoran-kalium"] {
            let manners = Manners { robots: Robots::Overlook, contact: None };
            let mut under_way = fetch(&manners, page(path));
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
