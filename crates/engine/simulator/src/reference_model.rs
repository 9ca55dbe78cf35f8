//! The simulator's own reading of a journal: what each event says has happened, kept in the plainest way.
//! Shares nothing with the machine's state, so that the two can disagree. Judges nothing itself.

mod forking;
mod provenance;
mod thinking;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use adjutant_mission::{
    AfterFailure, AfterVerdict, AgentId, Asks, Cause, Checkpoint, CheckpointNumber, CommandId,
    Decision, DependencyKind, EffectNumber, Ending, Event, LayerNumber, Millis, Plan, PlanPatch,
    Recorded, Start, Stop, Task, TaskKey, Timestamp, ToolId, Usage, Verdict, WorkSpec,
};

pub(crate) use forking::ForkSeen;
pub(crate) use thinking::Thoughts;

/// What does not change during a run.
#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) start: Start,
    pub(crate) index: BTreeMap<TaskKey, usize>,
    /// For each task: on whom it depends, how, and with which lag.
    pub(crate) on: Vec<Vec<(usize, DependencyKind, Millis)>>,
    pub(crate) layer: Vec<LayerNumber>,
}

impl Scene {
    pub(crate) fn new(start: Start) -> Self {
        let tasks = &start.plan.tasks;
        let index: BTreeMap<TaskKey, usize> = tasks
            .iter()
            .enumerate()
            .map(|(at, task)| (task.key.clone(), at))
            .collect();
        let edges = |task: &Task| {
            let edge =
                |on: &adjutant_mission::Dependency| Some((*index.get(&on.task)?, on.kind, on.lag));
            task.after.iter().filter_map(edge).collect::<Vec<_>>()
        };
        let on: Vec<_> = tasks.iter().map(edges).collect();
        let mut layer = vec![LayerNumber::FIRST; tasks.len()];
        for _ in 0..tasks.len() {
            for (at, edges) in on.iter().enumerate() {
                let deepest = edges.iter().map(|edge| layer[edge.0].next()).max();
                layer[at] = deepest.unwrap_or(LayerNumber::FIRST);
            }
        }
        Self {
            index,
            on,
            layer,
            start,
        }
    }

    pub(crate) fn plan(&self) -> &Plan {
        &self.start.plan
    }

