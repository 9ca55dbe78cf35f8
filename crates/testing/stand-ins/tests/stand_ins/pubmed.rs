//! PubMed against its stand-in.

use crate::support::{ALL_WRONG, World, feed, mutated, site};
use adjutant_lookups::pubmed::{self, ArticleType, Availability, Search, Sort, Species};
use adjutant_lookups::{Found, HttpRequest, LookupError, Site};
use adjutant_stand_ins::databases::{Database, Misbehaviour};
use proptest::prelude::*;

fn find(search: Search) -> Result<Found, LookupError> {
    World::new().drive(pubmed::lookup(&site("pubmed"), search))
}

fn ids(found: &Found) -> Vec<&str> {
    found
        .sources
        .iter()
        .map(|source| source.id.as_str())
        .collect()
}

#[test]
fn an_article_comes_with_all_that_a_citation_needs() {
    let found = find(Search::words("velmoran[ti] AND randomised[ti]")).unwrap();
    let article = &found.sources[0];
    assert_eq!(article.id, "PMID:99000101");
    assert_eq!(article.published.as_deref(), Some("2023-05-19"));
    assert!(article.text.starts_with("BACKGROUND: Velordrostat"));
    assert!(
        article.text.contains(
            "\nRESULTS: After 12 weeks Velmoran lowered systolic blood pressure by 9 mmHg"
        )
    );
    let reference = &article.reference;
    assert_eq!(reference["type"], "article-journal");
    assert_eq!(reference["author"][0]["family"], "Saethre");
    assert_eq!(reference["container-title-short"], "Ann Appl Hypertens");
    assert_eq!(
        reference["issued"]["date-parts"][0],
        serde_json::json!([2023, 5, 19])
    );
    assert_eq!(reference["DOI"], "10.5555/aah.2023.0519");
    assert_eq!(reference["page"], "412-21");
    assert_eq!(article.details["electronic"], "2023-05-02");
    assert_eq!(article.details["mesh"][0]["heading"], "Hypertension");
    assert_eq!(article.details["mesh"][0]["major"], true);
}

#[test]
fn the_server_keeps_the_search_and_is_told_who_asks() {
    let mut world = World::new();
    let site = Site {
        key: Some("k1".into()),
        ..site("pubmed")
    };
    world
        .drive(pubmed::lookup(&site, Search::words("hyperkalaemia")))
        .unwrap();
    assert_eq!(world.sent.len(), 2);
    for request in &world.sent {
        assert!(
            request
                .url
                .contains("tool=adjutant&email=research%40example.org&api_key=k1"),
            "{}",
            request.url
        );
    }
    assert!(world.sent[0].url.contains("usehistory=y"));
    assert!(world.sent[1].url.contains("WebEnv=MCID_"));
}

#[test]
fn what_is_retracted_stays_and_says_so() {
    let found = find(Search::words("nine of ten patients[ti] AND high[ti]")).unwrap();
    let article = found
        .sources
        .iter()
        .find(|source| source.id == "PMID:99000106")
        .unwrap();
    assert_eq!(article.details["retracted"], true);
    assert_eq!(article.reference["status"], "retracted");
    assert!(
        found
            .notes
            .iter()
            .any(|note| note.contains("PMID:99000106 has been retracted (Evid Rev Cardiol. 2023"))
    );
}

