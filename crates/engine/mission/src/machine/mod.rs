//! The machine itself: a mission's state, and the three things done with it.
//!
//! `decide` turns one input into events and never changes state; `apply` folds one event into state and
//! never decides; `outstanding` derives from state what is still owed. After a step is applied, `decide`
//! with [`Input::Proceed`] gives what follows from it by itself, until nothing does.
//!
//! **Invariant:** `decide` never changes state and `apply` never decides. A refused input leaves the passport
//! byte-identical.

mod apply;
mod approval;
mod call_checkpoint;
mod caps;
mod checkpoint_answers;
mod checkpoint_builder;
mod decide;
mod forking;
mod outcomes;
mod proceed;
mod queues;
mod replan;
mod shown;
mod summary;
mod task;
mod thinking;
mod undo;

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

use queues::Queues;
pub use shown::SHOWN_BYTES_MAX;
pub use summary::{InboxEntry, Phase, Summary};
pub use task::{CallPath, TakenOver, TaskState, TaskStatus};
pub use thinking::AgentState;
pub use undo::{UndoOutcome, UndoState};

use crate::plan::Graph;
use crate::{
    AccountOwner, AccountRefusal, Actor, AgentId, Amounts, Charge, Checkpoint, CheckpointNumber,
    Claim, Command, CommandId, Decision, Effect, EffectClass, EffectId, EffectNumber, Ending,
    EndingPhase, Event, Forked, Json, LayerNumber, Millis, MissionId, Opened, Outcome, Payload,
    Plan, Recorded, Refused, Scope, Stop, Task, TaskIndex, TaskKey, Timestamp, ToolTable, Trust,
    Usage, Work, WorkSpec,
};

/// The shape of a serialised passport. A snapshot of another version is not used.
pub const PASSPORT_VERSION: u16 = 9;

/// How often a final review may send the work back.
pub(crate) const REVISIONS_MAX: u16 = 3;

/// How often people may have the same task done again after a failure or an uncertain conclusion.
pub const HUMAN_RETRIES_MAX: u32 = 5;

/// Something that happened outside and that the machine must answer to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    Command {
        id: CommandId,
        by: Actor,
        command: Command,
    },
    Outcome {
        effect: EffectNumber,
        outcome: Outcome,
    },
    /// The host is about to send this `once` effect.
    Starting { effect: EffectNumber },
    /// The host has just read this mission back from its journal: whatever ran before is gone.
    Recovered,
    /// Time has passed, or a step was applied: what follows?
    Proceed,
}

/// What an input leads to.
#[must_use]
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Step {
    pub events: Vec<Event>,
}

impl Step {
    fn one(event: Event) -> Self {
        Self {
            events: alloc::vec![event],
        }
    }
}

impl From<Vec<Event>> for Step {
    fn from(events: Vec<Event>) -> Self {
        Self { events }
    }
}

/// A journal that cannot be: an event that does not follow from those before it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("event {seq} does not follow from the events before it: {why}")]
pub struct CorruptJournal {
    pub seq: u64,
    pub why: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Stage {
    Planning,
    Executing,
    Stopping(Stop),
    /// Nothing runs any more, and what was done is undone.
    Undoing,
    Synthesizing,
    Ended(Ending),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EffectState {
    task: TaskIndex,
    class: EffectClass,
    reserved: Usage,
    reserved_at: Timestamp,
    /// How long it may take; zero if nothing is known.
    time_limit: Millis,
    started: bool,
    in_doubt: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    not_before: Option<Timestamp>,
    /// It undoes what its task did.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    undoes: bool,
}

impl EffectState {
    /// It was announced, and only a person can say what became of it if its result does not come.
    fn is_sent_once(&self) -> bool {
        self.started && self.class == EffectClass::Once
    }

    /// Nobody was asked yet, so it has cost nothing.
    fn is_unsent_question(&self) -> bool {
        !self.started && self.class == EffectClass::Paid
    }

    /// It was announced, and is begun anew if its result does not come.
    fn is_sent_paid(&self) -> bool {
        self.started && self.class == EffectClass::Paid && !self.in_doubt
    }
}

/// A checkpoint and what has become of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckpointState {
    pub checkpoint: Box<Checkpoint>,
    pub opened_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<Claim>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub guidance: Vec<String>,
    /// Approvals so far, where it needs several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub endorsed: Vec<Endorsement>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed: Option<Closed>,
}

/// One of several approvals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Endorsement {
    pub by: Actor,
    pub decision: Decision,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Closed {
    Decided { by: Actor, decision: Decision },
    Expired,
    Withdrawn { reason: String },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Information {
    topic: String,
    trust: Trust,
    body: Json,
}

/// The plan as it was changed, and what is known of the tools it uses.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Revised {
    plan: Plan,
    tools: ToolTable,
}

/// Why nothing new is started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pause {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Actor>,
    pub reason: String,
}

