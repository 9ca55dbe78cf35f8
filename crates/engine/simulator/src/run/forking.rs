//! A mission that has ended is forked at one of its events, and the fork goes through the same faults. It is judged
//! by the same laws, from its first event of its own on.

use adjutant_mission::{
    Actor, Command, CommandId, Driver, Event, Fork, ForkChange, ForkRefused, Mission, MissionId,
    ModelId, Recorded, Timestamp, ToolTable, WorkSpec, fork_point,
};

use super::Run;
use super::telling::Telling;
use crate::accounts::Accounts;
use crate::coverage::CoverageItem;
use crate::laws::{self, Broken, Law};
use crate::random::Random;
use crate::reference_model::ReferenceModel;
use crate::scene::accounts_of;
use crate::world::{Durable, World};

/// How many of a hundred missions are forked once they have ended; a fork may be forked too.
const FORKED_PERCENT: u64 = 30;
const FORKS_MAX: u64 = 3;

/// What a fork is made of. It outlives the host: whoever forks asks again until it is done.
#[derive(Debug)]
pub(super) struct Origin {
    fork: Fork,
    /// The inherited events as they stand in the origin's journal.
    journal: Vec<Vec<u8>>,
    by: Actor,
    command: CommandId,
}

impl Origin {
    pub(super) fn has(&self, event: &Recorded) -> bool {
        event.seq <= self.journal.len() as u64
    }

    pub(super) fn fork(&self, now: Timestamp) -> Result<Driver, Broken> {
        let forked = Driver::fork(now, &self.by, self.command, self.fork.clone());
        forked.map_err(|refused| Broken::new(Law::Simulator, format!("not forked: {refused}")))
    }
}

