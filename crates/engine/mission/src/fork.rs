//! Forks: a mission that begins as another one stood at some event, and goes its own way from there.
//!
//! What is recorded up to then is inherited as it is. What was under way is not: it is tried again here, and what
//! may happen only once is never sent without a person's leave, for it may have happened there.
//!
//! **Invariant:** A fork is not charged for what it inherited, and there is never half a fork. All its events become
//! durable in one append; what was under way is begun anew and reserved then.

use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

use crate::{
    Actor, CheckpointNumber, CommandId, CorruptJournal, Decision, Event, Input, Json, Mission,
    MissionId, ModelId, Recorded, Refused, Timestamp, ToolTable, Usage,
};

/// Most events that a fork inherits: they become durable all at once.
pub const FORK_EVENTS_MAX: u64 = 60_000;

/// What a person made different in a fork.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ForkChange {
    /// The answer to a question that was open.
    Decision {
        checkpoint: CheckpointNumber,
        decision: Decision,
    },
    /// An input, for whatever has not run yet.
    Input { name: String, value: Json },
    /// The model that agents ask, for whatever has not run yet; and what is known of the ways those questions take.
    Model { model: ModelId, tools: ToolTable },
}

/// Where a mission was forked from, and what it had cost by then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forked {
    pub of: MissionId,
    /// The last event it inherited.
    pub at: u64,
    /// When the inherited events ended, and when it was forked.
    pub left_at: Timestamp,
    pub since: Timestamp,
    pub used: Usage,
    pub turns: u64,
}

/// What a fork is made of.
#[derive(Debug, Clone)]
pub struct Fork {
    /// Its own id.
    pub mission: MissionId,
    pub of: MissionId,
    /// The origin's events up to where it forks, with their content as the fork keeps it.
    pub inherited: Vec<Recorded>,
    pub changes: Vec<ForkChange>,
}

