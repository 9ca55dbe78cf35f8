//! Attestations: signed statements about journals, each tied to the one before it.
//!
//! A tenant has one row of them. Each says, under an Ed25519 signature, where a mission's journal stood at some
//! time, or what of it was removed. Whoever keeps the last one elsewhere can later prove that nothing before it
//! was cut off, rewritten or taken away.
//!
//! Bytes: the statement as one line of JSON, a line feed, the signature in hexadecimal.

use std::collections::BTreeMap;
use std::fmt;

use adjutant_mission::{MissionId, Summary, TenantId, Timestamp};
use adjutant_store::{AttestationRow, ChainHead, EventHash, MissionRow, Sealed, TenantStore};
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use crate::seal::{Secret, bound};
use crate::tenant::TenantJournal;
use crate::{JournalError, charge, hex};

const GENESIS: &str = "adjutant attestations v1";
const SIGNED: &[u8] = b"adjutant attestation v1\n";
const TOLD: &[u8] = b"adjutant summary v1";

/// What signs attestations.
pub struct SigningKey {
    seed: Secret,
    pair: Ed25519KeyPair,
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey({})", self.public())
    }
}

impl SigningKey {
    pub fn generate() -> Result<Self, JournalError> {
        Self::of(Secret::random()?).ok_or(JournalError::NoRandomness)
    }

    fn of(seed: Secret) -> Option<Self> {
        let pair = Ed25519KeyPair::from_seed_unchecked(seed.bytes()).ok()?;
        Some(Self { seed, pair })
    }

    /// Reads a key as [`SigningKey::text`] writes it: 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        Self::of(Secret::from_slice(&hex::parse(text.trim())?)?)
    }

    pub fn text(&self) -> Zeroizing<String> {
        Zeroizing::new(hex::write(self.seed.bytes()))
    }

    /// What others check its signatures with.
    pub fn public(&self) -> String {
        hex::write(self.pair.public_key().as_ref())
    }
}

/// What an attestation says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Statement {
    /// The journal had this event at this place.
    Head {
        mission: MissionId,
        /// Whose genesis the chain begins with.
        origin: TenantId,
        seq: u64,
        hash: String,
        /// What the list said of the mission then, as [`told`] hashes it. Statements from before lists were signed
        /// have none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        summary: Option<String>,
    },
    /// The events 1 to `seq`, the last of them with this hash, were removed.
    Pruned {
        mission: MissionId,
        origin: TenantId,
        seq: u64,
        hash: String,
        reason: String,
    },
    /// Where the registers of the tenant's records stood.
    Records {
        registers: BTreeMap<String, RegisterHead>,
    },
}

/// Where a register stood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegisterHead {
    pub number: u64,
    /// Of its record as it is stored.
    pub hash: String,
}

impl RegisterHead {
    pub(crate) fn of(number: u64, content: &Sealed) -> Self {
        Self {
            number,
            hash: blake3::hash(&content.0).to_hex().to_string(),
        }
    }
}

impl Statement {
    /// What stands in the place of a mission where a statement is about none.
    pub(crate) fn no_mission() -> MissionId {
        MissionId::from_bits(0)
    }

    pub(crate) fn head(
        mission: MissionId,
        origin: &TenantId,
        head: ChainHead,
        summary: Option<String>,
    ) -> Self {
        Self::Head {
            mission,
            origin: origin.clone(),
            seq: head.seq,
            hash: head.hash.to_string(),
            summary,
        }
    }

    /// What it signed of the list, if it speaks of the journal as it stands here.
    pub(crate) fn summary_at(&self, head: ChainHead) -> Option<&str> {
        match self {
            Self::Head {
                summary: Some(summary),
                ..
            } if self.stood() == Some(head) => Some(summary),
            _ => None,
        }
    }

    pub fn mission(&self) -> MissionId {
        match self {
            Self::Head { mission, .. } | Self::Pruned { mission, .. } => *mission,
            Self::Records { .. } => Self::no_mission(),
        }
    }

    /// Where it says the journal stood; `None` if it speaks of none, or what stands there is no hash.
    pub fn stood(&self) -> Option<ChainHead> {
        let (Self::Head { seq, hash, .. } | Self::Pruned { seq, hash, .. }) = self else {
            return None;
        };
        let hash = hash.parse::<EventHash>().ok()?;
        Some(ChainHead { seq: *seq, hash })
    }
}

/// What the list says of a mission, as one hash. The fields are named one by one, for a field that summaries get later
/// must not make earlier signatures fail. Left out are the title, which is sealed, and when the mission is to be
/// woken, which an imported one never is.
pub(crate) fn told(summary: &Summary<Sealed>) -> String {
    let Summary { phase, used, .. } = summary;
    let said = bound(&[
        TOLD,
        &summary.mission.bits().to_be_bytes(),
        phase.name().as_bytes(),
        &[u8::from(summary.paused)],
        &summary.tasks_total.to_le_bytes(),
        &summary.tasks_ended.to_le_bytes(),
        &summary.checkpoints_open.to_le_bytes(),
        &used.money.0.to_le_bytes(),
        &used.tokens.to_le_bytes(),
        &summary.opened_at.0.to_le_bytes(),
        &summary.updated_at.0.to_le_bytes(),
    ]);
    blake3::hash(&said).to_hex().to_string()
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attestation {
    pub tenant: TenantId,
    pub number: u64,
    /// The hash of the one before.
    pub previous: String,
    pub at: Timestamp,
    /// The public key that the signature is checked with.
    pub key: String,
    pub says: Statement,
}

/// Where a tenant's attestations end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttestedHead {
    pub number: u64,
    pub hash: EventHash,
}

