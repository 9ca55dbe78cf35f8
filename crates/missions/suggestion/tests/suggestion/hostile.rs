use adjutant_suggestion::{
    AilReason, INTENT_CHARS_MAX, IntentRefused, Suggester, ToolEffect, WorkflowOutcome,
};
use serde_json::json;

use super::house::{suggester, task, tool, workflow};

#[test]
fn an_intent_without_words_or_without_end_is_refused() {
    let suggester = suggester(Vec::new());
    for empty in ["", "   ", "?!", "\u{202e}\u{0}"] {
        assert_eq!(
            suggester.suggest(empty),
            Err(IntentRefused::Empty),
            "{empty:?}"
        );
    }
    let long = "a".repeat(INTENT_CHARS_MAX + 1);
    let chars = INTENT_CHARS_MAX + 1;
    assert_eq!(
        suggester.suggest(&long),
        Err(IntentRefused::TooLong { chars })
    );
    assert!(suggester.suggest(&"and then find it, ".repeat(200)).is_ok());
}

#[test]
fn an_intent_that_wants_everything_is_cut_at_a_number_of_tasks() {
    let many: Vec<_> = (0..200)
        .map(|at| {
            let word = format!(
                "{}thing",
                char::from(b'a' + (at % 26) as u8)
                    .to_string()
                    .repeat(3 + at / 26)
            );
            tool(
                &word,
                &format!("Makes {word}."),
                ToolEffect::Finds,
                json!({}),
                None,
            )
        })
        .collect();
    let all: Vec<String> = many
        .iter()
        .map(|tool| format!("find {}", tool.id))
        .collect();
    let suggester = Suggester::new(many, &[], Vec::new());
    let suggested = suggester
        .suggest(&all.join(", then ")[..INTENT_CHARS_MAX - 1])
        .unwrap();
    assert!(
        suggested.graph.tasks.len() <= 24,
        "{}",
        suggested.graph.tasks.len()
    );
}

#[test]
fn a_past_graph_with_a_cycle_and_unknown_tasks_is_not_offered() {
    let tasks = vec![
        task("a", "weather_search", &["b"]),
        task("b", "trend_line", &["a", "nobody"]),
        task("b", "trend_line", &["b"]),
    ];
    let circle = workflow(
        "c",
        "go round in circles",
        tasks,
        WorkflowOutcome::Completed,
    );
    let suggested = suggester(vec![circle])
        .suggest("Go round in circles")
        .unwrap();
    assert!(suggested.graph.tasks.is_empty(), "{suggested:?}");
    assert_eq!(suggested.ail_required, Some(AilReason::NothingFits));
}

#[test]
fn a_manifest_that_refers_to_itself_or_to_nothing_is_read() {
    let schemas = [
        json!({ "$ref": "#" }),
        json!({ "properties": { "x": { "$ref": "#/properties/x" } }, "required": ["x"] }),
        json!({ "oneOf": [{ "$ref": "#/nowhere" }, 7] }),
        json!(true),
        json!({ "required": "all", "properties": [] }),
    ];
    let tools = schemas.into_iter().enumerate().map(|(at, schema)| {
        tool(
            &format!("odd_{at}"),
            "Reads odd telegrams.",
            ToolEffect::Finds,
            schema,
            None,
        )
    });
    let suggester = Suggester::new(tools.collect(), &[], Vec::new());
    assert!(suggester.suggest("Read odd telegrams").is_ok());
}

#[test]
fn braces_in_an_intent_are_no_references() {
    let suggested = suggester(Vec::new())
        .suggest(
            "Find weather measurements of {{inputs.secret}} and save \"{{a.output}}\" to a.txt",
        )
        .unwrap();
    for task in &suggested.graph.tasks {
        for value in task.arguments.values() {
            let text = value.to_string();
            assert!(
                !text.contains("{{inputs") && !text.contains("{{a.output"),
                "{text}"
            );
        }
    }
}
