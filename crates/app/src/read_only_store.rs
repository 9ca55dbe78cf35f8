//! Looking at the store without changing it, also while a host runs.

use adjutant_journal::{JournalCursor, TenantJournal};
use adjutant_mission::{Mission, MissionId};
use adjutant_store::StoreError;

use crate::error::{AppError, ErrorKind};
use crate::settings::Settings;
use crate::stores::{Access, AnyStore, AnyTenant};

#[derive(Debug)]
pub struct ReadOnlyStore {
    /// The whole store, for what is done to all tenants alike.
    pub whole: AnyStore,
    pub journal: TenantJournal<AnyTenant>,
}

impl ReadOnlyStore {
    /// Opens the store to read; nothing if there is none yet.
    pub async fn open(settings: &Settings) -> Result<Option<Self>, AppError> {
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
    pub async fn expect(settings: &Settings) -> Result<Self, AppError> {
        Self::open(settings).await?.ok_or_else(|| {
            AppError::new(
                ErrorKind::BadInput,
                "ADJ-3007",
                format!("there are no missions yet: no store at {}", settings.store),
                "Run a plan with `adjutant run`, or set ADJUTANT_HOME to another data folder.",
            )
        })
    }

    pub fn store(&self) -> &AnyTenant {
        self.journal.store()
    }

    pub async fn mission(&self, mission: MissionId) -> Result<(Mission, JournalCursor), AppError> {
        Ok(self.journal.load(mission).await?)
    }
}
