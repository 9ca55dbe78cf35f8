//! The way to missions that may change: a running host's socket, or a host of our own with a socket of its own,
//! so that a second terminal can speak to it. Both are spoken to alike.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use adjutant_effects::Performer;
use adjutant_host::control::{Client, ClientError, Request, Server};
use adjutant_host::{Config, Host, Performs, Signing, Upkeep, new_command_id};
use adjutant_knowledge_base::Shelf;
use adjutant_mission::{Actor, Command, MissionId, TenantId};
use adjutant_store::{Store as _, StoreError};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::error::{AppError, ErrorKind};
use crate::knowledge::Embedding;
use crate::knowledge::KnowledgeLibrary;
use crate::rules::{rule_book, rule_book_or_none_start};
use crate::run_history::JournalRuns;
use crate::settings::Settings;
use crate::stores::{Access, AnyStore};
use crate::supervisor_replans::SupervisorReplans;
use crate::wiring::{self, HostParts};

/// A host that has the store but not yet its socket is waited for this often, this long.
const SOCKET_LOOKS_MAX: u32 = 50;
const SOCKET_LOOK: Duration = Duration::from_millis(20);

#[derive(Debug)]
pub struct HostLink {
    socket: PathBuf,
    own: Option<Own>,
}

#[derive(Debug)]
struct Own {
    host: Host<AnyStore>,
    stop: watch::Sender<bool>,
    server: JoinHandle<()>,
}

impl HostLink {
    /// Finds the running host, or becomes it; what it performs is only up to us if we are it.
    pub async fn reach(settings: &Settings, performs: Performs) -> Result<Self, AppError> {
        let mut looks = 0;
        loop {
            match Client::connect(&settings.socket).await {
                // A host that was killed may take connections a moment longer, but answers nobody.
                Ok(mut client) => match client.hello().await {
                    Ok(_) => return Ok(Self::running(settings)),
                    Err(ClientError::NoHost(_) | ClientError::Lost(_)) => {}
                    Err(error) => return Err(error.into()),
                },
                Err(ClientError::NoHost(_)) => {}
                Err(error) => return Err(error.into()),
            }
            match Box::pin(Self::become_host(settings, Access::Host, performs)).await {
                Ok(engine) => return Ok(engine),
                Err(NotHost::Locked(_)) if looks < SOCKET_LOOKS_MAX => {
                    looks += 1;
                    tokio::time::sleep(SOCKET_LOOK).await;
                }
                Err(NotHost::Locked(error)) => return Err(error.into()),
                Err(NotHost::Failed(failure)) => return Err(failure),
            }
        }
    }

    /// The host that runs here, if one does.
    pub async fn find(settings: &Settings) -> Option<Self> {
        let connected = Client::connect(&settings.socket).await;
        connected.ok().map(|_| Self::running(settings))
    }

    fn running(settings: &Settings) -> Self {
        Self {
            socket: settings.socket.clone(),
            own: None,
        }
    }

