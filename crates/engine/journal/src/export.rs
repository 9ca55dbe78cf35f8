//! Exporting missions for somebody else, and importing what somebody else exported.
//!
//! What is exported stays sealed. With a key that goes beside the file it can be read elsewhere; without one it
//! can be verified there, and no more.

use std::io::{BufRead, Write};

use adjutant_mission::{MissionId, TenantId, Timestamp};
use adjutant_store::{
    AttestationRow, ChainHead, Retention, StoredEvent, TenantStore, WholeMission, WrappedKey,
};
use zeroize::Zeroizing;

use crate::attest::Attestation;
use crate::file::{Entry, FileReader, FileWriter, Kind, Part, TenantEntry};
use crate::keys::DataKey;
use crate::mission_seal::MissionSeal;
use crate::seal::{self, Secret, bound};
use crate::tenant::TenantJournal;
use crate::verify::{self, AttestationWalk, Attested, Damage, Verified, verify_whole};
use crate::{JournalError, charge, hex};

const EXPORTED_KEY: &[u8] = b"adjutant exported key v1";

/// Opens what was exported with it. It travels apart from the file.
#[derive(Debug, Clone)]
pub struct ExportKey(Secret);

impl ExportKey {
    pub fn generate() -> Result<Self, JournalError> {
        Secret::random().map(Self)
    }

    /// Reads a key as [`ExportKey::text`] writes it: 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = Zeroizing::new(hex::parse(text.trim())?);
        Secret::from_slice(&bytes).map(Self)
    }

    pub fn text(&self) -> Zeroizing<String> {
        Zeroizing::new(hex::write(self.0.bytes()))
    }

    fn wrap(&self, mission: MissionId, key: &DataKey) -> Result<WrappedKey, JournalError> {
        let place = bound(&[EXPORTED_KEY, &mission.bits().to_be_bytes()]);
        seal::seal(&self.0, &place, key.0.bytes()).map(WrappedKey)
    }

    fn unwrap(&self, mission: MissionId, wrapped: &WrappedKey) -> Result<DataKey, JournalError> {
        let place = bound(&[EXPORTED_KEY, &mission.bits().to_be_bytes()]);
        let plain = seal::open(&self.0, &place, &wrapped.0).map(Zeroizing::new);
        let secret = plain.and_then(|plain| Secret::from_slice(&plain));
        secret
            .map(DataKey)
            .ok_or(JournalError::WrongExportKey { mission })
    }
}

impl<T: TenantStore> TenantJournal<T> {
    /// Writes missions and what was signed about them, with their keys under `key` if there is one.
    pub async fn export<W: Write + Send>(
        &self,
        missions: &[MissionId],
        key: Option<&ExportKey>,
        at: Timestamp,
        to: W,
    ) -> Result<W, JournalError> {
        let mut file = FileWriter::begin(to, Kind::Export, at)?;
        file.put(&Entry::Tenant(TenantEntry {
            name: self.tenant().clone(),
            key: None,
        }))?;
        let mut attestations: Vec<AttestationRow> = Vec::new();
        for mission in missions {
            let whole = self.store().take_out(*mission).await?;
            let mut whole = whole.ok_or(JournalError::MissionUnknown(*mission))?;
            let data_key = match whole.row.kept {
                Retention::Working | Retention::Archived => {
                    self.seal_of(&whole.row).await?.key().cloned()
                }
                Retention::Erased | Retention::Pruned => None,
            };
            let wrapped = match (key, data_key) {
                (Some(key), Some(data)) => Some(key.wrap(*mission, &data)?),
                _ => None,
            };
            // Whom it concerns is tagged with this tenant's key, and means nothing elsewhere.
            whole.subjects.clear();
            file.mission(whole, wrapped)?;
            attestations.extend(self.store().attestations_of(*mission).await?);
        }
        attestations.sort_by_key(|row| row.number);
        file.attestations(attestations)?;
        file.end()
    }

    /// Takes in what was exported elsewhere, once all of it has been verified; then it can be read here, if the
    /// key came along, and verified here in any case. It is not moved on. What is here already without its key is
    /// given it.
    pub async fn import<R: BufRead + Send>(
        &self,
        from: R,
        key: Option<&ExportKey>,
    ) -> Result<Vec<Verified>, JournalError> {
        let mut read = read_file(from, key)?;
        let mut verified = Vec::new();
        for (whole, seal) in &read.missions {
            let mission = whole.row.summary.mission;
            let present = self.store().row(mission).await?;
            if present.is_some() && !self.lacks_key_of(whole, seal.as_ref()).await? {
                return Err(JournalError::Present { mission });
            }
            if let Some(damage) = read.forged(mission, &[]) {
                return Err(damaged(damage));
            }
            let said = read.of(mission);
            let proved = verify_whole(whole, &said, seal.as_ref(), None).map_err(damaged)?;
            if !proved.listed {
                return Err(JournalError::ListedUnproved { mission });
            }
            verified.push(proved);
        }
        let tenant_key = self.key_or_new().await?;
        let open = read.missions.iter().filter(|(whole, seal)| {
            seal.as_ref().and_then(MissionSeal::key).is_none() && charge::is_open(&whole.row)
        });
        let open: Vec<MissionId> = open.map(|(whole, _)| whole.row.summary.mission).collect();
        self.let_unsealed_in(&tenant_key, open.into_iter()).await?;
        for (mut whole, seal) in std::mem::take(&mut read.missions) {
            let mission = whole.row.summary.mission;
            whole.row.key = match seal.as_ref().and_then(MissionSeal::key) {
                Some(key) => Some(tenant_key.wrap(mission, key)?),
                None => None,
            };
            if whole.row.kept == Retention::Working {
                whole.row.kept = Retention::Archived;
            }
            whole.row.summary.wake_at = None;
            whole.inbox.clear();
            let key = whole.row.key.clone();
            let taken = self.store().put_in(whole).await?
                || match key {
                    Some(key) => self.store().give_key(mission, key).await?,
                    None => false,
                };
            if !taken {
                return Err(JournalError::Present { mission });
            }
        }
        Ok(verified)
    }

