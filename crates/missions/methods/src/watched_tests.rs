use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn item(text: &str) -> Item {
    of_document("kb:a/one.md", text)
}

fn of_document(source: &str, text: &str) -> Item {
    let evidence = Evidence {
        source: source.to_owned(),
        quote: text.to_owned(),
    };
    Item::new("", text, DOCUMENTS, evidence)
}

fn read(documents: &[&str]) -> Read {
    Read {
        documents: Some(documents.iter().map(|one| (*one).to_owned()).collect()),
        ..Read::default()
    }
}

fn earlier(items: &[Item]) -> Vec<Earlier> {
    let seen = Seen {
        by: "test".to_owned(),
        items: items.to_vec(),
    };
    vec![Earlier {
        known: true,
        reported: "2026-11-12".to_owned(),
        seen: serde_json::to_value(seen).unwrap(),
        ..Earlier::default()
    }]
}

fn since(before: &[Item], now: &[Item], read: &Read) -> News {
    News::since(
        "test",
        StateOf::AllPlaces,
        &earlier(before),
        now.to_vec(),
        read,
    )
}

fn texts(items: &[Item]) -> Vec<&str> {
    items.iter().map(|item| item.text.as_str()).collect()
}

const HARBOUR: &str = "The harbour plans a second quay for container ships in 2028.";
const FERRY: &str = "A ferry company announced a night line to the islands.";
const TOLL: &str = "The toll for lorries rises to 14 euros in March.";

#[test]
fn the_same_things_in_another_order_wording_or_place_are_not_new() {
    let before = [item(HARBOUR), item(FERRY), item(TOLL)];
    let now = [
        of_document("kb:a/moved.md", TOLL),
        item("For container ships, the harbour plans a second quay in 2028."),
        item("A  ferry company ANNOUNCED a night line to the islands!"),
    ];
    let news = since(&before, &now, &read(&["kb:a/one.md", "kb:a/moved.md"]));
    assert!(news.is_nothing(), "{news:?}");
    assert_eq!(news.known, 3);
    assert_eq!(
        news.told(),
        "Nothing new since the report of 2026-11-12: 3 items as before"
    );
}

#[test]
fn another_number_or_the_opposite_is_a_change_and_not_something_new() {
    let before = [item(HARBOUR), item(TOLL)];
    let now = [
        item("The harbour plans a second quay for container ships in 2029."),
        item("The toll for lorries no longer rises to 14 euros in March; it was cancelled."),
    ];
    let news = since(&before, &now, &read(&["kb:a/one.md"]));
    assert_eq!((news.new.len(), news.gone.len()), (0, 0), "{news:?}");
    let changed: Vec<&str> = news
        .changed
        .iter()
        .map(|(before, _)| before.text.as_str())
        .collect();
    assert_eq!(changed, [HARBOUR, TOLL]);
}

#[test]
fn what_is_gone_says_whether_its_document_is_there() {
    let before = [item(HARBOUR), of_document("kb:a/two.md", FERRY)];
    let news = since(&before, &[], &read(&["kb:a/one.md"]));
    let gone: Vec<(&str, &str)> = news
        .gone
        .iter()
        .map(|(item, why)| (item.text.as_str(), *why))
        .collect();
    assert_eq!(
        gone,
        [
            (HARBOUR, "its document no longer says so"),
            (FERRY, "its document is no longer there")
        ]
    );
    assert!(
        news.seen.items.is_empty(),
        "what is gone and comes back is new"
    );
}

#[test]
fn what_still_stands_in_a_document_is_not_gone_although_it_is_not_told() {
    let mut read = read(&["kb:a/one.md"]);
    let source = Source {
        id: "kb:a/one.md".to_owned(),
        title: String::new(),
        text: format!("Much else.\n{}", HARBOUR.replace(' ', "\n")),
        published: None,
    };
    read.sources.push((DOCUMENTS.to_owned(), source));
    let news = since(&[item(HARBOUR), item(FERRY)], &[], &read);
    assert_eq!((news.gone.len(), news.known), (1, 1), "{news:?}");
    assert_eq!(texts(&news.seen.items), [HARBOUR]);
}

#[test]
fn nothing_is_gone_after_a_search_that_failed_or_shows_only_the_best() {
    let mut from_a_database = item(FERRY);
    from_a_database.place = "PubMed".to_owned();
    let before = [item(HARBOUR), from_a_database];
    let failed = Read::of(&[Documents::default()], &[], &[]);
    assert_eq!(failed.failed, [DOCUMENTS]);
    for read in [
        failed,
        Read {
            documents: None,
            ..Read::default()
        },
    ] {
        let news = since(&before, &[], &read);
        assert!(news.gone.is_empty() && news.is_nothing());
        assert_eq!(texts(&news.unchecked), [HARBOUR, FERRY]);
        // The next time they are seen they are not new.
        let next = since(&news.seen.items, &before, &Read::default());
        assert!(next.is_nothing(), "{next:?}");
    }
    // An empty knowledge base that was read completely is another matter.
    let emptied = Read::of(
        &[Documents {
            complete: true,
            ..Documents::default()
        }],
        &[],
        &[],
    );
    assert_eq!(since(&before, &[], &emptied).gone.len(), 1);
}

