//! Looking at the store without changing it, also while a host runs.

use adjutant_journal::{Standing, TenantJournal};
use adjutant_mission::{Mission, MissionId};
use adjutant_store::StoreError;

use crate::failure::{Exit, Failure};
use crate::settings::Settings;
use crate::stores::{Access, AnyStore, AnyTenant};

#[derive(Debug)]
pub(crate) struct Reading {
    /// The whole store, for what is done to all tenants alike.
    pub(crate) whole: AnyStore,
    pub(crate) journal: TenantJournal<AnyTenant>,
}

impl Reading {
    /// Opens the store to read; nothing if there is none yet.
    pub(crate) async fn open(settings: &Settings) -> Result<Option<Self>, Failure> {
        match AnyStore::open(&settings.store, Access::Reader).await {
            Ok(store) => {
                let vault = settings.vault_to_read(&store).await?;
                Ok(vault.map(|vault| Self {
                    journal: vault.tenant(&store, &settings.tenant),
                    whole: store,
                }))
            }
            Err(StoreError::Missing { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Opens a store that must be there.
    pub(crate) async fn expect(settings: &Settings) -> Result<Self, Failure> {
        Self::open(settings).await?.ok_or_else(|| {
            Failure::new(
                Exit::BadInput,
                "ADJ-3007",
                format!("there are no missions yet: no store at {}", settings.store),
                "Run a plan with `adjutant run`, or point ADJUTANT_HOME at another data folder.",
            )
        })
    }

    pub(crate) fn store(&self) -> &AnyTenant {
        self.journal.store()
    }

    pub(crate) async fn mission(&self, mission: MissionId) -> Result<(Mission, Standing), Failure> {
        Ok(self.journal.load(mission).await?)
    }
}
