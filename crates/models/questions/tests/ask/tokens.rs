use adjutant_questions::token_bound;
use proptest::prelude::*;

/// The larger count of `cl100k_base` and `o200k_base`, as their own tokenizer counts.
const COUNTED: &[(&str, u64)] = &[
    (
        "The harbour board met in March and agreed to dredge the northern basin before the next season begins.",
        20,
    ),
    (
        "{\"id\":\"trial-7\",\"size\":1204,\"tags\":[\"blood\",\"pressure\"]}",
        19,
    ),
    (
        "fn main() {\n    let answerGiven = HTTPServer::new(8080);\n}",
        18,
    ),
    ("血圧は治療後に下がりました。", 15),
    ("🚢⚓\u{fe0f}👩\u{200d}🔬", 15),
    ("qZ3xVb9Lk0PzT7yWmN1c==", 21),
    ("xqzjvkwqgj", 9),
    ("Straße über naïve Qualität", 6),
    ("(Accepted) -Accounts /similar/ 'velocity", 12),
    (" \u{7f}u \u{5}:", 6),
];

#[test]
fn no_text_has_more_tokens_than_its_bound() {
    for (text, counted) in COUNTED {
        let bound = token_bound(text);
        assert!(bound >= *counted, "{text}: {bound} is below {counted}");
    }
}

#[test]
fn ordinary_prose_is_bound_closely() {
    let (text, counted) = COUNTED[0];
    let bound = token_bound(text);
    assert!(bound * 10 <= counted * 16, "{bound} for {counted}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_bound_is_never_above_the_bytes_and_nothing_has_none(text in any::<String>()) {
        let bound = token_bound(&text);
        prop_assert!(bound <= text.len() as u64);
        prop_assert_eq!(bound == 0, text.is_empty());
    }
}
