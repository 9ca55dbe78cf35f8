//! What rules know of a mission: how it was opened. Nothing that happens later changes it.

use std::collections::BTreeSet;
use std::sync::Arc;

use adjutant_mission::{
    AgentId, ApprovalSource, Autonomy, CheckpointType, Opened, Plan, Start, ToolCall, WorkSpec,
};
use adjutant_rules::{RuleSet, Subject};
use serde_json::{Map, Value, json};

use super::book::MissionTypes;
use super::call_facts::dollars;
use super::recorded::{Before, RULES_INPUT};

/// A mission as it was opened, or is about to be.
#[derive(Debug, Clone)]
pub struct MissionFacts<'a> {
    plan: &'a Plan,
    /// As the plan and the approvals were before rules changed them.
    before: Before,
    sub_mission: bool,
    started_by: Option<AgentId>,
    types: &'a MissionTypes,
}

impl<'a> MissionFacts<'a> {
    pub(crate) fn of_start(
        start: &'a Start,
        started_by: Option<AgentId>,
        types: &'a MissionTypes,
    ) -> Self {
        Self {
            plan: &start.plan,
            before: Before::new(&start.plan, &start.approvals),
            sub_mission: start.parent.is_some(),
            started_by,
            types,
        }
    }

    pub(super) fn of_opened(
        opened: &'a Opened,
        before: Option<Before>,
        started_by: Option<AgentId>,
        types: &'a MissionTypes,
    ) -> Self {
        Self {
            plan: &opened.plan,
            before: before.unwrap_or_else(|| Before::new(&opened.plan, &opened.approvals)),
            sub_mission: opened.parent.is_some(),
            started_by,
            types,
        }
    }

    /// For a call that belongs to no mission.
    pub fn of_plan(plan: &'a Plan, started_by: AgentId, types: &'a MissionTypes) -> Self {
        Self {
            plan,
            before: Before::new(plan, &[]),
            sub_mission: false,
            started_by: Some(started_by),
            types,
        }
    }

    /// As the rules of these sets see it.
    pub(crate) fn value(&self, sets: &[Arc<RuleSet>]) -> Value {
        let looks_at = |field: &str| {
            let on = |set: &Arc<RuleSet>| Subject::ALL.iter().any(|on| set.looks_at(*on, field));
            sets.iter().any(on)
        };
        let plan = self.plan;
        let inputs = inputs_of(plan);
        let names = |kinds: &[CheckpointType]| -> Vec<&str> {
            kinds.iter().map(|kind| kind.name()).collect()
        };
        let mut value = json!({
            "type": self.types.of(plan, &inputs), "title": plan.title, "objective": plan.objective,
            "autonomy": match plan.autonomy {
                Autonomy::Strict => "strict",
                Autonomy::Balanced => "balanced",
                Autonomy::Permissive => "permissive",
            },
            "four_eyes": names(&self.before.four_eyes), "waived": names(&self.before.waived),
            "tasks": plan.tasks.len(), "sub_mission": self.sub_mission,
            "started_by": self.started_by.as_ref().map_or("", AgentId::as_str),
        });
        if let Some(money) = plan.caps.money {
            value["budget"] = dollars(money).into();
        }
        if looks_at("tools") {
            value["tools"] = json!(tools(plan));
        }
        if looks_at("knowledge_bases") {
            value["knowledge_bases"] = json!(knowledge_bases(plan, &inputs));
        }
        if looks_at("inputs") {
            value["inputs"] = Value::Object(inputs);
        }
        value
    }
}

/// The inputs as they were given, without what is recorded among them.
fn inputs_of(plan: &Plan) -> Map<String, Value> {
    let text = plan.inputs.as_ref().map_or("{}", |inputs| inputs.text());
    let mut inputs: Map<String, Value> = serde_json::from_str(text).unwrap_or_default();
    inputs.remove(RULES_INPUT);
    inputs
}

/// Whatever the plan may call: its tasks, what undoes them, and what its agents may choose.
fn tools(plan: &Plan) -> BTreeSet<&str> {
    let mut tools: BTreeSet<&str> = calls(plan).map(|call| call.tool.as_str()).collect();
    let undo = plan.tasks.iter().filter_map(|task| task.undo.as_ref());
    tools.extend(undo.map(|undo| undo.tool.as_str()));
    let thinking = plan.tasks.iter().filter_map(|task| match &task.work {
        WorkSpec::Agent(agent) => agent.reasoning.as_ref(),
        WorkSpec::Tool(_) | WorkSpec::Human(_) | WorkSpec::Gate(_) | WorkSpec::Mission(_) => None,
    });
    let offered = thinking.flat_map(|reasoning| &reasoning.tools);
    tools.extend(offered.map(|tool| tool.as_str()));
    tools
}

/// Every call that the plan itself makes.
fn calls(plan: &Plan) -> impl Iterator<Item = &ToolCall> {
    plan.tasks.iter().flat_map(|task| {
        let own = match &task.work {
            WorkSpec::Tool(call) => Some(call),
            WorkSpec::Agent(_) | WorkSpec::Human(_) | WorkSpec::Gate(_) | WorkSpec::Mission(_) => {
                None
            }
        };
        own.into_iter().chain(&task.alternative)
    })
}

/// Whatever the inputs, or arguments of the plan's calls, name as knowledge bases.
fn knowledge_bases(plan: &Plan, inputs: &Map<String, Value>) -> BTreeSet<String> {
    let mut named = BTreeSet::new();
    add_named(&Value::Object(inputs.clone()), &mut named);
    for call in calls(plan) {
        if call.with.text().contains("namespace")
            && let Ok(with) = serde_json::from_str(call.with.text())
        {
            add_named(&with, &mut named);
        }
    }
    named
}

fn add_named(fields: &Value, named: &mut BTreeSet<String>) {
    let listed = fields["namespaces"].as_array().into_iter().flatten();
    let names = listed
        .chain(fields.get("namespace"))
        .filter_map(Value::as_str);
    let literal = names.filter(|name| !name.contains("{{"));
    named.extend(literal.map(str::to_owned));
}

/// Who waived what in advance.
pub(super) fn waived(approvals: &[ApprovalSource]) -> Vec<CheckpointType> {
    let waived = approvals.iter().flat_map(|source| match source {
        ApprovalSource::Waiver { types, .. } => types.0.iter().copied().collect(),
        ApprovalSource::EarnedLevel { .. } => Vec::new(),
    });
    let waived: BTreeSet<CheckpointType> = waived.collect();
    waived.into_iter().collect()
}
