//! Opening a store that is held, damaged, foreign, or not there; and looking on while a host runs.

#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]
#![expect(
    clippy::disallowed_methods,
    reason = "these tests prepare files behind the store's back"
)]

use std::fs;
use std::path::{Path, PathBuf};

use adjutant_mission::{Phase, TenantId};
use adjutant_store::conformance::{Filled, Writer, mission, tenant};
use adjutant_store::{AppendError, Broken, Chain, ChainHead, Store, StoreError, TenantStore};
use adjutant_store_sqlite::{Access, SqliteStore};
use tempfile::TempDir;

fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("adjutant.db");
    (folder, path)
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    PathBuf::from(format!("{}{suffix}", path.display()))
}

fn refusal(path: &Path, access: Access) -> StoreError {
    SqliteStore::open(path, access).unwrap_err()
}

/// Reads a journal to its end, as a loader does.
async fn verify(store: &SqliteStore, name: &TenantId, n: u64) -> Result<ChainHead, Broken> {
    let mut chain = Chain::new(name, mission(n));
    let events = store.tenant(name).events(mission(n), 1, 10_000).await;
    for event in events.unwrap() {
        chain.feed(&event)?;
    }
    Ok(chain.head())
}

#[tokio::test]
async fn second_host_is_locked_out_until_the_first_is_done() {
    let (_folder, path) = place();
    let first = SqliteStore::open(&path, Access::Host).unwrap();
    let locked = StoreError::Locked {
        path: path.clone(),
        pid: Some(std::process::id()),
    };
    assert_eq!(refusal(&path, Access::Host), locked);

    first.close().await.unwrap();
    let second = SqliteStore::open(&path, Access::Host).unwrap();
    assert_eq!(refusal(&path, Access::Host), locked);
    drop(second);
    SqliteStore::open(&path, Access::Host).unwrap();
}

#[tokio::test]
async fn closed_store_refuses_and_leaves_one_file() {
    let (_folder, path) = place();
    let store = SqliteStore::open(&path, Access::Host).unwrap();
    let name = tenant("acme");
    let acme = store.tenant(&name);
    let mut writer = Writer::new(&name, mission(1), Phase::Executing);
    writer.append(&acme, writer.next(1)).await;
    store.close().await.unwrap();

    let refused = acme.append(writer.next(1)).await.unwrap_err();
    assert_eq!(refused, AppendError::Store(StoreError::Closed));
    assert_eq!(acme.head(mission(1)).await, Err(StoreError::Closed));
    assert_eq!(store.close().await, Ok(()));
    assert!(!beside(&path, "-wal").exists());
}

#[tokio::test]
async fn reader_looks_on_while_a_host_writes() {
    let (_folder, path) = place();
    let host = SqliteStore::open(&path, Access::Host).unwrap();
    let reader = SqliteStore::open(&path, Access::Reader).unwrap();
    let mut filled = Filled::fill(&host).await;
    filled.check(&reader).await;
    filled.carry_on(&host).await;
    filled.check(&reader).await;

    let name = tenant("acme");
    let writer = Writer::new(&name, mission(9), Phase::Executing);
    let refused = reader.tenant(&name).append(writer.next(1)).await;
    let read_only = StoreError::ReadOnly { path: path.clone() };
    assert_eq!(refused, Err(read_only.into()));

    host.close().await.unwrap();
    filled.check(&reader).await;
    let alone = SqliteStore::open(&path, Access::Reader).unwrap();
    filled.check(&alone).await;
}

#[test]
fn what_is_no_store_is_named_as_such() {
    let (folder, path) = place();
    let missing = StoreError::Missing { path: path.clone() };
    assert_eq!(refusal(&path, Access::Reader), missing);
    assert!(!path.exists());

    // Whoever began to make it was cut off.
    fs::write(&path, "").unwrap();
    assert_eq!(refusal(&path, Access::Reader), missing);

    let junk = folder.path().join("junk.db");
    let content = "This is a letter, not a database. ".repeat(500);
    fs::write(&junk, &content).unwrap();
    for access in [Access::Host, Access::Reader] {
        let refused = refusal(&junk, access);
        assert!(matches!(refused, StoreError::Corrupt { .. }), "{refused:?}");
    }
    assert_eq!(fs::read_to_string(&junk).unwrap(), content);

    let foreign = folder.path().join("foreign.db");
    let connection = rusqlite::Connection::open(&foreign).unwrap();
    connection
        .execute_batch("CREATE TABLE notes (text)")
        .unwrap();
    drop(connection);
    for access in [Access::Host, Access::Reader] {
        let refused = refusal(&foreign, access);
        assert!(matches!(refused, StoreError::Corrupt { .. }), "{refused:?}");
    }
}

