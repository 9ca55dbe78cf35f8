//! What is said over the control socket.

use adjutant_mission::{Actor, Command, CommandId, MissionId, Recorded, Start, TenantId};
use serde::{Deserialize, Serialize};

use crate::{AnsweredOffer, ForkRequest, HostError, Offer, RequestKey, Upkeep};

pub const PROTOCOL_VERSION: u16 = 1;

/// The longest line either side accepts: a plan of the largest size fits.
pub const LINE_BYTES_MAX: usize = 32 * 1024 * 1024;

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    Hello,
    Open {
        by: Actor,
        command: CommandId,
        start: Box<Start>,
    },
    Command {
        tenant: TenantId,
        mission: MissionId,
        id: CommandId,
        by: Actor,
        command: Command,
    },
    Fork {
        tenant: TenantId,
        by: Actor,
        command: CommandId,
        fork: Box<ForkRequest>,
    },
    /// Every event from `from_seq` on, as it becomes durable, until the mission has ended.
    Watch {
        tenant: TenantId,
        mission: MissionId,
        from_seq: u64,
    },
    Upkeep {
        tenant: TenantId,
        upkeep: Upkeep,
    },
    /// Which mission a key stands for.
    MissionOfKey {
        tenant: TenantId,
        key: RequestKey,
    },
    /// Keeps what is offered to somebody instead of being started.
    KeepOffer {
        tenant: TenantId,
        offer: Box<Offer>,
    },
    /// Closes an offer, and starts what it was answered with.
    AnswerOffer {
        tenant: TenantId,
        by: Actor,
        command: CommandId,
        given: Box<AnsweredOffer>,
    },
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Reply {
    Hello {
        protocol: u16,
        pid: u32,
    },
    Done,
    /// Done, to so many missions.
    DoneTo(usize),
    Mission(MissionId),
    Event(Box<Recorded>),
    /// The mission has ended, or the host stops: nothing more comes.
    End,
    Problem(Problem),
}

/// An error as it travels: what a person is shown, whichever process it arose in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    pub code: String,
    pub message: String,
    pub remedy: String,
}

impl From<&HostError> for Problem {
    fn from(error: &HostError) -> Self {
        Self {
            code: error.code().into(),
            message: error.chain(),
            remedy: error.remedy().into(),
        }
    }
}

impl Problem {
    pub(crate) fn malformed(why: impl std::fmt::Display) -> Self {
        Self {
            code: "ADJ-5011".into(),
            message: format!("the request cannot be read: {why}"),
            remedy: "Use the same version of `adjutant` as the running host.".into(),
        }
    }
}
