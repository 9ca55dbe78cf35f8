//! Backing a store up while it runs, and restoring it elsewhere, on either kind of store.
//!
//! A backup holds every mission as it was at one moment of its own, with keys wrapped as they are: restoring
//! needs the same master key, and an erased mission's key is in no backup made after it was erased.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};

use adjutant_mission::{AccountKey, Balance, TenantId, Timestamp, accounts};
use adjutant_store::{AttestationRow, RecordKind, RecordRow, Retention, Store, TenantStore};

use crate::JournalError;
use crate::file::{Bytes, Entry, FileReader, FileWriter, Kind, Part, TenantEntry};
use crate::register::REGISTERED;
use crate::tenant::{TenantJournal, Vault};

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
            for kind in RecordKind::ALL {
                if REGISTERED.contains(&kind) {
                    for row in registered(&journal, kind).await? {
                        file.record(row)?;
                    }
                    continue;
                }
                for name in journal.store().record_names(kind).await? {
                    // Registers are where their records are, unless they have none.
                    if kind == RecordKind::Register
                        && RecordKind::parse(&name).is_some_and(|of| REGISTERED.contains(&of))
                    {
                        continue;
                    }
                    // It may have been dropped a moment ago.
                    if let Some(row) = journal.store().record(kind, name).await? {
                        file.record(row)?;
                    }
                }
            }
            for row in journal.store().caps().await? {
                file.put(&Entry::Caps {
                    owner: row.owner,
                    window: row.window,
                    caps: row.caps,
                })?;
            }
            for (key, balance) in journal.store().accounts(Timestamp(0)).await? {
                file.put(&Entry::Account {
                    owner: key.owner,
                    window: key.window,
                    from: key.from,
                    used: balance.used,
                })?;
            }
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
            return Err(file.wrong("this file is an export, not a backup; import it instead"));
        }
        let mut done = BackedUp::default();
        let mut current = None;
        let mut rest = Rest::default();
        while let Some(part) = file.part()? {
            match (part, &current) {
                (Part::Tenant(tenant), before) => {
                    if let Some(before) = before {
                        let rest = std::mem::take(&mut rest);
                        self.restore_rest(store, before, rest).await?;
                    }
                    let scoped = store.tenant(&tenant.name);
                    if let Some(key) = tenant.key {
                        let key = adjutant_store::WrappedKey(key.0);
                        self.master().unwrap(&tenant.name, &key)?;
                        scoped.set_tenant_key(None, key, Vec::new()).await?;
                    }
                    done.tenants += 1;
                    current = Some((tenant.name, scoped));
                }
                (Part::Mission(whole), Some((_, scoped))) => {
                    let mission = whole.row.summary.mission;
                    if !scoped.put_in(*whole).await? {
                        return Err(JournalError::Present { mission });
                    }
                    done.missions += 1;
                }
                (Part::Attestation(row), Some(_)) => rest.signed.push(row),
                (Part::Account(key, used), Some(_)) => {
                    rest.accounts.entry(key).or_default().used = used;
                }
                (Part::Caps(row), Some((_, scoped))) => scoped.set_caps(row).await?,
                (Part::Record(row), Some((_, scoped))) => scoped.put_record(row).await?,
                (_, None) => {
                    return Err(file.wrong("an entry comes before the tenant it belongs to"));
                }
            }
        }
        if let Some(last) = &current {
            self.restore_rest(store, last, rest).await?;
        }
        Ok(done)
    }

    /// What depends on all of a tenant's missions. What accounts hold is what the restored missions have under
    /// way: at the moment of the backup others may have held something too.
    async fn restore_rest<S: Store>(
        &self,
        store: &S,
        (tenant, scoped): &(TenantId, S::Tenant),
        mut rest: Rest,
    ) -> Result<(), JournalError> {
        attest(scoped, rest.signed).await?;
        let journal = self.tenant(store, tenant);
        for mission in journal.missions().await? {
            let row = scoped.row(mission).await?;
            let at_work =
                row.filter(|row| row.kept == Retention::Working && !row.summary.phase.is_ended());
            if at_work.is_none() {
                continue;
            }
            let (mission, _) = journal.load(mission).await?;
            for charge in mission.held() {
                for key in accounts(&mission.account_owners(), charge.at) {
                    let balance = rest.accounts.entry(key).or_default();
                    balance.reserved = balance.reserved.plus(charge.reserve);
                }
            }
        }
        let accounts: Vec<_> = rest.accounts.into_iter().collect();
        if accounts.is_empty() {
            return Ok(());
        }
        Ok(scoped.put_accounts(accounts).await?)
    }
}

/// The records of a kind with their register, as they were at one moment.
async fn registered<T: TenantStore>(
    journal: &TenantJournal<T>,
    kind: RecordKind,
) -> Result<Vec<RecordRow>, JournalError> {
    loop {
        let register = journal
            .store()
            .record(RecordKind::Register, kind.name().to_owned());
        let register = register.await?;
        let mut rows = journal.store().records(kind).await?;
        let again = journal
            .store()
            .record(RecordKind::Register, kind.name().to_owned());
        if again.await? == register {
            rows.extend(register);
            return Ok(rows);
        }
    }
}

/// What is written once all of a tenant's missions are there.
#[derive(Debug, Default)]
struct Rest {
    signed: Vec<AttestationRow>,
    accounts: BTreeMap<AccountKey, Balance>,
}

async fn attest<T: TenantStore>(store: &T, rows: Vec<AttestationRow>) -> Result<(), JournalError> {
    if rows.is_empty() || store.attest(rows).await? {
        return Ok(());
    }
    Err(JournalError::Damaged {
        code: "ADJ-3051",
        what: "signatures are missing from the backup".to_owned(),
    })
}
