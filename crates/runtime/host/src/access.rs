//! Keys that let people and programs in over HTTP. Only the hash of a key is kept: who loses one makes another.

use adjutant_mission::{Actor, AgentId, Role, TenantId, Timestamp};
use adjutant_store::{RecordKind, Store};
use serde::{Deserialize, Serialize};

use crate::{Host, HostError};

/// What somebody is to the server. Not the roles that checkpoints ask for: those say whose decision it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccessRole {
    Admin,
    Operator,
    Approver,
    Analyst,
    Auditor,
    Viewer,
}

impl AccessRole {
    pub const ALL: [Self; 6] = [
        Self::Admin,
        Self::Operator,
        Self::Approver,
        Self::Analyst,
        Self::Auditor,
        Self::Viewer,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Operator => "operator",
            Self::Approver => "approver",
            Self::Analyst => "analyst",
            Self::Auditor => "auditor",
            Self::Viewer => "viewer",
        }
    }
}

impl AccessRole {
    /// Whether it lets somebody change and stop missions, and make triggers.
    pub fn may_steer(self) -> bool {
        matches!(self, Self::Admin | Self::Operator)
    }
}

/// A key as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccessKey {
    /// The person or program it is for; actions are recorded under this name.
    pub who: AgentId,
    pub role: AccessRole,
    /// The roles whose questions they may answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decides_for: Vec<Role>,
    /// Of the whole token, in hex.
    pub hash: String,
    pub made_at: Timestamp,
    pub made_by: AgentId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<Timestamp>,
}

const PREFIX: &str = "adj_";
const ID_DIGITS: usize = 12;

impl AccessKey {
    /// A new token: under which name its key is kept, and its text, which is shown once.
    pub fn new_token() -> Result<(String, String), HostError> {
        let mut bytes = [0u8; 38];
        getrandom::fill(&mut bytes).map_err(|_| adjutant_journal::JournalError::NoRandomness)?;
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let (id, secret) = hex.split_at(ID_DIGITS);
        Ok((id.to_owned(), format!("{PREFIX}{id}_{secret}")))
    }

    /// Under which name the key of a token is kept, if it is one.
    pub fn id_of(token: &str) -> Option<&str> {
        let (id, _) = token.strip_prefix(PREFIX)?.split_once('_')?;
        let is_id = id.len() == ID_DIGITS && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_id.then_some(id)
    }

    pub fn hash_of(token: &str) -> String {
        blake3::hash(token.as_bytes()).to_hex().to_string()
    }

    /// Whether this token opens at this time.
    pub fn opens(&self, token: &str, now: Timestamp) -> bool {
        let Ok(kept) = blake3::Hash::from_hex(&self.hash) else {
            return false;
        };
        // Hashes are compared in constant time.
        let is_it = kept == blake3::hash(token.as_bytes());
        is_it && self.is_valid(now)
    }

    /// As whom its owner acts: in the first of their roles, if they have any.
    pub fn actor(&self) -> Actor {
        let actor = Actor::human(self.who.clone());
        match self.decides_for.first() {
            Some(role) => actor.with_role(role.clone()),
            None => actor,
        }
    }

    /// Whether it is neither revoked nor expired at this time.
    pub fn is_valid(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }
}

impl<S: Store> Host<S> {
    pub(crate) async fn keep_access(
        &self,
        tenant: &TenantId,
        id: &str,
        key: &AccessKey,
    ) -> Result<(), HostError> {
        let journal = self.journal(tenant);
        Ok(journal.put_record(RecordKind::Access, id, key).await?)
    }

    /// Revokes a key by its name or its owner's, and says how many that were.
    pub(crate) async fn revoke_access(
        &self,
        tenant: &TenantId,
        which: &str,
    ) -> Result<usize, HostError> {
        let journal = self.journal(tenant);
        let keys: Vec<(String, AccessKey)> = journal.records(RecordKind::Access).await?;
        let mut revoked = 0;
        for (id, key) in keys {
            let is_meant = id == which || key.who.as_str() == which;
            if is_meant && key.revoked_at.is_none() {
                let key = AccessKey {
                    revoked_at: Some(self.clock().now()),
                    ..key
                };
                self.keep_access(tenant, &id, &key).await?;
                revoked += 1;
            }
        }
        Ok(revoked)
    }
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]
mod tests {
    use super::*;

    fn key(token: &str) -> AccessKey {
        AccessKey {
            who: AgentId::new("ann").unwrap(),
            role: AccessRole::Viewer,
            decides_for: Vec::new(),
            hash: AccessKey::hash_of(token),
            made_at: Timestamp(0),
            made_by: AgentId::new("root").unwrap(),
            expires_at: Some(Timestamp(100)),
            revoked_at: None,
        }
    }

    #[test]
    fn a_token_opens_until_it_expires_or_is_revoked() {
        let (id, token) = AccessKey::new_token().unwrap();
        assert_eq!(AccessKey::id_of(&token), Some(id.as_str()));
        let key = key(&token);
        assert!(key.opens(&token, Timestamp(99)));
        assert!(!key.opens(&token, Timestamp(100)), "expired");
        assert!(!key.opens("adj_000000000000_00", Timestamp(0)), "another");
        let revoked = AccessKey {
            revoked_at: Some(Timestamp(1)),
            ..key
        };
        assert!(!revoked.opens(&token, Timestamp(2)));
    }

    #[test]
    fn what_is_no_token_has_no_key() {
        for text in [
            "",
            "adj_",
            "adj__x",
            "adj_12345_x",
            "adj_zzzzzzzzzzzz_x",
            "sk-1",
        ] {
            assert_eq!(AccessKey::id_of(text), None, "{text}");
        }
    }
}
