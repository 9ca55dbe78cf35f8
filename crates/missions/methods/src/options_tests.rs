use serde_json::{Value, json};

use crate::{Exhibit, method};

fn apply(input: Value) -> Exhibit {
    (method("options").unwrap().apply)(input).unwrap()
}

fn names(exhibit: &Exhibit, field: &str) -> Vec<String> {
    let all = exhibit.data[field].as_array().unwrap();
    all.iter()
        .map(|name| name.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn the_objective_names_the_options() {
    for (objective, expected) in [
        (
            "What is the trade-off between the old pump and a new one?",
            vec!["old pump", "a new one"],
        ),
        (
            "What do we gain and give up between renting the hall and building one?",
            vec!["renting the hall", "building one"],
        ),
        (
            "Rail versus road for the goods?",
            vec!["Rail", "road for the goods"],
        ),
        (
            "Should we repair the roof, replace it or sell the house?",
            vec!["repair the roof", "replace it", "sell the house"],
        ),
        (
            "How do we decide whether to sell the boat?",
            vec!["sell the boat", "leave it as it is"],
        ),
        ("How good is the roof?", vec![]),
    ] {
        let found = apply(json!({"objective": objective}));
        assert_eq!(names(&found, "names"), expected, "{objective}");
    }
}

const TABLE: &str = "The offers:\n\n| Supplier | Price (EUR) | Delivery |\n|---|---|---|\n| Norrland | 12,000 | 6 weeks |\n\
                     | Ostra | 9,500 | 10 weeks |\n";

#[test]
fn a_table_names_the_options_with_figures_and_a_citation() {
    let sources = json!([{"id": "kb:1", "title": "Offers", "text": TABLE}]);
    let found = apply(json!({"objective": "Which supplier?", "sources": sources}));
    assert_eq!(names(&found, "names"), ["Norrland", "Ostra"]);
    assert_eq!(names(&found, "criteria_names"), ["Price (EUR)", "Delivery"]);
    assert_eq!(found.data["items"][1]["values"]["Price (EUR)"], 9500.0);
    assert_eq!(found.data["criteria"][0]["prefers"], "less");
    assert_eq!(
        found.tables[0].rows[0][1].evidence[0].quote,
        "| Norrland | 12,000 | 6 weeks |"
    );
}

#[test]
fn options_in_columns_and_weights_are_read() {
    let text = "| Criterion | Weight | Rail | Road |\n|---|---|---|---|\n| Cost | 3 | 40 | 55 |\n| Comfort | 1 | 8 | 5 |\n";
    let found =
        apply(json!({"objective": "Rail?", "sources": [{"id": "a", "title": "", "text": text}]}));
    assert_eq!(names(&found, "names"), ["Rail", "Road"]);
    assert_eq!(found.data["criteria"][0]["weight"], 3.0);
    assert_eq!(found.data["items"][0]["values"]["Cost"], 40.0);
}

#[test]
fn what_is_given_goes_before_what_is_found() {
    let sources = json!([{"id": "kb:1", "title": "Offers", "text": TABLE}]);
    let found = apply(json!({
        "objective": "Rail or road?", "sources": sources, "options": ["Ostra", {"name": "Vester"}],
        "criteria": [{"name": "Price", "weight": 4, "prefers": "less"}],
    }));
    assert_eq!(names(&found, "names"), ["Ostra", "Vester"]);
    assert_eq!(names(&found, "criteria_names"), ["Price"]);
    // The heading's unit in brackets does not hide the figure.
    assert_eq!(found.data["items"][0]["values"]["Price"], 9500.0);
}

#[test]
fn a_note_changes_the_frame_and_what_is_not_understood_is_listed() {
    let note = "without road; add option canal; Cost: weight 5; add Comfort (weight 2); limit: at most 2 days; be kind";
    let found = apply(json!({
        "objective": "Rail or road?", "usual": ["Cost"], "amendments": [{"option": "with_my_note", "note": note}],
    }));
    assert_eq!(names(&found, "names"), ["Rail", "canal"]);
    assert_eq!(found.data["criteria"][0]["weight"], 5.0);
    assert_eq!(found.data["criteria"][1]["weight"], 2.0);
    let last = found.notes.last().unwrap();
    assert_eq!(last.text, "“be kind”");
    let equal = apply(json!({
        "objective": "Rail or road?", "criteria": [{"name": "Cost", "weight": 9}, "Comfort"],
        "amendments": [{"option": "equal_weights", "note": ""}],
    }));
    assert_eq!(equal.data["criteria"][0]["weight"], 1.0);
}

#[test]
fn nothing_is_invented() {
    let found = apply(json!({"objective": "How good is the roof?"}));
    assert!(found.headlines[0].text.starts_with("No options are given"));
    let assumed = apply(
        json!({"objective": "How good is the roof?", "assumed": ["roof", "what is in use now"]}),
    );
    assert_eq!(assumed.data["options_from"], "assumed");
}
