//! The fields of a plan file, outside its tasks. A plan always comes out, with stand-ins where
//! something could not be read, so that the machine can judge the rest.

use adjutant_mission::{
    Autonomy, Barrier, Caps, Json, MicroUsd, Millis, OnFailure, OnSoftCap, Plan, ReplanTrigger,
    Replanning, SoftCaps, Strategy, Task, limits,
};
use adjutant_supervision::SUPERVISORS_INPUT;
use serde_json::{Map, Value};

use crate::MISSION_TYPE_INPUT;
use crate::problem::{Position, code};
use crate::reader::{Place, Reader};
use crate::task_fields::CHECKPOINT_TYPES;
use crate::tree::Node;

pub(crate) const PLAN_FIELDS: [&str; 21] = [
    "title",
    "objective",
    "inputs",
    "strategy",
    "concurrency",
    "barrier",
    "autonomy",
    "four_eyes",
    "approvers",
    "on_failure",
    "skips_max",
    "checkpoint_deadline",
    "caps",
    "soft_caps",
    "on_soft_cap",
    "replan",
    "constraints",
    "success_criteria",
    "supervisors",
    "agents",
    "tasks",
];
pub(crate) const CAPS_FIELDS: [&str; 4] = ["money", "tokens", "turns", "wall_time"];
pub(crate) const SOFT_CAPS_FIELDS: [&str; 6] = [
    "money",
    "tokens",
    "turns",
    "wall_time",
    "money_per_turn",
    "tokens_per_turn",
];

pub(crate) const STRATEGIES: [(&str, Strategy); 3] = [
    ("sequential", Strategy::Sequential),
    ("continue_on_block", Strategy::ContinueOnBlock),
    ("parallel_safe", Strategy::ParallelSafe),
];
pub(crate) const BARRIERS: [(&str, Barrier); 3] = [
    ("none", Barrier::None),
    ("wait", Barrier::Wait),
    ("ask", Barrier::Ask),
];
pub(crate) const AUTONOMIES: [(&str, Autonomy); 3] = [
    ("strict", Autonomy::Strict),
    ("balanced", Autonomy::Balanced),
    ("permissive", Autonomy::Permissive),
];
pub(crate) const ON_FAILURES: [(&str, OnFailure); 2] =
    [("ask", OnFailure::Ask), ("give_up", OnFailure::GiveUp)];

pub(crate) const REPLAN_TRIGGERS: [(&str, ReplanTrigger); 6] = [
    ("failure", ReplanTrigger::Failure),
    ("low_confidence", ReplanTrigger::LowConfidence),
    ("surprise", ReplanTrigger::Surprise),
    ("new_information", ReplanTrigger::NewInformation),
    ("human_intervention", ReplanTrigger::HumanIntervention),
    ("checkpoint", ReplanTrigger::Checkpoint),
];

pub(crate) const ON_SOFT_CAPS: [(&str, OnSoftCap); 2] =
    [("ask", OnSoftCap::Ask), ("degrade", OnSoftCap::Degrade)];

/// Most that a count in a cap may name: it must stay exact wherever it is stored or shown.
pub(crate) const COUNT_MAX: i64 = 1_000_000_000_000_000;

