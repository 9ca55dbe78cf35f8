//! Patent searches against both offices as they are stood in for.

use crate::driving::{Drive, HASTY_MS, site};
use adjutant_lookups::patents::{Office, PatentSearch, PatentSites, lookup};
use adjutant_lookups::{Found, HttpRequest, Lookup, LookupError, Reply, Step};
use adjutant_stand_ins::databases::{Database, Misbehaviour, StandIns};
use proptest::prelude::*;
use serde_json::json;

fn sites() -> PatentSites {
    PatentSites {
        uspto: Some(site("uspto")),
        epo: Some(site("epo")),
    }
}

fn search(fields: serde_json::Value) -> PatentSearch {
    serde_json::from_value(fields).unwrap()
}

fn find(fields: serde_json::Value) -> Found {
    Drive::new().run(lookup(&sites(), search(fields))).unwrap()
}

fn ids(found: &Found) -> Vec<&str> {
    found
        .sources
        .iter()
        .map(|source| source.id.as_str())
        .collect()
}

#[test]
fn a_grant_of_europe_has_all_its_parts() {
    let found = find(
        json!({ "words": "benzimidazolone aldosterone", "office": "ep", "published_from": "2016-01-01", "published_to": "2016-12-31" }),
    );
    assert_eq!(ids(&found), ["EP:EP93998211B1"]);
    assert_eq!(found.total, Some(1));
    let source = &found.sources[0];
    assert!(source.text.contains("velordrostat"));
    assert_eq!(source.published.as_deref(), Some("2016-05-03"));
    let details = &source.details;
    assert_eq!(
        details["applicants"],
        json!(["Orrinvale Therapeutics B.V."])
    );
    assert_eq!(
        details["inventors"],
        json!(["Halbertsma, Wietse", "Achterhuis, Noor"])
    );
    assert_eq!(
        details["ipc"],
        json!(["C07D403/10", "A61K31/4184", "A61P9/12"])
    );
    assert_eq!(details["cpc"][3], "A61P13/12");
    assert_eq!(details["filed"], "2011-08-14");
    assert_eq!(details["priority"], "2010-08-16");
    assert_eq!(details["granted"], "2016-05-03");
    assert_eq!(details["family"], "990000101");
    assert_eq!(details["application_number"], "EP20110993821");
    assert_eq!(details["expiry"]["date"], "2031-08-14");
    assert_eq!(
        details["expiry"]["calculated"],
        "20 years from filing, without extensions"
    );
    assert_eq!(source.reference["type"], "patent");
    assert_eq!(
        source.reference["author"][0],
        json!({ "family": "Halbertsma", "given": "Wietse" })
    );
    assert_eq!(
        source.reference["issued"],
        json!({ "date-parts": [[2016, 5, 3]] })
    );
}

#[test]
fn a_record_of_the_united_states_says_what_it_can_without_an_abstract() {
    let found =
        find(json!({ "words": "velordrostat tablet", "office": "us", "applicant": "Orrinvale" }));
    assert_eq!(ids(&found), ["US:US20259917562A1"]);
    let source = &found.sources[0];
    assert!(source.text.contains("Status: Non Final Action Mailed."));
    assert_eq!(source.details["application_number"], "99200562");
    assert_eq!(source.details["cpc"][0], "A61K9/2054");
    assert!(source.url.ends_with("/99200562"));
}

#[test]
fn the_kind_of_a_grant_is_worked_out() {
    let all = find(json!({ "words": "patented", "office": "us", "most": 100 }));
    let known = ids(&all);
    for id in ["US:US99100211B2", "US:US99600560B1", "US:USD9990001S1"] {
        assert!(known.contains(&id), "{id} in {known:?}");
    }
}

#[test]
fn both_offices_take_turns() {
    let found = find(json!({ "words": "velordrostat", "most": 5 }));
    assert_eq!(found.sources.len(), 5);
    let starts: Vec<&str> = ids(&found).iter().map(|id| &id[..3]).collect();
    assert_eq!(starts[..4], ["US:", "EP:", "US:", "EP:"]);
    assert_eq!(found.notes, Vec::<String>::new());
}