impl AttestedHead {
    pub fn genesis(tenant: &TenantId) -> Self {
        let key = blake3::derive_key(GENESIS, tenant.as_str().as_bytes());
        Self {
            number: 0,
            hash: EventHash::from_bytes(key),
        }
    }

    pub fn of(row: &AttestationRow) -> Self {
        Self {
            number: row.number,
            hash: EventHash::from_bytes(*blake3::hash(&row.bytes).as_bytes()),
        }
    }
}

impl Attestation {
    /// The attestation that follows `after`, signed.
    pub(crate) fn sign(
        tenant: &TenantId,
        after: AttestedHead,
        at: Timestamp,
        key: &SigningKey,
        says: Statement,
    ) -> Result<AttestationRow, JournalError> {
        let body = Self {
            tenant: tenant.clone(),
            number: after.number + 1,
            previous: after.hash.to_string(),
            at,
            key: key.public(),
            says,
        };
        let mut bytes = serde_json::to_vec(&body).map_err(JournalError::Encode)?;
        let signature = key.pair.sign(&[SIGNED, &bytes].concat());
        bytes.push(b'\n');
        bytes.extend_from_slice(hex::write(signature.as_ref()).as_bytes());
        Ok(AttestationRow {
            number: body.number,
            mission: body.says.mission(),
            bytes,
        })
    }

    /// Reads one and checks its signature and that its row says the same; `None` if anything does not fit.
    pub fn read(row: &AttestationRow) -> Option<Self> {
        let at = row.bytes.iter().rposition(|&byte| byte == b'\n')?;
        let (body, signature) = (&row.bytes[..at], &row.bytes[at + 1..]);
        let read: Self = serde_json::from_slice(body).ok()?;
        let signature = hex::parse(std::str::from_utf8(signature).ok()?)?;
        let public = hex::parse(&read.key)?;
        UnparsedPublicKey::new(&ED25519, public)
            .verify(&[SIGNED, body].concat(), &signature)
            .ok()?;
        (read.number == row.number && read.says.mission() == row.mission).then_some(read)
    }
}

/// Most attestations in one transaction.
const ATTESTED_AT_ONCE_MAX: usize = 1_000;

impl<T: TenantStore> TenantJournal<T> {
    /// Signs where these missions' journals stand.
    pub async fn attest(
        &self,
        key: &SigningKey,
        at: Timestamp,
        stand: &[(MissionId, ChainHead)],
    ) -> Result<(), JournalError> {
        for some in stand.chunks(ATTESTED_AT_ONCE_MAX) {
            let mut says = Vec::with_capacity(some.len());
            for (mission, head) in some {
                // One that is gone meanwhile has been spoken of already; for what was put in from outside nobody signs.
                if let Some(row) = self.store().row(*mission).await?
                    && self.is_ours(&row).await?
                {
                    // The row was read while the journal stood there only if it still stands there.
                    let stands = self.store().head(*mission).await? == Some(*head);
                    let summary = stands.then(|| told(&row.summary));
                    says.push(Statement::head(*mission, &row.origin, *head, summary));
                }
            }
            loop {
                let rows = self.signed(key, at, &says).await?;
                if rows.is_empty() || self.store().attest(rows).await? {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Signed statements that continue what is there.
    pub(crate) async fn signed(
        &self,
        key: &SigningKey,
        at: Timestamp,
        says: &[Statement],
    ) -> Result<Vec<AttestationRow>, JournalError> {
        let last = self.store().last_attestation().await?;
        let genesis = || AttestedHead::genesis(self.tenant());
        let mut head = last.as_ref().map_or_else(genesis, AttestedHead::of);
        let mut rows = Vec::with_capacity(says.len());
        for says in says {
            let row = Attestation::sign(self.tenant(), head, at, key, says.clone())?;
            head = AttestedHead::of(&row);
            rows.push(row);
        }
        Ok(rows)
    }

    /// Signs every mission whose journal has moved since it was last signed, and says how many those are; and where
    /// registers stand.
    pub async fn attest_all(&self, key: &SigningKey, at: Timestamp) -> Result<usize, JournalError> {
        let (mut before, mut signed) = (None, 0);
        loop {
            let query = adjutant_store::ListQuery {
                phases: None,
                limit: ATTESTED_AT_ONCE_MAX as u32,
                order: adjutant_store::ListOrder::NewestFirst,
                past: before,
            };
            let page = self.store().list(query).await?;
            let mut moved = Vec::new();
            for row in &page {
                let mission = row.summary.mission;
                if !self.is_ours(row).await? {
                    continue;
                }
                let Some(head) = self.store().head(mission).await? else {
                    continue;
                };
                let said = self.store().attestations_of(mission).await?;
                let last = said.last().and_then(Attestation::read);
                if last.is_none_or(|last| last.says.summary_at(head).is_none()) {
                    moved.push((mission, head));
                }
            }
            self.attest(key, at, &moved).await?;
            signed += moved.len();
            before = page.last().map(|row| row.summary.mission);
            if page.len() < ATTESTED_AT_ONCE_MAX {
                break;
            }
        }
        self.attest_records(key, at).await?;
        Ok(signed)
    }

    async fn is_ours(&self, row: &MissionRow) -> Result<bool, JournalError> {
        Ok(!charge::is_open(row) || self.may_be_unsealed(row.summary.mission).await?)
    }
}