    pub(crate) fn spec(&self, task: usize) -> &Task {
        &self.start.plan.tasks[task]
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stage {
    Planning,
    Executing,
    Stopping(Stop),
    Undoing,
    Synthesizing,
    Ended(Ending),
}

#[derive(Debug, Clone, Default)]
pub(crate) struct TaskSeen {
    /// First start since it was last sent back.
    pub(crate) started: Option<Timestamp>,
    /// Where its wall time counts from.
    pub(crate) clock: Option<Timestamp>,
    pub(crate) finished: Option<Timestamp>,
    /// Its work was done, and others kept it from finishing.
    pub(crate) held: Option<Timestamp>,
    /// Ended without being done; `for_want` when only because another was not done.
    pub(crate) lost: bool,
    pub(crate) for_want: bool,
    pub(crate) effect: Option<EffectNumber>,
    pub(crate) attempt: u16,
    pub(crate) tries: u16,
    pub(crate) returns: u16,
    pub(crate) used: Usage,
    pub(crate) turns: u64,
    /// The calls that a person has allowed, each with all that makes it this call.
    pub(crate) approved: BTreeSet<String>,
    pub(crate) alternative: bool,
    pub(crate) changed: Option<ToolId>,
    pub(crate) retry_at: Option<Timestamp>,
    /// It could not go on by itself, and a human was asked.
    pub(crate) escalated: bool,
    /// It was under way when the mission stopped.
    pub(crate) stopped: bool,
    /// Another mission did it, or may have, before this one was forked from it.
    pub(crate) inherited: bool,
    /// It was undone, or is not tried again.
    pub(crate) undo_settled: bool,
    /// When undoing it may be tried again, and how often it was tried.
    pub(crate) undo_at: Option<Timestamp>,
    pub(crate) undo_tries: u16,
    /// An effect of it is in doubt and no human has said what became of it.
    pub(crate) doubt: Option<EffectNumber>,
    pub(crate) thoughts: Thoughts,
}

impl TaskSeen {
    /// A human put it back to work.
    fn start_over(&mut self) {
        (self.tries, self.alternative, self.escalated) = (0, false, false);
        (self.clock, self.retry_at) = (None, None);
        self.thoughts.unsure = false;
    }
}

#[derive(Debug, Clone)]
pub(crate) struct EffectSeen {
    pub(crate) task: usize,
    /// A question to a model.
    pub(crate) asks: bool,
    pub(crate) reserved: Usage,
    pub(crate) started: bool,
    pub(crate) in_doubt: bool,
    pub(crate) closed: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct CheckpointSeen {
    pub(crate) checkpoint: Rc<Checkpoint>,
    pub(crate) open: bool,
    pub(crate) claim: Option<(AgentId, Timestamp)>,
}

/// The event before, as far as the next one may depend on it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Before {
    Nothing,
    Decided(Rc<Asks>, Box<Decision>),
    Expired(Rc<Asks>),
    Waived,
    CapReached,
    Approved(usize),
    Returning(usize),
    /// An agent wanted what it may not.
    Breached(usize),
    /// A conclusion was found sure enough, or nobody is to be asked about it.
    GoesOn(usize),
    Other,
}

#[derive(Debug)]
pub(crate) struct ReferenceModel {
    pub(crate) scene: Rc<Scene>,
    pub(crate) seq: u64,
    pub(crate) at: Timestamp,
    pub(crate) stage: Stage,
    pub(crate) executing_since: Option<Timestamp>,
    pub(crate) paused: bool,
    pub(crate) tasks: Vec<TaskSeen>,
    pub(crate) effects: Vec<EffectSeen>,
    pub(crate) checkpoints: Vec<CheckpointSeen>,
    pub(crate) commands: BTreeSet<CommandId>,
    pub(crate) last_cause: Option<Cause>,
    pub(crate) used: Usage,
    pub(crate) reserved: Usage,
    pub(crate) turns: u64,
    pub(crate) degraded: bool,
    /// Somebody wants what was done undone.
    pub(crate) undo: bool,
    /// It began with another's events.
    pub(crate) forked: Option<ForkSeen>,
    /// The agents whose runs have begun, and the tokens that each has used.
    pub(crate) agents: BTreeMap<AgentId, u64>,
    pub(crate) before: Before,
    /// The question that was answered last.
    decided: Option<CheckpointNumber>,
}

impl ReferenceModel {
    pub(crate) fn new(scene: Rc<Scene>) -> Self {
        Self {
            tasks: vec![TaskSeen::default(); scene.plan().tasks.len()],
            scene,
            seq: 0,
            at: Timestamp(i64::MIN),
            stage: Stage::Planning,
            executing_since: None,
            paused: false,
            effects: Vec::new(),
            checkpoints: Vec::new(),
            commands: BTreeSet::new(),
            last_cause: None,
            used: Usage::NONE,
            reserved: Usage::NONE,
            turns: 0,
            degraded: false,
            undo: false,
            forked: None,
            agents: BTreeMap::new(),
            before: Before::Nothing,
            decided: None,
        }
    }

    pub(crate) fn task(&self, key: &TaskKey) -> Option<usize> {
        self.scene.index.get(key).copied()
    }

    pub(crate) fn open(&self) -> impl Iterator<Item = &CheckpointSeen> {
        self.checkpoints.iter().filter(|seen| seen.open)
    }

    /// The tool a task would call now, or the way its question to a model would take.
    pub(crate) fn tool(&self, task: usize) -> Option<ToolId> {
        match self.chosen(task) {
            Some(call) => Some(call.tool.clone()),
            None => self.planned_tool(task),
        }
    }

    /// The same, but for what a reasoning chose on its way.
    fn planned_tool(&self, task: usize) -> Option<ToolId> {
        let spec = self.scene.spec(task);
        let seen = &self.tasks[task];
        if seen.changed.is_some() {
            return seen.changed.clone();
        }
        match (&spec.work, &spec.alternative) {
            (WorkSpec::Tool(_) | WorkSpec::Agent(_), Some(alternative)) if seen.alternative => {
                Some(alternative.tool.clone())
            }
            (WorkSpec::Tool(first), _) => Some(first.tool.clone()),
            (WorkSpec::Agent(_), _) => self.route(task),
            _ => None,
        }
    }

    /// Whether a person has allowed what it calls next.
    pub(crate) fn is_approved(&self, task: usize) -> bool {
        let call = self.present_call(task);
        self.tasks[task].approved.contains(&call)
    }

    /// What it calls next, with all that makes it this call.
    fn present_call(&self, task: usize) -> String {
        let (spec, seen) = (self.scene.spec(task), &self.tasks[task]);
        let (tool, doer) = (self.planned_tool(task), self.doer(task));
        let with = match (&spec.work, &spec.alternative) {
            _ if seen.changed.is_some() => String::from("changed"),
            (_, Some(alternative)) if seen.alternative => alternative.with.text().to_owned(),
            (WorkSpec::Tool(first), _) => first.with.text().to_owned(),
            (work, _) => format!("{work:?}"),
        };
        format!("{tool:?} {doer:?} {with}")
    }

    /// Whether its next try is a question to a model.
    pub(crate) fn asks_model(&self, task: usize) -> bool {
        let route = self.route(task);
        route.is_some() && self.tool(task) == route
    }

    /// Whether the last answer was to a question about starting agents, and not about a call.
    fn asked_about_agents(&self) -> bool {
        let asked = self
            .decided
            .and_then(|number| self.checkpoints.get(number.index()));
        let call = asked.and_then(|asked| asked.checkpoint.call.as_deref());
        call.is_some_and(|call| call.calls.is_empty())
    }

    /// Whether the last answer was to a question about a call that this task's agent chose.
    pub(crate) fn asked_about_choice(&self, task: usize) -> bool {
        self.chosen(task).is_some() && !self.asked_about_agents()
    }

    /// Tasks that failed or were left out at a human's word.
    pub(crate) fn lost(&self) -> usize {
        let counts = |task: &&TaskSeen| task.lost && !task.for_want;
        self.tasks.iter().filter(counts).count()
    }

    /// Effects that somebody has to perform.
    pub(crate) fn performing(&self) -> impl Iterator<Item = &EffectSeen> {
        self.effects
            .iter()
            .filter(|effect| !effect.closed && !effect.in_doubt)
    }

    pub(crate) fn fold(&mut self, recorded: &Recorded) {
        self.seq = recorded.seq;
        let at_before = std::mem::replace(&mut self.at, recorded.at);
        self.last_cause = recorded.cause;
        if let Some(Cause::Command(id)) = recorded.cause {
            self.commands.insert(id);
        }
        let before = std::mem::replace(&mut self.before, Before::Other);
        match &recorded.event {
            Event::ExecutionStarted {} => {
                self.stage = Stage::Executing;
                self.executing_since = Some(recorded.at);
            }
            Event::MissionPaused { .. } => self.paused = true,
            Event::MissionResumed {} => self.paused = false,
            Event::StopRequested { into, undo, .. } => {
                self.stage = Stage::Stopping(*into);
                self.undo |= undo;
            }
            Event::UndoBegan {} => self.stage = Stage::Undoing,
            Event::SynthesisStarted {} => self.stage = Stage::Synthesizing,
            Event::MissionEnded(ending) => {
                // What became of these is not known, so they count as done.
                for task in 0..self.tasks.len() {
                    self.close_in_full(task);
                }
                self.stage = Stage::Ended(ending.clone());
            }
            Event::PlanChanged { patch, .. } => self.fold_plan(recorded.seq, patch),
            Event::MissionForked { changes, .. } => {
                self.fold_fork(at_before, recorded.at, changes);
            }
            Event::CapReached { .. } => self.before = Before::CapReached,
            Event::Degraded { .. } => self.degraded = true,
            Event::CheckpointWaived(_) => self.before = Before::Waived,
            // It stands between a waiver and what was waived.
            Event::AgentStarted { agent, .. } => {
                self.agents.insert(agent.clone(), 0);
                self.before = before;
            }
            Event::EffectStarted { effect } => self.change_effect(*effect, |e| e.started = true),
            Event::EffectDeferred { effect, .. } => {
                self.change_effect(*effect, |e| e.started = false);
            }
            Event::EffectInDoubt { effect, .. } => {
                self.change_effect(*effect, |e| e.in_doubt = true);
                if let Some(task) = self.effects.get(effect.index()).map(|e| e.task) {
                    self.tasks[task].doubt = Some(*effect);
                }
            }
            Event::EffectLost { effect } => {
                let lost = self.effects.get(effect.index());
                if let Some((task, reserved)) = lost.map(|e| (e.task, e.reserved)) {
                    self.close(task, reserved);
                    self.tasks[task].tries = self.tasks[task].tries.saturating_sub(1);
                }
            }
            Event::EffectAbandoned { effect, .. } => {
                let dropped = self.effects.get(effect.index());
                let spent = |e: &EffectSeen| match e.asks && !e.started {
                    true => Usage::NONE,
                    false => e.reserved,
                };
                if let Some((task, spent)) = dropped.map(|e| (e.task, spent(e))) {
                    self.close(task, spent);
                    (self.tasks[task].lost, self.tasks[task].stopped) = (true, true);
                }
            }
            Event::CheckpointOpened(_)
            | Event::CheckpointClaimed { .. }
            | Event::CheckpointReleased { .. }
            | Event::CheckpointEndorsed { .. }
            | Event::CheckpointDecided { .. }
            | Event::CheckpointExpired { .. }
            | Event::CheckpointWithdrawn { .. } => self.fold_checkpoint(recorded),
            Event::MissionOpened(_)
            | Event::LayerPassed { .. }
            | Event::CheckpointGuided { .. }
            | Event::Informed { .. }
            | Event::ContentErased { .. } => {}
            _ => self.fold_task(recorded, &before),
        }
    }

    fn change_effect(&mut self, number: EffectNumber, change: impl FnOnce(&mut EffectSeen)) {
        if let Some(effect) = self.effects.get_mut(number.index()) {
            change(effect);
        }
    }

    fn fold_checkpoint(&mut self, recorded: &Recorded) {
        let seen = |model: &mut Self, number: CheckpointNumber, closes: bool| {
            let seen = model.checkpoints.get_mut(number.index())?;
            seen.open &= !closes;
            Some(Rc::new(seen.checkpoint.asks.clone()))
        };
        match &recorded.event {
            Event::CheckpointOpened(checkpoint) => self.checkpoints.push(CheckpointSeen {
                checkpoint: Rc::new((**checkpoint).clone()),
                open: true,
                claim: None,
            }),
            Event::CheckpointClaimed { checkpoint } => {
                let by = recorded.actor.as_ref().map(|actor| actor.id.clone());
                if let Some(seen) = self.checkpoints.get_mut(checkpoint.index()) {
                    seen.claim = by.map(|by| (by, recorded.at));
                }
            }
            Event::CheckpointReleased { checkpoint }
            | Event::CheckpointEndorsed { checkpoint, .. } => {
                if let Some(seen) = self.checkpoints.get_mut(checkpoint.index()) {
                    seen.claim = None;
                }
            }
            Event::CheckpointDecided {
                checkpoint,
                decision,
            } => {
                if let Some(asks) = seen(self, *checkpoint, true) {
                    self.settle_doubt(&asks, decision);
                    self.before = Before::Decided(asks, Box::new(decision.clone()));
                    self.decided = Some(*checkpoint);
                }
            }
            Event::CheckpointExpired { checkpoint } => {
                if let Some(asks) = seen(self, *checkpoint, true) {
                    self.before = Before::Expired(asks);
                }
            }
            Event::CheckpointWithdrawn { checkpoint, .. } => {
                seen(self, *checkpoint, true);
            }
            _ => {}
        }
    }

    /// Only a human who chose to send it again, or who says that it happened, ends a doubt.
    fn settle_doubt(&mut self, asks: &Asks, decision: &Decision) {
        let Asks::SettleInDoubt { task, effect } = asks else {
            return;
        };
        let chosen = decision.option.as_ref().map(|option| option.as_str());
        let settles = matches!(chosen, Some("retry" | "mark_done"));
        if decision.verdict != Verdict::Reject
            && settles
            && let Some(task) = self.task(task)
            && self.tasks[task].doubt == Some(*effect)
        {
            self.tasks[task].doubt = None;
        }
    }

    fn fold_task(&mut self, recorded: &Recorded, before: &Before) {
        let at = recorded.at;
        let key = match &recorded.event {
            Event::TaskStarted { task, .. }
            | Event::TaskCompleted { task, .. }
            | Event::TaskHeld { task, .. }
            | Event::TaskReleased { task }
            | Event::AttemptFailed { task, .. }
            | Event::TaskRequeued { task }
            | Event::TaskSkipped { task, .. }
            | Event::GateJudged { task, .. }
            | Event::UndoStarted { task, .. }
            | Event::Undone { task, .. }
            | Event::UndoFailed { task, .. }
            | Event::StepTaken { task, .. }
            | Event::BreachRefused { task, .. }
            | Event::ConfidenceAssessed { task, .. }
            | Event::ToolCallApproved { task, .. } => task,
            Event::TasksReturned { tasks, .. } => return self.fold_return(recorded.seq, tasks),
            _ => return,
        };
        let Some(task) = self.task(key) else { return };
        match &recorded.event {
            Event::TaskStarted {
                effect,
                attempt,
                reserved,
                ..
            } => self.fold_start(at, task, *effect, *attempt, *reserved),
            Event::TaskCompleted { usage, .. } => {
                self.close(task, *usage);
                self.tasks[task].finished = Some(at);
                self.tasks[task].thoughts.unsure = false;
            }
            Event::StepTaken { taken, .. } => self.fold_step(task, taken),
            Event::BreachRefused { .. } => self.before = Before::Breached(task),
            Event::ConfidenceAssessed { then, .. } => self.fold_assessment(task, *then),
            Event::TaskHeld { usage, .. } => {
                self.close(task, *usage);
                self.tasks[task].held = Some(at);
                self.tasks[task].thoughts.unsure = false;
            }
            Event::UndoStarted {
                effect, reserved, ..
            } => {
                self.tasks[task].undo_tries += 1;
                self.turns += 1;
                self.reserved = self.reserved.plus(*reserved);
                self.tasks[task].effect = Some(*effect);
                self.effects.push(EffectSeen {
                    task,
                    asks: false,
                    reserved: *reserved,
                    started: false,
                    in_doubt: false,
                    closed: false,
                });
            }
            Event::Undone { usage, .. } => {
                self.close(task, *usage);
                self.tasks[task].undo_settled = true;
            }
            Event::UndoFailed { usage, then, .. } => {
                self.close(task, *usage);
                match then {
                    AfterFailure::Retry { at } => self.tasks[task].undo_at = Some(*at),
                    _ => self.tasks[task].undo_settled = true,
                }
            }
            Event::TaskReleased { .. } => self.tasks[task].finished = Some(at),
            Event::AttemptFailed { usage, then, .. } => {
                self.close(task, *usage);
                let stopped = self.stage != Stage::Executing;
                let seen = &mut self.tasks[task];
                match then {
                    AfterFailure::Retry { at } => seen.retry_at = Some(*at),
                    AfterFailure::Alternative => {
                        (seen.alternative, seen.tries) = (true, 0);
                        seen.changed = None;
                    }
                    AfterFailure::Upward { to } => self.fold_upward(recorded, task, to),
                    AfterFailure::Escalate => seen.escalated = true,
                    AfterFailure::GiveUp => (seen.lost, seen.stopped) = (true, stopped),
                }
            }
            Event::TaskRequeued { .. } => {
                self.close_in_full(task);
                self.tasks[task].start_over();
            }
            Event::TaskSkipped { .. } => {
                self.close_in_full(task);
                self.tasks[task].lost = true;
                self.tasks[task].thoughts.unsure = false;
                self.tasks[task].for_want = !matches!(before, Before::Decided(..));
            }
            Event::GateJudged { usage, then, .. } => {
                self.close(task, *usage);
                match then {
                    AfterVerdict::Pass => self.tasks[task].finished = Some(at),
                    AfterVerdict::Return => {
                        self.tasks[task].returns += 1;
                        self.before = Before::Returning(task);
                    }
                    AfterVerdict::Escalate => self.tasks[task].escalated = true,
                    AfterVerdict::GiveUp => {
                        self.tasks[task].lost = true;
                        self.tasks[task].stopped = self.stage != Stage::Executing;
                    }
                }
            }
            Event::ToolCallApproved { call, .. } => {
                let chose = self.chosen(task).is_some();
                let names_agents = self.asked_about_agents();
                let seen = &mut self.tasks[task];
                match call {
                    // That an agent starts does not allow what it calls.
                    None if names_agents => {}
                    Some(call) if names_agents => seen.changed = Some(call.tool.clone()),
                    _ if chose => seen.thoughts.allowed = Some(seen.thoughts.steps.len()),
                    None => {}
                    Some(call) => seen.changed = Some(call.tool.clone()),
                }
                if !names_agents && !chose {
                    let call = self.present_call(task);
                    self.tasks[task].approved.insert(call);
                }
                self.before = Before::Approved(task);
            }
            _ => {}
        }
    }

    fn fold_start(
        &mut self,
        at: Timestamp,
        task: usize,
        effect: Option<EffectNumber>,
        attempt: u16,
        reserved: Usage,
    ) {
        let asks = self.asks_model(task);
        let seen = &mut self.tasks[task];
        seen.started.get_or_insert(at);
        seen.clock.get_or_insert(at);
        seen.inherited = false;
        seen.attempt = attempt;
        seen.tries += 1;
        seen.effect = effect;
        if effect.is_some() {
            seen.turns += 1;
            self.turns += 1;
            self.reserved = self.reserved.plus(reserved);
            self.effects.push(EffectSeen {
                task,
                asks,
                reserved,
                started: false,
                in_doubt: false,
                closed: false,
            });
        }
    }

    /// Tasks go by their names: those that stay keep what became of them, the others begin anew.
    fn fold_plan(&mut self, seq: u64, patch: &PlanPatch) {
        let mut start = self.scene.start.clone();
        start
            .plan
            .tasks
            .retain(|task| !patch.drop.contains(&task.key));
        for task in &mut start.plan.tasks {
            let other = patch.change.iter().find(|other| other.key == task.key);
            *task = other.unwrap_or(task).clone();
        }
        start.plan.tasks.extend(patch.add.iter().cloned());
        if let Some(caps) = &patch.caps {
            start.plan.caps = caps.clone();
        }
        let scene = Rc::new(Scene::new(start));
        let seen = |task: &Task| {
            let old = self.task(&task.key).map(|at| self.tasks[at].clone());
            let fresh = || TaskSeen {
                thoughts: Thoughts::anew(seq),
                ..TaskSeen::default()
            };
            let old = old.unwrap_or_else(fresh);
            if !patch.change.iter().any(|other| other.key == task.key) {
                return old;
            }
            TaskSeen {
                started: old.started,
                attempt: old.attempt,
                used: old.used,
                turns: old.turns,
                approved: old.approved,
                ..fresh()
            }
        };
        let tasks = scene.plan().tasks.iter().map(seen).collect();
        for effect in &mut self.effects {
            let key = &self.scene.spec(effect.task).key;
            // What is closed belongs to nobody any more.
            effect.task = scene.index.get(key).copied().unwrap_or(0);
        }
        (self.tasks, self.scene) = (tasks, scene);
    }

    fn fold_return(&mut self, seq: u64, keys: &[TaskKey]) {
        for key in keys {
            let Some(task) = self.task(key) else { continue };
            let old = &self.tasks[task];
            self.tasks[task] = TaskSeen {
                attempt: old.attempt,
                used: old.used,
                turns: old.turns,
                returns: old.returns,
                thoughts: Thoughts::anew(seq),
                ..TaskSeen::default()
            };
        }
        if self.stage == Stage::Synthesizing {
            self.stage = Stage::Executing;
            for task in &mut self.tasks {
                if std::mem::take(&mut task.stopped) {
                    task.lost = false;
                    task.start_over();
                }
                if task.escalated {
                    task.start_over();
                }
            }
        }
    }

    fn close(&mut self, task: usize, usage: Usage) {
        self.used = self.used.plus(usage);
        let undoes = self.stage == Stage::Undoing;
        if !undoes {
            self.charge_agent(task, usage);
        }
        let seen = &mut self.tasks[task];
        if !undoes {
            seen.used = seen.used.plus(usage);
        }
        let number = seen.effect.take();
        let effect = number.and_then(|number| self.effects.get_mut(number.index()));
        if let Some(effect) = effect.filter(|effect| !effect.closed) {
            effect.closed = true;
            self.reserved = self.reserved.minus(effect.reserved);
        }
    }

    fn close_in_full(&mut self, task: usize) {
        let number = self.tasks[task].effect;
        let effect = number.and_then(|number| self.effects.get(number.index()));
        if let Some(reserved) = effect.map(|effect| effect.reserved) {
            self.close(task, reserved);
        }
    }
}