impl Pause {
    fn is_by_host(&self) -> bool {
        self.by.as_ref().is_some_and(Actor::is_system)
    }
}

/// A mission, folded from its journal.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Mission {
    opened: Box<Opened>,
    /// Absent while the plan is the one that the mission opened with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    revised: Option<Box<Revised>>,
    replans: u16,
    opened_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    opened_by: Option<Actor>,
    /// Whoever made it go its own way, and those whose forks it is a fork of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    forked_by: Vec<Actor>,
    /// The last fork changed inputs or the model.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    changed_by_fork: bool,
    seq: u64,
    updated_at: Timestamp,
    stage: Stage,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pause: Option<Pause>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    executing_since: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stop_reason: Option<String>,
    /// What was done is to be undone when the mission stops.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    undo: bool,
    tasks: Vec<TaskState>,
    layers_passed: LayerNumber,
    revisions: u16,
    effects: BTreeMap<EffectNumber, EffectState>,
    effects_issued: EffectNumber,
    checkpoints: Vec<CheckpointState>,
    commands: BTreeSet<CommandId>,
    used: Usage,
    reserved: Usage,
    turns: u64,
    information: Vec<Information>,
    /// The agents whose runs have begun.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    agents: BTreeMap<AgentId, AgentState>,
    /// The open question whether to go past a soft cap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    asks_soft_cap: Option<CheckpointNumber>,
    soft_cap_passed: bool,
    degraded: bool,
    /// The open question whether to change the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    asks_plan: Option<CheckpointNumber>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    forked: Option<Forked>,
    /// Starts that an account did not allow, until that is recorded: of which task, and which way. The other way
    /// may cost less. By the task's name, for its place may change in what happens again.
    #[serde(skip)]
    pub(crate) refused: BTreeMap<(TaskKey, CallPath), AccountRefusal>,
    /// What the events applied since the last save do to the accounts, and for which task. Not kept while a
    /// journal is folded.
    #[serde(skip)]
    pub(crate) charges: Option<Vec<(TaskIndex, Charge)>>,
    #[serde(skip)]
    graph: Graph,
    #[serde(skip)]
    queues: Queues,
}

/// A mission's state as a document: what the journal folds to. The same journal gives the same bytes.
#[derive(Debug, Serialize, Deserialize)]
pub struct Passport<M> {
    pub passport: u16,
    pub mission: M,
}

/// One thing a mission is waiting for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outstanding<'a> {
    Perform(EffectNumber),
    AskHuman(&'a Checkpoint),
    WaitUntil(Timestamp),
}

