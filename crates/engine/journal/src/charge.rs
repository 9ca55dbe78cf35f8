//! Taking charge of a store: before a host acts on what it finds, it looks whether that is what was left there.
//!
//! **Invariant:** A host carries out no mission that is not sealed, except those that were there before it first took
//! charge. Their list is sealed, and grows only by what is imported, which is never carried out.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_mission::{MissionId, Timestamp};
use adjutant_store::{ListOrder, ListQuery, MissionRow, RecordKind, Retention, Store, TenantStore};
use serde::{Deserialize, Serialize};

use crate::JournalError;
use crate::attest::{Attestation, RegisterHead, SigningKey, Statement};
use crate::keys::TenantKey;
use crate::register::{Keeping, REGISTERED, keeping};
use crate::seal;
use crate::tenant::{TenantJournal, Vault};
use crate::verify::Damage;

/// The record that names missions which were never sealed.
const UNSEALED: &str = "unsealed";
const MISSIONS_AT_A_TIME: u32 = 500;
const SIGNED_AT_A_TIME: u32 = 500;
/// Most signatures of journals after one of registers.
const SIGNED_SINCE_MAX: u64 = 1_000;

/// What was last signed of registers, and how many signatures ago.
#[derive(Debug, Default)]
struct Signed {
    registers: BTreeMap<String, RegisterHead>,
    since: u64,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Unsealed {
    missions: BTreeSet<MissionId>,
    /// The lists of all tenants were written.
    complete: bool,
}

/// What was proved of what a tenant keeps beside its journals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RecordsVerified {
    pub records: usize,
    /// There are all registers: nothing is from before them that no host has looked at.
    pub registered: bool,
    /// They are signed for as they stand.
    pub signed: bool,
}

impl Vault {
    /// For a host that begins: checks what every tenant keeps beside its journals, refuses what was changed from
    /// outside, and signs it. What is older than registers is taken as it is found, once.
    pub async fn take_charge<S: Store>(
        &self,
        store: &S,
        key: &SigningKey,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        self.signs(key.public());
        let (mut journals, mut settled) = (Vec::new(), false);
        for tenant in store.tenants().await? {
            let journal = self.tenant(store, &tenant);
            journal.check_records(&self.signers()).await?;
            let unsealed = journal.unsealed().await?;
            settled |= unsealed.is_some_and(|unsealed| unsealed.complete);
            journals.push(journal);
        }
        // Only when every list is there one of them says so: who is cut short in between begins again.
        for complete in [false, true] {
            for journal in &journals {
                let tenant_key = journal.make_key().await?;
                journal.establish(&tenant_key, settled, complete).await?;
            }
        }
        for journal in &journals {
            for row in journal.wrong_caps().await? {
                journal.store().set_caps(row).await?;
            }
            journal.attest_records(key, at).await?;
        }
        self.in_charge();
        Ok(())
    }
}

impl<T: TenantStore> TenantJournal<T> {
    /// Makes what a tenant lacks of registers and of its list of unsealed missions. In a store that has settled, none
    /// of a tenant's missions can be older than seals.
    pub(crate) async fn establish(
        &self,
        key: &TenantKey,
        settled: bool,
        complete: bool,
    ) -> Result<(), JournalError> {
        for kind in REGISTERED {
            self.begin_register(kind, key).await?;
        }
        let unsealed = match self.unsealed().await? {
            Some(unsealed) if unsealed.complete || !complete => return Ok(()),
            Some(unsealed) => unsealed,
            None if settled => Unsealed::default(),
            None => Unsealed {
                missions: self.keyless().await?,
                complete: false,
            },
        };
        let unsealed = Unsealed {
            complete,
            ..unsealed
        };
        self.put_unsealed(key, &unsealed).await
    }

    async fn put_unsealed(&self, key: &TenantKey, list: &Unsealed) -> Result<(), JournalError> {
        let row = self.own_row(&key.records(), UNSEALED, list)?;
        Ok(self.store().put_record(row).await?)
    }

    async fn unsealed(&self) -> Result<Option<Unsealed>, JournalError> {
        let name = UNSEALED.to_owned();
        let Some(row) = self.store().record(RecordKind::Register, name).await? else {
            return match self.is_signed_for(UNSEALED).await? {
                true => Err(JournalError::RegisterMissing { of: UNSEALED }),
                false => Ok(None),
            };
        };
        self.open_own(&row, &self.record_key().await?).map(Some)
    }

    /// Missions whose content is there and was never sealed.
    async fn keyless(&self) -> Result<BTreeSet<MissionId>, JournalError> {
        let (mut found, mut past) = (BTreeSet::new(), None);
        loop {
            let query = ListQuery {
                phases: None,
                limit: MISSIONS_AT_A_TIME,
                order: ListOrder::NewestFirst,
                past,
            };
            let page = self.store().list(query).await?;
            let open = page.iter().filter(|row| is_open(row));
            found.extend(open.map(|row| row.summary.mission));
            past = page.last().map(|row| row.summary.mission);
            if page.len() < MISSIONS_AT_A_TIME as usize {
                return Ok(found);
            }
        }
    }

    /// Whether a mission may be unsealed. Where no host of this version was yet, whatever is there may.
    pub(crate) async fn may_be_unsealed(&self, mission: MissionId) -> Result<bool, JournalError> {
        match self.unsealed().await? {
            Some(unsealed) => Ok(unsealed.missions.contains(&mission)),
            None => Ok(!self.vault().is_in_charge()),
        }
    }

