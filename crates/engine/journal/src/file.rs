//! The file that journals travel in: exports and backups alike.
//!
//! One line of JSON after another. The first says what the file is, the last how many lines there are and the
//! hash of all bytes before it. In between, tenant after tenant: the tenant, then each mission followed by its
//! events, blobs and the rest, then the tenant's attestations. Bytes are in base64, hashes in hexadecimal.
//! `docs/export-file.md` describes it for other readers.

use std::io::{BufRead, Read as _, Write};

use adjutant_mission::{
    AccountCaps, AccountKey, AccountOwner, Amounts, CheckpointNumber, MissionId, Severity, Summary,
    TenantId, Timestamp, Window, Zone,
};
use adjutant_store::{
    AttestationRow, Blob, CapsRow, ChainHead, InboxRow, MissionRow, RecordKind, RecordRow,
    Retention, Sealed, Snapshot, StoredEvent, SubjectTag, WholeMission, WrappedKey,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::{JournalError, hex};

const FORMAT: &str = "adjutant journals";
/// Version 1 had no accounts and caps, version 2 no records, version 3 no registers, and no signed summaries.
const VERSION: u32 = 4;
/// The longest line that is read: the largest blob, in base64, and what stands around it.
const LINE_BYTES_MAX: u64 = 400 << 20;

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Entry {
    Adjutant(Header),
    Tenant(TenantEntry),
    Mission(Box<MissionEntry>),
    Event {
        seq: u64,
        hash: String,
        bytes: Bytes,
    },
    Blob {
        digest: String,
        zone: Zone,
        bytes: Bytes,
    },
    Snapshot {
        seq: u64,
        hash: String,
        version: u16,
        passport: Bytes,
    },
    Question {
        number: CheckpointNumber,
        severity: Severity,
        deadline: Timestamp,
        entry: Bytes,
    },
    Subject(String),
    /// In a backup: what an account has used in one of its windows.
    Account {
        owner: AccountOwner,
        window: Window,
        from: Timestamp,
        used: Amounts,
    },
    /// In a backup: what an account may come to.
    Caps {
        owner: AccountOwner,
        window: Window,
        caps: AccountCaps,
    },
    /// In a backup: something small that the tenant keeps beside its journals.
    Record {
        kind: String,
        name: String,
        content: Bytes,
    },
    Attestation {
        number: u64,
        mission: MissionId,
        bytes: Bytes,
    },
    End {
        lines: usize,
        hash: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    pub(crate) format: String,
    pub(crate) version: u32,
    pub(crate) kind: Kind,
    pub(crate) made_at: Timestamp,
}

/// What a file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Some missions, for somebody else to verify and perhaps read.
    Export,
    /// A whole store, to be restored.
    Backup,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TenantEntry {
    pub(crate) name: TenantId,
    /// In a backup: the tenant's key, wrapped by the master key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) key: Option<Bytes>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MissionEntry {
    pub(crate) summary: Summary<Bytes>,
    pub(crate) origin: TenantId,
    pub(crate) kept: String,
    /// In a backup wrapped by the tenant's key, in an export by the key that goes beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) key: Option<Bytes>,
}

/// Bytes in base64.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = STANDARD.decode(text).map_err(serde::de::Error::custom)?;
        Ok(Self(bytes))
    }
}

/// Writes a file, line by line.
pub(crate) struct FileWriter<W> {
    to: W,
    lines: usize,
    hasher: blake3::Hasher,
}

