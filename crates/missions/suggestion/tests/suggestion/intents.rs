use adjutant_suggestion::AilReason;
use serde_json::json;

use super::house::{drawn, suggest};

#[test]
fn results_flow_from_what_finds_through_what_computes_to_what_changes() {
    let suggested = suggest(
        "Find rain measurements of weather stations, fit a trend and save its text to the file rain.txt",
    );
    assert_eq!(
        drawn(&suggested),
        [
            "weather_search < ",
            "trend_line < weather_search",
            "file_writer < trend_line"
        ]
    );
    let [search, trend, file] = suggested.graph.tasks.as_slice() else {
        panic!("{suggested:?}")
    };
    assert!(search.arguments.contains_key("query"));
    assert_eq!(
        trend.arguments["sources"],
        json!("{{weather_search.output.sources}}")
    );
    assert_eq!(file.arguments["text"], json!("{{trend_line.output.text}}"));
    assert_eq!(file.arguments["path"], json!("rain.txt"));
    assert!(suggested.missing.is_empty(), "{:?}", suggested.missing);
}

#[test]
fn what_finds_different_things_begins_at_once() {
    let suggested = suggest("Find weather measurements, and find observations of planets");
    assert_eq!(drawn(&suggested), ["weather_search < ", "star_search < "]);
}

#[test]
fn a_tool_is_added_that_gives_what_another_requires_if_the_intent_speaks_of_it() {
    let suggested = suggest("Fit a trend to wind speeds of the stations");
    assert_eq!(
        drawn(&suggested),
        ["weather_search < ", "trend_line < weather_search"]
    );
    let why: Vec<&str> = suggested
        .why
        .iter()
        .map(|why| why.because.as_str())
        .collect();
    assert!(
        why[0].contains("`sources`, which `trend_line` needs") || why[0].contains("fits"),
        "{why:?}"
    );

    let alone = suggest("Fit a trend");
    assert_eq!(drawn(&alone), ["trend_line < "]);
    assert_eq!(alone.missing[0].argument, "sources");
    assert_eq!(alone.missing[0].kind, "list");
}

#[test]
fn every_address_is_opened_by_a_task_of_its_own() {
    let suggested = suggest("Read the web pages https://a.example/x and https://b.example/y.");
    let urls: Vec<&serde_json::Value> = suggested
        .graph
        .tasks
        .iter()
        .map(|task| &task.arguments["url"])
        .collect();
    assert_eq!(urls, ["https://a.example/x", "https://b.example/y"]);
    assert_ne!(suggested.graph.tasks[0].id, suggested.graph.tasks[1].id);
}

#[test]
fn a_listed_value_is_taken_from_the_words_and_named_where_it_is_missing() {
    let said = suggest("Mix green paint");
    assert_eq!(said.graph.tasks[0].arguments["hue"], json!("green"));
    let unsaid = suggest("Mix paint");
    assert_eq!(unsaid.missing[0].argument, "hue");
    assert_eq!(unsaid.missing[0].about, "one of red, green");
}

#[test]
fn a_slip_of_the_pen_is_understood() {
    let suggested = suggest("Find temprature measurments of wether stations");
    assert_eq!(drawn(&suggested), ["weather_search < "]);
}

#[test]
fn what_no_tool_serves_is_said() {
    let suggested = suggest("Translate the poem into Welsh");
    assert!(suggested.graph.tasks.is_empty(), "{suggested:?}");
    assert_eq!(suggested.ail_required, Some(AilReason::NothingFits));
    assert_eq!(suggested.confidence.value, 0.0);
    assert_eq!(suggested.not_covered, ["Translate the poem into Welsh"]);
}

#[test]
fn the_same_intent_gives_the_same_suggestion() {
    let intent = "Find rain and wind measurements and save them to a.txt, then mix red paint";
    assert_eq!(suggest(intent), suggest(intent));
}

#[test]
fn what_is_told_besides_is_not_wanted() {
    let story = "My uncle painted his house when the wind was weak. Find temperature measurements of weather stations.";
    assert_eq!(drawn(&suggest(story)), ["weather_search < "]);
}
