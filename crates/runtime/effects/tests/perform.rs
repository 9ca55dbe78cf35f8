//! Effects performed as a host does it, with the real built-in tools and a few badly behaved ones.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use adjutant_effects::{Performer, PreparedEffect, Request, ResolvedInputs};
use adjutant_mission::{
    Effect, EffectClass, EffectId, EffectNumber, FailureKind, Gate, GateRule, GateVerdict, Json,
    Lease, MicroUsd, Millis, MissionId, Move, Outcome, Pattern, Payload, Provenance, StepKind,
    StepRole, TaskKey, TenantId, Thought, Timestamp, ToolCall, ToolId, Usage, Work,
};
use adjutant_tools::{
    BoxFuture, Call, Finding, Manifest, Permissions, References, Registry, Tool, ToolFailure,
    ToolSettings,
};
use serde_json::{Value, json};

type Behaviour = fn(Value) -> BoxFuture<'static, Result<Value, ToolFailure>>;

struct Scripted {
    manifest: Manifest,
    behaviour: Behaviour,
}

impl Tool for Scripted {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn check(&self, arguments: &Value, references: References) -> Vec<Finding> {
        if arguments["name"] == "panic" {
            panic!("out of rules");
        }
        let wrong = arguments["name"] == "../a" && references == References::Resolved;
        let finding = Finding {
            path: "name".into(),
            message: "it leaves the folder".into(),
            code: Some("ADJ-6312"),
        };
        wrong.then_some(finding).into_iter().collect()
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        (self.behaviour)(call.arguments)
    }
}

fn scripted(id: &str, class: EffectClass, behaviour: Behaviour) -> Box<Scripted> {
    let manifest = Manifest {
        provenance: Provenance::Own,
        price: MicroUsd(250),
        output: Some(json!({ "type": "object" })),
        time_limit: Millis::seconds(5),
        output_bytes_max: 10_000,
        ..Manifest::new(ToolId::new(id).unwrap(), class, json!({}))
    };
    Box::new(Scripted {
        manifest,
        behaviour,
    })
}

fn performer() -> Performer {
    let settings = ToolSettings::new(Path::new("unused"), Arc::new(|| Timestamp(0)));
    let mut registry = Registry::builtin(settings).unwrap();
    let mut add = |id, class, behaviour| registry.register(scripted(id, class, behaviour)).unwrap();
    add("panics", EffectClass::Pure, |_| {
        Box::pin(async { panic!("out of cheese") })
    });
    add("pays_and_panics", EffectClass::Once, |_| {
        Box::pin(async { panic!("out of ink") })
    });
    add("panics_at_once", EffectClass::Pure, |_| panic!("no future"));
    add("hangs", EffectClass::Idempotent, |_| {
        Box::pin(std::future::pending())
    });
    add("hangs_once", EffectClass::Once, |_| {
        Box::pin(std::future::pending())
    });
    add("number", EffectClass::Pure, |_| {
        Box::pin(async { Ok(json!(1)) })
    });
    add("long", EffectClass::Pure, |_| {
        Box::pin(async { Ok(json!({ "a": "x".repeat(20_000) })) })
    });
    add("later", EffectClass::Pure, |_| {
        Box::pin(async {
            Err(ToolFailure::Deferred {
                until: Timestamp(9),
            })
        })
    });
    Performer::new(Arc::new(registry))
}

fn effect(work: Work) -> Effect {
    Effect {
        id: EffectId {
            mission: MissionId::from_bits(1),
            number: EffectNumber::new(1),
        },
        task: TaskKey::new("task").unwrap(),
        attempt: 1,
        class: EffectClass::Pure,
        not_before: None,
        thought: None,
        guidance: Vec::new(),
        work,
    }
}

fn tool(id: &str, with: Value) -> Effect {
    effect(Work::CallTool(ToolCall {
        tool: ToolId::new(id).unwrap(),
        with: Json::encode(&with).unwrap(),
    }))
}

