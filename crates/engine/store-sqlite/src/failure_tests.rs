//! What can only be provoked from inside: a full disk, and who shares a transaction with whom.

use std::io::Write as _;
use std::process::Command;
use std::sync::mpsc;

use adjutant_mission::{Phase, Severity, Zone};
use adjutant_store::conformance::{Writer, inbox_row, mission, tenant, text};
use adjutant_store::{AppendError, Blob, InboxChange, Snapshot, Store, StoreError, TenantStore};
use tempfile::TempDir;
use tokio::task::JoinSet;

use crate::writer::Job;
use crate::{Access, SqliteStore};

fn fresh() -> (SqliteStore, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path().join("adjutant.db"), Access::Host).unwrap();
    (store, folder)
}

/// Leaves room for `pages` more pages.
async fn leave_room(store: &SqliteStore, pages: i64) {
    let set = store.on_writer(move |connection| {
        let count: i64 = connection
            .pragma_query_value(None, "page_count", |row| row.get(0))
            .unwrap();
        let max: i64 = connection
            .query_row(
                &format!("PRAGMA max_page_count = {}", count + pages),
                [],
                |row| row.get(0),
            )
            .unwrap();
        assert_eq!(max, count + pages);
    });
    set.await.unwrap();
}

/// Holds the writer still while `count` appends are queued by `send`, so that they form one group.
async fn one_group(store: &SqliteStore, count: usize, send: impl FnOnce()) {
    let (release, released) = mpsc::channel::<()>();
    let (holding, held) = tokio::sync::oneshot::channel();
    let jobs = store.shared.lock_writer().as_ref().unwrap().jobs.clone();
    let hold = Job::Change(Box::new(move |_| {
        assert!(holding.send(()).is_ok());
        released.recv().unwrap();
    }));
    assert!(jobs.send(hold).await.is_ok());
    held.await.unwrap();
    send();
    while jobs.max_capacity() - jobs.capacity() < count {
        tokio::task::yield_now().await;
    }
    release.send(()).unwrap();
}

#[tokio::test]
async fn full_disk_keeps_nothing_and_heals() {
    let (store, _folder) = fresh();
    let name = tenant("acme");
    let acme = store.tenant(&name);
    let mut writer = Writer::new(&name, mission(1), Phase::Executing);
    writer.append(&acme, writer.next(2)).await;
    leave_room(&store, 8).await;

    let blob = Blob::new(Zone::Sensitive, vec![7; 200_000]);
    let mut batch = writer.next(2);
    batch.summary.phase = Phase::AwaitingHuman;
    batch.inbox = vec![InboxChange::Put(inbox_row(
        writer.mission,
        1,
        Severity::High,
        5,
    ))];
    batch.snapshot = Some(Snapshot {
        head: batch.events[1].head(),
        version: 1,
        passport: text("state"),
    });
    batch.blobs = vec![blob.clone()];
    let full = acme.append(batch.clone()).await.unwrap_err();
    let path = store.shared.path.clone();
    assert_eq!(full, AppendError::Store(StoreError::DiskFull { path }));
    assert_eq!(full.code(), "ADJ-3003");
    let trouble = store.health().trouble().unwrap();
    assert_eq!(trouble.code(), "ADJ-3003", "whoever asks is told");

    let id = writer.mission;
    assert_eq!(acme.head(id).await.unwrap(), Some(writer.head));
    assert_eq!(acme.events(id, 1, 9).await.unwrap().len(), 2);
    assert_eq!(acme.row(id).await.unwrap(), Some(writer.row()));
    assert_eq!(acme.counts().await.unwrap(), [(Phase::Executing, 1)]);
    assert_eq!(acme.inbox(9).await.unwrap(), vec![]);
    assert_eq!(acme.snapshot(id).await.unwrap(), None);
    assert_eq!(acme.blob(id, blob.digest).await.unwrap(), None);

    leave_room(&store, 10_000).await;
    store.look_after_health().await;
    assert_eq!(store.health().trouble(), None);
    writer.append(&acme, batch).await;
    assert_eq!(acme.head(id).await.unwrap(), Some(writer.head));
    assert_eq!(acme.counts().await.unwrap(), [(Phase::AwaitingHuman, 1)]);
    let kept = acme.blob(id, blob.digest).await.unwrap();
    assert_eq!(kept, Some(blob.bytes));
}

