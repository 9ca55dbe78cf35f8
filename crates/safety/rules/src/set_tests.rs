use serde_json::json;

use super::*;

fn rule(name: &str, on: Subject, when: &str, then: Decision) -> RuleSource {
    RuleSource {
        name: name.to_owned(),
        on,
        when: when.to_owned(),
        then,
        approver: Approver::Anyone,
        because: format!("because of {name}"),
    }
}

fn set(rules: &[(&str, &str, Decision)]) -> RuleSet {
    let sources = rules
        .iter()
        .map(|(name, when, then)| rule(name, Subject::Call, when, *then));
    RuleSet::new(sources.collect()).unwrap()
}

fn decide(set: &RuleSet, tool: &str, arguments: &Value) -> Ruling {
    let call = json!({ "tool": tool, "arguments": arguments });
    set.decide(Subject::Call, &[("call", &call), ("mission", &json!({}))])
}

#[test]
fn the_first_rule_that_holds_decides() {
    let set = set(&[
        (
            "small",
            "call.tool == 'pay' && call.arguments.amount < 10",
            Decision::Allow,
        ),
        ("pay", "call.tool == 'pay'", Decision::Ask),
        ("never", "call.tool == 'drop'", Decision::Deny),
    ]);
    let of = |tool: &str, amount: i64| {
        let ruling = decide(&set, tool, &json!({ "amount": amount }));
        (ruling.decision, ruling.rule)
    };
    assert_eq!(of("pay", 5), (Decision::Allow, Some("small".into())));
    assert_eq!(of("pay", 50), (Decision::Ask, Some("pay".into())));
    assert_eq!(of("drop", 5), (Decision::Deny, Some("never".into())));
    assert_eq!(of("read", 5), (Decision::Allow, None));
}

/// What is not known yet leaves a decision open only if a rule needs it.
#[test]
fn what_does_not_depend_on_what_is_missing_is_foreseen() {
    let set = set(&[
        (
            "small",
            "call.tool == 'pay' && call.arguments.amount < 10",
            Decision::Allow,
        ),
        ("drop", "call.tool == 'drop'", Decision::Deny),
        (
            "mail",
            "call.tool == 'mail' && has(call.arguments.to)",
            Decision::Ask,
        ),
    ]);
    let foreseen = |tool: &str| {
        let call = json!({ "tool": tool });
        set.foresee(Subject::Call, &[("call", &call), ("mission", &json!({}))])
    };
    assert_eq!(foreseen("pay"), None);
    assert_eq!(foreseen("mail"), None);
    assert_eq!(foreseen("drop").unwrap().decision, Decision::Deny);
    assert_eq!(foreseen("read").unwrap().decision, Decision::Allow);
}

#[test]
fn a_rule_that_cannot_be_evaluated_denies_even_if_it_allows() {
    for then in [Decision::Allow, Decision::Ask, Decision::Deny] {
        let set = set(&[("amount", "call.arguments.amount < 10", then)]);
        for arguments in [json!({}), json!({ "amount": "much" }), json!([])] {
            let ruling = decide(&set, "pay", &arguments);
            assert_eq!(ruling.decision, Decision::Deny, "{then} {arguments}");
            assert!(ruling.because.contains("cannot be evaluated"), "{ruling:?}");
        }
    }
}

/// An `allow` of one set must not undo what another set forbids.
#[test]
fn between_sets_the_strictest_holds() {
    let tenant = set(&[("all", "true", Decision::Allow)]);
    let operator = set(&[("none", "call.tool == 'pay'", Decision::Deny)]);
    let of = |set: &RuleSet| decide(set, "pay", &json!({}));
    let one_way = of(&tenant).or_stricter(of(&operator));
    let other_way = of(&operator).or_stricter(of(&tenant));
    assert_eq!(one_way.decision, Decision::Deny);
    assert_eq!(one_way, other_way);
}

#[test]
fn asking_another_person_is_stricter_than_asking_anyone() {
    let ask = |approver| Ruling {
        decision: Decision::Ask,
        approver,
        rule: None,
        because: String::new(),
    };
    let (anyone, another) = (ask(Approver::Anyone), ask(Approver::AnotherPerson));
    assert_eq!(anyone.clone().or_stricter(another.clone()), another);
    assert_eq!(another.clone().or_stricter(anyone), another);
}

#[test]
fn a_rule_that_would_never_end_is_stopped() {
    let set = set(&[(
        "loops",
        "call.arguments.rows.all(a, call.arguments.rows.all(b, a == b))",
        Decision::Allow,
    )]);
    let rows: Vec<i64> = vec![1; 100_000];
    let ruling = decide(&set, "pay", &json!({ "rows": rows }));
    assert_eq!(ruling.decision, Decision::Deny, "{ruling:?}");
    assert!(ruling.because.contains("too many values"), "{ruling:?}");
}

#[test]
fn what_cannot_be_a_rule_is_refused() {
    let refused = |source: RuleSource| RuleSet::new(vec![source]).unwrap_err().to_string();
    let wrong_field = rule("a", Subject::Report, "report.tool == 'x'", Decision::Deny);
    assert!(refused(wrong_field).contains("`report.tool` does not exist"));
    let late = rule("a", Subject::Result, "result.size > 1", Decision::Ask);
    assert!(refused(late).contains("the call has been made"));
    let another = RuleSource {
        approver: Approver::AnotherPerson,
        ..rule("a", Subject::Call, "true", Decision::Ask)
    };
    assert!(refused(another).contains("`approver` belongs"));
    let twice = vec![rule("a", Subject::Call, "true", Decision::Deny); 2];
    let twice = RuleSet::new(twice).unwrap_err().to_string();
    assert!(twice.contains("two rules are called `a`"), "{twice}");
}

#[test]
fn the_hash_stands_for_the_rules() {
    let one = set(&[("a", "true", Decision::Deny)]);
    let same = set(&[("a", "true", Decision::Deny)]);
    let other = set(&[("a", "true", Decision::Ask)]);
    assert_eq!(one.hash(), same.hash());
    assert_ne!(one.hash(), other.hash());
}

#[test]
fn rules_that_cannot_be_had_deny_everything() {
    let set = RuleSet::denying("the file is gone");
    for on in Subject::ALL {
        let ruling = set.decide(on, &[]);
        assert_eq!(ruling.decision, Decision::Deny, "{on}");
        assert_eq!(ruling.because, "the file is gone");
    }
}
