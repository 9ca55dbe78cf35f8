use adjutant_postgres_cluster::Database;
use adjutant_store::{BlobDigest, StoreError};

use crate::migrations::{MIGRATIONS, migrate};
use crate::session::{Purpose, Session};
use crate::{Access, PostgresStore, Settings};

fn place() -> (Database, Settings) {
    let database = Database::fresh().unwrap();
    let settings = Settings::new(database.address()).unwrap();
    (database, settings)
}

#[tokio::test]
async fn fresh_schema_equals_migrated_from_every_version() {
    let (database, settings) = place();
    PostgresStore::open(&settings, Access::Host).await.unwrap();
    let fresh = database.dump(&settings.schema).unwrap();
    assert!(fresh.contains("CREATE TABLE adjutant.events"));
    for known in 1..=MIGRATIONS.len() {
        let (database, settings) = place();
        let old = Session::connect(&settings, Purpose::Host).await.unwrap();
        migrate(&old, &settings, &MIGRATIONS[..known])
            .await
            .unwrap();
        drop(old);
        PostgresStore::open(&settings, Access::Host).await.unwrap();
        assert_eq!(database.dump(&settings.schema).unwrap(), fresh);
    }
}

/// Half a migration is none.
#[tokio::test]
async fn failing_migration_leaves_nothing() {
    let (database, settings) = place();
    let session = Session::connect(&settings, Purpose::Host).await.unwrap();
    let broken = [MIGRATIONS[0], "CREATE TABLE later (); SELECT nonsense;"];
    let failed = migrate(&session, &settings, &broken).await.unwrap_err();
    assert!(matches!(failed, StoreError::Backend { .. }), "{failed:?}");
    // Not even the schema is there to be shown.
    database.dump(&settings.schema).unwrap_err();
    PostgresStore::open(&settings, Access::Host).await.unwrap();
}

/// Stores in the field were made by exactly these. A change is a further migration.
#[test]
fn merged_migrations_are_never_edited() {
    let digests: Vec<String> = MIGRATIONS
        .iter()
        .map(|sql| BlobDigest::of(sql.as_bytes()).to_string())
        .collect();
    assert_eq!(
        digests,
        [
            "f176c01a7f1551819ca4d2430eb9d53df88ac7d2060002f0d7bb9ae28cc0f658",
            "1384dc53aa6f9fbd46297a1e71c398f2f9df1d3a5e11f3db4e7192a54b0d7b74",
            "65e5743ba91937f43fcae957419678399724244cfd39fe22569f6158c7157394",
            "ee5749c9fe9a6eda6c9cfa98c5d1cd9d122d6ebc28f4577bf1ca5986b868e96a",
            "4dfd82c243197fdbf3a939e8cbb99c36c285b9a401df2aee8766a46b1fbe4507",
            "57ea53783988303d558a289bbc34c2d135ca12470c213d543405fda0bcc8a845",
        ]
    );
}
