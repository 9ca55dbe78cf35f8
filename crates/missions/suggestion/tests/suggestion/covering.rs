//! What a suggestion leaves of an intent is said.

use adjutant_suggestion::{Suggester, ToolEffect};
use serde_json::json;

use super::house::{suggest, tool, tools};

#[test]
fn a_thing_to_do_that_no_tool_does_is_named_and_what_is_done_is_not() {
    let suggested = suggest(
        "Find rain measurements of weather stations, fit a trend, mail it to Bob, and encrypt the file with a password",
    );
    assert_eq!(
        suggested.not_covered,
        ["mail it to Bob", "encrypt the file with a password"]
    );
    let suggested = suggest(
        "Find rain measurements of weather stations, fit a trend and save its text to the file rain.txt",
    );
    assert!(
        suggested.not_covered.is_empty(),
        "{:?}",
        suggested.not_covered
    );
}

#[test]
fn a_figure_that_no_argument_has_is_named_unless_a_missing_argument_may_take_it() {
    let suggested = suggest("Find wind measurements of the stations, only above 100");
    let query = suggested.graph.tasks[0].arguments["query"]
        .as_str()
        .unwrap();
    assert!(
        query.contains("100") || suggested.not_covered == ["above 100"],
        "{suggested:?}"
    );

    let suggested = suggest("Find 25 wind measurements of the stations");
    assert_eq!(
        suggested.not_covered,
        ["Find 25 wind measurements of the stations"]
    );

    let suggested = suggest("Fit a trend of degree 3");
    assert!(!suggested.missing.is_empty());
    assert!(
        suggested.not_covered.is_empty(),
        "{:?}",
        suggested.not_covered
    );
}

#[test]
fn figures_in_quotes_addresses_and_names_are_data() {
    let suggested = suggest("Save \"Room 12 is closed\" to the file week-31.txt");
    assert!(
        suggested.not_covered.is_empty(),
        "{:?}",
        suggested.not_covered
    );
    let suggested = suggest("Read the web page https://a.example/2024/7");
    assert!(
        suggested.not_covered.is_empty(),
        "{:?}",
        suggested.not_covered
    );
}

#[test]
fn what_is_told_besides_needs_no_task() {
    let story = "My uncle painted his house when the wind was weak. Find temperature measurements of weather stations. It is urgent.";
    let suggested = suggest(story);
    assert!(
        suggested.not_covered.is_empty(),
        "{:?}",
        suggested.not_covered
    );
}

#[test]
fn what_is_named_has_an_end() {
    let many: Vec<String> = (0..200).map(|at| format!("polish the lamp{at}")).collect();
    let intent = format!("Find wind measurements, {}", many.join(", "));
    let suggested = suggest(&intent[..3_900]);
    assert!(
        (1..=10).contains(&suggested.not_covered.len()),
        "{:?}",
        suggested.not_covered
    );
}

#[test]
fn a_tool_of_which_one_argument_of_several_is_needed_misses_it_where_none_is_given() {
    let text = json!({ "type": "string" });
    let mut all = tools();
    all.push(tool(
        "shell_register",
        "Looks up shells of snails in a register.",
        ToolEffect::Finds,
        json!({
            "type": "object",
            "properties": { "hue": { "enum": ["red", "blue"] }, "species": text, "finder": text },
            "anyOf": [{ "required": ["species"] }, { "required": ["finder"] }],
        }),
        None,
    ));
    let house = Suggester::new(all, &[], Vec::new());
    let suggested = house
        .suggest("Look up red shells of snails in the register")
        .unwrap();
    assert_eq!(suggested.graph.tasks.len(), 1, "{suggested:?}");
    let [missing] = suggested.missing.as_slice() else {
        panic!("{suggested:?}")
    };
    assert_eq!(
        (missing.argument.as_str(), missing.or.as_slice()),
        ("species", &["finder".to_owned()][..])
    );
}