impl Mission {
    /// The state right after the opening event.
    pub fn begin(first: &Recorded) -> Result<Self, CorruptJournal> {
        let corrupt = |why: &str| CorruptJournal {
            seq: first.seq,
            why: why.into(),
        };
        let Event::MissionOpened(opened) = &first.event else {
            return Err(corrupt(
                "a journal must begin with the opening of the mission",
            ));
        };
        if first.seq != 1 {
            return Err(corrupt("a journal must begin with event 1"));
        }
        if opened.logic > crate::LOGIC_VERSION {
            return Err(corrupt("it was opened by a later version of the machine"));
        }
        let mut mission = Self {
            opened: opened.clone(),
            revised: None,
            replans: 0,
            opened_at: first.at,
            opened_by: first.actor.clone(),
            forked_by: Vec::new(),
            changed_by_fork: false,
            seq: 1,
            updated_at: first.at,
            stage: Stage::Planning,
            pause: None,
            executing_since: None,
            stop_reason: None,
            undo: false,
            tasks: opened.plan.tasks.iter().map(TaskState::new).collect(),
            layers_passed: LayerNumber::FIRST,
            revisions: 0,
            effects: BTreeMap::new(),
            effects_issued: EffectNumber::FIRST,
            checkpoints: Vec::new(),
            commands: BTreeSet::new(),
            used: Usage::NONE,
            reserved: Usage::NONE,
            turns: 0,
            information: Vec::new(),
            agents: BTreeMap::new(),
            asks_soft_cap: None,
            soft_cap_passed: false,
            degraded: false,
            asks_plan: None,
            forked: None,
            refused: BTreeMap::new(),
            charges: None,
            graph: Graph::default(),
            queues: Queues::default(),
        };
        if let Some(crate::Cause::Command(id)) = first.cause {
            mission.commands.insert(id);
        }
        mission.reindex();
        Ok(mission)
    }

    /// Whether this command came before.
    pub fn has_command(&self, id: CommandId) -> bool {
        self.commands.contains(&id)
    }

