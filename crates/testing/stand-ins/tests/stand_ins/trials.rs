//! ClinicalTrials.gov against its stand-in.

use crate::support::{ALL_WRONG, World, feed, mutated, site};
use adjutant_lookups::trials::{self, Phase, Results, Search, Sort, Status};
use adjutant_lookups::{Found, HttpRequest, LookupError};
use adjutant_stand_ins::databases::{Database, Misbehaviour};
use proptest::prelude::*;

fn find(search: Search) -> Result<Found, LookupError> {
    World::new().drive(trials::lookup(&site("trials"), search))
}

fn drug(name: &str) -> Search {
    Search {
        intervention: Some(name.into()),
        most: 200,
        ..Search::default()
    }
}

fn acronyms(found: &Found) -> Vec<&str> {
    found
        .sources
        .iter()
        .filter_map(|source| source.details["acronym"].as_str())
        .collect()
}

#[test]
fn a_study_comes_with_its_design_and_its_results() {
    let found = find(Search {
        title: Some("CAIRN-2".into()),
        ..Search::default()
    })
    .unwrap();
    let [study] = found.sources.as_slice() else {
        panic!("{}", found.sources.len())
    };
    assert_eq!(study.id, "NCT:NCT99000201");
    let details = &study.details;
    assert_eq!(details["enrolment"]["count"], 318);
    assert_eq!(details["phases"][0], "PHASE2");
    assert_eq!(details["dates"]["start"]["type"], "ACTUAL");
    assert_eq!(details["countries"]["Germany"], 3);
    assert_eq!(details["sponsor"], "Orrinvale Therapeutics B.V.");
    assert_eq!(
        details["primary_outcomes"][0]["measure"],
        "Change from baseline in office seated systolic blood pressure"
    );
    let results = &details["results"];
    assert_eq!(results["participants"][2]["count"], 106);
    assert_eq!(
        results["primary_outcomes"][0]["analyses"][0]["estimate"],
        "-7.3"
    );
    assert_eq!(results["adverse_events"][2]["serious"], 7);
    assert!(study.text.contains("Result: Patients with serum potassium above 6.0 mmol/L: Velordrostat MR 40 mg: 5 Participants"));
    assert!(
        study.text.contains(
            "Velordrostat MR 40 mg against Placebo: -7.3 (from -10.6 to -4.0), p <0.0001"
        )
    );
    assert_eq!(study.reference["container-title"], "ClinicalTrials.gov");
    assert_eq!(
        study.reference["issued"]["date-parts"][0],
        serde_json::json!([2026, 5, 12])
    );
}

#[test]
fn filters_narrow_a_search() {
    let phase_3 = find(Search {
        phases: vec![Phase::Phase3],
        ..drug("velordrostat")
    })
    .unwrap();
    assert_eq!(acronyms(&phase_3), ["CAIRN-3"]);
    assert_eq!(phase_3.total, Some(2));
    let planned = find(Search {
        statuses: vec![Status::NotYetRecruiting],
        ..drug("velordrostat OR tavodrostat")
    })
    .unwrap();
    assert_eq!(acronyms(&planned), ["CAIRN-3"]);
    let posted = find(Search {
        results: Results::Posted,
        ..drug("velordrostat OR tavodrostat")
    })
    .unwrap();
    assert_eq!(acronyms(&posted), ["CAIRN-2", "HALYARD-1"]);
    let early = find(Search {
        started_to: Some("2023".into()),
        sort: Sort::Start,
        ..drug("velordrostat")
    })
    .unwrap();
    assert_eq!(early.total, Some(2));
    let sponsor = find(Search {
        sponsor: Some("Zephrane".into()),
        condition: Some("resistant hypertension".into()),
        ..Search::default()
    })
    .unwrap();
    assert_eq!(acronyms(&sponsor), ["HALYARD-1", "HALYARD-S", "HALYARD-X"]);
}