#[test]
fn newer_schema_is_left_alone() {
    let (_folder, path) = place();
    drop(SqliteStore::open(&path, Access::Host).unwrap());
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    drop(connection);
    let newer = StoreError::SchemaNewer {
        found: 99,
        known: 5,
    };
    assert_eq!(refusal(&path, Access::Host), newer);
    assert_eq!(refusal(&path, Access::Reader), newer);
}

#[test]
fn unwritable_place_is_read_only() {
    let (folder, path) = place();
    fs::write(&path, "a file, not a folder").unwrap();
    let inside = path.join("adjutant.db");
    let read_only = StoreError::ReadOnly {
        path: inside.clone(),
    };
    assert_eq!(refusal(&inside, Access::Host), read_only);

    let folder = folder.path().join("sealed");
    fs::create_dir(&folder).unwrap();
    let mut sealed = fs::metadata(&folder).unwrap().permissions();
    sealed.set_readonly(true);
    fs::set_permissions(&folder, sealed).unwrap();
    if fs::write(folder.join("probe"), "").is_ok() {
        eprintln!("skipped in part: folder permissions do not bind this user");
        return;
    }
    let inside = folder.join("adjutant.db");
    let read_only = StoreError::ReadOnly {
        path: inside.clone(),
    };
    assert_eq!(refusal(&inside, Access::Host), read_only);
}

/// A crash can leave the log torn anywhere. Whole commits before the tear stay, the torn one is gone.
#[tokio::test]
async fn torn_log_ends_at_the_last_whole_commit() {
    let (_folder, path) = place();
    let store = SqliteStore::open(&path, Access::Host).unwrap();
    let name = tenant("acme");
    let acme = store.tenant(&name);
    let mut writer = Writer::new(&name, mission(1), Phase::Executing);
    let log = beside(&path, "-wal");
    let mut ends = Vec::new();
    for count in [1, 3, 2] {
        writer.append(&acme, writer.next(count)).await;
        ends.push((fs::metadata(&log).unwrap().len() as usize, writer.head));
    }
    let (database, log) = (fs::read(&path).unwrap(), fs::read(&log).unwrap());
    let [(_, _), (second_end, second), (third_end, third)] = ends[..] else {
        unreachable!("three appends were made");
    };
    assert_eq!(log.len(), third_end);

    let reopened = async |log: &[u8]| {
        let (_folder, path) = place();
        fs::write(&path, &database).unwrap();
        fs::write(beside(&path, "-wal"), log).unwrap();
        let store = SqliteStore::open(&path, Access::Host).unwrap();
        let head = verify(&store, &name, 1).await.unwrap();
        let mut next = writer.clone();
        next.head = head;
        next.append(&store.tenant(&name), next.next(1)).await;
        assert_eq!(verify(&store, &name, 1).await, Ok(next.head));
        head
    };
    assert_eq!(reopened(&log).await, third);
    let with_junk = [&log[..], &[0xA5; 5_000]].concat();
    assert_eq!(reopened(&with_junk).await, third);
    for cut in [
        third_end - 1,
        third_end - 100,
        second_end + 4_000,
        second_end + 1,
        second_end,
    ] {
        assert_eq!(reopened(&log[..cut]).await, second, "cut at {cut}");
    }
    let mut flipped = log.clone();
    flipped[second_end + 30] ^= 1;
    assert_eq!(reopened(&flipped).await, second);
}

#[tokio::test]
async fn altered_event_is_found_by_the_chain() {
    let (_folder, path) = place();
    let store = SqliteStore::open(&path, Access::Host).unwrap();
    let name = tenant("acme");
    let mut writer = Writer::new(&name, mission(1), Phase::Executing);
    let batch = writer.next(9);
    let target = batch.events[4].bytes.clone();
    writer.append(&store.tenant(&name), batch).await;
    store.close().await.unwrap();

    let mut file = fs::read(&path).unwrap();
    let found = file.windows(target.len()).position(|w| w == target);
    file[found.unwrap() + 10] ^= 1;
    fs::write(&path, file).unwrap();
    let store = SqliteStore::open(&path, Access::Host).unwrap();
    assert_eq!(
        verify(&store, &name, 1).await,
        Err(Broken::Altered { seq: 5 })
    );
}

#[tokio::test]
async fn database_cut_in_half_is_reported_as_damaged() {
    let (_folder, path) = place();
    let store = SqliteStore::open(&path, Access::Host).unwrap();
    let name = tenant("acme");
    let mut writer = Writer::new(&name, mission(1), Phase::Executing);
    writer
        .append(&store.tenant(&name), writer.next(2_000))
        .await;
    store.close().await.unwrap();

    let file = fs::read(&path).unwrap();
    fs::write(&path, &file[..file.len() / 2]).unwrap();
    let damaged = match SqliteStore::open(&path, Access::Host) {
        Err(error) => error,
        Ok(store) => {
            let events = store.tenant(&name).events(mission(1), 1, 10_000).await;
            events.unwrap_err()
        }
    };
    assert!(matches!(damaged, StoreError::Corrupt { .. }), "{damaged:?}");
}
