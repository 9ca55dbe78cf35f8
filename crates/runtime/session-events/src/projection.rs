//! From the journal's events to those that are told: what is kept between them, and which of them says what.

use adjutant_constitution::Remembered;
use adjutant_mission::{
    AfterFailure, CheckpointNumber, Delivery, EffectNumber, EndingPhase, Event, Mission, Payload,
    Recorded, TaskKey, TaskStatus, Timestamp, Usage, WorkSpec,
};
use serde_json::{Value, json};

use crate::calls::{Aim, Calls, Trouble, kind_of};
use crate::contents::readable;
use crate::event::{Told, content_of, stored, text_or_null};
use crate::findings::Citations;
use crate::sources::{self, Sources};
use crate::tasks::{Tasks, Touched};
use crate::thinking::Thinking;
use crate::{Contents, EventType, SessionEvent, constitution, plans, questions};

/// Turns a mission's journal into what its followers are told, one event at a time and from the first one on.
#[derive(Debug, Clone, Default)]
pub struct Projection {
    begun: bool,
    stage: Option<(Stage, Timestamp)>,
    tasks: Tasks,
    calls: Calls,
    thinking: Thinking,
    sources: Sources,
    citations: Citations,
    /// What the last check blocks.
    blocked: Remembered,
}

/// The part of its life that a mission is in, whoever it waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Planning,
    Executing,
    Synthesizing,
}

impl Stage {
    fn name(self) -> &'static str {
        match self {
            Self::Planning => "planning",
            Self::Executing => "executing",
            Self::Synthesizing => "synthesizing",
        }
    }
}

impl Projection {
    pub fn new() -> Self {
        Self::default()
    }

