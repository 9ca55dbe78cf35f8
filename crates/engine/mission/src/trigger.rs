//! Triggers start or inform missions when their time comes. Here is what is kept of them, and what is due; when
//! that is in which zone, and firing, is the host's work.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;
use serde::{Deserialize, Serialize};

use crate::{
    Actor, ActorKind, AgentId, ApprovalSource, Event, IdError, Json, Millis, MissionId, Plan,
    Recorded, Refused, Scope, Start, Timestamp, ToolTable, TriggerId, Trust,
};

/// A fire this late still counts as on time: hosts are restarted, and clocks looked at now and then.
pub const ON_TIME: Millis = Millis::seconds(60);
/// Most fires that are made up for one by one; the oldest beyond are passed over.
pub const MADE_UP_MAX: usize = 100;
/// What was missed longer ago than this is not looked at.
pub const LOOK_BACK: Millis = Millis::hours(366 * 24);
/// Longest pause before a fire that was refused for a reason that passes is tried again.
pub const TRY_AGAIN_MAX: Millis = Millis::seconds(60);
/// Longest pattern, in bytes.
pub const PATTERN_BYTES_MAX: usize = 200;

/// When, as it was written. It is read in the trigger's zone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Schedule {
    /// A time on the zone's clock, or an instant with its offset.
    At(String),
    Cron(String),
    /// A rule of RFC 5545 with its DTSTART.
    Rrule(String),
}

/// What becomes of fires that nobody was there for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Missed {
    /// They are passed over.
    Skip,
    /// Fire once for the last of them.
    #[default]
    Once,
    /// Each is made up for, the oldest first.
    All,
}

impl Missed {
    pub fn name(self) -> &'static str {
        match self {
            Self::Skip => "skip",
            Self::Once => "once",
            Self::All => "all",
        }
    }
}

/// Topics; `*` stands for any characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TopicPattern(String);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a pattern must have 1 to {PATTERN_BYTES_MAX} bytes; this one has {bytes}")]
pub struct PatternError {
    bytes: usize,
}

impl TopicPattern {
    pub fn new(text: impl Into<String>) -> Result<Self, PatternError> {
        let text = text.into();
        if text.is_empty() || text.len() > PATTERN_BYTES_MAX {
            return Err(PatternError { bytes: text.len() });
        }
        Ok(Self(text))
    }

    pub fn fits(&self, topic: &str) -> bool {
        let Some((head, rest)) = self.0.split_once('*') else {
            return self.0 == topic;
        };
        let Some(mut topic) = topic.strip_prefix(head) else {
            return false;
        };
        // What stands between stars is taken where it comes first; what stands last must be the end.
        let (middle, tail) = rest.rsplit_once('*').unwrap_or(("", rest));
        for part in middle.split('*').filter(|part| !part.is_empty()) {
            match topic.split_once(part) {
                Some((_, after)) => topic = after,
                None => return false,
            }
        }
        topic.ends_with(tail)
    }
}

impl TryFrom<String> for TopicPattern {
    type Error = PatternError;
    fn try_from(text: String) -> Result<Self, PatternError> {
        Self::new(text)
    }
}

impl From<TopicPattern> for String {
    fn from(pattern: TopicPattern) -> Self {
        pattern.0
    }
}

impl FromStr for TopicPattern {
    type Err = PatternError;
    fn from_str(text: &str) -> Result<Self, PatternError> {
        Self::new(text)
    }
}

impl fmt::Display for TopicPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Everything a mission is opened with, but its id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prepared {
    pub scope: Scope,
    pub plan: Plan,
    pub tools: ToolTable,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub approvals: Vec<ApprovalSource>,
}

impl Prepared {
    pub fn start(self, mission: MissionId) -> Start {
        let Self {
            scope,
            plan,
            tools,
            approvals,
        } = self;
        Start {
            mission,
            scope,
            plan,
            tools,
            approvals,
            parent: None,
            began_by: Vec::new(),
        }
    }
}

