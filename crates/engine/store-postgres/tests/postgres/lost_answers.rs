//! A connection that breaks at the worst moment: the server has been told to commit, and its answer is lost.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use adjutant_mission::Phase;
use adjutant_postgres_cluster::Database;
use adjutant_store::conformance::{Writer, mission, tenant};
use adjutant_store::{AppendError, AttestationRow, Store, StoreError, TenantStore, WrappedKey};
use adjutant_store_postgres::{Access, PostgresStore, Settings};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::support::{PATIENCE, host, is_unreachable, place, until, verify};

const WHOLE: u8 = 0;
/// From the next transaction that writes on, what the server says goes nowhere.
const DEAF: u8 = 1;
/// From the next transaction that writes on, what the store says goes nowhere.
const DUMB: u8 = 2;
/// How such a transaction begins; one that only reads says more.
const BEGINNING: &[u8] = b"BEGIN\0";

/// Stands between the store and the server.
struct Wire {
    folder: tempfile::TempDir,
    ends: Arc<Ends>,
    cut: Arc<Notify>,
}

#[derive(Default)]
struct Ends {
    state: AtomicU8,
    /// A transaction that writes has been begun since.
    begun: AtomicBool,
}

impl Ends {
    fn is_now(&self, state: u8) -> bool {
        self.state.load(Ordering::SeqCst) == state && self.begun.load(Ordering::SeqCst)
    }
}

impl Wire {
    fn to(database: &Database) -> Self {
        let server = database.address().split('\'').nth(1).unwrap();
        let server = Path::new(server).join(".s.PGSQL.5432");
        let folder = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(folder.path().join(".s.PGSQL.5432")).unwrap();
        let wire = Self {
            folder,
            ends: Arc::default(),
            cut: Arc::default(),
        };
        let (ends, cut) = (Arc::clone(&wire.ends), Arc::clone(&wire.cut));
        tokio::spawn(async move {
            loop {
                let (store, _) = listener.accept().await.unwrap();
                let server = UnixStream::connect(&server).await.unwrap();
                let (ends, cut) = (Arc::clone(&ends), Arc::clone(&cut));
                tokio::spawn(async move {
                    tokio::select! {
                        () = carry(store, server, &ends) => {}
                        () = cut.notified() => {}
                    }
                });
            }
        });
        wire
    }

    fn address(&self, database: &Database) -> String {
        let server = database.address().split('\'').nth(1).unwrap();
        let folder = self.folder.path().display().to_string();
        database.address().replace(server, &folder)
    }

    fn set(&self, state: u8) {
        self.ends.begun.store(false, Ordering::SeqCst);
        self.ends.state.store(state, Ordering::SeqCst);
    }

    async fn begun(&self) {
        until(async || self.ends.begun.load(Ordering::SeqCst).then_some(())).await;
    }

    /// Cuts every connection that there is.
    fn cut(&self) {
        self.cut.notify_waiters();
    }
}

async fn carry(store: UnixStream, server: UnixStream, ends: &Ends) {
    let (mut from_store, mut to_store) = store.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let out = async {
        let mut bytes = vec![0; 65_536];
        while let Ok(n @ 1..) = from_store.read(&mut bytes).await {
            let mut windows = bytes[..n].windows(BEGINNING.len());
            if windows.any(|window| window == BEGINNING) {
                ends.begun.store(true, Ordering::SeqCst);
            }
            if !ends.is_now(DUMB) {
                to_server.write_all(&bytes[..n]).await.unwrap();
            }
        }
    };
    let back = async {
        let mut bytes = vec![0; 65_536];
        while let Ok(n @ 1..) = from_server.read(&mut bytes).await {
            if !ends.is_now(DEAF) {
                let _ = to_store.write_all(&bytes[..n]).await;
            }
        }
    };
    tokio::select! {
        () = out => {}
        () = back => {}
    }
}

/// What was committed is reported as such, though the server's word of it never came.
#[tokio::test]
async fn append_whose_answer_was_lost_is_confirmed_once_it_is_found() {
    let (database, direct) = place();
    let wire = Wire::to(&database);
    let store = host(&Settings::new(&wire.address(&database)).unwrap()).await;
    let name = tenant("acme");
    let mut writers: Vec<Writer> = (1..=5)
        .map(|n| Writer::new(&name, mission(n), Phase::Executing))
        .collect();
    for writer in &mut writers {
        writer.append(&store.tenant(&name), writer.next(1)).await;
    }
    let mut heard = store.subscribe();
    wire.set(DEAF);
    let mut sent = JoinSet::new();
    for mut writer in writers {
        let acme = store.tenant(&name);
        sent.spawn(async move {
            let done = writer.try_append(&acme, writer.next(2)).await;
            (writer, done)
        });
    }
    // The first of them is in, as anybody else can see; nobody has been told.
    let reader = PostgresStore::open(&direct, Access::Reader).await.unwrap();
    until(async || {
        let acme = reader.tenant(&name);
        let mut written = 0;
        for n in 1..=5 {
            written += acme.head(mission(n)).await.unwrap().unwrap().seq - 1;
        }
        (written > 0).then_some(())
    })
    .await;
    assert_eq!(sent.try_join_next().map(drop), None::<()>);
    heard.try_recv().unwrap_err();
    wire.cut();
    wire.set(WHOLE);
    let mut confirmed = 0;
    for (writer, done) in timeout(PATIENCE, sent.join_all()).await.unwrap() {
        // Those of the group that was sent are confirmed. Those that had to wait for it are refused, and not in.
        assert_eq!(verify(&store, &name, writer.mission).await, Ok(writer.head));
        match done {
            Ok(()) => confirmed += 1,
            Err(error) => assert!(is_unreachable(&error), "{error:?}"),
        }
    }
    assert!(confirmed > 0);
    let mut news = 0;
    while heard.try_recv().is_ok() {
        news += 1;
    }
    assert_eq!(news, confirmed);
}

