use serde_json::json;

use super::*;

fn plan_with(input: Value) -> Plan {
    let mut plan = Plan::new("t", Vec::new());
    let inputs = json!({ "topic": "x", SUPERVISORS_INPUT: input });
    plan.inputs = Some(Json::encode(&inputs).unwrap());
    plan
}

fn names(plan: &Plan) -> Vec<(Origin, String)> {
    let all = declared(plan).unwrap().unwrap_or_default();
    all.iter()
        .map(|declared| (declared.origin, declared.supervisor.name().to_owned()))
        .collect()
}

fn operators() -> Vec<Supervisor> {
    check(&json!([{"kind": "rules", "name": "house"}])).unwrap()
}

#[test]
fn what_a_plan_claims_of_the_operators_is_replaced() {
    let mut plan = plan_with(json!({
        "of_plan": [{"kind": "rules", "name": "own"}],
        "of_settings": [{"kind": "rules", "name": "invented"}],
    }));
    declare(&mut plan, &operators()).unwrap();
    assert_eq!(
        names(&plan),
        [
            (Origin::Plan, "own".to_owned()),
            (Origin::Settings, "house".to_owned())
        ]
    );
}

#[test]
fn starting_again_from_the_record_changes_nothing() {
    let mut plan = plan_with(json!([{"kind": "rules", "name": "own"}]));
    declare(&mut plan, &operators()).unwrap();
    let once = plan.clone();
    declare(&mut plan, &operators()).unwrap();
    assert_eq!(plan, once);
    declare(&mut plan, &[]).unwrap();
    assert_eq!(names(&plan), [(Origin::Plan, "own".to_owned())]);
}

#[test]
fn a_plan_without_supervisors_stays_as_it_is() {
    let mut plan = Plan::new("t", Vec::new());
    let before = plan.clone();
    declare(&mut plan, &[]).unwrap();
    assert_eq!(plan, before);
    assert_eq!(declared(&plan), Ok(None));
    let mut empty = plan_with(json!([]));
    declare(&mut empty, &[]).unwrap();
    assert_eq!(declared(&empty), Ok(None));
}

#[test]
fn whoever_may_ask_makes_information_an_occasion_to_ask() {
    let asks = |declaration: Value| {
        let mut plan = plan_with(declaration);
        declare(&mut plan, &[]).unwrap();
        plan.replan.on.contains(&ReplanTrigger::NewInformation)
    };
    assert!(asks(json!([{"kind": "rules", "name": "own"}])));
    assert!(!asks(json!([{"kind": "rules", "name": "own", "rules": [
        {"name": "r", "when": "mission.errors > 1", "then": "abort", "because": "b"}
    ]}])));
}

#[test]
fn the_operator_declares_nothing_that_is_done_in_a_persons_name() {
    let read = |list: Value| check(&list).unwrap();
    assert!(check_operators(&read(json!([{"kind": "panel", "name": "board"}]))).is_ok());
    for list in [
        json!([{"kind": "panel", "name": "board", "passes_layers": true}]),
        json!([{"kind": "background", "name": "nightly"}]),
        json!([{"kind": "rules", "name": "r", "rules": [
            {"name": "r", "when": "true", "then": "continue", "because": "b"}
        ]}]),
    ] {
        assert!(check_operators(&read(list.clone())).is_err(), "{list}");
    }
    let without = json!([{"kind": "background", "name": "nightly", "retries": 0}]);
    assert!(check_operators(&read(without)).is_ok());
}

#[test]
fn two_of_the_same_name_are_refused_and_a_record_of_a_later_version_is_not_skipped() {
    let mut plan = plan_with(json!([{"kind": "panel", "name": "house"}]));
    let refused = declare(&mut plan, &operators()).unwrap_err();
    assert_eq!(refused.code(), "ADJ-6270");
    let later = plan_with(json!({"of_plan": [{"kind": "oracle", "name": "x"}]}));
    assert_eq!(declared(&later).unwrap_err().code(), "ADJ-6271");
}
