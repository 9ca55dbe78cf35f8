//! The roles that keep tenants apart: making them, and refusing to work in one that could look past them.
//!
//! **Invariant:** Tenants are kept apart twice: every query but the three that wake missions and list tenants names its
//! tenant, and row security shows it no other's.
//! Each is tested without the other. Work is done in a role that owns nothing; a role that row security does not bind
//! is refused.

use adjutant_store::StoreError;
use tokio_postgres::{Client, Error};

use crate::Settings;
use crate::error::{from_request, said};
use crate::policies;

/// Roles belong to the whole server, so another store's first host may be making them at the same moment.
const ENSURE_TRIES_MAX: u32 = 5;

/// Makes the roles that are missing, and lets whoever connects take them.
pub(crate) async fn ensure(client: &Client, settings: &Settings) -> Result<(), StoreError> {
    for role in [settings.app_role(), settings.waker_role()] {
        let mut tries = 0;
        while !exists(client, settings, &role).await? {
            tries += 1;
            match create(client, &role).await {
                Ok(()) => break,
                Err(error) if is_made_meanwhile(&error) && tries < ENSURE_TRIES_MAX => {}
                Err(error) => return Err(uncreatable(settings, &role, &error)),
            }
        }
    }
    Ok(())
}

async fn exists(client: &Client, settings: &Settings, role: &str) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)";
    let found = client.query_one(sql, &[&role]).await;
    found
        .and_then(|row| row.try_get(0))
        .map_err(|error| from_request(&settings.place(), &error))
}

async fn create(client: &Client, role: &str) -> Result<(), Error> {
    let script = format!(
        "BEGIN;
         CREATE ROLE {role} NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
         GRANT {role} TO CURRENT_USER;
         COMMIT"
    );
    let done = client.batch_execute(&script).await;
    if done.is_err() {
        let _ = client.batch_execute("ROLLBACK").await;
    }
    done
}

/// The same role, or the same row of the server's list of members, was written at the same moment.
fn is_made_meanwhile(error: &Error) -> bool {
    let code = error.code().map(|state| state.code());
    matches!(code, Some("42710" | "23505" | "XX000"))
}

fn uncreatable(settings: &Settings, role: &str, error: &Error) -> StoreError {
    if error.code().is_none() {
        return from_request(&settings.place(), error);
    }
    StoreError::Refused {
        path: settings.place(),
        why: format!(
            "the role `{role}` is missing and cannot be created: {}",
            said(error)
        ),
    }
}

/// Refuses to work as anybody whom row security does not bind: a superuser, the owner of a table, or one who
/// could become such a role; and in a schema where somebody has turned it off or changed what it lets through.
pub(crate) async fn check_guarded(client: &Client, settings: &Settings) -> Result<(), StoreError> {
    let failed = |error| from_request(&settings.place(), &error);
    let sql = "SELECT current_user::text, r.rolname::text FROM pg_roles r
               WHERE pg_has_role(current_user, r.oid, 'MEMBER')
                 AND (r.rolsuper OR r.rolbypassrls OR EXISTS (
                     SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                     WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND c.relowner = r.oid))
               LIMIT 1";
    let found = client.query_opt(sql, &[&settings.schema]).await;
    if let Some(row) = found.map_err(failed)? {
        let role: String = row.try_get(0).map_err(failed)?;
        let mightier: String = row.try_get(1).map_err(failed)?;
        return Err(StoreError::Unguarded {
            what: format!(
                "the role `{role}` has the privileges of `{mightier}`, which bypasses row security"
            ),
        });
    }
    let sql = "SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
               WHERE n.nspname = $1 AND c.relkind IN ('r', 'p')
                 AND NOT (c.relrowsecurity AND c.relforcerowsecurity)
               LIMIT 1";
    let found = client.query_opt(sql, &[&settings.schema]).await;
    if let Some(row) = found.map_err(failed)? {
        let table: String = row.try_get(0).map_err(failed)?;
        return Err(StoreError::Unguarded {
            what: format!("row security is not in force on the table `{table}`"),
        });
    }
    policies::check(client, settings).await
}