#[test]
fn pages_follow_each_other_until_enough_is_there() {
    let all = Search {
        query: Some("NOT zzz".into()),
        most: 200,
        ..Search::default()
    };
    let mut world = World::new();
    let found = world
        .drive(trials::lookup(&site("trials"), all.clone()))
        .unwrap();
    assert_eq!(
        (found.sources.len(), found.total, world.sent.len()),
        (30, Some(30), 2)
    );
    assert!(world.sent[1].url.contains("pageToken="));
    let some = find(Search { most: 4, ..all }).unwrap();
    assert_eq!((some.sources.len(), some.total), (4, Some(30)));
}

#[test]
fn a_page_that_fails_later_leaves_what_came() {
    for wrong in ALL_WRONG {
        let search = Search {
            query: Some("NOT zzz".into()),
            most: 200,
            ..Search::default()
        };
        let mut world = World::scripted(Database::Trials, &[Misbehaviour::Behaves, wrong]);
        let found = world
            .drive(trials::lookup(&site("trials"), search.clone()))
            .unwrap();
        assert_eq!(found.sources.len(), 25, "{wrong:?}");
        assert!(
            found
                .notes
                .iter()
                .any(|note| note.contains("the next page failed"))
        );
        let mut world = World::scripted(Database::Trials, &[wrong]);
        assert!(
            world
                .drive(trials::lookup(&site("trials"), search))
                .is_err(),
            "{wrong:?}"
        );
    }
}

#[test]
fn ids_are_looked_up_and_missing_ones_named() {
    let ids = vec![
        "nct99000200".into(),
        "NCT:NCT99000204".into(),
        "NCT99999999".into(),
    ];
    let found = find(Search {
        ids,
        ..Search::default()
    })
    .unwrap();
    assert_eq!(found.sources.len(), 2);
    assert!(found.notes.contains(&"not found: NCT99999999".to_owned()));
    assert!(
        found.notes.contains(
            &"NCT:NCT99000204 was stopped: Postponed by the sponsor before the first patient"
                .to_owned()
        )
    );
}

#[test]
fn a_search_that_cannot_be_is_refused() {
    for search in [
        Search::default(),
        Search {
            ids: vec!["NCT1".into()],
            ..Search::default()
        },
        Search {
            most: 500,
            ..drug("x")
        },
        Search {
            started_from: Some("2024-13".into()),
            ..drug("x")
        },
        drug("(unclosed"),
    ] {
        assert!(
            matches!(find(search.clone()), Err(LookupError::InvalidSearch(_))),
            "{search:?}"
        );
    }
}

#[test]
fn too_many_requests_are_refused_with_a_time() {
    let mut world = World::new();
    world.pause = 10;
    let mut outcome = Ok(Found::default());
    for _ in 0..51 {
        outcome = world.drive(trials::lookup(&site("trials"), drug("velordrostat")));
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
fn one_study_has_an_address_of_its_own() {
    let mut world = World::new();
    let request = |id: &str| HttpRequest::get(format!("http://127.0.0.1:4000/trials/studies/{id}"));
    assert_eq!(world.send(&request("NCT99000201")).status, 200);
    assert_eq!(world.send(&request("NCT00000000")).status, 404);
}

#[test]
fn the_schema_takes_what_the_search_takes() {
    let given = serde_json::json!({ "condition": "x", "statuses": ["completed"], "phases": ["phase_3"], "results": "posted" });
    let search: Search = serde_json::from_value(given.clone()).unwrap();
    assert_eq!(search.phases, [Phase::Phase3]);
    for name in given.as_object().unwrap().keys() {
        assert!(trials::schema()["properties"].get(name).is_some(), "{name}");
    }
}

proptest! {
    #[test]
    fn no_bytes_are_too_strange(body in prop::collection::vec(any::<u8>(), 0..300), status in 200u16..600) {
        feed(trials::lookup(&site("trials"), drug("x")), status, &[body]);
    }

    #[test]
    fn no_change_of_a_proper_answer_is_too_strange(
        changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..40)
    ) {
        let request = HttpRequest::get("http://127.0.0.1:4000/trials/studies?query.titles=CAIRN-2");
        let proper = World::new().send(&request).body;
        feed(trials::lookup(&site("trials"), drug("x")), 200, &[mutated(proper, &changes)]);
    }
}
