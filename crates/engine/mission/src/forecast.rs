//! What a plan is likely to come to, before anything is started: cost, time, and who will be asked.
//!
//! A forecast is shown and later compared; it is never a cap.

use alloc::string::String;
use alloc::vec::Vec;
use serde::Serialize;

use crate::plan::{Graph, Lineage};
use crate::{
    AGAIN_STEPS_MAX, AgentLevel, AgentWork, Approval, ApprovalSource, Barrier, CheckpointType,
    EffectClass, MicroUsd, Millis, OnSoftCap, Plan, Provenance, PurposeId, ROUNDS_AGAIN_MAX, Role,
    TaskIndex, TaskKey, ToolCall, ToolId, ToolTable, WorkSpec, steps_max,
};

/// Who does a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Doer {
    Tool(ToolId),
    /// Somebody with this role, or anybody.
    Human(Option<Role>),
    Gate,
    /// An agent of this level, for this purpose.
    Agent(AgentLevel, PurposeId),
    /// A sub-mission of this title.
    Mission(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TaskForecast {
    pub task: TaskKey,
    pub doer: Doer,
    /// Its first try succeeds: what the plan estimates, or else the tool's price.
    pub cost: MicroUsd,
    /// Every try of both ways is needed and costs the most it may.
    pub cost_max: MicroUsd,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration: Option<Millis>,
}

/// A question that will be asked on the way, if nothing goes wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Question {
    #[serde(rename = "kind")]
    pub checkpoint_type: CheckpointType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskKey>,
    pub about: String,
    /// Answered in advance by a waiver.
    pub waived: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Forecast {
    pub tasks: Vec<TaskForecast>,
    pub questions: Vec<Question>,
    pub cost: MicroUsd,
    pub cost_max: MicroUsd,
    /// Along the longest path of estimates; tasks without one count as nothing.
    pub duration: Millis,
    pub calls_min: u64,
    pub calls_max: u64,
}

/// How many steps an agent takes to its first conclusion at most, and with every further round that it may need.
fn steps(agent: &AgentWork) -> (u64, u64) {
    let Some(reasoning) = agent.reasoning.as_deref() else {
        return (1, 1);
    };
    let first = u64::from(steps_max(reasoning, agent.level.may_start(AgentLevel::L5)));
    let again = u64::from(ROUNDS_AGAIN_MAX) * u64::from(AGAIN_STEPS_MAX);
    (first, first + again)
}

impl Plan {
    /// What carrying it out is likely to come to. The plan is valid.
    pub fn forecast(&self, tools: &ToolTable, approvals: &[ApprovalSource]) -> Forecast {
        let mut forecast = Forecast {
            tasks: Vec::new(),
            questions: Vec::new(),
            cost: MicroUsd::ZERO,
            cost_max: MicroUsd::ZERO,
            duration: self.longest_path(),
            calls_min: 0,
            calls_max: 0,
        };
        let waived = |kind: CheckpointType| {
            approvals.iter().any(|source| match source {
                ApprovalSource::Waiver { types, .. } => types.0.contains(&kind),
                ApprovalSource::EarnedLevel { .. } => false,
            })
        };
        let mut ask = |kind, task: Option<&TaskKey>, about: String, waived: bool| {
            forecast.questions.push(Question {
                checkpoint_type: kind,
                task: task.cloned(),
                about,
                waived,
            });
        };
        let plan_approval = CheckpointType::PlanApproval;
        ask(
            plan_approval,
            None,
            "the plan".into(),
            waived(plan_approval),
        );
        let class = |call: &ToolCall| {
            let facts = tools.get(&call.tool);
            facts.map_or(EffectClass::Once, |facts| facts.class)
        };
        let graph = Graph::of(self);
        let lineage = Lineage {
            plan: self,
            tools,
            graph: &graph,
            inputs: Provenance::Own,
            changed: |_| None,
        };
        for task in &self.tasks {
            let tries = u64::from(task.retry.attempts.max(1));
            let price = |call: &ToolCall| tools.get(&call.tool).map_or(0, |facts| facts.price.0);
            let (doer, price, most, calls) = match &task.work {
                WorkSpec::Tool(call) => {
                    let second = task.alternative.as_ref();
                    let most = (price(call) + second.map_or(0, price)) * tries;
                    let ways = 1 + u64::from(second.is_some());
                    (
                        Doer::Tool(call.tool.clone()),
                        price(call),
                        most,
                        tries * ways,
                    )
                }
                WorkSpec::Agent(agent) => {
                    let question = tools.get(&agent.route()).map_or(0, |facts| facts.price.0);
                    let second = task.alternative.as_ref();
                    let (steps, steps_most) = steps(agent);
                    let most = (question * steps_most + second.map_or(0, price)) * tries;
                    let doer = Doer::Agent(agent.level, agent.purpose.clone());
                    let calls = tries * (steps_most + u64::from(second.is_some()));
                    (doer, question * steps, most, calls)
                }
                WorkSpec::Mission(sub) => {
                    let most = sub.allowance(&task.caps).money.0 * tries;
                    (Doer::Mission(sub.plan.title.clone()), 0, most, tries)
                }
                WorkSpec::Human(human) => (Doer::Human(human.role.clone()), 0, 0, 0),
                WorkSpec::Gate(gate) => {
                    (Doer::Gate, 0, 0, tries * (1 + u64::from(gate.returns_max)))
                }
            };
            match &task.work {
                WorkSpec::Tool(call) => {
                    let kind = CheckpointType::ToolApproval;
                    let facts = tools.get(&call.tool);
                    let closed =
                        facts.is_none_or(|facts| facts.is_closed_to_outside_text(&call.with));
                    let outside = closed
                        .then(|| lineage.outside_text_in(&call.with))
                        .flatten();
                    let mut about = alloc::format!("calling `{}`", call.tool);
                    if let Some(text) = outside {
                        about = alloc::format!("{about} with arguments derived from {text}");
                    }
                    let reserved = outside.is_some() || task.approval == Approval::Always;
                    if reserved || self.needs_approval(task, class(call)) {
                        ask(kind, Some(&task.key), about, waived(kind) && !reserved);
                    }
                }
                WorkSpec::Agent(agent) if self.asks_for(CheckpointType::SubagentApproval) => {
                    let kind = CheckpointType::SubagentApproval;
                    let about = alloc::format!("asking a model ({})", agent.purpose);
                    ask(kind, Some(&task.key), about, waived(kind));
                }
                WorkSpec::Human(human) => {
                    let free = waived(human.kind) && human.can_be_waived();
                    ask(human.kind, Some(&task.key), human.question.clone(), free);
                }
                _ => {}
            }
            let estimate = task.estimate.as_ref();
            let cost = estimate
                .and_then(|estimate| estimate.money)
                .unwrap_or(MicroUsd(price));
            forecast.cost.0 = forecast.cost.0.saturating_add(cost.0);
            forecast.cost_max.0 = forecast.cost_max.0.saturating_add(most.max(cost.0));
            forecast.calls_min += u64::from(calls > 0);
            forecast.calls_max = forecast.calls_max.saturating_add(calls);
            forecast.tasks.push(TaskForecast {
                task: task.key.clone(),
                doer,
                cost,
                cost_max: MicroUsd(most.max(cost.0)),
                duration: estimate.and_then(|estimate| estimate.duration),
            });
        }
        let ask_layers = self.barrier == Barrier::Ask;
        let layers = if ask_layers {
            graph.layer_sizes().len()
        } else {
            1
        };
        let mut ask = |kind, about: String| {
            forecast.questions.push(Question {
                checkpoint_type: kind,
                task: None,
                about,
                waived: waived(kind),
            });
        };
        for layer in 1..layers {
            let about = alloc::format!("continuing after layer {layer}");
            ask(CheckpointType::CriticalDecision, about);
        }
        ask(CheckpointType::FinalReview, "the result".into());
        let soft = &self.soft_caps;
        let passes = soft.turns.is_some_and(|mark| forecast.calls_min > mark)
            || soft.money.is_some_and(|mark| forecast.cost > mark)
            || (soft.wall_time).is_some_and(|mark| forecast.duration > mark);
        if passes && self.on_soft_cap == OnSoftCap::Ask {
            forecast.questions.push(Question {
                checkpoint_type: CheckpointType::CriticalDecision,
                task: None,
                about: "spending more than the plan's soft caps".into(),
                waived: false,
            });
        }
        if let Some(cap) = self.caps.money {
            forecast.cost_max = forecast.cost_max.min(cap).max(forecast.cost);
        }
        if let Some(cap) = self.caps.turns {
            forecast.calls_max = forecast.calls_max.min(cap).max(forecast.calls_min);
        }
        forecast
    }

    fn longest_path(&self) -> Millis {
        let graph = Graph::of(self);
        let mut ends = alloc::vec![0u64; self.tasks.len()];
        let mut order: Vec<TaskIndex> = TaskIndex::all(self.tasks.len()).collect();
        order.sort_by_key(|&task| graph.layer(task));
        let mut longest = 0;
        for task in order {
            let spec = &self.tasks[task.index()];
            let before = spec.after.iter();
            let starts = before
                .filter_map(|on| Some(ends[graph.find(on.task.as_str())?.index()] + on.lag.0))
                .max()
                .unwrap_or(0);
            let own = spec
                .estimate
                .as_ref()
                .and_then(|estimate| estimate.duration);
            let end = starts.saturating_add(own.map_or(0, |own| own.0));
            ends[task.index()] = end;
            longest = longest.max(end);
        }
        Millis(longest)
    }
}