    /// Whether this very mission is here without the key that came now.
    async fn lacks_key_of(
        &self,
        whole: &WholeMission,
        seal: Option<&MissionSeal>,
    ) -> Result<bool, JournalError> {
        let mission = whole.row.summary.mission;
        let here = self.store().row(mission).await?;
        let here = here.is_some_and(|row| row.kept == Retention::Archived && row.key.is_none());
        let head = self.store().head(mission).await?;
        let same = head == whole.events.last().map(StoredEvent::head);
        Ok(here && same && seal.and_then(MissionSeal::key).is_some())
    }
}

fn damaged(damage: Damage) -> JournalError {
    JournalError::Damaged {
        code: damage.code,
        what: damage.what,
    }
}

/// What a file was found to hold.
#[derive(Debug)]
pub struct FileVerified {
    pub kind: Kind,
    pub made_at: Timestamp,
    /// Each mission with its tenant.
    pub missions: Vec<(TenantId, MissionId, Result<Verified, Damage>)>,
    /// Of a backup: each tenant's attestations, from the first to the last.
    pub attestations: Vec<(TenantId, Result<Attested, Damage>)>,
}

/// Verifies a file by itself, with nothing but the file, and an export's key if there is one.
pub fn verify_file<R: BufRead>(
    from: R,
    key: Option<&ExportKey>,
    signers: &[String],
    known: Option<ChainHead>,
) -> Result<FileVerified, JournalError> {
    let read = read_file(from, key)?;
    let mut missions = Vec::new();
    for ((whole, seal), tenant) in read.missions.iter().zip(&read.tenants) {
        let id = whole.row.summary.mission;
        let said = read.of(id);
        let found = match read.forged(id, signers) {
            Some(damage) => Err(damage),
            None => verify_whole(whole, &said, seal.as_ref(), known),
        };
        missions.push((tenant.clone(), id, found));
    }
    let mut attestations = Vec::new();
    if read.kind == Kind::Backup {
        for (tenant, rows) in &read.attestations {
            let mut walk = AttestationWalk::new(tenant, signers, None);
            let walked = rows.iter().try_for_each(|row| walk.feed(row));
            attestations.push((tenant.clone(), walked.and_then(|()| walk.end())));
        }
    }
    Ok(FileVerified {
        kind: read.kind,
        made_at: read.made_at,
        missions,
        attestations,
    })
}

type Sealing = Option<MissionSeal>;

/// A file in memory.
struct Read {
    kind: Kind,
    made_at: Timestamp,
    missions: Vec<(WholeMission, Sealing)>,
    /// Whose each of them is, in the same order.
    tenants: Vec<TenantId>,
    attestations: Vec<(TenantId, Vec<AttestationRow>)>,
}

impl Read {
    fn rows_of(&self, mission: MissionId) -> impl Iterator<Item = (&TenantId, &AttestationRow)> {
        let all = self.attestations.iter();
        all.flat_map(|(tenant, rows)| rows.iter().map(move |row| (tenant, row)))
            .filter(move |(_, row)| row.mission == mission)
    }

    fn of(&self, mission: MissionId) -> Vec<Attestation> {
        let rows = self.rows_of(mission);
        rows.filter_map(|(tenant, row)| verify::read(tenant, &[], row).ok())
            .collect()
    }

    fn forged(&self, mission: MissionId, signers: &[String]) -> Option<Damage> {
        self.rows_of(mission)
            .find_map(|(tenant, row)| verify::read(tenant, signers, row).err())
    }
}

fn read_file<R: BufRead>(from: R, key: Option<&ExportKey>) -> Result<Read, JournalError> {
    let mut file = FileReader::begin(from)?;
    let mut read = Read {
        kind: file.header.kind,
        made_at: file.header.made_at,
        missions: Vec::new(),
        tenants: Vec::new(),
        attestations: Vec::new(),
    };
    while let Some(part) = file.part()? {
        match part {
            Part::Tenant(tenant) => read.attestations.push((tenant.name, Vec::new())),
            Part::Mission(whole) => {
                let Some((tenant, _)) = read.attestations.last() else {
                    return Err(file.wrong("a mission comes before the tenant it belongs to"));
                };
                let id = whole.row.summary.mission;
                read.tenants.push(tenant.clone());
                let sealing = match (&whole.row.key, key) {
                    (Some(wrapped), Some(key)) if read.kind == Kind::Export => {
                        let data = key.unwrap(id, wrapped)?;
                        Some(MissionSeal::new(whole.row.origin.clone(), id, Some(data)))
                    }
                    _ => None,
                };
                let mut whole = *whole;
                if read.kind == Kind::Export {
                    whole.row.key = None;
                }
                read.missions.push((whole, sealing));
            }
            // What was spent concerns the store, not what is proved of its journals.
            Part::Account(..) | Part::Caps(_) | Part::Record(_) => {}
            Part::Attestation(row) => match read.attestations.last_mut() {
                Some((_, rows)) => rows.push(row),
                None => return Err(file.wrong("a signature comes before the tenant it belongs to")),
            },
        }
    }
    Ok(read)
}
