//! Somebody is told of open questions and of the end. What is owed follows from the journal; how far telling is stands
//! in a record, kept after the try, so that a crash in between tells again and never loses a notice.

use std::collections::BTreeMap;

use adjutant_mission::notices::{About, Book, ChannelState, Look, Progress, Sent, State, Subject};
use adjutant_mission::{CheckpointId, Event, MissionId, Recorded, Timestamp};

use super::{Boundary, Halt, Run};
use crate::coverage::CoverageItem;
use crate::laws::{self, Broken, Law};
use crate::random::Random;
use crate::reference_model::{ReferenceModel, Stage};

/// The one channel there is.
const CHANNEL: usize = 0;

#[derive(Debug)]
pub(super) struct Telling {
    random: Random,
    /// What the host knows; it is gone with the host.
    book: Book,
    looked: Look,
    /// What is kept: how far each notice is, and the channel.
    records: BTreeMap<Subject, Vec<u8>>,
    channel: ChannelState,
    /// How often the other side got each notice, and how often a crash came before that was kept.
    got: BTreeMap<Subject, u32>,
    unkept: BTreeMap<Subject, u32>,
}

impl Telling {
    pub(super) fn new(seed: u64, now: Timestamp) -> Self {
        Self {
            random: Random::new(seed, 37),
            book: Book::default(),
            looked: Look::First,
            records: BTreeMap::new(),
            channel: ChannelState::begun(Timestamp(now.0 - 1)),
            got: BTreeMap::new(),
            unkept: BTreeMap::new(),
        }
    }

    /// Whatever the host had is gone.
    pub(super) fn forget(&mut self) {
        (self.book, self.looked) = (Book::default(), Look::First);
    }

    fn kept(&self, subject: Subject) -> Result<Option<Progress>, Broken> {
        let kept = self.records.get(&subject);
        let kept = kept.map(|bytes| serde_json::from_slice(bytes)).transpose();
        kept.map_err(|error| Broken::new(Law::Told, error.to_string()))
    }

    fn owe(&mut self, about: About, now: Timestamp) -> Result<(), Broken> {
        let kept = self.kept(about.subject)?;
        if let Some(progress) = Progress::still_owed(kept.as_ref(), about.subject, self.looked) {
            self.book.owe(CHANNEL, about, progress, now);
        }
        Ok(())
    }

    /// Nobody need be told any more.
    fn close(&mut self, subject: Subject) {
        self.book.forget((CHANNEL, subject));
        self.records.remove(&subject);
    }

