//! APA in-text citations: no two works in one list are cited by the same words.

use serde_json::{Value, json};

use super::format_ok;

fn work(id: &str, year: i32, authors: &[(&str, &str)]) -> Value {
    let authors: Vec<Value> = authors
        .iter()
        .map(|(family, given)| json!({ "family": family, "given": given }))
        .collect();
    json!({
        "id": id, "type": "article-journal", "title": id, "author": authors,
        "container-title": "Journal", "volume": "1", "page": "1-2", "issued": { "date-parts": [[year]] }
    })
}

/// The in-text citation and the beginning of the entry, in the order of the list.
fn cited_in_apa(items: &[Value]) -> Vec<(String, String)> {
    let answer = format_ok(json!({ "format": "citations", "style": "apa", "items": items }));
    answer
        .entries
        .into_iter()
        .map(|entry| {
            let head = entry.text.split(").").next().unwrap_or_default();
            (entry.cited.unwrap_or_default(), format!("{head})."))
        })
        .collect()
}

fn pair(cited: &str, head: &str) -> (String, String) {
    (cited.to_owned(), head.to_owned())
}

#[test]
fn first_authors_with_one_surname_get_their_initials() {
    let items = [
        work("one", 2020, &[("Smith", "Beth")]),
        work("two", 2020, &[("Smith", "Anna Maria")]),
        work("three", 2021, &[("Jones", "Carl")]),
    ];
    assert_eq!(
        cited_in_apa(&items),
        [
            pair("(Jones, 2021)", "Jones, C. (2021)."),
            pair("(A. M. Smith, 2020)", "Smith, A. M. (2020)."),
            pair("(B. Smith, 2020)", "Smith, B. (2020)."),
        ]
    );
}

#[test]
fn initials_are_given_in_other_years_and_with_coauthors_too() {
    let items = [
        work("one", 2014, &[("Taylor", "Tom")]),
        work("two", 2015, &[("Taylor", "John Mark"), ("Taylor", "Zoe")]),
        work(
            "three",
            2016,
            &[("Taylor", "Tom"), ("Ash", "A"), ("Elm", "E")],
        ),
        work("four", 2017, &[("Ash", "Ann"), ("Taylor", "Tom")]),
    ];
    let cited: Vec<String> = cited_in_apa(&items)
        .into_iter()
        .map(|pair| pair.0)
        .collect();
    assert_eq!(
        cited,
        [
            "(Ash & Taylor, 2017)",
            "(J. M. Taylor & Taylor, 2015)",
            "(T. Taylor, 2014)",
            "(T. Taylor et al., 2016)",
        ]
    );
}

#[test]
fn one_author_of_one_year_gets_letters_beside_the_initials() {
    let items = [
        work("zebra", 2020, &[("Smith", "Anna")]),
        work("apple", 2020, &[("Smith", "Anna")]),
        work("other", 2020, &[("Smith", "Beth")]),
    ];
    assert_eq!(
        cited_in_apa(&items),
        [
            pair("(A. Smith, 2020a)", "Smith, A. (2020a)."),
            pair("(A. Smith, 2020b)", "Smith, A. (2020b)."),
            pair("(B. Smith, 2020)", "Smith, B. (2020)."),
        ]
    );
}

#[test]
fn coauthors_with_one_surname_and_other_initials_get_letters() {
    let items = [
        work(
            "one",
            2020,
            &[("Smith", "A"), ("Jones", "Beth"), ("Elm", "E")],
        ),
        work(
            "two",
            2020,
            &[("Smith", "A"), ("Jones", "Carl"), ("Elm", "E")],
        ),
    ];
    assert_eq!(
        cited_in_apa(&items),
        [
            pair(
                "(Smith et al., 2020a)",
                "Smith, A., Jones, B., & Elm, E. (2020a)."
            ),
            pair(
                "(Smith et al., 2020b)",
                "Smith, A., Jones, C., & Elm, E. (2020b)."
            ),
        ]
    );
}

#[test]
fn editors_of_books_are_told_apart_like_authors() {
    let book = |id: &str, given: &str, families: &[&str]| {
        let mut editors = vec![json!({ "family": "Smith", "given": given })];
        editors.extend(
            families
                .iter()
                .map(|family| json!({ "family": family, "given": "X" })),
        );
        json!({
            "id": id, "type": "book", "title": id, "editor": editors, "publisher": "House",
            "issued": { "date-parts": [[2020]] }
        })
    };
    let cited = |items: &[Value]| -> Vec<String> {
        cited_in_apa(items).into_iter().map(|pair| pair.0).collect()
    };
    assert_eq!(
        cited(&[book("one", "Anna", &[]), book("two", "Beth", &[])]),
        ["(A. Smith, 2020)", "(B. Smith, 2020)"]
    );
    assert_eq!(
        cited(&[
            book("one", "Anna", &["Birch", "Cedar", "Doe"]),
            book("two", "Anna", &["Birch", "Elm", "Doe"]),
        ]),
        [
            "(Smith, Birch, Cedar, & Doe, 2020)",
            "(Smith, Birch, Elm, & Doe, 2020)"
        ]
    );
}
