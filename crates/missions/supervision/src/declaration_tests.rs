use serde_json::json;

use super::*;
use crate::check;

fn of_rule(when: &str) -> Result<Vec<Supervisor>, Vec<Problem>> {
    check(&json!([{"kind": "rules", "name": "limits", "rules": [
        {"name": "r", "when": when, "then": "pause", "because": "b"}
    ]}]))
}

#[test]
fn what_is_built_in_is_valid() {
    let all = check(&json!([
        {"kind": "rules", "name": "standard"},
        {"kind": "panel", "name": "board"},
        {"kind": "background", "name": "nightly"},
    ]))
    .unwrap();
    assert_eq!(all.len(), 3);
    let found = Rules {
        name: "standard".to_owned(),
        rules: Vec::new(),
    };
    for rule in found.effective() {
        assert_eq!(check_condition(&rule.when), Ok(()), "{}", rule.name);
    }
    let panel = Panel {
        name: "board".to_owned(),
        members: Vec::new(),
        needed: 2,
        passes_layers: false,
    };
    for rule in panel.effective().iter().flat_map(|member| &member.rules) {
        assert_eq!(check_condition(&rule.when), Ok(()), "{}", rule.name);
    }
}

#[test]
fn a_slip_in_a_condition_is_found_wherever_it_stands() {
    for (when, told) in [
        ("mission.eror > 3", "`mission.eror` does not exist"),
        // Evaluating would never get there.
        (
            "mission.errors > 3 && mission.eror > 1",
            "`mission.eror` does not exist",
        ),
        ("mission . eror > 3", "`mission.eror` does not exist"),
        (
            "mission.errors > 3 && 'x' in mission.file_type",
            "`mission.file_type` does not exist",
        ),
        ("errors > 3", "`errors` is not known here"),
        ("mission.budget > 1.0", "has("),
        ("mission.errors", "true or false"),
        ("mission.errors >", ""),
        ("", "empty"),
    ] {
        let problems = of_rule(when).unwrap_err();
        assert_eq!(problems[0].place, "[0].rules[0].when", "{when}");
        assert!(
            problems[0].message.contains(told),
            "{when}: {}",
            problems[0].message
        );
    }
}

#[test]
fn a_name_in_quotes_is_no_fact() {
    assert!(of_rule("'mission.x' in mission.file_types").is_ok());
    assert!(of_rule(r#""a\"mission.x" in mission.file_types"#).is_ok());
    assert!(of_rule("has(mission.budget) && mission.cost > mission.budget").is_ok());
}

#[test]
fn a_declaration_that_is_wrong_is_told_with_its_place() {
    let rule = json!({"name": "r", "when": "true", "then": "pause", "because": "b"});
    for (declared, place) in [
        (json!({"kind": "rules"}), ""),
        (json!([{"kind": "oracle", "name": "x"}]), "[0]"),
        (json!([{"kind": "rules", "name": "a b"}]), "[0].name"),
        (json!([{"kind": "rules", "name": ""}]), "[0].name"),
        (
            json!([{"kind": "rules", "name": "a"}, {"kind": "panel", "name": "a"}]),
            "[1].name",
        ),
        (json!([{"kind": "rules", "name": "a", "typo": 1}]), "[0]"),
        (
            json!([{"kind": "rules", "name": "a", "rules": [rule, rule]}]),
            "[0].rules[1].name",
        ),
        (
            json!([{"kind": "panel", "name": "a", "needed": 4}]),
            "[0].needed",
        ),
        (
            json!([{"kind": "panel", "name": "a", "needed": 0}]),
            "[0].needed",
        ),
        (
            json!([{"kind": "panel", "name": "a", "needed": 1, "members": [{"name": "m", "rules": []}]}]),
            "[0].members[0].rules",
        ),
        (
            json!([{"kind": "background", "name": "a", "quiet_minutes": 0}]),
            "[0].quiet_minutes",
        ),
        (
            json!([{"kind": "rules", "name": "a", "rules": [
                {"name": "r", "when": "true", "then": "retry", "because": "b"}
            ]}]),
            "[0].rules[0].then",
        ),
        (
            json!([{"kind": "rules", "name": "a", "rules": [
                {"name": "r", "when": "true", "then": "replan", "because": "b"}
            ]}]),
            "[0].rules[0].requirement",
        ),
        (
            json!([{"kind": "rules", "name": "a", "rules": [
                {"name": "r", "when": "true", "then": "pause", "because": "b", "requirement": "x"}
            ]}]),
            "[0].rules[0].requirement",
        ),
        (
            json!([{"kind": "rules", "name": "a", "rules": [
                {"name": "r", "when": "true", "then": "pause", "because": " "}
            ]}]),
            "[0].rules[0].because",
        ),
    ] {
        let problems = check(&declared).unwrap_err();
        assert_eq!(problems[0].place, place, "{declared}: {problems:?}");
    }
}
