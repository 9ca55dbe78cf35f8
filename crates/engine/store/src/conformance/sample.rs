//! Made-up missions for the clauses.

use adjutant_mission::{
    AccountOwner, CheckpointId, CheckpointNumber, MicroUsd, MissionId, Phase, Severity, Summary,
    TenantId, Timestamp, Usage,
};

use crate::{
    AppendError, AttestationRow, Batch, ChainHead, InboxRow, MissionRow, Opening, Retention,
    Sealed, StoredEvent, SubjectTag, TenantStore, WrappedKey,
};

pub fn tenant(name: &str) -> TenantId {
    TenantId::new(name).unwrap()
}

/// The `n`th mission: a larger number is a newer mission.
pub fn mission(n: u64) -> MissionId {
    MissionId::from_parts(
        1_700_000_000_000 + n,
        0x1234_5678_9abc_def0_1234 ^ u128::from(n),
    )
}

pub fn summary(mission: MissionId, phase: Phase) -> Summary<Sealed> {
    Summary {
        mission,
        title: text(&format!("Survey of {mission}")),
        phase,
        paused: false,
        tasks_total: 9,
        tasks_ended: 4,
        checkpoints_open: 1,
        used: Usage {
            money: MicroUsd(1_250_000),
            tokens: 48_000,
        },
        opened_at: Timestamp(1_700_000_000_000),
        updated_at: Timestamp(1_700_000_050_000),
        wake_at: None,
    }
}

/// Stands for sealed content: a store cannot tell.
pub fn text(text: &str) -> Sealed {
    Sealed(text.as_bytes().to_vec())
}

pub fn inbox_row(mission: MissionId, number: u32, severity: Severity, deadline: i64) -> InboxRow {
    InboxRow {
        checkpoint: CheckpointId {
            mission,
            number: CheckpointNumber::new(number),
        },
        severity,
        deadline: Timestamp(deadline),
        entry: text(&format!("Which of the {number} ways?")),
    }
}

/// A key of its own for every mission.
pub(super) fn key(mission: MissionId) -> WrappedKey {
    WrappedKey(mission.bits().to_be_bytes().repeat(4))
}

pub(super) fn subject(name: &str) -> SubjectTag {
    SubjectTag(*blake3::hash(name.as_bytes()).as_bytes())
}

pub(super) fn attestation(number: u64, mission: MissionId) -> AttestationRow {
    AttestationRow {
        number,
        mission,
        bytes: format!("attestation {number} of {mission}").into_bytes(),
    }
}

/// Writes one mission's journal and keeps its head, as a host does.
#[derive(Debug, Clone)]
pub struct Writer {
    pub mission: MissionId,
    pub head: ChainHead,
    pub summary: Summary<Sealed>,
    pub tenant: TenantId,
    pub subjects: Vec<SubjectTag>,
}

impl Writer {
    pub fn new(tenant: &TenantId, mission: MissionId, phase: Phase) -> Self {
        Self {
            mission,
            head: ChainHead::genesis(tenant, mission),
            summary: summary(mission, phase),
            tenant: tenant.clone(),
            subjects: Vec::new(),
        }
    }

    /// The mission's row, once its first batch is written.
    pub fn row(&self) -> MissionRow {
        MissionRow {
            summary: self.summary.clone(),
            origin: self.tenant.clone(),
            key: Some(key(self.mission)),
            kept: Retention::Working,
        }
    }

    /// A batch of the next `count` events, not written yet.
    pub fn next(&self, count: usize) -> Batch {
        let mut head = self.head;
        let mut events = Vec::with_capacity(count);
        for _ in 0..count {
            let (event, next) = head.link(event_bytes(self.mission, head.seq + 1));
            events.push(event);
            head = next;
        }
        Batch {
            mission: self.mission,
            expected: self.head,
            events,
            opening: (self.head.seq == 0).then(|| Opening {
                key: key(self.mission),
                subjects: self.subjects.clone(),
            }),
            summary: self.summary.clone(),
            inbox: Vec::new(),
            blobs: Vec::new(),
            owners: vec![AccountOwner::Tenant],
            charges: Vec::new(),
            snapshot: None,
            erases: false,
        }
    }

    /// The batch that erases the mission's content.
    pub fn erasing(&self) -> Batch {
        let mut batch = self.next(1);
        batch.erases = true;
        batch.summary.title = Sealed::default();
        batch.summary.wake_at = None;
        batch
    }

    pub async fn try_append<T: TenantStore>(
        &mut self,
        store: &T,
        batch: Batch,
    ) -> Result<(), AppendError> {
        let head = batch.events.last().map(StoredEvent::head);
        let summary = batch.summary.clone();
        store.append(batch).await?;
        self.head = head.unwrap_or(self.head);
        self.summary = summary;
        Ok(())
    }

    pub async fn append<T: TenantStore>(&mut self, store: &T, batch: Batch) {
        self.try_append(store, batch).await.unwrap();
    }
}

fn event_bytes(mission: MissionId, seq: u64) -> Vec<u8> {
    format!(r#"{{"seq":{seq},"at":1700000000000,"event":{{"type":"task_started/1","data":{{"task":"survey","attempt":{seq}}}}},"of":"{mission}"}}"#)
        .into_bytes()
}
