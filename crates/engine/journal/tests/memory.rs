//! The journal's contract on the store in memory, where it can be tried thousands of times.

use adjutant_store::MemoryStore;

async fn fresh() -> (MemoryStore, ()) {
    (MemoryStore::new(), ())
}

adjutant_journal::journal_tests!(fresh, 3_000);
