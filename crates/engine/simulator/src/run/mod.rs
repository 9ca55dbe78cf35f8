//! One run: the host's loop under virtual time, with a crash at any boundary. The journal is bytes; after a
//! crash everything else is gone and the mission is folded from them again.

mod forking;
mod host;
mod inputs;
mod leases;
mod stops;
mod telling;
mod triggers;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use adjutant_mission::{
    Actor, CheckpointNumber, Command, CommandId, Driver, EffectNumber, Event, Millis, Mission,
    Outcome, Recorded, Rest, Timestamp,
};

use crate::accounts::Accounts;
use crate::coverage::{Coverage, CoverageItem};
use crate::coverage_map;
use crate::laws::{self, Broken, Law};
use crate::people::People;
use crate::random::Random;
use crate::reference_model::{ReferenceModel, Scene};
use crate::scene::{Temper, accounts_of, start_of};
use crate::world::{Durable, World};
use forking::Origin;
use leases::Leases;
use stops::Switches;
use telling::Telling;
use triggers::Alarm;

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
    BeforeTriggerKept,
    AfterTriggerKept,
    BeforeNoticeKept,
    AfterNoticeKept,
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
    Outcome(EffectNumber, Outcome),
    /// Somebody looks at this question.
    Look(CheckpointNumber),
    Command(CommandId, Actor, Command),
}

