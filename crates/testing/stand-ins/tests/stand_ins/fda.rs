//! openFDA against its stand-in.

use crate::support::{ALL_WRONG, World, feed, mutated, site};
use adjutant_lookups::fda::{self, Answer, Area, Class, Dataset, Search, Seriousness};
use adjutant_lookups::{Found, HttpRequest, LookupError, Site};
use adjutant_stand_ins::databases::{Database, Misbehaviour};
use proptest::prelude::*;

fn find(search: Search) -> Result<Found, LookupError> {
    World::new().drive(fda::lookup(&site("fda"), search))
}

fn counts() -> Search {
    Search {
        answer: Answer::ReactionCounts,
        ..Search::product(Dataset::Events, "velordrostat")
    }
}

#[test]
fn an_application_comes_with_products_and_submissions() {
    let found = find(Search::product(Dataset::Applications, "tavodrostat")).unwrap();
    let [application] = found.sources.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(application.id, "FDA:NDA990101");
    assert_eq!(application.published.as_deref(), Some("2026-08-14"));
    assert_eq!(
        application.details["products"][1]["active_ingredients"][0]["strength"],
        "20MG"
    );
    assert!(application.text.contains("ORIG-1: AP on 2026-08-14"));
    assert_eq!(application.reference["container-title"], "Drugs@FDA");
    let again = find(Search {
        ids: vec![application.id.clone()],
        ..Search::all(Dataset::Applications)
    })
    .unwrap();
    assert_eq!(again.sources, found.sources);
}

#[test]
fn a_label_comes_as_its_sections() {
    let found = find(Search::product(Dataset::Labels, "Zevralda")).unwrap();
    let label = &found.sources[0];
    assert!(label.text.contains(
        "ADVERSE REACTIONS: 6 ADVERSE REACTIONS Potassium above 5.5 mmol/L occurred in 6.1%"
    ));
    assert!(
        label.details["sections"]["contraindications"]
            .as_str()
            .unwrap()
            .contains("eGFR below 45")
    );
    let dated = Search {
        from: Some("2020".into()),
        ..Search::product(Dataset::Labels, "spironolactone")
    };
    assert_eq!(find(dated).unwrap().total, Some(1));
}

#[test]
fn reactions_are_counted_for_the_product_and_for_all() {
    let mut world = World::new();
    let found = world.drive(fda::lookup(&site("fda"), counts())).unwrap();
    assert_eq!(world.sent.len(), 4);
    let details = &found.sources[0].details;
    assert_eq!(details["reports"], 170);
    assert_eq!(details["all_reports"], 1884);
    assert_eq!(
        details["reactions"][0],
        serde_json::json!({ "reaction": "HYPERKALAEMIA", "reports": 61, "all_reports": 258 })
    );
    assert!(
        found.sources[0]
            .text
            .contains("HYPERKALAEMIA: 61 (all drugs: 258)")
    );
    assert!(
        found
            .notes
            .iter()
            .any(|note| note.starts_with("spontaneous reports"))
    );
}

#[test]
fn counts_of_the_product_stay_if_those_of_all_fail() {
    for wrong in ALL_WRONG {
        let script = [Misbehaviour::Behaves, Misbehaviour::Behaves, wrong];
        let mut world = World::scripted(Database::Fda, &script);
        let found = world.drive(fda::lookup(&site("fda"), counts())).unwrap();
        assert_eq!(
            found.sources[0].details["reactions"][0]["all_reports"],
            serde_json::Value::Null
        );
        assert!(
            found
                .notes
                .iter()
                .any(|note| note.starts_with("some counts")),
            "{wrong:?}"
        );
    }
}

#[test]
fn reports_are_paged_by_their_cursor() {
    let search = Search {
        most: 200,
        ..Search::product(Dataset::Events, "spironolactone")
    };
    let mut world = World::new();
    let found = world.drive(fda::lookup(&site("fda"), search)).unwrap();
    assert_eq!(
        (found.sources.len(), found.total, world.sent.len()),
        (200, Some(284), 2)
    );
    assert!(
        world.sent[1].url.contains("search_after=0%3D100") && !world.sent[1].url.contains("skip=")
    );
    let serious = Search {
        reaction: Some("hyperkalaemia".into()),
        seriousness: Seriousness::Serious,
        most: 200,
        ..Search::product(Dataset::Events, "velordrostat")
    };
    let found = find(serious).unwrap();
    assert_eq!((found.sources.len(), found.total), (61, Some(61)));
    assert!(
        found.sources[0]
            .text
            .starts_with("Reactions: Hyperkalaemia. Drugs: VELORDROSTAT.")
    );
}

#[test]
fn a_page_that_fails_later_leaves_what_came() {
    for wrong in ALL_WRONG {
        let search = Search {
            most: 200,
            ..Search::product(Dataset::Events, "spironolactone")
        };
        let mut world = World::scripted(Database::Fda, &[Misbehaviour::Behaves, wrong]);
        let found = world
            .drive(fda::lookup(&site("fda"), search.clone()))
            .unwrap();
        assert_eq!(found.sources.len(), 100, "{wrong:?}");
        let mut world = World::scripted(Database::Fda, &[wrong]);
        assert!(
            world.drive(fda::lookup(&site("fda"), search)).is_err(),
            "{wrong:?}"
        );
    }
}

