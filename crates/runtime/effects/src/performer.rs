//! From an effect to its one outcome.
//!
//! **Invariant:** What is announced is sent only while the host's lease holds. It is asked for before the effect is
//! performed, and again by every tool and model that may wait before it sends. What remains is the moment between that
//! question and the first byte: the effect's id goes along as idempotency key.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use adjutant_mission::{
    AgentWork, EffectClass, EffectId, FailureKind, Json, Lease, Outcome, Payload, Plan, Provenance,
    ProviderId, TenantId, ToolCall, ToolTable, Usage, Work,
};
use adjutant_questions::{Answerer, Nobody};
use adjutant_tools::{Call, Finding, References, Registered, Registry, ToolFailure};
use futures::FutureExt as _;
use serde_json::Value;

use crate::acknowledgement::Acknowledgements;
use crate::asking::Asking;
use crate::gate::judge_gate;
use crate::outcome::{before_call, fail, panic_text, remarks, shorten};
use crate::protect::{Protection, kept_back};
use crate::request::{Request, ResolvedInputs};
use crate::resolve::{self, Resolver};
use crate::tenant_rules::{CallFacts, CallKind, ResultFacts, RuleCheck};
use crate::thinking::observed_outcome;

/// How often it is asked whether the lease holds again.
const LEASE_LOOK: Duration = Duration::from_millis(50);
/// How many findings of a schema one message tells.
const FINDINGS_TOLD_MAX: usize = 5;

/// Performs effects, each on its own. Cheap to clone.
#[derive(Clone)]
pub struct Performer {
    registry: Arc<Registry>,
    answerer: Arc<dyn Answerer>,
    protection: Arc<Protection>,
    lease: Lease,
}

impl fmt::Debug for Performer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Performer")
            .field("registry", &self.registry)
            .finish_non_exhaustive()
    }
}

/// What `{{…}}` in a call's arguments means.
#[derive(Clone, Copy)]
pub(crate) enum Refers<'a> {
    ToTasks(&'a ResolvedInputs),
    /// A model wrote them: it must not reach into what other tasks found.
    Nowhere,
}

impl Performer {
    /// Nobody answers questions to models.
    pub fn new(registry: Arc<Registry>) -> Self {
        Self {
            registry,
            answerer: Arc::new(Nobody),
            protection: Arc::default(),
            lease: Lease::default(),
        }
    }

    /// What is announced waits until the lease holds.
    #[must_use]
    pub fn with_lease(self, lease: Lease) -> Self {
        Self { lease, ..self }
    }

    #[must_use]
    pub fn answered_by(self, answerer: Arc<dyn Answerer>) -> Self {
        Self { answerer, ..self }
    }

    #[must_use]
    pub fn protected_by(self, protection: Protection) -> Self {
        Self {
            protection: Arc::new(protection),
            ..self
        }
    }

    /// What there is to call for a plan: every tool, and the ways its questions to models take, where there are any.
    pub fn table(&self, plan: &Plan) -> ToolTable {
        table(&self.registry, &*self.answerer, plan)
    }

    /// Whose models a question may be asked.
    pub fn providers(&self, agent: &AgentWork) -> Vec<ProviderId> {
        self.answerer.providers(agent)
    }

    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Performs the effect. Always comes back with an outcome, whatever the tool does.
    pub async fn perform(&self, request: Request) -> Outcome {
        let Request {
            tenant,
            effect,
            resolved,
            without,
            pseudonyms,
            acknowledged_warnings,
            asker,
            rules: tenant_rules,
        } = request;
        let (effect, rules) = effect.into_parts();
        self.wait_for_lease(effect.class).await;
        let (id, thought, guidance) = (effect.id, effect.thought, effect.guidance);
        let check = RuleCheck {
            rules: &tenant_rules,
            acknowledged: Acknowledgements {
                warnings: &acknowledged_warnings,
                key: pseudonyms.as_ref(),
            },
            task: &effect.task,
            chosen_by_model: thought.is_some(),
        };
        match effect.work {
            Work::CallTool(call) if thought.is_some() => {
                observed_outcome(self.call(tenant, id, &call, Refers::Nowhere, check).await)
            }
            Work::CallTool(call) => {
                let refers = Refers::ToTasks(&resolved);
                self.call(tenant, id, &call, refers, check).await
            }
            Work::AskModel(agent) => {
                let asking = Asking {
                    check,
                    class: effect.class,
                    answerer: &*self.answerer,
                    protection: &self.protection,
                    resolved: &resolved,
                    without,
                    key: pseudonyms.clone(),
                    registry: &self.registry,
                    thought: thought.as_deref(),
                    guidance: &guidance,
                    asker,
                };
                let asked = AssertUnwindSafe(asking.ask(id, &agent)).catch_unwind();
                asked.await.unwrap_or_else(|panic| {
                    let why = panic_text(panic.as_ref());
                    before_call(
                        FailureKind::Permanent,
                        format!("the question to the model crashed: {why}"),
                    )
                })
            }
            // A sub-mission needs a host; this crate has none.
            Work::RunMission { .. } => {
                let message = "only a host runs sub-missions".to_owned();
                before_call(FailureKind::Permanent, message)
            }
            Work::EvaluateGate(gate) => {
                let judged =
                    catch_unwind(AssertUnwindSafe(|| judge_gate(&gate, &rules, &resolved)));
                judged.unwrap_or_else(|panic| {
                    let why = panic_text(panic.as_ref());
                    let message = format!("a rule cannot be evaluated: {why}");
                    before_call(FailureKind::BadInput, message)
                })
            }
        }
    }

