//! Requests that are sent again: the same key from the same caller means the same mission.

use adjutant_mission::{MissionId, TenantId, Timestamp};
use adjutant_store::{RecordKind, Store};
use serde::{Deserialize, Serialize};

use crate::{Host, HostError, new_mission_id};

const CONTEXT: &str = "adjutant 2026-11 mission of a request key";

/// What a caller chose so that a request can be repeated safely.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestKey {
    /// The name of its record: of the caller and their key.
    name: String,
    /// Of what was asked for: the same key with another request is a mistake.
    asked: String,
}

impl RequestKey {
    pub fn new(caller: &str, key: &str, asked: &[u8]) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key(CONTEXT);
        for part in [caller, key] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        Self {
            name: hasher.finalize().to_hex()[..32].to_owned(),
            asked: blake3::hash(asked).to_hex().to_string(),
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Started {
    mission: MissionId,
    at: Timestamp,
    asked: String,
}

impl<S: Store> Host<S> {
    /// The mission of the request that came before with this key, if one did.
    pub async fn mission_begun(
        &self,
        tenant: &TenantId,
        key: &RequestKey,
    ) -> Result<Option<MissionId>, HostError> {
        let journal = self.journal(tenant);
        let before: Option<Started> = journal.record(RecordKind::Request, &key.name).await?;
        match before {
            Some(before) if before.asked != key.asked => Err(HostError::KeyOfAnother),
            before => Ok(before.map(|before| before.mission)),
        }
    }

    /// The mission that a key stands for: the one of the request that came before, or a new one. It is recorded before it
    /// is returned, so a caller that never hears of it finds it again.
    pub async fn mission_of_key(
        &self,
        tenant: &TenantId,
        key: &RequestKey,
    ) -> Result<MissionId, HostError> {
        // Two at once are one after the other: a store has one host.
        let _alone = self.shared().starting.lock().await;
        if let Some(mission) = self.mission_begun(tenant, key).await? {
            return Ok(mission);
        }
        let now = self.clock().now();
        let started = Started {
            mission: new_mission_id(now)?,
            at: now,
            asked: key.asked.clone(),
        };
        let journal = self.journal(tenant);
        journal
            .put_record(RecordKind::Request, &key.name, &started)
            .await?;
        Ok(started.mission)
    }
}
