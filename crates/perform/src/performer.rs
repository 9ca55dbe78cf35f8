//! From an effect to its one outcome.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use adjutant_ask::{Answerer, Nobody};
use adjutant_guard::Origin;
use adjutant_mission::{
    AgentWork, Effect, EffectClass, EffectId, Failure, FailureKind, Gate, GateVerdict, Json,
    Outcome, Payload, Plan, Ppm, ProviderId, Remarks, TenantId, ToolCall, ToolTable, Usage, Work,
    references,
};
use adjutant_policy::Rule;
use adjutant_tools::{Call, Finding, Registered, Registry, ToolFailure};
use futures::FutureExt as _;
use serde_json::{Value, json};

use crate::asking::Asking;
use crate::protect::{Protection, PseudonymKey};
use crate::resolve::{self, Resolver};
use crate::thinking::observed_outcome;

/// How many findings of a schema one message tells.
const FINDINGS_TOLD_MAX: usize = 5;
const MESSAGE_BYTES_MAX: usize = 2_000;
const SURPRISE_CHARS_MAX: usize = 500;
const GIST_CHARS_MAX: usize = 800;

/// Performs effects, each on its own. Cheap to clone.
#[derive(Clone)]
pub struct Performer {
    registry: Arc<Registry>,
    answerer: Arc<dyn Answerer>,
    protection: Arc<Protection>,
}

impl fmt::Debug for Performer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Performer")
            .field("registry", &self.registry)
            .finish_non_exhaustive()
    }
}

#[derive(Debug, Clone)]
pub struct Request {
    /// Whose mission it is.
    pub tenant: TenantId,
    pub effect: Effect,
    pub known: Known,
    /// Providers of models that are stopped.
    pub without: Vec<ProviderId>,
    /// Of the mission's pseudonyms. Without it no question leaves the sensitive zone.
    pub pseudonyms: Option<PseudonymKey>,
    /// What people were told when this task came to a stand before, and went on.
    pub leaves: Vec<String>,
}

impl Request {
    /// With nothing stopped, nothing said before, and no key: it stays inside.
    pub fn new(tenant: TenantId, effect: Effect, known: Known) -> Self {
        Self {
            tenant,
            effect,
            known,
            without: Vec::new(),
            pseudonyms: None,
            leaves: Vec::new(),
        }
    }
}

/// What the effect's references may resolve to: the tasks that [`Performer::mentions`] names, in full.
#[derive(Debug, Clone, Default)]
pub struct Known {
    pub inputs: Option<Json>,
    pub outputs: BTreeMap<String, Json>,
    /// Where the outputs come from, a tool's result if it is not said; and the inputs, under [`crate::INPUTS`].
    pub origins: BTreeMap<String, Origin>,
}

