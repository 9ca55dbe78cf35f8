//! One run: the host's loop under virtual time, with a crash at any boundary. The journal is bytes; after a
//! crash everything else is gone and the mission is folded from them again.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use adjutant_mission::{
    Actor, Command, CommandId, Driver, Event, Input, Millis, Mission, Outcome, Recorded, Refused,
    Rest, Timestamp,
};

use crate::coverage::{Coverage, Saw};
use crate::laws::{self, Broken, Law};
use crate::people::People;
use crate::random::Random;
use crate::scene::{Temper, start_of};
use crate::sights;
use crate::witness::{Scene, Witness};
use crate::world::{Durable, World};

/// How many steps a mission may take to end once the world is calm.
const CALM_STEPS_MAX: u64 = 2_000;
/// How many lines of a run's story are kept.
const TRACE_MAX: usize = 40;
/// Every this many appends the whole journal is folded and compared, besides at each crash and the end.
const FOLD_EVERY: u64 = 12;

/// Where a host can die.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Boundary {
    BeforeAppend,
    AfterAppend,
    AfterSaved,
    BeforePerform,
    AfterPerform,
    BeforeOutcome,
    BeforeCommand,
    BeforeWake,
}

/// When the host dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crashes {
    /// As the seed's temper has it.
    Random,
    Never,
    /// Exactly once, at this boundary.
    At(u64),
}

/// What a run amounted to.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tally {
    pub(crate) events: u64,
    pub(crate) crashes: u64,
    pub(crate) decisions: u64,
    pub(crate) boundaries: u64,
}

enum Halt {
    Crash,
    Broken(Broken),
}

impl From<Broken> for Halt {
    fn from(broken: Broken) -> Self {
        Self::Broken(broken)
    }
}

#[derive(Debug, Clone)]
enum Pending {
    Outcome(u32, Outcome),
    /// Somebody looks at this question.
    Look(u32),
    Command(CommandId, Actor, Command),
}