impl<W: Write> FileWriter<W> {
    pub(crate) fn begin(to: W, kind: Kind, made_at: Timestamp) -> Result<Self, JournalError> {
        let mut writer = Self {
            to,
            lines: 0,
            hasher: blake3::Hasher::new(),
        };
        writer.put(&Entry::Adjutant(Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            kind,
            made_at,
        }))?;
        Ok(writer)
    }

    pub(crate) fn put(&mut self, entry: &Entry) -> Result<(), JournalError> {
        let mut line = serde_json::to_vec(entry).map_err(JournalError::Encode)?;
        line.push(b'\n');
        self.to.write_all(&line).map_err(JournalError::Write)?;
        self.hasher.update(&line);
        self.lines += 1;
        Ok(())
    }

    /// A mission with everything of it, under the key that travels with it.
    pub(crate) fn mission(
        &mut self,
        whole: WholeMission,
        key: Option<WrappedKey>,
    ) -> Result<(), JournalError> {
        let MissionRow {
            summary,
            origin,
            kept,
            ..
        } = whole.row;
        let title = Bytes(summary.title.0.clone());
        self.put(&Entry::Mission(Box::new(MissionEntry {
            summary: summary.titled(title),
            origin,
            kept: kept.name().to_owned(),
            key: key.map(|key| Bytes(key.0)),
        })))?;
        for StoredEvent { seq, bytes, hash } in whole.events {
            self.put(&Entry::Event {
                seq,
                hash: hash.to_string(),
                bytes: Bytes(bytes),
            })?;
        }
        for blob in whole.blobs {
            self.put(&Entry::Blob {
                digest: blob.digest.to_string(),
                zone: blob.zone,
                bytes: Bytes(blob.bytes),
            })?;
        }
        if let Some(snapshot) = whole.snapshot {
            self.put(&Entry::Snapshot {
                seq: snapshot.head.seq,
                hash: snapshot.head.hash.to_string(),
                version: snapshot.version,
                passport: Bytes(snapshot.passport.0),
            })?;
        }
        for row in whole.inbox {
            self.put(&Entry::Question {
                number: row.checkpoint.number,
                severity: row.severity,
                deadline: row.deadline,
                entry: Bytes(row.entry.0),
            })?;
        }
        for subject in whole.subjects {
            self.put(&Entry::Subject(hex::write(&subject.0)))?;
        }
        Ok(())
    }

    pub(crate) fn attestations(&mut self, rows: Vec<AttestationRow>) -> Result<(), JournalError> {
        for row in rows {
            self.put(&Entry::Attestation {
                number: row.number,
                mission: row.mission,
                bytes: Bytes(row.bytes),
            })?;
        }
        Ok(())
    }

    pub(crate) fn record(&mut self, row: RecordRow) -> Result<(), JournalError> {
        self.put(&Entry::Record {
            kind: row.kind.name().to_owned(),
            name: row.name,
            content: Bytes(row.content.0),
        })
    }

    /// Ends the file and gives it back. Whoever made it sees that it reaches the disk.
    pub(crate) fn end(mut self) -> Result<W, JournalError> {
        let hash = self.hasher.finalize().to_hex().to_string();
        let lines = self.lines;
        self.put(&Entry::End { lines, hash })?;
        self.to.flush().map_err(JournalError::Write)?;
        Ok(self.to)
    }
}

/// A file as it is read: whole tenants' parts, one mission at a time.
pub(crate) struct FileReader<R> {
    from: R,
    line: usize,
    hasher: blake3::Hasher,
    pub(crate) header: Header,
    next: Option<Entry>,
}

/// What stands next in a file.
#[derive(Debug)]
pub(crate) enum Part {
    Tenant(TenantEntry),
    /// Its row has the key that travels with it.
    Mission(Box<WholeMission>),
    Attestation(AttestationRow),
    Account(AccountKey, Amounts),
    Caps(CapsRow),
    Record(RecordRow),
}

impl<R: BufRead> FileReader<R> {
    pub(crate) fn begin(from: R) -> Result<Self, JournalError> {
        let mut reader = Self {
            from,
            line: 0,
            hasher: blake3::Hasher::new(),
            header: Header {
                format: String::new(),
                version: 0,
                kind: Kind::Export,
                made_at: Timestamp(0),
            },
            next: None,
        };
        match reader.entry()? {
            Entry::Adjutant(header)
                if header.format == FORMAT && (1..=VERSION).contains(&header.version) =>
            {
                reader.header = header;
                Ok(reader)
            }
            Entry::Adjutant(header) => {
                let found = format!("{} {}", header.format, header.version);
                Err(reader.wrong(format!(
                    "the format is `{found}`, but `{FORMAT} {VERSION}` is expected"
                )))
            }
            _ => Err(reader.wrong("the file has no header")),
        }
    }

    pub(crate) fn wrong(&self, why: impl Into<String>) -> JournalError {
        JournalError::File {
            line: self.line,
            why: why.into(),
        }
    }

    fn entry(&mut self) -> Result<Entry, JournalError> {
        if let Some(entry) = self.next.take() {
            return Ok(entry);
        }
        let mut line = Vec::new();
        let mut limited = (&mut self.from).take(LINE_BYTES_MAX);
        self.line += 1;
        let read = std::io::BufRead::read_until(&mut limited, b'\n', &mut line);
        read.map_err(|error| self.wrong(error.to_string()))?;
        if line.last() != Some(&b'\n') {
            return Err(JournalError::FileAltered);
        }
        let entry: Entry = serde_json::from_slice(&line)
            .map_err(|error| self.wrong(format!("this line is not a valid entry: {error}")))?;
        if let Entry::End { lines, hash } = &entry {
            let found = self.hasher.finalize().to_hex().to_string();
            if *lines != self.line - 1 || *hash != found {
                return Err(JournalError::FileAltered);
            }
            self.nothing_follows()?;
        }
        self.hasher.update(&line);
        Ok(entry)
    }

