use std::path::Path;

use adjutant_mission::{EffectClass, Lease, Provenance, TenantId};
use serde_json::json;

use super::*;
use crate::builtin::testing::{effect, settings};
use crate::{BoxFuture, Call, ToolFailure};

fn builtin() -> Registry {
    Registry::builtin(settings(Path::new("unused"))).unwrap()
}

fn findings(tool: &str, arguments: Value) -> Vec<String> {
    builtin()
        .check_arguments(&ToolId::new(tool).unwrap(), &arguments)
        .into_iter()
        .map(|Finding { path, message, .. }| format!("{path}: {message}"))
        .collect()
}

#[test]
fn the_table_holds_the_facts_of_every_tool() {
    let table = builtin().table();
    let classes: Vec<_> = table
        .iter()
        .map(|(id, facts)| (id.as_str(), facts.class))
        .collect();
    use EffectClass::{Idempotent, Once, Pure};
    assert_eq!(
        classes,
        [
            ("L5-CALC", Pure),
            ("L5-CT", Pure),
            ("L5-EMA", Pure),
            ("L5-FDA", Pure),
            ("L5-FMT", Pure),
            ("L5-NEWS", Pure),
            ("L5-NLP", Pure),
            ("L5-PS", Pure),
            ("L5-PT", Pure),
            ("L5-RAG", Pure),
            ("L5-STAT", Pure),
            ("L5-VIZ", Pure),
            ("L5-WEB", Pure),
            ("calc", Pure),
            ("cut_documents", Pure),
            ("earlier_report", Pure),
            ("http", Idempotent),
            ("http_post", Once),
            ("merge_sources", Pure),
            ("noop", Pure),
            ("nothing_found", Pure),
            ("read_documents", Pure),
            ("recall", Pure),
            ("replace_file", Once),
            ("run_code", Pure),
            ("run_command", Once),
            ("sleep", Pure),
            ("template", Pure),
            ("whole_documents", Pure),
            ("write_file", Idempotent),
        ]
    );
}

#[test]
fn what_others_may_have_written_says_so() {
    let table = builtin().table();
    let outside = table
        .iter()
        .filter(|(_, facts)| facts.provenance != Some(Provenance::Own));
    let names: Vec<&str> = outside.map(|(id, _)| id.as_str()).collect();
    assert_eq!(
        names,
        [
            "L5-CT",
            "L5-EMA",
            "L5-FDA",
            "L5-NEWS",
            "L5-PS",
            "L5-PT",
            "L5-RAG",
            "L5-WEB",
            "cut_documents",
            "earlier_report",
            "http",
            "http_post",
            "read_documents",
            "recall",
            "run_code",
            "run_command",
            "whole_documents"
        ]
    );
}

#[test]
fn references_are_given_the_benefit_of_the_doubt() {
    let none: [String; 0] = [];
    assert_eq!(
        findings("sleep", json!({ "seconds": "{{a.output.n}}" })),
        none
    );
    assert_eq!(
        findings(
            "http",
            json!({ "url": "{{inputs.url}}", "headers": "{{a.output}}" })
        ),
        none
    );
    assert_eq!(
        findings(
            "http",
            json!({ "url": "https://example.org/", "method": "{{inputs.method}}" })
        ),
        none
    );
    assert_eq!(
        findings(
            "run_command",
            json!({ "program": "{{a.output}}", "args": ["-{{a.output.n}}"] })
        ),
        none
    );
}

#[test]
fn what_no_reference_can_mend_is_reported_where_it_is() {
    let partly = findings("sleep", json!({ "seconds": "about {{a.output.n}}" }));
    assert_eq!(
        partly,
        ["seconds: \"about {{a.output.n}}\" is not of type \"number\""]
    );
    let nested = findings("run_command", json!({ "program": "git", "args": ["a", 1] }));
    assert_eq!(nested, ["args.1: 1 is not of type \"string\""]);
    assert_eq!(
        findings("http", json!({})),
        [": \"url\" is a required property"]
    );
    let unknown = findings(
        "http",
        json!({ "url": "{{a.output}}", "urll": "{{a.output}}" }),
    );
    assert_eq!(unknown.len(), 1, "{unknown:?}");
    assert_eq!(
        findings("http", json!({ "url": "u", "method": "POST" })).len(),
        1
    );
    assert_eq!(
        findings("http", json!({ "url": "u", "body": "a", "json": 1 })).len(),
        1
    );
    assert!(
        findings("htp", json!({}))[0]
            .contains("there is no tool `htp`; available: L5-CALC, L5-CT,")
    );
}

struct Odd(Manifest);

impl Tool for Odd {
    fn manifest(&self) -> &Manifest {
        &self.0
    }

    fn call(&self, _: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(std::future::ready(Ok(Value::Null)))
    }
}

fn odd(id: &str, input: Value) -> Box<Odd> {
    let id = ToolId::new(id).unwrap();
    Box::new(Odd(Manifest::new(id, EffectClass::Pure, input)))
}

