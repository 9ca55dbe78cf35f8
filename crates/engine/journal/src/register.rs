//! Registers: which records there are and in which version, so that none is taken out or put back as it once was.
//!
//! Kinds whose records permit, forbid or start something have a register: a sealed record that names each of them with
//! the number of its last change. That number is part of what the record's seal is bound to, so an earlier version
//! does not open. A log only grows: its register names its last entry and says how many there are. Where registers
//! stand is signed together with the journals.
//!
//! **Invariant:** A register changes in the same transaction as the record that it speaks of.

use std::collections::BTreeMap;

use adjutant_store::{ExpectedRecord, RecordChanges, RecordKind, RecordRow, Sealed, TenantStore};
use serde::{Deserialize, Serialize};

use crate::JournalError;
use crate::keys::TenantKey;
use crate::seal::{self, Secret, bound};
use crate::tenant::TenantJournal;

const VERSION: &[u8] = b"adjutant record v2";

/// How the records of a kind are looked after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keeping {
    /// Each has a version, and all are named in a register.
    Versioned,
    /// They are numbered and never change; the register names the last.
    Log,
    /// Each is sealed by itself.
    Loose,
}

pub(crate) const REGISTERED: [RecordKind; 6] = [
    RecordKind::Stop,
    RecordKind::Trigger,
    RecordKind::Namespace,
    RecordKind::Access,
    RecordKind::Caps,
    RecordKind::Audit,
];