    fn hear(&mut self, mission: MissionId, event: &Recorded, now: Timestamp) -> Result<(), Broken> {
        match &event.event {
            Event::CheckpointOpened(checkpoint) => {
                self.owe(About::checkpoint(mission, checkpoint, event.at), now)
            }
            Event::MissionEnded(_) => self.owe(About::ending(mission, event.at), now),
            Event::CheckpointDecided { checkpoint, .. }
            | Event::CheckpointExpired { checkpoint }
            | Event::CheckpointWithdrawn { checkpoint, .. } => {
                let number = *checkpoint;
                self.close(Subject::Checkpoint(CheckpointId { mission, number }));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// What is owed by what is durable. The reference model has seen that and nothing else.
    pub(super) fn look(
        &mut self,
        mission: MissionId,
        model: &ReferenceModel,
        now: Timestamp,
    ) -> Result<(), Broken> {
        for seen in model.open() {
            self.owe(About::checkpoint(mission, &seen.checkpoint, model.at), now)?;
        }
        if matches!(model.stage, Stage::Ended(_)) && !self.channel.is_past(model.at) {
            self.owe(About::ending(mission, model.at), now)?;
        }
        self.looked = Look::Again;
        Ok(())
    }

    fn answer(&mut self, calm: bool) -> Sent {
        match self.random.below(100) {
            _ if calm => Sent::Delivered { said: "ok".into() },
            0..30 => Sent::not_now("nobody is there"),
            30..33 => Sent::refused("it does not want that"),
            _ => Sent::Delivered { said: "ok".into() },
        }
    }

    /// Every open question, and the end, is owed or settled.
    fn law_no_notice_is_lost(
        &self,
        mission: MissionId,
        model: &ReferenceModel,
    ) -> Result<(), Broken> {
        let questions = model.open().map(|seen| {
            let number = seen.checkpoint.number;
            Subject::Checkpoint(CheckpointId { mission, number })
        });
        let ended = matches!(model.stage, Stage::Ended(_)).then_some(Subject::Ending(mission));
        for subject in questions.chain(ended) {
            let owed = self.book.get((CHANNEL, subject)).is_some();
            let settled = self.kept(subject)?.is_some_and(|kept| kept.is_settled());
            laws::holds(Law::Told, owed || settled, || {
                format!("nobody is told of {subject}, and nobody ever will be")
            })?;
        }
        Ok(())
    }
}

impl Run<'_> {
    fn mission_id(&self) -> Option<MissionId> {
        self.driver.as_ref().map(|driver| driver.mission().id())
    }

    /// The host learns what became durable. The questions that a fork inherited are in no event of its own.
    pub(super) fn learn(&mut self) -> Result<(), Broken> {
        let Some(driver) = &self.driver else {
            return Ok(());
        };
        let (mission, now) = (driver.mission().id(), self.now);
        for event in driver.news() {
            self.telling.hear(mission, event, now)?;
        }
        match driver.news().len() < driver.unsaved().len() {
            true => self.telling.look(mission, &self.model, now),
            false => Ok(()),
        }
    }

    pub(super) fn tells_at(&self) -> Option<Timestamp> {
        self.telling.book.next_due()
    }

    /// Tells what is due, and keeps what became of it.
    pub(super) fn tell_people(&mut self) -> Result<(), Halt> {
        let Some(key) = self.telling.book.take_due(self.now) else {
            return Ok(());
        };
        let (now, subject) = (self.now, key.1);
        let Some(owed) = self.telling.book.get(key) else {
            return Ok(());
        };
        let progress = owed.progress.clone();
        self.law_only_what_is_durable_is_told(subject)?;
        let sent = self.telling.answer(self.calm);
        let delivered = matches!(sent, Sent::Delivered { .. });
        self.tell(|| format!("     {subject} is told: {sent:?}"));
        self.coverage.mark(match &sent {
            Sent::Delivered { .. } => CoverageItem::NoticeDelivered,
            Sent::NotNow { .. } => CoverageItem::NoticePutOff,
            Sent::Refused { .. } | Sent::Gone { .. } => CoverageItem::NoticeRefused,
        });
        if delivered {
            *self.telling.got.entry(subject).or_default() += 1;
            *self.telling.unkept.entry(subject).or_default() += 1;
        }
        let progress = progress.after(now, &sent);
        self.boundary(Boundary::BeforeNoticeKept)?;
        let bytes = serde_json::to_vec(&progress);
        let bytes = bytes.map_err(|error| Broken::new(Law::Simulator, error.to_string()))?;
        self.telling.records.insert(subject, bytes);
        if delivered && let Some(unkept) = self.telling.unkept.get_mut(&subject) {
            *unkept -= 1;
        }
        if progress.is_settled() {
            self.telling.book.forget(key);
        } else {
            let next = progress.next_try_at(now);
            self.telling.book.put_off(key, next, progress);
        }
        self.boundary(Boundary::AfterNoticeKept)
    }

    /// Nobody is told what may turn out not to have happened, or again what they know.
    fn law_only_what_is_durable_is_told(&self, subject: Subject) -> Result<(), Broken> {
        let durable = self
            .driver
            .as_ref()
            .is_some_and(|driver| driver.unsaved().is_empty());
        let so = match subject {
            Subject::Checkpoint(id) => {
                let mut open = self.model.open();
                open.any(|seen| seen.checkpoint.number == id.number)
            }
            Subject::Ending(_) => matches!(self.model.stage, Stage::Ended(_)),
        };
        laws::holds(Law::Told, durable && so, || {
            format!("somebody is told of {subject}, and it is not so")
        })?;
        let again = match self.telling.kept(subject)?.map(|kept| kept.state) {
            Some(State::Delivered { .. }) => true,
            Some(State::GivenUp { .. }) => matches!(subject, Subject::Ending(_)),
            _ => false,
        };
        laws::holds(Law::Told, !again, || format!("{subject} is told again"))
    }

    pub(super) fn law_no_notice_is_lost(&self) -> Result<(), Broken> {
        match self.mission_id() {
            Some(mission) => self.telling.law_no_notice_is_lost(mission, &self.model),
            None => Ok(()),
        }
    }

    /// The mission has ended: somebody is told, however long that takes, and only a crash makes it twice.
    pub(super) fn tell_out(&mut self) -> Result<(), Halt> {
        while let Some(at) = self.tells_at() {
            self.now = self.now.max(at);
            self.tell_people()?;
        }
        self.law_no_notice_is_lost()?;
        let telling = &mut self.telling;
        if let Some(moved) = telling
            .channel
            .moved_on(self.now, telling.book.oldest_ending(CHANNEL))
        {
            telling.channel = moved;
        }
        for (subject, got) in &self.telling.got {
            let most = 1 + self.telling.unkept.get(subject).copied().unwrap_or(0);
            laws::holds(Law::Told, *got <= most, || {
                format!("{subject} was told {got} times, at most {most} by the crashes")
            })?;
            if *got > 1 {
                self.coverage.mark(CoverageItem::NoticeTwice);
            }
        }
        Ok(())
    }
}
