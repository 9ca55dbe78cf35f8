//! The tools as a person tries them, outside of any mission.

use serde_json::Value;

use crate::support::Place;

#[test]
fn every_tool_is_listed_and_shown_with_its_schema() {
    let place = Place::new();
    let listed = place.run(&["tools", "list", "--json"]);
    assert_eq!(listed.code, 0, "{}", listed.err);
    let manifests: Vec<Value> = listed
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(manifests.len() >= 9, "{}", listed.out);
    for manifest in manifests {
        let id = manifest["id"].as_str().unwrap();
        let shown = place.run(&["tools", "show", id]);
        assert_eq!(shown.code, 0, "{}", shown.err);
        for told in [manifest["name"].as_str().unwrap(), "Arguments", "at most"] {
            assert!(shown.out.contains(told), "{id}: {}", shown.out);
        }
    }
}

#[test]
fn a_call_is_checked_made_and_printed() {
    let place = Place::new();
    let done = place.run(&[
        "tools",
        "call",
        "calc",
        r#"{"expression": "0.1 + 0.2"}"#,
        "--json",
    ]);
    assert_eq!(
        done.out.trim(),
        r#"{"text":"0.3","value":0.3}"#,
        "{}",
        done.err
    );
    place.write(
        "with.json",
        r#"{"expression": "2 * x", "values": {"x": "21"}}"#,
    );
    let done = place.run(&["tools", "call", "calc", "--file", "with.json"]);
    assert!(
        done.out.contains("\"text\": \"42\""),
        "{}{}",
        done.out,
        done.err
    );
    for (arguments, code, said) in [
        (["nope", "{}"], 2, "ADJ-6080"),
        (["calc", "{"], 2, "ADJ-6081"),
        (["calc", "[1]"], 2, "ADJ-6081"),
        (["calc", r#"{"sum": 1}"#], 2, "ADJ-6083"),
        (["calc", r#"{"expression": "1 / 0"}"#], 2, "ADJ-6083"),
        (["http_post", "{}"], 2, "ADJ-6082"),
        (
            ["recall", r#"{"question": "what"}"#],
            1,
            "no knowledge base",
        ),
    ] {
        let ran = place.run(&["tools", "call", arguments[0], arguments[1]]);
        assert_eq!(ran.code, code, "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(said), "{arguments:?}: {}", ran.err);
    }
    assert!(
        !place.home().join("adjutant.db").exists(),
        "nothing is kept"
    );
}
