//! Sealing and opening what one mission says: events, blobs, its title, its inbox, its snapshot.
//!
//! **Invariant:** A seal is bound to its place: tenant, mission, kind, and for events the number and label. Moved
//! anywhere else it does not open.
//!
//! **Invariant:** A blob's nonce follows from its content under its mission's key. So the same content is stored once
//! per mission, and the digest tells nothing outside of it.

use adjutant_mission::{
    DecodeError, InboxEntry, Json, MissionId, Outcome, Payload, Recorded, TenantId, Zone,
};
use adjutant_store::{Blob, InboxRow, Sealed};

use crate::JournalError;
use crate::event::{self, Label};
use crate::keys::DataKey;
use crate::seal::{self, bound};

/// Outputs up to this size stand in the journal; larger ones in a blob.
const INLINE_BYTES_MAX: usize = 4 * 1024;
const BLOB_NONCE: &str = "adjutant blob nonce v1";
const PSEUDONYMS: &str = "adjutant pseudonyms v1";

/// The seal of one mission. What it seals can be opened in this mission's place only.
#[derive(Debug, Clone)]
pub struct MissionSeal {
    origin: TenantId,
    mission: MissionId,
    /// Absent for a mission that began before content was sealed: it goes on in the clear.
    key: Option<DataKey>,
}

/// What a sealed thing is: part of the place it is bound to.
#[derive(Debug, Clone, Copy)]
enum Part {
    Title,
    Inbox,
    Snapshot,
    Event,
    Blob,
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Self::Title => "the title",
            Self::Inbox => "a question",
            Self::Snapshot => "the snapshot",
            Self::Event => "an event",
            Self::Blob => "a blob",
        }
    }
}

impl MissionSeal {
    pub(crate) fn new(origin: TenantId, mission: MissionId, key: Option<DataKey>) -> Self {
        Self {
            origin,
            mission,
            key,
        }
    }

    pub(crate) fn key(&self) -> Option<&DataKey> {
        self.key.as_ref()
    }

    fn place(&self, part: Part, detail: &[u8]) -> Vec<u8> {
        bound(&[
            part.name().as_bytes(),
            self.origin.as_str().as_bytes(),
            &self.mission.bits().to_be_bytes(),
            detail,
        ])
    }

    fn seal(&self, part: Part, detail: &[u8], plain: Vec<u8>) -> Result<Vec<u8>, JournalError> {
        match &self.key {
            Some(key) => seal::seal(&key.0, &self.place(part, detail), &plain),
            None => Ok(plain),
        }
    }

    fn open(&self, part: Part, detail: &[u8], kept: &[u8]) -> Result<Vec<u8>, JournalError> {
        let Some(key) = &self.key else {
            return Ok(kept.to_vec());
        };
        seal::open(&key.0, &self.place(part, detail), kept).ok_or_else(|| self.broken(part))
    }

    fn broken(&self, part: Part) -> JournalError {
        JournalError::SealBroken {
            mission: self.mission,
            what: part.name(),
        }
    }

    /// The key of this mission's pseudonyms, which is stored nowhere. None if the mission has no key.
    pub fn pseudonym_key(&self) -> Option<[u8; 32]> {
        let key = self.key.as_ref()?;
        Some(*key.0.derive(PSEUDONYMS).bytes())
    }

    /// The bytes of an event, to be stored and hashed.
    pub fn event(&self, recorded: &Recorded) -> Result<Vec<u8>, JournalError> {
        let plain = recorded.encode().map_err(JournalError::Encode)?;
        if self.key.is_none() {
            return Ok(plain);
        }
        let label = Label::of(recorded).encode()?;
        let detail = bound(&[&recorded.seq.to_le_bytes(), &label]);
        event::join(&label, &self.seal(Part::Event, &detail, plain)?)
    }

    /// Reads stored bytes that claim to be event `seq`.
    pub fn open_event(&self, seq: u64, bytes: &[u8]) -> Result<Recorded, JournalError> {
        let decode = |plain: &[u8]| {
            Recorded::decode(seq, plain).map_err(|source: DecodeError| JournalError::Unreadable {
                mission: self.mission,
                source: Box::new(source),
            })
        };
        if self.key.is_none() {
            return decode(bytes);
        }
        // In a sealed journal an event in the clear is a forgery, however well it reads.
        let (label, sealed) = event::parts(bytes).ok_or_else(|| self.broken(Part::Event))?;
        let detail = bound(&[&seq.to_le_bytes(), label]);
        decode(&self.open(Part::Event, &detail, sealed)?)
    }