    /// The digest of the blob that the next event tells of, if it does: [`Self::take`] should be given its content. The
    /// mission is as it is after that event.
    pub fn wanted<'a>(&self, mission: &Mission, recorded: &'a Recorded) -> Option<&'a str> {
        let (task, output, is_step) = match &recorded.event {
            Event::TaskCompleted { task, output, .. } | Event::TaskHeld { task, output, .. } => {
                (task, output, false)
            }
            Event::StepTaken { task, taken } => (task, &taken.output, true),
            _ => return None,
        };
        let digest = readable(output)?;
        let (spec, _) = mission.task(task.as_str())?;
        let is_answer = matches!(spec.work, WorkSpec::Agent(_));
        let tool = self.calls.tool_of(task);
        let is_told = is_step
            || is_answer
            || constitution::is_check(spec)
            || tool.is_some_and(sources::finds_sources);
        is_told.then_some(digest)
    }

    /// What one event tells, with the mission as it is after that event, and what is in the blob that it wants. Events
    /// are to be given in order, each once. A projection that is first given a later event than the opening tells what
    /// follows from there.
    pub fn take(
        &mut self,
        mission: &Mission,
        recorded: &Recorded,
        contents: &Contents,
    ) -> Vec<SessionEvent> {
        let told = Told::new(mission, recorded, contents);
        if let Some(blocked) = constitution::blocked_by(&told) {
            self.blocked = blocked;
        }
        let mut told = told.without(self.blocked.clone());
        if !self.begun {
            self.begun = true;
            self.tasks.begin(mission);
        }
        let touched = self.touched(mission, &recorded.event);
        self.tell(&mut told);
        self.thinking.settle(&mut told);
        self.tasks.update(&mut told, touched);
        self.tell_end(&mut told);
        told.into_events()
    }

    /// Which tasks an event may have moved.
    fn touched(&self, mission: &Mission, event: &Event) -> Touched {
        let of_effect = |effect: &EffectNumber| self.calls.task_of(*effect);
        let of_checkpoint = |number: &CheckpointNumber| {
            let asked = mission.checkpoints().get(number.index());
            asked.and_then(|asked| asked.checkpoint.asks.task())
        };
        let task: Option<&TaskKey> = match event {
            Event::TasksReturned { .. }
            | Event::PlanChanged { .. }
            | Event::MissionForked { .. }
            | Event::MissionEnded(_) => return Touched::All,
            Event::TaskStarted { task, .. }
            | Event::TaskCompleted { task, .. }
            | Event::TaskHeld { task, .. }
            | Event::TaskReleased { task }
            | Event::AttemptFailed { task, .. }
            | Event::ConfidenceAssessed { task, .. }
            | Event::TaskRequeued { task }
            | Event::TaskSkipped { task, .. }
            | Event::GateJudged { task, .. }
            | Event::ToolCallApproved { task, .. } => Some(task),
            Event::EffectStarted { effect }
            | Event::EffectDeferred { effect, .. }
            | Event::EffectInDoubt { effect, .. }
            | Event::EffectLost { effect }
            | Event::EffectAbandoned { effect, .. } => of_effect(effect),
            Event::CheckpointOpened(checkpoint) => checkpoint.asks.task(),
            Event::CheckpointDecided { checkpoint, .. }
            | Event::CheckpointExpired { checkpoint }
            | Event::CheckpointWithdrawn { checkpoint, .. } => of_checkpoint(checkpoint),
            // Between two steps a task is ready for a moment, which says nothing to anybody.
            Event::StepTaken { .. } => None,
            Event::MissionOpened(_)
            | Event::ExecutionStarted {}
            | Event::MissionPaused { .. }
            | Event::MissionResumed {}
            | Event::LayerPassed { .. }
            | Event::StopRequested { .. }
            | Event::UndoBegan {}
            | Event::UndoStarted { .. }
            | Event::Undone { .. }
            | Event::UndoFailed { .. }
            | Event::SynthesisStarted {}
            | Event::AgentStarted { .. }
            | Event::BreachRefused { .. }
            | Event::CapReached { .. }
            | Event::SoftCapPassed { .. }
            | Event::Degraded { .. }
            | Event::CheckpointWaived(_)
            | Event::CheckpointClaimed { .. }
            | Event::CheckpointReleased { .. }
            | Event::CheckpointGuided { .. }
            | Event::CheckpointEndorsed { .. }
            | Event::Informed { .. }
            | Event::ContentErased { .. } => None,
        };
        // A conclusion that is thought through again leaves its task between two steps, too.
        let between = |task: &TaskKey| {
            let state = mission.task(task.as_str()).map(|(_, state)| state);
            matches!(event, Event::ConfidenceAssessed { .. })
                && state.is_some_and(|state| state.status == TaskStatus::Ready)
        };
        match task.filter(|task| !between(task)) {
            Some(task) => Touched::One(task.clone()),
            None => Touched::None,
        }
    }

    /// What an event tells but for where tasks stand.
    fn tell(&mut self, told: &mut Told<'_>) {
        let (mission, recorded) = (told.mission, told.recorded);
        match &recorded.event {
            Event::MissionOpened(_) => {
                plans::created(told);
                self.enter(told, Stage::Planning);
            }
            Event::ExecutionStarted {} => self.enter(told, Stage::Executing),
            Event::SynthesisStarted {} => self.enter(told, Stage::Synthesizing),
            Event::TasksReturned { .. } => {
                let reviewed = self.stage.map(|(stage, _)| stage) == Some(Stage::Synthesizing);
                if reviewed {
                    self.enter(told, Stage::Executing);
                }
            }
            Event::PlanChanged { .. } => {
                plans::updated(told);
                self.tasks.replan(mission);
            }
            Event::MissionForked { .. } => {
                plans::updated(told);
                let trouble = Trouble {
                    kind: "forked",
                    message: "it was under way in the mission that this one was forked from",
                    then: "fork",
                };
                self.calls.fail_all(told, &trouble);
            }
            Event::AgentStarted {
                agent,
                level,
                started_by,
            } => {
                let spec = mission.plan().agents.iter().find(|spec| spec.id == *agent);
                let data = json!({
                    "agent_id": agent,
                    "level": level.name(),
                    "type": agent,
                    "name": spec.map(|spec| &spec.name),
                    "parent_agent_id": started_by,
                });
                told.tell(EventType::AgentSpawned, data);
            }
            Event::CheckpointOpened(checkpoint) => questions::asked(told, checkpoint),
            Event::CheckpointDecided {
                checkpoint,
                decision,
            } => {
                questions::answered(told, *checkpoint, decision, false);
                constitution::overruled(told, decision, recorded.actor.as_ref());
            }
            // Others must approve it, too.
            Event::CheckpointEndorsed {
                checkpoint,
                decision,
            } => questions::answered(told, *checkpoint, decision, true),
            Event::CheckpointGuided { checkpoint, note } => {
                questions::guided(told, *checkpoint, note);
            }
            Event::CheckpointExpired { checkpoint } => questions::expired(told, *checkpoint),
            _ => self.tell_work(told),
        }
    }

    /// What an event tells of work on a task.
    fn tell_work(&mut self, told: &mut Told<'_>) {
        let (mission, recorded) = (told.mission, told.recorded);
        match &recorded.event {
            Event::TaskStarted { task, effect, .. } => {
                self.tasks.take_up(told, task);
                let effect = effect.and_then(|number| mission.effect(number));
                if let Some(effect) = &effect {
                    if let Some(thought) = &effect.thought {
                        self.thinking.step_begins(told, task, thought);
                    }
                    self.calls.begin(told, effect, Aim::Do);
                }
            }
            Event::UndoStarted { effect, .. } => {
                if let Some(effect) = mission.effect(*effect) {
                    self.calls.begin(told, &effect, Aim::Undo);
                }
            }
            Event::TaskCompleted {
                task,
                output,
                usage,
            }
            | Event::TaskHeld {
                task,
                output,
                usage,
            } => {
                self.finish(told, task, Some(output), *usage);
                self.thinking.concluded(told, task, output);
                self.citations.gather(told, task, output, &self.sources);
                constitution::checked(told, task, output);
            }
            Event::StepTaken { task, taken } => {
                self.finish(told, task, Some(&taken.output), taken.usage);
                self.thinking.step_taken(told, task, taken);
            }
            Event::ConfidenceAssessed {
                task,
                assessment,
                then,
            } => self.thinking.assessed(told, task, assessment, then),
            Event::GateJudged { task, .. } => {
                self.finish(told, task, None, Usage::NONE);
            }
            Event::Undone { task, usage } => self.finish(told, task, None, *usage),
            Event::AttemptFailed {
                task,
                failure,
                then,
                ..
            }
            | Event::UndoFailed {
                task,
                failure,
                then,
                ..
            } => {
                let kind = kind_of(failure);
                let trouble = Trouble {
                    kind: &kind,
                    message: &failure.message,
                    then: name_of(then),
                };
                self.calls.fail(told, task, &trouble);
                if let AfterFailure::Upward { to } = then {
                    let data = json!({
                        "agent_id": self.tasks.doer_before(task),
                        "to_agent_id": to,
                        "task_id": task,
                        "error": kind,
                        "reason": failure.message,
                    });
                    told.tell(EventType::AgentEscalated, data);
                }
            }
            Event::EffectInDoubt { effect, reason } => {
                self.lose(told, *effect, "in_doubt", reason, "escalate");
            }
            Event::EffectAbandoned { effect, reason } => {
                self.lose(told, *effect, "abandoned", reason, "give_up");
            }
            Event::EffectLost { effect } => {
                let why = "the host stopped before its result arrived";
                self.lose(told, *effect, "lost", why, "retry");
            }
            _ => {}
        }
    }

    /// A call ended well.
    fn finish(
        &mut self,
        told: &mut Told<'_>,
        task: &TaskKey,
        output: Option<&Payload>,
        usage: Usage,
    ) {
        self.calls
            .finish(told, task, output, usage, &mut self.sources);
    }

    fn lose(
        &mut self,
        told: &mut Told<'_>,
        effect: EffectNumber,
        kind: &str,
        message: &str,
        then: &str,
    ) {
        if let Some(task) = self.calls.task_of(effect).cloned() {
            let trouble = Trouble {
                kind,
                message,
                then,
            };
            self.calls.fail(told, &task, &trouble);
        }
    }

    fn enter(&mut self, told: &mut Told<'_>, stage: Stage) {
        self.leave(told);
        self.stage = Some((stage, told.recorded.at));
        told.tell(EventType::PhaseStart, json!({ "phase": stage.name() }));
    }

    fn leave(&mut self, told: &mut Told<'_>) {
        let Some((stage, since)) = self.stage.take() else {
            return;
        };
        let data = json!({
            "phase": stage.name(),
            "duration_ms": told.recorded.at.since(since),
        });
        told.tell(EventType::PhaseComplete, data);
    }

    /// The last event of all.
    fn tell_end(&mut self, told: &mut Told<'_>) {
        let mission = told.mission;
        let Event::MissionEnded(ending) = &told.recorded.event else {
            return;
        };
        self.leave(told);
        let used = mission.used();
        let duration = told.recorded.at.since(mission.opened_at());
        if ending.phase == EndingPhase::Completed {
            let data = json!({
                "delivery": stored(&ending.delivery),
                "reason": text_or_null(&ending.reason),
                "results": results(mission, ending.delivery),
                "citations": self.citations.count(),
                "cost_micro_usd": used.money,
                "tokens": used.tokens,
                "duration_ms": duration,
            });
            return told.tell(EventType::Complete, data);
        }
        let data = json!({
            "outcome": stored(&ending.phase),
            "delivery": stored(&ending.delivery),
            "reason": text_or_null(&ending.reason),
            "cost_micro_usd": used.money,
            "tokens": used.tokens,
            "duration_ms": duration,
        });
        told.tell(EventType::Error, data);
    }
}

/// What a mission came to. A result that nobody approved goes to its reviewers and not to whoever listens.
fn results(mission: &Mission, delivery: Delivery) -> Vec<Value> {
    if delivery != Delivery::Delivered {
        return Vec::new();
    }
    let outputs = mission.last_tasks();
    let outputs = outputs.filter_map(|task| Some((task, mission.output(task.as_str())?)));
    let results = outputs.map(|(task, output)| {
        let (output, blob) = content_of(output);
        json!({ "task_id": task, "output": output, "blob": blob })
    });
    results.collect()
}

fn name_of(then: &AfterFailure) -> &'static str {
    match then {
        AfterFailure::Retry { .. } => "retry",
        AfterFailure::Alternative => "alternative",
        AfterFailure::Upward { .. } => "upward",
        AfterFailure::Escalate => "escalate",
        AfterFailure::GiveUp => "give_up",
    }
}
