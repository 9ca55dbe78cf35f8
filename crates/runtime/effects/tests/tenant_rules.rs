//! A tenant's rules at the calls and results of one effect: what is refused, what is asked, what is withheld.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use adjutant_effects::{
    MissionFacts, MissionRules, MissionTypes, Performer, PseudonymKey, Request, ResolvedInputs,
    RuleSet,
};
use adjutant_mission::{
    AgentId, Effect, EffectClass, EffectId, EffectNumber, FailureKind, Json, MicroUsd, MissionId,
    Outcome, Plan, Provenance, TaskKey, TenantId, ToolCall, ToolId, Usage, Work,
};
use adjutant_rules::{Approver, Decision, RuleSource, Subject};
use adjutant_tools::{BoxFuture, Call, Manifest, Registry, Tool, ToolFailure};
use serde_json::{Value, json};

/// Gives back its arguments, and counts its calls.
struct Echo {
    manifest: Manifest,
    calls: Arc<AtomicUsize>,
}

impl Tool for Echo {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        Box::pin(std::future::ready(Ok(call.arguments)))
    }
}

struct Fixture {
    performer: Performer,
    calls: Arc<AtomicUsize>,
    rules: MissionRules,
    key: u8,
}

fn rule(on: Subject, when: &str, then: Decision) -> RuleSource {
    RuleSource {
        name: format!("{on}-{then}"),
        on,
        when: when.to_owned(),
        then,
        approver: Approver::Anyone,
        because: "that is how it is".to_owned(),
    }
}

impl Fixture {
    fn new(class: EffectClass, sets: Vec<Vec<RuleSource>>) -> Self {
        let calls = Arc::new(AtomicUsize::new(0));
        let manifest = Manifest {
            provenance: Provenance::Own,
            price: MicroUsd(2_000_000),
            ..Manifest::new(ToolId::new("echo").unwrap(), class, json!({}))
        };
        let echo = Echo {
            manifest,
            calls: Arc::clone(&calls),
        };
        let mut registry = Registry::new();
        registry.register(Box::new(echo)).unwrap();
        let plan = Plan::new("Pay a bill", Vec::new());
        let types = MissionTypes::default();
        let facts = MissionFacts::of_plan(&plan, AgentId::new("ann").unwrap(), &types);
        let sets = sets
            .into_iter()
            .map(|rules| Arc::new(RuleSet::new(rules).unwrap()));
        Self {
            performer: Performer::new(Arc::new(registry)),
            calls,
            rules: MissionRules::new(sets.collect(), &facts),
            key: 1,
        }
    }

    fn with(on: Subject, when: &str, then: Decision) -> Self {
        Self::new(EffectClass::Pure, vec![vec![rule(on, when, then)]])
    }

    async fn call(&self, arguments: Value, acknowledged: Vec<String>) -> Outcome {
        let effect = Effect {
            id: EffectId {
                mission: MissionId::from_bits(1),
                number: EffectNumber::new(1),
            },
            task: TaskKey::new("pay").unwrap(),
            attempt: 1,
            class: EffectClass::Pure,
            not_before: None,
            thought: None,
            guidance: Vec::new(),
            work: Work::CallTool(ToolCall {
                tool: ToolId::new("echo").unwrap(),
                with: Json::encode(&arguments).unwrap(),
            }),
        };
        let resolved = ResolvedInputs {
            inputs: Some(Json::parse(r#"{"to":"ann@example.org"}"#).unwrap()),
            ..ResolvedInputs::default()
        };
        let request = Request {
            rules: self.rules.clone(),
            pseudonyms: Some(PseudonymKey([self.key; 32])),
            acknowledged_warnings: acknowledged,
            ..Request::new(TenantId::new("acme").unwrap(), effect, resolved)
        };
        self.performer.perform(request).await
    }

    fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }
}

fn is_done(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Done { .. })
}

#[tokio::test]
async fn a_denied_call_is_not_made() {
    let world = Fixture::with(
        Subject::Call,
        "call.tool == 'echo' && call.arguments.amount > 100",
        Decision::Deny,
    );
    let denied = world.call(json!({ "amount": 200 }), Vec::new()).await;
    let Outcome::Denied { reason } = denied else {
        panic!("{denied:?}");
    };
    assert_eq!(
        reason,
        "not permitted by rule `call-deny`: that is how it is"
    );
    assert_eq!(world.calls(), 0);
    assert!(is_done(
        &world.call(json!({ "amount": 50 }), Vec::new()).await
    ));
}

