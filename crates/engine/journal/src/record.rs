//! Records: small things that a tenant keeps beside its journals, sealed with a key of its own.

use std::fmt;

use adjutant_store::{RecordKind, RecordRow, Sealed, TenantStore};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::keys::TenantKey;
use crate::seal::{self, Secret, bound};
use crate::tenant::TenantJournal;
use crate::{JournalError, hex};

/// The key of one document's content. It is kept apart from the content, and destroying it destroys that.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContentKey(String);

impl ContentKey {
    pub fn generate() -> Result<Self, JournalError> {
        Ok(Self(hex::write(Secret::random()?.bytes())))
    }

    fn secret(&self) -> Secret {
        Secret::new(blake3::derive_key(
            "adjutant document v1",
            self.0.as_bytes(),
        ))
    }
}

impl fmt::Debug for ContentKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ContentKey(…)")
    }
}

const RECORD: &[u8] = b"adjutant record v1";

impl<T: TenantStore> TenantJournal<T> {
    /// Records of one kind, by name.
    pub async fn records<V: DeserializeOwned>(
        &self,
        kind: RecordKind,
    ) -> Result<Vec<(String, V)>, JournalError> {
        let rows = self.store().records(kind).await?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let secret = self.record_key().await?;
        let open = |row: RecordRow| {
            let broken = || JournalError::RecordBroken {
                kind,
                name: row.name.clone(),
            };
            let place = self.place(kind, &row.name);
            let plain = seal::open(&secret, &place, &row.content.0).ok_or_else(broken)?;
            let value = serde_json::from_slice(&plain).map_err(|_| broken())?;
            Ok((row.name, value))
        };
        rows.into_iter().map(open).collect()
    }

    /// Keeps a record, in the place of one of the same name.
    pub async fn put_record<V: Serialize>(
        &self,
        kind: RecordKind,
        name: &str,
        value: &V,
    ) -> Result<(), JournalError> {
        let plain = serde_json::to_vec(value).map_err(JournalError::Encode)?;
        self.put_record_bytes(kind, name, None, &plain).await
    }

    /// One record, if it is there.
    pub async fn record<V: DeserializeOwned>(
        &self,
        kind: RecordKind,
        name: &str,
    ) -> Result<Option<V>, JournalError> {
        let Some(plain) = self.record_bytes(kind, name, None).await? else {
            return Ok(None);
        };
        let broken = |_| JournalError::RecordBroken {
            kind,
            name: name.to_owned(),
        };
        serde_json::from_slice(&plain).map(Some).map_err(broken)
    }

    /// Keeps bytes as a record: sealed with this key or, without one, with that of the tenant's records.
    pub async fn put_record_bytes(
        &self,
        kind: RecordKind,
        name: &str,
        key: Option<&ContentKey>,
        plain: &[u8],
    ) -> Result<(), JournalError> {
        let secret = match key {
            Some(key) => key.secret(),
            None => self.key_or_new().await?.records(),
        };
        let content = seal::seal(&secret, &self.place(kind, name), plain)?;
        let row = RecordRow {
            kind,
            name: name.to_owned(),
            content: Sealed(content),
        };
        Ok(self.store().put_record(row).await?)
    }

    /// Bytes that were kept as a record.
    pub async fn record_bytes(
        &self,
        kind: RecordKind,
        name: &str,
        key: Option<&ContentKey>,
    ) -> Result<Option<Vec<u8>>, JournalError> {
        let Some(row) = self.store().record(kind, name.to_owned()).await? else {
            return Ok(None);
        };
        let secret = match key {
            Some(key) => key.secret(),
            None => self.record_key().await?,
        };
        let plain = seal::open(&secret, &self.place(kind, name), &row.content.0);
        let broken = || JournalError::RecordBroken {
            kind,
            name: name.to_owned(),
        };
        plain.map(Some).ok_or_else(broken)
    }

    async fn record_key(&self) -> Result<Secret, JournalError> {
        let key = self.key().await?.ok_or_else(|| JournalError::KeyDamaged {
            of: format!("tenant `{}`", self.tenant()),
        })?;
        Ok(key.records())
    }

    /// Drops a record, and says whether there was one.
    pub async fn drop_record(&self, kind: RecordKind, name: &str) -> Result<bool, JournalError> {
        Ok(self.store().drop_record(kind, name.to_owned()).await?)
    }

    fn place(&self, kind: RecordKind, name: &str) -> Vec<u8> {
        let tenant = self.tenant().as_str().as_bytes();
        bound(&[RECORD, tenant, kind.name().as_bytes(), name.as_bytes()])
    }
}

impl TenantKey {
    /// Stays when the tenant's key changes, so that no record has to be sealed again.
    fn records(&self) -> Secret {
        self.lasting("adjutant records v1")
    }
}
