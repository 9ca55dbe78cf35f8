//! The way to the host: the one of this process, or one that is reached, or started for as long as a program is connected.

use std::sync::Arc;

use adjutant_host::control::Request;
use adjutant_host::{AnsweredOffer, Host, HostError, Offer, Performs, RequestKey, new_command_id};
use adjutant_journal::TenantJournal;
use adjutant_mission::{Actor, Command, CommandId, MissionId, Refused, Start};
use tokio::sync::Mutex;

use crate::error::AppError;
use crate::host_link::HostLink;
use crate::read_only_store::ReadOnlyStore;
use crate::settings::Settings;
use crate::stores::{AnyStore, AnyTenant};
use crate::wiring;

/// The host that a process without one of its own uses: whichever runs, or else its own until it is idle.
#[derive(Debug, Default)]
pub struct HostSlot {
    link: Mutex<Option<Arc<HostLink>>>,
}

impl HostSlot {
    async fn reach(&self, settings: &Settings) -> Result<Arc<HostLink>, AppError> {
        let mut slot = self.link.lock().await;
        if let Some(link) = slot.as_ref() {
            let is_there = match link.host() {
                Some(_) => true,
                // The host that ran may have ended since.
                None => match link.client().await {
                    Ok(mut client) => client.hello().await.is_ok(),
                    Err(_) => false,
                },
            };
            if is_there {
                return Ok(Arc::clone(link));
            }
        }
        let link = Arc::new(HostLink::reach(settings, Performs::Effects).await?);
        *slot = Some(Arc::clone(&link));
        Ok(link)
    }

    /// Lets go of a host of our own on which nothing runs, so that `adjutant up` or `serve` can take the store.
    pub async fn release_if_idle(&self) -> Result<(), AppError> {
        let mut slot = self.link.lock().await;
        let idle = slot
            .as_ref()
            .is_some_and(|link| link.host().is_none_or(|host| host.active() == 0));
        if idle && let Some(link) = slot.take() {
            match Arc::try_unwrap(link) {
                Ok(link) => link.close().await?,
                // A call is under way.
                Err(shared) => *slot = Some(shared),
            }
        }
        Ok(())
    }

    /// Stops a host of our own cleanly. What it ran goes on when a host runs again.
    pub async fn close(&self) -> Result<(), AppError> {
        match self.link.lock().await.take().map(Arc::try_unwrap) {
            Some(Ok(link)) => link.close().await,
            Some(Err(_)) | None => Ok(()),
        }
    }
}

pub(super) enum Door<'a> {
    Here(&'a Host<AnyStore>),
    Reached(Arc<HostLink>),
}

impl<'a> Door<'a> {
    pub(super) async fn reach(slot: &HostSlot, settings: &Settings) -> Result<Self, AppError> {
        Ok(Self::Reached(slot.reach(settings).await?))
    }

    fn host(&self) -> Option<&Host<AnyStore>> {
        match self {
            Self::Here(host) => Some(host),
            Self::Reached(link) => link.host(),
        }
    }

    pub(super) async fn journal(
        &self,
        settings: &Settings,
    ) -> Result<TenantJournal<AnyTenant>, AppError> {
        match self.host() {
            Some(host) => Ok(host.journal(&settings.tenant)),
            None => Ok(ReadOnlyStore::expect(settings).await?.journal),
        }
    }

    /// Moves a mission on that a former process left behind. A host that is not ours does so by itself.
    pub(super) fn take_up(&self, settings: &Settings, mission: MissionId) {
        if let Self::Reached(link) = self
            && let Some(host) = link.host()
        {
            host.take_up(&settings.tenant, mission);
        }
    }

    pub(super) async fn mission_of_key(
        &self,
        settings: &Settings,
        key: RequestKey,
    ) -> Result<MissionId, AppError> {
        let tenant = settings.tenant.clone();
        match self {
            Self::Here(host) => Ok(host.mission_of_key(&tenant, &key).await?),
            Self::Reached(link) => {
                let request = Request::MissionOfKey { tenant, key };
                Ok(link.client().await?.request_mission(&request).await?)
            }
        }
    }

    /// Keeps what is offered to a program. When this returns well, it is durable.
    pub(super) async fn keep_offer(
        &self,
        settings: &Settings,
        offer: Offer,
    ) -> Result<(), AppError> {
        let tenant = settings.tenant.clone();
        match self {
            Self::Here(host) => Ok(host.keep_offer(&tenant, offer).await?),
            Self::Reached(link) => {
                let offer = Box::new(offer);
                link.request(Request::KeepOffer { tenant, offer }).await
            }
        }
    }

    /// Closes an offer, and opens the mission that its answer starts.
    pub(super) async fn answer_offer(
        &self,
        settings: &Settings,
        by: Actor,
        command: CommandId,
        given: AnsweredOffer,
    ) -> Result<(), AppError> {
        let tenant = settings.tenant.clone();
        match self {
            Self::Here(host) => Ok(host.answer_offer(&tenant, by, command, given).await?),
            Self::Reached(link) => {
                let request = Request::AnswerOffer {
                    tenant,
                    by,
                    command,
                    given: Box::new(given),
                };
                link.request(request).await
            }
        }
    }

    /// Opens a mission. When this returns well, it is durable.
    pub(super) async fn open(&self, by: Actor, start: Start) -> Result<(), AppError> {
        let command = new_command_id(wiring::clock().now())?;
        match self {
            Self::Here(host) => {
                host.open(by, command, start).await?;
                Ok(())
            }
            Self::Reached(link) => {
                let start = Box::new(start);
                link.request(Request::Open { by, command, start }).await
            }
        }
    }

    /// Sends a command. One that came before did its work then.
    pub(super) async fn command(
        &self,
        settings: &Settings,
        mission: MissionId,
        id: CommandId,
        by: Actor,
        command: Command,
    ) -> Result<(), AppError> {
        let tenant = settings.tenant.clone();
        let sent = match self {
            Self::Here(host) => {
                let sent = host.command(&tenant, mission, id, by, command).await;
                sent.map_err(AppError::from)
            }
            Self::Reached(link) => {
                let request = Request::Command {
                    tenant,
                    mission,
                    id,
                    by,
                    command,
                };
                link.request(request).await
            }
        };
        match sent {
            Err(error) if error.has_code(repeated_code()) => Ok(()),
            sent => sent,
        }
    }
}

fn repeated_code() -> &'static str {
    HostError::Refused(Refused::CommandRepeated).code()
}
