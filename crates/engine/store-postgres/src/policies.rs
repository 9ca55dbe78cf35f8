//! The policies of row security as the migrations make them, compared with those that are there.
//!
//! One policy more can let a role past all others, and none of them shows in whether row security is in force. So each is
//! compared with what it was made as: for whom, for which commands, what it lets be seen and what it lets be written.

use std::collections::BTreeMap;

use adjutant_store::StoreError;
use tokio_postgres::{Client, Error};

use crate::Settings;
use crate::error::from_request;

/// A table's and a policy's name.
type Place = (String, String);

const OF_TENANTS: [&str; 13] = [
    "account_caps",
    "accounts",
    "attestations",
    "blobs",
    "counts",
    "events",
    "inbox",
    "mission_keys",
    "missions",
    "records",
    "snapshots",
    "subjects",
    "tenants",
];
const OF_NOBODY: [&str; 3] = ["fence", "lease", "migrations"];

/// Expressions as the server gives them back, without what [`bare`] leaves out.
const OWN: &str = "(tenant=(SELECTNULLIF(current_setting('adjutant.tenant',true),'')ASnullif))";
const WAKING: &str = "((NOTended)AND(wake_atISNOTNULL)AND(kept='working'))";
const IS_SETTLED: &str = "(kept=ANY(ARRAY['erased','pruned']))";
const PRUNED_EVENTS: &str = "(EXISTS(SELECTFROMmissionsmWHERE((m.tenant=events.tenant)AND(m.mission=events.mission)\
     AND(m.kept='pruned'))))AND(EXISTS(SELECTFROMattestationsaWHERE((a.tenant=events.tenant)\
     AND(a.mission=events.mission))))";
const SETTLED_BLOBS: &str = "(EXISTS(SELECTFROMmissionsmWHERE((m.tenant=blobs.tenant)AND(m.mission=blobs.mission)\
     AND(m.kept=ANY(ARRAY['erased','pruned'])))))";

const FOUND: &str = "
    SELECT tablename::text, policyname::text, permissive::text, array_to_string(roles, ',')::text, cmd::text,
           coalesce(qual, '')::text, coalesce(with_check, '')::text
    FROM pg_policies WHERE schemaname = $1";

/// Refuses a schema with a policy that the migrations did not make, or not so, or without one that they made.
pub(crate) async fn check(client: &Client, settings: &Settings) -> Result<(), StoreError> {
    let found = found(client, settings).await;
    let found = found.map_err(|error| from_request(&settings.place(), &error))?;
    match difference(&expected(settings), &found) {
        None => Ok(()),
        Some(((table, policy), how)) => Err(StoreError::PolicyChanged { table, policy, how }),
    }
}

fn difference(
    expected: &BTreeMap<Place, String>,
    found: &BTreeMap<Place, String>,
) -> Option<(Place, &'static str)> {
    let unlike = found.iter().find_map(|(place, policy)| {
        let how = match expected.get(place) {
            Some(known) if known == policy => return None,
            Some(_) => "was changed",
            None => "was added",
        };
        Some((place.clone(), how))
    });
    let missing = || expected.keys().find(|place| !found.contains_key(*place));
    unlike.or_else(|| Some((missing()?.clone(), "is missing")))
}

async fn found(client: &Client, settings: &Settings) -> Result<BTreeMap<Place, String>, Error> {
    let mut found = BTreeMap::new();
    for row in client.query(FOUND, &[&settings.schema]).await? {
        let text = |at: usize| row.try_get::<_, String>(at);
        let (sees, writes) = (bare(&text(5)?), bare(&text(6)?));
        let policy = policy(&text(2)?, &text(3)?, &text(4)?, &sees, &writes);
        found.insert((text(0)?, text(1)?), policy);
    }
    Ok(found)
}

fn policy(permissive: &str, roles: &str, command: &str, sees: &str, writes: &str) -> String {
    format!("{permissive} for {command} to {roles}: {sees} | {writes}")
}

/// Without what versions of the server may write in other ways, none of which changes what an expression means here.
fn bare(expression: &str) -> String {
    let kept: String = expression
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '"')
        .collect();
    kept.replace("::text", "")
}

fn expected(settings: &Settings) -> BTreeMap<Place, String> {
    let (app, waker) = (settings.app_role(), settings.waker_role());
    let mut all = BTreeMap::new();
    let mut add = |table: &str, name: &str, role: &str, command: &str, sees: &str, writes: &str| {
        let policy = policy("PERMISSIVE", role, command, sees, writes);
        all.insert((table.to_owned(), name.to_owned()), policy);
    };
    for table in OF_TENANTS {
        add(table, "own_tenant", &app, "ALL", OWN, OWN);
    }
    for table in OF_NOBODY {
        add(table, "no_tenant", "public", "ALL", "true", "true");
    }
    add("missions", "waking", &waker, "SELECT", WAKING, "");
    add("tenants", "naming", &waker, "SELECT", "true", "");
    let settled = format!("({OWN}AND{IS_SETTLED})");
    add("missions", "settled", &waker, "SELECT", &settled, "");
    add("attestations", "settled", &waker, "SELECT", OWN, "");
    let events = format!("({OWN}AND{PRUNED_EVENTS})");
    add("events", "settled", &waker, "ALL", &events, "false");
    let blobs = format!("({OWN}AND{SETTLED_BLOBS})");
    add("blobs", "settled", &waker, "ALL", &blobs, "false");
    all
}
