//! What is done to a store apart from moving missions on: signing, erasing, pruning, setting caps, stopping, keeping
//! triggers, changing the knowledge base, keeping outcomes, letting people in. Only a host may, for only one host writes.

use crate::calibration::Pair;
use adjutant_journal::{JournalError, SigningKey};
use adjutant_knowledge_base::{Change as KnowledgeChange, NamespaceName};
use adjutant_mission::{
    AccountCaps, AccountOwner, Actor, AgentId, CommandId, MissionId, TenantId, Timestamp, Trigger,
    TriggerId, Window,
};
use adjutant_store::{CapsRow, RecordKind, Store};
use serde::{Deserialize, Serialize};

use crate::ratings::{MissionRating, OutcomeRecord};
use crate::{AccessKey, Audited, Host, HostError, StopScope};

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Upkeep {
    /// Signs every journal that has moved since it was signed.
    Sign,
    /// Destroys the content of these missions: all of them or, if one cannot be, none. These triggers go with them,
    /// so that none starts another of the kind.
    Erase {
        missions: Vec<MissionId>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        triggers: Vec<TriggerId>,
        by: Actor,
        reason: String,
    },
    /// Removes the journals of missions that ended before then, and triggers that did.
    Prune {
        before: Timestamp,
        reason: String,
    },
    /// Says what an account may come to.
    SetCaps {
        owner: AccountOwner,
        window: Window,
        caps: AccountCaps,
    },
    /// From here on nothing of this is begun.
    Stop {
        scope: StopScope,
        by: Actor,
        reason: String,
    },
    /// It may go on, and what was paused for it does.
    Allow {
        scope: StopScope,
        by: Actor,
    },
    /// Keeps a trigger. The same id twice is the same trigger.
    AddTrigger {
        id: TriggerId,
        trigger: Box<Trigger>,
    },
    CancelTrigger {
        id: TriggerId,
        by: Actor,
    },
    /// Changes a namespace of the knowledge base.
    Knowledge {
        namespace: NamespaceName,
        change: Box<KnowledgeChange>,
    },
    /// Keeps what a conclusion turned out to be worth. The same id twice is the same outcome.
    Rate {
        id: CommandId,
        rated: Box<Pair>,
    },
    /// Keeps what somebody says of a mission, in the place of what they said before.
    RateMission {
        rating: Box<MissionRating>,
    },
    /// Keeps a key that lets somebody in over HTTP.
    GiveAccess {
        id: String,
        key: Box<AccessKey>,
    },
    /// Lets nobody in any more with the key of that name, or with any of that owner's.
    RevokeAccess {
        which: String,
    },
}

impl<S: Store> Host<S> {
    /// Does it, and says to how many missions. A change is noted for the audit first.
    pub async fn upkeep(&self, tenant: &TenantId, upkeep: Upkeep) -> Result<usize, HostError> {
        self.upkeep_by(tenant, None, upkeep).await
    }

    /// The same for somebody, who is noted with it.
    pub async fn upkeep_by(
        &self,
        tenant: &TenantId,
        by: Option<AgentId>,
        upkeep: Upkeep,
    ) -> Result<usize, HostError> {
        let Some((said_by, what)) = upkeep.audited() else {
            return self.keep_up(tenant, upkeep).await;
        };
        let by = by.or(said_by);
        let note = self.note(tenant, by.clone(), what).await?;
        let done = self.keep_up(tenant, upkeep).await;
        if let Err(error) = &done {
            let why = error.to_string();
            // Where this cannot be noted either, whoever asked is still told the first trouble.
            _ = self.note(tenant, by, Audited::NotDone { note, why }).await;
        }
        if let Some(key) = self.signing_key() {
            // Signed at once, so that nobody puts back what was there before. What cannot be is signed with the rest.
            let now = self.clock().now();
            _ = self.journal(tenant).attest_records(key, now).await;
        }
        done
    }

