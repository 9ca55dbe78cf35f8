//! What can go wrong with keys, seals, signatures and what is kept: a code, what happened, what to do.

use adjutant_mission::{CorruptJournal, DecodeError, MissionId};
use adjutant_store::{AppendError, Broken, RecordKind, Retention, StoreError};

#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("the system's random number generator failed")]
    NoRandomness,
    #[error("content could not be sealed")]
    NotSealed,
    #[error("it is sealed with master key {found}, but the configured key is {given}")]
    OtherMasterKey { found: String, given: String },
    #[error("the key of {of} is damaged")]
    KeyDamaged { of: String },
    #[error(
        "{what} of {mission} cannot be opened with its key: it was altered or moved from elsewhere"
    )]
    SealBroken {
        mission: MissionId,
        what: &'static str,
    },
    #[error(
        "{kind} record `{name}` cannot be opened or read: it was altered or moved from elsewhere"
    )]
    RecordBroken { kind: RecordKind, name: String },
    #[error("{kind} record `{name}` {how}")]
    RecordChanged {
        kind: RecordKind,
        name: String,
        how: &'static str,
    },
    #[error("the register `{of}` is missing: it was removed from the store")]
    RegisterMissing { of: &'static str },
    #[error("the register `{of}` is older than it was when it was last signed or read")]
    RegisterOld { of: &'static str },
    #[error("the caps of `{owner}` in the store are not those that were set")]
    CapsChanged { owner: String },
    #[error(
        "{mission} is not encrypted, and none of the missions from before content was: it was put in from outside"
    )]
    Unsealed { mission: MissionId },
    #[error("there is no mission {0}")]
    MissionUnknown(MissionId),
    #[error("{mission} is {}", kept.name())]
    Gone { mission: MissionId, kept: Retention },
    #[error("{mission} has not ended")]
    Unfinished { mission: MissionId },
    #[error("the content of {mission} is sealed, and its key was not imported")]
    NoKey { mission: MissionId },
    #[error("{mission} was written by a version that did not seal content")]
    NeverSealed { mission: MissionId },
    #[error("this is not the key that was exported with {mission}")]
    WrongExportKey { mission: MissionId },
    #[error(
        "nothing proves what the file says of {mission}: its content is closed, and its state, counts, times and cost \
         are not signed"
    )]
    ListedUnproved { mission: MissionId },
    #[error("the tenant's key was changed by another process at the same time")]
    KeyChanged,
    #[error("line {line} of the file: {why}")]
    File { line: usize, why: String },
    #[error("the file was altered or cut short: its final checksum does not match its content")]
    FileAltered,
    #[error("{what}")]
    Damaged { code: &'static str, what: String },
    #[error("{mission} is already in the store")]
    Present { mission: MissionId },
    #[error("the store is not empty")]
    NotEmpty,
    #[error("writing the file failed: {0}")]
    Write(#[source] std::io::Error),
    #[error("the journal of {mission} is damaged")]
    Broken {
        mission: MissionId,
        source: Box<Broken>,
    },
    #[error("the journal of {mission} cannot be read")]
    Unreadable {
        mission: MissionId,
        source: Box<DecodeError>,
    },
    #[error("the journal of {mission} cannot be replayed")]
    Corrupt {
        mission: MissionId,
        source: Box<CorruptJournal>,
    },
    #[error("an event could not be encoded")]
    Encode(#[source] serde_json::Error),
    #[error("the store could not be read")]
    Store(#[from] StoreError),
    #[error("the change could not be saved")]
    Append(#[from] AppendError),
}

impl JournalError {
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoRandomness => "ADJ-5005",
            Self::NotSealed => "ADJ-4001",
            Self::OtherMasterKey { .. } => "ADJ-4002",
            Self::KeyDamaged { .. } => "ADJ-4003",
            Self::SealBroken { .. } => "ADJ-4004",
            Self::RecordBroken { .. } => "ADJ-4015",
            Self::Gone { .. } => "ADJ-4005",
            Self::Unfinished { .. } => "ADJ-4006",
            Self::NoKey { .. } => "ADJ-4007",
            Self::KeyChanged => "ADJ-4008",
            Self::WrongExportKey { .. } => "ADJ-4014",
            Self::NeverSealed { .. } => "ADJ-4009",
            Self::ListedUnproved { .. } => "ADJ-3111",
            Self::Unsealed { .. } => "ADJ-3112",
            Self::RecordChanged { .. } => "ADJ-3113",
            Self::RegisterMissing { .. } => "ADJ-3114",
            Self::RegisterOld { .. } => "ADJ-3115",
            Self::CapsChanged { .. } => "ADJ-3116",
            Self::File { .. } => "ADJ-4021",
            Self::FileAltered => "ADJ-4022",
            Self::Damaged { code, .. } => code,
            Self::Present { .. } => "ADJ-4023",
            Self::NotEmpty => "ADJ-4024",
            Self::Write(_) => "ADJ-4025",
            Self::MissionUnknown(_) => "ADJ-5001",
            Self::Broken { source, .. } => source.code(),
            Self::Unreadable { .. } => "ADJ-3102",
            Self::Corrupt { .. } => "ADJ-3103",
            Self::Encode(_) => "ADJ-5002",
            Self::Store(error) => error.code(),
            Self::Append(error) => error.code(),
        }
    }

    pub fn remedy(&self) -> &'static str {
        match self {
            Self::NoRandomness => "Check that the system's random device works.",
            Self::NotSealed => {
                "Nothing was written. This is a defect of Adjutant; please report it."
            }
            Self::OtherMasterKey { .. } => {
                "Use the key that it was sealed with (keys.master_file, ADJUTANT_MASTER_KEY); if a key rotation was \
                 interrupted, `adjutant keys rotate` finishes it."
            }
            Self::KeyDamaged { .. } | Self::SealBroken { .. } | Self::RecordBroken { .. } => {
                "Restore the store from a backup that verifies."
            }
            Self::RecordChanged { .. }
            | Self::RegisterMissing { .. }
            | Self::RegisterOld { .. } => {
                "Somebody changed the database: find out who, and restore the store from a backup that verifies."
            }
            Self::CapsChanged { .. } => {
                "Somebody changed the database: the next host puts the caps back that were set."
            }
            Self::Unsealed { .. } => {
                "It is not carried out or signed. Find out who wrote to the database, and restore a backup that verifies."
            }
            Self::Gone { .. } => "It can still be listed and verified, but not read or continued.",
            Self::Unfinished { .. } => {
                "Wait until it ends, or end it with `adjutant abort`, then retry."
            }
            Self::NoKey { .. } => {
                "Import it with the key that was exported with it; until then it can be verified but not read."
            }
            Self::NeverSealed { .. } => "Remove the whole mission with `adjutant prune`.",
            Self::WrongExportKey { .. } => {
                "Use the key file that `adjutant export` wrote next to this file."
            }
            Self::ListedUnproved { .. } => {
                "Import it with its key, or have it signed (`adjutant sign`) and exported again."
            }
            Self::KeyChanged => "Retry; nothing was changed.",
            Self::File { .. } | Self::FileAltered | Self::Damaged { .. } => {
                "Get a new copy of the file from its source; nothing was written."
            }
            Self::Present { .. } => "Nothing to do if it is the same mission; nothing was written.",
            Self::NotEmpty => "Restore into a new place: set ADJUTANT_HOME to an empty folder.",
            Self::Write(_) => "Free some space or choose another folder, then retry.",
            Self::MissionUnknown(_) => "List the missions with `adjutant list`.",
            Self::Broken { .. } | Self::Corrupt { .. } => {
                "Run `adjutant verify` and restore the store from a backup; nothing was changed."
            }
            Self::Unreadable { .. } => {
                "It was written by a newer version or altered: use that version, or run `adjutant verify`."
            }
            Self::Encode(_) => "This is a defect of Adjutant; please report it.",
            Self::Store(error) => error.remedy(),
            Self::Append(error) => error.remedy(),
        }
    }

    /// Whether it says that what a tenant keeps was changed from outside.
    pub(crate) fn is_damage(&self) -> bool {
        matches!(
            self,
            Self::RecordBroken { .. }
                | Self::RecordChanged { .. }
                | Self::RegisterMissing { .. }
                | Self::RegisterOld { .. }
                | Self::CapsChanged { .. }
                | Self::KeyDamaged { .. }
        )
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
}
