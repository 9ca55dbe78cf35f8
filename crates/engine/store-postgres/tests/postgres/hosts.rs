//! Hosts that come and go: one writes, others stand by, and who has lost the store writes nothing more.

use std::time::{Duration, Instant};

use adjutant_mission::Phase;
use adjutant_store::conformance::{Filled, Writer, mission, tenant};
use adjutant_store::{AppendError, Store, StoreError, TenantStore};
use adjutant_store_postgres::{Access, PostgresStore};
use tokio::time::timeout;

use crate::support::{
    LOCK_HOLDER, PATIENCE, connect, fresh, host, is_taken_over, is_unreachable, refusal, run,
    until, verify,
};

const TAKEN_OVER_WITHIN: Duration = Duration::from_secs(5);

#[tokio::test]
async fn who_stands_by_takes_over_and_the_other_writes_nothing_more() {
    let (first, settings, database) = fresh().await;
    let name = tenant("acme");
    let mut writer = Writer::new(&name, mission(1), Phase::Executing);
    writer.append(&first.tenant(&name), writer.next(2)).await;

    let standing_by = tokio::spawn({
        let settings = settings.clone();
        async move { PostgresStore::stand_by(&settings).await }
    });
    let back_door = connect(database.address()).await;
    let standing = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
                        AND application_name LIKE 'adjutant host %'";
    until(async || {
        let hosts: i64 = back_door.query_one(standing, &[]).await.unwrap().get(0);
        (hosts == 2).then_some(())
    })
    .await;
    writer.append(&first.tenant(&name), writer.next(1)).await;
    assert!(!standing_by.is_finished());

    let terminated = Instant::now();
    let terminate = format!("SELECT pg_terminate_backend(pid) FROM ({LOCK_HOLDER}) AS holder");
    back_door.execute(&terminate, &[]).await.unwrap();
    let second = timeout(TAKEN_OVER_WITHIN, standing_by).await.unwrap();
    let second = second.unwrap().unwrap();
    assert!(terminated.elapsed() < TAKEN_OVER_WITHIN);

    // Refused at first because the connection is gone, then for good.
    let former = first.tenant(&name);
    let stale = writer.next(1);
    until(async || {
        let refused = former.append(stale.clone()).await.unwrap_err();
        assert!(
            is_unreachable(&refused) || is_taken_over(&refused),
            "{refused:?}"
        );
        is_taken_over(&refused).then_some(())
    })
    .await;
    let mut other = Writer::new(&name, mission(2), Phase::Executing);
    for _ in 0..20 {
        let refused = former.append(other.next(1)).await.unwrap_err();
        assert_eq!(refused.code(), "ADJ-3016");
    }
    // It can still look.
    assert_eq!(former.head(mission(1)).await.unwrap(), Some(writer.head));

    writer.append(&second.tenant(&name), writer.next(3)).await;
    other.append(&second.tenant(&name), other.next(1)).await;
    assert_eq!(verify(&second, &name, mission(1)).await, Ok(writer.head));
    assert!(matches!(
        refusal(&settings, Access::Host).await,
        StoreError::Locked { .. }
    ));
    first.close().await.unwrap();
}

/// The lock may be lost without the host's knowing. The fence does not ask what it knows.
#[tokio::test]
async fn host_with_an_old_epoch_writes_nothing() {
    let (store, _settings, database) = fresh().await;
    let name = tenant("acme");
    let acme = store.tenant(&name);
    let mut writer = Writer::new(&name, mission(1), Phase::Executing);
    writer.append(&acme, writer.next(2)).await;
    run(&database, "UPDATE adjutant.fence SET epoch = epoch + 1").await;
    for _ in 0..3 {
        let refused = acme.append(writer.next(1)).await.unwrap_err();
        assert!(is_taken_over(&refused), "{refused:?}");
    }
    assert_eq!(verify(&store, &name, mission(1)).await, Ok(writer.head));
    assert_eq!(acme.events(mission(1), 1, 9).await.unwrap().len(), 2);
}

