//! What can go wrong between a caller and a mission.

use adjutant_effects::StartRefused;
use adjutant_journal::JournalError;
use adjutant_knowledge_base::KnowledgeError;
use adjutant_mission::{AgentId, ForkRefused, MissionId, Refused, TenantId};
use adjutant_schedule::Zone;
use adjutant_store::{AppendError, StoreError};
use adjutant_supervision::RecordError;

use crate::stops::{StopScope, Stopped};
use crate::{TooManyStarts, TriggerError};

const MIB: u64 = 1 << 20;

#[derive(Debug, thiserror::Error)]
pub enum HostError {
    #[error(transparent)]
    Refused(#[from] Refused),
    #[error(transparent)]
    Fork(#[from] ForkRefused),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("the mission cannot be loaded: {why}")]
    NotLoaded { code: &'static str, why: String },
    #[error("nothing was saved: {why}")]
    NotSaved { code: &'static str, why: String },
    #[error("the host is shutting down")]
    Draining,
    #[error("tenant `{tenant}` uses {} MiB, and its quota is {} MiB", used / MIB, quota / MIB)]
    QuotaReached {
        tenant: TenantId,
        used: u64,
        quota: u64,
    },
    #[error("this host has no signing key")]
    NoSigningKey,
    #[error("the plan calls tools that are not permitted: {told}")]
    ToolsNotPermitted { told: String },
    #[error(
        "you call yourself `{claimed}`, but where several people must approve you are who your account is, {}",
        account.as_ref().map_or("which is unknown".into(), |account| format!("`{account}`"))
    )]
    ClaimedName {
        claimed: AgentId,
        account: Option<AgentId>,
    },
    #[error("this idempotency key was already used for a different request")]
    KeyOfAnother,
    #[error("nothing waits for a choice under {0}")]
    OfferUnknown(MissionId),
    #[error("the workflow was suggested to somebody else")]
    OfferOfAnother,
    #[error("the suggestion was answered before, with {choice}")]
    OfferAnswered { choice: String },
    #[error("no mission can be started: {stopped}")]
    OpeningStopped { stopped: Stopped },
    #[error("the mission cannot continue: {stopped}")]
    StillStopped { stopped: Stopped },
    #[error("{scope} is not stopped")]
    NotStopped { scope: StopScope },
    #[error("{stopped}, since {}", Zone::utc().tell(stopped.at))]
    AlreadyStopped { stopped: Stopped },
    #[error("`{name}` is stopped, which this version does not recognize")]
    StopUnknown { name: String },
    #[error("mission {0} has too many commands waiting")]
    Busy(MissionId),
    #[error(transparent)]
    Trigger(#[from] TriggerError),
    #[error(transparent)]
    TooManyStarts(#[from] TooManyStarts),
    #[error(transparent)]
    Knowledge(#[from] KnowledgeError),
    #[error("the mission is not started: {0}")]
    Rules(#[from] StartRefused),
    #[error(transparent)]
    Supervisors(#[from] RecordError),
}

impl From<StoreError> for HostError {
    fn from(error: StoreError) -> Self {
        Self::Journal(error.into())
    }
}

impl From<AppendError> for HostError {
    fn from(error: AppendError) -> Self {
        Self::Journal(error.into())
    }
}

impl HostError {
    pub fn code(&self) -> &'static str {
        match self {
            Self::Refused(refused) => refused.code(),
            Self::Fork(refused) => refused.code(),
            Self::Journal(error) => error.code(),
            Self::NotLoaded { code, .. } | Self::NotSaved { code, .. } => code,
            Self::Draining => "ADJ-5003",
            Self::Busy(_) => "ADJ-5004",
            Self::QuotaReached { .. } => "ADJ-5006",
            Self::NoSigningKey => "ADJ-5007",
            Self::ToolsNotPermitted { .. } => "ADJ-5008",
            Self::OpeningStopped { .. } => "ADJ-5021",
            Self::StillStopped { .. } => "ADJ-5022",
            Self::NotStopped { .. } => "ADJ-5023",
            Self::StopUnknown { .. } => "ADJ-5025",
            Self::AlreadyStopped { .. } => "ADJ-5026",
            Self::ClaimedName { .. } => "ADJ-5027",
            Self::KeyOfAnother => "ADJ-6229",
            Self::OfferUnknown(_) => "ADJ-6257",
            Self::OfferOfAnother => "ADJ-6258",
            Self::OfferAnswered { .. } => "ADJ-6259",
            Self::Trigger(error) => error.code(),
            Self::TooManyStarts(over) => over.code(),
            Self::Knowledge(error) => error.code(),
            Self::Rules(StartRefused::NobodyToAsk(_)) => "ADJ-6197",
            Self::Rules(_) => "ADJ-6192",
            Self::Supervisors(error) => error.code(),
        }
    }

    /// What to do about it, in one sentence.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Refused(refused) => refusal_remedy(refused),
            Self::Fork(ForkRefused::Refused(refused)) => refusal_remedy(refused),
            Self::Fork(refused) => refused.remedy(),
            Self::Journal(error) => error.remedy(),
            Self::NotLoaded { .. } => "Run `adjutant verify` on the mission; nothing was changed.",
            Self::NotSaved { .. } => "Fix the cause and retry; nothing was changed.",
            Self::Draining => "Start the host again with `adjutant up` and repeat the command.",
            Self::QuotaReached { .. } => {
                "Prune or erase missions, or raise `keeping.quota_mb`; running missions continue."
            }
            Self::ToolsNotPermitted { .. } => {
                "Use other tools, or ask the operator to change the `[tools]` settings."
            }
            Self::ClaimedName { .. } => {
                "Unset `me.id` and ADJUTANT_USER, or go through `adjutant serve` with an access token of your own."
            }
            Self::KeyOfAnother => {
                "Send a new key with every new request, and the same key only when you repeat one."
            }
            Self::OfferUnknown(_) => {
                "Ask again with execute_workflow and the intent; suggestions wait for 24 hours."
            }
            Self::OfferOfAnother => "Ask with the intent in your own name.",
            Self::OfferAnswered { .. } => {
                "Call workflow_status with the workflow_id, or ask again with the intent."
            }
            Self::NoSigningKey => "Start the host with a signing key.",
            Self::OpeningStopped { .. } | Self::StillStopped { .. } => {
                "See `adjutant stops`; `adjutant allow` lifts the stop."
            }
            Self::NotStopped { .. } => "List the active stops with `adjutant stops`.",
            Self::AlreadyStopped { .. } => {
                "Nothing to do: it is already stopped. Lift the stop with `adjutant allow` before you set a new one."
            }
            Self::StopUnknown { .. } => "Use the newer version of Adjutant that set the stop.",
            Self::Busy(_) => "Wait a moment and repeat the command.",
            Self::Trigger(error) => error.remedy(),
            Self::TooManyStarts(over) => over.remedy(),
            Self::Knowledge(error) => error.remedy(),
            Self::Supervisors(error) => error.remedy(),
            Self::Rules(StartRefused::NobodyToAsk(_)) => {
                "Start it as a mission of its own, whose plan a person approves."
            }
            Self::Rules(_) => {
                "Change what the rule objects to, or ask whoever maintains the rules; see docs/rules.md."
            }
        }
    }

    /// The message with all its causes, in one line.
    pub fn chain(&self) -> String {
        adjutant_text::errors::with_causes(self)
    }

    /// Whether another host has the store now.
    pub fn is_taken_over(&self) -> bool {
        let Self::Journal(
            JournalError::Append(AppendError::Store(error)) | JournalError::Store(error),
        ) = self
        else {
            return false;
        };
        matches!(error, StoreError::TakenOver { .. })
    }

    /// Whether the same call may succeed later without anything being mended.
    pub fn is_passing(&self) -> bool {
        matches!(self, Self::Busy(_) | Self::Draining)
    }
}

fn refusal_remedy(refused: &Refused) -> &'static str {
    match refused {
        Refused::PlanInvalid(_) => "Correct the plan; `adjutant plan check` names every problem.",
        Refused::CommandRepeated => "Nothing to do: the command was already applied.",
        Refused::CheckpointUnknown { .. } => "See `adjutant inbox` for the open questions.",
        Refused::CheckpointClaimed { .. } => "Ask them, or wait until the claim ends.",
        Refused::NotAllowed { .. } => "Ask someone who is allowed to.",
        Refused::RoleMissing { .. } => "Set `me.roles` or ADJUTANT_ROLES if you have the role.",
        Refused::ActionNotOffered { .. } => "Use one that the question offers.",
        Refused::OptionUnknown { .. } => {
            "Use one that the question offers; `adjutant decide` lists them."
        }
        Refused::OptionNeeded { .. } => "Add `--option`.",
        Refused::ChangeUnfit { .. } => "Correct it as described in the message.",
        Refused::MissionEnded { .. }
        | Refused::DoesNotFit { .. }
        | Refused::CheckpointClosed { .. }
        | Refused::EffectNotOutstanding { .. }
        | Refused::OutcomeUnfit { .. } => "See the mission's state with `adjutant show`.",
        Refused::MachineFault { .. } => "This is a defect of Adjutant; please report it.",
    }
}
