//! Three keys, one above the other: the master key wraps each tenant's, a tenant's wraps its missions'.
//!
//! Only the master key is kept outside of the store. Changing it re-wraps one key per tenant; changing a
//! tenant's re-wraps one key per mission; content is never rewritten. Destroying a mission's key destroys what
//! it sealed.

use std::fmt;

use adjutant_mission::{MissionId, TenantId};
use adjutant_store::{SubjectTag, WrappedKey};
use zeroize::Zeroizing;

use crate::seal::{self, Secret, bound};
use crate::{JournalError, hex};

const TENANT_KEY: &[u8] = b"adjutant tenant key v1";
const MISSION_KEY: &[u8] = b"adjutant mission key v1";
const SUBJECTS: &str = "adjutant subjects v1";

/// The one key that must be kept safe, and apart from the store.
#[derive(Clone)]
pub struct MasterKey {
    secret: Secret,
    id: [u8; 8],
}

impl fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MasterKey({})", self.id())
    }
}

impl MasterKey {
    pub fn generate() -> Result<Self, JournalError> {
        Ok(Self::of(Secret::random()?))
    }

    fn of(secret: Secret) -> Self {
        let named = secret.derive("adjutant master key name v1");
        let mut id = [0; 8];
        id.copy_from_slice(&named.bytes()[..8]);
        Self { secret, id }
    }

    /// Reads a key as [`MasterKey::text`] writes it: 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = Zeroizing::new(hex::parse(text.trim())?);
        Secret::from_slice(&bytes).map(Self::of)
    }

    pub fn text(&self) -> Zeroizing<String> {
        Zeroizing::new(hex::write(self.secret.bytes()))
    }

    /// Names the key without telling it.
    pub fn id(&self) -> String {
        hex::write(&self.id)
    }

    /// Refuses a key that was not wrapped with this one.
    pub(crate) fn check(&self, wrapped: &WrappedKey) -> Result<(), JournalError> {
        let found = wrapped.0.get(..self.id.len()).unwrap_or_default();
        if found == self.id {
            return Ok(());
        }
        Err(JournalError::OtherMasterKey {
            found: hex::write(found),
            given: self.id(),
        })
    }

    pub(crate) fn wrap(
        &self,
        tenant: &TenantId,
        key: &TenantKey,
    ) -> Result<WrappedKey, JournalError> {
        let place = bound(&[TENANT_KEY, tenant.as_str().as_bytes()]);
        let mut plain = Zeroizing::new(key.wrapping.bytes().to_vec());
        plain.extend_from_slice(key.subjects.bytes());
        let sealed = seal::seal(&self.secret, &place, &plain)?;
        Ok(WrappedKey([&self.id[..], &sealed].concat()))
    }

    pub(crate) fn unwrap(
        &self,
        tenant: &TenantId,
        wrapped: &WrappedKey,
    ) -> Result<TenantKey, JournalError> {
        let damaged = || JournalError::KeyDamaged {
            of: format!("tenant `{tenant}`"),
        };
        self.check(wrapped)?;
        let sealed = wrapped.0.get(self.id.len()..).ok_or_else(damaged)?;
        let place = bound(&[TENANT_KEY, tenant.as_str().as_bytes()]);
        let plain = Zeroizing::new(seal::open(&self.secret, &place, sealed).ok_or_else(damaged)?);
        let (wrapping, subjects) = plain.split_at_checked(32).ok_or_else(damaged)?;
        Ok(TenantKey {
            wrapping: Secret::from_slice(wrapping).ok_or_else(damaged)?,
            subjects: Secret::from_slice(subjects).ok_or_else(damaged)?,
        })
    }
}

/// Wraps the keys of a tenant's missions, and names whom they concern.
#[derive(Debug, Clone)]
pub struct TenantKey {
    wrapping: Secret,
    /// Stays when the other changes: tags that name subjects, and records, must go on fitting.
    subjects: Secret,
}

impl TenantKey {
    pub(crate) fn generate() -> Result<Self, JournalError> {
        Ok(Self {
            wrapping: Secret::random()?,
            subjects: Secret::random()?,
        })
    }

    /// Another key that knows the same subjects.
    pub(crate) fn successor(&self) -> Result<Self, JournalError> {
        Ok(Self {
            wrapping: Secret::random()?,
            subjects: self.subjects.clone(),
        })
    }

    pub(crate) fn wrap(
        &self,
        mission: MissionId,
        key: &DataKey,
    ) -> Result<WrappedKey, JournalError> {
        let place = bound(&[MISSION_KEY, &mission.bits().to_be_bytes()]);
        seal::seal(&self.wrapping, &place, key.0.bytes()).map(WrappedKey)
    }

    pub(crate) fn unwrap(
        &self,
        mission: MissionId,
        wrapped: &WrappedKey,
    ) -> Result<DataKey, JournalError> {
        let place = bound(&[MISSION_KEY, &mission.bits().to_be_bytes()]);
        let plain = seal::open(&self.wrapping, &place, &wrapped.0).map(Zeroizing::new);
        let secret = plain.and_then(|plain| Secret::from_slice(&plain));
        secret.map(DataKey).ok_or_else(|| JournalError::KeyDamaged {
            of: mission.to_string(),
        })
    }

    /// A key for another purpose that outlives a change of this one.
    pub(crate) fn lasting(&self, purpose: &str) -> Secret {
        self.subjects.derive(purpose)
    }

    /// The tag of somebody, however they were capitalised or spaced.
    pub fn tag(&self, subject: &str) -> SubjectTag {
        let name = subject.trim().to_lowercase();
        let key = self.lasting(SUBJECTS);
        SubjectTag(*blake3::keyed_hash(key.bytes(), name.as_bytes()).as_bytes())
    }
}

/// Seals the content of one mission.
#[derive(Debug, Clone)]
pub struct DataKey(pub(crate) Secret);

impl DataKey {
    pub(crate) fn generate() -> Result<Self, JournalError> {
        Secret::random().map(Self)
    }
}
