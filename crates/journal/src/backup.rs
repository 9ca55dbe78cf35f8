//! Backing a store up while it runs, and restoring it elsewhere, on either kind of store.
//!
//! A backup holds every mission as it was at one moment of its own, with keys wrapped as they are: restoring
//! needs the same master key, and an erased mission's key is in no backup made after it was erased.

use std::io::{BufRead, Write};

use adjutant_mission::Timestamp;
use adjutant_store::{AttestationRow, Store, TenantStore};

use crate::JournalError;
use crate::file::{Bytes, Entry, FileReader, FileWriter, Kind, Part, TenantEntry};
use crate::tenant::Vault;

const ATTESTATIONS_AT_A_TIME: u32 = 2_000;

/// How much a backup holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BackedUp {
    pub tenants: usize,
    pub missions: usize,
}

impl Vault {
    pub async fn back_up<S: Store, W: Write + Send>(
        &self,
        store: &S,
        at: Timestamp,
        to: W,
    ) -> Result<(BackedUp, W), JournalError> {
        let mut file = FileWriter::begin(to, Kind::Backup, at)?;
        let mut done = BackedUp::default();
        for tenant in store.tenants().await? {
            let journal = self.tenant(store, &tenant);
            let key = journal.store().tenant_key().await?;
            file.put(&Entry::Tenant(TenantEntry {
                name: tenant,
                key: key.map(|key| Bytes(key.0)),
            }))?;
            done.tenants += 1;
            // Attestations first, missions after: what was signed for is then never newer than its journal.
            let (mut signed, mut from) = (Vec::new(), 1);
            loop {
                let page = journal
                    .store()
                    .attestations(from, ATTESTATIONS_AT_A_TIME)
                    .await?;
                from += page.len() as u64;
                let is_last = page.len() < ATTESTATIONS_AT_A_TIME as usize;
                signed.extend(page);
                if is_last {
                    break;
                }
            }
            for mission in journal.missions().await? {
                // One that was opened a moment ago is in the next backup.
                if let Some(whole) = journal.store().take_out(mission).await? {
                    let key = whole.row.key.clone();
                    file.mission(whole, key)?;
                    done.missions += 1;
                }
            }
            file.attestations(signed)?;
        }
        Ok((done, file.end()?))
    }

    /// Puts a backup into an empty store. The file must have been verified before.
    pub async fn restore<S: Store, R: BufRead + Send>(
        &self,
        store: &S,
        from: R,
    ) -> Result<BackedUp, JournalError> {
        if !store.tenants().await?.is_empty() {
            return Err(JournalError::NotEmpty);
        }
        let mut file = FileReader::begin(from)?;
        if file.header.kind != Kind::Backup {
            return Err(file.wrong("this is an export, not a backup: import it"));
        }
        let mut done = BackedUp::default();
        let mut current = None;
        let mut signed = Vec::new();
        while let Some(part) = file.part()? {
            match (part, &current) {
                (Part::Tenant(tenant), before) => {
                    if let Some(before) = before {
                        attest(before, std::mem::take(&mut signed)).await?;
                    }
                    let scoped = store.tenant(&tenant.name);
                    if let Some(key) = tenant.key {
                        let key = adjutant_store::WrappedKey(key.0);
                        self.master().unwrap(&tenant.name, &key)?;
                        scoped.set_tenant_key(None, key, Vec::new()).await?;
                    }
                    done.tenants += 1;
                    current = Some(scoped);
                }
                (Part::Mission(whole), Some(scoped)) => {
                    let mission = whole.row.summary.mission;
                    if !scoped.put_in(*whole).await? {
                        return Err(JournalError::Present { mission });
                    }
                    done.missions += 1;
                }
                (Part::Attestation(row), Some(_)) => signed.push(row),
                (_, None) => return Err(file.wrong("something stands before its tenant")),
            }
        }
        if let Some(last) = &current {
            attest(last, signed).await?;
        }
        Ok(done)
    }
}

async fn attest<T: TenantStore>(store: &T, rows: Vec<AttestationRow>) -> Result<(), JournalError> {
    if rows.is_empty() || store.attest(rows).await? {
        return Ok(());
    }
    Err(JournalError::Damaged {
        code: "ADJ-3051",
        what: "the signatures in the backup leave a gap".to_owned(),
    })
}