impl Reader {
    pub(crate) fn plan(&mut self, node: &Node, place: &Place<'_>) -> Plan {
        let mut plan = Plan::new(String::new(), Vec::new());
        let Some(fields) = self.fields(node, place, &PLAN_FIELDS) else {
            for name in ["title", "tasks"] {
                self.reported.insert(Place::Field(place, name).to_string());
            }
            return plan;
        };
        if let Some(title) = self.needed(&fields, "title", Self::text) {
            plan.title = title;
        }
        if let Some(objective) = self.field(&fields, "objective", Self::text) {
            plan.objective = objective;
        }
        plan.inputs = self.field(&fields, "inputs", Self::inputs);
        let choice = self.field(&fields, "strategy", |reader, node, place| {
            reader.choice(node, place, &STRATEGIES)
        });
        plan.strategy = choice.unwrap_or_default();
        let choice = self.field(&fields, "barrier", |reader, node, place| {
            reader.choice(node, place, &BARRIERS)
        });
        plan.barrier = choice.unwrap_or_default();
        let choice = self.field(&fields, "autonomy", |reader, node, place| {
            reader.choice(node, place, &AUTONOMIES)
        });
        plan.autonomy = choice.unwrap_or_default();
        let kinds = self.field(&fields, "four_eyes", |reader, node, place| {
            Some(reader.several(node, place, |reader, node, place| {
                reader.choice(node, place, &CHECKPOINT_TYPES)
            }))
        });
        plan.four_eyes = kinds.unwrap_or_default();
        let approvers = self.field(&fields, "approvers", Self::approvers_by_kind);
        plan.approvers = approvers.unwrap_or_default();
        let choice = self.field(&fields, "on_failure", |reader, node, place| {
            reader.choice(node, place, &ON_FAILURES)
        });
        plan.on_failure = choice.unwrap_or_default();
        if let Some(concurrency) = self.field(&fields, "concurrency", |reader, node, place| {
            reader.whole(node, place, 1..=i64::from(limits::CONCURRENCY_MAX))
        }) {
            plan.concurrency = concurrency;
        }
        if let Some(skips_max) = self.field(&fields, "skips_max", |reader, node, place| {
            reader.whole(node, place, 0..=i64::from(u16::MAX))
        }) {
            plan.skips_max = skips_max;
        }
        if let Some(deadline) = self.field(&fields, "checkpoint_deadline", Self::duration) {
            plan.checkpoint_deadline = deadline;
        }
        plan.caps = self.field(&fields, "caps", Self::caps).unwrap_or_default();
        let soft = self.field(&fields, "soft_caps", Self::soft_caps);
        plan.soft_caps = soft.unwrap_or_default();
        if let Some(on_soft_cap) = self.field(&fields, "on_soft_cap", |reader, node, place| {
            reader.choice(node, place, &ON_SOFT_CAPS)
        }) {
            plan.on_soft_cap = on_soft_cap;
        }
        if let Some(replan) = self.field(&fields, "replan", Self::replanning) {
            plan.replan = replan;
        }
        let texts = self.field(&fields, "constraints", Self::texts);
        plan.constraints = texts.unwrap_or_default();
        let texts = self.field(&fields, "success_criteria", Self::texts);
        plan.success_criteria = texts.unwrap_or_default();
        let supervisors = self.field(&fields, "supervisors", |reader, node, place| {
            reader.items(node, place)?;
            reader.free_value(node, place)
        });
        if let Some(supervisors) = supervisors {
            plan.inputs = with_supervisors(plan.inputs, &supervisors);
        }
        let agents = self.field(&fields, "agents", Self::agent_specs);
        plan.agents = agents.unwrap_or_default();
        plan.tasks = self
            .needed(&fields, "tasks", Self::tasks)
            .unwrap_or_default();
        plan
    }

    /// The inputs of a plan, or of a sub-mission: any map without the name that is reserved.
    pub(crate) fn inputs(&mut self, node: &Node, place: &Place<'_>) -> Option<Json> {
        if let Some(entry) = node.get(MISSION_TYPE_INPUT) {
            let here = Place::Field(place, MISSION_TYPE_INPUT);
            self.report_reserved_input(entry.at, &here);
        }
        if let Some(entry) = node.get(SUPERVISORS_INPUT) {
            let here = Place::Field(place, SUPERVISORS_INPUT);
            let message = format!(
                "the input `{SUPERVISORS_INPUT}` is reserved: it records who supervises the mission"
            );
            self.report(
                code::RESERVED_INPUT,
                entry.at,
                &here,
                message,
                "Rename the input. To declare supervisors, use the field `supervisors` of the plan.",
            );
        }
        self.free_map(node, place)
    }