/// Between two hosts there is no moment in which both can write: the second waits for what the first has begun.
#[tokio::test]
async fn taking_over_waits_for_what_is_under_way() {
    let (first, _settings, database) = fresh().await;
    let name = tenant("acme");
    // The statements are prepared, which would wait too.
    let mut before = Writer::new(&name, mission(2), Phase::Executing);
    before.append(&first.tenant(&name), before.next(1)).await;
    let writer = Writer::new(&name, mission(1), Phase::Executing);
    // Somebody looks at the mission list so hard that the append has to wait inside its transaction.
    let mut looking = connect(database.address()).await;
    let look = looking.transaction().await.unwrap();
    look.batch_execute("LOCK TABLE adjutant.missions IN EXCLUSIVE MODE")
        .await
        .unwrap();
    let appending = tokio::spawn({
        let (acme, batch) = (first.tenant(&name), writer.next(1));
        async move { acme.append(batch).await }
    });
    let back_door = connect(database.address()).await;
    let waits = "SELECT count(*) FROM pg_stat_activity
                 WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let waiting = async |wanted: i64| {
        until(async || {
            let waiting: i64 = back_door.query_one(waits, &[]).await.unwrap().get(0);
            (waiting == wanted).then_some(())
        })
        .await;
    };
    waiting(1).await;
    let mut taking = connect(database.address()).await;
    let change = tokio::spawn(async move {
        let change = taking.transaction().await.unwrap();
        let lock = "LOCK TABLE adjutant.fence IN EXCLUSIVE MODE";
        change.batch_execute(lock).await.unwrap();
        let sql = "UPDATE adjutant.fence SET epoch = epoch + 1";
        change.batch_execute(sql).await.unwrap();
        change.commit().await.unwrap();
    });
    waiting(2).await;
    assert!(!change.is_finished() && !appending.is_finished());
    look.rollback().await.unwrap();
    assert_eq!(appending.await.unwrap(), Ok(()));
    change.await.unwrap();
    let refused = first.tenant(&name).append(before.next(1)).await;
    assert!(is_taken_over(&refused.unwrap_err()));
}

#[tokio::test]
async fn who_stands_by_comes_in_when_the_host_closes() {
    let (first, settings, _database) = fresh().await;
    let mut filled = Filled::fill(&first).await;
    let standing_by = tokio::spawn({
        let settings = settings.clone();
        async move { PostgresStore::stand_by(&settings).await }
    });
    first.close().await.unwrap();
    let second = timeout(TAKEN_OVER_WITHIN, standing_by).await.unwrap();
    let second = second.unwrap().unwrap();
    filled.carry_on(&second).await;
    filled.check(&second).await;
}

/// A connection that breaks is no reason to stop, if nobody else has been the host meanwhile.
#[tokio::test]
async fn host_that_lost_its_connection_carries_on_if_nobody_took_over() {
    let (store, settings, database) = fresh().await;
    let name = tenant("acme");
    let acme = store.tenant(&name);
    let mut writer = Writer::new(&name, mission(1), Phase::Executing);
    writer.append(&acme, writer.next(2)).await;
    for _ in 0..2 {
        let terminate = format!("SELECT pg_terminate_backend(pid) FROM ({LOCK_HOLDER}) AS holder");
        run(&database, &terminate).await;
        let batch = writer.next(1);
        let done = until(async || match acme.append(batch.clone()).await {
            Ok(()) => Some(batch.events[0].head()),
            Err(error) => {
                assert!(is_unreachable(&error), "{error:?}");
                None
            }
        });
        writer.head = timeout(PATIENCE, done).await.unwrap();
    }
    assert_eq!(verify(&store, &name, mission(1)).await, Ok(writer.head));
    store.close().await.unwrap();
    host(&settings).await;
}

#[tokio::test]
async fn closing_while_the_server_is_away_does_not_hang() {
    let (store, _settings, database) = fresh().await;
    let name = tenant("acme");
    let writer = Writer::new(&name, mission(1), Phase::Executing);
    let terminate = format!("SELECT pg_terminate_backend(pid) FROM ({LOCK_HOLDER}) AS holder");
    run(&database, &terminate).await;
    until(async || store.tenant(&name).append(writer.next(1)).await.err()).await;
    timeout(PATIENCE, store.close()).await.unwrap().unwrap();
    let refused = store.tenant(&name).append(writer.next(1)).await;
    assert_eq!(refused, Err(AppendError::Store(StoreError::Closed)));
}