    /// Waits until what is announced may be sent, before the time limit of any tool begins. A host that has lost the store
    /// for good waits until it is stopped.
    pub async fn wait_for_lease(&self, class: EffectClass) {
        while class.is_announced() && !self.lease.holds() {
            tokio::time::sleep(LEASE_LOOK).await;
        }
    }

    async fn call(
        &self,
        tenant: TenantId,
        effect: EffectId,
        call: &ToolCall,
        refers: Refers<'_>,
        check: RuleCheck<'_>,
    ) -> Outcome {
        let Some(registered) = self.registry.get(call.tool.as_str()) else {
            return before_call(
                FailureKind::BadInput,
                self.registry.unknown(call.tool.as_str()),
            );
        };
        let permissions = self.registry.permissions();
        if let Some(reason) = permissions.refusal(&tenant, registered.manifest()) {
            return Outcome::Denied { reason };
        }
        // Whatever is wrong with them is told here: from the call on, a failure is charged.
        let checked = catch_unwind(AssertUnwindSafe(|| arguments(registered, call, refers)));
        let arguments = match checked {
            Ok(Ok(arguments)) => arguments,
            Ok(Err(message)) => return before_call(FailureKind::BadInput, message),
            Err(panic) => {
                let why = panic_text(panic.as_ref());
                let message = format!(
                    "the arguments of tool `{}` cannot be checked: {why}",
                    call.tool
                );
                return before_call(FailureKind::Permanent, message);
            }
        };
        let manifest = registered.manifest();
        let facts = CallFacts {
            kind: CallKind::Tool,
            tool: manifest.id.as_str(),
            arguments: &arguments,
            class: manifest.class,
            cost: manifest.price,
            provenance: manifest.facts().provenance.unwrap_or(Provenance::Outside),
            task: check.task.as_str(),
            chosen_by_model: check.chosen_by_model,
            outside_model: false,
            pseudonyms: false,
        };
        if let Some(refused) = check.refusal(&facts) {
            return refused;
        }
        let (tool, class) = (manifest.id.as_str(), manifest.class);
        if let Some(refused) = kept_back(tool, class, &arguments, check.acknowledged) {
            return refused;
        }
        let limit = Duration::from_millis(manifest.time_limit.0);
        let call = Call {
            tenant,
            effect,
            arguments,
            lease: self.lease.clone(),
        };
        let running = async { registered.tool().call(call).await };
        let guarded = AssertUnwindSafe(running).catch_unwind();
        match tokio::time::timeout(limit, guarded).await {
            Ok(Ok(Ok(output))) => {
                let of = ResultFacts {
                    kind: CallKind::Tool,
                    tool: manifest.id.as_str(),
                    task: check.task.as_str(),
                    class: manifest.class,
                };
                check.checked(finish(registered, &output), &of)
            }
            Ok(Ok(Err(failure))) => failed(registered, failure),
            Ok(Err(panic)) => {
                let message = format!(
                    "tool `{}` crashed: {}; report this to the maintainer of the tool",
                    manifest.id,
                    panic_text(panic.as_ref())
                );
                happened_but(registered, message)
            }
            Err(_) => {
                let message = format!(
                    "tool `{}` took longer than its limit of {}",
                    manifest.id, manifest.time_limit
                );
                let failure = match manifest.class {
                    EffectClass::Once => ToolFailure::in_doubt(message),
                    EffectClass::Pure | EffectClass::Idempotent | EffectClass::Paid => {
                        ToolFailure::timed_out(message)
                    }
                };
                failed(registered, failure)
            }
        }
    }
}

