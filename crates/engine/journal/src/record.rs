//! Records: small things that a tenant keeps beside its journals, sealed with a key of its own.

use std::fmt;

use adjutant_store::{RecordKind, RecordRow, Sealed, TenantStore};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::keys::TenantKey;
use crate::register::{self, Keeping, MISSING, Register, keeping};
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
        let opened = self.opened(kind).await?;
        let read = |(name, plain): (String, Vec<u8>)| {
            let value = serde_json::from_slice(&plain).map_err(|_| JournalError::RecordBroken {
                kind,
                name: name.clone(),
            })?;
            Ok((name, value))
        };
        opened.into_iter().map(read).collect()
    }

    /// The records of one kind in the clear: of a kind with versions all of them, each as it was last written.
    async fn opened(&self, kind: RecordKind) -> Result<Vec<(String, Vec<u8>)>, JournalError> {
        if keeping(kind) != Keeping::Versioned {
            let rows = self.store().records(kind).await?;
            return self.open_all(kind, None, rows).await;
        }
        loop {
            let kept = self.register(kind).await?;
            let rows = self.store().records(kind).await?;
            let register = kept.as_ref().map(|(_, register)| register);
            match self.open_all(kind, register, rows).await {
                Ok(opened) => return Ok(opened),
                Err(error) if self.still_stands(kind, kept.as_ref()).await? => return Err(error),
                Err(_) => {}
            }
        }
    }

    async fn open_all(
        &self,
        kind: RecordKind,
        register: Option<&Register>,
        rows: Vec<RecordRow>,
    ) -> Result<Vec<(String, Vec<u8>)>, JournalError> {
        let names = register
            .into_iter()
            .flat_map(|register| register.names.keys());
        for name in names {
            // They come by name.
            if rows.binary_search_by(|row| row.name.cmp(name)).is_err() {
                return Err(register::changed(kind, name, MISSING));
            }
        }
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let secret = self.record_key().await?;
        let mut opened = Vec::with_capacity(rows.len());
        for row in rows {
            let plain = match keeping(kind) {
                Keeping::Versioned => self.open_version(&secret, register, &row)?,
                Keeping::Log | Keeping::Loose => self.open_loose(&secret, &row)?,
            };
            opened.push((row.name, plain));
        }
        Ok(opened)
    }

    fn open_loose(&self, secret: &Secret, row: &RecordRow) -> Result<Vec<u8>, JournalError> {
        let place = self.place(row.kind, &row.name);
        seal::open(secret, &place, &row.content.0).ok_or_else(|| JournalError::RecordBroken {
            kind: row.kind,
            name: row.name.clone(),
        })
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
        if keeping(kind) != Keeping::Loose {
            return self.put_registered(kind, name, plain).await;
        }
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
        if keeping(kind) == Keeping::Versioned {
            return self.version_bytes(kind, name).await;
        }
        let Some(row) = self.store().record(kind, name.to_owned()).await? else {
            return Ok(None);
        };
        let secret = match key {
            Some(key) => key.secret(),
            None => self.record_key().await?,
        };
        self.open_loose(&secret, &row).map(Some)
    }

    async fn version_bytes(
        &self,
        kind: RecordKind,
        name: &str,
    ) -> Result<Option<Vec<u8>>, JournalError> {
        loop {
            let kept = self.register(kind).await?;
            let register = kept.as_ref().map(|(_, register)| register);
            let row = self.store().record(kind, name.to_owned()).await?;
            let is_named = register.is_some_and(|register| register.names.contains_key(name));
            let opened = match row {
                Some(row) => self
                    .open_version(&self.record_key().await?, register, &row)
                    .map(Some),
                None if is_named => Err(register::changed(kind, name, MISSING)),
                None => Ok(None),
            };
            match opened {
                Ok(opened) => return Ok(opened),
                Err(error) if self.still_stands(kind, kept.as_ref()).await? => return Err(error),
                Err(_) => {}
            }
        }
    }

    pub(crate) async fn record_key(&self) -> Result<Secret, JournalError> {
        let key = self.key().await?.ok_or_else(|| JournalError::KeyDamaged {
            of: format!("tenant `{}`", self.tenant()),
        })?;
        Ok(key.records())
    }

    /// Drops a record, and says whether there was one.
    pub async fn drop_record(&self, kind: RecordKind, name: &str) -> Result<bool, JournalError> {
        if keeping(kind) == Keeping::Versioned {
            return self.drop_registered(kind, name).await;
        }
        Ok(self.store().drop_record(kind, name.to_owned()).await?)
    }

    pub(crate) fn place(&self, kind: RecordKind, name: &str) -> Vec<u8> {
        let tenant = self.tenant().as_str().as_bytes();
        bound(&[RECORD, tenant, kind.name().as_bytes(), name.as_bytes()])
    }
}

impl TenantKey {
    /// Stays when the tenant's key changes, so that no record has to be sealed again.
    pub(crate) fn records(&self) -> Secret {
        self.lasting("adjutant records v1")
    }
}
