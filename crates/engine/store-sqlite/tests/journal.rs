//! Journals on SQLite: sealed, signed, tampered with, erased, pruned, carried elsewhere.

#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use std::path::Path;

use adjutant_journal::Vault;
use adjutant_journal::conformance::{Sample, master_key, signing_key};
use adjutant_mission::{Actor, AgentId, Mission, MissionId, Recorded, TenantId, Timestamp};
use adjutant_store::{ChainHead, Retention, Store};
use adjutant_store_sqlite::{Access, SqliteStore};
use tempfile::TempDir;

async fn fresh() -> (SqliteStore, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path().join("adjutant.db"), Access::Host).unwrap();
    (store, folder)
}

adjutant_journal::journal_tests!(fresh, 120);

/// Whether the files of the store hold these bytes anywhere.
fn files_hold(folder: &Path, needle: &[u8]) -> bool {
    std::fs::read_dir(folder).unwrap().any(|entry| {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        bytes.windows(needle.len()).any(|window| window == needle)
    })
}

/// What is destroyed is gone from the raw files: the only key that opens the content, and the content too.
#[tokio::test]
async fn nothing_of_what_was_erased_or_pruned_is_left_in_the_files() {
    let (store, folder) = fresh().await;
    let sample = Sample::make(&store).await;
    let journal = Vault::new(master_key()).tenant(&store, &sample.missions[0].row.origin);
    let whole = &sample.missions[0];
    let id = whole.row.summary.mission;
    let traces = [
        ("the key", whole.row.key.clone().unwrap().0),
        ("the title", whole.row.summary.title.0.clone()),
        ("a blob", whole.blobs[0].bytes[..200].to_vec()),
        (
            "the snapshot",
            whole.snapshot.clone().unwrap().passport.0[..200].to_vec(),
        ),
        ("whom it concerns", whole.subjects[0].0.to_vec()),
    ];
    for (what, bytes) in &traces {
        assert!(files_hold(folder.path(), bytes), "{what} is there before");
    }
    let by = Actor::human(AgentId::new("ann").unwrap());
    let now = Timestamp(1_700_000_000_001);
    journal.erase(id, now, &by, "asked for").await.unwrap();
    store.scrub().await.unwrap();
    for (what, bytes) in &traces {
        let beside = *what == "whom it concerns";
        assert!(
            beside || !files_hold(folder.path(), bytes),
            "{what} is gone"
        );
    }
    let event = &whole.events[0].bytes[..200];
    assert!(
        files_hold(folder.path(), event),
        "events stay, sealed for ever"
    );
    journal.prune(&signing_key(), now, id, "old").await.unwrap();
    store.scrub().await.unwrap();
    assert!(!files_hold(folder.path(), event), "pruned, they go too");
}

/// A store from before content was sealed is brought up to date, read, verified and added to.
#[tokio::test]
async fn a_journal_from_before_seals_is_read_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("adjutant.db");
    let (id, head) = old_store(&path);
    let store = SqliteStore::open(&path, Access::Host).unwrap();
    let tenant = TenantId::new("acme").unwrap();
    let journal = Vault::new(master_key()).tenant(&store, &tenant);
    let listed = journal.summary(id).await.unwrap().unwrap();
    assert_eq!(
        (listed.summary.title.as_str(), listed.kept),
        ("Transcript", Retention::Working)
    );
    let (events, found) = journal.read(id).await.unwrap();
    assert_eq!((events.len(), found), (19, head));
    let verified = journal.verify(id, &[], Some(head)).await.unwrap();
    assert!(verified.unwrap().folded);
    assert_eq!(
        journal
            .attest_all(&signing_key(), Timestamp(1))
            .await
            .unwrap(),
        1
    );
    let by = Actor::human(AgentId::new("ann").unwrap());
    let refused = journal.erase(id, Timestamp(2), &by, "asked for").await;
    assert_eq!(refused.unwrap_err().code(), "ADJ-4009", "no key to destroy");
    let text = b"Transcript\",\"tasks";
    assert!(files_hold(folder.path(), text));
    let pruned = journal.prune(&signing_key(), Timestamp(2), id, "old").await;
    pruned.unwrap();
    store.scrub().await.unwrap();
    assert!(!files_hold(folder.path(), text));
}

/// A store as the first version wrote it, with the mission of the golden transcript.
#[expect(
    clippy::disallowed_methods,
    reason = "an old store is made without the store's own opening"
)]
fn old_store(path: &Path) -> (MissionId, ChainHead) {
    let transcript = include_str!("../../mission/golden/transcript.jsonl");
    let tenant = TenantId::new("acme").unwrap();
    let database = rusqlite::Connection::open(path).unwrap();
    let schema = include_str!("../migrations/0001_journal.sql");
    database.execute_batch(schema).unwrap();
    database
        .pragma_update(None, "application_id", 0x4164_6a74)
        .unwrap();
    database.pragma_update(None, "user_version", 1).unwrap();
    let recorded: Vec<Recorded> = transcript
        .lines()
        .map(|line| Recorded::decode(1, line.as_bytes()).unwrap())
        .collect();
    let mission = Mission::fold(&recorded).unwrap();
    let row = mission.summary();
    let bytes = row.mission.bits().to_be_bytes();
    database
        .execute(
            "INSERT INTO missions VALUES (1, 'acme', ?1, ?2, ?3, 1, 0, ?4, ?5, 0, ?6, ?7, ?8, ?9, NULL)",
            rusqlite::params![
                bytes,
                row.title,
                row.phase.name(),
                row.tasks_total,
                row.tasks_ended,
                row.used.money.0.cast_signed(),
                row.used.tokens.cast_signed(),
                row.opened_at.0,
                row.updated_at.0
            ],
        )
        .unwrap();
    database
        .execute(
            "INSERT INTO counts VALUES ('acme', ?1, 1)",
            [row.phase.name()],
        )
        .unwrap();
    let mut head = ChainHead::genesis(&tenant, row.mission);
    for line in transcript.lines() {
        let (event, next) = head.link(line.as_bytes().to_vec());
        let hash = event.hash.as_bytes();
        database
            .execute(
                "INSERT INTO events (mission, seq, hash, bytes) VALUES (1, ?1, ?2, ?3)",
                rusqlite::params![event.seq.cast_signed(), hash, event.bytes],
            )
            .unwrap();
        head = next;
    }
    (row.mission, head)
}