pub(crate) struct Run<'a> {
    seed: u64,
    scene: Rc<Scene>,
    /// What this mission was forked from, if it was.
    origin: Option<Origin>,
    forks: u64,
    temper: Temper,
    crashes: Crashes,
    faults: Random,
    world: World,
    people: People,
    now: Timestamp,
    driver: Option<Driver>,
    shadow: Option<Mission>,
    model: ReferenceModel,
    observed: usize,
    journal: Vec<Vec<u8>>,
    accounts: Accounts,
    switches: Switches,
    /// A trigger that informs the mission.
    alarm: Option<Alarm>,
    /// Somebody who is told of questions and of the end.
    telling: Telling,
    durable: Durable,
    leases: Leases,
    appends: u64,
    queue: BTreeMap<(Timestamp, u64), Pending>,
    queued: u64,
    looked_for: BTreeSet<CheckpointNumber>,
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
        let scene = Rc::new(Scene::new(start));
        let people = People::new(seed).map_err(unmade)?;
        let now = Timestamp(1_000_000);
        Ok(Self {
            world: World::new(seed, scene.start.tools.clone()),
            alarm: Alarm::of(seed, scene.start.mission, &people, now)?,
            telling: Telling::new(seed, now),
            people,
            faults: Random::new(seed, 5),
            model: ReferenceModel::new(Rc::clone(&scene)),
            switches: Switches::new(seed, &scene.start.tools),
            seed,
            scene,
            origin: None,
            forks: 0,
            temper,
            crashes,
            now,
            driver: None,
            shadow: None,
            observed: 0,
            journal: Vec::new(),
            accounts: Accounts::new(accounts_of(seed)),
            durable: Durable::default(),
            leases: Leases::new(seed),
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

    /// Runs the mission to its end, whatever happens on the way; and then, for some seeds, a fork of it.
    pub(crate) fn run(&mut self) -> Result<(), Broken> {
        coverage_map::strategy(self.coverage, self.scene.plan());
        let ended = self.live_and_fork();
        self.coverage.end_run();
        ended
    }

    fn live_and_fork(&mut self) -> Result<(), Broken> {
        self.live_to_the_end()?;
        while self.becomes_a_fork()? {
            self.live_to_the_end()?;
        }
        Ok(())
    }

    fn live_to_the_end(&mut self) -> Result<(), Broken> {
        loop {
            match self.live() {
                Ok(()) => return self.epilogue(),
                Err(Halt::Broken(broken)) => return Err(broken),
                Err(Halt::Crash) => {}
            }
        }
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
                Some(Rest::Ended) => {
                    self.ring_out()?;
                    return self.tell_out();
                }
                Some(rest) => self.step(rest)?,
                None => return Err(Halt::Crash),
            }
        }
    }

    fn driver(&self) -> Option<&Driver> {
        self.driver.as_ref()
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
            // What a fork inherited was judged when it happened.
            let inherited = self.origin.as_ref().is_some_and(|origin| origin.has(event));
            if !inherited {
                laws::before_event(&self.model, event, &self.world)?;
                coverage_map::event(self.coverage, &self.model, event);
                self.tally.events += 1;
            }
            self.model.fold(event);
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
            if !inherited {
                laws::after_event(&self.model, &shadow)?;
            }
            if self.scene.on.len() <= 6 {
                let fine = shadow.indexes_hold();
                laws::holds(Law::SameBytes, fine, || "the indexes drifted".into())?;
            }
            self.shadow = Some(shadow);
        }
        self.observed = driver.unsaved().len();
        laws::after_step(&self.model, driver.mission())?;
        Ok(())
    }

    fn push(&mut self, at: Timestamp, pending: Pending) {
        self.queued += 1;
        self.queue.insert((at, self.queued), pending);
    }

    /// Lets the next thing happen.
    fn step(&mut self, rest: Rest) -> Result<(), Halt> {
        self.steps += 1;
        self.liveness(rest)?;
        self.law_no_notice_is_lost()?;
        if !self.calm && self.steps > self.temper.calm_after_steps {
            self.become_calm();
            // What was stopped goes on: nothing else may be left to happen.
            return self.heed_stops();
        }
        if !self.calm && self.throws_a_switch() {
            return self.heed_stops();
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
        let soonest = next.map(|(at, _)| at).into_iter().chain(wake).min();
        let is_next = |at: &Timestamp| soonest.is_some_and(|soonest| *at <= soonest);
        if let Some(at) = self.alarm_at()?.filter(is_next) {
            self.now = self.now.max(at);
            self.fire()?;
            return Ok(self.law_the_trigger_adds_up()?);
        }
        if let Some(at) = self.tells_at().filter(is_next) {
            self.now = self.now.max(at);
            return self.tell_people();
        }
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
            _ if self.switches.any() => {
                self.tell(|| "     everything is allowed again".into());
                self.switches.allow_all();
                Ok(())
            }
            _ if self.model.paused => {
                let (id, by) = (self.people.command_id(), self.people.owner().clone());
                self.command(id, by, Command::Resume)
            }
            _ => Err(Broken::new(
                Law::Liveness,
                format!(
                    "nothing will ever happen again: {rest:?}, {:?}",
                    self.model.stage
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
        self.coverage.mark(CoverageItem::WokenLate);
        at.plus(Millis(self.faults.below(600_000)))
    }

    fn liveness(&self, rest: Rest) -> Result<(), Broken> {
        let limit = self.temper.calm_after_steps + CALM_STEPS_MAX;
        laws::holds(Law::Liveness, self.steps <= limit, || {
            format!(
                "still not ended after {limit} steps: {:?}",
                self.model.stage
            )
        })?;
        let wake = self.driver().and_then(Driver::wake_at);
        let spins = wake.is_some_and(|at| at <= self.now) && self.proceeded_at == self.now;
        laws::holds(Law::Liveness, !spins, || {
            format!("the mission wants to be woken in the past, again and again: {rest:?}")
        })?;
        let stuck = rest == Rest::Until(None) && !self.model.paused && !self.switches.any();
        laws::holds(Law::Liveness, !stuck, || {
            format!("deadlock: {:?} with nothing open", self.model.stage)
        })
    }

    /// The faults cease, everyone answers.
    fn become_calm(&mut self) {
        self.tell(|| "     the world becomes calm".into());
        self.calm = true;
        self.world.calm = true;
        self.people.calm = true;
        self.switches.allow_all();
        self.looked_for.clear();
        self.look_at_open_questions();
        if self.model.paused {
            let (id, by) = (self.people.command_id(), self.people.owner().clone());
            self.push(self.now, Pending::Command(id, by, Command::Resume));
        }
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
