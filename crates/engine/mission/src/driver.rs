//! The host's half of the machine that needs no I/O: in which order things are decided, recorded and
//! performed. Every host drives missions through this, and so does the simulator.
//!
//! Law 1 lives here: while anything is unsaved, no effect is handed out.
//!
//! **Invariant:** An event is durable before anybody sees it and before anything depends on it. While anything is
//! unsaved the driver hands out no effect; the host answers callers and watchers only after the append.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use crate::{
    AccountRefusal, Actor, Cause, Charge, CommandId, CorruptJournal, Effect, EffectNumber, Event,
    Fork, ForkRefused, Input, Millis, Mission, Outcome, Recorded, Refused, Start, Step, Timestamp,
    Zone,
};

use crate::fork::answers;

/// Steps that may follow from one input: ten for every task that a plan can have. More is a loop in the machine or a
/// plan that nobody foresaw, and a person is to see it: the mission is paused, and its journal says why.
const FOLLOW_UPS_MAX: usize = 10 * crate::limits::TASKS_MAX;

/// The code of that pause.
const FOLLOW_UPS_CODE: &str = "ADJ-1119";

/// What a mission needs next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// Effects are being performed or are about to be.
    Busy,
    /// Nothing to do until this instant, or until somebody speaks.
    Until(Option<Timestamp>),
    Ended,
}

#[derive(Debug)]
pub struct Driver {
    mission: Mission,
    unsaved: Vec<Recorded>,
    /// How many of the unsaved events nothing can change: the opening, or all that a fork begins with.
    given: usize,
    /// How many of those were another mission's.
    inherited: usize,
    /// What led to the unsaved events, so that it can happen again if they cannot be saved as they are.
    happened: Vec<(Timestamp, Input)>,
    in_flight: BTreeSet<EffectNumber>,
    /// Sub-missions that are being ended.
    ending: BTreeSet<EffectNumber>,
    /// Owed, and kept back: see [`Driver::hold`].
    held: BTreeSet<EffectNumber>,
    /// Set when the machine decided something it cannot apply. Nothing is saved or performed after that.
    fault: Option<CorruptJournal>,
}

impl Driver {
    /// Opens a mission. Its first events are unsaved.
    pub fn open(
        now: Timestamp,
        by: &Actor,
        command: CommandId,
        start: Start,
    ) -> Result<Self, Refused> {
        let step = Mission::open(start)?;
        let cause = Some(Cause::Command(command));
        let mut recorded = step.events.into_iter().map(|event| Recorded {
            seq: 1,
            at: now,
            actor: Some(by.clone()),
            cause,
            zone: zone_of(&event),
            event,
        });
        let unfit = |why| Refused::DoesNotFit {
            command: "start",
            why,
        };
        let first = recorded.next().ok_or(unfit("nothing was opened"))?;
        let mission =
            Mission::begin(&first).map_err(|_| unfit("the opening cannot be replayed"))?;
        let mut driver = Self::of(mission);
        driver.unsaved.push(first);
        driver.given = 1;
        driver.proceed(now);
        Ok(driver)
    }

    /// Forks a mission. All its events are unsaved, the inherited ones too, and none of those is charged.
    pub fn fork(
        now: Timestamp,
        by: &Actor,
        command: CommandId,
        mut fork: Fork,
    ) -> Result<Self, ForkRefused> {
        fork.adopt();
        let mut driver = Self::of(Mission::fold(&fork.inherited)?);
        driver.inherited = fork.inherited.len();
        driver.unsaved = fork.inherited;
        for event in &mut driver.unsaved {
            // Journals of before marked less, and the fork's copy is stored anew.
            if zone_of(&event.event) == Zone::Sensitive {
                event.zone = Zone::Sensitive;
            }
        }
        let step = driver
            .mission
            .decide_fork(now, by, fork.of, &fork.changes)?;
        driver.record(now, Some(by), Some(Cause::Command(command)), step);
        driver.given = driver.unsaved.len();
        for answer in answers(&fork.changes, by, command) {
            driver.input(now, &answer)?;
        }
        driver.proceed(now);
        match driver.fault.take() {
            Some(fault) => Err(fault.into()),
            None => Ok(driver),
        }
    }

    /// Takes up a mission read back from its journal. Whatever was under way before is gone.
    pub fn resume(now: Timestamp, mission: Mission) -> Self {
        let mut driver = Self::of(mission);
        driver.recover(now);
        driver
    }

