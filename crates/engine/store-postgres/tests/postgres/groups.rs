//! Who shares a transaction with whom, and what one's failure means for the others.

use adjutant_mission::{CheckpointNumber, Phase, Severity, Zone};
use adjutant_postgres_cluster::Database;
use adjutant_store::conformance::{Writer, inbox_row, mission, tenant, text};
use adjutant_store::{AppendError, Blob, InboxChange, Snapshot, Store, StoreError, TenantStore};
use adjutant_store_postgres::PostgresStore;
use tokio::task::JoinSet;

use crate::support::{connect, fresh, run, until, verify};

/// Holds the writer inside a first append while `send` queues others, so that these form one group.
async fn one_group(store: &PostgresStore, database: &Database, send: impl AsyncFnOnce()) {
    let mut holding = connect(database.address()).await;
    let hold = holding.transaction().await.unwrap();
    let lock = "LOCK TABLE adjutant.fence IN EXCLUSIVE MODE";
    hold.batch_execute(lock).await.unwrap();
    let name = tenant("plug");
    let plug = tokio::spawn({
        let (tenant, writer) = (
            store.tenant(&name),
            Writer::new(&name, mission(99), Phase::Planning),
        );
        async move { tenant.append(writer.next(1)).await }
    });
    let back_door = connect(database.address()).await;
    let waits = "SELECT count(*) FROM pg_locks l WHERE NOT granted
                 AND relation = 'adjutant.fence'::regclass";
    until(async || {
        let waiting: i64 = back_door.query_one(waits, &[]).await.unwrap().get(0);
        (waiting == 1).then_some(())
    })
    .await;
    send().await;
    hold.rollback().await.unwrap();
    plug.await.unwrap().unwrap();
}