#[test]
fn pages_are_asked_for_until_there_is_enough() {
    let mut drive = Drive::new();
    let wanted = search(json!({ "words": "of", "office": "ep", "most": 100 }));
    let found = drive.run(lookup(&sites(), wanted)).unwrap();
    let total = found.total.unwrap();
    assert!(total > 10, "{total}");
    assert_eq!(found.sources.len() as u64, total);
    assert_eq!(drive.sent.len(), 3, "a token and two pages");

    let mut drive = Drive::new();
    let wanted = search(json!({ "words": "9", "applicant": "orrinvale", "office": "us" }));
    assert_eq!(drive.run(lookup(&sites(), wanted)).unwrap().total, Some(0));
}

#[test]
fn nothing_found_is_an_empty_result() {
    for office in ["us", "ep", "both"] {
        let found = find(json!({ "words": "zeppelin", "office": office }));
        assert_eq!((found.sources.len(), found.total), (0, Some(0)), "{office}");
    }
}

#[test]
fn signs_cannot_leave_their_place() {
    let found = find(json!({ "words": "velordrostat\" or pa=\"x) OR (*:*", "office": "both" }));
    assert_eq!(found.total, Some(0));
}

#[test]
fn a_missing_key_is_named() {
    let none = PatentSites::default();
    let error = lookup(&none, search(json!({ "words": "x" })))
        .begin()
        .unwrap_err();
    assert!(
        matches!(&error, LookupError::InvalidSetting(said) if said.contains("lookups.uspto.key") && said.contains("lookups.epo.secret"))
    );

    let only_us = PatentSites {
        epo: None,
        ..sites()
    };
    let found = Drive::new()
        .run(lookup(&only_us, search(json!({ "words": "velordrostat" }))))
        .unwrap();
    assert!(
        found
            .sources
            .iter()
            .all(|source| source.id.starts_with("US:"))
    );
    assert!(found.notes[0].contains("lookups.epo.key"));

    let error = lookup(&only_us, search(json!({ "words": "x", "office": "ep" })))
        .begin()
        .unwrap_err();
    assert!(matches!(error, LookupError::InvalidSetting(_)));
}

#[test]
fn a_wrong_key_is_a_setting() {
    for office in ["us", "ep"] {
        let mut sites = sites();
        for site in [&mut sites.uspto, &mut sites.epo].into_iter().flatten() {
            site.key = Some("guessed".into());
        }
        let wanted = search(json!({ "words": "x", "office": office }));
        let error = Drive::new().run(lookup(&sites, wanted)).unwrap_err();
        assert!(
            matches!(error, LookupError::InvalidSetting(_)),
            "{office}: {error:?}"
        );
    }
}

#[test]
fn bad_searches_say_what_is_wrong() {
    for (fields, part) in [
        (json!({}), "needs words"),
        (json!({ "words": "x", "most": 0 }), "between 1 and 100"),
        (
            json!({ "words": "x", "published_from": "May" }),
            "published_from",
        ),
        (json!({ "classification": "hello" }), "IPC or CPC"),
        (
            json!({ "words": "x", "published_from": "2020-01-02", "published_to": "2020-01-01" }),
            "is after",
        ),
    ] {
        let error = lookup(&sites(), search(fields)).begin().unwrap_err();
        assert!(
            matches!(&error, LookupError::InvalidSearch(said) if said.contains(part)),
            "{error:?}"
        );
    }
}

#[test]
fn a_token_that_ran_out_is_renewed_once() {
    let mut drive = Drive::new();
    drive.pause_ms = 1_300_000;
    let wanted = search(json!({ "words": "velordrostat", "office": "ep" }));
    let error = drive.run(lookup(&sites(), wanted.clone())).unwrap_err();
    assert_eq!(drive.sent.len(), 4, "two tokens and two searches");
    assert!(matches!(error, LookupError::Unavailable(_)), "{error:?}");

    let mut stand_ins = StandIns::default();
    let mut under_way = lookup(&sites(), wanted);
    let mut step = under_way.begin().unwrap();
    let instants = [0, 1_300_000, 1_300_001, 1_300_002];
    for now in instants {
        let Step::Send(request) = step else {
            panic!("too early an end")
        };
        step = under_way.received(stand_ins.answer(&request, now)).unwrap();
    }
    assert!(matches!(step, Step::Done(found) if !found.sources.is_empty()));
}

#[test]
fn a_used_quota_asks_for_patience() {
    for (office, before) in [("us", 60), ("ep", 14)] {
        let mut drive = Drive::new();
        drive.pause_ms = HASTY_MS;
        let wanted = || search(json!({ "words": "zeppelin", "office": office }));
        let mut last = Ok(Found::default());
        for _ in 0..=before * 3 {
            last = drive.run(lookup(&sites(), wanted()));
            if last.is_err() {
                break;
            }
        }
        let error = last.unwrap_err();
        assert!(
            matches!(
                error,
                LookupError::Busy {
                    after_seconds: Some(1..=60),
                    ..
                }
            ),
            "{error:?}"
        );
    }
}

