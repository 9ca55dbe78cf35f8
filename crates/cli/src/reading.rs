//! Looking at the store without changing it, also while a host runs.

use adjutant_journal::{Standing, TenantJournal};
use adjutant_mission::{Mission, MissionId};
use adjutant_store::StoreError;
use adjutant_store_sqlite::{Access, SqliteStore, SqliteTenant};

use crate::failure::{Exit, Failure};
use crate::settings::Settings;

#[derive(Debug)]
pub(crate) struct Reading {
    /// The whole store, for what is done to all tenants alike.
    pub(crate) whole: SqliteStore,
    pub(crate) journal: TenantJournal<SqliteTenant>,
}

impl Reading {
    /// Opens the store to read; nothing if there is none yet.
    pub(crate) fn open(settings: &Settings) -> Result<Option<Self>, Failure> {
        match SqliteStore::open(&settings.store, Access::Reader) {
            Ok(store) => Ok(Some(Self {
                journal: settings.vault()?.tenant(&store, &settings.tenant),
                whole: store,
            })),
            Err(StoreError::Missing { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Opens a store that must be there.
    pub(crate) fn expect(settings: &Settings) -> Result<Self, Failure> {
        Self::open(settings)?.ok_or_else(|| {
            Failure::new(
                Exit::BadInput,
                "ADJ-3007",
                format!(
                    "there are no missions yet: no store at {}",
                    settings.store.display()
                ),
                "Run a plan with `adjutant run`, or point ADJUTANT_HOME at another data folder.",
            )
        })
    }

    pub(crate) fn store(&self) -> &SqliteTenant {
        self.journal.store()
    }

    pub(crate) async fn mission(&self, mission: MissionId) -> Result<(Mission, Standing), Failure> {
        Ok(self.journal.load(mission).await?)
    }
}