#[tokio::test]
async fn failed_commit_fails_its_whole_group() {
    let (store, _folder) = fresh();
    let name = tenant("acme");
    leave_room(&store, 8).await;
    let mut heard = store.subscribe();
    let mut sent = JoinSet::new();
    one_group(&store, 10, || {
        for n in 0..10 {
            let acme = store.tenant(&name);
            let writer = Writer::new(&name, mission(n), Phase::Executing);
            let mut batch = writer.next(1);
            if n == 7 {
                batch.blobs = vec![Blob::new(Zone::Sensitive, vec![7; 200_000])];
            }
            sent.spawn(async move { acme.append(batch).await });
        }
    })
    .await;
    for result in sent.join_all().await {
        let failed = matches!(result, Err(AppendError::Store(StoreError::DiskFull { .. })));
        assert!(failed, "{result:?}");
    }
    assert_eq!(store.tenant(&name).find("", 99).await.unwrap(), vec![]);
    assert_eq!(store.tenant(&name).counts().await.unwrap(), vec![]);
    heard.try_recv().unwrap_err();

    let mut writer = Writer::new(&name, mission(3), Phase::Executing);
    let next = writer.next(1);
    writer.append(&store.tenant(&name), next).await;
}

#[tokio::test]
async fn conflict_leaves_the_rest_of_its_group_alone() {
    let (store, _folder) = fresh();
    let name = tenant("acme");
    let acme = store.tenant(&name);
    let first = Writer::new(&name, mission(1), Phase::Executing);
    let mut second = first.clone();
    second.head = first.next(2).events[1].head();
    // In order: opens, conflicts, continues the first of this very group, and another mission.
    let batches = [
        first.next(2),
        first.next(1),
        second.next(3),
        Writer::new(&name, mission(2), Phase::Executing).next(1),
    ];
    let (answers, mut answered) = tokio::sync::mpsc::unbounded_channel();
    one_group(&store, 4, || {
        for (n, batch) in batches.into_iter().enumerate() {
            let (acme, answers) = (acme.clone(), answers.clone());
            tokio::spawn(async move {
                let result = acme.append(batch).await;
                answers.send((n, result)).unwrap();
            });
        }
    })
    .await;
    drop(answers);
    while let Some((n, result)) = answered.recv().await {
        let conflict = AppendError::Conflict {
            expected: first.head,
            found: second.head,
        };
        let expected = if n == 1 { Err(conflict) } else { Ok(()) };
        assert_eq!(result, expected, "batch {n}");
    }
    assert_eq!(acme.head(mission(1)).await.unwrap().unwrap().seq, 5);
    assert_eq!(acme.head(mission(2)).await.unwrap().unwrap().seq, 1);
    assert_eq!(acme.counts().await.unwrap(), [(Phase::Executing, 2)]);
}

/// A disk of its own, which a test may fill. Only root can mount one.
struct SmallDisk(TempDir);

impl SmallDisk {
    fn mount(bytes: usize) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={bytes}"), "tmpfs"])
            .arg(folder.path())
            .status();
        match mounted {
            Ok(status) if status.success() => Some(Self(folder)),
            _ => {
                eprintln!("skipped: a disk to fill cannot be mounted by this user");
                None
            }
        }
    }

    /// Writes until nothing more fits.
    fn fill(&self) {
        let mut file = std::fs::File::create(self.filling()).unwrap();
        while file.write_all(&[0; 4_096]).is_ok() {}
    }

    fn filling(&self) -> std::path::PathBuf {
        self.0.path().join("filling")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: the store may still be open.
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

#[tokio::test]
async fn a_full_disk_is_noticed_before_anything_is_written_and_space_ends_it() {
    let Some(disk) = SmallDisk::mount(16 << 20) else {
        return;
    };
    let store = SqliteStore::open(disk.0.path().join("adjutant.db"), Access::Host).unwrap();
    store.look_after_health().await;
    assert_eq!(store.health().trouble(), None);
    disk.fill();
    store.look_after_health().await;
    let trouble = store.health().trouble().unwrap();
    assert!(matches!(trouble, StoreError::DiskFull { .. }), "{trouble}");
    store.look_after_health().await;
    assert_eq!(store.health().trouble(), Some(trouble), "it is still full");
    std::fs::remove_file(disk.filling()).unwrap();
    store.look_after_health().await;
    assert_eq!(store.health().trouble(), None);
    let left: Vec<_> = std::fs::read_dir(disk.0.path()).unwrap().collect();
    assert_eq!(
        left.len(),
        4,
        "the store, its two files, its lock: {left:?}"
    );
    drop(store);
}