/// What `{{…}}` in a call's arguments means.
#[derive(Clone, Copy)]
enum Refers<'a> {
    ToTasks(&'a Known),
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
        }
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

    /// The tasks whose outputs the effect needs, each once.
    pub fn mentions(effect: &Effect) -> Vec<String> {
        let mut tasks = Vec::new();
        match &effect.work {
            // A model wrote these arguments: what looks like a reference in them is none.
            Work::CallTool(_) if effect.thought.is_some() => {}
            Work::CallTool(call) => mention(&call.with, &mut tasks),
            Work::AskModel(agent) => mention(&agent.with, &mut tasks),
            Work::RunMission { sub, .. } => {
                if let Some(with) = &sub.with {
                    mention(with, &mut tasks);
                }
            }
            Work::EvaluateGate(gate) => {
                let rules = gate
                    .rules
                    .iter()
                    .filter_map(|rule| Rule::compile(&rule.when).ok());
                let because = gate.rules.iter().map(|rule| references(&rule.because));
                let referred = because
                    .flatten()
                    .filter_map(|at| at.task().map(str::to_owned));
                let referred: Vec<String> = referred.collect();
                for name in rules.flat_map(|rule| rule.variables()).chain(referred) {
                    if name != "inputs" && !tasks.contains(&name) {
                        tasks.push(name);
                    }
                }
            }
        }
        tasks
    }

    /// Performs the effect. Always comes back with an outcome, whatever the tool does.
    pub async fn perform(&self, request: Request) -> Outcome {
        let Request {
            tenant,
            effect,
            known,
            without,
            pseudonyms,
            leaves,
        } = request;
        let (thought, guidance) = (effect.thought, effect.guidance);
        match effect.work {
            Work::CallTool(call) => {
                let refers = match &thought {
                    Some(_) => Refers::Nowhere,
                    None => Refers::ToTasks(&known),
                };
                let outcome = self.call(tenant, effect.id, &call, refers).await;
                match thought {
                    Some(_) => observed_outcome(outcome),
                    None => outcome,
                }
            }
            Work::AskModel(agent) => {
                let asking = Asking {
                    answerer: &*self.answerer,
                    protection: &self.protection,
                    known: &known,
                    without,
                    key: pseudonyms,
                    leaves,
                    registry: &self.registry,
                    thought: thought.as_deref(),
                    guidance: &guidance,
                };
                match AssertUnwindSafe(asking.ask(effect.id, &agent))
                    .catch_unwind()
                    .await
                {
                    Ok(outcome) => outcome,
                    Err(panic) => before_call(
                        FailureKind::Permanent,
                        format!("asking broke down: {}", panic_text(panic.as_ref())),
                    ),
                }
            }
            Work::RunMission { .. } => {
                let message = "only a host runs sub-missions".to_owned();
                before_call(FailureKind::Permanent, message)
            }
            Work::EvaluateGate(gate) => {
                match catch_unwind(AssertUnwindSafe(|| judge(&gate, &known))) {
                    Ok(outcome) => outcome,
                    Err(panic) => before_call(
                        FailureKind::BadInput,
                        format!("a rule cannot be judged: {}", panic_text(panic.as_ref())),
                    ),
                }
            }
        }
    }

    async fn call(
        &self,
        tenant: TenantId,
        effect: EffectId,
        call: &ToolCall,
        refers: Refers<'_>,
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
        let arguments = match arguments(registered, call, refers) {
            Ok(arguments) => arguments,
            Err(message) => return before_call(FailureKind::BadInput, message),
        };
        let manifest = registered.manifest();
        let limit = Duration::from_millis(manifest.time_limit.0);
        let call = Call {
            tenant,
            effect,
            arguments,
        };
        let running = async { registered.tool().call(call).await };
        let guarded = AssertUnwindSafe(running).catch_unwind();
        match tokio::time::timeout(limit, guarded).await {
            Ok(Ok(Ok(output))) => finish(registered, &output),
            Ok(Ok(Err(failure))) => failed(registered, failure),
            Ok(Err(panic)) => {
                let message = format!(
                    "tool `{}` broke down: {}; report this to whoever keeps the tool",
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

/// Adds the tasks that something given to a task refers to.
fn mention(with: &Json, tasks: &mut Vec<String>) {
    if resolve::may_refer(with.text())
        && let Ok(value) = serde_json::from_str(with.text())
    {
        resolve::tasks(&value, tasks);
    }
}

/// A sub-mission's inputs: those of its plan, and in their place what its task gives it, references resolved.
pub fn sub_inputs(
    planned: Option<&Json>,
    given: Option<&Json>,
    known: &Known,
) -> Result<Option<Json>, String> {
    let Some(given) = given else {
        return Ok(planned.cloned());
    };
    let unread = |error: serde_json::Error| format!("its inputs cannot be read: {error}");
    let mut given: Value = serde_json::from_str(given.text()).map_err(unread)?;
    Resolver::new(known.inputs.as_ref(), &known.outputs)
        .resolve(&mut given)
        .map_err(|message| format!("its inputs: {message}"))?;
    let mut inputs: Value = match planned {
        Some(planned) => serde_json::from_str(planned.text()).map_err(unread)?,
        None => json!({}),
    };
    if let (Value::Object(inputs), Value::Object(given)) = (&mut inputs, given) {
        inputs.extend(given);
    }
    Json::encode(&inputs).map(Some).map_err(unread)
}

/// The call's arguments with every reference resolved, valid by the tool's schema.
fn arguments(
    registered: &Registered,
    call: &ToolCall,
    refers: Refers<'_>,
) -> Result<Value, String> {
    let tool = &registered.manifest().id;
    let text = call.with.text();
    let mut arguments: Value = serde_json::from_str(text)
        .map_err(|error| format!("the arguments of tool `{tool}` cannot be read: {error}"))?;
    if let Refers::ToTasks(known) = refers
        && resolve::may_refer(text)
    {
        Resolver::new(known.inputs.as_ref(), &known.outputs)
            .resolve(&mut arguments)
            .map_err(|message| format!("the arguments of tool `{tool}`: {message}"))?;
    }
    let findings = registered.input().check(&arguments);
    if findings.is_empty() {
        Ok(arguments)
    } else {
        Err(format!(
            "the arguments of tool `{tool}` do not fit: {}",
            told(&findings)
        ))
    }
}

fn finish(registered: &Registered, output: &Value) -> Outcome {
    let manifest = registered.manifest();
    if let Some(schema) = registered.output() {
        let findings = schema.check(output);
        if !findings.is_empty() {
            let message = format!(
                "what tool `{}` gave does not fit its schema: {}",
                manifest.id,
                told(&findings)
            );
            return after_call(registered, FailureKind::BadOutput, message);
        }
    }
    let json = match Json::encode(output) {
        Ok(json) => json,
        Err(error) => {
            let message = format!("what tool `{}` gave is no JSON: {error}", manifest.id);
            return after_call(registered, FailureKind::BadOutput, message);
        }
    };
    let bytes = json.text().len();
    if bytes > manifest.output_bytes_max {
        let message = format!(
            "tool `{}` gave {bytes} bytes, more than its limit of {}: ask it for less",
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

/// What a result says of itself: `confidence` from 0 to 1, `surprise` in words, and its `summary` or `text`.
pub(crate) fn remarks(output: &Value) -> Remarks {
    let confidence = output.get("confidence").and_then(Value::as_f64);
    let confidence = confidence.filter(|sure| (0.0..=1.0).contains(sure));
    let words = |of: &str, chars_max: usize| {
        let words = output.get(of).and_then(Value::as_str).map(str::trim);
        words
            .filter(|words| !words.is_empty())
            .map(|words| cut(words, chars_max))
    };
    Remarks {
        confidence: confidence.map(|sure| Ppm((sure * 1e6).round() as u32)),
        surprise: words("surprise", SURPRISE_CHARS_MAX),
        gist: words("summary", GIST_CHARS_MAX).or_else(|| words("text", GIST_CHARS_MAX)),
        signs: None,
    }
}

fn cut(words: &str, chars_max: usize) -> String {
    match words.char_indices().nth(chars_max) {
        None => words.into(),
        Some((end, _)) => format!("{}…", words[..end].trim_end()),
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

/// The first rule that holds gives the verdict. A rule in doubt ends the judging: it might have been a no.
fn judge(gate: &Gate, known: &Known) -> Outcome {
    let mut values = BTreeMap::new();
    for (at, rule) in gate.rules.iter().enumerate() {
        let verdict = Rule::compile(&rule.when)
            .map_err(|error| error.to_string())
            .and_then(|compiled| {
                for name in compiled.variables() {
                    add(&mut values, name, known)?;
                }
                compiled.holds(&values).map_err(|error| error.to_string())
            });
        match verdict {
            Ok(false) => {}
            Ok(true) => {
                let reason = match rule.because.as_str() {
                    "" => format!("rule {} holds: {}", at + 1, rule.when),
                    because => filled(because, known),
                };
                return Outcome::Judged {
                    verdict: rule.verdict,
                    reason: shorten(reason),
                    usage: Usage::NONE,
                };
            }
            Err(message) => {
                let message = format!(
                    "rule {} of the gate (`{:.200}`): {message}",
                    at + 1,
                    rule.when
                );
                return before_call(FailureKind::BadInput, message);
            }
        }
    }
    Outcome::Judged {
        verdict: GateVerdict::Valid,
        reason: "no rule objects".into(),
        usage: Usage::NONE,
    }
}

/// A reason with what it refers to: what a judge found is told to whoever does the work again.
fn filled(because: &str, known: &Known) -> String {
    let mut value = Value::String(because.to_owned());
    let mut resolver = Resolver::new(known.inputs.as_ref(), &known.outputs);
    if !resolve::may_refer(because) || resolver.resolve(&mut value).is_err() {
        return because.to_owned();
    }
    match value {
        Value::String(text) => text,
        Value::Array(items) => {
            let texts = items.iter().map(|item| match item {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            });
            texts.collect::<Vec<_>>().join("; ")
        }
        other => other.to_string(),
    }
}

/// Makes what a rule calls `name` known to it: `{"output": …}` of a task, or the mission's inputs.
fn add(values: &mut BTreeMap<String, Value>, name: String, known: &Known) -> Result<(), String> {
    if values.contains_key(&name) {
        return Ok(());
    }
    let json = match name.as_str() {
        "inputs" => known.inputs.as_ref(),
        task => known.outputs.get(task),
    };
    if let Some(json) = json {
        let value: Value = serde_json::from_str(json.text())
            .map_err(|error| format!("`{name}` cannot be read: {error}"))?;
        let value = match name.as_str() {
            "inputs" => value,
            _ => json!({ "output": value }),
        };
        values.insert(name, value);
    }
    Ok(())
}

/// A failure that cost nothing, because nothing was called.
pub(crate) fn before_call(kind: FailureKind, message: String) -> Outcome {
    fail(kind, message, Usage::NONE)
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

pub(crate) fn fail(kind: FailureKind, message: String, usage: Usage) -> Outcome {
    Outcome::Failed {
        failure: Failure {
            kind,
            message: shorten(message),
        },
        usage,
    }
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

/// Messages are kept in the journal, so none may be as long as what it quotes.
pub(crate) fn shorten(mut message: String) -> String {
    if message.len() > MESSAGE_BYTES_MAX {
        message.truncate(message.floor_char_boundary(MESSAGE_BYTES_MAX));
        message.push('…');
    }
    message
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (None, Some(text)) => text,
        (None, None) => "it gave no reason",
    }
}