#[test]
fn devices_and_recalls_are_found() {
    let cleared = find(Search {
        from: Some("2020".into()),
        ..Search::product(Dataset::Clearances, "ambulatory")
    })
    .unwrap();
    assert_eq!(cleared.sources[0].id, "FDA:K990002");
    assert_eq!(cleared.sources[0].published.as_deref(), Some("2023-11-03"));
    let first = find(Search {
        classes: vec![Class::First],
        ..Search::all(Dataset::Recalls)
    })
    .unwrap();
    assert_eq!(
        (first.sources.len(), first.sources[0].id.as_str()),
        (1, "FDA:D-9902-2022")
    );
    let devices = Search {
        area: Area::Device,
        classes: vec![Class::First, Class::Second],
        ..Search::all(Dataset::Recalls)
    };
    assert_eq!(find(devices).unwrap().total, Some(2));
}

#[test]
fn no_match_is_a_result_and_no_failure() {
    for search in [
        Search::product(Dataset::Labels, "no such drug"),
        Search {
            product: Some("no such".into()),
            ..counts()
        },
    ] {
        let found = find(search).unwrap();
        assert_eq!((found.sources.len(), found.total), (0, Some(0)));
    }
}

#[test]
fn nobody_breaks_out_of_a_phrase() {
    let found = find(Search::product(
        Dataset::Labels,
        "x\" OR openfda.brand_name:\"Zevralda",
    ))
    .unwrap();
    assert_eq!(found.total, Some(0));
}

#[test]
fn a_search_that_cannot_be_is_refused() {
    for search in [
        Search::all(Dataset::Labels),
        Search {
            reaction: Some("x".into()),
            ..Search::product(Dataset::Labels, "x")
        },
        Search {
            area: Area::Device,
            ..Search::product(Dataset::Events, "x")
        },
        Search {
            most: 0,
            ..Search::product(Dataset::Labels, "x")
        },
        Search {
            to: Some("never".into()),
            ..Search::product(Dataset::Labels, "x")
        },
    ] {
        assert!(
            matches!(find(search.clone()), Err(LookupError::InvalidSearch(_))),
            "{search:?}"
        );
    }
}

#[test]
fn keys_and_limits_are_the_databases_own() {
    let wrong = Site {
        key: Some("invalid".into()),
        ..site("fda")
    };
    let outcome = World::new().drive(fda::lookup(&wrong, counts()));
    assert!(
        matches!(outcome, Err(LookupError::InvalidSetting(_))),
        "{outcome:?}"
    );
    let mut world = World::new();
    world.pause = 1;
    let mut outcome = Ok(Found::default());
    for _ in 0..241 {
        outcome = world.drive(fda::lookup(
            &site("fda"),
            Search::product(Dataset::Clearances, "ambulatory"),
        ));
    }
    assert!(
        matches!(
            outcome,
            Err(LookupError::Busy {
                after_seconds: Some(60),
                ..
            })
        ),
        "{outcome:?}"
    );
}

#[test]
fn what_is_too_far_is_refused_as_the_database_does() {
    let mut world = World::new();
    let request = |pairs: &str| {
        HttpRequest::get(format!("http://127.0.0.1:4000/fda/drug/event.json?{pairs}"))
    };
    for pairs in ["skip=25001", "limit=1001", "limit=x", "search=(a"] {
        let reply = world.send(&request(pairs));
        assert_eq!(reply.status, 400, "{pairs}");
        assert!(String::from_utf8_lossy(&reply.body).contains("BAD_REQUEST"));
    }
}

#[test]
fn the_schema_takes_what_the_search_takes() {
    let given = serde_json::json!({ "database": "510k", "product": "x", "classes": ["I"], "answer": "records", "area": "drug" });
    let search: Search = serde_json::from_value(given.clone()).unwrap();
    assert_eq!(search.database, Dataset::Clearances);
    for name in given.as_object().unwrap().keys() {
        assert!(fda::schema()["properties"].get(name).is_some(), "{name}");
    }
}

proptest! {
    #[test]
    fn no_bytes_are_too_strange(body in prop::collection::vec(any::<u8>(), 0..300), status in 200u16..600) {
        feed(fda::lookup(&site("fda"), counts()), status, &[body.clone(), body.clone()]);
        feed(fda::lookup(&site("fda"), Search::product(Dataset::Labels, "x")), status, &[body]);
    }

    #[test]
    fn no_change_of_a_proper_answer_is_too_strange(
        changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..40)
    ) {
        let places = [
            (Dataset::Applications, "drug/drugsfda.json?limit=3"),
            (Dataset::Labels, "drug/label.json?limit=2"),
            (Dataset::Events, "drug/event.json?limit=3"),
            (Dataset::Clearances, "device/510k.json?limit=3"),
            (Dataset::Recalls, "drug/enforcement.json?limit=3"),
        ];
        for (dataset, place) in places {
            let request = HttpRequest::get(format!("http://127.0.0.1:4000/fda/{place}"));
            let proper = World::new().send(&request).body;
            feed(fda::lookup(&site("fda"), Search::product(dataset, "x")), 200, &[mutated(proper, &changes)]);
        }
    }
}
