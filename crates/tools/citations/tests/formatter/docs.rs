//! The examples of docs/tools/L5-FMT.md do what the page shows.

use serde_json::Value;

use super::format_ok;

const PAGE: &str = include_str!("../../../../../docs/tools/L5-FMT.md");
const COMMAND: &str = "    $ adjutant tools call L5-FMT '";

#[test]
fn every_example_gives_the_answer_on_the_page() {
    let examples: Vec<&str> = PAGE.split(COMMAND).skip(1).collect();
    assert!(examples.len() >= 5, "only {} examples", examples.len());
    for example in examples {
        let (request, rest) = example.split_once("'\n").expect("the end of the command");
        let request: Value = serde_json::from_str(&request.replace("'\\''", "'")).expect("JSON");
        let shown = rest
            .split_once("```json\n")
            .and_then(|(_, rest)| rest.split_once("\n```"))
            .expect("an answer")
            .0;
        let shown: Value = serde_json::from_str(shown).expect("JSON");
        let answer = serde_json::to_value(format_ok(request.clone())).expect("JSON");
        assert_eq!(answer, shown, "{request}\n{answer:#}");
    }
}

#[test]
fn the_page_lists_every_style() {
    let styles = format_ok(serde_json::json!({ "format": "styles" }));
    let missing: Vec<&str> = styles
        .entries
        .iter()
        .map(|entry| entry.id.as_str())
        .filter(|name| !PAGE.contains(&format!("`{name}`")))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