/// Lets everything that was spawned come to the point where it waits. The runtime of a test has one thread, and
/// an append that is polled once is queued.
async fn queued() {
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn conflict_leaves_the_rest_of_its_group_alone() {
    let (store, _settings, database) = fresh().await;
    let name = tenant("acme");
    let acme = store.tenant(&name);
    let first = Writer::new(&name, mission(1), Phase::Executing);
    let mut second = first.clone();
    second.head = first.next(2).events[1].head();
    let mut third = second.next(3);
    third.summary.phase = Phase::AwaitingHuman;
    // In order: opens, conflicts, continues the first of this very group, another mission, another tenant.
    let other = tenant("globex");
    let batches = [
        (acme.clone(), first.next(2)),
        (acme.clone(), first.next(1)),
        (acme.clone(), third),
        (
            acme.clone(),
            Writer::new(&name, mission(2), Phase::Executing).next(1),
        ),
        (
            store.tenant(&other),
            Writer::new(&other, mission(1), Phase::Failed).next(4),
        ),
    ];
    let (answers, mut answered) = tokio::sync::mpsc::unbounded_channel();
    one_group(&store, &database, async || {
        for (n, (tenant, batch)) in batches.into_iter().enumerate() {
            let answers = answers.clone();
            tokio::spawn(async move {
                let result = tenant.append(batch).await;
                answers.send((n, result)).unwrap();
            });
        }
        queued().await;
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
    let counts = acme.counts().await.unwrap();
    assert_eq!(counts, [(Phase::Executing, 1), (Phase::AwaitingHuman, 1)]);
    let counts = store.tenant(&other).counts().await.unwrap();
    assert_eq!(counts, [(Phase::Failed, 1)]);
}

/// Within a group the last word counts: for the summary, the snapshot, and each checkpoint.
#[tokio::test]
async fn mission_written_twice_in_a_group_ends_as_the_last_batch_says() {
    let (store, _settings, database) = fresh().await;
    let name = tenant("acme");
    let acme = store.tenant(&name);
    let mut writer = Writer::new(&name, mission(1), Phase::Planning);
    let put = |number, severity| InboxChange::Put(inbox_row(mission(1), number, severity, 5));
    let mut batches = Vec::new();
    for (n, phase) in [Phase::Planning, Phase::Executing, Phase::AwaitingHuman]
        .into_iter()
        .enumerate()
    {
        let mut batch = writer.next(1);
        batch.summary.phase = phase;
        batch.summary.title = text(&format!("as of {n}"));
        batch.blobs = vec![Blob::new(Zone::Platform, b"the same".to_vec())];
        batch.snapshot = Some(Snapshot {
            head: batch.events[0].head(),
            version: n as u16,
            passport: text(&n.to_string()),
        });
        batch.inbox = match n {
            0 => vec![put(1, Severity::Medium), put(2, Severity::Medium)],
            1 => vec![
                InboxChange::Remove(CheckpointNumber::new(1)),
                put(2, Severity::High),
                put(3, Severity::Medium),
            ],
            _ => vec![
                put(1, Severity::Critical),
                InboxChange::Remove(CheckpointNumber::new(3)),
            ],
        };
        writer.head = batch.events[0].head();
        batches.push(batch);
    }
    let last = batches[2].clone();
    let mut sent = JoinSet::new();
    one_group(&store, &database, async || {
        for batch in batches {
            let acme = acme.clone();
            sent.spawn(async move { acme.append(batch).await.unwrap() });
        }
        queued().await;
    })
    .await;
    sent.join_all().await;
    writer.summary = last.summary;
    assert_eq!(acme.row(mission(1)).await.unwrap(), Some(writer.row()));
    assert_eq!(acme.snapshot(mission(1)).await.unwrap(), last.snapshot);
    assert_eq!(acme.counts().await.unwrap(), [(Phase::AwaitingHuman, 1)]);
    let inbox = acme.inbox(9).await.unwrap();
    let inbox: Vec<_> = inbox
        .iter()
        .map(|asked| (asked.row.checkpoint.number.get(), asked.row.severity))
        .collect();
    assert_eq!(inbox, [(1, Severity::Critical), (2, Severity::High)]);
    assert_eq!(verify(&store, &name, mission(1)).await, Ok(writer.head));
}

/// A server whose disk is full, as far as the store can tell.
const FULL: &str = "
    CREATE FUNCTION adjutant.full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER full_disk BEFORE INSERT ON adjutant.blobs
    FOR EACH STATEMENT EXECUTE FUNCTION adjutant.full_disk()";

#[tokio::test]
async fn failed_commit_fails_its_whole_group_and_heals() {
    let (store, _settings, database) = fresh().await;
    let name = tenant("acme");
    let acme = store.tenant(&name);
    run(&database, FULL).await;
    let mut heard = store.subscribe();
    let mut sent = JoinSet::new();
    one_group(&store, &database, async || {
        for n in 0..10 {
            let acme = acme.clone();
            let mut batch = Writer::new(&name, mission(n), Phase::Executing).next(1);
            if n == 7 {
                batch.blobs = vec![Blob::new(Zone::Sensitive, vec![7; 1_000])];
            }
            sent.spawn(async move { acme.append(batch).await });
        }
        queued().await;
    })
    .await;
    for result in sent.join_all().await {
        let failed = matches!(result, Err(AppendError::Store(StoreError::DiskFull { .. })));
        assert!(failed, "{result:?}");
    }
    assert_eq!(acme.find("", 99).await.unwrap(), vec![]);
    assert_eq!(acme.counts().await.unwrap(), vec![]);
    assert_eq!(heard.try_recv().unwrap().tenant, tenant("plug"));
    heard.try_recv().unwrap_err();

    run(&database, "DROP TRIGGER full_disk ON adjutant.blobs").await;
    let mut writer = Writer::new(&name, mission(7), Phase::Executing);
    let mut batch = writer.next(1);
    let blob = Blob::new(Zone::Sensitive, vec![7; 1_000]);
    batch.blobs = vec![blob.clone()];
    writer.append(&acme, batch).await;
    let kept = acme.blob(mission(7), blob.digest).await.unwrap();
    assert_eq!(kept, Some(blob.bytes));
}

/// More bytes than one statement takes, and more than one transaction takes.
#[tokio::test]
async fn large_batches_are_cut_into_statements_and_kept_whole() {
    let (store, _settings, _database) = fresh().await;
    let name = tenant("acme");
    let mut sent = JoinSet::new();
    for n in 0..3 {
        let (acme, mut writer) = (
            store.tenant(&name),
            Writer::new(&name, mission(n), Phase::Executing),
        );
        sent.spawn(async move {
            let mut batch = writer.next(0);
            let mut head = writer.head;
            for m in 0..10u8 {
                let (event, next) = head.link(vec![m; 3 << 20]);
                batch.events.push(event);
                head = next;
            }
            batch.blobs = (0..3u8)
                .map(|m| Blob::new(Zone::Sensitive, vec![m; 9 << 20]))
                .collect();
            let blob = batch.blobs[2].clone();
            writer.append(&acme, batch).await;
            let kept = acme.blob(writer.mission, blob.digest).await.unwrap();
            assert_eq!(kept, Some(blob.bytes));
            writer
        });
    }
    for writer in sent.join_all().await {
        assert_eq!(verify(&store, &name, writer.mission).await, Ok(writer.head));
    }
}