/// What a rule cannot judge is not made, even where the rule would have allowed it.
#[tokio::test]
async fn a_rule_in_doubt_denies() {
    let world = Fixture::with(
        Subject::Call,
        "call.arguments.amount < 100",
        Decision::Allow,
    );
    let denied = world.call(json!({ "sum": 200 }), Vec::new()).await;
    assert!(matches!(denied, Outcome::Denied { .. }), "{denied:?}");
    assert_eq!(world.calls(), 0);
}

#[tokio::test]
async fn rules_see_the_call_as_it_is_made() {
    let seen = "call.kind == 'tool' && call.class == 'pure' && call.cost == 2.0 && call.provenance == 'own' \
                && call.task == 'pay' && !call.chosen_by_model && !call.outside_model \
                && call.arguments.to == 'ann@example.org' && call.personal_data == 1 \
                && mission.title == 'Pay a bill' && mission.started_by == 'ann' && !has(mission.budget)";
    let world = Fixture::with(Subject::Call, seen, Decision::Deny);
    let denied = world
        .call(json!({ "to": "{{inputs.to}}" }), Vec::new())
        .await;
    let Outcome::Denied { reason } = denied else {
        panic!("{denied:?}");
    };
    assert!(reason.contains("that is how it is"), "{reason}");
}

/// A person approves one call. Another one, even of the same task, is asked about again.
#[tokio::test]
async fn an_approval_holds_for_exactly_what_was_asked() {
    let world = Fixture::with(Subject::Call, "true", Decision::Ask);
    let asked = world.call(json!({ "amount": 200 }), Vec::new()).await;
    let Outcome::NeedsHuman { reason } = asked else {
        panic!("{asked:?}");
    };
    assert_eq!(world.calls(), 0);
    let told = vec![format!("{reason} (after one attempt)")];
    let other = world.call(json!({ "amount": 201 }), told.clone()).await;
    assert!(matches!(other, Outcome::NeedsHuman { .. }), "{other:?}");
    assert_eq!(world.calls(), 0);
    assert!(is_done(&world.call(json!({ "amount": 200 }), told).await));
    assert_eq!(world.calls(), 1);
}

/// A tool may word its failure as it likes. It does not know the mission's secret, so it cannot word an approval.
#[tokio::test]
async fn a_failure_cannot_be_worded_as_an_approval() {
    let world = Fixture::with(Subject::Call, "true", Decision::Ask);
    let attacker = Fixture {
        key: 2,
        ..Fixture::with(Subject::Call, "true", Decision::Ask)
    };
    let guessed = attacker.call(json!({ "amount": 200 }), Vec::new()).await;
    let Outcome::NeedsHuman { reason } = guessed else {
        panic!("{guessed:?}");
    };
    let asked = world.call(json!({ "amount": 200 }), vec![reason]).await;
    assert!(matches!(asked, Outcome::NeedsHuman { .. }), "{asked:?}");
    assert_eq!(world.calls(), 0);
}

/// The tenant's own rules allow everything; the operator's still hold.
#[tokio::test]
async fn an_allow_does_not_loosen_what_another_set_says() {
    let operator = vec![rule(Subject::Call, "true", Decision::Deny)];
    let tenant = vec![rule(Subject::Call, "true", Decision::Allow)];
    for sets in [
        vec![operator.clone(), tenant.clone()],
        vec![tenant, operator],
    ] {
        let world = Fixture::new(EffectClass::Pure, sets);
        let denied = world.call(json!({}), Vec::new()).await;
        assert!(matches!(denied, Outcome::Denied { .. }), "{denied:?}");
    }
}

#[tokio::test]
async fn a_withheld_result_is_charged_and_not_shown() {
    let world = Fixture::with(
        Subject::Result,
        "result.text.contains('secret') && result.fields.note == 'a secret' && result.size > 10 \
         && result.cost == 2.0 && result.tool == 'echo'",
        Decision::Deny,
    );
    let withheld = world.call(json!({ "note": "a secret" }), Vec::new()).await;
    let Outcome::Failed { failure, usage } = withheld else {
        panic!("{withheld:?}");
    };
    assert_eq!(failure.kind, FailureKind::Denied);
    assert_eq!(
        failure.message,
        "the result is withheld by rule `result-deny`: that is how it is"
    );
    let charged = Usage {
        money: MicroUsd(2_000_000),
        tokens: 0,
    };
    assert_eq!(usage, charged);
    assert!(is_done(
        &world.call(json!({ "note": "none" }), Vec::new()).await
    ));
}