    /// Reports an input that only the catalogue may give.
    pub fn report_reserved_input(&mut self, at: Position, place: &Place<'_>) {
        let message = format!(
            "the input `{MISSION_TYPE_INPUT}` is reserved: it records the type of a ready-made mission"
        );
        self.report(
            code::RESERVED_INPUT,
            at,
            place,
            message,
            "Rename the input.",
        );
    }

    fn replanning(&mut self, node: &Node, place: &Place<'_>) -> Option<Replanning> {
        let fields = self.fields(node, place, &["on", "confidence_below"])?;
        let mut replanning = Replanning::default();
        if let Some(on) = self.field(&fields, "on", |reader, node, place| {
            Some(reader.several(node, place, |reader, node, place| {
                reader.choice(node, place, &REPLAN_TRIGGERS)
            }))
        }) {
            replanning.on = on.into_iter().collect();
        }
        if let Some(share) = self.field(&fields, "confidence_below", Self::share) {
            replanning.confidence_below = share;
        }
        Some(replanning)
    }

    /// One task for every item, so that the machine's `tasks[n]` is the file's.
    pub fn tasks(&mut self, node: &Node, place: &Place<'_>) -> Option<Vec<Task>> {
        let items = self.items(node, place)?;
        let tasks = items.iter().enumerate();
        Some(
            tasks
                .filter_map(|(n, item)| self.task(item, &Place::Item(place, n), n))
                .collect(),
        )
    }

    pub(crate) fn caps(&mut self, node: &Node, place: &Place<'_>) -> Option<Caps> {
        let fields = self.fields(node, place, &CAPS_FIELDS)?;
        let count = |reader: &mut Self, node: &Node, place: &Place<'_>| {
            reader.whole(node, place, 0..=COUNT_MAX)
        };
        Some(Caps {
            money: self.field(&fields, "money", Self::money),
            tokens: self.field(&fields, "tokens", count),
            turns: self.field(&fields, "turns", count),
            wall_time: self.field(&fields, "wall_time", Self::duration),
        })
    }

    pub(crate) fn soft_caps(&mut self, node: &Node, place: &Place<'_>) -> Option<SoftCaps> {
        let fields = self.fields(node, place, &SOFT_CAPS_FIELDS)?;
        let count = |reader: &mut Self, node: &Node, place: &Place<'_>| {
            reader.whole(node, place, 0..=COUNT_MAX)
        };
        Some(SoftCaps {
            money: self.field(&fields, "money", Self::money),
            tokens: self.field(&fields, "tokens", count),
            turns: self.field(&fields, "turns", count),
            wall_time: self.field(&fields, "wall_time", Self::duration),
            money_per_turn: self.field(&fields, "money_per_turn", Self::money),
            tokens_per_turn: self.field(&fields, "tokens_per_turn", count),
        })
    }

    pub(crate) fn money_and_duration(
        &mut self,
        node: &Node,
        place: &Place<'_>,
    ) -> Option<(Option<MicroUsd>, Option<Millis>)> {
        let fields = self.fields(node, place, &["money", "duration"])?;
        let money = self.field(&fields, "money", Self::money);
        let duration = self.field(&fields, "duration", Self::duration);
        Some((money, duration))
    }
}

/// Supervisors are recorded among the inputs. What is wrong with them is said once the plan is read.
fn with_supervisors(inputs: Option<Json>, supervisors: &Json) -> Option<Json> {
    let text = inputs.as_ref().map_or("{}", Json::text);
    let mut all: Map<String, Value> = serde_json::from_str(text).unwrap_or_default();
    let supervisors = serde_json::from_str(supervisors.text()).unwrap_or_default();
    all.insert(SUPERVISORS_INPUT.to_owned(), supervisors);
    Json::encode(&all).ok().or(inputs)
}