    pub fn title(&self, title: &str) -> Result<Sealed, JournalError> {
        let plain = title.as_bytes().to_vec();
        self.seal(Part::Title, &[], plain).map(Sealed)
    }

    pub fn open_title(&self, title: &Sealed) -> Result<String, JournalError> {
        let plain = self.open(Part::Title, &[], &title.0)?;
        String::from_utf8(plain).map_err(|_| self.broken(Part::Title))
    }

    pub fn inbox_row(&self, entry: &InboxEntry) -> Result<InboxRow, JournalError> {
        let plain = serde_json::to_vec(entry).map_err(JournalError::Encode)?;
        let number = entry.checkpoint.number.get().to_le_bytes();
        Ok(InboxRow {
            checkpoint: entry.checkpoint,
            severity: entry.severity,
            deadline: entry.deadline,
            entry: self.seal(Part::Inbox, &number, plain).map(Sealed)?,
        })
    }

    pub fn open_inbox(&self, row: &InboxRow) -> Result<InboxEntry, JournalError> {
        let number = row.checkpoint.number.get().to_le_bytes();
        let plain = self.open(Part::Inbox, &number, &row.entry.0)?;
        serde_json::from_slice(&plain).map_err(|_| self.broken(Part::Inbox))
    }

    pub fn snapshot(&self, seq: u64, passport: Vec<u8>) -> Result<Sealed, JournalError> {
        let detail = seq.to_le_bytes();
        self.seal(Part::Snapshot, &detail, passport).map(Sealed)
    }

    pub fn open_snapshot(&self, seq: u64, passport: &Sealed) -> Result<Vec<u8>, JournalError> {
        self.open(Part::Snapshot, &seq.to_le_bytes(), &passport.0)
    }

    /// Content that is stored once however often it comes: its nonce follows from what it says, so the same
    /// content under the same key is the same blob, and different content never shares a nonce.
    pub fn blob(&self, zone: Zone, plain: &[u8]) -> Result<Blob, JournalError> {
        let Some(key) = &self.key else {
            return Ok(Blob::new(zone, plain.to_vec()));
        };
        let nonces = key.0.derive(BLOB_NONCE);
        let mut nonce = [0; 12];
        let digest = blake3::keyed_hash(nonces.bytes(), plain);
        nonce.copy_from_slice(&digest.as_bytes()[..12]);
        let place = self.place(Part::Blob, &[]);
        let sealed = seal::seal_with(&key.0, nonce, &place, plain)?;
        Ok(Blob::new(zone, sealed))
    }

    pub fn open_blob(&self, stored: &[u8]) -> Result<Vec<u8>, JournalError> {
        self.open(Part::Blob, &[], stored)
    }

    /// An outcome as the journal can hold it: large output moves into a blob, but for what questions show of it.
    pub fn fit(
        &self,
        outcome: Outcome,
        shown: impl FnOnce() -> Vec<Vec<String>>,
    ) -> Result<(Outcome, Option<Blob>), JournalError> {
        let Outcome::Done {
            output: Payload::Inline(json),
            usage,
            remarks,
        } = outcome
        else {
            return Ok((outcome, None));
        };
        if json.text().len() <= INLINE_BYTES_MAX {
            let output = Payload::Inline(json);
            return Ok((
                Outcome::Done {
                    output,
                    usage,
                    remarks,
                },
                None,
            ));
        }
        let blob = self.blob(Zone::Sensitive, json.text().as_bytes())?;
        let output = Payload::kept_apart(blob.digest.to_string(), &json, &shown());
        Ok((
            Outcome::Done {
                output,
                usage,
                remarks,
            },
            Some(blob),
        ))
    }

    /// The value a blob holds.
    pub fn open_output(&self, stored: &[u8]) -> Result<Json, JournalError> {
        let plain = self.open_blob(stored)?;
        let text = String::from_utf8(plain).map_err(|_| self.broken(Part::Blob))?;
        Json::parse(&text).map_err(|_| self.broken(Part::Blob))
    }
}

#[cfg(test)]
#[path = "mission_seal_tests.rs"]
mod tests;