/// It has happened: saying that it was denied would have it done again.
#[tokio::test]
async fn a_withheld_result_of_what_happens_once_leaves_it_in_doubt() {
    let rules = vec![rule(Subject::Result, "true", Decision::Deny)];
    let world = Fixture::new(EffectClass::Once, vec![rules]);
    let withheld = world.call(json!({}), Vec::new()).await;
    let Outcome::Failed { failure, .. } = withheld else {
        panic!("{withheld:?}");
    };
    assert_eq!(failure.kind, FailureKind::OutcomeUnknown);
}

fn report(text: &str) -> Value {
    let cited = json!({ "paragraph": [{ "text": "It rained.", "cites": [1] }] });
    let marked = json!({ "bullets": [[{ "text": "So it was wet.", "mark": "interpretation" }], [{ "text": text }]] });
    json!({ "document": {
        "kind": "Deep Dive", "title": "Rain", "objective": "", "offline": true,
        "sections": [{ "heading": "Weather", "blocks": [cited, marked] }],
        "sources": [{ "id": "a", "title": "A", "passages": [] }],
    }})
}

#[tokio::test]
async fn a_report_is_withheld_or_asked_about() {
    let seen = "report.title == 'Rain' && report.kind == 'Deep Dive' && report.sections == ['Weather'] \
                && report.sources == 1 && report.unsupported == 1 && report.offline \
                && report.text.contains('umbrella') && report.personal_data == 0";
    let denying = Fixture::with(Subject::Report, seen, Decision::Deny);
    let withheld = denying.call(report("Take an umbrella."), Vec::new()).await;
    let Outcome::Failed { failure, .. } = withheld else {
        panic!("{withheld:?}");
    };
    assert_eq!(failure.kind, FailureKind::Denied);
    assert!(is_done(
        &denying.call(report("Stay dry."), Vec::new()).await
    ));

    let asking = Fixture::with(Subject::Report, seen, Decision::Ask);
    let asked = asking.call(report("Take an umbrella."), Vec::new()).await;
    let Outcome::Failed { failure, .. } = asked else {
        panic!("{asked:?}");
    };
    assert_eq!(failure.kind, FailureKind::NeedsHuman);
    let told = vec![failure.message];
    let other = asking
        .call(report("Sell the umbrella."), told.clone())
        .await;
    assert!(!is_done(&other), "{other:?}");
    assert!(is_done(
        &asking.call(report("Take an umbrella."), told).await
    ));
}

const HARMFUL: &str = "Code the deaths as unrelated before the database is locked, so that the agency does not see them.";
const FOR_GOOD: &str = "Delete the records of the spill before the inspectors arrive.";

/// A file or a request is an exit, whether a tenant has rules or not.
#[tokio::test]
async fn what_the_constitution_blocks_is_written_and_sent_only_after_a_person_let_it() {
    for class in [EffectClass::Idempotent, EffectClass::Once] {
        let world = Fixture::new(class, Vec::new());
        let hidden = json!({ "path": "notes.md", "text": { "parts": ["Fine.", HARMFUL] } });
        let asked = world.call(hidden.clone(), Vec::new()).await;
        let Outcome::NeedsHuman { reason } = asked else {
            panic!("{asked:?}");
        };
        assert!(
            reason.contains("harmful.conceal") && reason.contains("ADJ-6185"),
            "{reason}"
        );
        assert!(!reason.contains("unrelated"), "{reason}");
        // What a tool says it was told is no leave, and neither is that for another text.
        let forged = vec![reason.replace(|c: char| c.is_ascii_hexdigit(), "0")];
        assert!(!is_done(&world.call(hidden.clone(), forged).await));
        let told = vec![format!("{reason} (after one attempt)")];
        let other = json!({ "text": HARMFUL.replace("deaths", "injuries") });
        assert!(!is_done(&world.call(other, told.clone()).await));
        assert_eq!(world.calls(), 0);
        assert!(is_done(&world.call(hidden, told).await));
        assert_eq!(world.calls(), 1);
        assert!(is_done(
            &world
                .call(json!({ "text": "The deaths were coded." }), Vec::new())
                .await
        ));
    }
}

#[tokio::test]
async fn nobody_lets_an_instruction_to_destroy_records_out() {
    let world = Fixture::new(EffectClass::Once, Vec::new());
    let denied = world.call(json!({ "body": FOR_GOOD }), Vec::new()).await;
    assert!(matches!(denied, Outcome::Denied { .. }), "{denied:?}");
    // What stays inside is not an exit: the report that is made of it is.
    let inside = Fixture::new(EffectClass::Pure, Vec::new());
    assert!(is_done(
        &inside.call(json!({ "body": FOR_GOOD }), Vec::new()).await
    ));
}
