//! Changing the plan while it is carried out: who may, when, and which tasks.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::caps::exceeded;
use super::checkpoint_answers::FOUR_EYES;
use super::{Mission, Stage, Step, TaskState, TaskStatus};
use crate::plan::limits::REPLANS_MAX;
use crate::{
    Actor, ActorKind, Asks, CheckpointNumber, CheckpointType, Event, PlanPatch, Refused, Remarks,
    ReplanTrigger, TaskKey, Timestamp,
};

impl Mission {
    pub(super) fn decide_replan(
        &self,
        by: &Actor,
        patch: &PlanPatch,
        why: &str,
    ) -> Result<Step, Refused> {
        if by.kind != ActorKind::Human {
            return Err(Refused::NotAllowed {
                actor: format!("{by}"),
                why: "only a person can change a plan",
            });
        }
        // Before it is approved, whoever approves it sees the change.
        let is_approved = self.stage != Stage::Planning;
        if is_approved && self.needs_another(CheckpointType::PlanApproval, &by.id) {
            return Err(Refused::NotAllowed {
                actor: format!("{by}"),
                why: FOUR_EYES,
            });
        }
        self.may_change_approved_plan(by)?;
        let trigger = ReplanTrigger::HumanIntervention;
        Ok(self.replan(patch, trigger, why)?.into())
    }

    /// The events of a change of plan, or why it cannot be.
    pub(super) fn replan(
        &self,
        patch: &PlanPatch,
        trigger: ReplanTrigger,
        why: &str,
    ) -> Result<Vec<Event>, Refused> {
        let unfit = |why| Err(Refused::ChangeUnfit { why });
        if !matches!(self.stage, Stage::Planning | Stage::Executing) {
            return unfit(match self.stage {
                Stage::Ended(_) => format!("the mission is {}", self.phase().name()),
                _ => "the mission is about to end".into(),
            });
        }
        if !self.plan().replan.on.contains(&trigger) {
            let occasion = trigger.name();
            return unfit(format!("the plan may not be changed on `{occasion}`"));
        }
        if patch.is_empty() {
            return unfit("it changes nothing".into());
        }
        if self.replans >= REPLANS_MAX {
            return unfit(format!("the plan was already changed {REPLANS_MAX} times"));
        }
        let plan = match patch.applied_to(self.plan()) {
            Ok(plan) => plan,
            Err(why) => return unfit(why),
        };
        // What was asked about the old plan is asked no longer.
        let mut events: Vec<Event> = self
            .open_checkpoints()
            .filter(|state| is_about(patch, &state.checkpoint.asks))
            .map(|state| withdraw(state.checkpoint.number))
            .collect();
        for key in patch.touches() {
            let Some((_, state)) = self.task(key.as_str()) else {
                return unfit(format!("there is no task `{key}`"));
            };
            if !self.may_be_changed(state) {
                let status = state.status.name().replace('_', " ");
                return unfit(format!("task `{key}` is {status} and cannot be changed"));
            }
        }
        let spent = self.used.plus(self.reserved);
        if let Some((_, what)) = exceeded(&plan.caps, spent, self.turns) {
            return unfit(format!(
                "the mission has already used more {what} than that"
            ));
        }
        for task in &patch.change {
            let before = self.task(task.key.as_str()).map(|(_, state)| state);
            let over = before.and_then(|state| exceeded(&task.caps, state.used, state.turns));
            if let Some((_, what)) = over {
                let key = &task.key;
                return unfit(format!(
                    "task `{key}` has already used more {what} than that"
                ));
            }
        }
        let mut tools = self.tools().clone();
        tools.extend(patch.tools.iter().map(|(id, facts)| (id.clone(), *facts)));
        let above = self
            .opened
            .parent
            .map_or(0, |parent| usize::from(parent.depth));
        let problems = plan.problems_below(&tools, above);
        if !problems.is_empty() {
            return Err(Refused::PlanInvalid(problems));
        }
        let mut patch = patch.clone();
        let known = self.tools();
        patch
            .tools
            .retain(|id, _| plan.uses_tool(id) && !known.contains_key(id));
        events.push(Event::PlanChanged {
            trigger,
            why: why.into(),
            patch: Box::new(patch),
        });
        Ok(events)
    }

    /// Asks whether the plan should change, where the plan says that this is an occasion and nobody is asked yet.
    pub(super) fn occasion(
        &self,
        now: Timestamp,
        trigger: ReplanTrigger,
        task: Option<&TaskKey>,
        what: &str,
    ) -> Vec<Event> {
        let wanted = self.plan().replan.on.contains(&trigger);
        if !wanted || self.stage != Stage::Executing || self.asks_plan.is_some() {
            return Vec::new();
        }
        match self.waive(CheckpointType::PlanApproval, None) {
            Some(waived) => vec![waived],
            None => vec![self.build_change_checkpoint(now, trigger, task.cloned(), what)],
        }
    }

    /// It has not started; or it came to a stand, and nothing of it is under way or in doubt.
    fn may_be_changed(&self, state: &TaskState) -> bool {
        use TaskStatus::{AwaitingApproval, Blocked, Delayed, Ready, Waiting};
        let at_rest = matches!(state.status, Waiting | Ready | Delayed | AwaitingApproval);
        let untouched = at_rest && state.started_at.is_none();
        let doubted = state.effect.is_some() || self.was_sent_before_fork(state);
        untouched || (state.status == Blocked && !doubted)
    }

    /// What a result's own remarks give occasion to.
    pub(super) fn remarked(&self, now: Timestamp, key: &TaskKey, remarks: &Remarks) -> Vec<Event> {
        let floor = self.plan().replan.confidence_below;
        let unsure = remarks.confidence.filter(|sure| *sure < floor);
        if let Some(sure) = unsure {
            let what = format!(
                "Task `{key}` is {}% confident in its result; the plan requires {}%.",
                sure.0 / 10_000,
                floor.0 / 10_000
            );
            let asked = self.occasion(now, ReplanTrigger::LowConfidence, Some(key), &what);
            if !asked.is_empty() {
                return asked;
            }
        }
        match &remarks.surprise {
            Some(surprise) => {
                let what = format!("Task `{key}` found something unexpected: {surprise}");
                self.occasion(now, ReplanTrigger::Surprise, Some(key), &what)
            }
            None => Vec::new(),
        }
    }
}

/// Whether a question is about the plan, or about a task that the patch touches.
fn is_about(patch: &PlanPatch, asks: &Asks) -> bool {
    let task = match asks {
        Asks::ApprovePlan | Asks::ChangePlan { .. } | Asks::PassLayer { .. } => return true,
        Asks::PassSoftCap { task } => task.as_ref(),
        other => other.task(),
    };
    task.is_some_and(|task| patch.touches().any(|key| key == task))
}

fn withdraw(checkpoint: CheckpointNumber) -> Event {
    Event::CheckpointWithdrawn {
        checkpoint,
        reason: String::from("the plan was changed"),
    }
}
