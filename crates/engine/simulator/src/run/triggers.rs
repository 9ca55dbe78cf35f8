//! A trigger that informs the mission time and again. A fire is announced, done and noted, each durable before the
//! next; the record of it outlives the host, as the journal does.

use adjutant_mission::{
    Command, CommandId, Event, Fired, IdError, Input, Json, Millis, Missed, MissionId, Recorded,
    Schedule, Timestamp, TopicPattern, Trigger, TriggerId, TriggerProblem, TriggerRecord,
    TriggerState, TriggerTarget, Trust,
};

use super::{Boundary, Halt, Run};
use crate::coverage::CoverageItem;
use crate::laws::{self, Broken, Law};
use crate::people::People;
use crate::random::Random;

/// How many of a hundred missions have a trigger.
const HAVE_ONE_PERCENT: u64 = 35;
/// What people tell the mission about.
const NEWS: &str = "ne*";

#[derive(Debug)]
pub(super) struct Alarm {
    id: TriggerId,
    first: Timestamp,
    period: Millis,
    random: Random,
    /// As the host has it; it is gone with the host.
    record: Option<TriggerRecord>,
    /// As it is kept.
    kept: Vec<u8>,
    /// How much of the journal was looked through for what cancels it.
    looked: usize,
}

impl Alarm {
    pub(super) fn of(
        seed: u64,
        mission: MissionId,
        people: &People,
        now: Timestamp,
    ) -> Result<Option<Self>, Broken> {
        let mut random = Random::new(seed, 31);
        if !random.percent(HAVE_ONE_PERCENT) {
            return Ok(None);
        }
        let unmade = |error: IdError| Broken::new(Law::Simulator, error.to_string());
        let period = Millis([3_000, 20_000, 90_000, 1_800_000][random.below(4) as usize]);
        let first = now.plus(period);
        let cancel_on = match random.percent(30) {
            true => TopicPattern::new(NEWS).ok(),
            false => None,
        };
        let trigger = Trigger {
            name: "look again".into(),
            schedule: Schedule::Cron("given by the world".into()),
            zone: "UTC".into(),
            repeat_max: Some(random.between(1, 9) as u32),
            cancel_on,
            missed: [Missed::Skip, Missed::Once, Missed::All][random.below(3) as usize],
            target: TriggerTarget::InformMission {
                mission,
                topic: "time".into(),
                trust: Trust::Untrusted,
                body: Json::null(),
            },
            made_by: people.owner().clone(),
            made_with: None,
            made_at: now,
        };
        let id = TriggerId::from_bits(7);
        trigger.actor(id).map_err(unmade)?;
        let state = TriggerState {
            next_at: Some(first),
            ..TriggerState::default()
        };
        let mut alarm = Self {
            id,
            first,
            period,
            random,
            record: None,
            kept: Vec::new(),
            looked: 0,
        };
        alarm.kept = encode(&TriggerRecord { trigger, state })?;
        Ok(Some(alarm))
    }

    /// Whatever the host had is gone.
    pub(super) fn forget(&mut self) {
        (self.record, self.looked) = (None, 0);
    }

    fn record(&mut self) -> Result<TriggerRecord, Broken> {
        if self.record.is_none() {
            let read = serde_json::from_slice(&self.kept);
            let broken = |error: serde_json::Error| Broken::new(Law::Triggers, error.to_string());
            self.record = Some(read.map_err(broken)?);
        }
        let missing = || Broken::new(Law::Simulator, "no trigger");
        self.record.clone().ok_or_else(missing)
    }

    /// The schedule: the times after one, in order.
    fn times_after(&self, after: Timestamp) -> impl Iterator<Item = Timestamp> + use<> {
        let (first, period) = (self.first.0, self.period.0 as i64);
        let passed = (after.0 - first).div_euclid(period) + 1;
        (passed.max(0)..).map(move |n| Timestamp(first + n * period))
    }

