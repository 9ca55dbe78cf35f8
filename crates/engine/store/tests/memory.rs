//! The memory store keeps the contract.

use adjutant_store::MemoryStore;

fn fresh() -> (MemoryStore, ()) {
    (MemoryStore::new(), ())
}

adjutant_store::conformance_tests!(fresh);