#[test]
fn another_state_tells_nothing_where_a_place_did_not_answer() {
    let with = |state: &str| Item {
        state: state.to_owned(),
        ..item(HARBOUR)
    };
    let mut read = read(&["kb:a/one.md"]);
    let changed = |read: &Read| since(&[with("strong")], &[with("weak")], read);
    assert_eq!(changed(&read).changed.len(), 1);
    read.failed = vec!["PubMed".to_owned()];
    let news = changed(&read);
    assert!(news.is_nothing());
    assert_eq!(
        news.seen.items[0].state, "strong",
        "it is told once it can be seen"
    );
}

#[test]
fn a_search_is_read_as_databases_answer_and_one_without_an_answer_has_failed() {
    let answered: LookedUp = serde_json::from_value(json!({"where": "PubMed", "answer": {
        "total": 1, "stand_in": true,
        "sources": [{"id": "PMID:1", "title": "A", "text": "A tide.", "published": null, "details": {"x": 1}}, {"id": "PMID:2"}],
    }}))
    .unwrap();
    let failed: LookedUp =
        serde_json::from_value(json!({"where": "news", "answer": {"sources": [], "total": null}}))
            .unwrap();
    let unasked: LookedUp = serde_json::from_value(json!({"where": "patents"})).unwrap();
    let read = Read::of(&[], &[answered, failed, unasked], &[]);
    assert_eq!(read.sources.len(), 1);
    assert_eq!(read.failed, ["news"]);
    assert_eq!(
        read.why_gone(&item(HARBOUR)),
        None,
        "nobody asked for the documents"
    );
}

#[test]
fn repetitions_become_one_with_all_passages() {
    let once = each_once(vec![
        item(HARBOUR),
        of_document("kb:a/two.md", HARBOUR),
        of_document(
            "kb:a/three.md",
            "The harbour plans a second quay for container ships in 2028, it says.",
        ),
        item("The harbour plans a second quay for container ships in 2031."),
    ]);
    assert_eq!(once.len(), 2, "another year is another thing");
    assert_eq!(once[0].documents(), 3);
}

#[test]
fn without_an_earlier_report_everything_is_new_and_it_says_why() {
    let mut unusable = earlier(&[item(HARBOUR)]);
    unusable[0].seen["by"] = json!("another_method");
    for earlier in [
        Vec::new(),
        vec![Earlier {
            why: "it was erased".to_owned(),
            ..Earlier::default()
        }],
        unusable,
    ] {
        let news = News::since(
            "test",
            StateOf::AllPlaces,
            &earlier,
            vec![item(FERRY)],
            &Read::default(),
        );
        assert!(!news.follows && !news.is_nothing());
        assert_eq!(texts(&news.new), [FERRY]);
    }
    let forged = vec![Earlier {
        known: true,
        seen: Value::String("?".to_owned()),
        ..Earlier::default()
    }];
    assert!(
        !News::since(
            "test",
            StateOf::AllPlaces,
            &forged,
            Vec::new(),
            &Read::default()
        )
        .follows
    );
}

fn any_items() -> impl Strategy<Value = Vec<Item>> {
    let words = prop::sample::select(vec![
        "quay", "ferry", "toll", "lorry", "2028", "not", "island", "rises", "14",
    ]);
    let text = prop::collection::vec(words, 1..9).prop_map(|words| item(&words.join(" ")));
    prop::collection::vec(text, 0..8)
}

proptest! {
    /// What is seen twice in the same way is never new, changed or gone, in whichever order.
    #[test]
    fn no_news_without_a_change(items in any_items(), turn in 0usize..8) {
        let once = each_once(items);
        let mut turned = once.clone();
        let by = turn % turned.len().max(1);
        turned.rotate_left(by);
        let news = since(&once, &turned, &read(&["kb:a/one.md"]));
        prop_assert!(news.is_nothing(), "{:?}", news);
    }

    /// Everything is accounted for once, and what is remembered is what is there or not known to be gone.
    #[test]
    fn all_is_accounted_for(before in any_items(), now in any_items()) {
        let news = since(&before, &now, &read(&["kb:a/one.md"]));
        prop_assert_eq!(news.new.len() + news.changed.len() + news.known, now.len());
        let matched = news.changed.len() + news.known;
        prop_assert_eq!(matched + news.gone.len() + news.unchecked.len(), before.len());
        prop_assert_eq!(news.seen.items.len(), now.len() + news.unchecked.len());
    }
}
