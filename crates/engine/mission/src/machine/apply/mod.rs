//! Folding: what each event does to the state. An event that cannot follow is refused, so that a
//! journal someone altered, or a machine that misbehaved, is noticed and not built upon.

mod checkpoints;
mod dependents;
mod effects;
mod plan;
mod tasks;
mod undo;

use alloc::format;
use alloc::string::String;

use super::queues::Queues;
use super::{
    AgentState, CorruptJournal, Information, Mission, Pause, Stage, TaskState, TaskStatus,
};
use crate::{Cause, Event, Recorded, Stop, TaskIndex, TaskKey};

type Applied = Result<(), String>;

impl Mission {
    /// Folds one event into the state. On error the state is unusable and must be dropped.
    pub fn apply(&mut self, recorded: &Recorded) -> Result<(), CorruptJournal> {
        let corrupt = |why| CorruptJournal {
            seq: recorded.seq,
            why,
        };
        if recorded.seq != self.seq + 1 {
            return Err(corrupt(format!("event {} was expected", self.seq + 1)));
        }
        if matches!(self.stage, Stage::Ended(_)) {
            return Err(corrupt("the mission had ended".into()));
        }
        self.apply_event(recorded).map_err(corrupt)?;
        self.seq = recorded.seq;
        self.updated_at = recorded.at;
        if let Some(Cause::Command(id)) = recorded.cause {
            self.commands.insert(id);
        }
        Ok(())
    }