#[test]
fn a_schema_may_not_reach_outside_itself() {
    for outside in [
        "http://127.0.0.1:9/x.json",
        "file:///etc/hostname",
        "other.json",
    ] {
        let registered = Registry::new().register(odd("odd", json!({ "$ref": outside })));
        assert!(
            matches!(
                registered,
                Err(RegistryError::Schema { which: "input", .. })
            ),
            "{outside}"
        );
    }
    let inside = json!({ "$defs": { "a": { "type": "string" } }, "$ref": "#/$defs/a" });
    assert!(Registry::new().register(odd("odd", inside)).is_ok());
    let broken = Registry::new().register(odd("odd", json!({ "type": "strin" })));
    assert!(broken.is_err());
}

#[test]
fn an_id_is_taken_only_once() {
    let mut registry = builtin();
    let taken = registry.register(odd("calc", json!({})));
    assert!(matches!(taken, Err(RegistryError::Twice { .. })));
}

#[tokio::test]
async fn calc_and_noop_give_values() {
    let registry = builtin();
    let call = async |tool: &str, arguments: Value| {
        let registered = registry.get(tool).unwrap();
        assert_eq!(registered.input().check(&arguments), []);
        let call = Call {
            tenant: TenantId::new("acme").unwrap(),
            effect: effect(1),
            arguments,
            lease: Lease::default(),
        };
        registered.tool().call(call).await
    };
    let arguments = json!({ "expression": "sum(rows) * rate", "values": { "rows": [0.1, 0.2, "1e1"], "rate": "2.50" } });
    assert_eq!(
        call("calc", arguments).await.unwrap(),
        json!({ "value": 25.75, "text": "25.750" })
    );
    let whole = call("calc", json!({ "expression": "2^62" })).await.unwrap();
    assert_eq!(
        whole,
        json!({ "value": 4_611_686_018_427_387_904_i64, "text": "4611686018427387904" })
    );
    let wrong = call(
        "calc",
        json!({ "expression": "x", "values": { "x": "twelve" } }),
    )
    .await;
    assert!(
        wrong
            .unwrap_err()
            .to_string()
            .contains("`values.x` is `twelve`")
    );
    assert_eq!(
        call("noop", json!({ "value": [1] })).await.unwrap(),
        json!([1])
    );
    assert_eq!(call("noop", json!({})).await.unwrap(), Value::Null);
}

#[tokio::test(start_paused = true)]
async fn sleep_waits_as_long_as_it_says() {
    let registry = builtin();
    let before = tokio::time::Instant::now();
    let call = Call {
        tenant: TenantId::new("acme").unwrap(),
        effect: effect(1),
        arguments: json!({ "seconds": 3_599.5 }),
        lease: Lease::default(),
    };
    registry
        .get("sleep")
        .unwrap()
        .tool()
        .call(call)
        .await
        .unwrap();
    assert_eq!(before.elapsed().as_millis(), 3_599_500);
    assert_eq!(findings("sleep", json!({ "seconds": 3_601 })).len(), 1);
}

/// Whoever approves a call must not learn only afterwards that the settings forbid it.
#[test]
fn what_every_call_would_refuse_is_refused_when_the_plan_is_checked() {
    for (tool, arguments, place) in [
        ("run_command", json!({ "program": "ls" }), "program"),
        (
            "run_command",
            json!({ "program": "./cat", "args": ["{{a.output}}"] }),
            "program",
        ),
        (
            "write_file",
            json!({ "path": "../a.txt", "text": "{{a.output}}" }),
            "path",
        ),
        (
            "replace_file",
            json!({ "path": "/etc/passwd", "text": "x" }),
            "path",
        ),
        ("write_file", json!({ "path": "a/", "text": "x" }), "path"),
        ("http_post", json!({ "url": "https://example.org/" }), "url"),
        (
            "http_post",
            json!({ "url": "https://example.org/{{a.output}}" }),
            "url",
        ),
        (
            "http_post",
            json!({ "url": "https://example.org?q={{a.output}}" }),
            "url",
        ),
        ("http", json!({ "url": "file:///etc/passwd" }), "url"),
        ("http", json!({ "url": "http://10.0.0.1/" }), "url"),
    ] {
        let found = findings(tool, arguments.clone());
        let [one] = found.as_slice() else {
            panic!("{tool} {arguments}: {found:?}");
        };
        assert!(one.starts_with(&format!("{place}: ")), "{one}");
    }
}

#[test]
fn what_is_allowed_or_not_known_yet_is_not_refused_when_the_plan_is_checked() {
    for (tool, arguments) in [
        (
            "run_command",
            json!({ "program": "cat", "args": ["../secret"] }),
        ),
        ("run_command", json!({ "program": "{{a.output}}" })),
        ("write_file", json!({ "path": "a/./b.txt", "text": "x" })),
        (
            "write_file",
            json!({ "path": "{{a.output}}/../b.txt", "text": "x" }),
        ),
        ("http_post", json!({ "url": "{{a.output}}" })),
        ("http_post", json!({ "url": "https://{{a.output}}/" })),
        (
            "http_post",
            json!({ "url": "https://example{{a.output}}/" }),
        ),
        ("http", json!({ "url": "https://example.org/{{a.output}}" })),
        ("http", json!({ "url": "http://127.0.0.1:1/" })),
    ] {
        assert_eq!(
            findings(tool, arguments.clone()),
            [""; 0],
            "{tool} {arguments}"
        );
    }
}