pub(crate) fn keeping(kind: RecordKind) -> Keeping {
    match kind {
        RecordKind::Audit => Keeping::Log,
        _ if REGISTERED.contains(&kind) => Keeping::Versioned,
        _ => Keeping::Loose,
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Register {
    /// Grows with every change; of a log, how many entries it has.
    pub(crate) number: u64,
    /// Each record with the number of its last change, 0 for one that was sealed before there were versions. Of a
    /// log, only the last.
    pub(crate) names: BTreeMap<String, u64>,
}

impl Register {
    pub(crate) fn is_past_end(&self, name: &str) -> bool {
        self.names
            .last_key_value()
            .is_none_or(|(last, _)| last.as_str() < name)
    }
}

/// A register, and its record as it is stored.
pub(crate) type Kept = (Sealed, Register);

pub(crate) fn changed(kind: RecordKind, name: &str, how: &'static str) -> JournalError {
    JournalError::RecordChanged {
        kind,
        name: name.to_owned(),
        how,
    }
}

pub(crate) const MISSING: &str = "is missing";
pub(crate) const PUT_IN: &str = "was not put there by Adjutant";
const CUT: &str = "is not the end of its log: entries were removed or put in";
pub(crate) const EARLIER: &str = "was altered, or an earlier version of it was put back";

impl<T: TenantStore> TenantJournal<T> {
    /// The register of a kind; none where none was made yet.
    pub(crate) async fn register(&self, kind: RecordKind) -> Result<Option<Kept>, JournalError> {
        // Asked before reading: whatever is read after it is at least as new.
        let seen = self.vault().seen(self.tenant(), kind);
        let name = kind.name().to_owned();
        let Some(row) = self.store().record(RecordKind::Register, name).await? else {
            let missing = seen.is_some() || self.is_signed_for(kind.name()).await?;
            return match missing {
                true => Err(JournalError::RegisterMissing { of: kind.name() }),
                false => Ok(None),
            };
        };
        let register: Register = self.open_own(&row, &self.record_key().await?)?;
        if seen.is_some_and(|seen| register.number < seen) {
            return Err(JournalError::RegisterOld { of: kind.name() });
        }
        self.vault().saw(self.tenant(), kind, register.number);
        Ok(Some((row.content, register)))
    }

    /// Whether the register is still the one that was read: if not, somebody wrote meanwhile.
    pub(crate) async fn still_stands(
        &self,
        kind: RecordKind,
        read: Option<&Kept>,
    ) -> Result<bool, JournalError> {
        let name = kind.name().to_owned();
        let row = self.store().record(RecordKind::Register, name).await?;
        Ok(row.map(|row| row.content).as_ref() == read.map(|(content, _)| content))
    }

    /// Reads a register, or another record that is sealed as registers are.
    pub(crate) fn open_own<V: serde::de::DeserializeOwned>(
        &self,
        row: &RecordRow,
        secret: &Secret,
    ) -> Result<V, JournalError> {
        let plain = seal::open(secret, &self.place(row.kind, &row.name), &row.content.0);
        let value = plain.and_then(|plain| serde_json::from_slice(&plain).ok());
        value.ok_or_else(|| JournalError::RecordBroken {
            kind: row.kind,
            name: row.name.clone(),
        })
    }

    pub(crate) fn own_row<V: Serialize>(
        &self,
        secret: &Secret,
        name: &str,
        value: &V,
    ) -> Result<RecordRow, JournalError> {
        let kind = RecordKind::Register;
        let plain = serde_json::to_vec(value).map_err(JournalError::Encode)?;
        let content = seal::seal(secret, &self.place(kind, name), &plain)?;
        Ok(RecordRow {
            kind,
            name: name.to_owned(),
            content: Sealed(content),
        })
    }

    /// What a record in this version is bound to.
    pub(crate) fn version_place(&self, kind: RecordKind, name: &str, version: u64) -> Vec<u8> {
        if version == 0 {
            return self.place(kind, name);
        }
        let tenant = self.tenant().as_str().as_bytes();
        let (kind, name) = (kind.name().as_bytes(), name.as_bytes());
        bound(&[VERSION, tenant, kind, name, &version.to_le_bytes()])
    }

    /// Opens a record as the register knows it.
    pub(crate) fn open_version(
        &self,
        secret: &Secret,
        register: Option<&Register>,
        row: &RecordRow,
    ) -> Result<Vec<u8>, JournalError> {
        let version = match register {
            Some(register) => register.names.get(&row.name).copied(),
            None => Some(0),
        };
        let version = version.ok_or_else(|| changed(row.kind, &row.name, PUT_IN))?;
        let place = self.version_place(row.kind, &row.name, version);
        seal::open(secret, &place, &row.content.0)
            .ok_or_else(|| changed(row.kind, &row.name, EARLIER))
    }

    /// Keeps a record of a registered kind.
    pub(crate) async fn put_registered(
        &self,
        kind: RecordKind,
        name: &str,
        plain: &[u8],
    ) -> Result<(), JournalError> {
        let key = self.key_or_new().await?;
        let secret = key.records();
        loop {
            let (before, mut register, mut put) = match self.register(kind).await? {
                Some((content, register)) => (Some(content), register, Vec::new()),
                None => {
                    let (register, put) = self.adopted(kind, &key).await?;
                    (None, register, put)
                }
            };
            let place = match keeping(kind) {
                Keeping::Log if !register.is_past_end(name) => {
                    // Written once more, an entry stays where it was, and the log ends where it did.
                    let content = Sealed(seal::seal(&secret, &self.place(kind, name), plain)?);
                    let name = name.to_owned();
                    let again = RecordRow {
                        kind,
                        name,
                        content,
                    };
                    return Ok(self.store().put_record(again).await?);
                }
                Keeping::Log => {
                    register.number += 1;
                    register.names = [(name.to_owned(), register.number)].into();
                    self.place(kind, name)
                }
                Keeping::Versioned | Keeping::Loose => {
                    register.number += 1;
                    register.names.insert(name.to_owned(), register.number);
                    self.version_place(kind, name, register.number)
                }
            };
            put.retain(|row: &RecordRow| row.name != name);
            put.push(RecordRow {
                kind,
                name: name.to_owned(),
                content: Sealed(seal::seal(&secret, &place, plain)?),
            });
            if self
                .write(kind, before, &register, put, None, &secret)
                .await?
            {
                return Ok(());
            }
        }
    }

    /// Drops a record of a kind whose records have versions, and says whether there was one.
    pub(crate) async fn drop_registered(
        &self,
        kind: RecordKind,
        name: &str,
    ) -> Result<bool, JournalError> {
        loop {
            let Some((before, mut register)) = self.register(kind).await? else {
                return Ok(self.store().drop_record(kind, name.to_owned()).await?);
            };
            if register.names.remove(name).is_none() {
                return Ok(false);
            }
            register.number += 1;
            let secret = self.record_key().await?;
            let dropped = Some((kind, name.to_owned()));
            let before = Some(before);
            if self
                .write(kind, before, &register, Vec::new(), dropped, &secret)
                .await?
            {
                return Ok(true);
            }
        }
    }

    /// Writes a register together with what changed; `false` if it was not the last one any more.
    async fn write(
        &self,
        kind: RecordKind,
        before: Option<Sealed>,
        register: &Register,
        mut put: Vec<RecordRow>,
        dropped: Option<(RecordKind, String)>,
        secret: &Secret,
    ) -> Result<bool, JournalError> {
        put.push(self.own_row(secret, kind.name(), register)?);
        let changes = RecordChanges {
            expected: ExpectedRecord {
                kind: RecordKind::Register,
                name: kind.name().to_owned(),
                content: before,
            },
            put,
            dropped,
        };
        let written = self.store().change_records(changes).await?;
        if written {
            self.vault().saw(self.tenant(), kind, register.number);
        }
        Ok(written)
    }

    /// Makes the register of a kind that has none yet.
    pub(crate) async fn begin_register(
        &self,
        kind: RecordKind,
        key: &TenantKey,
    ) -> Result<(), JournalError> {
        while self.register(kind).await?.is_none() {
            let (register, put) = self.adopted(kind, key).await?;
            let secret = key.records();
            if self
                .write(kind, None, &register, put, None, &secret)
                .await?
            {
                break;
            }
        }
        Ok(())
    }

    /// A register of what is there, from before there were registers, and what is to be written with it.
    async fn adopted(
        &self,
        kind: RecordKind,
        key: &TenantKey,
    ) -> Result<(Register, Vec<RecordRow>), JournalError> {
        if kind == RecordKind::Caps {
            return self.adopted_caps(&key.records()).await;
        }
        let names = self.store().record_names(kind).await?;
        let register = match keeping(kind) {
            Keeping::Log => {
                let number = names.len() as u64;
                let last = names.into_iter().next_back();
                Register {
                    number,
                    names: last.map(|last| (last, number)).into_iter().collect(),
                }
            }
            Keeping::Versioned | Keeping::Loose => Register {
                number: 0,
                names: names.into_iter().map(|name| (name, 0)).collect(),
            },
        };
        Ok((register, Vec::new()))
    }

    /// The names of a log's entries, in order, with nothing missing at its end.
    pub async fn log_names(&self, kind: RecordKind) -> Result<Vec<String>, JournalError> {
        loop {
            let kept = self.register(kind).await?;
            let names = self.store().record_names(kind).await?;
            let Some((_, register)) = &kept else {
                return Ok(names);
            };
            let last = register.names.last_key_value();
            let fits =
                names.len() as u64 == register.number && names.last() == last.map(|(last, _)| last);
            if fits {
                return Ok(names);
            }
            if self.still_stands(kind, kept.as_ref()).await? {
                let last = last.map_or("", |(last, _)| last.as_str());
                return Err(changed(kind, last, CUT));
            }
        }
    }
}