    fn apply_event(&mut self, recorded: &Recorded) -> Applied {
        let at = recorded.at;
        match &recorded.event {
            Event::MissionOpened(_) => Err("a mission can be opened only once".into()),
            Event::MissionForked {
                of,
                at: last,
                changes,
            } => {
                self.forked_by.extend(recorded.actor.clone());
                self.fork(at, *of, *last, changes)
            }
            Event::ExecutionStarted {} => {
                self.expect_stage(self.stage == Stage::Planning)?;
                self.executing_since = Some(at);
                self.enter_stage(Stage::Executing)
            }
            Event::MissionPaused { reason } => {
                if self.is_paused() && !self.is_stopped() {
                    return Err("it changes nothing".into());
                }
                let (by, reason) = (recorded.actor.clone(), reason.clone());
                self.pause = Some(Pause { by, reason });
                Ok(())
            }
            Event::MissionResumed {} => match self.pause.take() {
                Some(_) => Ok(()),
                None => Err("it changes nothing".into()),
            },
            Event::LayerPassed { layer } => {
                if *layer != self.layers_passed {
                    return Err(format!("layer {} was expected", self.layers_passed));
                }
                self.layers_passed = layer.next();
                Ok(())
            }
            Event::StopRequested { into, reason, undo } => {
                self.undo |= undo;
                // Those that wait for a sub-mission are to end it now.
                let mut effects = core::mem::take(&mut self.effects);
                for effect in effects.values_mut() {
                    let waits = self.is_mission(effect.task);
                    effect.not_before = effect.not_before.filter(|_| !waits);
                }
                self.effects = effects;
                self.stop_reason = Some(reason.clone());
                self.enter_stage(Stage::Stopping(*into))
            }
            Event::SynthesisStarted {} => {
                let stages = matches!(self.stage, Stage::Executing | Stage::Stopping(_));
                self.expect_stage(stages)?;
                self.enter_stage(Stage::Synthesizing)
            }
            Event::MissionEnded(ending) => {
                let stages = self.is_winding_down() || self.stage == Stage::Synthesizing;
                self.expect_stage(stages)?;
                self.settle_doubts(at);
                self.enter_stage(Stage::Ended(ending.clone()))
            }
            Event::Informed { topic, trust, body } => {
                let (topic, trust, body) = (topic.clone(), *trust, body.clone());
                self.information.push(Information { topic, trust, body });
                Ok(())
            }
            Event::SoftCapPassed { task: None } => {
                self.soft_cap_passed = true;
                Ok(())
            }
            Event::SoftCapPassed { task: Some(key) } => {
                let task = self.find(key)?;
                self.tasks[task.index()].soft_cap_passed = true;
                Ok(())
            }
            Event::UndoBegan {} => {
                self.expect_stage(self.undo && self.stage == Stage::Stopping(Stop::Cancel))?;
                self.enter_stage(Stage::Undoing)
            }
            Event::UndoStarted { .. } | Event::Undone { .. } | Event::UndoFailed { .. } => {
                self.apply_undo(at, &recorded.event)
            }
            Event::PlanChanged { patch, .. } => self.change_plan(at, patch),
            Event::Degraded { .. } => {
                self.degraded = true;
                Ok(())
            }
            Event::CapReached { .. } | Event::CheckpointWaived(_) | Event::BreachRefused { .. } => {
                Ok(())
            }
            Event::AgentStarted { agent, .. } => {
                match self.agents.insert(agent.clone(), AgentState::default()) {
                    Some(_) => Err(format!("agent `{agent}` was already started")),
                    None => Ok(()),
                }
            }
            Event::ContentErased { .. } => Err("an erased mission cannot be replayed".into()),
            Event::TaskStarted { .. }
            | Event::TaskCompleted { .. }
            | Event::TaskHeld { .. }
            | Event::TaskReleased { .. }
            | Event::AttemptFailed { .. }
            | Event::TaskRequeued { .. }
            | Event::TaskSkipped { .. }
            | Event::GateJudged { .. }
            | Event::TasksReturned { .. }
            | Event::ToolCallApproved { .. }
            | Event::StepTaken { .. }
            | Event::ConfidenceAssessed { .. } => self.apply_to_task(at, &recorded.event),
            Event::EffectStarted { .. }
            | Event::EffectDeferred { .. }
            | Event::EffectInDoubt { .. }
            | Event::EffectLost { .. }
            | Event::EffectAbandoned { .. } => self.apply_to_effect(at, &recorded.event),
            Event::CheckpointOpened(checkpoint) => self.open_checkpoint(at, checkpoint),
            Event::CheckpointClaimed { .. }
            | Event::CheckpointReleased { .. }
            | Event::CheckpointGuided { .. }
            | Event::CheckpointEndorsed { .. }
            | Event::CheckpointDecided { .. }
            | Event::CheckpointExpired { .. }
            | Event::CheckpointWithdrawn { .. } => {
                self.apply_to_checkpoint(at, recorded.actor.as_ref(), &recorded.event)
            }
        }
    }

    pub(super) fn expect_stage(&self, fits: bool) -> Applied {
        if fits {
            return Ok(());
        }
        Err(format!("the mission was {}", self.phase().name()))
    }

    /// A stage changes a handful of times in a mission's life, so its indexes are simply made anew.
    fn enter_stage(&mut self, stage: Stage) -> Applied {
        self.stage = stage;
        self.queues = Queues::of(self);
        Ok(())
    }

    fn find(&self, key: &TaskKey) -> Result<TaskIndex, String> {
        self.graph
            .find(key.as_str())
            .ok_or_else(|| format!("there is no task `{key}`"))
    }

    fn expect(&self, task: TaskIndex, allowed: &[TaskStatus]) -> Applied {
        let status = self.tasks[task.index()].status;
        if allowed.contains(&status) {
            return Ok(());
        }
        Err(format!(
            "task `{}` was {}",
            self.spec(task).key,
            status.name()
        ))
    }

    /// Changes a task and keeps the indexes in step.
    fn update(&mut self, task: TaskIndex, change: impl FnOnce(&mut TaskState)) {
        let mut queues = core::mem::take(&mut self.queues);
        queues.leave(self, task);
        change(&mut self.tasks[task.index()]);
        queues.enter(self, task);
        self.queues = queues;
    }

    fn move_task(&mut self, task: TaskIndex, status: TaskStatus) {
        self.update(task, |state| state.status = status);
    }
}
