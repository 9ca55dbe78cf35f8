//! Records: small things that a tenant keeps beside its journals, sealed with a key of its own.

use adjutant_store::{RecordKind, RecordRow, Sealed, TenantStore};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::JournalError;
use crate::keys::TenantKey;
use crate::seal::{self, Secret, bound};
use crate::tenant::TenantJournal;

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
        let key = self.key().await?.ok_or_else(|| JournalError::KeyDamaged {
            of: format!("tenant `{}`", self.tenant()),
        })?;
        let secret = key.records();
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
        let secret = self.key_or_new().await?.records();
        let content = seal::seal(&secret, &self.place(kind, name), &plain)?;
        let row = RecordRow {
            kind,
            name: name.to_owned(),
            content: Sealed(content),
        };
        Ok(self.store().put_record(row).await?)
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
