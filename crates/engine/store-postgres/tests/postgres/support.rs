//! A database with a store in it, a back door, and a wire that can be cut.

use std::time::{Duration, Instant};

use adjutant_mission::{MissionId, TenantId};
use adjutant_postgres_cluster::Database;
use adjutant_store::{AppendError, Broken, Chain, ChainHead, Store, StoreError, TenantStore};
use adjutant_store_postgres::{Access, PostgresStore, Settings};
use tokio_postgres::{Client, NoTls};

/// Longer than anything takes that is waited for here.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn place() -> (Database, Settings) {
    let database = Database::fresh().unwrap();
    let settings = Settings::new(database.address()).unwrap();
    (database, settings)
}

pub(crate) async fn fresh() -> (PostgresStore, Settings, Database) {
    let (database, settings) = place();
    let store = host(&settings).await;
    (store, settings, database)
}

pub(crate) async fn host(settings: &Settings) -> PostgresStore {
    PostgresStore::open(settings, Access::Host).await.unwrap()
}

pub(crate) async fn refusal(settings: &Settings, access: Access) -> StoreError {
    PostgresStore::open(settings, access).await.unwrap_err()
}

/// A connection behind the store's back, as a superuser unless the address says otherwise.
pub(crate) async fn connect(address: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(address, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

pub(crate) async fn run(database: &Database, sql: &str) {
    let client = connect(database.address()).await;
    client.batch_execute(sql).await.unwrap();
}

/// Reads a journal to its end, as a loader does.
pub(crate) async fn verify(
    store: &PostgresStore,
    name: &TenantId,
    mission: MissionId,
) -> Result<ChainHead, Broken> {
    let mut chain = Chain::new(name, mission);
    let events = store.tenant(name).events(mission, 1, 1_000_000).await;
    for event in events.unwrap() {
        chain.feed(&event)?;
    }
    Ok(chain.head())
}

pub(crate) fn is_unreachable(error: &AppendError) -> bool {
    matches!(error, AppendError::Store(StoreError::Unreachable { .. }))
}

pub(crate) fn is_taken_over(error: &AppendError) -> bool {
    matches!(error, AppendError::Store(StoreError::TakenOver { .. }))
}

/// Asks again and again until the answer is there.
pub(crate) async fn until<T>(mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(answer) = ask().await {
            return answer;
        }
        assert!(Instant::now() < end, "waited in vain");
        tokio::task::yield_now().await;
    }
}

/// The server's process for the connection that holds the host lock.
pub(crate) const LOCK_HOLDER: &str =
    "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
