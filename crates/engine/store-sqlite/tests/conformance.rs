//! The SQLite store keeps the contract, and keeps it over a reopen.

#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use adjutant_store::conformance::Filled;
use adjutant_store_sqlite::{Access, SqliteStore};
use tempfile::TempDir;

fn fresh() -> (SqliteStore, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path().join("adjutant.db"), Access::Host).unwrap();
    (store, folder)
}

adjutant_store::conformance_tests!(fresh);

#[tokio::test]
async fn reopening_keeps_everything() {
    let (store, folder) = fresh();
    let path = folder.path().join("adjutant.db");
    let mut filled = Filled::fill(&store).await;
    store.close().await.unwrap();

    let store = SqliteStore::open(&path, Access::Host).unwrap();
    filled.check(&store).await;
    filled.carry_on(&store).await;
    drop(store);

    let store = SqliteStore::open(&path, Access::Host).unwrap();
    filled.check(&store).await;
}