#[test]
fn odd_records_are_read_as_they_are() {
    let ids = ["99000102", "99000104", "99000108", "99000110", "99000112"];
    let search = Search {
        ids: ids.map(str::to_owned).to_vec(),
        ..Search::words("")
    };
    let found = find(search).unwrap();
    let [letter, trial, german, group, chapter] = found.sources.as_slice() else {
        panic!("{} sources", found.sources.len());
    };
    assert_eq!(letter.text, letter.title);
    assert!(
        found
            .notes
            .contains(&"PMID:99000102 has no abstract".to_owned())
    );
    assert_eq!(
        trial.reference["author"][3]["literal"],
        "CAIRN-2 Investigators"
    );
    assert!(
        found
            .notes
            .iter()
            .any(|note| note.contains("PMID:99000104 has an erratum"))
    );
    assert_eq!(
        german.title,
        "Hyperkalaemia under velordrostat and trimethoprim: two cases"
    );
    assert!(
        german.details["original_title"]
            .as_str()
            .unwrap()
            .starts_with("Hyperkaliämie")
    );
    assert_eq!(group.published.as_deref(), Some("2025-11"));
    assert_eq!(chapter.reference["type"], "chapter");
    assert_eq!(
        chapter.reference["container-title"],
        "Handbook of Blood Pressure Drugs"
    );
    assert_eq!(chapter.reference["editor"][0]["family"], "Quist");
}

#[test]
fn filters_narrow_a_search() {
    let all = find(Search {
        most: 200,
        ..Search::words("velordrostat")
    })
    .unwrap();
    let narrow = |change: fn(&mut Search)| {
        let mut search = Search {
            most: 200,
            ..Search::words("velordrostat")
        };
        change(&mut search);
        find(search).unwrap()
    };
    assert_eq!(
        ids(&narrow(|s| s.languages = vec!["German".into()])),
        ["PMID:99000108"]
    );
    let trials = narrow(|s| s.article_types = vec![ArticleType::RandomizedControlledTrial]);
    let free = narrow(|s| s.availability = Availability::FreeFullText);
    let humans = narrow(|s| s.species = Species::Humans);
    let dated = narrow(|s| {
        s.published_from = Some("2023-06".into());
        s.published_to = Some("2024".into());
    });
    for some in [&trials, &free, &humans, &dated] {
        assert!(!some.sources.is_empty() && some.total < all.total);
    }
    for source in &dated.sources {
        let published = source.published.as_deref().unwrap();
        assert!(("2023-06".."2025").contains(&published), "{published}");
    }
    let newest = narrow(|s| s.sort = Sort::Newest);
    assert!(
        newest
            .sources
            .is_sorted_by(|a, b| a.published >= b.published)
    );
}

#[test]
fn no_more_come_than_are_wanted() {
    let found = find(Search {
        most: 7,
        ..Search::words("hypertension OR hyperkalaemia")
    })
    .unwrap();
    assert_eq!(found.sources.len(), 7);
    assert!(found.total.unwrap() > 30);
}

#[test]
fn a_search_that_was_changed_says_how() {
    let found = find(Search::words("velordrostat zzzqqq other[nofield]")).unwrap();
    assert!(
        found
            .notes
            .contains(&"PubMed: no article has the phrase `zzzqqq`".to_owned())
    );
    assert!(
        found
            .notes
            .contains(&"PubMed: there is no field `nofield`".to_owned())
    );
    let none = find(Search::words("zzzqqq")).unwrap();
    assert_eq!((none.sources.len(), none.total), (0, Some(0)));
}

#[test]
fn a_search_that_cannot_be_is_refused() {
    let both = Search {
        ids: vec!["1".into()],
        ..Search::words("x")
    };
    let wrong_id = Search {
        ids: vec!["1 OR 2".into()],
        ..Search::words("")
    };
    let backwards = Search {
        published_from: Some("2024".into()),
        published_to: Some("2023".into()),
        ..Search::words("x")
    };
    for search in [
        Search::words(" "),
        both,
        wrong_id,
        backwards,
        Search {
            most: 0,
            ..Search::words("x")
        },
        Search {
            most: 201,
            ..Search::words("x")
        },
        Search {
            published_from: Some("soon".into()),
            ..Search::words("x")
        },
        Search {
            languages: vec!["x OR y".into()],
            ..Search::words("x")
        },
        Search::words("(unclosed"),
    ] {
        assert!(
            matches!(find(search.clone()), Err(LookupError::InvalidSearch(_))),
            "{search:?}"
        );
    }
}

