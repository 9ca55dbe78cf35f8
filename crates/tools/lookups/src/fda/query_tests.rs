use proptest::prelude::*;

use super::*;

#[test]
fn a_quote_in_a_name_stays_in_its_phrase() {
    let mut search = Search::product(Dataset::Labels, "x\" OR set_id:\"y\\");
    search.from = Some("2024-02".into());
    let term = term(&search).unwrap();
    assert!(
        term.contains(r#"openfda.brand_name:"x\" OR set_id:\"y\\""#),
        "{term}"
    );
    assert!(
        term.ends_with("effective_time:[20240201 TO 29991231]"),
        "{term}"
    );
}

#[test]
fn a_field_of_another_dataset_is_refused() {
    let mut search = Search::product(Dataset::Labels, "x");
    search.reaction = Some("Hyperkalaemia".into());
    assert!(matches!(term(&search), Err(LookupError::InvalidSearch(_))));
}

proptest! {
    #[test]
    fn a_phrase_never_ends_early(text in ".*") {
        let phrase = quoted(&text);
        let inner: Vec<char> = phrase[1..phrase.len() - 1].chars().collect();
        let mut at = 0;
        while at < inner.len() {
            prop_assert_ne!(inner[at], '"');
            at += if inner[at] == '\\' { 2 } else { 1 };
        }
        prop_assert_eq!(at, inner.len());
    }
}

#[test]
fn the_schema_demands_what_the_search_does() {
    let samples = serde_json::json!({
        "database": "event", "query": "x", "product": "x", "company": "x", "reaction": "Nausea", "classes": ["I"],
        "ids": ["1"], "from": "2020", "most": 5,
    });
    let passes = |mut call: serde_json::Value| {
        if call.get("classes").is_some() {
            call["database"] = "enforcement".into();
        }
        term(&serde_json::from_value(call).unwrap()).is_ok()
    };
    wanted::check_agrees(&super::super::schema(), &samples, passes);
}
