//! What can go wrong between a caller and a mission.

use adjutant_mission::{CorruptJournal, DecodeError, MissionId, Refused};
use adjutant_store::{AppendError, Broken, StoreError};

#[derive(Debug, thiserror::Error)]
pub enum HostError {
    #[error(transparent)]
    Refused(#[from] Refused),
    #[error("there is no mission {0}")]
    MissionUnknown(MissionId),
    #[error("the journal of {mission} is not whole")]
    JournalBroken {
        mission: MissionId,
        source: Box<Broken>,
    },
    #[error("the journal of {mission} cannot be read")]
    JournalUnreadable {
        mission: MissionId,
        source: Box<DecodeError>,
    },
    #[error("the journal of {mission} does not fold")]
    JournalCorrupt {
        mission: MissionId,
        source: Box<CorruptJournal>,
    },
    #[error("could not be saved")]
    Append(#[from] AppendError),
    #[error("could not be read")]
    Store(#[from] StoreError),
    #[error("an event could not be encoded")]
    Encode(#[source] serde_json::Error),
    #[error("the mission cannot be taken up: {why}")]
    NotLoaded { code: &'static str, why: String },
    #[error("nothing was saved: {why}")]
    NotSaved { code: &'static str, why: String },
    #[error("the host is shutting down")]
    Draining,
    #[error("mission {0} has too many commands waiting")]
    Busy(MissionId),
    #[error("the system gave no random numbers")]
    NoRandomness,
}

impl HostError {
    pub fn code(&self) -> &'static str {
        match self {
            Self::Refused(refused) => refused.code(),
            Self::MissionUnknown(_) => "ADJ-5001",
            Self::JournalBroken { source, .. } => source.code(),
            Self::JournalUnreadable { .. } => "ADJ-3102",
            Self::JournalCorrupt { .. } => "ADJ-3103",
            Self::Append(error) => error.code(),
            Self::Store(error) => error.code(),
            Self::Encode(_) => "ADJ-5002",
            Self::NotLoaded { code, .. } | Self::NotSaved { code, .. } => code,
            Self::Draining => "ADJ-5003",
            Self::Busy(_) => "ADJ-5004",
            Self::NoRandomness => "ADJ-5005",
        }
    }

    /// What to do about it, in one sentence.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Refused(refused) => refusal_remedy(refused),
            Self::MissionUnknown(_) => "See `adjutant list` for the missions there are.",
            Self::JournalBroken { .. } | Self::JournalCorrupt { .. } => {
                "Run `adjutant verify` and restore the store from a backup; nothing was changed."
            }
            Self::JournalUnreadable { .. } => {
                "It was written by a newer version, or altered: use that version, or run `adjutant verify`."
            }
            Self::Append(error) => error.remedy(),
            Self::Store(error) => error.remedy(),
            Self::Encode(_) => "This is a defect of Adjutant; please report it.",
            Self::NotLoaded { .. } => "Run `adjutant verify` on the mission; nothing was changed.",
            Self::NotSaved { .. } => "Mend the cause and repeat the command; nothing was changed.",
            Self::Draining => "Start it again with `adjutant up` and repeat the command.",
            Self::Busy(_) => "Wait a moment and repeat the command.",
            Self::NoRandomness => "Check that the system's random device works.",
        }
    }

    /// The message with all its causes, in one line.
    pub fn chain(&self) -> String {
        let mut text = self.to_string();
        let mut cause = std::error::Error::source(self);
        while let Some(next) = cause {
            text.push_str(": ");
            text.push_str(&next.to_string());
            cause = next.source();
        }
        text
    }

    /// Whether the same call may succeed later without anything being mended.
    pub fn is_passing(&self) -> bool {
        matches!(self, Self::Busy(_) | Self::Draining)
    }
}

fn refusal_remedy(refused: &Refused) -> &'static str {
    match refused {
        Refused::PlanInvalid(_) => "Correct the plan; `adjutant plan check` names every problem.",
        Refused::CommandRepeated => "Nothing to do: it counts once.",
        Refused::CheckpointUnknown { .. } => "See `adjutant inbox` for the open questions.",
        Refused::CheckpointClaimed { .. } => "Ask them, or wait until the claim ends.",
        Refused::NotAllowed { .. } => "Ask somebody who may.",
        Refused::RoleMissing { .. } => "Set `me.roles` or ADJUTANT_ROLES if you do hold it.",
        Refused::ActionNotOffered { .. } | Refused::OptionUnknown { .. } => {
            "Use one that it offers."
        }
        Refused::OptionNeeded { .. } => "Add `--option`.",
        Refused::ChangeUnfit { .. } => "Correct it as the message says.",
        Refused::MissionEnded { .. }
        | Refused::DoesNotFit { .. }
        | Refused::CheckpointClosed { .. }
        | Refused::EffectNotOutstanding { .. }
        | Refused::OutcomeUnfit { .. } => "See `adjutant show` for where the mission stands.",
        Refused::MachineFault { .. } => "This is a defect of Adjutant; please report it.",
    }
}
