//! What the writer can be asked, and how each of them is answered. Nothing is written here.

use adjutant_mission::{AccountKey, Balance, MissionId, TenantId};
use adjutant_store::{
    AppendError, AttestationRow, Batch, CapsRow, Committed, RecordChanges, RecordKind, RecordRow,
    StoreError, WholeMission, WrappedKey,
};
use tokio::sync::{broadcast, oneshot};

pub(crate) enum Job {
    Append(Box<Append>),
    /// Something seldom, done between two groups.
    Change(Box<ChangeJob>),
    /// Finish, and let go of the lock.
    Close(oneshot::Sender<()>),
}

impl Job {
    pub(crate) fn refuse(self, error: &StoreError) {
        match self {
            Self::Append(append) => append.refuse(error.clone()),
            Self::Change(change) => change.answer(Err(error.clone())),
            // Nothing is left to be done for it.
            Self::Close(answer) => drop(answer.send(())),
        }
    }
}

pub(crate) struct Append {
    pub(crate) tenant: TenantId,
    pub(crate) batch: Batch,
    pub(crate) answer: oneshot::Sender<Result<(), AppendError>>,
}

impl Append {
    pub(crate) fn refuse(self, error: impl Into<AppendError>) {
        // Whoever asked may have gone.
        let _ = self.answer.send(Err(error.into()));
    }

    /// Tells the world of what is on disk: those who listen, then whoever asked.
    pub(crate) fn confirm(self, committed: &broadcast::Sender<Committed>) {
        if let Some(last) = self.batch.events.last()
            && committed.receiver_count() > 0
        {
            // An error only means that the last subscriber has just gone.
            let _ = committed.send(Committed {
                tenant: self.tenant,
                mission: self.batch.mission,
                seq: last.seq,
            });
        }
        let _ = self.answer.send(Ok(()));
    }
}

pub(crate) enum Change {
    SetTenantKey {
        expected: Option<WrappedKey>,
        key: WrappedKey,
        rewrapped: Vec<(MissionId, WrappedKey)>,
    },
    Attest(Vec<AttestationRow>),
    Prune(MissionId, AttestationRow),
    PutIn(Box<WholeMission>),
    GiveKey(MissionId, WrappedKey),
    SetCaps(CapsRow),
    PutAccounts(Vec<(AccountKey, Balance)>),
    PutRecord(RecordRow),
    PutRecords(RecordChanges),
    DropRecord(RecordKind, String),
}

/// A change that somebody waits for. `false` says that it does not fit what is there.
pub(crate) struct ChangeJob {
    pub(crate) tenant: TenantId,
    pub(crate) change: Change,
    pub(crate) answer: oneshot::Sender<Result<bool, StoreError>>,
}

impl ChangeJob {
    pub(crate) fn answer(self, done: Result<bool, StoreError>) {
        // Whoever asked may have gone; what was done stays done.
        let _ = self.answer.send(done);
    }
}