    async fn keep_up(&self, tenant: &TenantId, upkeep: Upkeep) -> Result<usize, HostError> {
        let journal = self.journal(tenant);
        let now = self.clock().now();
        match upkeep {
            Upkeep::Sign => Ok(journal.attest_all(self.key_to_sign()?, now).await?),
            Upkeep::Erase {
                missions,
                triggers,
                by,
                reason,
            } => {
                for mission in &missions {
                    journal.may_erase(*mission).await?;
                }
                self.drop_triggers(tenant, &triggers).await?;
                for mission in &missions {
                    journal.erase(*mission, now, &by, &reason).await?;
                }
                self.forget_outcomes(tenant, &missions).await?;
                self.drop_old_offers(tenant).await?;
                self.sign_and_scrub(tenant).await?;
                Ok(missions.len())
            }
            Upkeep::Prune { before, reason } => {
                let old = journal.prunable(before).await?;
                for mission in &old {
                    journal
                        .prune(self.key_to_sign()?, now, *mission, &reason)
                        .await?;
                }
                self.forget_triggers(tenant, before).await?;
                self.forget_outcomes(tenant, &old).await?;
                self.drop_old_offers(tenant).await?;
                if !old.is_empty() {
                    self.store().scrub().await?;
                }
                Ok(old.len())
            }
            Upkeep::SetCaps {
                owner,
                window,
                caps,
            } => {
                let row = CapsRow {
                    owner,
                    window,
                    caps,
                };
                // A tenant is one that has a key: without, a backup would leave its caps out.
                journal.key_or_new().await?;
                journal.set_caps(row).await?;
                Ok(0)
            }
            Upkeep::Stop { scope, by, reason } => self.stop(tenant, scope, by, reason).await,
            Upkeep::Allow { scope, by } => self.allow(tenant, scope, by).await,
            Upkeep::AddTrigger { id, trigger } => {
                self.add_trigger(tenant, id, *trigger).await?;
                Ok(0)
            }
            Upkeep::CancelTrigger { id, by } => {
                self.cancel_trigger(tenant, id, by).await?;
                Ok(0)
            }
            Upkeep::Knowledge { namespace, change } => {
                self.change_knowledge(tenant, &namespace, *change).await
            }
            Upkeep::Rate { id, rated } => {
                let name = id.to_string();
                journal
                    .put_record(RecordKind::Outcome, &name, &rated)
                    .await?;
                Ok(1)
            }
            Upkeep::RateMission { rating } => {
                let name = rating.record_name();
                journal
                    .put_record(RecordKind::Outcome, &name, &rating)
                    .await?;
                Ok(1)
            }
            Upkeep::GiveAccess { id, key } => {
                self.keep_access(tenant, &id, &key).await?;
                Ok(1)
            }
            Upkeep::RevokeAccess { which } => self.revoke_access(tenant, &which).await,
        }
    }

    /// Drops what was said of missions and their conclusions: whoever said it may have said more in a note.
    async fn forget_outcomes(
        &self,
        tenant: &TenantId,
        missions: &[MissionId],
    ) -> Result<(), HostError> {
        let journal = self.journal(tenant);
        let records = journal.records::<OutcomeRecord>(RecordKind::Outcome);
        for (name, record) in records.await? {
            if record.is_about(missions) {
                journal.drop_record(RecordKind::Outcome, &name).await?;
            }
        }
        Ok(())
    }

    async fn change_knowledge(
        &self,
        tenant: &TenantId,
        namespace: &NamespaceName,
        change: KnowledgeChange,
    ) -> Result<usize, HostError> {
        let _one_at_a_time = self.shared().knowledge.lock().await;
        // What was taken out leaves nothing behind. What was put in the place of something is swept with the next.
        let scrubs = matches!(change, KnowledgeChange::Remove { .. });
        let base = self.knowledge(tenant);
        let about = base.change(namespace, change, self.clock().now()).await?;
        if scrubs {
            self.store().scrub().await?;
        }
        Ok(about)
    }

    fn key_to_sign(&self) -> Result<&SigningKey, HostError> {
        self.signing_key().ok_or(HostError::NoSigningKey)
    }

    /// Signs what was done, and leaves no trace of what is gone.
    async fn sign_and_scrub(&self, tenant: &TenantId) -> Result<(), HostError> {
        if let Some(key) = self.signing_key() {
            let journal = self.journal(tenant);
            let signed: Result<usize, JournalError> =
                journal.attest_all(key, self.clock().now()).await;
            signed?;
        }
        Ok(self.store().scrub().await?)
    }
}
