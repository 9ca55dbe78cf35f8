//! Journals on PostgreSQL: sealed, signed, tampered with, erased, pruned, carried elsewhere.

#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use adjutant_postgres_cluster::Database;
use adjutant_store_postgres::{Access, PostgresStore, Settings};

async fn fresh() -> (PostgresStore, Database) {
    let database = Database::fresh().unwrap();
    let settings = Settings::new(database.address()).unwrap();
    let store = PostgresStore::open(&settings, Access::Host).await.unwrap();
    (store, database)
}

adjutant_journal::journal_tests!(fresh, 60);