    /// The same, but lets something happen to it before anything follows by itself. If that is refused, it is as
    /// if it had not been asked for.
    pub fn resume_to(now: Timestamp, mission: Mission, first: &Input) -> Self {
        let mut driver = Self::of(mission);
        // Refused: the mission ended, or stands so already.
        let _ = driver.input(now, first);
        driver.recover(now);
        driver
    }

    fn of(mut mission: Mission) -> Self {
        mission.charges = Some(Vec::new());
        Self {
            mission,
            unsaved: Vec::new(),
            given: 0,
            inherited: 0,
            happened: Vec::new(),
            in_flight: BTreeSet::new(),
            ending: BTreeSet::new(),
            held: BTreeSet::new(),
            fault: None,
        }
    }

    fn recover(&mut self, now: Timestamp) {
        self.happened.push((now, Input::Recovered));
        if let Ok(step) = self.mission.decide(now, &Input::Recovered) {
            self.record(now, None, None, step);
        }
        self.follow_up(now);
    }

    pub fn mission(&self) -> &Mission {
        &self.mission
    }

    /// Lets something happen to the mission. On refusal nothing has changed.
    pub fn input(&mut self, now: Timestamp, input: &Input) -> Result<(), Refused> {
        let step = self.mission.decide(now, input)?;
        let (actor, cause) = match input {
            Input::Command { id, by, .. } => (Some(by), Some(Cause::Command(*id))),
            Input::Outcome { effect, .. } => (None, Some(Cause::Effect(*effect))),
            Input::Starting { .. } | Input::Recovered | Input::Proceed => (None, None),
        };
        if let Input::Outcome { effect, .. } = input {
            self.in_flight.remove(effect);
        }
        self.happened.push((now, input.clone()));
        self.record(now, actor, cause, step);
        self.follow_up(now);
        match &self.fault {
            None => Ok(()),
            Some(fault) => Err(Refused::MachineFault {
                why: fault.why.clone(),
            }),
        }
    }

    /// Why this mission can no longer be driven, if it cannot: a defect of the machine, not of the mission.
    pub fn fault(&self) -> Option<&CorruptJournal> {
        self.fault.as_ref()
    }

    /// Lets time pass.
    pub fn proceed(&mut self, now: Timestamp) {
        self.happened.push((now, Input::Proceed));
        self.follow_up(now);
        if self.unsaved.is_empty() {
            self.happened.clear();
        }
    }

    /// Events that are decided and not yet durable.
    pub fn unsaved(&self) -> &[Recorded] {
        &self.unsaved
    }

    /// Of those, what has just happened: without what a fork inherited.
    pub fn news(&self) -> &[Recorded] {
        self.unsaved.get(self.inherited..).unwrap_or_default()
    }

    /// What the unsaved events do to the accounts of [`Mission::account_owners`]. It is to be saved with them.
    pub fn charges(&self) -> Vec<Charge> {
        let charges = self.mission.charges.iter().flatten();
        charges.map(|(_, charge)| *charge).collect()
    }

    /// The unsaved events are durable now.
    pub fn saved(&mut self) {
        self.unsaved.clear();
        (self.given, self.inherited) = (0, 0);
        self.happened.clear();
        self.mission.refused.clear();
        self.mission.charges.iter_mut().for_each(Vec::clear);
    }

    /// An account refused one of the charges, so nothing was saved: lets all of it happen again without what was
    /// refused. `stored` is the mission as its journal has it; none, if this is its first save. Says which commands
    /// no longer fit, if any.
    pub fn redecide_without(
        &mut self,
        stored: Option<Mission>,
        refusal: AccountRefusal,
    ) -> Vec<(CommandId, Refused)> {
        let charged = self.mission.charges.iter().flatten().nth(refusal.charge);
        let Some(&(task, _)) = charged else {
            // Nothing of ours was refused, so deciding again would lead to the same.
            self.fault = Some(CorruptJournal {
                seq: self.mission.seq(),
                why: "an account refused a charge that was not made".into(),
            });
            return Vec::new();
        };
        let start = self.mission.start_of(task);
        let mut refused = core::mem::take(&mut self.mission.refused);
        refused.extend(start.map(|start| (start, refusal)));
        self.unsaved.truncate(self.given);
        self.mission = match stored {
            Some(stored) => stored,
            None => match Mission::fold(&self.unsaved) {
                Ok(begun) => begun,
                Err(fault) => {
                    self.fault = Some(fault);
                    return Vec::new();
                }
            },
        };
        self.mission.charges = Some(Vec::new());
        self.mission.refused = refused;
        let mut no_longer = Vec::new();
        for (now, happened) in core::mem::take(&mut self.happened) {
            match happened {
                Input::Recovered => self.recover(now),
                Input::Proceed => self.proceed(now),
                input => {
                    if let Err(refused) = self.input(now, &input)
                        && let Input::Command { id, .. } = input
                    {
                        no_longer.push((id, refused));
                    }
                }
            }
        }
        no_longer
    }

