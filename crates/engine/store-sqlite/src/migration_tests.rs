#![expect(
    clippy::disallowed_methods,
    reason = "an old store is made without the store's own opening"
)]

use adjutant_store::BlobDigest;
use rusqlite::Connection;

use crate::open::{MIGRATIONS, migrate, writer};

/// Everything SQLite knows of the schema, and its version.
fn schema(connection: &Connection) -> Vec<String> {
    let mut statement = connection
        .prepare("SELECT type || ' ' || name || ': ' || coalesce(sql, '') FROM sqlite_master ORDER BY type, name")
        .unwrap();
    let mut lines: Vec<String> = statement
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    for pragma in ["user_version", "application_id"] {
        let value: i64 = connection
            .pragma_query_value(None, pragma, |row| row.get(0))
            .unwrap();
        lines.push(format!("{pragma} {value}"));
    }
    lines
}

#[test]
fn fresh_schema_equals_migrated_from_every_version() {
    let folder = tempfile::tempdir().unwrap();
    let fresh = schema(&writer(&folder.path().join("fresh.db")).unwrap());
    assert!(
        fresh
            .iter()
            .any(|line| line.contains("CREATE TABLE events"))
    );
    for known in 1..=MIGRATIONS.len() {
        let path = folder.path().join(format!("from-{known}.db"));
        let mut old = Connection::open(&path).unwrap();
        migrate(&path, &mut old, &MIGRATIONS[..known]).unwrap();
        drop(old);
        assert_eq!(schema(&writer(&path).unwrap()), fresh);
    }
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
            "0b8c651257cdd4c23b07f37dc0d48da67efca010e877b96d143b85771f998319",
            "0044769062d6289698cd60f5b3b733ccfc39b61c04440dfc40cdc8400210eff8",
            "be79a8451c6948ac9addde8565b6b3f8976c58adf2b19adf16ed14cbc6495dca",
            "e532e60a932a276394cf4b17e9b87fb1178683d925a7fb0b63eeae63e54de682",
            "233b9218212a63efb918dc639c0088fe727c634113511bdc03e07c0414cd7049",
        ]
    );
}