#[test]
fn a_page_that_fails_after_others_is_a_note() {
    for (office, words, database, script) in [
        (
            "us",
            "utility",
            Database::Uspto,
            vec![Misbehaviour::Behaves, Misbehaviour::ServerError],
        ),
        (
            "ep",
            "of",
            Database::Epo,
            vec![
                Misbehaviour::Behaves,
                Misbehaviour::Behaves,
                Misbehaviour::CutOff,
            ],
        ),
    ] {
        let mut drive = Drive::new();
        drive.stand_ins.script(database, script);
        let wanted = search(json!({ "words": words, "office": office, "most": 50 }));
        let found = drive.run(lookup(&sites(), wanted)).unwrap();
        assert_eq!(found.sources.len(), 10, "{office}");
        assert!(
            found.notes[0].starts_with("Only the first 10 "),
            "{:?}",
            found.notes
        );
    }
}

#[test]
fn wrong_answers_are_troubles_and_one_office_is_enough() {
    for wrong in [
        Misbehaviour::CutOff,
        Misbehaviour::Empty,
        Misbehaviour::Html,
        Misbehaviour::WrongFields,
    ] {
        for (office, database) in [(Office::Us, Database::Uspto), (Office::Ep, Database::Epo)] {
            let mut drive = Drive::new();
            drive.stand_ins.script(database, [wrong]);
            let mut wanted = search(json!({ "words": "velordrostat" }));
            wanted.office = office;
            let error = drive.run(lookup(&sites(), wanted.clone())).unwrap_err();
            assert!(
                matches!(error, LookupError::Unreadable(_)),
                "{wrong:?} {error:?}"
            );

            drive.stand_ins.script(database, [wrong]);
            wanted.office = Office::Both;
            let found = drive.run(lookup(&sites(), wanted)).unwrap();
            assert!(!found.sources.is_empty());
            assert_eq!(found.notes.len(), 1);
            assert_eq!(found.total, None);
        }
    }
}

#[test]
fn the_schema_knows_every_field() {
    let schema = PatentSearch::schema();
    let full = serde_json::to_value(search(json!({ "words": "x" }))).unwrap();
    for field in full.as_object().unwrap().keys() {
        assert!(schema["properties"][field].is_object(), "{field}");
    }
}

/// The first answer to a search with content, to be spoilt.
fn proper_answer(office: &str) -> Reply {
    let mut stand_ins = StandIns::default();
    let mut under_way = lookup(
        &sites(),
        search(json!({ "words": "velordrostat", "office": office })),
    );
    let mut step = under_way.begin().unwrap();
    let exchanges = if office == "ep" { 2 } else { 1 };
    let mut reply = Reply::new(500, "", "");
    for _ in 0..exchanges {
        let Step::Send(request) = step else {
            panic!("no request")
        };
        reply = stand_ins.answer(&request, 1000);
        step = under_way.received(reply.clone()).unwrap();
    }
    reply
}

fn at_the_page(office: &str) -> impl Lookup {
    let mut under_way = lookup(
        &sites(),
        search(json!({ "words": "velordrostat", "office": office })),
    );
    let mut step = under_way.begin().unwrap();
    if office == "ep" {
        let token = Reply::new(200, "application/json", r#"{"access_token":"t"}"#);
        step = under_way.received(token).unwrap();
    }
    assert!(matches!(step, Step::Send(HttpRequest { .. })));
    under_way
}

proptest! {
    #[test]
    fn any_bytes_are_an_answer_or_a_trouble(body in prop::collection::vec(any::<u8>(), 0..300), status in prop::sample::select(vec![200_u16, 206, 302, 400, 403, 404, 500])) {
        for office in ["us", "ep"] {
            let reply = Reply::new(status, "application/xml", body.clone());
            drop(at_the_page(office).received(reply));
        }
    }

    #[test]
    fn spoilt_answers_are_an_answer_or_a_trouble(changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..20)) {
        for office in ["us", "ep"] {
            let mut reply = proper_answer(office);
            for (at, byte) in &changes {
                let length = reply.body.len();
                reply.body[at % length] = *byte;
            }
            drop(at_the_page(office).received(reply));
        }
    }
}
