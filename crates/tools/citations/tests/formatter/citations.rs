use serde_json::{Value, json};

use super::{format_json, format_ok};

fn article(id: &str, family: &str, year: i32, title: &str) -> Value {
    json!({
        "id": id, "type": "article-journal", "title": title, "author": [{ "family": family, "given": "Ann" }],
        "container-title": "Journal", "volume": "1", "page": "1-2", "issued": { "date-parts": [[year]] }
    })
}

fn cited(answer: &adjutant_citations::Answer) -> Vec<String> {
    answer
        .entries
        .iter()
        .map(|entry| entry.cited.clone().unwrap_or_default())
        .collect()
}

#[test]
fn numbers_follow_the_first_mention() {
    let items = [
        article("a", "Ash", 2020, "One"),
        article("b", "Birch", 2021, "Two"),
        article("c", "Cedar", 2022, "Three"),
    ];
    let answer = format_ok(
        json!({ "format": "citations", "style": "vancouver", "items": items, "cited": ["b", "a", "b"] }),
    );
    let ids: Vec<_> = answer
        .entries
        .iter()
        .map(|entry| entry.id.as_str())
        .collect();
    assert_eq!(ids, ["b", "a"]);
    assert_eq!(cited(&answer), ["[1]", "[2]"]);
    assert_eq!(
        answer.text,
        "1. Birch A. Two. Journal. 2021;1:1-2.\n2. Ash A. One. Journal. 2020;1:1-2."
    );
    assert_eq!(answer.notes, ["c is not cited and is left out."]);
}

#[test]
fn an_unknown_mention_is_refused() {
    let request = json!({ "format": "citations", "style": "ama", "items": [article("a", "Ash", 2020, "One")], "cited": ["z"] });
    let refusal = format_json(request).expect_err("a refusal").to_string();
    assert_eq!(refusal, "`cited` is `z`: no item has this `id`");
}

#[test]
fn apa_sorts_and_tells_same_years_apart() {
    let items = [
        article("z", "Zander", 2020, "Last"),
        article("b", "Ash", 2020, "Zebra"),
        article("a", "Ash", 2020, "The apple"),
        article("n", "Ash", 2019, "Before"),
    ];
    let answer = format_ok(json!({ "format": "citations", "style": "apa", "items": items }));
    assert_eq!(
        cited(&answer),
        [
            "(Ash, 2019)",
            "(Ash, 2020a)",
            "(Ash, 2020b)",
            "(Zander, 2020)"
        ]
    );
    assert!(
        answer.entries[1]
            .text
            .starts_with("Ash, A. (2020a). The apple."),
        "{}",
        answer.text
    );
}

#[test]
fn apa_names_more_people_where_et_al_is_not_enough() {
    let by = |id: &str, families: [&str; 4]| {
        let mut item = article(id, "x", 2020, id);
        item["author"] = families
            .iter()
            .map(|family| json!({ "family": family, "given": "A" }))
            .collect();
        item
    };
    let items = [
        by("a", ["Ash", "Birch", "Cedar", "Doe"]),
        by("b", ["Ash", "Birch", "Elm", "Doe"]),
    ];
    let answer = format_ok(json!({ "format": "citations", "style": "apa", "items": items }));
    assert_eq!(
        cited(&answer),
        [
            "(Ash, Birch, Cedar, & Doe, 2020)",
            "(Ash, Birch, Elm, & Doe, 2020)"
        ]
    );
}

#[test]
fn the_same_work_is_listed_once() {
    let mut one = article("a", "Ash", 2020, "One");
    one["DOI"] = json!("https://doi.org/10.1000/ABC");
    let mut again = article("b", "Ash", 2020, "One");
    again["DOI"] = json!("10.1000/abc");
    again["PMID"] = json!(77);
    let answer = format_ok(
        json!({ "format": "citations", "style": "vancouver", "items": [one, again], "cited": ["b", "a"] }),
    );
    assert_eq!(
        answer.text,
        "1. Ash A. One. Journal. 2020;1:1-2. doi:10.1000/ABC PubMed PMID: 77."
    );
    assert_eq!(
        answer.notes,
        ["b is the same work as a and is merged into it."]
    );
}

#[test]
fn two_works_under_one_id_are_refused() {
    let items = [
        article("a", "Ash", 2020, "One"),
        article("a", "Birch", 2021, "Two"),
    ];
    assert!(format_json(json!({ "format": "citations", "style": "apa", "items": items })).is_err());
}

#[test]
fn what_is_missing_is_noted_and_not_invented() {
    let bare = json!({ "id": "a", "type": "article-journal", "title": "Alone" });
    let answer = format_ok(json!({ "format": "citations", "style": "apa", "items": [bare] }));
    assert_eq!(answer.text, "Alone. (n.d.).");
    assert_eq!(
        answer.notes,
        ["a: `author`, `issued`, `container-title`, `volume`, `page` missing."]
    );
}

#[test]
fn titles_in_capitals_become_sentences_with_a_note() {
    let item = article(
        "a",
        "Ash",
        2020,
        "Effect of Long-Term Statin Therapy on LDL Levels in mRNA Studies: A Review",
    );
    let answer = format_ok(json!({ "format": "citations", "style": "vancouver", "items": [item] }));
    assert!(
        answer.text.contains(
            "Effect of long-term statin therapy on LDL levels in mRNA studies: a review."
        ),
        "{}",
        answer.text
    );
    assert_eq!(answer.notes.len(), 1);
}

#[test]
fn markup_is_escaped_and_italics_are_marked() {
    let mut item = article(
        "a",
        "Ash",
        2020,
        "A <script>alert(1)</script> of *p* | <i>E. coli</i>",
    );
    item["URL"] = json!("javascript:alert(1)");
    let html = format_ok(
        json!({ "format": "citations", "style": "apa", "items": [item], "markup": "html" }),
    );
    assert!(
        html.text
            .contains("&lt;script&gt;alert(1)&lt;/script&gt; of *p* | E. coli"),
        "{}",
        html.text
    );
    assert!(
        html.text.contains("<i>Journal</i>, <i>1</i>, 1–2."),
        "{}",
        html.text
    );
    assert!(!html.text.contains("href"), "{}", html.text);
    let markdown = format_ok(
        json!({ "format": "citations", "style": "apa", "items": [item], "markup": "markdown" }),
    );
    assert!(markdown.text.contains("\\<script\\>"), "{}", markdown.text);
    assert!(
        markdown.text.contains("\\*p\\* \\| E. coli"),
        "{}",
        markdown.text
    );
    assert!(markdown.text.contains("*Journal*"), "{}", markdown.text);
}

#[test]
fn ama_mentions_are_raised() {
    let items: Vec<Value> = (0..12)
        .map(|at| article(&format!("i{at}"), "Ash", 2000 + at, "T"))
        .collect();
    let text = format_ok(json!({ "format": "citations", "style": "ama", "items": items }));
    assert_eq!(cited(&text)[11], "¹²");
    let html = format_ok(
        json!({ "format": "citations", "style": "ama", "items": items, "markup": "html" }),
    );
    assert_eq!(cited(&html)[11], "<sup>12</sup>");
}
