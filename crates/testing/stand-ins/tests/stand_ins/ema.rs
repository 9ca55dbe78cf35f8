//! The European Medicines Agency against its stand-in.

use crate::support::{ALL_WRONG, World, feed, mutated, site};
use adjutant_lookups::ema::{self, Category, Mark, Report, Search};
use adjutant_lookups::{Found, HttpRequest, LookupError};
use adjutant_stand_ins::databases::Database;
use proptest::prelude::*;
use serde_json::json;

fn all() -> Search {
    Search {
        most: 200,
        ..serde_json::from_value(json!({})).unwrap()
    }
}

fn find(search: Search) -> Result<Found, LookupError> {
    World::new().drive(ema::lookup(&site("ema"), search))
}

fn ids(found: &Found) -> Vec<&str> {
    found
        .sources
        .iter()
        .map(|source| source.id.as_str())
        .collect()
}

#[test]
fn a_medicine_comes_with_its_number_and_its_status() {
    let found = find(Search {
        name: Some("aprovent".into()),
        ..all()
    })
    .unwrap();
    let [medicine] = found.sources.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(medicine.id, "EMA:EMEA/H/C/990007");
    assert_eq!(medicine.title, "Aprovent (aprosentan)");
    assert_eq!(medicine.published.as_deref(), Some("2024-06-27"));
    assert!(medicine.text.contains("Status: Authorised\n"));
    assert!(
        medicine
            .text
            .contains("Indication: Treatment of resistant hypertension")
    );
    assert_eq!(medicine.details["marks"], json!(["additional_monitoring"]));
    assert_eq!(medicine.reference["number"], "EMEA/H/C/990007");
    assert_eq!(
        medicine.reference["issued"]["date-parts"][0],
        json!([2024, 6, 27])
    );
    assert!(
        found
            .notes
            .contains(&"as the agency published it on 2026-10-01".to_owned())
    );
    let again = find(Search {
        ids: vec![medicine.id.clone()],
        ..all()
    })
    .unwrap();
    assert_eq!(again.sources, found.sources);
}

#[test]
fn rows_are_chosen_by_every_column() {
    let count = |search: Search| find(search).unwrap().total.unwrap();
    assert_eq!(
        count(Search {
            atc: Some("c03d".into()),
            ..all()
        }),
        3
    );
    assert_eq!(
        count(Search {
            substance: Some("eplerenone".into()),
            ..all()
        }),
        2
    );
    assert_eq!(
        count(Search {
            status: Some("withdrawn".into()),
            ..all()
        }),
        3
    );
    assert_eq!(
        count(Search {
            company: Some("brightmoor".into()),
            ..all()
        }),
        3
    );
    assert_eq!(
        count(Search {
            area: Some("hyperkalaemia".into()),
            ..all()
        }),
        2
    );
    assert_eq!(
        count(Search {
            marks: vec![Mark::Orphan],
            ..all()
        }),
        2
    );
    assert_eq!(
        count(Search {
            category: Category::Veterinary,
            from: Some("2010".into()),
            ..all()
        }),
        1
    );
    let first = find(Search {
        substance: Some("eplerenone".into()),
        marks: vec![Mark::Generic],
        ..all()
    })
    .unwrap();
    assert_eq!(ids(&first), ["EMA:EMEA/H/C/990002"]);
    let some = find(Search {
        from: Some("2000".into()),
        most: 5,
        ..all()
    })
    .unwrap();
    assert_eq!((some.sources.len(), some.total), (5, Some(25)));
}

#[test]
fn what_single_states_authorised_is_not_among_the_medicines() {
    let none = find(Search {
        substance: Some("velordrostat".into()),
        ..all()
    })
    .unwrap();
    assert_eq!(none.total, Some(0));
}

#[test]
fn the_other_tables_are_read_too() {
    let by = |report: Report, substance: &str| {
        find(Search {
            report,
            substance: Some(substance.into()),
            ..all()
        })
        .unwrap()
    };
    let letter = by(Report::Communications, "velordrostat");
    assert_eq!(
        ids(&letter),
        ["EMA:velordrostat-hyperkalaemia-trimethoprim"]
    );
    assert_eq!(
        letter.sources[0].title,
        "Velmoran 5 mg tablets (velordrostat)"
    );
    assert_eq!(
        ids(&by(Report::Referrals, "velordrostat")),
        ["EMA:EMEA/H/A-107i/9951"]
    );
    assert_eq!(
        ids(&by(Report::OrphanDesignations, "quenadrostat")),
        ["EMA:EU/3/21/9990"]
    );
    assert_eq!(ids(&by(Report::Shortages, "potassium")), ["EMA:kalibind"]);
    assert_eq!(
        ids(&by(Report::PaediatricPlans, "tavodrostat")),
        ["EMA:P/9912/2025"]
    );
    assert!(
        by(Report::PaediatricPlans, "velordrostat")
            .sources
            .is_empty()
    );
}

