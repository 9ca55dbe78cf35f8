//! The server dies under load. What was confirmed is there, what was refused is not.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use adjutant_mission::Phase;
use adjutant_postgres_cluster::{Cluster, Database, Durability};
use adjutant_store::conformance::{Writer, mission, tenant};
use adjutant_store::{Retry, Store, TenantStore};
use adjutant_store_postgres::{PostgresStore, Settings};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::support::{PATIENCE, host, verify};

const WRITERS: u64 = 16;
const KILLS: u64 = 3;
/// Appends that go well between two kills.
const APPENDS_BETWEEN: u64 = 2_000;
/// Between two tries, as a host does it.
const PAUSE: Duration = Duration::from_millis(20);

/// Appends without pause. What is refused is appended again, unchanged: had it been written all the same, that
/// would be a conflict, and the writer's next word would be a panic.
async fn write(
    store: PostgresStore,
    n: u64,
    confirmed: Arc<watch::Sender<u64>>,
    stop: Arc<AtomicBool>,
) -> Writer {
    let name = tenant("acme");
    let acme = store.tenant(&name);
    let mut writer = Writer::new(&name, mission(n), Phase::Executing);
    while !stop.load(Ordering::Relaxed) {
        let batch = writer.next(2);
        loop {
            match writer.try_append(&acme, batch.clone()).await {
                Ok(()) => break,
                Err(error) => assert_eq!(error.retry(), Retry::Later, "{error:?}"),
            }
            tokio::time::sleep(PAUSE).await;
        }
        confirmed.send_modify(|confirmed| *confirmed += 1);
    }
    writer
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_server_loses_nothing_that_was_confirmed() {
    let mut cluster = Cluster::start(Durability::Full).unwrap();
    let database = Database::fresh_in(&cluster).unwrap();
    let settings = Settings::new(database.address()).unwrap();
    let store = host(&settings).await;
    let confirmed = Arc::new(watch::Sender::new(0));
    let mut heard = confirmed.subscribe();
    let stop = Arc::<AtomicBool>::default();
    let mut writers = JoinSet::new();
    for n in 0..WRITERS {
        let (confirmed, stop) = (Arc::clone(&confirmed), Arc::clone(&stop));
        writers.spawn(write(store.clone(), n, confirmed, stop));
    }
    for kill in 1..=KILLS {
        let enough = heard.wait_for(|confirmed| *confirmed >= kill * APPENDS_BETWEEN);
        timeout(PATIENCE, enough).await.unwrap().unwrap();
        cluster = tokio::task::spawn_blocking(move || {
            cluster.kill_9().unwrap();
            cluster.restart().unwrap();
            cluster
        })
        .await
        .unwrap();
    }
    let before = *heard.borrow();
    let more = heard.wait_for(|confirmed| *confirmed > before);
    timeout(PATIENCE, more).await.unwrap().unwrap();
    stop.store(true, Ordering::Relaxed);
    let writers = writers.join_all().await;
    store.close().await.unwrap();

    let name = tenant("acme");
    let store = host(&settings).await;
    let mut events = 0;
    for writer in writers {
        assert_eq!(verify(&store, &name, writer.mission).await, Ok(writer.head));
        let row = store.tenant(&name).row(writer.mission).await.unwrap();
        assert_eq!(row, Some(writer.row()));
        events += writer.head.seq;
    }
    assert_eq!(events, 2 * *heard.borrow());
    let counts = store.tenant(&name).counts().await.unwrap();
    assert_eq!(counts, [(Phase::Executing, WRITERS)]);
}

#[tokio::test]
async fn reads_come_back_with_the_server() {
    let mut cluster = Cluster::start(Durability::None).unwrap();
    let database = Database::fresh_in(&cluster).unwrap();
    let store = host(&Settings::new(database.address()).unwrap()).await;
    let name = tenant("acme");
    let acme = store.tenant(&name);
    let mut writer = Writer::new(&name, mission(1), Phase::Executing);
    writer.append(&acme, writer.next(1)).await;
    assert_eq!(acme.head(mission(1)).await.unwrap(), Some(writer.head));

    cluster.kill_9().unwrap();
    for _ in 0..3 {
        let away = acme.head(mission(1)).await.unwrap_err();
        assert_eq!((away.code(), away.retry()), ("ADJ-3012", Retry::Later));
    }
    cluster.restart().unwrap();
    assert_eq!(acme.head(mission(1)).await.unwrap(), Some(writer.head));
    // Connections that lie idle when the server goes are no trouble either.
    cluster.restart().unwrap();
    assert_eq!(acme.head(mission(1)).await.unwrap(), Some(writer.head));
}