    /// Lets missions in that come unsealed from another store.
    pub(crate) async fn let_unsealed_in(
        &self,
        key: &TenantKey,
        missions: impl Iterator<Item = MissionId>,
    ) -> Result<(), JournalError> {
        let Some(mut unsealed) = self.unsealed().await? else {
            return Ok(());
        };
        let before = unsealed.missions.len();
        unsealed.missions.extend(missions);
        match unsealed.missions.len() == before {
            true => Ok(()),
            false => self.put_unsealed(key, &unsealed).await,
        }
    }

    /// What one of these last signed of registers, looked for from the end. What somebody else signed would let them
    /// say where registers stand.
    async fn signed_registers(&self, signers: &[String]) -> Result<Signed, JournalError> {
        let last = self.store().last_attestation().await?;
        let last = last.map_or(0, |last| last.number);
        let mut end = last;
        while end > 0 {
            let from = end.saturating_sub(u64::from(SIGNED_AT_A_TIME)) + 1;
            let rows = self.store().attestations(from, SIGNED_AT_A_TIME).await?;
            let about_none = rows.iter().rev();
            let about_none = about_none.filter(|row| row.mission == Statement::no_mission());
            for row in about_none {
                let read = Attestation::read(row);
                let read = read.filter(|read| signers.is_empty() || signers.contains(&read.key));
                if let Some(Statement::Records { registers }) = read.map(|read| read.says) {
                    let since = last - row.number;
                    return Ok(Signed { registers, since });
                }
            }
            end = from - 1;
        }
        Ok(Signed::default())
    }

    pub(crate) async fn is_signed_for(&self, register: &str) -> Result<bool, JournalError> {
        Ok(self
            .signed_registers(&self.vault().signers())
            .await?
            .registers
            .contains_key(register))
    }

    /// Where registers stand, none of them before what was signed of it.
    async fn register_heads(
        &self,
        signed: &BTreeMap<String, RegisterHead>,
    ) -> Result<BTreeMap<String, RegisterHead>, JournalError> {
        let mut heads = BTreeMap::new();
        for kind in REGISTERED {
            let Some((content, register)) = self.register(kind).await? else {
                continue;
            };
            let head = RegisterHead::of(register.number, &content);
            let is_old = signed.get(kind.name()).is_some_and(|signed| {
                head.number < signed.number || (head.number == signed.number && head != *signed)
            });
            if is_old {
                return Err(JournalError::RegisterOld { of: kind.name() });
            }
            heads.insert(kind.name().to_owned(), head);
        }
        if let Some(unsealed) = self.unsealed().await? {
            let number = unsealed.missions.len() as u64;
            // That it is there is what counts: an earlier one would only name fewer.
            let hash = String::new();
            heads.insert(UNSEALED.to_owned(), RegisterHead { number, hash });
        }
        Ok(heads)
    }

    /// Signs where registers stand, if they have moved.
    pub async fn attest_records(
        &self,
        key: &SigningKey,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        let signer = [key.public()];
        loop {
            let signed = self.signed_registers(&signer).await?;
            let registers = self.register_heads(&signed.registers).await?;
            // Said again now and then, so that nobody has to look far for it.
            if registers == signed.registers && signed.since < SIGNED_SINCE_MAX {
                return Ok(());
            }
            let says = [Statement::Records { registers }];
            let rows = self.signed(key, at, &says).await?;
            if self.store().attest(rows).await? {
                return Ok(());
            }
        }
    }

    /// Whether everything that has a register is as its register says, and no register older than what was signed.
    pub async fn check_records(&self, signers: &[String]) -> Result<RecordsVerified, JournalError> {
        let signed = self.signed_registers(signers).await?;
        let heads = self.register_heads(&signed.registers).await?;
        let mut records = 0;
        for kind in REGISTERED {
            records += match keeping(kind) {
                Keeping::Log => self.log_names(kind).await?.len(),
                Keeping::Versioned | Keeping::Loose => {
                    self.records::<serde::de::IgnoredAny>(kind).await?.len()
                }
            };
        }
        let is_complete = REGISTERED
            .iter()
            .all(|kind| heads.contains_key(kind.name()));
        Ok(RecordsVerified {
            records,
            registered: is_complete,
            signed: is_complete && heads == signed.registers,
        })
    }

    /// The same for whoever verifies, and that the store's writer goes by the caps that were set.
    pub async fn verify_records(
        &self,
        signers: &[String],
    ) -> Result<Result<RecordsVerified, Damage>, JournalError> {
        match self.check_records(signers).await {
            Ok(verified) => match self.wrong_caps().await?.first() {
                None => Ok(Ok(verified)),
                Some(row) => Ok(Err(JournalError::CapsChanged {
                    owner: row.owner.name(),
                }
                .into())),
            },
            Err(error) if error.is_damage() => Ok(Err(error.into())),
            Err(error) => Err(error),
        }
    }
}

/// Whether a mission's content can be read without a key.
pub(crate) fn is_open(row: &MissionRow) -> bool {
    let is_there = matches!(row.kept, Retention::Working | Retention::Archived);
    is_there && row.key.is_none() && !seal::is_sealed(&row.summary.title.0)
}