#[test]
fn older_files_are_read_as_newer_ones() {
    let old = json!([
        { "Category": "Human", "Medicine name": "Epleron", "Product number": "EMEA/H/C/990001", "Active substance": "eplerenone",
          "Authorisation status": "Authorised", "Marketing authorisation date": "2005-02-11 00:00:00", "ATC code": "C03DA04",
          "Marketing authorisation holder/company name": "Lodestar Medicines Europe", "URL": "/en/medicines/human/EPAR/epleron" }
    ]);
    let search = Search {
        company: Some("lodestar".into()),
        atc: Some("C03".into()),
        ..all()
    };
    let mut lookup = ema::lookup(&site("ema"), search);
    lookup.begin().unwrap();
    let reply = adjutant_lookups::Reply::new(200, "application/json", old.to_string());
    let adjutant_lookups::Step::Done(found) = lookup.received(reply).unwrap() else {
        panic!("not done")
    };
    assert_eq!(ids(&found), ["EMA:EMEA/H/C/990001"]);
    assert_eq!(found.sources[0].published.as_deref(), Some("2005-02-11"));
    assert_eq!(
        found.sources[0].url,
        "https://www.ema.europa.eu/en/medicines/human/EPAR/epleron"
    );
}

#[test]
fn a_search_that_cannot_be_is_refused() {
    for search in [
        all(),
        Search {
            name: Some("x".into()),
            most: 0,
            ..all()
        },
        Search {
            from: Some("x".into()),
            ..all()
        },
        Search {
            report: Report::Shortages,
            marks: vec![Mark::Orphan],
            ..all()
        },
    ] {
        assert!(
            matches!(find(search.clone()), Err(LookupError::InvalidSearch(_))),
            "{search:?}"
        );
    }
}

#[test]
fn a_wrong_answer_is_trouble_and_never_a_result() {
    for wrong in ALL_WRONG {
        let mut world = World::scripted(Database::Ema, &[wrong]);
        let outcome = world.drive(ema::lookup(
            &site("ema"),
            Search {
                atc: Some("C".into()),
                ..all()
            },
        ));
        assert!(outcome.is_err(), "{wrong:?}");
    }
}

#[test]
fn too_many_requests_are_refused_with_a_time() {
    let mut world = World::new();
    world.pause = 100;
    let mut outcome = Ok(Found::default());
    for _ in 0..21 {
        outcome = world.drive(ema::lookup(
            &site("ema"),
            Search {
                atc: Some("C".into()),
                ..all()
            },
        ));
    }
    assert!(
        matches!(
            outcome,
            Err(LookupError::Busy {
                after_seconds: Some(58),
                ..
            })
        ),
        "{outcome:?}"
    );
}

#[test]
fn an_unchanged_table_is_not_sent_again() {
    let mut world = World::new();
    let address = "http://127.0.0.1:4000/ema/shortages-output-json-report_en.json";
    let first = world.send(&HttpRequest::get(address));
    let validator = first.header("etag").unwrap().to_owned();
    let second = world.send(&HttpRequest::get(address).with("if-none-match", validator));
    assert_eq!((second.status, second.body.len()), (304, 0));
}

#[test]
fn the_schema_takes_what_the_search_takes() {
    let given = json!({ "report": "paediatric_plans", "category": "human", "marks": ["prime"], "atc": "C03" });
    let search: Search = serde_json::from_value(given.clone()).unwrap();
    assert_eq!((search.report, search.most), (Report::PaediatricPlans, 20));
    for name in given.as_object().unwrap().keys() {
        assert!(ema::schema()["properties"].get(name).is_some(), "{name}");
    }
}

proptest! {
    #[test]
    fn no_bytes_are_too_strange(body in prop::collection::vec(any::<u8>(), 0..300), status in 200u16..600) {
        feed(ema::lookup(&site("ema"), Search { atc: Some("C".into()), ..all() }), status, &[body]);
    }

    #[test]
    fn no_change_of_a_proper_answer_is_too_strange(
        changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..40)
    ) {
        let request = HttpRequest::get("http://127.0.0.1:4000/ema/medicines-output-medicines_json-report_en.json");
        let proper = World::new().send(&request).body;
        let search = Search { from: Some("2000".into()), ..all() };
        feed(ema::lookup(&site("ema"), search), 200, &[mutated(proper, &changes)]);
    }
}
