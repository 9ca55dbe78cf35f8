//! The PostgreSQL store keeps the contract, and keeps it over a reopen.

#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use adjutant_postgres_cluster::Database;
use adjutant_store::conformance::Filled;
use adjutant_store_postgres::{Access, PostgresStore, Settings};

async fn fresh() -> (PostgresStore, Database) {
    let database = Database::fresh().unwrap();
    let settings = Settings::new(database.address()).unwrap();
    let store = PostgresStore::open(&settings, Access::Host).await.unwrap();
    (store, database)
}

adjutant_store::conformance_tests!(async fresh);

#[tokio::test]
async fn reopening_keeps_everything() {
    let (store, database) = fresh().await;
    let settings = Settings::new(database.address()).unwrap();
    let mut filled = Filled::fill(&store).await;
    store.close().await.unwrap();

    let store = PostgresStore::open(&settings, Access::Host).await.unwrap();
    filled.check(&store).await;
    filled.carry_on(&store).await;
    drop(store);

    let store = PostgresStore::stand_by(&settings).await.unwrap();
    filled.check(&store).await;
}