#[test]
fn a_key_that_is_not_known_is_a_setting() {
    let site = Site {
        key: Some("invalid".into()),
        ..site("pubmed")
    };
    let outcome = World::new().drive(pubmed::lookup(&site, Search::words("x")));
    assert!(matches!(outcome, Err(LookupError::InvalidSetting(_))));
}

#[test]
fn too_many_requests_are_refused_with_a_time() {
    let mut world = World::new();
    world.pause = 0;
    let outcomes: Vec<_> = (0..3)
        .map(|_| {
            world.drive(pubmed::lookup(
                &site("pubmed"),
                Search::words("velordrostat"),
            ))
        })
        .collect();
    assert!(outcomes[0].is_ok());
    assert!(matches!(
        outcomes[2],
        Err(LookupError::Busy {
            after_seconds: Some(1),
            ..
        })
    ));
    let key = Site {
        key: Some("k".into()),
        ..site("pubmed")
    };
    assert_eq!(
        (
            pubmed::pace(&site("pubmed")).requests,
            pubmed::pace(&key).requests
        ),
        (3, 10)
    );
}

#[test]
fn a_wrong_answer_is_trouble_and_never_a_result() {
    for wrong in ALL_WRONG {
        for script in [vec![wrong], vec![Misbehaviour::Behaves, wrong]] {
            let mut world = World::scripted(Database::Pubmed, &script);
            let outcome = world.drive(pubmed::lookup(
                &site("pubmed"),
                Search::words("velordrostat"),
            ));
            assert!(outcome.is_err(), "{script:?}");
        }
    }
}

#[test]
fn what_came_before_a_failure_is_kept() {
    let ids: Vec<String> = (99000101..99000161).map(|id: u32| id.to_string()).collect();
    let many: Vec<String> = ids
        .iter()
        .cloned()
        .chain((1..=60).map(|id: u32| id.to_string()))
        .collect();
    let search = Search {
        ids: many,
        most: 200,
        ..Search::words("")
    };
    let script = [Misbehaviour::Behaves, Misbehaviour::Unavailable];
    let mut world = World::scripted(Database::Pubmed, &script);
    let found = world
        .drive(pubmed::lookup(&site("pubmed"), search))
        .unwrap();
    assert_eq!(found.sources.len(), 60);
    assert!(
        found
            .notes
            .iter()
            .any(|note| note.starts_with("only the first 60 records"))
    );
}

#[test]
fn the_schema_takes_what_the_search_takes() {
    let schema = pubmed::schema();
    let given = serde_json::json!({ "query": "x", "article_types": ["meta_analysis"], "species": "humans", "sort": "newest" });
    let search: Search = serde_json::from_value(given.clone()).unwrap();
    assert_eq!(search.most, 20);
    for name in given.as_object().unwrap().keys() {
        assert!(schema["properties"].get(name).is_some(), "{name}");
    }
}

fn proper(path: &str) -> Vec<u8> {
    let request = HttpRequest::get(format!("http://127.0.0.1:4000/pubmed{path}"));
    World::new().send(&request).body
}

proptest! {
    #[test]
    fn no_bytes_are_too_strange(body in prop::collection::vec(any::<u8>(), 0..300), status in 200u16..600) {
        feed(pubmed::lookup(&site("pubmed"), Search::words("x")), status, &[body.clone(), body]);
    }

    #[test]
    fn no_change_of_a_proper_answer_is_too_strange(
        changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..40)
    ) {
        let search = proper("/esearch.fcgi?db=pubmed&term=velordrostat&usehistory=y");
        let articles = proper("/efetch.fcgi?db=pubmed&id=99000101,99000106,99000110,99000112");
        let lookup = || pubmed::lookup(&site("pubmed"), Search::words("x"));
        feed(lookup(), 200, &[search.clone(), mutated(articles, &changes)]);
        feed(lookup(), 200, &[mutated(search, &changes)]);
    }
}