impl From<Start> for Prepared {
    /// Only the tools that the plan uses are kept along.
    fn from(start: Start) -> Self {
        let Start {
            scope,
            plan,
            mut tools,
            approvals,
            ..
        } = start;
        tools.retain(|id, _| plan.uses_tool(id));
        Self {
            scope,
            plan,
            tools,
            approvals,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TriggerTarget {
    StartMission(Box<Prepared>),
    InformMission {
        mission: MissionId,
        topic: String,
        trust: Trust,
        body: Json,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trigger {
    /// What people call it.
    pub name: String,
    pub schedule: Schedule,
    /// IANA zone name in which the schedule is read.
    pub zone: String,
    /// How often it may fire; absent means as often as the schedule says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat_max: Option<u32>,
    /// Cancelled by the first information whose topic fits: to the mission it informs or, if it starts missions,
    /// to any of the tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancel_on: Option<TopicPattern>,
    #[serde(default)]
    pub missed: Missed,
    pub target: TriggerTarget,
    pub made_by: Actor,
    /// The name of the access key it was made with. Without one it is the owner's of the installation: made on the machine
    /// itself or with the server's own token, or before this was noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_with: Option<String>,
    pub made_at: Timestamp,
}

impl Trigger {
    /// Who fires: the trigger, for whoever made it.
    pub fn actor(&self, id: TriggerId) -> Result<Actor, IdError> {
        Ok(Actor {
            kind: ActorKind::System,
            id: AgentId::new(alloc::format!("{id}"))?,
            role: None,
            on_behalf_of: Some(self.made_by.id.clone()),
        })
    }

    /// What is to be done at `now`, if anything. `times_after` gives the schedule's times in order.
    pub fn due<I>(
        &self,
        state: &TriggerState,
        now: Timestamp,
        times_after: impl FnOnce(Timestamp) -> I,
    ) -> Option<Due>
    where
        I: IntoIterator<Item = Timestamp>,
    {
        let expected = state.next_at.filter(|at| *at <= now)?;
        let from = Timestamp(expected.0.max(now.0.saturating_sub(LOOK_BACK.0 as i64)) - 1);
        let mut recent = alloc::collections::VecDeque::new();
        let (mut passed_over, mut next_at) = (0, None);
        for at in times_after(from) {
            if at > now {
                next_at = Some(at);
                break;
            }
            recent.push_back(at);
            if recent.len() > MADE_UP_MAX {
                recent.pop_front();
                passed_over += 1;
            }
        }
        let on_time = |at: &Timestamp| now.since(*at) <= ON_TIME;
        let fire = match self.missed {
            Missed::All => {
                let first = recent.pop_front();
                next_at = recent.front().copied().or(next_at);
                return Some(Due {
                    fire: first,
                    passed_over,
                    next_at,
                });
            }
            Missed::Once => recent.pop_back(),
            Missed::Skip => recent.pop_back_if(|at| on_time(at)),
        };
        Some(Due {
            fire,
            passed_over: passed_over + recent.len() as u64,
            next_at,
        })
    }
}

/// What a look at the clock leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Due {
    pub fire: Option<Timestamp>,
    /// How many missed fires are not made up for.
    pub passed_over: u64,
    pub next_at: Option<Timestamp>,
}

/// A fire that was announced and of which it is not known yet that it was done. It is done again after a crash,
/// under the same ids.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Firing {
    pub at: Timestamp,
    /// How often it was refused for a reason that passes.
    #[serde(default)]
    pub refused: u32,
    /// Not tried again before then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again_at: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TriggerProblem {
    pub at: Timestamp,
    pub code: String,
    pub message: String,
}

/// What became of a fire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fired {
    /// Now, or before a crash.
    Done,
    /// Not now; the same fire later.
    NotNow(TriggerProblem),
    /// Not this one.
    Refused(TriggerProblem),
    /// Whoever made the trigger may no longer do this.
    Held(TriggerProblem),
    /// The mission to inform takes nothing more.
    Gone(TriggerProblem),
}

impl Fired {
    /// What it means that a mission was not informed for this reason.
    pub fn not_informed(refused: &Refused, problem: TriggerProblem) -> Self {
        match refused {
            Refused::CommandRepeated => Self::Done,
            Refused::MissionEnded { .. } => Self::Gone(problem),
            _ => Self::Refused(problem),
        }
    }
}

/// Why a trigger fires no more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TriggerEnd {
    /// It has fired as often as it may.
    RepeatReached,
    /// Its schedule has no more times.
    NoMoreTimes,
    Cancelled {
        by: Actor,
    },
    /// By information whose topic fits its pattern.
    CancelledOn {
        mission: MissionId,
        topic: String,
    },
    /// The mission it informs takes nothing more.
    MissionGone {
        code: String,
        why: String,
    },
}

/// How far a trigger has come.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TriggerState {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub firing: Option<Firing>,
    pub fired: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_fired: Option<Timestamp>,
    /// Missed fires that were not made up for.
    #[serde(default)]
    pub passed_over: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_problem: Option<TriggerProblem>,
    /// Why it is on hold: whoever made it may no longer do what it does. That is asked again at each of its times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<TriggerProblem>,
    /// Information from before then was looked through for what cancels it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looked_until: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<(Timestamp, TriggerEnd)>,
}

