//! Missions that were offered to somebody instead of being started, until they answer. An offer is kept before anybody hears
//! of it, is closed by the first answer of whom it was made to, and becomes a mission at most once.
//!
//! What is offered is the business of whoever offers it: here it is a value.

use adjutant_journal::{JournalError, TenantJournal};
use adjutant_mission::{Actor, AgentId, CommandId, Millis, MissionId, Start, TenantId, Timestamp};
use adjutant_store::{RecordKind, Store, TenantStore};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Host, HostError};

/// How long an offer waits for its answer: as long as a question to a person.
pub const OFFER_LASTS: Millis = Millis::hours(24);
/// Offers that are kept of one person. The oldest gives way: programs that never answer must not fill the store.
const KEPT_MAX: usize = 50;

/// A mission that somebody may start, or not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Offer {
    /// The mission that it becomes, and the id by which it is answered.
    pub mission: MissionId,
    /// Nobody else may answer.
    pub to: AgentId,
    pub until: Timestamp,
    /// Gone once it is answered: from then on the mission tells what it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<OfferAnswer>,
}

/// What an offer was answered with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfferAnswer {
    pub choice: String,
    /// Of all that the answer said, so that it is known when it comes again.
    pub digest: String,
}

/// An answer on its way to the offer.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnsweredOffer {
    pub mission: MissionId,
    /// In whose name it is answered.
    pub person: AgentId,
    pub answer: OfferAnswer,
    /// What the answer starts, if it starts anything.
    pub start: Option<Box<Start>>,
}

impl Offer {
    /// Whether it can still be answered.
    pub fn is_open(&self, now: Timestamp) -> bool {
        self.answer.is_none() && now < self.until
    }
}

/// One line of the list of a person's offers.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    mission: MissionId,
    until: Timestamp,
}

const RECORD: &str = "offer-";

fn record_of(mission: MissionId) -> String {
    format!("{RECORD}{mission}")
}

/// The record does not tell whose list it is.
fn list_of(person: &AgentId) -> String {
    let whose = blake3::hash(person.as_str().as_bytes());
    format!("offers-{}", whose.to_hex())
}

/// The offer of a mission, if one was made and is still kept.
pub async fn read_offer<T: TenantStore>(
    journal: &TenantJournal<T>,
    mission: MissionId,
) -> Result<Option<Offer>, JournalError> {
    journal
        .record(RecordKind::Request, &record_of(mission))
        .await
}

impl<S: Store> Host<S> {
    /// Keeps an offer. One that was made of the same mission before stays as it is.
    pub async fn keep_offer(&self, tenant: &TenantId, offer: Offer) -> Result<(), HostError> {
        let _alone = self.shared().offering.lock().await;
        let journal = self.journal(tenant);
        if read_offer(&journal, offer.mission).await?.is_some() {
            return Ok(());
        }
        let list = list_of(&offer.to);
        let before: Option<Vec<Listed>> = journal.record(RecordKind::Request, &list).await?;
        let now = self.clock().now();
        let (mut kept, mut gone): (Vec<Listed>, Vec<Listed>) = before
            .unwrap_or_default()
            .into_iter()
            .partition(|listed| now < listed.until);
        let too_many = (kept.len() + 1).saturating_sub(KEPT_MAX);
        gone.extend(kept.drain(..too_many));
        kept.push(Listed {
            mission: offer.mission,
            until: offer.until,
        });
        for old in gone {
            journal
                .drop_record(RecordKind::Request, &record_of(old.mission))
                .await?;
        }
        // Listed first: an offer that is not listed would be kept for ever.
        journal
            .put_record(RecordKind::Request, &list, &kept)
            .await?;
        journal
            .put_record(RecordKind::Request, &record_of(offer.mission), &offer)
            .await?;
        Ok(())
    }

    /// Drops the offers that can no longer be answered, whoever they were made to.
    pub(crate) async fn drop_old_offers(&self, tenant: &TenantId) -> Result<(), HostError> {
        let _alone = self.shared().offering.lock().await;
        let journal = self.journal(tenant);
        let now = self.clock().now();
        let records: Vec<(String, Value)> = journal.records(RecordKind::Request).await?;
        let offers = records
            .into_iter()
            .filter(|(name, _)| name.starts_with(RECORD));
        for (name, offer) in offers {
            let offer: Option<Offer> = serde_json::from_value(offer).ok();
            if offer.is_none_or(|offer| now >= offer.until) {
                journal.drop_record(RecordKind::Request, &name).await?;
            }
        }
        Ok(())
    }

    /// Closes an offer, and opens its mission if the answer starts it. The same answer again changes nothing; another one
    /// is refused. The command of the opening must stand for the answer, so that a mission that was opened just before
    /// the host was killed is known to be of the same answer.
    pub async fn answer_offer(
        &self,
        tenant: &TenantId,
        by: Actor,
        command: CommandId,
        given: AnsweredOffer,
    ) -> Result<(), HostError> {
        let _alone = self.shared().offering.lock().await;
        let journal = self.journal(tenant);
        let mission = given.mission;
        let unknown = HostError::OfferUnknown(mission);
        let Some(mut offer) = read_offer(&journal, mission).await? else {
            return Err(unknown);
        };
        if offer.to != given.person {
            return Err(HostError::OfferOfAnother);
        }
        if let Some(before) = &offer.answer {
            return match *before == given.answer {
                true => Ok(()),
                false => Err(HostError::OfferAnswered {
                    choice: format!("`{}`", before.choice),
                }),
            };
        }
        let is_open = journal.store().row(mission).await?.is_some();
        if !is_open && self.clock().now() >= offer.until {
            return Err(unknown);
        }
        if is_open && !journal.load(mission).await?.0.has_command(command) {
            return Err(HostError::OfferAnswered {
                choice: "another choice".into(),
            });
        }
        if let Some(start) = given.start {
            if start.mission != mission || start.scope.tenant != *tenant {
                return Err(unknown);
            }
            self.open(by, command, *start).await?;
        }
        offer.answer = Some(given.answer);
        offer.content = None;
        journal
            .put_record(RecordKind::Request, &record_of(mission), &offer)
            .await?;
        Ok(())
    }
}