    /// Folds a whole journal.
    pub fn fold<'a>(
        events: impl IntoIterator<Item = &'a Recorded>,
    ) -> Result<Self, CorruptJournal> {
        let mut events = events.into_iter();
        let first = events.next().ok_or_else(|| CorruptJournal {
            seq: 0,
            why: "the journal is empty".into(),
        })?;
        let mut mission = Self::begin(first)?;
        for event in events {
            mission.apply(event)?;
        }
        Ok(mission)
    }

    /// The passport's bytes.
    pub fn passport(&self) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(&Passport {
            passport: PASSPORT_VERSION,
            mission: self,
        })
    }

    /// Reads a passport back.
    pub fn from_passport(bytes: &[u8]) -> Result<Self, serde_json::Error> {
        let passport: Passport<Self> = serde_json::from_slice(bytes)?;
        if passport.passport != PASSPORT_VERSION {
            return Err(serde::de::Error::custom("the passport has another version"));
        }
        let mut mission = passport.mission;
        mission.reindex();
        Ok(mission)
    }

    /// Rebuilds everything that is derived from the rest.
    fn reindex(&mut self) {
        self.graph = Graph::of(self.plan());
        self.queues = Queues::of(self);
    }

    /// Whether the indexes kept event by event equal those computed afresh. A check for tests.
    pub fn indexes_hold(&self) -> bool {
        self.queues == Queues::of(self)
    }

    pub fn id(&self) -> MissionId {
        self.opened.mission
    }

    pub fn scope(&self) -> &Scope {
        &self.opened.scope
    }

    /// The plan as it is now.
    pub fn plan(&self) -> &Plan {
        self.revised
            .as_ref()
            .map_or(&self.opened.plan, |revised| &revised.plan)
    }

    /// What is known of the tools that the plan uses.
    pub fn tools(&self) -> &ToolTable {
        self.revised
            .as_ref()
            .map_or(&self.opened.tools, |revised| &revised.tools)
    }

    /// How often the plan was changed.
    pub fn replans(&self) -> u16 {
        self.replans
    }

    pub fn opened(&self) -> &Opened {
        &self.opened
    }

    /// How many events this state is folded from.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    pub fn opened_at(&self) -> Timestamp {
        self.opened_at
    }

    pub fn updated_at(&self) -> Timestamp {
        self.updated_at
    }

    pub fn is_paused(&self) -> bool {
        self.pause.is_some()
    }

    /// Who paused it, and why; nothing while it is not paused.
    pub fn pause(&self) -> Option<&Pause> {
        self.pause.as_ref()
    }

    /// Paused by its host, for something that is stopped: nothing is done for it until that is allowed again.
    pub fn is_stopped(&self) -> bool {
        self.pause.as_ref().is_some_and(Pause::is_by_host)
    }

    pub fn used(&self) -> Usage {
        self.used
    }

    pub fn reserved(&self) -> Usage {
        self.reserved
    }

    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// Every task of the plan with what has become of it.
    pub fn tasks(&self) -> impl Iterator<Item = (&Task, &TaskState)> {
        self.plan().tasks.iter().zip(&self.tasks)
    }

    pub fn task(&self, key: &str) -> Option<(&Task, &TaskState)> {
        let at = self.graph.find(key)?.index();
        Some((&self.plan().tasks[at], &self.tasks[at]))
    }

    /// The tasks that nothing waits for: what they give is what the mission comes to.
    pub fn last_tasks(&self) -> impl Iterator<Item = &crate::TaskKey> {
        let tasks = TaskIndex::all(self.plan().tasks.len()).zip(&self.plan().tasks);
        let last = tasks.filter(|(at, _)| self.graph.dependents(*at).is_empty());
        last.map(|(_, task)| &task.key)
    }

    pub fn output(&self, task: &str) -> Option<&Payload> {
        self.task(task)?.1.output.as_ref()
    }

    /// Every checkpoint ever opened, in order of its number.
    pub fn checkpoints(&self) -> &[CheckpointState] {
        &self.checkpoints
    }

    /// The number of the checkpoint that is opened next.
    fn next_checkpoint(&self) -> CheckpointNumber {
        CheckpointNumber::from_index(self.checkpoints.len())
    }

    pub fn open_checkpoints(&self) -> impl Iterator<Item = &CheckpointState> {
        self.queues
            .open
            .iter()
            .filter_map(|&number| self.checkpoints.get(number.index()))
    }

    pub fn ending(&self) -> Option<&Ending> {
        match &self.stage {
            Stage::Ended(ending) => Some(ending),
            _ => None,
        }
    }

    pub fn phase(&self) -> Phase {
        // A task that waits to be tried again waits for the person, too, if nothing may start before the answer.
        let waits = !self.queues.delayed.is_empty() && !self.is_paused() && !self.is_held_back();
        let asks_only = self.queues.performing == 0 && !waits && !self.queues.open.is_empty();
        match &self.stage {
            Stage::Ended(ending) => match ending.phase {
                EndingPhase::Completed => Phase::Completed,
                EndingPhase::Failed => Phase::Failed,
                EndingPhase::Cancelled => Phase::Cancelled,
            },
            _ if asks_only => Phase::AwaitingHuman,
            Stage::Planning => Phase::Planning,
            Stage::Executing | Stage::Stopping(_) | Stage::Undoing => Phase::Executing,
            Stage::Synthesizing => Phase::Synthesizing,
        }
    }

    /// Everything still owed, computed from state.
    pub fn outstanding(&self) -> impl Iterator<Item = Outstanding<'_>> {
        let ended = matches!(self.stage, Stage::Ended(_));
        let effects = self
            .effects
            .iter()
            .filter(move |(_, effect)| !ended && !effect.in_doubt);
        effects
            .map(|(&number, _)| Outstanding::Perform(number))
            .chain(
                self.open_checkpoints()
                    .map(|state| Outstanding::AskHuman(&state.checkpoint)),
            )
            .chain(self.wake_at().map(Outstanding::WaitUntil))
    }

    /// Spells out an outstanding effect.
    pub fn effect(&self, number: EffectNumber) -> Option<Effect> {
        let state = self.effects.get(&number)?;
        let (task, spec) = (self.tasks.get(state.task.index())?, self.spec(state.task));
        let undo = spec.undo.as_ref().filter(|_| state.undoes);
        let work = match &spec.work {
            _ if state.undoes => Work::CallTool(undo?.call()),
            WorkSpec::Gate(gate) => Work::EvaluateGate(gate.clone()),
            WorkSpec::Mission(sub) => Work::RunMission {
                sub: Box::new(sub.carved(&spec.caps)),
                ends: self.is_winding_down(),
            },
            WorkSpec::Tool(call) => Work::CallTool(task.call(spec, call).clone()),
            WorkSpec::Agent(agent) => match (task.instead_of_asking(spec), task.next_call(spec)) {
                (Some(call), _) => Work::CallTool(call.clone()),
                (None, Some(call)) => Work::CallTool(call),
                (None, None) => Work::AskModel(Box::new(task.asked(agent))),
            },
            WorkSpec::Human(_) => return None,
        };
        Some(Effect {
            id: EffectId {
                mission: self.id(),
                number,
            },
            task: spec.key.clone(),
            attempt: match &task.undo {
                Some(undo) if state.undoes => undo.tries,
                _ => task.attempt,
            },
            class: state.class,
            not_before: state.not_before,
            thought: self.thought(state.task).filter(|_| !state.undoes),
            guidance: self.guidance(state.task),
            work,
        })
    }

    /// Whether this effect is a sub-mission that is to be ended.
    pub(crate) fn ends_mission(&self, number: EffectNumber) -> bool {
        let effect = self.effects.get(&number);
        self.is_winding_down() && effect.is_some_and(|effect| self.is_mission(effect.task))
    }

    fn is_mission(&self, task: TaskIndex) -> bool {
        self.spec(task).sub_mission().is_some()
    }

    /// A sub-mission that closes on its answer.
    fn is_light(&self) -> bool {
        let parent = self.opened.parent.as_ref();
        parent.is_some_and(|parent| parent.sandbox == crate::Sandbox::Light)
    }

    /// Whether this effect must be announced with [`Input::Starting`] before it is sent.
    pub fn needs_start(&self, number: EffectNumber) -> bool {
        let unannounced = |effect: &EffectState| effect.class.is_announced() && !effect.started;
        self.effects.get(&number).is_some_and(unannounced)
    }

    /// Whether it was announced and has no outcome yet.
    pub(crate) fn is_announced(&self, number: EffectNumber) -> bool {
        self.effects
            .get(&number)
            .is_some_and(|effect| effect.started && !effect.in_doubt)
    }

    /// The instant before which this effect must not be performed.
    pub(crate) fn not_before(&self, number: EffectNumber) -> Option<Timestamp> {
        self.effects.get(&number)?.not_before
    }

    /// Whether an outcome for this effect would still be taken.
    pub(crate) fn is_wanted(&self, number: EffectNumber) -> bool {
        self.effects
            .get(&number)
            .is_some_and(|effect| !effect.in_doubt)
    }

    /// The earliest time of an effect that was deferred.
    pub(crate) fn next_deferred(&self) -> Option<Timestamp> {
        self.effects
            .values()
            .filter(|effect| !effect.in_doubt)
            .filter_map(|effect| effect.not_before)
            .min()
    }

    /// The earliest instant at which [`Input::Proceed`] will have something to do by itself.
    pub fn wake_at(&self) -> Option<Timestamp> {
        if matches!(self.stage, Stage::Ended(_)) {
            return None;
        }
        let starts = self.next_timed_start();
        let releases = self
            .queues
            .releasable
            .first()
            .filter(|_| self.stage == Stage::Executing)
            .map(|entry| entry.0);
        let due = self.queues.due.first().map(|entry| entry.0);
        let undoes = self.stage == Stage::Undoing && self.queues.performing == 0;
        let undo = undoes.then(|| self.next_to_undo()).flatten();
        let undo = undo.map(|task| self.undo_not_before(task));
        [starts, releases, due, undo].into_iter().flatten().min()
    }

    pub fn summary(&self) -> Summary {
        let waits = |effect: &EffectState| effect.not_before.is_some_and(|at| at > self.updated_at);
        let stopped = self.is_stopped();
        let mut owed = self.effects.values();
        let busy = !stopped && owed.any(|effect| !effect.in_doubt && !waits(effect));
        let deferred = self.next_deferred().filter(|_| !stopped);
        let wakes = [self.wake_at(), deferred].into_iter().flatten().min();
        Summary {
            mission: self.id(),
            title: self.plan().title.clone(),
            phase: self.phase(),
            paused: self.is_paused(),
            tasks_total: self.tasks.len() as u32,
            tasks_ended: self.queues.ended,
            checkpoints_open: self.queues.open.len() as u32,
            used: self.used,
            opened_at: self.opened_at,
            updated_at: self.updated_at,
            wake_at: if busy {
                Some(Timestamp::DUE_NOW)
            } else {
                wakes
            },
        }
    }

    fn spec(&self, task: TaskIndex) -> &Task {
        &self.plan().tasks[task.index()]
    }

    fn refuse_if_ended(&self) -> Result<(), Refused> {
        match &self.stage {
            Stage::Ended(_) => Err(Refused::MissionEnded {
                phase: self.phase().name(),
            }),
            _ => Ok(()),
        }
    }

    /// Whether tasks may be started at all right now.
    fn may_start(&self) -> bool {
        self.stage == Stage::Executing && !self.is_paused() && !self.is_held_back()
    }

    /// Whether what may start waits for an answer first.
    fn is_held_back(&self) -> bool {
        let held =
            self.queues.blocked > 0 && self.plan().strategy != crate::Strategy::ContinueOnBlock;
        let asked = self.asks_soft_cap.is_some() || self.asks_plan.is_some();
        self.stage == Stage::Executing && (held || asked)
    }

    /// What a try of a task would be: of which task, and which of its two ways.
    pub(crate) fn start_of(&self, task: TaskIndex) -> Option<(TaskKey, CallPath)> {
        let state = self.tasks.get(task.index())?;
        Some((self.spec(task).key.clone(), state.way))
    }

    /// Why an account does not allow a task to be tried.
    fn refusal_of(&self, task: TaskIndex) -> Option<&AccountRefusal> {
        if self.refused.is_empty() {
            return None;
        }
        self.refused.get(&self.start_of(task)?)
    }

    /// What the accounts hold for it, as it was reserved.
    pub fn held(&self) -> impl Iterator<Item = Charge> {
        self.effects.values().map(|effect| {
            self.own_charge(Charge {
                reserve: Amounts::of_call(effect.reserved, effect.time_limit),
                ..Charge::at(effect.reserved_at)
            })
        })
    }

    /// What a charge comes to for the accounts: a sub-mission spends what its parent holds for it.
    fn own_charge(&self, charge: Charge) -> Charge {
        if self.opened.parent.is_none() {
            return charge;
        }
        let free = |amounts: Amounts| Amounts {
            money: crate::MicroUsd::ZERO,
            tokens: 0,
            ..amounts
        };
        Charge {
            reserve: free(charge.reserve),
            release: free(charge.release),
            spend: free(charge.spend),
            ..charge
        }
    }

    /// Whose accounts the mission is charged to.
    pub fn account_owners(&self) -> Vec<AccountOwner> {
        let campaign = self.scope().campaign.clone().map(AccountOwner::Campaign);
        core::iter::once(AccountOwner::Tenant)
            .chain(campaign)
            .collect()
    }
}