    /// The final hash covers what stands before it: whatever stood behind it, nothing would vouch for.
    fn nothing_follows(&mut self) -> Result<(), JournalError> {
        let more = self.from.fill_buf().map(|rest| !rest.is_empty());
        match more {
            Ok(false) => Ok(()),
            Ok(true) => Err(self.wrong("the file ends here, but more bytes follow")),
            Err(error) => Err(self.wrong(error.to_string())),
        }
    }

    /// The next part; `None` at the end, which has then been checked.
    pub(crate) fn part(&mut self) -> Result<Option<Part>, JournalError> {
        match self.entry()? {
            Entry::Tenant(tenant) => Ok(Some(Part::Tenant(tenant))),
            Entry::Mission(mission) => {
                let whole = self.mission(*mission)?;
                Ok(Some(Part::Mission(Box::new(whole))))
            }
            Entry::Attestation {
                number,
                mission,
                bytes,
            } => Ok(Some(Part::Attestation(AttestationRow {
                number,
                mission,
                bytes: bytes.0,
            }))),
            Entry::Account {
                owner,
                window,
                from,
                used,
            } => {
                let key = AccountKey {
                    owner,
                    window,
                    from,
                };
                Ok(Some(Part::Account(key, used)))
            }
            Entry::Caps {
                owner,
                window,
                caps,
            } => Ok(Some(Part::Caps(CapsRow {
                owner,
                window,
                caps,
            }))),
            Entry::Record {
                kind,
                name,
                content,
            } => {
                let known = RecordKind::parse(&kind);
                let unknown = || self.wrong(format!("unknown record kind `{kind}`"));
                Ok(Some(Part::Record(RecordRow {
                    kind: known.ok_or_else(unknown)?,
                    name,
                    content: Sealed(content.0),
                })))
            }
            Entry::End { .. } => Ok(None),
            _ => Err(self.wrong("this entry belongs to no mission")),
        }
    }

    fn mission(&mut self, mission: MissionEntry) -> Result<WholeMission, JournalError> {
        let kept = Retention::ALL
            .into_iter()
            .find(|kept| kept.name() == mission.kept);
        let kept = kept.ok_or_else(|| self.wrong("a mission has an unknown retention"))?;
        let title = Sealed(mission.summary.title.0.clone());
        let id = mission.summary.mission;
        let mut whole = WholeMission {
            row: MissionRow {
                summary: mission.summary.titled(title),
                origin: mission.origin,
                key: mission.key.map(|key| WrappedKey(key.0)),
                kept,
            },
            events: Vec::new(),
            blobs: Vec::new(),
            snapshot: None,
            inbox: Vec::new(),
            subjects: Vec::new(),
        };
        loop {
            match self.entry()? {
                Entry::Event { seq, hash, bytes } => whole.events.push(StoredEvent {
                    seq,
                    hash: self.hash(&hash)?,
                    bytes: bytes.0,
                }),
                Entry::Blob {
                    digest,
                    zone,
                    bytes,
                } => {
                    let digest = digest.parse();
                    let digest = digest.map_err(|_| self.wrong("this is not a valid digest"))?;
                    whole.blobs.push(Blob::stored(digest, zone, bytes.0));
                }
                Entry::Snapshot {
                    seq,
                    hash,
                    version,
                    passport,
                } => {
                    let hash = self.hash(&hash)?;
                    whole.snapshot = Some(Snapshot {
                        head: ChainHead { seq, hash },
                        version,
                        passport: Sealed(passport.0),
                    });
                }
                Entry::Question {
                    number,
                    severity,
                    deadline,
                    entry,
                } => whole.inbox.push(InboxRow {
                    checkpoint: adjutant_mission::CheckpointId {
                        mission: id,
                        number,
                    },
                    severity,
                    deadline,
                    entry: Sealed(entry.0),
                }),
                Entry::Subject(tag) => {
                    let tag = hex::parse(&tag).and_then(|tag| tag.try_into().ok());
                    let tag = tag.ok_or_else(|| self.wrong("this is not a valid subject tag"))?;
                    whole.subjects.push(SubjectTag(tag));
                }
                other => {
                    self.next = Some(other);
                    return Ok(whole);
                }
            }
        }
    }

    fn hash(&self, text: &str) -> Result<adjutant_store::EventHash, JournalError> {
        text.parse()
            .map_err(|_| self.wrong("this is not a valid hash"))
    }
}