    /// Every time until the next is accounted for: fired, passed over, or announced.
    fn law_no_time_is_lost(&self, state: &TriggerState) -> Result<(), Broken> {
        let Some(next) = state.next_at else {
            return Ok(());
        };
        let times = (next.0 - self.first.0) / self.period.0 as i64;
        let announced = u64::from(state.firing.is_some());
        let told = u64::from(state.fired) + state.passed_over + announced;
        laws::holds(Law::Triggers, times as u64 == told, || {
            format!("{times} times have come, and {told} are accounted for: {state:?}")
        })
    }

    /// By the journal: fired for times of the schedule, each once, in order, never after it was cancelled, and as
    /// often as it says.
    fn law_fired_once_for_each_time(
        &self,
        record: &TriggerRecord,
        events: &[Recorded],
    ) -> Result<(), Broken> {
        let own = self.id.to_string();
        let (mut last, mut fired, mut cancelled) = (None, 0, false);
        let mission = match &record.trigger.target {
            TriggerTarget::InformMission { mission, .. } => *mission,
            TriggerTarget::StartMission(_) => return Ok(()),
        };
        for event in events {
            cancelled |= record.cancelled_by(self.id, mission, event).is_some();
            let Event::Informed { body, .. } = &event.event else {
                continue;
            };
            if event.actor.as_ref().is_none_or(|by| by.id.as_str() != own) {
                continue;
            }
            let at: Option<i64> = body.text().parse().ok();
            let on_schedule = at.is_some_and(|at| {
                at >= self.first.0 && (at - self.first.0) % self.period.0 as i64 == 0
            });
            laws::holds(
                Law::Triggers,
                on_schedule && at > last && !cancelled,
                || format!("fired for {at:?} after {last:?}; cancelled: {cancelled}"),
            )?;
            (last, fired) = (at, fired + 1);
        }
        // Cancelled with a fire announced, it does not look whether that was done before a crash.
        let unsure = u32::from(cancelled);
        let fine = fired >= record.state.fired && fired <= record.state.fired + unsure;
        laws::holds(Law::Triggers, fine, || {
            format!("the mission was told {fired} times: {:?}", record.state)
        })
    }
}

fn encode(record: &TriggerRecord) -> Result<Vec<u8>, Broken> {
    serde_json::to_vec(record).map_err(|error| Broken::new(Law::Simulator, error.to_string()))
}

