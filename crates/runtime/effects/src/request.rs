//! What a performer is given: an effect made ready, and what its references resolve to.

use std::collections::BTreeMap;
use std::sync::Arc;

use adjutant_guard::Origin;
use adjutant_mission::{Effect, Gate, Json, ProviderId, TenantId, Work, references};
use adjutant_questions::Asker;
use adjutant_rules::{Rule, RuleError};
use serde_json::{Value, json};

use crate::protect::PseudonymKey;
use crate::resolve::{self, Resolver};
use crate::tenant_rules::MissionRules;

#[derive(Debug, Clone)]
pub struct Request {
    /// Whose mission it is.
    pub tenant: TenantId,
    pub effect: PreparedEffect,
    pub resolved: ResolvedInputs,
    /// Providers of models that are stopped.
    pub without: Vec<ProviderId>,
    /// Of the mission's pseudonyms. Without it no question leaves the sensitive zone, and no warning counts as acknowledged.
    pub pseudonyms: Option<PseudonymKey>,
    /// What people were told when this task came to a stand before, and went on.
    pub acknowledged_warnings: Vec<String>,
    /// The agent in whose name a question is asked.
    pub asker: Option<Asker>,
    /// The tenant's rules, as they hold for the mission.
    pub rules: MissionRules,
}

impl Request {
    /// With nothing stopped, nothing said before, no rules, and no key: it stays inside.
    pub fn new(
        tenant: TenantId,
        effect: impl Into<PreparedEffect>,
        resolved: ResolvedInputs,
    ) -> Self {
        Self {
            tenant,
            effect: effect.into(),
            resolved,
            without: Vec::new(),
            pseudonyms: None,
            acknowledged_warnings: Vec::new(),
            asker: None,
            rules: MissionRules::default(),
        }
    }
}

/// What the effect's references may resolve to: the tasks that [`PreparedEffect::referenced_tasks`] names, in full.
#[derive(Debug, Clone, Default)]
pub struct ResolvedInputs {
    pub inputs: Option<Json>,
    pub outputs: BTreeMap<String, Json>,
    /// Where the outputs come from, a tool's result if it is not said; and the inputs, under [`crate::INPUTS`].
    pub origins: BTreeMap<String, Origin>,
}

/// An effect whose gate, if it is one, is compiled: once, for what it refers to and for its verdict.
#[derive(Debug, Clone)]
pub struct PreparedEffect {
    effect: Effect,
    /// The gate's rules in their order; empty for any other effect.
    rules: Arc<[Result<Rule, RuleError>]>,
}

impl From<Effect> for PreparedEffect {
    fn from(effect: Effect) -> Self {
        let rules = match &effect.work {
            Work::EvaluateGate(gate) => gate
                .rules
                .iter()
                .map(|rule| Rule::compile(&rule.when))
                .collect(),
            Work::CallTool(_) | Work::AskModel(_) | Work::RunMission { .. } => Arc::default(),
        };
        Self { effect, rules }
    }
}

impl PreparedEffect {
    pub fn effect(&self) -> &Effect {
        &self.effect
    }

    pub fn into_effect(self) -> Effect {
        self.effect
    }

    pub(crate) fn into_parts(self) -> (Effect, Arc<[Result<Rule, RuleError>]>) {
        (self.effect, self.rules)
    }

    /// The tasks whose outputs the effect needs, each once.
    pub fn referenced_tasks(&self) -> Vec<String> {
        let mut tasks = Vec::new();
        match &self.effect.work {
            // A model wrote these arguments: what looks like a reference in them is none.
            Work::CallTool(_) if self.effect.thought.is_some() => {}
            Work::CallTool(call) => add_referenced_tasks(&call.with, &mut tasks),
            Work::AskModel(agent) => add_referenced_tasks(&agent.with, &mut tasks),
            Work::RunMission { sub, .. } => {
                if let Some(with) = &sub.with {
                    add_referenced_tasks(with, &mut tasks);
                }
            }
            Work::EvaluateGate(gate) => {
                for name in self.names_in_gate(gate) {
                    if name != "inputs" && !tasks.contains(&name) {
                        tasks.push(name);
                    }
                }
            }
        }
        tasks
    }

    /// What the gate's rules look up, and then what its reasons quote.
    fn names_in_gate(&self, gate: &Gate) -> Vec<String> {
        let rules = self.rules.iter().flatten();
        let mut names: Vec<String> = rules.flat_map(Rule::variables).collect();
        let reasons = gate.rules.iter().map(|rule| references(&rule.because));
        names.extend(
            reasons
                .flatten()
                .filter_map(|reference| reference.task().map(str::to_owned)),
        );
        names
    }
}

/// Adds the tasks that something given to a task refers to.
fn add_referenced_tasks(with: &Json, tasks: &mut Vec<String>) {
    if resolve::may_refer(with.text())
        && let Ok(value) = serde_json::from_str(with.text())
    {
        resolve::tasks(&value, tasks);
    }
}

/// A sub-mission's inputs: those of its plan, and in their place what its task gives it, references resolved.
pub fn resolve_sub_mission_inputs(
    planned: Option<&Json>,
    given: Option<&Json>,
    resolved: &ResolvedInputs,
) -> Result<Option<Json>, String> {
    let Some(given) = given else {
        return Ok(planned.cloned());
    };
    let unread = |error: serde_json::Error| format!("its inputs cannot be read: {error}");
    let mut given: Value = serde_json::from_str(given.text()).map_err(unread)?;
    Resolver::new(resolved.inputs.as_ref(), &resolved.outputs)
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
