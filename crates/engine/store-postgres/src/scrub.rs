//! Getting out of the database's files what was deleted from its tables.
//!
//! PostgreSQL leaves deleted rows where they are until it needs the room. What must not be found there again are
//! keys, and whom missions concerned: those tables are written anew, without what is gone. Everything else that
//! was deleted is sealed with a key that is no more, and its room is given back. The server's log, its copies and
//! its backups are not ours to reach.

use std::time::Duration;

use adjutant_store::StoreError;
use tokio_postgres::{Client, Error};

use crate::Settings;
use crate::error::from_request;
use crate::session::{Purpose, Session};

/// Small tables, whatever the store holds: one short row for each tenant, mission or concern.
const WRITTEN_ANEW: [&str; 3] = ["mission_keys", "tenants", "subjects"];
const VACUUMED: [&str; 5] = ["missions", "inbox", "snapshots", "blobs", "events"];

/// How long to wait for readers who still see what was deleted.
const READERS_GONE_WITHIN: Duration = Duration::from_secs(5);
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A number above every transaction so far.
const HORIZON: &str = "SELECT pg_current_xact_id()::text";
/// Whoever may see rows as they were before the horizon. While they may, no writing anew leaves those out.
const READERS: &str = "
    SELECT count(*) FROM pg_stat_activity
    WHERE pid <> pg_backend_pid() AND backend_type <> 'autovacuum worker'
      AND (datid IS NULL OR datid = (SELECT oid FROM pg_database WHERE datname = current_database()))
      AND age(backend_xmin) > age($1::text::xid8::xid)";
const OWNED: &str = "
    SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relname = ANY ($2) AND pg_has_role(current_user, c.relowner, 'USAGE')";

pub(crate) async fn scrub(settings: &Settings) -> Result<(), StoreError> {
    let session = Session::connect(settings, Purpose::Host).await?;
    let client = session.client();
    let failed = |error| from_request(&settings.place(), &error);
    if !owns_tables(client, settings).await.map_err(failed)? {
        return Err(StoreError::Refused {
            path: settings.place(),
            why: "only the owner of the tables can rewrite them without the deleted rows"
                .to_owned(),
        });
    }
    if !readers_are_gone(client).await.map_err(failed)? {
        return Err(StoreError::Busy {
            path: settings.place(),
        });
    }
    let schema = &settings.schema;
    for table in WRITTEN_ANEW {
        let sql = format!("VACUUM (FULL) {schema}.{table}");
        client.batch_execute(&sql).await.map_err(failed)?;
    }
    for table in VACUUMED {
        let sql = format!("VACUUM (INDEX_CLEANUP ON) {schema}.{table}");
        client.batch_execute(&sql).await.map_err(failed)?;
    }
    Ok(())
}

async fn owns_tables(client: &Client, settings: &Settings) -> Result<bool, Error> {
    let tables = [&WRITTEN_ANEW[..], &VACUUMED[..]].concat();
    let row = client
        .query_one(OWNED, &[&settings.schema, &tables])
        .await?;
    let owned: i64 = row.try_get(0)?;
    Ok(usize::try_from(owned) == Ok(tables.len()))
}

async fn readers_are_gone(client: &Client) -> Result<bool, Error> {
    let horizon: String = client.query_one(HORIZON, &[]).await?.try_get(0)?;
    let looks = READERS_GONE_WITHIN.as_millis() / LOOK_EVERY.as_millis();
    for _ in 0..looks {
        let readers: i64 = client.query_one(READERS, &[&horizon]).await?.try_get(0)?;
        if readers == 0 {
            return Ok(true);
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
    Ok(false)
}
