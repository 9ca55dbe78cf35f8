use std::collections::BTreeMap;

use adjutant_suggestion::{Graph, Revision, Suggester, TaskState, ToolEffect};
use serde_json::{Map, Value, json};

use super::house::{task, tool, tools};

/// The house with a parser of XML files, which takes one file at a time.
fn house() -> Suggester {
    let mut all = tools();
    all.push(tool(
        "xml_parser",
        "Parses an XML file into records.",
        ToolEffect::Computes,
        json!({ "type": "object", "required": ["path"], "properties": { "path": { "type": "string" } } }),
        None,
    ));
    Suggester::new(all, &[], Vec::new())
}

/// A search that is done, a page that is read, and a file that will be written.
fn running() -> (Graph, BTreeMap<String, TaskState>) {
    let mut write = task("write", "file_writer", &["search"]);
    write.arguments.insert("path".to_owned(), json!("a.txt"));
    write
        .arguments
        .insert("text".to_owned(), json!("{{search.output}}\n"));
    let graph = Graph {
        tasks: vec![
            task("search", "weather_search", &[]),
            task("page", "page_reader", &[]),
            write,
        ],
    };
    let states = [
        ("search", TaskState::Done),
        ("page", TaskState::Running),
        ("write", TaskState::NotStarted),
    ];
    (
        graph,
        states.map(|(id, state)| (id.to_owned(), state)).into(),
    )
}

fn replanned(requirement: &str, context: Value) -> Revision {
    let (graph, states) = running();
    let context: Map<String, Value> = context.as_object().unwrap().clone();
    house()
        .replan(&graph, &states, requirement, &context)
        .unwrap()
}

#[test]
fn found_files_get_a_parser_each_and_what_is_written_later_waits_for_them() {
    let revision = replanned(
        "Add an XML parser for the discovered files",
        json!({ "xml_files": ["a.xml", "b.xml"] }),
    );
    let added: Vec<(&str, &Value)> = revision
        .add
        .iter()
        .map(|task| (task.id.as_str(), &task.arguments["path"]))
        .collect();
    assert_eq!(
        added,
        [
            ("xml_parser", &json!("a.xml")),
            ("xml_parser_2", &json!("b.xml"))
        ]
    );
    let [write] = revision.change.as_slice() else {
        panic!("{revision:?}")
    };
    assert_eq!(write.depends_on, ["search", "xml_parser", "xml_parser_2"]);
    let text = write.arguments["text"].as_str().unwrap();
    assert!(
        text.starts_with("{{search.output}}") && text.contains("{{xml_parser_2.output}}"),
        "{text}"
    );
    assert!(revision.missing.is_empty());
}

#[test]
fn a_new_task_takes_up_a_result_that_is_there() {
    let revision = replanned("Fit a trend to it", json!({}));
    assert_eq!(
        revision.add[0].arguments["sources"],
        json!("{{search.output.sources}}")
    );
    assert_eq!(revision.add[0].depends_on, ["search"]);
}

#[test]
fn nothing_that_started_is_changed_and_no_id_is_used_twice() {
    let (graph, mut states) = running();
    states.insert("write".to_owned(), TaskState::Running);
    let revision = house()
        .replan(
            &graph,
            &states,
            "Find weather measurements and open https://a.example",
            &Map::new(),
        )
        .unwrap();
    assert!(revision.change.is_empty(), "{:?}", revision.change);
    let taken = ["search", "page", "write"];
    assert!(
        revision
            .add
            .iter()
            .all(|task| !taken.contains(&task.id.as_str()))
    );
}

#[test]
fn a_result_that_will_never_come_is_not_referred_to() {
    let (graph, mut states) = running();
    states.insert("search".to_owned(), TaskState::Without);
    let revision = house()
        .replan(&graph, &states, "Fit a trend", &Map::new())
        .unwrap();
    assert_eq!(revision.missing[0].argument, "sources");
    assert!(revision.add[0].depends_on.is_empty());
}

#[test]
fn braces_in_what_was_found_are_no_references() {
    let revision = replanned(
        "Add an XML parser",
        json!({ "path": "{{search.output.secret}}" }),
    );
    let path = revision.add[0].arguments["path"].as_str().unwrap();
    assert!(!path.contains("{{"), "{path}");
}

#[test]
fn what_no_tool_serves_changes_nothing() {
    let revision = replanned("Sing a song", json!({ "song": "a" }));
    assert!(revision.add.is_empty() && revision.change.is_empty());
}
