//! Made-up missions for the clauses.

use adjutant_mission::{
    CheckpointId, CheckpointType, InboxEntry, MicroUsd, MissionId, Phase, Severity, Summary,
    TenantId, Timestamp, Urgency, Usage,
};

use crate::{AppendError, Batch, ChainHead, StoredEvent, TenantStore};

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

pub fn summary(mission: MissionId, phase: Phase) -> Summary {
    Summary {
        mission,
        title: format!("Survey of {mission}"),
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

pub fn inbox_entry(
    mission: MissionId,
    number: u32,
    severity: Severity,
    deadline: i64,
) -> InboxEntry {
    InboxEntry {
        checkpoint: CheckpointId { mission, number },
        mission_title: format!("Survey of {mission}"),
        checkpoint_type: CheckpointType::CriticalDecision,
        severity,
        urgency: Urgency::Soon,
        question: format!("Which of the {number} ways?"),
        role: None,
        claimed_by: None,
        opened_at: Timestamp(1_700_000_000_000),
        deadline: Timestamp(deadline),
    }
}

/// Writes one mission's journal and keeps its head, as a host does.
#[derive(Debug, Clone)]
pub struct Writer {
    pub mission: MissionId,
    pub head: ChainHead,
    pub summary: Summary,
}

impl Writer {
    pub fn new(tenant: &TenantId, mission: MissionId, phase: Phase) -> Self {
        Self {
            mission,
            head: ChainHead::genesis(tenant, mission),
            summary: summary(mission, phase),
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
            summary: self.summary.clone(),
            inbox: Vec::new(),
            blobs: Vec::new(),
            snapshot: None,
        }
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