impl Fork {
    /// The opening says whose journal it stands in; all else is as it was.
    pub(crate) fn adopt(&mut self) {
        if let Some(first) = self.inherited.first_mut()
            && let Event::MissionOpened(opened) = &mut first.event
        {
            opened.mission = self.mission;
            // It answers to nobody but whoever forked it.
            opened.parent = None;
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ForkRefused {
    #[error("the journal has events 1 to {last}, and no event {at}")]
    NoSuchEvent { at: u64, last: u64 },
    #[error("at event {at} the mission had ended or was about to end")]
    Ended { at: u64 },
    #[error("event {at} is inside a step that ends with event {until}")]
    InsideStep { at: u64, until: u64 },
    #[error("no question was open at event {at}")]
    NothingAsked { at: u64 },
    #[error("question {checkpoint} was already answered at event {at}")]
    AnsweredBefore {
        at: u64,
        checkpoint: CheckpointNumber,
    },
    #[error("several questions were open at event {at}: {open}")]
    SeveralAsked { at: u64, open: String },
    #[error("the plan has no input `{name}`: {known}")]
    InputUnknown { name: String, known: String },
    #[error("none of the remaining tasks asks a model")]
    NobodyAsks,
    #[error("the price of model `{model}` is unknown")]
    ModelUnknown { model: ModelId },
    #[error("a fork inherits at most {FORK_EVENTS_MAX} events, not {at}")]
    TooLong { at: u64 },
    #[error(transparent)]
    Refused(#[from] Refused),
    #[error(transparent)]
    Corrupt(#[from] CorruptJournal),
}

impl ForkRefused {
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoSuchEvent { .. } => "ADJ-3061",
            Self::Ended { .. } => "ADJ-3062",
            Self::InsideStep { .. } => "ADJ-3063",
            Self::NothingAsked { .. } | Self::AnsweredBefore { .. } | Self::SeveralAsked { .. } => {
                "ADJ-3064"
            }
            Self::InputUnknown { .. } => "ADJ-3065",
            Self::TooLong { .. } => "ADJ-3066",
            Self::NobodyAsks | Self::ModelUnknown { .. } => "ADJ-3067",
            Self::Refused(refused) => refused.code(),
            Self::Corrupt(_) => "ADJ-3103",
        }
    }

    /// What to do about it, in one sentence.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::NoSuchEvent { .. } => "List the event numbers with `adjutant events`.",
            Self::Ended { .. } => "Fork at an earlier event; `adjutant events` lists the numbers.",
            Self::InsideStep { .. } => "Fork at the event that ends the step, or before it began.",
            Self::NothingAsked { .. } | Self::AnsweredBefore { .. } => {
                "Fork at an event where the question is open: the one before its answer."
            }
            Self::SeveralAsked { .. } => "Name the question, as in `--set decision=2:approve`.",
            Self::InputUnknown { .. } => "Use a name that the plan has.",
            Self::NobodyAsks => "Fork at an event before such a task began.",
            Self::ModelUnknown { .. } => "List the models with `adjutant models list`.",
            Self::TooLong { .. } => "Fork at an earlier event.",
            Self::Refused(_) => "`adjutant show` lists what the question offers.",
            Self::Corrupt(_) => "Run `adjutant verify` and restore the store from a backup.",
        }
    }
}

/// The mission as it stood at event `at`, if it can be forked there. `events` is the whole journal.
pub fn fork_point(events: &[Recorded], at: u64) -> Result<Mission, ForkRefused> {
    let last = events.len() as u64;
    if at == 0 || at > last {
        return Err(ForkRefused::NoSuchEvent { at, last });
    }
    if at > FORK_EVENTS_MAX {
        return Err(ForkRefused::TooLong { at });
    }
    let (inherited, rest) = events.split_at(at as usize);
    let mission = Mission::fold(inherited)?;
    if mission.is_ending() {
        return Err(ForkRefused::Ended { at });
    }
    let mut further = mission.clone();
    for next in rest {
        let one_step = inside(&events[further.seq() as usize - 1], next);
        if !one_step && further.asks_for_all() {
            break;
        }
        further.apply(next)?;
    }
    match further.seq() {
        until if until > at => Err(ForkRefused::InsideStep { at, until }),
        _ => Ok(mission),
    }
}

/// Whether two events next to each other belong together: they came of one input, the first is nothing without what
/// follows from it, or the second follows from the first: a mission does not stop by itself.
fn inside(event: &Recorded, next: &Recorded) -> bool {
    let one_input = event.cause.is_some() && event.cause == next.cause && event.at == next.at;
    one_input
        || (next.cause.is_none() && matches!(next.event, Event::StopRequested { .. }))
        || matches!(
            event.event,
            Event::CheckpointExpired { .. } | Event::CheckpointWaived(_) | Event::CapReached { .. }
        )
}

/// The open question that a decision answers: the one that is named, or the only one.
pub fn forked_question(
    mission: &Mission,
    named: Option<CheckpointNumber>,
) -> Result<CheckpointNumber, ForkRefused> {
    let at = mission.seq();
    let open: Vec<CheckpointNumber> = mission
        .open_checkpoints()
        .map(|state| state.checkpoint.number)
        .collect();
    match (named, open.as_slice()) {
        (Some(number), _) if open.contains(&number) => Ok(number),
        (Some(checkpoint), _) if mission.checkpoints().get(checkpoint.index()).is_some() => {
            Err(ForkRefused::AnsweredBefore { at, checkpoint })
        }
        (Some(checkpoint), _) => Err(Refused::CheckpointUnknown { checkpoint }.into()),
        (None, []) => Err(ForkRefused::NothingAsked { at }),
        (None, [one]) => Ok(*one),
        (None, several) => {
            let open: Vec<String> = several.iter().map(|n| alloc::format!("{n}")).collect();
            let open = open.join(", ");
            Err(ForkRefused::SeveralAsked { at, open })
        }
    }
}

/// What is asked of the fork after it began: the answers that were chosen for it.
pub(crate) fn answers(
    changes: &[ForkChange],
    by: &Actor,
    command: CommandId,
) -> impl Iterator<Item = Input> {
    changes
        .iter()
        .filter_map(|change| match change {
            ForkChange::Decision {
                checkpoint,
                decision,
            } => Some(crate::Command::Decide {
                checkpoint: *checkpoint,
                decision: decision.clone(),
            }),
            ForkChange::Input { .. } | ForkChange::Model { .. } => None,
        })
        .zip(1..)
        .map(move |(answer, n)| Input::Command {
            id: CommandId::from_bits(command.bits().wrapping_add(n)),
            by: by.clone(),
            command: answer,
        })
}
