//! What is done beside missions and must be accounted for: who came in, what was taken out, what was changed. What
//! missions do stands in their journals. Each entry names the digest of the one before it, and a register names the
//! last, so that none can be changed or taken out unseen.

use std::collections::HashMap;

use adjutant_journal::{JournalError, TenantJournal};
use adjutant_mission::{AgentId, MissionId, TenantId, Timestamp, TriggerId};
use adjutant_store::{RecordKind, Store, TenantStore};
use serde::{Deserialize, Serialize};

use crate::{AccessRole, Host, HostError, Upkeep};

/// Something that is accounted for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Audited {
    /// Somebody came in over HTTP: with the key of that name, or with the server's own token.
    SignIn {
        role: AccessRole,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
    },
    /// So often since it was last noted.
    SignInRefused { times: u64 },
    /// Somebody whose role does not let them asked for this route, so often since it was last noted.
    Refused { route: String, times: u64 },
    /// A mission, or what it hands over, was taken out.
    Export { mission: MissionId, what: String },
    /// The audit itself was taken out.
    AuditExport {},
    /// What holds for missions was to be changed. It is noted before it is done, so that no change goes unnoted.
    Configuration { change: String, of: String },
    /// The change of that note was refused, or did not come to its end.
    NotDone { note: u64, why: String },
    /// A trigger was put on hold: whoever made it may no longer do what it does.
    TriggerHeld {
        trigger: TriggerId,
        code: String,
        why: String,
    },
}

impl Audited {
    pub fn kind(&self) -> &'static str {
        match self {
            Self::SignIn { .. } => "sign_in",
            Self::SignInRefused { .. } => "sign_in_refused",
            Self::Refused { .. } => "refused",
            Self::Export { .. } => "export",
            Self::AuditExport {} => "audit_export",
            Self::Configuration { .. } => "configuration",
            Self::NotDone { .. } => "not_done",
            Self::TriggerHeld { .. } => "trigger_held",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditEntry {
    /// From 1, without gaps.
    pub number: u64,
    pub at: Timestamp,
    /// Who; none where it was done on the machine itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<AgentId>,
    pub what: Audited,
    /// Of the entry before; of nothing, for the first.
    pub before: String,
}

impl AuditEntry {
    /// What the next entry names it by.
    fn digest(&self) -> Result<String, JournalError> {
        let said = serde_json::to_vec(self).map_err(JournalError::Encode)?;
        Ok(blake3::hash(&said).to_hex().to_string())
    }
}

/// Where the next entry goes: its number, and the digest of the last.
type Heads = HashMap<TenantId, (u64, String)>;

#[derive(Debug, Default)]
pub(crate) struct Audit(tokio::sync::Mutex<Heads>);

fn name_of(number: u64) -> String {
    format!("{number:016}")
}

/// Entries after this number, in order, as many as are asked for.
pub async fn audit_entries<T: TenantStore>(
    journal: &TenantJournal<T>,
    after: u64,
    limit: usize,
) -> Result<Vec<AuditEntry>, JournalError> {
    let names = journal.log_names(RecordKind::Audit).await?;
    let start = names.partition_point(|name| *name <= name_of(after));
    let mut entries = Vec::new();
    for name in names[start..].iter().take(limit) {
        let entry: Option<AuditEntry> = journal.record(RecordKind::Audit, name).await?;
        entries.extend(entry);
    }
    Ok(entries)
}

/// The number of the first entry that is missing or was changed; none if all are as they were noted.
pub async fn audit_broken_at<T: TenantStore>(
    journal: &TenantJournal<T>,
) -> Result<Option<u64>, JournalError> {
    let mut entries: Vec<(String, AuditEntry)> = journal.records(RecordKind::Audit).await?;
    entries.sort_by(|(one, _), (other, _)| one.cmp(other));
    let mut before = String::new();
    for (number, (name, entry)) in (1..).zip(&entries) {
        if entry.number != number || *name != name_of(number) || entry.before != before {
            return Ok(Some(number));
        }
        before = entry.digest()?;
    }
    match journal.log_names(RecordKind::Audit).await {
        Ok(_) => Ok(None),
        Err(JournalError::RecordChanged { .. }) => Ok(Some(entries.len() as u64 + 1)),
        Err(error) => Err(error),
    }
}

impl<S: Store> Host<S> {
    /// Notes something, and says under which number. When this returns well, it is durable.
    pub async fn note(
        &self,
        tenant: &TenantId,
        by: Option<AgentId>,
        what: Audited,
    ) -> Result<u64, HostError> {
        let journal = self.journal(tenant);
        let mut heads = self.shared().audit.0.lock().await;
        let (last, before) = match heads.remove(tenant) {
            Some(head) => head,
            None => head_of(&journal).await?,
        };
        let entry = AuditEntry {
            number: last + 1,
            at: self.clock().now(),
            by,
            what,
            before,
        };
        // Only when it is kept it is known: what may have been is looked up again.
        let name = name_of(entry.number);
        journal.put_record(RecordKind::Audit, &name, &entry).await?;
        heads.insert(tenant.clone(), (entry.number, entry.digest()?));
        Ok(entry.number)
    }
}

async fn head_of<T: TenantStore>(
    journal: &TenantJournal<T>,
) -> Result<(u64, String), JournalError> {
    let names = journal.log_names(RecordKind::Audit).await?;
    let Some(last) = names.last() else {
        return Ok((0, String::new()));
    };
    let entry: Option<AuditEntry> = journal.record(RecordKind::Audit, last).await?;
    match entry {
        Some(entry) => Ok((entry.number, entry.digest()?)),
        None => Ok((0, String::new())),
    }
}

impl Upkeep {
    /// What of it is a change that must be accounted for, and by whom it is said to be.
    pub(crate) fn audited(&self) -> Option<(Option<AgentId>, Audited)> {
        let (by, change, of) = match self {
            // What was read and found changes nothing that holds.
            Self::Sign | Self::Rate { .. } => return None,
            Self::Erase { missions, by, .. } => {
                let missions: Vec<String> = missions.iter().map(ToString::to_string).collect();
                (Some(&by.id), "erase", missions.join(" "))
            }
            Self::Prune { before, .. } => (None, "prune", before.0.to_string()),
            Self::SetCaps {
                owner,
                window,
                caps,
            } => {
                let told = serde_json::json!({ "per": window, "caps": caps });
                (None, "set_caps", format!("{} {told}", owner.name()))
            }
            Self::Stop { scope, by, reason } => {
                (Some(&by.id), "stop", format!("{scope}: {reason}"))
            }
            Self::Allow { scope, by } => (Some(&by.id), "allow", scope.to_string()),
            Self::AddTrigger { id, trigger } => {
                (Some(&trigger.made_by.id), "add_trigger", id.to_string())
            }
            Self::CancelTrigger { id, by } => (Some(&by.id), "cancel_trigger", id.to_string()),
            Self::Knowledge { namespace, .. } => (None, "knowledge", namespace.to_string()),
            Self::RateMission { rating } => {
                // The remark stays where erasing finds it.
                let stars = rating.stars.map_or(0, u8::from);
                let of = format!("{} {stars}", rating.mission);
                (Some(&rating.by), "rate_mission", of)
            }
            Self::GiveAccess { id, key } => (
                Some(&key.made_by),
                "give_access",
                format!("{id} {} {}", key.who, key.role.name()),
            ),
            Self::RevokeAccess { which } => (None, "revoke_access", which.clone()),
        };
        let change = change.to_owned();
        Some((by.cloned(), Audited::Configuration { change, of }))
    }
}
