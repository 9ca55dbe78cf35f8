//! Journals on SQLite: sealed, signed, tampered with, erased, pruned, carried elsewhere.

#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use adjutant_store_sqlite::{Access, SqliteStore};
use tempfile::TempDir;

async fn fresh() -> (SqliteStore, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path().join("adjutant.db"), Access::Host).unwrap();
    (store, folder)
}

adjutant_journal::journal_tests!(fresh, 120);