pub(crate) struct Run<'a> {
    scene: Rc<Scene>,
    temper: Temper,
    crashes: Crashes,
    faults: Random,
    world: World,
    people: People,
    now: Timestamp,
    driver: Option<Driver>,
    shadow: Option<Mission>,
    witness: Witness,
    observed: usize,
    journal: Vec<Vec<u8>>,
    durable: Durable,
    appends: u64,
    queue: BTreeMap<(Timestamp, u64), Pending>,
    queued: u64,
    looked_for: BTreeSet<u32>,
    in_hand: Option<(CommandId, Actor, Command)>,
    live_passport: Option<Vec<u8>>,
    recovering: bool,
    steps: u64,
    /// The last instant at which the mission could act by itself.
    proceeded_at: Timestamp,
    calm: bool,
    pub(crate) tally: Tally,
    coverage: &'a mut Coverage,
    trace: Option<VecDeque<String>>,
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        seed: u64,
        crashes: Crashes,
        coverage: &'a mut Coverage,
    ) -> Result<Self, Broken> {
        let unmade = |error| Broken::new(Law::Simulator, format!("{error}"));
        let start = start_of(seed).map_err(unmade)?;
        let temper = match crashes {
            Crashes::Random => Temper::of(seed),
            Crashes::Never | Crashes::At(_) => Temper::of(seed).without_crashes(),
        };
        let scene = Rc::new(Scene::new(start, !temper.uses_tokens));
        Ok(Self {
            world: World::new(seed, scene.start.tools.clone()),
            people: People::new(seed).map_err(unmade)?,
            faults: Random::new(seed, 5),
            witness: Witness::new(Rc::clone(&scene)),
            scene,
            temper,
            crashes,
            now: Timestamp(1_000_000),
            driver: None,
            shadow: None,
            observed: 0,
            journal: Vec::new(),
            durable: Durable::default(),
            appends: 0,
            queue: BTreeMap::new(),
            queued: 0,
            looked_for: BTreeSet::new(),
            in_hand: None,
            live_passport: None,
            recovering: false,
            steps: 0,
            proceeded_at: Timestamp(0),
            calm: false,
            tally: Tally::default(),
            coverage,
            trace: None,
        })
    }

    /// Keeps the last lines of the story, for a run that is known to fail.
    pub(crate) fn with_trace(mut self) -> Self {
        self.trace = Some(VecDeque::new());
        self
    }

    pub(crate) fn take_trace(&mut self) -> Vec<String> {
        self.trace.take().unwrap_or_default().into()
    }

    /// Runs the mission to its end, whatever happens on the way.
    pub(crate) fn run(&mut self) -> Result<(), Broken> {
        sights::strategy(self.coverage, self.scene.plan());
        loop {
            match self.live() {
                Ok(()) => break,
                Err(Halt::Broken(broken)) => return Err(broken),
                Err(Halt::Crash) => {}
            }
        }
        let ended = self.epilogue();
        self.coverage.end_run();
        ended
    }

    fn tell(&mut self, line: impl FnOnce() -> String) {
        if let Some(trace) = &mut self.trace {
            if trace.len() == TRACE_MAX {
                trace.pop_front();
            }
            let line = format!("{:>10} ms  {}", self.now.0 - 1_000_000, line());
            trace.push_back(line);
        }
    }

    fn live(&mut self) -> Result<(), Halt> {
        if self.driver.is_none() {
            self.boot()?;
        }
        loop {
            self.settle()?;
            self.recovering = false;
            match self.driver().map(|driver| driver.rest(self.now)) {
                Some(Rest::Ended) => return Ok(()),
                Some(rest) => self.step(rest)?,
                None => return Err(Halt::Crash),
            }
        }
    }

    fn driver(&self) -> Option<&Driver> {
        self.driver.as_ref()
    }

    /// Opens the mission, or folds it from its journal.
    fn boot(&mut self) -> Result<(), Halt> {
        self.witness = Witness::new(Rc::clone(&self.scene));
        self.observed = 0;
        if self.journal.is_empty() {
            let (owner, id) = (self.people.owner().clone(), CommandId::from_bits(0));
            let opened = Driver::open(self.now, &owner, id, self.scene.start.clone());
            let driver = opened
                .map_err(|refused| Broken::new(Law::Simulator, format!("not opened: {refused}")))?;
            self.driver = Some(driver);
            self.tell(|| "the mission is opened".into());
            return self.observe();
        }
        let unfolded = |error: String| Broken::new(Law::SameBytes, error);
        let mut events = Vec::with_capacity(self.journal.len());
        for (seq, bytes) in (1..).zip(&self.journal) {
            let event = Recorded::decode(seq, bytes).map_err(|e| unfolded(e.to_string()))?;
            self.witness.fold(&event);
            events.push(event);
        }
        let mission = Mission::fold(&events).map_err(|e| unfolded(e.to_string()))?;
        if let Some(live) = self.live_passport.take() {
            let folded = mission.passport().map_err(|e| unfolded(e.to_string()))?;
            laws::holds(Law::SameBytes, folded == live, || {
                "after the crash the mission is not what it was".into()
            })?;
        }
        self.shadow = Some(mission.clone());
        self.driver = Some(Driver::resume(self.now, mission));
        self.recovering = true;
        self.tell(|| "another host takes the mission up from its journal".into());
        self.observe()?;
        self.law_3_what_was_sent_is_in_doubt()?;
        self.look_at_open_questions();
        Ok(())
    }

    /// Law 3: after a crash every announced effect without an outcome is in doubt, and none is sent.
    fn law_3_what_was_sent_is_in_doubt(&self) -> Result<(), Broken> {
        for number in self.durable.unanswered() {
            let doubted = self
                .witness
                .effects
                .get(number as usize)
                .is_some_and(|effect| effect.in_doubt);
            laws::holds(Law::OneOutcome, doubted, || {
                format!("effect {number} was sent before the crash and is not in doubt")
            })?;
        }
        Ok(())
    }

    /// Checks every event the driver has decided since the last look.
    fn observe(&mut self) -> Result<(), Halt> {
        let Some(driver) = &self.driver else {
            return Ok(());
        };
        if let Some(fault) = driver.fault() {
            return Err(Broken::new(Law::Fault, fault.to_string()).into());
        }
        let fresh = driver.unsaved().get(self.observed..).unwrap_or_default();
        if fresh.is_empty() {
            return Ok(());
        }
        let now = self.now;
        for event in fresh {
            if let Some(trace) = &mut self.trace {
                if trace.len() == TRACE_MAX {
                    trace.pop_front();
                }
                let at = now.0 - 1_000_000;
                trace.push_back(format!("{at:>10} ms  {:>4} {}", event.seq, brief(event)));
            }
            laws::before_event(&self.witness, event, &self.world)?;
            sights::event(self.coverage, &self.witness, event);
            self.witness.fold(event);
            let corrupt = |fault: adjutant_mission::CorruptJournal| {
                Broken::new(Law::Fault, fault.to_string())
            };
            let shadow = match self.shadow.take() {
                None => Mission::begin(event).map_err(corrupt)?,
                Some(mut shadow) => {
                    shadow.apply(event).map_err(corrupt)?;
                    shadow
                }
            };
            laws::after_event(&self.witness, &shadow)?;
            if self.scene.on.len() <= 6 {
                let fine = shadow.indexes_hold();
                laws::holds(Law::SameBytes, fine, || "the indexes drifted".into())?;
            }
            self.shadow = Some(shadow);
            self.tally.events += 1;
        }
        self.observed = driver.unsaved().len();
        laws::after_step(&self.witness, driver.mission())?;
        Ok(())
    }

    /// Saves, and performs what is owed, until nothing moves.
    fn settle(&mut self) -> Result<(), Halt> {
        loop {
            self.append()?;
            let unwanted = match &mut self.driver {
                Some(driver) => driver.take_unwanted(),
                None => return Err(Halt::Crash),
            };
            self.drop_unwanted(&unwanted);
            let now = self.now;
            let effects = match &mut self.driver {
                Some(driver) => driver.take_effects(now),
                None => return Err(Halt::Crash),
            };
            self.observe()?;
            for effect in &effects {
                self.boundary(Boundary::BeforePerform)?;
                self.tell(|| {
                    format!(
                        "     performing effect {} of `{}`",
                        effect.id.number, effect.task
                    )
                });
                let reports =
                    self.world
                        .perform(now, effect, &self.durable, &self.temper, self.coverage)?;
                for (at, outcome) in reports {
                    self.push(at, Pending::Outcome(effect.id.number, outcome));
                }
                self.boundary(Boundary::AfterPerform)?;
            }
            let idle = self
                .driver()
                .is_none_or(|driver| driver.unsaved().is_empty());
            if effects.is_empty() && idle {
                return Ok(());
            }
        }
    }

    fn drop_unwanted(&mut self, unwanted: &[u32]) {
        if unwanted.is_empty() {
            return;
        }
        self.coverage.saw(Saw::OutcomeUnwanted);
        let faults = &mut self.faults;
        self.queue.retain(|_, pending| match pending {
            Pending::Outcome(effect, _) if unwanted.contains(effect) => faults.percent(50),
            _ => true,
        });
    }

    /// Makes the unsaved events durable, all or none.
    fn append(&mut self) -> Result<(), Halt> {
        let Some(driver) = &self.driver else {
            return Err(Halt::Crash);
        };
        if driver.unsaved().is_empty() {
            return Ok(());
        }
        let mut batch = Vec::new();
        for event in driver.unsaved() {
            let bytes = event.encode();
            batch.push(bytes.map_err(|e| Broken::new(Law::Simulator, e.to_string()))?);
        }
        let fails = !self.calm && self.faults.per_mille(self.temper.append_fails_per_mille);
        if fails {
            self.tell(|| "     the append fails; the host reloads".into());
            self.coverage.saw(Saw::AppendFailed);
            return Err(self.reload());
        }
        self.boundary(Boundary::BeforeAppend)?;
        self.journal.extend(batch);
        self.notify();
        self.boundary(Boundary::AfterAppend)?;
        if let Some(driver) = &mut self.driver {
            driver.saved();
        }
        self.observed = 0;
        self.in_hand = None;
        self.appends += 1;
        if self.appends.is_multiple_of(FOLD_EVERY)
            && let Some(driver) = &self.driver
        {
            laws::law_9_the_fold_is_the_same(&self.journal, driver.mission())?;
        }
        self.boundary(Boundary::AfterSaved)
    }

    /// Takes note of what became durable, and lets people see new questions.
    fn notify(&mut self) {
        let Some(driver) = &self.driver else { return };
        let mut opened = Vec::new();
        for event in driver.unsaved() {
            self.durable.note(event);
            if let Event::CheckpointOpened(checkpoint) = &event.event {
                opened.push(checkpoint.number);
            }
        }
        for number in opened {
            self.look_for(number);
        }
    }

    fn look_for(&mut self, number: u32) {
        if self.looked_for.insert(number)
            && let Some(after) = self.people.reaction(&self.temper)
        {
            self.push(self.now.plus(after), Pending::Look(number));
        }
    }

    fn look_at_open_questions(&mut self) {
        let open: Vec<u32> = self
            .witness
            .open()
            .map(|seen| seen.checkpoint.number)
            .collect();
        for number in open {
            self.look_for(number);
        }
    }

    fn push(&mut self, at: Timestamp, pending: Pending) {
        self.queued += 1;
        self.queue.insert((at, self.queued), pending);
    }

    /// A place where the host may die.
    fn boundary(&mut self, boundary: Boundary) -> Result<(), Halt> {
        let here = self.tally.boundaries;
        self.tally.boundaries += 1;
        let dies = match self.crashes {
            Crashes::Never => false,
            Crashes::At(at) => at == here,
            Crashes::Random => !self.calm && self.faults.per_mille(self.temper.crash_per_mille),
        };
        if !dies {
            return Ok(());
        }
        self.tell(|| format!("     the host dies: {boundary:?} (boundary {here})"));
        sights::crash(self.coverage, boundary);
        if self.journal.is_empty() {
            self.coverage.saw(Saw::CrashBeforeFirstEvent);
        }
        if self.recovering {
            self.coverage.saw(Saw::CrashDuringRecovery);
        }
        self.tally.crashes += 1;
        self.forget_outcomes();
        Err(self.reload())
    }

    /// What was being performed dies with the host; now and then its report arrives all the same.
    fn forget_outcomes(&mut self) {
        let (faults, mut late) = (&mut self.faults, false);
        self.queue.retain(|_, pending| {
            let keeps = !matches!(pending, Pending::Outcome(..)) || faults.percent(12);
            late |= keeps && matches!(pending, Pending::Outcome(..));
            keeps
        });
        if late {
            self.coverage.saw(Saw::OutcomeAfterCrash);
        }
    }

    /// Drops everything in memory. Whoever sent a command that was not confirmed sends it again.
    fn reload(&mut self) -> Halt {
        let whole = |driver: &Driver| driver.mission().seq() == self.journal.len() as u64;
        self.live_passport = self
            .driver
            .take()
            .filter(whole)
            .and_then(|driver| driver.mission().passport().ok());
        self.shadow = None;
        self.observed = 0;
        let away = match self.faults.below(100) {
            0..70 => 2_000,
            70..95 => 300_000,
            _ => 5_000_000,
        };
        self.now = self.now.plus(Millis(self.faults.below(away)));
        if self.crashes == Crashes::Random && self.faults.percent(8) {
            self.coverage.saw(Saw::ClockSteppedBack);
            self.now = Timestamp(self.now.0 - self.faults.below(20_000) as i64);
        }
        if let Some((id, by, command)) = self.in_hand.take() {
            self.coverage.saw(Saw::CommandResentAfterCrash);
            self.push(
                self.now.plus(Millis(500)),
                Pending::Command(id, by, command),
            );
        }
        Halt::Crash
    }

    /// Lets the next thing happen.
    fn step(&mut self, rest: Rest) -> Result<(), Halt> {
        self.steps += 1;
        self.liveness(rest)?;
        if !self.calm && self.steps > self.temper.calm_after_steps {
            self.become_calm();
        }
        if !self.calm
            && self.people.percent(self.temper.meddling_percent)
            && let Some(driver) = &self.driver
        {
            let (by, command) = self.people.meddle(self.now, driver.mission());
            let id = self.people.command_id();
            return self.command(id, by, command);
        }
        let wake = self
            .driver()
            .and_then(Driver::wake_at)
            .map(|at| self.late(at));
        let next = self.queue.first_key_value().map(|(key, _)| *key);
        match (next, wake) {
            (Some((at, _)), wake) if wake.is_none_or(|wake| at <= wake) => {
                self.now = self.now.max(at);
                match self.queue.pop_first() {
                    Some((_, pending)) => self.deliver(pending),
                    None => Ok(()),
                }
            }
            (_, Some(wake)) => {
                self.now = self.now.max(wake);
                self.boundary(Boundary::BeforeWake)?;
                self.tell(|| "     time passes".into());
                if let Some(driver) = &mut self.driver {
                    driver.proceed(self.now);
                    self.proceeded_at = self.now;
                }
                self.observe()
            }
            _ if self.witness.paused => {
                let (id, by) = (self.people.command_id(), self.people.owner().clone());
                self.command(id, by, Command::Resume)
            }
            _ => Err(Broken::new(
                Law::Liveness,
                format!(
                    "nothing will ever happen again: {rest:?}, {:?}",
                    self.witness.stage
                ),
            )
            .into()),
        }
    }

    /// Timers fire late now and then.
    fn late(&mut self, at: Timestamp) -> Timestamp {
        if self.calm || !self.faults.percent(self.temper.slow_percent / 2) {
            return at;
        }
        self.coverage.saw(Saw::WokenLate);
        at.plus(Millis(self.faults.below(600_000)))
    }

    fn liveness(&self, rest: Rest) -> Result<(), Broken> {
        let limit = self.temper.calm_after_steps + CALM_STEPS_MAX;
        laws::holds(Law::Liveness, self.steps <= limit, || {
            format!(
                "still not ended after {limit} steps: {:?}",
                self.witness.stage
            )
        })?;
        let wake = self.driver().and_then(Driver::wake_at);
        let spins = wake.is_some_and(|at| at <= self.now) && self.proceeded_at == self.now;
        laws::holds(Law::Liveness, !spins, || {
            format!("the mission wants to be woken in the past, again and again: {rest:?}")
        })?;
        let stuck = rest == Rest::Until(None) && !self.witness.paused;
        laws::holds(Law::Liveness, !stuck, || {
            format!("deadlock: {:?} with nothing open", self.witness.stage)
        })
    }

    /// The faults cease, everyone answers.
    fn become_calm(&mut self) {
        self.tell(|| "     the world becomes calm".into());
        self.calm = true;
        self.world.calm = true;
        self.people.calm = true;
        self.looked_for.clear();
        self.look_at_open_questions();
        if self.witness.paused {
            let (id, by) = (self.people.command_id(), self.people.owner().clone());
            self.push(self.now, Pending::Command(id, by, Command::Resume));
        }
    }

    fn deliver(&mut self, pending: Pending) -> Result<(), Halt> {
        match pending {
            Pending::Outcome(effect, outcome) => {
                self.boundary(Boundary::BeforeOutcome)?;
                self.tell(|| format!("     effect {effect} reports {outcome:?}"));
                self.world.told(effect, &outcome);
                let _ = self.input(&Input::Outcome { effect, outcome })?;
                self.observe()
            }
            Pending::Look(number) => self.answer(number),
            Pending::Command(id, by, command) => self.command(id, by, command),
        }
    }

    fn answer(&mut self, number: u32) -> Result<(), Halt> {
        let Some(mission) = self.driver.as_ref().map(Driver::mission) else {
            return Ok(());
        };
        let Some(state) = mission.checkpoints().get(number as usize) else {
            return Ok(());
        };
        if state.closed.is_some() && !self.people.percent(20) {
            return Ok(());
        }
        let (by, mut command) = self.people.answer(state, &self.temper);
        self.people.send_back(mission, &mut command);
        let id = self.people.command_id();
        self.command(id, by, command)?;
        let still_open = self
            .witness
            .checkpoints
            .get(number as usize)
            .is_some_and(|seen| seen.open);
        if still_open && self.people.insists() {
            let after = self.people.reaction(&self.temper);
            self.push(
                self.now.plus(after.unwrap_or(Millis(60_000))),
                Pending::Look(number),
            );
        }
        Ok(())
    }

    fn command(&mut self, id: CommandId, by: Actor, command: Command) -> Result<(), Halt> {
        self.in_hand = Some((id, by.clone(), command.clone()));
        self.boundary(Boundary::BeforeCommand)?;
        self.tell(|| format!("     {by} says {command:?}"));
        self.tally.decisions += 1;
        let repeated = self.witness.commands.contains(&id);
        let input = Input::Command {
            id,
            by: by.clone(),
            command: command.clone(),
        };
        let refused = self.input(&input)?;
        let fine = !repeated || refused == Some(Refused::CommandRepeated);
        laws::holds(Law::CommandsOnce, fine, || {
            format!("command {id} was done before, and now: {refused:?}")
        })?;
        match refused {
            Some(refused) => {
                self.tell(|| format!("     refused: {refused}"));
                sights::refusal(self.coverage, &refused, &by, &command);
                self.in_hand = None;
            }
            None => {
                sights::command(self.coverage, &command);
                self.send_again(id, by, command);
            }
        }
        self.observe()
    }

    /// Clients repeat themselves, and confused ones use an id for something else.
    fn send_again(&mut self, id: CommandId, by: Actor, command: Command) {
        if self.calm || !self.people.percent(self.temper.repeat_percent / 2) {
            return;
        }
        let at = self.now.plus(Millis(self.faults.below(5_000)));
        let command = if self.faults.percent(50) {
            command
        } else {
            self.coverage.saw(Saw::RefusedOtherCommandUnderSameId);
            Command::Pause {
                reason: "the same id for something else".into(),
            }
        };
        self.push(at, Pending::Command(id, by, command));
    }

    /// Gives an input to the driver. Law 8: if it is refused, nothing has changed.
    fn input(&mut self, input: &Input) -> Result<Option<Refused>, Halt> {
        let now = self.now;
        let Some(driver) = &mut self.driver else {
            return Err(Halt::Crash);
        };
        let looks = self.faults.percent(25);
        let passport = |driver: &Driver| driver.mission().passport().ok().filter(|_| looks);
        let (seq, before) = (driver.mission().seq(), passport(driver));
        let unsaved = driver.unsaved().len();
        let refused = driver.input(now, input).err();
        if refused.is_none() {
            self.proceeded_at = now;
        }
        if let Some(Refused::MachineFault { why }) = &refused {
            return Err(Broken::new(Law::Fault, why.clone()).into());
        }
        if let Some(refused) = &refused {
            let same = driver.mission().seq() == seq
                && driver.unsaved().len() == unsaved
                && passport(driver) == before;
            laws::holds(Law::CommandsOnce, same, || {
                format!("{input:?} was refused ({refused}) and changed something")
            })?;
            if matches!(input, Input::Outcome { .. }) {
                self.coverage.saw(Saw::RefusedOutcome);
            }
        }
        Ok(refused)
    }

    /// The mission has ended: nothing is taken any more, and its journal stands every test.
    fn epilogue(&mut self) -> Result<(), Broken> {
        let fault = |halt| match halt {
            Halt::Broken(broken) => broken,
            Halt::Crash => Broken::new(Law::Simulator, "a crash after the end"),
        };
        let late: Vec<Pending> = std::mem::take(&mut self.queue)
            .into_values()
            .take(4)
            .collect();
        for pending in late {
            let input = match pending {
                Pending::Outcome(effect, outcome) => Input::Outcome { effect, outcome },
                Pending::Command(id, by, command) => Input::Command { id, by, command },
                Pending::Look(checkpoint) => Input::Command {
                    id: self.people.command_id(),
                    by: self.people.owner().clone(),
                    command: Command::Claim { checkpoint },
                },
            };
            let refused = self.input(&input).map_err(fault)?;
            laws::holds(Law::CommandsOnce, refused.is_some(), || {
                format!("the mission had ended and took {input:?}")
            })?;
            if matches!(refused, Some(Refused::MissionEnded { .. })) {
                self.coverage.saw(Saw::RefusedEnded);
            }
        }
        if let Some(driver) = &self.driver {
            laws::law_9_the_fold_is_the_same(&self.journal, driver.mission())?;
        }
        laws::law_7_damage_is_reported(&self.journal, &mut self.faults)
    }
}

fn brief(event: &Recorded) -> String {
    let mut text = match &event.event {
        Event::MissionOpened(opened) => format!("MissionOpened with {:?}", opened.plan),
        other => format!("{other:?}"),
    };
    if let Some(cause) = &event.cause {
        text.push_str(&format!(" because of {cause:?}"));
    }
    text
}
