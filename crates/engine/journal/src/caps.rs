//! What accounts may come to, kept twice: in the clear, where the store's writer reads it, and sealed, so that it is
//! known who is right. The sealed copy is written first and wins.

use adjutant_mission::{AccountCaps, AccountOwner, Window};
use adjutant_store::{CapsRow, RecordKind, RecordRow, Sealed, TenantStore};
use serde::{Deserialize, Serialize};

use crate::JournalError;
use crate::register::Register;
use crate::seal::{self, Secret};
use crate::tenant::TenantJournal;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SealedCaps {
    owner: AccountOwner,
    window: Window,
    caps: AccountCaps,
}

impl From<CapsRow> for SealedCaps {
    fn from(row: CapsRow) -> Self {
        Self {
            owner: row.owner,
            window: row.window,
            caps: row.caps,
        }
    }
}

impl From<SealedCaps> for CapsRow {
    fn from(sealed: SealedCaps) -> Self {
        Self {
            owner: sealed.owner,
            window: sealed.window,
            caps: sealed.caps,
        }
    }
}

fn name_of(row: &CapsRow) -> String {
    format!("{} {}", row.owner.name(), row.window.name())
}

impl<T: TenantStore> TenantJournal<T> {
    /// Says what an account may come to, from the next reservation on; with empty caps, anything.
    pub async fn set_caps(&self, row: CapsRow) -> Result<(), JournalError> {
        let name = name_of(&row);
        if row.caps == AccountCaps::default() {
            self.drop_record(RecordKind::Caps, &name).await?;
        } else {
            let sealed = SealedCaps::from(row.clone());
            self.put_record(RecordKind::Caps, &name, &sealed).await?;
        }
        Ok(self.store().set_caps(row).await?)
    }

    /// What was set last; none where nobody knows yet.
    async fn sealed_caps(&self) -> Result<Option<Vec<CapsRow>>, JournalError> {
        if self.register(RecordKind::Caps).await?.is_none() {
            return Ok(None);
        }
        let sealed: Vec<(String, SealedCaps)> = self.records(RecordKind::Caps).await?;
        Ok(Some(
            sealed.into_iter().map(|(_, row)| row.into()).collect(),
        ))
    }

    /// Caps that the writer goes by and that are not those that were set, with the right ones.
    pub(crate) async fn wrong_caps(&self) -> Result<Vec<CapsRow>, JournalError> {
        let Some(right) = self.sealed_caps().await? else {
            return Ok(Vec::new());
        };
        let found = self.store().caps().await?;
        let mut wrong: Vec<CapsRow> = right
            .iter()
            .filter(|row| !found.contains(row))
            .cloned()
            .collect();
        let is_set = |row: &CapsRow| right.iter().any(|set| name_of(set) == name_of(row));
        for row in found.into_iter().filter(|row| !is_set(row)) {
            wrong.push(CapsRow {
                caps: AccountCaps::default(),
                ..row
            });
        }
        Ok(wrong)
    }

    /// The caps of a tenant that has no sealed ones yet, sealed.
    pub(crate) async fn adopted_caps(
        &self,
        secret: &Secret,
    ) -> Result<(Register, Vec<RecordRow>), JournalError> {
        let kind = RecordKind::Caps;
        let mut register = Register::default();
        let mut put = Vec::new();
        for row in self.store().caps().await? {
            let name = name_of(&row);
            register.number += 1;
            let plain = serde_json::to_vec(&SealedCaps::from(row)).map_err(JournalError::Encode)?;
            let place = self.version_place(kind, &name, register.number);
            let content = Sealed(seal::seal(secret, &place, &plain)?);
            register.names.insert(name.clone(), register.number);
            put.push(RecordRow {
                kind,
                name,
                content,
            });
        }
        Ok((register, put))
    }
}