fn gate(rules: &[(&str, GateVerdict, &str)]) -> Effect {
    let rules = rules
        .iter()
        .map(|&(when, verdict, because)| GateRule {
            when: when.to_owned(),
            verdict,
            because: because.to_owned(),
        })
        .collect();
    effect(Work::EvaluateGate(Gate {
        rules,
        return_to: None,
        returns_max: 1,
    }))
}

fn resolved() -> ResolvedInputs {
    ResolvedInputs {
        inputs: Some(Json::parse(r#"{"limit":3,"folder":"a"}"#).unwrap()),
        outputs: [(
            "fetch".to_owned(),
            Json::parse(r#"{"n":5,"title":"T"}"#).unwrap(),
        )]
        .into(),
        origins: std::collections::BTreeMap::new(),
    }
}

async fn perform(effect: Effect) -> Outcome {
    performer()
        .perform(Request::new(
            TenantId::new("acme").unwrap(),
            effect,
            resolved(),
        ))
        .await
}

async fn inline(effect: Effect) -> Value {
    match perform(effect).await {
        Outcome::Done {
            output: Payload::Inline(json),
            ..
        } => serde_json::from_str(json.text()).unwrap(),
        other => panic!("{other:?}"),
    }
}

async fn failure(effect: Effect) -> (FailureKind, String, Usage) {
    match perform(effect).await {
        Outcome::Failed { failure, usage } => (failure.kind, failure.message, usage),
        other => panic!("{other:?}"),
    }
}

const PRICE: Usage = Usage {
    money: MicroUsd(250),
    tokens: 0,
};

#[tokio::test]
async fn references_are_resolved_with_their_types_before_the_call() {
    let arguments = json!({ "expression": "n * limit", "values": { "n": "{{fetch.output.n}}", "limit": "{{inputs.limit}}" } });
    assert_eq!(
        inline(tool("calc", arguments)).await,
        json!({ "value": 15, "text": "15" })
    );
    let template = json!({ "template": "[[ a ]]!", "values": { "a": "{{fetch.output.title}}-{{fetch.output.n}}" } });
    assert_eq!(
        inline(tool("template", template)).await,
        json!({ "text": "T-5!" })
    );
    let escaped = effect(Work::CallTool(ToolCall {
        tool: ToolId::new("noop").unwrap(),
        with: Json::parse(r#"{"value":"\u007b\u007bfetch.output.n}}"}"#).unwrap(),
    }));
    assert_eq!(
        PreparedEffect::from(escaped.clone()).referenced_tasks(),
        ["fetch"]
    );
    assert_eq!(inline(escaped).await, json!(5));
}

/// A call that a thinker chose.
fn chosen(id: &str, with: Value) -> Effect {
    let mut effect = tool(id, with);
    let Work::CallTool(call) = effect.work.clone() else {
        panic!("it calls");
    };
    effect.thought = Some(Box::new(Thought {
        number: 2,
        step: Move {
            kind: StepKind::Call,
            role: StepRole::Observe,
            pattern: Pattern::React,
            iteration: 1,
            uses: vec![1],
            part: None,
            call: Some(call.clone()),
        },
        earlier: Vec::new(),
        tools: vec![call.tool],
    }));
    effect
}

#[tokio::test]
async fn a_call_that_a_thinker_worded_wrongly_is_something_to_go_on_from() {
    for (effect, why) in [
        (chosen("sleep", json!({ "seconds": "T" })), "do not match"),
        (chosen("panics", json!({})), "out of cheese"),
    ] {
        let told = inline(effect).await;
        assert_eq!(told["sources"], json!([]));
        assert!(told["failed"].as_str().unwrap().contains(why), "{told}");
    }
    // Whether it happened is for a person to say.
    let doubtful = perform(chosen("pays_and_panics", json!({}))).await;
    let Outcome::Failed { failure, .. } = doubtful else {
        panic!("{doubtful:?}");
    };
    assert_eq!(failure.kind, FailureKind::OutcomeUnknown);
}

#[tokio::test]
async fn what_does_not_fit_is_bad_input_and_costs_nothing() {
    for (effect, wanted) in [
        (
            tool("calc", json!({ "expression": "{{fetch.output.m}}" })),
            "the arguments of tool `calc`: `{{fetch.output.m}}`: there is no `m`; `fetch.output` has `n`, `title`",
        ),
        (
            tool("sleep", json!({ "seconds": "{{fetch.output.title}}" })),
            "the arguments of tool `sleep` do not match its schema: `seconds`: \"T\" is not of type \"number\"",
        ),
        (
            tool("clac", json!({})),
            "there is no tool `clac`; available: L5-CALC, L5-CT,",
        ),
        // What only the tool knows, too: its call would be charged.
        (
            tool("long", json!({ "name": "../{{inputs.folder}}" })),
            "the arguments of tool `long` cannot be used: `name`: it leaves the folder [ADJ-6312]",
        ),
    ] {
        let (kind, message, usage) = failure(effect).await;
        assert_eq!((kind, usage), (FailureKind::BadInput, Usage::NONE));
        assert!(message.starts_with(wanted), "{message}");
    }
}

#[tokio::test]
async fn a_check_that_breaks_down_costs_nothing() {
    let (kind, message, usage) = failure(tool("long", json!({ "name": "panic" }))).await;
    assert_eq!((kind, usage), (FailureKind::Permanent, Usage::NONE));
    assert!(message.contains("out of rules"), "{message}");
}

#[tokio::test]
async fn a_tool_that_breaks_down_takes_nothing_with_it() {
    for (id, wanted, expected) in [
        ("panics", "out of cheese", FailureKind::Permanent),
        ("panics_at_once", "no future", FailureKind::Permanent),
        ("pays_and_panics", "out of ink", FailureKind::OutcomeUnknown),
    ] {
        let (kind, message, usage) = failure(tool(id, json!({}))).await;
        assert_eq!((kind, usage), (expected, PRICE));
        assert!(message.contains(wanted), "{message}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_hangs_is_cut_off_and_a_once_tool_is_in_doubt() {
    let (kind, message, _) = failure(tool("hangs", json!({}))).await;
    assert_eq!(kind, FailureKind::TimedOut);
    assert_eq!(message, "tool `hangs` took longer than its limit of 5.0 s");
    let (kind, message, usage) = failure(tool("hangs_once", json!({}))).await;
    assert_eq!((kind, usage), (FailureKind::OutcomeUnknown, PRICE));
    assert!(
        message.contains("unknown whether it took effect"),
        "{message}"
    );
}

#[tokio::test]
async fn outputs_are_checked_and_bounded() {
    let (kind, message, usage) = failure(tool("number", json!({}))).await;
    assert_eq!((kind, usage), (FailureKind::BadOutput, PRICE));
    assert_eq!(
        message,
        "the result of tool `number` does not match its schema: 1 is not of type \"object\""
    );
    let (kind, message, _) = failure(tool("long", json!({}))).await;
    assert_eq!(kind, FailureKind::Permanent);
    assert!(
        message.contains("returned 20008 bytes, more than its limit of 10000"),
        "{message}"
    );
}

#[tokio::test]
async fn refusals_and_delays_are_outcomes_of_their_own() {
    let denied = perform(tool("run_command", json!({ "program": "git" }))).await;
    let Outcome::Denied { reason } = denied else {
        panic!("{denied:?}")
    };
    assert!(
        reason.contains("[tools.run_command] programs = [\"git\"]"),
        "{reason}"
    );
    let later = perform(tool("later", json!({}))).await;
    assert_eq!(
        later,
        Outcome::Deferred {
            until: Timestamp(9)
        }
    );
}

#[tokio::test]
async fn the_first_rule_that_holds_gives_the_verdict() {
    use GateVerdict::{Fatal, Infeasible, Repairable, Valid};
    let rules = [
        ("fetch.output.n < inputs.limit", Fatal, "too few"),
        ("fetch.output.n > 4", Repairable, "too many"),
        ("true", Infeasible, "never reached"),
    ];
    let judged = |verdict, reason: &str| Outcome::Judged {
        verdict,
        reason: reason.to_owned(),
        usage: Usage::NONE,
    };
    assert_eq!(
        PreparedEffect::from(gate(&rules)).referenced_tasks(),
        ["fetch"]
    );
    assert_eq!(perform(gate(&rules)).await, judged(Repairable, "too many"));
    assert_eq!(
        perform(gate(&rules[..1])).await,
        judged(Valid, "no rule failed")
    );
    let silent = gate(&[("true", Fatal, "")]);
    assert_eq!(perform(silent).await, judged(Fatal, "rule 1 holds: true"));
}

#[tokio::test]
async fn a_rule_in_doubt_is_no_yes() {
    for (when, wanted) in [
        ("fetch.output.m > 1", "there is no field `m`"),
        ("other.output.m > 1", "`other` is not a task"),
        (
            "fetch.output.n",
            "returns int; it must return true or false",
        ),
        ("fetch.output.n >", "(column "),
    ] {
        let rules = [
            (when, GateVerdict::Fatal, ""),
            ("true", GateVerdict::Valid, ""),
        ];
        let (kind, message, _) = failure(gate(&rules)).await;
        assert_eq!(kind, FailureKind::BadInput);
        assert!(
            message.starts_with(&format!("rule 1 of the gate (`{when}`): ")),
            "{message}"
        );
        assert!(message.contains(wanted), "{message}");
    }
}

/// Prints what one performance costs; `cargo test -p adjutant-effects --release cost -- --nocapture`.
#[tokio::test]
async fn cost_of_a_noop() {
    let performer = performer();
    let request = Request::new(
        TenantId::new("acme").unwrap(),
        tool("noop", json!({ "value": 1 })),
        ResolvedInputs::default(),
    );
    let rounds = 20_000;
    let requests = vec![request; rounds];
    let began = Instant::now();
    for request in requests {
        let performed = performer.perform(request).await;
        assert!(matches!(performed, Outcome::Done { .. }));
    }
    println!(
        "{} ns per perform",
        began.elapsed().as_nanos() / rounds as u128
    );
}

#[tokio::test]
async fn what_is_not_permitted_is_not_called() {
    let settings = ToolSettings::new(Path::new("unused"), Arc::new(|| Timestamp(0)));
    let mut permissions = Permissions::default();
    permissions.general.deny = vec!["noop".into()];
    let registry = Registry::builtin(settings).unwrap();
    let performer = Performer::new(Arc::new(registry.permitted_by(permissions)));
    let tenant = TenantId::new("acme").unwrap();
    let request = Request::new(tenant, tool("noop", json!({ "value": 1 })), resolved());
    let Outcome::Denied { reason } = performer.perform(request).await else {
        panic!("it was called");
    };
    assert_eq!(
        reason,
        "tenant `acme` may not call `noop`: `tools.deny` names `noop`"
    );
}

/// Another host may be sending it.
#[tokio::test]
async fn what_is_announced_waits_for_the_lease_and_nothing_else_does() {
    let held = Arc::new(AtomicBool::new(false));
    let lease = Lease::new({
        let held = Arc::clone(&held);
        move || held.load(Ordering::Acquire)
    });
    let performer = performer().with_lease(lease);
    let request = |class| {
        let mut effect = tool("calc", json!({ "expression": "1 + 1" }));
        effect.class = class;
        let tenant = TenantId::new("acme").unwrap();
        Request::new(tenant, effect, ResolvedInputs::default())
    };
    for class in [EffectClass::Pure, EffectClass::Idempotent] {
        let done = performer.perform(request(class)).await;
        assert!(matches!(done, Outcome::Done { .. }), "{done:?}");
    }
    for class in [EffectClass::Once, EffectClass::Paid] {
        held.store(false, Ordering::Release);
        let mut performing = std::pin::pin!(performer.perform(request(class)));
        let waited = tokio::time::timeout(Duration::from_millis(200), &mut performing).await;
        assert!(waited.is_err(), "{class:?} did not wait: {waited:?}");
        held.store(true, Ordering::Release);
        let done = performing.await;
        assert!(matches!(done, Outcome::Done { .. }), "{done:?}");
    }
}