/// What there is to call for a plan: every tool, and the ways its questions to models take, where there are any.
pub fn table(registry: &Registry, answerer: &dyn Answerer, plan: &Plan) -> ToolTable {
    let mut table = registry.table();
    for agent in plan.agents() {
        if let Ok(facts) = answerer.facts(agent) {
            table.insert(agent.route(), facts);
        }
    }
    for asked in plan.tasks.iter().flat_map(|task| plan.above(task)) {
        if let Ok(facts) = answerer.facts(&asked) {
            table.insert(asked.route(), facts);
        }
    }
    table
}

/// The call's arguments with every reference resolved, valid by the tool's schema and by what the tool says of them.
fn arguments(
    registered: &Registered,
    call: &ToolCall,
    refers: Refers<'_>,
) -> Result<Value, String> {
    let tool = &registered.manifest().id;
    let arguments = resolved_arguments(call, refers)?;
    let findings = registered.check(&arguments, References::Resolved);
    if findings.is_empty() {
        Ok(arguments)
    } else {
        let why = match findings.iter().any(|finding| finding.code.is_some()) {
            true => "cannot be used",
            false => "do not match its schema",
        };
        Err(format!(
            "the arguments of tool `{tool}` {why}: {}",
            told(&findings)
        ))
    }
}

/// The call's arguments with every reference resolved.
pub(crate) fn resolved_arguments(call: &ToolCall, refers: Refers<'_>) -> Result<Value, String> {
    let tool = &call.tool;
    let text = call.with.text();
    let mut arguments: Value = serde_json::from_str(text)
        .map_err(|error| format!("the arguments of tool `{tool}` cannot be read: {error}"))?;
    if let Refers::ToTasks(resolved) = refers
        && resolve::may_refer(text)
    {
        Resolver::new(resolved.inputs.as_ref(), &resolved.outputs)
            .resolve(&mut arguments)
            .map_err(|message| format!("the arguments of tool `{tool}`: {message}"))?;
    }
    Ok(arguments)
}

fn finish(registered: &Registered, output: &Value) -> Outcome {
    let manifest = registered.manifest();
    if let Some(schema) = registered.output() {
        let findings = schema.check(output);
        if !findings.is_empty() {
            let message = format!(
                "the result of tool `{}` does not match its schema: {}",
                manifest.id,
                told(&findings)
            );
            return after_call(registered, FailureKind::BadOutput, message);
        }
    }
    let json = match Json::encode(output) {
        Ok(json) => json,
        Err(error) => {
            let message = format!(
                "the result of tool `{}` is not valid JSON: {error}",
                manifest.id
            );
            return after_call(registered, FailureKind::BadOutput, message);
        }
    };
    let bytes = json.text().len();
    if bytes > manifest.output_bytes_max {
        let message = format!(
            "tool `{}` returned {bytes} bytes, more than its limit of {}: request less",
            manifest.id, manifest.output_bytes_max
        );
        return happened_but(registered, message);
    }
    Outcome::Done {
        output: Payload::Inline(json),
        usage: price(registered),
        remarks: remarks(output),
    }
}

fn failed(registered: &Registered, failure: ToolFailure) -> Outcome {
    match failure {
        ToolFailure::Deferred { until } => Outcome::Deferred { until },
        ToolFailure::Failed { kind, message } => match kind {
            FailureKind::Denied => Outcome::Denied {
                reason: shorten(message),
            },
            FailureKind::NeedsHuman => Outcome::NeedsHuman {
                reason: shorten(message),
            },
            kind => after_call(registered, kind, message),
        },
    }
}

/// A failure that is charged in full: what the other side counted is not known.
fn after_call(registered: &Registered, kind: FailureKind, message: String) -> Outcome {
    fail(kind, message, price(registered))
}

/// A failure after which the call may well have taken effect: for a `once` tool nobody can tell.
fn happened_but(registered: &Registered, message: String) -> Outcome {
    let kind = match registered.manifest().class {
        EffectClass::Once => FailureKind::OutcomeUnknown,
        EffectClass::Pure | EffectClass::Idempotent | EffectClass::Paid => FailureKind::Permanent,
    };
    after_call(registered, kind, message)
}

fn price(registered: &Registered) -> Usage {
    Usage {
        money: registered.manifest().price,
        tokens: 0,
    }
}

fn told(findings: &[Finding]) -> String {
    let mut told: Vec<_> = findings
        .iter()
        .take(FINDINGS_TOLD_MAX)
        .map(Finding::to_string)
        .collect();
    if findings.len() > told.len() {
        told.push(format!("{} more", findings.len() - told.len()));
    }
    told.join("; ")
}