impl Run<'_> {
    /// Now and then the mission that has ended becomes the origin of one that is just to begin.
    pub(super) fn becomes_a_fork(&mut self) -> Result<bool, Broken> {
        let mut random = Random::new(self.seed, 23 + 2 * self.forks);
        if self.forks == FORKS_MAX || !random.percent(FORKED_PERCENT) {
            return Ok(false);
        }
        let Some(origin) = self.origin_of_a_fork(&mut random)? else {
            return Ok(false);
        };
        if self.origin.is_some() {
            self.coverage.mark(CoverageItem::ForkForked);
        }
        let inherited = origin.journal.len();
        self.tell(|| format!("the mission is forked after its event {inherited}"));
        for change in &origin.fork.changes {
            self.coverage.mark(match change {
                ForkChange::Model { .. } => CoverageItem::ForkedWithAnotherModel,
                _ => CoverageItem::ForkedWithAnAnswer,
            });
        }
        let mut tools = self.scene.start.tools.clone();
        for change in &origin.fork.changes {
            if let ForkChange::Model { tools: known, .. } = change {
                tools.extend(known.iter().map(|(id, facts)| (id.clone(), *facts)));
            }
        }
        self.world = World::new(random.next(), tools);
        self.people.calm = false;
        self.accounts = Accounts::new(accounts_of(self.seed));
        self.model = ReferenceModel::new(std::rc::Rc::clone(&self.scene));
        self.origin = Some(origin);
        self.forks += 1;
        (self.driver, self.shadow, self.live_passport) = (None, None, None);
        (self.journal, self.durable) = (Vec::new(), Durable::default());
        (self.observed, self.appends, self.steps) = (0, 0, 0);
        self.alarm = None;
        self.telling = Telling::new(random.next(), self.now);
        self.queue.clear();
        self.looked_for.clear();
        self.in_hand = None;
        (self.recovering, self.calm) = (false, false);
        self.proceeded_at = Timestamp(0);
        Ok(true)
    }

    /// Somewhere in the journal where it can be forked, with or without something changed.
    fn origin_of_a_fork(&mut self, random: &mut Random) -> Result<Option<Origin>, Broken> {
        let unread = |error: String| Broken::new(Law::SameBytes, error);
        let mut events = Vec::with_capacity(self.journal.len());
        for (seq, bytes) in (1..).zip(&self.journal) {
            events.push(Recorded::decode(seq, bytes).map_err(|e| unread(e.to_string()))?);
        }
        let at = random.between(1, events.len() as u64);
        let mission = match fork_point(&events, at) {
            Err(ForkRefused::InsideStep { until, .. }) => fork_point(&events, until),
            point => point,
        };
        let mission = match mission {
            Ok(mission) => mission,
            Err(ForkRefused::Ended { .. }) => return Ok(None),
            Err(refused) => {
                let what = format!("no fork at event {at}: {refused}");
                return Err(Broken::new(Law::Forks, what));
            }
        };
        let at = mission.seq() as usize;
        events.truncate(at);
        let mut origin = Origin {
            fork: Fork {
                mission: MissionId::from_bits(mission.id().bits() + (1 << 100)),
                of: mission.id(),
                inherited: events,
                changes: Vec::new(),
            },
            journal: self.journal.iter().take(at).cloned().collect(),
            by: self.people.owner().clone(),
            command: CommandId::from_bits(u128::from(self.forks + 1) << 100),
        };
        let (by, changes) = self.changes(&mission, random)?;
        let plain = origin.by.clone();
        (origin.by, origin.fork.changes) = (by, changes);
        if origin.fork(self.now).is_err() {
            // What was to be changed does not fit; then nothing is.
            (origin.by, origin.fork.changes) = (plain, Vec::new());
        }
        Ok(Some(origin))
    }

    fn changes(
        &mut self,
        mission: &Mission,
        random: &mut Random,
    ) -> Result<(Actor, Vec<ForkChange>), Broken> {
        let owner = self.people.owner().clone();
        let open: Vec<_> = mission.open_checkpoints().collect();
        if let Some(state) = random.pick(&open)
            && random.percent(60)
        {
            let (by, command) = self.people.answer(state, &self.temper);
            if let Command::Decide {
                checkpoint,
                decision,
            } = command
            {
                let change = ForkChange::Decision {
                    checkpoint,
                    decision,
                };
                return Ok((by, vec![change]));
            }
        }
        if !random.percent(30) {
            return Ok((owner, Vec::new()));
        }
        let model = ModelId::new("acme/other");
        let model = model.map_err(|error| Broken::new(Law::Simulator, error.to_string()))?;
        let mut tools = ToolTable::new();
        for task in &mission.plan().tasks {
            let WorkSpec::Agent(agent) = &task.work else {
                continue;
            };
            // Whoever changes the model may forget that others may take the task over.
            let mut askers = vec![agent.as_ref().clone()];
            if random.percent(70) {
                askers.extend(mission.plan().above(task));
            }
            for mut other in askers {
                let facts = self.scene.start.tools.get(&other.route()).copied();
                other.model = Some(model.clone());
                tools.extend(facts.map(|facts| (other.route(), facts)));
            }
        }
        Ok((owner, vec![ForkChange::Model { model, tools }]))
    }

    /// All that a fork inherits becomes durable with its first event of its own, as it stands in the origin's
    /// journal; but the opening says whose it is.
    pub(super) fn law_a_fork_is_whole(&self, batch: &[Vec<u8>]) -> Result<(), Broken> {
        let Some(origin) = self.origin.as_ref().filter(|_| self.journal.is_empty()) else {
            return Ok(());
        };
        let inherited = origin.journal.iter().skip(1);
        let same = batch.len() > origin.journal.len()
            && inherited.zip(batch.iter().skip(1)).all(|(a, b)| a == b);
        laws::holds(Law::Forks, same, || {
            format!(
                "{} inherited events are not saved as they are",
                origin.journal.len()
            )
        })?;
        let first = self
            .driver
            .as_ref()
            .and_then(|driver| driver.news().first());
        let forked = first.is_some_and(|event| matches!(event.event, Event::MissionForked { .. }));
        laws::holds(Law::Forks, forked, || {
            "the first event of a fork's own is not that it was forked".into()
        })
    }
}
