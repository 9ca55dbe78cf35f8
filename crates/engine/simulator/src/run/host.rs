//! The host's half of a run: taking a mission up, saving, performing, and dying on the way.

use std::rc::Rc;

use adjutant_mission::{
    AccountRefusal, CapKind, CheckpointNumber, CommandId, Driver, EffectClass, EffectNumber, Event,
    FormerHost, Millis, Mission, Recorded, Timestamp,
};

use super::{Boundary, Crashes, FOLD_EVERY, Halt, Pending, Run};
use crate::coverage::CoverageItem;
use crate::coverage_map;
use crate::laws::{self, Broken, Law};
use crate::reference_model::{ReferenceModel, Stage};

impl Run<'_> {
    /// Opens the mission, or folds it from its journal.
    pub(super) fn boot(&mut self) -> Result<(), Halt> {
        self.observed = 0;
        let Some(mission) = self.fold_journal()? else {
            self.take_lease(FormerHost::Returned);
            self.driver = Some(self.begin()?);
            self.tell(|| "the mission is opened".into());
            return self.observe();
        };
        if let Some(live) = self.live_passport.take() {
            let unfolded = |error: String| Broken::new(Law::SameBytes, error);
            let folded = mission.passport().map_err(|e| unfolded(e.to_string()))?;
            laws::holds(Law::SameBytes, folded == live, || {
                "after the crash the mission is not what it was".into()
            })?;
        }
        self.telling.look(mission.id(), &self.model, self.now)?;
        self.shadow = Some(mission.clone());
        self.driver = Some(Driver::resume(self.now, mission));
        self.recovering = true;
        self.take_lease(FormerHost::MayAct);
        self.tell(|| "another host takes the mission up from its journal".into());
        self.observe()?;
        self.law_3_what_was_sent_is_in_doubt()?;
        self.look_at_open_questions();
        Ok(())
    }

    /// Opens the mission, or forks it from another.
    fn begin(&self) -> Result<Driver, Broken> {
        if let Some(origin) = &self.origin {
            return origin.fork(self.now);
        }
        let (owner, id) = (self.people.owner().clone(), CommandId::from_bits(0));
        let opened = Driver::open(self.now, &owner, id, self.scene.start.clone());
        opened.map_err(|refused| Broken::new(Law::Simulator, format!("not opened: {refused}")))
    }

    /// Law 3: after a crash every announced effect without an outcome is in doubt, and none is sent. One that was to
    /// undo something is closed as not undone, and a question to a model as lost.
    fn law_3_what_was_sent_is_in_doubt(&self) -> Result<(), Broken> {
        let undoing = self.model.undo;
        for number in self.durable.unanswered() {
            let doubted = self
                .model
                .effects
                .get(number.index())
                .is_some_and(|effect| {
                    effect.in_doubt || (effect.closed && (undoing || effect.asks))
                });
            laws::holds(Law::OneOutcome, doubted, || {
                format!("effect {number} was sent before the crash and is not in doubt")
            })?;
        }
        Ok(())
    }

    /// Saves, and performs what is owed, until nothing moves.
    pub(super) fn settle(&mut self) -> Result<(), Halt> {
        loop {
            self.law_1_nothing_is_handed_out_unsaved()?;
            self.append()?;
            self.heed_stops()?;
            if self
                .driver()
                .is_some_and(|driver| !driver.unsaved().is_empty())
            {
                continue;
            }
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
                self.with_lease(effect)?;
                let now = self.now;
                self.law_nothing_stopped_is_begun(effect)?;
                self.world.laws_of_thought(effect, &self.model)?;
                self.tell(|| {
                    format!(
                        "     performing effect {} of `{}`",
                        effect.id.number, effect.task
                    )
                });
                // These are rare, and their failures are to be seen too.
                let chosen_once = effect.thought.is_some() && effect.class == EffectClass::Once;
                let temper = match self.model.stage {
                    Stage::Undoing => self.temper.more_failures(),
                    _ if chosen_once => self.temper.more_failures(),
                    _ => self.temper,
                };
                let reports =
                    self.world
                        .perform(now, effect, &self.durable, &temper, self.coverage)?;
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

    /// Law 1: even a host that asks too early is given nothing that is not durable.
    fn law_1_nothing_is_handed_out_unsaved(&mut self) -> Result<(), Broken> {
        let now = self.now;
        match &mut self.driver {
            Some(driver) if !driver.unsaved().is_empty() => {
                let early = driver.take_effects(now);
                laws::holds(Law::DurableFirst, early.is_empty(), || {
                    format!("{early:?} is handed out while events are unsaved")
                })
            }
            _ => Ok(()),
        }
    }

    fn drop_unwanted(&mut self, unwanted: &[EffectNumber]) {
        if unwanted.is_empty() {
            return;
        }
        self.coverage.mark(CoverageItem::OutcomeUnwanted);
        let faults = &mut self.faults;
        self.queue.retain(|_, pending| match pending {
            Pending::Outcome(effect, _) if unwanted.contains(effect) => faults.percent(50),
            _ => true,
        });
    }

    /// Makes the unsaved events durable, all or none.
    pub(super) fn append(&mut self) -> Result<(), Halt> {
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
            self.coverage.mark(CoverageItem::AppendFailed);
            return Err(self.reload());
        }
        let owners = driver.mission().account_owners();
        let after = match self.accounts.judge(&owners, &driver.charges()) {
            Ok(after) => after,
            Err(refusal) => {
                self.redecide_without(refusal)?;
                return self.append();
            }
        };
        self.boundary(Boundary::BeforeAppend)?;
        self.law_a_fork_is_whole(&batch)?;
        self.journal.extend(batch);
        self.accounts.write(after);
        laws::law_4_accounts_agree(&self.model, &self.accounts)?;
        self.notify();
        self.boundary(Boundary::AfterAppend)?;
        self.learn()?;
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

    /// An account refused what was decided: it did not happen, and is decided again.
    fn redecide_without(&mut self, refusal: AccountRefusal) -> Result<(), Halt> {
        self.tell(|| format!("     nothing is saved: {refusal}"));
        self.coverage.mark(match refusal.kind {
            CapKind::Soft => CoverageItem::AccountSoftCap,
            CapKind::Hard => CoverageItem::AccountHardCap,
        });
        let stored = self.fold_journal()?;
        self.shadow.clone_from(&stored);
        self.observed = 0;
        if let Some(driver) = &mut self.driver {
            driver.redecide_without(stored, refusal);
        }
        self.observe()
    }

    /// The mission as its journal has it, and the reference model with it.
    fn fold_journal(&mut self) -> Result<Option<Mission>, Broken> {
        let unfolded = |error: String| Broken::new(Law::SameBytes, error);
        self.model = ReferenceModel::new(Rc::clone(&self.scene));
        let mut events = Vec::with_capacity(self.journal.len());
        for (seq, bytes) in (1..).zip(&self.journal) {
            let event = Recorded::decode(seq, bytes).map_err(|e| unfolded(e.to_string()))?;
            self.model.fold(&event);
            events.push(event);
        }
        if events.is_empty() {
            return Ok(None);
        }
        let folded = Mission::fold(&events);
        folded.map(Some).map_err(|e| unfolded(e.to_string()))
    }

    /// Takes note of what became durable, and lets people see new questions.
    fn notify(&mut self) {
        let Some(driver) = &self.driver else { return };
        let inherits = driver.news().len() < driver.unsaved().len();
        let mut opened = Vec::new();
        for event in driver.news() {
            self.durable.note(event);
            if let Event::CheckpointOpened(checkpoint) = &event.event {
                opened.push(checkpoint.number);
            }
        }
        for number in opened {
            self.look_for(number);
        }
        if inherits {
            self.look_at_open_questions();
        }
    }

    fn look_for(&mut self, number: CheckpointNumber) {
        let seen = self.model.checkpoints.get(number.index());
        let asks = seen.map(|seen| &seen.checkpoint.asks);
        if self.looked_for.insert(number)
            && let Some(after) = self.people.reaction(&self.temper, asks)
        {
            self.push(self.now.plus(after), Pending::Look(number));
        }
    }

    pub(super) fn look_at_open_questions(&mut self) {
        let open: Vec<CheckpointNumber> = self
            .model
            .open()
            .map(|seen| seen.checkpoint.number)
            .collect();
        for number in open {
            self.look_for(number);
        }
    }

    /// A place where the host may die.
    pub(super) fn boundary(&mut self, boundary: Boundary) -> Result<(), Halt> {
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
        coverage_map::crash(self.coverage, boundary);
        if self.journal.is_empty() {
            self.coverage.mark(match &self.origin {
                None => CoverageItem::CrashBeforeFirstEvent,
                Some(_) => CoverageItem::CrashBeforeForkIsSaved,
            });
        }
        if self.model.is_in_mid_thought() {
            self.coverage.mark(CoverageItem::CrashInMidThought);
        }
        if self.recovering {
            self.coverage.mark(CoverageItem::CrashDuringRecovery);
        }
        self.tally.crashes += 1;
        self.forget_outcomes();
        Err(self.reload())
    }

    /// What was being performed dies with the host; now and then its report arrives all the same.
    pub(super) fn forget_outcomes(&mut self) {
        let (faults, mut late) = (&mut self.faults, false);
        self.queue.retain(|_, pending| {
            let keeps = !matches!(pending, Pending::Outcome(..)) || faults.percent(12);
            late |= keeps && matches!(pending, Pending::Outcome(..));
            keeps
        });
        if late {
            self.coverage.mark(CoverageItem::OutcomeAfterCrash);
        }
    }

    /// Drops everything in memory. Whoever sent a command that was not confirmed sends it again.
    pub(super) fn reload(&mut self) -> Halt {
        let whole = |driver: &Driver| driver.mission().seq() == self.journal.len() as u64;
        self.live_passport = self
            .driver
            .take()
            .filter(whole)
            .and_then(|driver| driver.mission().passport().ok());
        self.shadow = None;
        self.observed = 0;
        if let Some(alarm) = &mut self.alarm {
            alarm.forget();
        }
        self.telling.forget();
        let away = match self.faults.below(100) {
            0..70 => 2_000,
            70..95 => 300_000,
            _ => 5_000_000,
        };
        self.now = self.now.plus(Millis(self.faults.below(away)));
        if self.crashes == Crashes::Random && self.faults.percent(8) {
            self.coverage.mark(CoverageItem::ClockSteppedBack);
            let by = self.faults.below(20_000);
            self.leases.set_back.0 += by;
            self.now = Timestamp(self.now.0 - by as i64);
        }
        if let Some((id, by, command)) = self.in_hand.take() {
            self.coverage.mark(CoverageItem::CommandResentAfterCrash);
            self.push(
                self.now.plus(Millis(500)),
                Pending::Command(id, by, command),
            );
        }
        Halt::Crash
    }
}
