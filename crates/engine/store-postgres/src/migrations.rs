//! Bringing the schema up to date, and refusing one that this program does not know.

use adjutant_store::{BlobDigest, StoreError};
use tokio_postgres::{Client, Error};

use crate::Settings;
use crate::error::from_request;
use crate::roles;
use crate::session::Session;

/// Numbered from 1. Immutable once merged: a change is a further migration.
pub(crate) const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/0001_journal.sql"),
    include_str!("../migrations/0002_accounts.sql"),
    include_str!("../migrations/0003_records.sql"),
    include_str!("../migrations/0004_order.sql"),
    include_str!("../migrations/0005_lease.sql"),
    include_str!("../migrations/0006_settled.sql"),
];

/// How much of a store is there.
enum Found {
    Nothing,
    /// The digests of the migrations that made it, in order.
    Made(Vec<Vec<u8>>),
    Foreign,
}

/// Creates the store if there is none and runs what migrations it lacks. Only for whoever holds the host lock.
pub(crate) async fn migrate(
    session: &Session,
    settings: &Settings,
    migrations: &[&str],
) -> Result<(), StoreError> {
    let client = session.client();
    let failed = |error| from_request(&settings.place(), &error);
    let found = match look(client, settings).await.map_err(failed)? {
        Found::Foreign => return Err(foreign(settings)),
        Found::Nothing => Vec::new(),
        Found::Made(digests) => digests,
    };
    check_known(&found, migrations)?;
    if found.len() == migrations.len() {
        return Ok(());
    }
    roles::ensure(client, settings).await?;
    run(client, settings, migrations, found.len())
        .await
        .map_err(failed)
}

/// Refuses a schema that this program cannot read.
pub(crate) async fn check(session: &Session, settings: &Settings) -> Result<(), StoreError> {
    let found = look(session.client(), settings).await;
    match found.map_err(|error| from_request(&settings.place(), &error))? {
        Found::Foreign => Err(foreign(settings)),
        Found::Nothing => Err(StoreError::Missing {
            path: settings.place(),
        }),
        Found::Made(digests) => {
            check_known(&digests, MIGRATIONS)?;
            let (found, known) = (digests.len() as u32, MIGRATIONS.len() as u32);
            if found < known {
                return Err(StoreError::SchemaOlder { found, known });
            }
            Ok(())
        }
    }
}

async fn look(client: &Client, settings: &Settings) -> Result<Found, Error> {
    let sql = "SELECT count(*), count(*) FILTER (WHERE c.relname = 'migrations')
               FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
               WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')";
    let row = client.query_one(sql, &[&settings.schema]).await?;
    let (relations, ours): (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
    if relations == 0 {
        return Ok(Found::Nothing);
    }
    if ours == 0 {
        return Ok(Found::Foreign);
    }
    let (schema, role) = (&settings.schema, settings.app_role());
    // Whoever connects may have no rights of their own here, only those of the role they can take.
    client.batch_execute(&format!("SET ROLE {role}")).await?;
    let sql = format!("SELECT version, digest FROM {schema}.migrations ORDER BY version");
    let rows = client.query(&sql, &[]).await;
    client.batch_execute("RESET ROLE").await?;
    let digests = rows?
        .iter()
        .map(|row| row.try_get(1))
        .collect::<Result<_, _>>()?;
    Ok(Found::Made(digests))
}

fn foreign(settings: &Settings) -> StoreError {
    StoreError::Corrupt {
        what: format!(
            "{} is a schema of another program",
            settings.place().display()
        ),
    }
}

fn check_known(found: &[Vec<u8>], migrations: &[&str]) -> Result<(), StoreError> {
    if found.len() > migrations.len() {
        return Err(StoreError::SchemaNewer {
            found: found.len() as u32,
            known: migrations.len() as u32,
        });
    }
    let same = found
        .iter()
        .zip(migrations)
        .all(|(digest, sql)| digest == BlobDigest::of(sql.as_bytes()).as_bytes());
    if same {
        return Ok(());
    }
    Err(StoreError::Corrupt {
        what: "its schema was not created by the migrations of this version".to_owned(),
    })
}

/// All that is missing, in one transaction.
async fn run(
    client: &Client,
    settings: &Settings,
    migrations: &[&str],
    found: usize,
) -> Result<(), Error> {
    let schema = &settings.schema;
    let sql = "SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1)";
    let exists: bool = client.query_one(sql, &[schema]).await?.try_get(0)?;
    let mut script = "BEGIN;\n".to_owned();
    if !exists {
        script += &format!("CREATE SCHEMA {schema};\n");
    }
    // Temporary tables come last, so that none can stand in for one of ours.
    script += &format!("SET LOCAL search_path = {schema}, pg_temp;\n");
    for (sql, version) in migrations.iter().zip(1u32..).skip(found) {
        let digest = BlobDigest::of(sql.as_bytes());
        script += &sql
            .replace("{schema}", schema)
            .replace("{app}", &settings.app_role())
            .replace("{waker}", &settings.waker_role());
        script += &format!(
            "INSERT INTO migrations (version, digest) VALUES ({version}, '\\x{digest}');\n"
        );
    }
    script += "COMMIT";
    let done = client.batch_execute(&script).await;
    if done.is_err() {
        // Nothing to undo if it never began.
        let _ = client.batch_execute("ROLLBACK").await;
    }
    done
}
