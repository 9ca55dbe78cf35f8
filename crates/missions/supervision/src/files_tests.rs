use adjutant_mission::ToolId;

use super::*;

fn task(key: &str, tool: &str, with: &str) -> Task {
    let call = ToolCall {
        tool: ToolId::new(tool).unwrap(),
        with: Json::parse(with).unwrap(),
    };
    Task::new(TaskKey::new(key).unwrap(), WorkSpec::Tool(call))
}

fn types(output: &str) -> Vec<String> {
    files_in(&Json::parse(output).unwrap())
        .into_keys()
        .collect()
}

#[test]
fn types_are_the_endings_of_named_files() {
    assert_eq!(
        types(r#"{"files": ["data.xml", "a/b.c/NOTES.TXT", "Makefile", ".env", "x."]}"#),
        ["txt", "xml"]
    );
    assert_eq!(
        types(r#"{"found": [{"files": [{"path": "a.csv"}, {"name": "b.json"}, 7]}]}"#),
        ["csv", "json"]
    );
    assert!(types(r#"{"text": "see data.xml"}"#).is_empty());
    assert!(types(r#"["data.xml"]"#).is_empty());
    assert!(
        types(r#"{"files": ["a.sentence that is no ending"]}"#).is_empty(),
        "an ending has no spaces"
    );
}

#[test]
fn nesting_without_end_is_not_followed() {
    let deep = format!(
        "{}{}{}",
        "{\"a\":".repeat(60),
        r#"{"files":["x.xml"]}"#,
        "}".repeat(60)
    );
    assert!(types(&deep).is_empty());
}

#[test]
fn a_type_is_read_by_a_task_that_names_it_and_not_by_the_one_that_gives_it() {
    let list = task("list", "noop", r#"{"value": {"files": ["data.xml"]}}"#);
    let found = BTreeMap::from([(
        list.key.clone(),
        files_in(&Json::parse(r#"{"files": ["data.xml"]}"#).unwrap()),
    )]);
    let with = |other: Task| {
        let plan = Plan::new("t", vec![list.clone(), other]);
        unread(&found, &plan).into_iter().collect::<Vec<_>>()
    };
    assert_eq!(with(task("other", "noop", "{}")), ["xml"]);
    assert_eq!(with(task("other", "noop", r#"{"a": "xmlish"}"#)), ["xml"]);
    assert!(with(task("other", "read_xml", "{}")).is_empty());
    assert!(with(task("parse-XML", "noop", "{}")).is_empty());
    assert!(with(task("other", "noop", r#"{"pattern": "*.xml"}"#)).is_empty());
}
