//! What comes in from outside during a run: outcomes, answers and commands, wanted or not.

use adjutant_mission::{
    Actor, CheckpointNumber, Command, CommandId, Driver, Input, Millis, Refused,
};

use super::{Boundary, Halt, Pending, Run};
use crate::coverage::CoverageItem;
use crate::coverage_map;
use crate::laws::{self, Broken, Law};

impl Run<'_> {
    pub(super) fn deliver(&mut self, pending: Pending) -> Result<(), Halt> {
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

    fn answer(&mut self, number: CheckpointNumber) -> Result<(), Halt> {
        let Some(mission) = self.driver.as_ref().map(Driver::mission) else {
            return Ok(());
        };
        let Some(state) = mission.checkpoints().get(number.index()) else {
            return Ok(());
        };
        if state.closed.is_some() && !self.people.percent(20) {
            return Ok(());
        }
        let (by, mut command) = self.people.answer(state, &self.temper);
        self.people.send_back(mission, &mut command);
        self.people.rethink(mission, &mut command);
        let id = self.people.command_id();
        self.command(id, by, command)?;
        let still_open = self
            .model
            .checkpoints
            .get(number.index())
            .is_some_and(|seen| seen.open);
        if still_open && self.people.insists() {
            let after = self.people.reaction(&self.temper, None);
            self.push(
                self.now.plus(after.unwrap_or(Millis(60_000))),
                Pending::Look(number),
            );
        }
        Ok(())
    }

    pub(super) fn command(
        &mut self,
        id: CommandId,
        by: Actor,
        command: Command,
    ) -> Result<(), Halt> {
        self.in_hand = Some((id, by.clone(), command.clone()));
        self.boundary(Boundary::BeforeCommand)?;
        self.tell(|| format!("     {by} says {command:?}"));
        self.tally.decisions += 1;
        let repeated = self.model.commands.contains(&id);
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
                coverage_map::refusal(self.coverage, &refused, &by);
                self.in_hand = None;
            }
            None => {
                coverage_map::command(self.coverage, &command);
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
            self.coverage
                .mark(CoverageItem::RefusedOtherCommandUnderSameId);
            Command::Pause {
                reason: "the same id for something else".into(),
            }
        };
        self.push(at, Pending::Command(id, by, command));
    }

    /// Gives an input to the driver. Law 8: if it is refused, nothing has changed.
    pub(super) fn input(&mut self, input: &Input) -> Result<Option<Refused>, Halt> {
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
                self.coverage.mark(CoverageItem::RefusedOutcome);
            }
        }
        Ok(refused)
    }

    /// The mission has ended: nothing is taken any more, and its journal stands every test.
    pub(super) fn epilogue(&mut self) -> Result<(), Broken> {
        let fault = |halt| match halt {
            Halt::Broken(broken) => broken,
            Halt::Crash => Broken::new(Law::Simulator, "a crash after the end"),
        };
        self.formers_move_on(None)?;
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
                self.coverage.mark(CoverageItem::RefusedEnded);
            }
        }
        if let Some(driver) = &self.driver {
            laws::law_9_the_fold_is_the_same(&self.journal, driver.mission())?;
        }
        laws::law_7_damage_is_reported(&self.journal, &mut self.faults)
    }
}