/// What never reached the server is reported as not written, and can be written then.
#[tokio::test]
async fn append_that_never_arrived_is_refused_and_can_be_made_again() {
    let (database, _direct) = place();
    let wire = Wire::to(&database);
    let store = host(&Settings::new(&wire.address(&database)).unwrap()).await;
    let name = tenant("acme");
    let acme = store.tenant(&name);
    let mut writer = Writer::new(&name, mission(1), Phase::Executing);
    writer.append(&acme, writer.next(1)).await;
    wire.set(DUMB);
    let batch = writer.next(2);
    let appending = tokio::spawn({
        let (acme, batch) = (acme.clone(), batch.clone());
        async move { acme.append(batch).await }
    });
    wire.begun().await;
    assert!(!appending.is_finished());
    wire.cut();
    wire.set(WHOLE);
    let refused = timeout(PATIENCE, appending).await.unwrap().unwrap();
    assert!(is_unreachable(&refused.unwrap_err()));
    writer.append(&acme, batch).await;
    assert_eq!(verify(&store, &name, mission(1)).await, Ok(writer.head));
}

/// Who must close before the truth is known says that it is not.
#[tokio::test]
async fn closing_with_an_answer_outstanding_says_that_it_is_unknown() {
    let (database, _direct) = place();
    let wire = Wire::to(&database);
    let store = host(&Settings::new(&wire.address(&database)).unwrap()).await;
    let name = tenant("acme");
    let acme = store.tenant(&name);
    let mut writer = Writer::new(&name, mission(1), Phase::Executing);
    writer.append(&acme, writer.next(1)).await;
    wire.set(DUMB);
    let appending = tokio::spawn({
        let (acme, batch) = (acme.clone(), writer.next(2));
        async move { acme.append(batch).await }
    });
    wire.begun().await;
    wire.cut();
    timeout(PATIENCE, store.close()).await.unwrap().unwrap();
    let unknown = appending.await.unwrap().unwrap_err();
    assert!(matches!(
        unknown,
        AppendError::Store(StoreError::Unconfirmed { .. })
    ));
    assert_eq!(unknown.code(), "ADJ-3017");
}

/// The same holds for what is written beside appends.
#[tokio::test]
async fn change_whose_answer_was_lost_is_confirmed_once_it_is_found() {
    let (database, direct) = place();
    let wire = Wire::to(&database);
    let store = host(&Settings::new(&wire.address(&database)).unwrap()).await;
    let reader = PostgresStore::open(&direct, Access::Reader).await.unwrap();
    let (name, other) = (tenant("acme"), tenant("globex"));
    let mut writer = Writer::new(&name, mission(1), Phase::Completed);
    writer.append(&store.tenant(&name), writer.next(2)).await;
    let whole = store.tenant(&name).take_out(mission(1)).await;
    let whole = whole.unwrap().unwrap();
    let row = |number| AttestationRow {
        number,
        mission: mission(1),
        bytes: vec![7; 100],
    };
    for n in 0..4 {
        wire.set(DEAF);
        let (acme, globex) = (store.tenant(&name), store.tenant(&other));
        let whole = whole.clone();
        let changing = tokio::spawn(async move {
            match n {
                0 => {
                    let key = WrappedKey(vec![7; 60]);
                    acme.set_tenant_key(None, key, vec![]).await
                }
                1 => acme.attest(vec![row(1), row(2)]).await,
                2 => acme.prune(mission(1), row(3)).await,
                _ => globex.put_in(whole).await,
            }
        });
        let (acme, globex) = (reader.tenant(&name), reader.tenant(&other));
        until(async || {
            let written = match n {
                0 => acme.tenant_key().await.unwrap().is_some(),
                1 => acme.attestations(2, 9).await.unwrap().len() == 1,
                2 => acme.head(mission(1)).await.unwrap().is_none(),
                _ => globex.row(mission(1)).await.unwrap().is_some(),
            };
            written.then_some(())
        })
        .await;
        assert!(!changing.is_finished());
        wire.cut();
        wire.set(WHOLE);
        let done = timeout(PATIENCE, changing).await.unwrap().unwrap();
        assert_eq!(done, Ok(true), "change {n}");
    }
}

/// And what never arrived is refused, and can be done then.
#[tokio::test]
async fn change_that_never_arrived_is_refused_and_can_be_made_again() {
    let (database, _direct) = place();
    let wire = Wire::to(&database);
    let store = host(&Settings::new(&wire.address(&database)).unwrap()).await;
    let acme = store.tenant(&tenant("acme"));
    let row = AttestationRow {
        number: 1,
        mission: mission(1),
        bytes: vec![7; 100],
    };
    wire.set(DUMB);
    let attesting = tokio::spawn({
        let (acme, row) = (acme.clone(), row.clone());
        async move { acme.attest(vec![row]).await }
    });
    wire.begun().await;
    wire.cut();
    wire.set(WHOLE);
    let refused = timeout(PATIENCE, attesting).await.unwrap().unwrap();
    assert_eq!(refused.unwrap_err().code(), "ADJ-3012");
    assert_eq!(acme.last_attestation().await.unwrap(), None);
    assert!(acme.attest(vec![row]).await.unwrap());
}