impl Run<'_> {
    /// When the trigger wants to be looked at.
    pub(super) fn alarm_at(&mut self) -> Result<Option<Timestamp>, Broken> {
        match &mut self.alarm {
            Some(alarm) => Ok(alarm.record()?.state.wake_at()),
            None => Ok(None),
        }
    }

    /// Does what is due of the trigger.
    pub(super) fn fire(&mut self) -> Result<(), Halt> {
        self.hear()?;
        let Some(at) = self.announce()? else {
            return Ok(());
        };
        let fired = self.inform(at)?;
        let Some(alarm) = &mut self.alarm else {
            return Ok(());
        };
        let mut record = alarm.record()?;
        self.coverage.mark(match &fired {
            Fired::Done => CoverageItem::TriggerFired,
            Fired::NotNow(_) => CoverageItem::TriggerPutOff,
            Fired::Gone(_) => CoverageItem::TriggerMissionGone,
            Fired::Refused(problem) | Fired::Held(problem) => {
                let what = format!("a mission that goes on was not informed: {problem:?}");
                return Err(Broken::new(Law::Triggers, what).into());
            }
        });
        let repeat_max = record.trigger.repeat_max;
        record.state.note(self.now, fired, repeat_max);
        self.keep(record)
    }

    /// Ends the trigger if something durable cancels it.
    fn hear(&mut self) -> Result<(), Halt> {
        let Some(alarm) = &mut self.alarm else {
            return Ok(());
        };
        let mut record = alarm.record()?;
        let events = read_from(&self.journal, alarm.looked)?;
        let mission = self.scene.start.mission;
        let mut ends = events.iter();
        let end = ends.find_map(|event| record.cancelled_by(alarm.id, mission, event));
        alarm.looked = self.journal.len();
        let Some(end) = end.filter(|_| record.state.ended.is_none()) else {
            return Ok(());
        };
        self.coverage.mark(CoverageItem::TriggerCancelled);
        record.state.end(self.now, end);
        self.keep(record)
    }

    /// Says durably which time it fires for.
    fn announce(&mut self) -> Result<Option<Timestamp>, Halt> {
        let Some(alarm) = &mut self.alarm else {
            return Ok(None);
        };
        let mut record = alarm.record()?;
        if let Some(firing) = &record.state.firing {
            self.coverage.mark(CoverageItem::TriggerFiredAgain);
            return Ok(Some(firing.at));
        }
        let (now, state) = (self.now, &record.state);
        let due = record
            .trigger
            .due(state, now, |after| alarm.times_after(after));
        let Some(due) = due else { return Ok(None) };
        if due.passed_over > 0 {
            self.coverage.mark(CoverageItem::TriggerPassedOver);
        }
        record.state.announce(now, due);
        let at = record.state.firing.as_ref().map(|firing| firing.at);
        self.keep(record)?;
        Ok(at)
    }

    fn inform(&mut self, at: Timestamp) -> Result<Fired, Halt> {
        let Some(alarm) = &mut self.alarm else {
            return Err(Halt::Crash);
        };
        let problem = |code: &str, message: String| TriggerProblem {
            at,
            code: code.into(),
            message,
        };
        if !self.calm && alarm.random.percent(10) {
            return Ok(Fired::NotNow(problem(
                "ADJ-4001",
                "the store is away".into(),
            )));
        }
        let id = alarm.id;
        let trigger = alarm.record()?.trigger;
        let unfit = |error: String| Broken::new(Law::Simulator, error);
        let by = trigger
            .actor(id)
            .map_err(|error| unfit(error.to_string()))?;
        let body = Json::encode(&at.0).map_err(|error| unfit(error.to_string()))?;
        self.tell(|| format!("     the trigger fires for {}", at.0 - 1_000_000));
        let input = Input::Command {
            id: CommandId::from_bits((1 << 90) + at.0 as u128),
            by,
            command: Command::Inform {
                topic: "time".into(),
                trust: Trust::Untrusted,
                body,
            },
        };
        match self.input(&input)? {
            Some(refused) => {
                let told = problem(refused.code(), refused.to_string());
                Ok(Fired::not_informed(&refused, told))
            }
            None => {
                self.observe()?;
                self.append()?;
                Ok(Fired::Done)
            }
        }
    }

    fn keep(&mut self, record: TriggerRecord) -> Result<(), Halt> {
        let bytes = encode(&record)?;
        self.boundary(Boundary::BeforeTriggerKept)?;
        if let Some(alarm) = &mut self.alarm {
            (alarm.kept, alarm.record) = (bytes, Some(record));
        }
        self.boundary(Boundary::AfterTriggerKept)
    }

    /// The mission has ended: the trigger finds that out and ends too.
    pub(super) fn ring_out(&mut self) -> Result<(), Halt> {
        while let Some(at) = self.alarm_at()? {
            self.now = self.now.max(at);
            self.fire()?;
        }
        if let Some(alarm) = &mut self.alarm {
            let record = alarm.record()?;
            let events = read_from(&self.journal, 0)?;
            alarm.law_fired_once_for_each_time(&record, &events)?;
        }
        Ok(())
    }

    pub(super) fn law_the_trigger_adds_up(&mut self) -> Result<(), Broken> {
        match &mut self.alarm {
            Some(alarm) => {
                let record = alarm.record()?;
                alarm.law_no_time_is_lost(&record.state)
            }
            None => Ok(()),
        }
    }
}

fn read_from(journal: &[Vec<u8>], from: usize) -> Result<Vec<Recorded>, Broken> {
    let unread = |error: String| Broken::new(Law::SameBytes, error);
    let events = (1..).zip(journal).skip(from);
    let events = events.map(|(seq, bytes)| Recorded::decode(seq, bytes));
    let events: Result<_, _> = events.collect();
    events.map_err(|error| unread(error.to_string()))
}