    /// Effects to perform now, each handed out once. `once` effects are announced first: they come out
    /// only after the announcement is saved, so call again after each save.
    pub fn take_effects(&mut self, now: Timestamp) -> Vec<Effect> {
        if !self.unsaved.is_empty() || self.fault.is_some() {
            return Vec::new();
        }
        let mut effects = Vec::new();
        for number in self.startable(now) {
            if self.mission.needs_start(number) {
                let starting = Input::Starting { effect: number };
                if let Ok(step) = self.mission.decide(now, &starting) {
                    self.happened.push((now, starting));
                    self.record(now, None, None, step);
                }
            } else if let Some(effect) = self.mission.effect(number) {
                self.in_flight.insert(number);
                effects.push(effect);
            }
        }
        effects
    }

    /// From here on keeps back every effect that is owed, not under way, and held as `is_held` says; what was kept
    /// back before and is held no longer comes out again. What was announced but not yet sent is taken back, so that
    /// a crash leaves no doubt about it. Says how many are held.
    pub fn hold(&mut self, now: Timestamp, mut is_held: impl FnMut(&Effect) -> bool) -> usize {
        let owed: Vec<EffectNumber> = self.owed().collect();
        let held = owed
            .into_iter()
            .filter(|&number| self.mission.effect(number).is_some_and(|of| is_held(&of)));
        self.held = held.collect();
        let announced: Vec<EffectNumber> = self.held.iter().copied().collect();
        for effect in announced {
            if self.mission.is_announced(effect) {
                let until = now.plus(Millis(1));
                let outcome = Outcome::Deferred { until };
                // It is outstanding, and the time is later than any before: this fits.
                let _ = self.input(now, &Input::Outcome { effect, outcome });
            }
        }
        self.held.len()
    }

    /// How many effects are kept back.
    pub fn held(&self) -> usize {
        self.held.len()
    }

    /// Effects that somebody must perform and that nobody is performing.
    fn owed(&self) -> impl Iterator<Item = EffectNumber> {
        self.mission
            .outstanding()
            .map_while(|outstanding| match outstanding {
                crate::Outstanding::Perform(number) => Some(number),
                _ => None,
            })
            .filter(|number| !self.in_flight.contains(number))
    }

    fn startable(&self, now: Timestamp) -> Vec<EffectNumber> {
        self.owed()
            .filter(|number| !self.held.contains(number))
            .filter(|&number| self.mission.not_before(number).is_none_or(|at| at <= now))
            .collect()
    }

    /// Effects in flight whose outcome is no longer wanted: stop performing them.
    pub fn take_unwanted(&mut self) -> Vec<EffectNumber> {
        let mission = &self.mission;
        let (mut unwanted, ending) = (Vec::new(), &mut self.ending);
        self.in_flight.retain(|&number| {
            // A sub-mission that is to be ended is handed out again, to be ended.
            let changes = mission.ends_mission(number) && ending.insert(number);
            let wanted = mission.is_wanted(number) && !changes;
            if !wanted {
                unwanted.push(number);
            }
            wanted
        });
        unwanted
    }

    pub fn rest(&self, now: Timestamp) -> Rest {
        if self.mission.ending().is_some() {
            return Rest::Ended;
        }
        if !self.unsaved.is_empty() || !self.in_flight.is_empty() || !self.startable(now).is_empty()
        {
            return Rest::Busy;
        }
        Rest::Until(self.wake_at())
    }

    /// When to call [`Driver::proceed`] next if nothing else happens.
    pub fn wake_at(&self) -> Option<Timestamp> {
        let deferred = self
            .owed()
            .filter(|number| !self.held.contains(number))
            .filter_map(|number| self.mission.not_before(number))
            .min();
        [self.mission.wake_at(), deferred]
            .into_iter()
            .flatten()
            .min()
    }

