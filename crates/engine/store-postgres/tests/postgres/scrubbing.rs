//! What was erased or re-wrapped is not in the database's files either.

use std::path::Path;

use adjutant_mission::Phase;
use adjutant_postgres_cluster::{Cluster, Database, Durability};
use adjutant_store::conformance::{Writer, mission, tenant};
use adjutant_store::{Store, StoreError, TenantStore, WrappedKey};
use adjutant_store_postgres::{Access, PostgresStore, Settings};

use crate::support::{connect, fresh, host, run};

/// How many of the files below hold these bytes.
fn files_with(folder: &Path, bytes: &[u8]) -> usize {
    let entries = std::fs::read_dir(folder).unwrap();
    let found = entries.map(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() {
            return files_with(&path, bytes);
        }
        let content = std::fs::read(&path).unwrap();
        usize::from(content.windows(bytes.len()).any(|window| window == bytes))
    });
    found.sum()
}

#[tokio::test]
async fn destroyed_keys_are_gone_from_the_files() {
    let cluster = Cluster::start(Durability::None).unwrap();
    let database = Database::fresh_in(&cluster).unwrap();
    let store = host(&Settings::new(database.address()).unwrap()).await;
    let name = tenant("acme");
    let acme = store.tenant(&name);
    let mut writer = Writer::new(&name, mission(1), Phase::Completed);
    let mut beside = Writer::new(&name, mission(2), Phase::Completed);
    let keys =
        [b"the key that must go!", b"the key that must bee"].map(|key| WrappedKey(key.to_vec()));
    for (writer, key) in [&mut writer, &mut beside].into_iter().zip(&keys) {
        let mut batch = writer.next(3);
        batch.opening.as_mut().unwrap().key = key.clone();
        writer.append(&acme, batch).await;
    }
    let former = WrappedKey(b"the tenant's former key".to_vec());
    let present = WrappedKey(b"the tenant's present key".to_vec());
    assert!(
        acme.set_tenant_key(None, former.clone(), vec![])
            .await
            .unwrap()
    );
    writer.append(&acme, writer.erasing()).await;
    let rewrapped = acme.set_tenant_key(Some(former.clone()), present.clone(), vec![]);
    assert!(rewrapped.await.unwrap());

    let files = cluster.files();
    let held = |key: &WrappedKey| files_with(&files, &key.0);
    run(&database, "CHECKPOINT").await;
    // Deleted, and still there: this is what scrubbing is for.
    assert_eq!((held(&keys[0]), held(&former)), (1, 1));
    store.scrub().await.unwrap();
    run(&database, "CHECKPOINT").await;
    assert_eq!((held(&keys[0]), held(&former)), (0, 0));
    assert_eq!((held(&keys[1]), held(&present)), (1, 1));
    let kept = acme.mission_keys(None, 9).await.unwrap();
    assert_eq!(kept, [(mission(2), keys[1].clone())]);
    beside.append(&acme, beside.next(1)).await;
}

#[tokio::test]
async fn scrubbing_that_cannot_work_says_so() {
    let (store, settings, database) = fresh().await;
    let name = tenant("acme");
    let mut writer = Writer::new(&name, mission(1), Phase::Completed);
    writer.append(&store.tenant(&name), writer.next(1)).await;
    let reader = PostgresStore::open(&settings, Access::Reader)
        .await
        .unwrap();
    let refused = reader.scrub().await.unwrap_err();
    assert!(
        matches!(refused, StoreError::ReadOnly { .. }),
        "{refused:?}"
    );

    // Somebody looks at the store as it was before, and will see what was deleted for as long as they do.
    let mut looking = connect(database.address()).await;
    let look = looking.build_transaction();
    let level = tokio_postgres::IsolationLevel::RepeatableRead;
    let look = look.isolation_level(level).start().await.unwrap();
    look.batch_execute("SELECT FROM adjutant.fence")
        .await
        .unwrap();
    let erasing = writer.erasing();
    writer.append(&store.tenant(&name), erasing).await;
    let busy = store.scrub().await.unwrap_err();
    assert!(matches!(busy, StoreError::Busy { .. }), "{busy:?}");
    look.rollback().await.unwrap();
    store.scrub().await.unwrap();
    store.close().await.unwrap();

    let user = format!("scrubber_{}", std::process::id());
    let make = format!("CREATE ROLE {user} LOGIN IN ROLE adjutant_app");
    run(&database, &make).await;
    let address = database
        .address()
        .replace("user=postgres", &format!("user={user}"));
    let store = host(&Settings::new(&address).unwrap()).await;
    let refused = store.scrub().await.unwrap_err();
    assert!(matches!(refused, StoreError::Refused { .. }), "{refused:?}");
}