/// A host that was ended without a word may still be about to send something: its successor waits until it cannot.
#[tokio::test]
async fn two_hosts_never_hold_a_lease_at_once() {
    let (first, settings, database) = fresh().await;
    assert!(first.lease().holds());
    let standing_by = tokio::spawn({
        let settings = settings.clone();
        async move { PostgresStore::stand_by(&settings).await }
    });
    // All of them: it cannot renew either until it has connected again.
    database.end_sessions().unwrap();
    let second = timeout(TAKEN_OVER_WITHIN, standing_by).await.unwrap();
    let second = second.unwrap().unwrap();
    let mut waited = false;
    until(async || {
        let (former, holds) = (first.lease().holds(), second.lease().holds());
        assert!(!(former && holds), "both may act");
        waited |= !holds;
        holds.then_some(())
    })
    .await;
    assert!(waited, "the second acted at once");
    // It is told although it writes nothing, and its lease does not come back.
    timeout(PATIENCE, first.taken_over()).await.unwrap();
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(second.lease().holds() && !first.lease().holds());
}

#[tokio::test]
async fn a_lease_that_was_returned_is_not_waited_for() {
    let (first, settings, _database) = fresh().await;
    let lease = first.lease();
    first.close().await.unwrap();
    assert!(!lease.holds());
    assert!(host(&settings).await.lease().holds());
}

#[tokio::test]
async fn a_lease_outlasts_many_renewals_and_a_lost_connection() {
    let (store, _settings, database) = fresh().await;
    let began = Instant::now();
    database.end_sessions().unwrap();
    // Lost with the connections, unless it is renewed on new ones.
    tokio::time::sleep(Duration::from_secs(8)).await;
    until(async || store.lease().holds().then_some(())).await;
    assert!(began.elapsed() < PATIENCE);
}

/// A process that stands still keeps its connections, and the server its locks.
#[tokio::test]
async fn a_host_that_hangs_loses_the_store() {
    let (first, settings, database) = fresh().await;
    first.close().await.unwrap();
    let hung = connect(database.address()).await;
    let lock = "SELECT pg_advisory_lock(1097099892, hashtext('adjutant'))";
    hung.batch_execute(lock).await.unwrap();
    let held: i64 = hung
        .query_one(
            &format!("SELECT count(*) FROM ({LOCK_HOLDER}) AS held"),
            &[],
        )
        .await
        .unwrap()
        .get(0);
    assert_eq!(held, 1);
    assert!(matches!(
        refusal(&settings, Access::Host).await,
        StoreError::Locked { .. }
    ));
    let began = Instant::now();
    let second = timeout(PATIENCE, PostgresStore::stand_by(&settings)).await;
    let second = second.unwrap().unwrap();
    assert!(began.elapsed() > Duration::from_secs(7), "it waits first");
    assert!(second.lease().holds());
    assert!(hung.is_closed());
}

#[tokio::test]
async fn a_busy_host_is_not_taken_for_hung() {
    let (first, settings, _database) = fresh().await;
    let standing_by = tokio::spawn(async move { PostgresStore::stand_by(&settings).await });
    tokio::time::sleep(Duration::from_secs(12)).await;
    assert!(!standing_by.is_finished());
    let name = tenant("acme");
    let mut writer = Writer::new(&name, mission(1), Phase::Executing);
    writer.append(&first.tenant(&name), writer.next(1)).await;
    standing_by.abort();
}

/// A host that writes nothing does not notice that it was taken over. Its lease runs out all the same.
#[tokio::test]
async fn a_former_host_renews_nothing() {
    let (first, _settings, database) = fresh().await;
    let successor =
        "UPDATE adjutant.fence SET epoch = epoch + 1; UPDATE adjutant.lease SET epoch = epoch + 1";
    run(&database, successor).await;
    until(async || (!first.lease().holds()).then_some(())).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert!(!first.lease().holds());
}