    fn follow_up(&mut self, now: Timestamp) {
        self.follow_up_at_most(FOLLOW_UPS_MAX, now);
    }

    fn follow_up_at_most(&mut self, most: usize, now: Timestamp) {
        for _ in 0..most {
            match self.mission.decide(now, &Input::Proceed) {
                Ok(step) if !step.events.is_empty() && self.fault.is_none() => {
                    self.record(now, None, None, step)
                }
                _ => return,
            }
        }
        let further = self.mission.decide(now, &Input::Proceed);
        if self.fault.is_some() || further.is_ok_and(|step| step.events.is_empty()) {
            return;
        }
        if self.mission.is_paused() || self.mission.is_winding_down() {
            // A pause would not end it.
            self.unsaved.clear();
            self.fault = Some(CorruptJournal {
                seq: self.mission.seq(),
                why: format!("more than {most} steps follow from one input"),
            });
            return;
        }
        let reason = format!(
            "{FOLLOW_UPS_CODE}: more than {most} steps follow from one input: resume the mission to let it go on, or abort it"
        );
        let events = vec![Event::MissionPaused { reason }];
        self.record(now, None, None, Step { events });
    }

    fn record(&mut self, now: Timestamp, actor: Option<&Actor>, cause: Option<Cause>, step: Step) {
        if self.fault.is_some() {
            return;
        }
        for event in step.events {
            let recorded = Recorded {
                seq: self.mission.seq() + 1,
                at: now.max(self.mission.updated_at()),
                actor: actor.cloned(),
                cause,
                zone: zone_of(&event),
                event,
            };
            if let Err(fault) = self.mission.apply(&recorded) {
                self.unsaved.clear();
                self.fault = Some(fault);
                return;
            }
            self.unsaved.push(recorded);
        }
    }
}

/// Platform is what says only that something happened: names of tasks and agents, numbers, times, words of a closed
/// list. Whatever carries text or values of a person, a plan, a tool or a model may be personal, and is marked so; also
/// the machine's own reasons, for they quote. New events have to be put on one side.
fn zone_of(event: &Event) -> Zone {
    match event {
        Event::ExecutionStarted {}
        | Event::MissionResumed {}
        | Event::LayerPassed { .. }
        | Event::UndoBegan {}
        | Event::UndoStarted { .. }
        | Event::Undone { .. }
        | Event::SynthesisStarted {}
        | Event::TaskStarted { .. }
        | Event::TaskReleased { .. }
        | Event::AgentStarted { .. }
        | Event::ConfidenceAssessed { .. }
        | Event::TaskRequeued { .. }
        | Event::SoftCapPassed { .. }
        | Event::EffectStarted { .. }
        | Event::EffectDeferred { .. }
        | Event::EffectLost { .. }
        | Event::CheckpointWaived(_)
        | Event::CheckpointClaimed { .. }
        | Event::CheckpointReleased { .. }
        | Event::CheckpointExpired { .. }
        // Stored in the clear, so it must be readable by everybody anyway.
        | Event::ContentErased { .. } => Zone::Platform,
        Event::MissionOpened(_)
        | Event::MissionForked { .. }
        | Event::MissionPaused { .. }
        | Event::StopRequested { .. }
        | Event::UndoFailed { .. }
        | Event::MissionEnded(_)
        | Event::TaskCompleted { .. }
        | Event::TaskHeld { .. }
        | Event::AttemptFailed { .. }
        | Event::BreachRefused { .. }
        | Event::StepTaken { .. }
        | Event::TaskSkipped { .. }
        | Event::GateJudged { .. }
        | Event::TasksReturned { .. }
        | Event::ToolCallApproved { .. }
        | Event::CapReached { .. }
        | Event::PlanChanged { .. }
        | Event::Degraded { .. }
        | Event::EffectInDoubt { .. }
        | Event::EffectAbandoned { .. }
        | Event::CheckpointOpened(_)
        | Event::CheckpointGuided { .. }
        | Event::CheckpointEndorsed { .. }
        | Event::CheckpointDecided { .. }
        | Event::CheckpointWithdrawn { .. }
        | Event::Informed { .. } => Zone::Sensitive,
    }
}

#[cfg(test)]
#[path = "driver_tests.rs"]
mod tests;