    /// Opens the store as its only host.
    pub async fn become_host(
        settings: &Settings,
        access: Access,
        performs: Performs,
    ) -> Result<Self, NotHost> {
        settings.make_home()?;
        if let Performs::Effects = performs {
            // Before the store is ours: others wait only a moment for a host that has it and no socket yet.
            settings.mcp.standings().await;
        }
        let store = match AnyStore::open(&settings.store, access).await {
            Ok(store) => store,
            Err(error @ StoreError::Locked { .. }) => return Err(NotHost::Locked(error)),
            Err(error) => return Err(NotHost::Failed(error.into())),
        };
        let vault = settings.vault_for(&store).await?;
        let server = Server::bind(&settings.socket).map_err(|error| {
            let cause =
                std::error::Error::source(&error).map_or(String::new(), ToString::to_string);
            AppError::new(
                ErrorKind::Unavailable,
                "ADJ-5015",
                format!("{error}: {cause}"),
                "Set ADJUTANT_HOME to a writable folder with a short path (under 100 characters).",
            )
        })?;
        // Other processes wait for the host as soon as its socket exists.
        let signing_key = settings.signing_key()?;
        let now = wiring::clock().now();
        let charge = vault.take_charge(&store, &signing_key, now).await;
        charge.map_err(AppError::from)?;
        let shelf = Arc::new(Shelf::default());
        let models = match performs {
            Performs::Effects => {
                for note in settings.models.notes() {
                    settings.notes.write(&note);
                }
                Some(wiring::models_with_lease(settings, store.lease())?)
            }
            // Nobody is asked, so what is wrong with the models keeps nobody from stopping or reading.
            Performs::Nothing => None,
        };
        let library = KnowledgeLibrary {
            store: store.clone(),
            vault: vault.clone(),
            shelf: Arc::clone(&shelf),
            embedding: models
                .as_ref()
                .and_then(|models| Embedding::with(models, settings)),
        };
        let runs = JournalRuns {
            store: store.clone(),
            vault: vault.clone(),
        };
        let parts = HostParts {
            library: Some(Arc::new(library)),
            runs: Some(Arc::new(runs)),
        };
        let tools = match performs {
            Performs::Effects => wiring::tools_with(settings, parts).await?,
            Performs::Nothing => wiring::own_tools(settings, parts)?,
        };
        let performer = Performer::new(Arc::new(tools)).protected_by(settings.protection.clone());
        let performer = match models {
            Some(models) => performer.answered_by(models),
            None => performer,
        };
        let rules = match performs {
            Performs::Effects => rule_book(settings)?,
            Performs::Nothing => rule_book_or_none_start(settings),
        };
        let config = Config {
            rules,
            clock: wiring::clock(),
            drain: settings.drain,
            performs,
            signing: Some(Signing {
                key: Arc::new(signing_key),
                every: settings.keeping.sign_every,
            }),
            quotas: settings.keeping.quotas.clone(),
            four_eyes: settings.four_eyes.clone(),
            autonomy: settings.autonomy,
            starts: settings.limits,
            channels: settings.answerable_channels()?,
            supervisors: settings.supervisors.clone(),
            replanner: Some(Arc::new(SupervisorReplans::new(settings))),
            shelf,
        };
        let host = Host::new(store, vault, performer, config);
        let (stop, stopped) = watch::channel(false);
        let server = tokio::spawn(server.run(host.clone(), stopped));
        Ok(Self {
            socket: settings.socket.clone(),
            own: Some(Own { host, stop, server }),
        })
    }

    /// The host, if it is ours.
    pub fn host(&self) -> Option<&Host<AnyStore>> {
        self.own.as_ref().map(|own| &own.host)
    }

    pub async fn client(&self) -> Result<Client, AppError> {
        Ok(Client::connect(&self.socket).await?)
    }

    pub async fn request(&self, request: Request) -> Result<(), AppError> {
        Ok(self.client().await?.request(&request).await?)
    }

    /// Does something to journals apart from moving them on, and says to how many missions.
    pub async fn upkeep(&self, tenant: &TenantId, upkeep: Upkeep) -> Result<usize, AppError> {
        let tenant = tenant.clone();
        let request = Request::Upkeep { tenant, upkeep };
        Ok(self.client().await?.request_count(&request).await?)
    }

    /// Sends a command. When this returns well, it is durable.
    pub async fn command(
        &self,
        tenant: &TenantId,
        mission: MissionId,
        by: Actor,
        command: Command,
    ) -> Result<(), AppError> {
        let id = new_command_id(wiring::clock().now())?;
        self.request(Request::Command {
            tenant: tenant.clone(),
            mission,
            id,
            by,
            command,
        })
        .await
    }

    /// Stops our own host cleanly; a host that ran before goes on.
    pub async fn close(self) -> Result<(), AppError> {
        let Some(own) = self.own else { return Ok(()) };
        own.host.drain().await;
        let _ = own.stop.send(true);
        // It ends by itself once told; if it broke, there is nothing to wait for.
        let _ = own.server.await;
        Ok(own.host.store().close().await?)
    }
}

/// Why we are not the host.
#[derive(Debug)]
pub enum NotHost {
    Locked(StoreError),
    Failed(AppError),
}

impl From<AppError> for NotHost {
    fn from(failure: AppError) -> Self {
        Self::Failed(failure)
    }
}

impl From<NotHost> for AppError {
    fn from(not: NotHost) -> Self {
        match not {
            NotHost::Locked(error) => error.into(),
            NotHost::Failed(failure) => failure,
        }
    }
}