impl TriggerState {
    /// When the trigger must be looked at again.
    pub fn wake_at(&self) -> Option<Timestamp> {
        if self.ended.is_some() {
            return None;
        }
        match &self.firing {
            Some(firing) => Some(firing.again_at.unwrap_or(firing.at)),
            None => self.next_at,
        }
    }

    /// Takes in what is due. A fire is announced before it is done.
    pub fn announce(&mut self, now: Timestamp, due: Due) {
        self.next_at = due.next_at;
        self.passed_over = self.passed_over.saturating_add(due.passed_over);
        self.firing = due.fire.map(|at| Firing {
            at,
            refused: 0,
            again_at: None,
        });
        self.end_if_over(now);
    }

    /// Takes in what became of the announced fire.
    pub fn note(&mut self, now: Timestamp, fired: Fired, repeat_max: Option<u32>) {
        match fired {
            Fired::Done => self.fired(now, repeat_max),
            Fired::NotNow(problem) => self.wait(problem),
            Fired::Refused(problem) => self.refused(problem),
            Fired::Held(problem) => self.hold(problem),
            Fired::Gone(TriggerProblem { code, message, .. }) => {
                self.end(now, TriggerEnd::MissionGone { code, why: message });
            }
        }
    }

    /// The announced fire was done.
    fn fired(&mut self, now: Timestamp, repeat_max: Option<u32>) {
        if let Some(firing) = self.firing.take() {
            self.fired = self.fired.saturating_add(1);
            self.last_fired = Some(firing.at);
            self.last_problem = None;
            self.held = None;
        }
        if repeat_max.is_some_and(|most| self.fired >= most) {
            self.end(now, TriggerEnd::RepeatReached);
        }
        self.end_if_over(now);
    }

    /// The announced fire was refused for a reason that passes.
    fn wait(&mut self, problem: TriggerProblem) {
        if let Some(firing) = &mut self.firing {
            let pause = Millis::seconds(1 << firing.refused.min(10)).min(TRY_AGAIN_MAX);
            firing.refused = firing.refused.saturating_add(1);
            firing.again_at = Some(problem.at.plus(pause));
        }
        self.held = None;
        self.last_problem = Some(problem);
    }

    /// The announced fire is not done, nor is any later one while this holds. A trigger without further times stays as it
    /// is, for people to see why it did nothing.
    fn hold(&mut self, problem: TriggerProblem) {
        self.firing = None;
        self.last_problem = None;
        self.held = Some(problem);
    }

    /// The announced fire was refused for good. The next one is another matter.
    pub fn refused(&mut self, problem: TriggerProblem) {
        self.firing = None;
        self.held = None;
        self.end_if_over(problem.at);
        self.last_problem = Some(problem);
    }

    /// Only the first end counts.
    pub fn end(&mut self, now: Timestamp, why: TriggerEnd) {
        self.ended.get_or_insert((now, why));
        self.next_at = None;
        self.firing = None;
    }

    fn end_if_over(&mut self, now: Timestamp) {
        if self.next_at.is_none() && self.firing.is_none() && self.held.is_none() {
            self.end(now, TriggerEnd::NoMoreTimes);
        }
    }
}

/// A trigger and how far it has come, as they are kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TriggerRecord {
    pub trigger: Trigger,
    pub state: TriggerState,
}

impl TriggerRecord {
    /// Whether it is cancelled by this, which a mission of its tenant was told. What it says itself does not count.
    pub fn cancelled_by(
        &self,
        id: TriggerId,
        mission: MissionId,
        told: &Recorded,
    ) -> Option<TriggerEnd> {
        let Event::Informed { topic, .. } = &told.event else {
            return None;
        };
        let trigger = &self.trigger;
        let concerns = match &trigger.target {
            TriggerTarget::InformMission { mission: of, .. } => *of == mission,
            TriggerTarget::StartMission(_) => true,
        };
        let own = alloc::format!("{id}");
        let is_own = told.actor.as_ref().is_some_and(|by| by.id.as_str() == own);
        let fits = trigger.cancel_on.as_ref()?.fits(topic);
        let in_time = told.at >= trigger.made_at;
        (concerns && fits && in_time && !is_own).then(|| TriggerEnd::CancelledOn {
            mission,
            topic: topic.clone(),
        })
    }
}
