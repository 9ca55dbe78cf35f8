//! The queries about keys, subjects, attestations and whole missions.

use adjutant_mission::{MissionId, TenantId};
use adjutant_store::{AttestationRow, StoreError, SubjectTag, WholeMission, WrappedKey};

use crate::read::{MISSION, SNAPSHOT, all};
use crate::readers::Readers;
use crate::rows::{self, Id};
use crate::session::{Params, Question};

const TENANTS: &str = "SELECT * FROM tenant_names()";
pub(crate) const TENANT_KEY: &str = "SELECT wrapped FROM tenants WHERE tenant = $1";
const USAGE: &str = "SELECT usage FROM tenants WHERE tenant = $1";
const MISSION_KEYS: &str = "SELECT mission, wrapped FROM mission_keys
    WHERE tenant = $1 AND mission >= $2 ORDER BY mission LIMIT $3";
const MISSIONS_OF: &str = "SELECT mission FROM subjects
    WHERE tenant = $1 AND subject = $2 ORDER BY mission";
const ATTESTATIONS: &str = "SELECT number, mission, bytes FROM attestations
    WHERE tenant = $1 AND number >= $2 ORDER BY number LIMIT $3";
const ATTESTATIONS_OF: &str = "SELECT number, mission, bytes FROM attestations
    WHERE tenant = $1 AND mission = $2 ORDER BY number";
pub(crate) const LAST_ATTESTATION: &str = "SELECT number, mission, bytes FROM attestations
    WHERE tenant = $1 ORDER BY number DESC LIMIT 1";
const ALL_EVENTS: &str = "SELECT seq, hash, bytes FROM events
    WHERE tenant = $1 AND mission = $2 ORDER BY seq";
const ALL_BLOBS: &str = "SELECT digest, zone, bytes FROM blobs
    WHERE tenant = $1 AND mission = $2 ORDER BY digest";
const ALL_INBOX: &str = "SELECT mission, number, severity, deadline, entry FROM inbox
    WHERE tenant = $1 AND mission = $2 ORDER BY number";
const ALL_SUBJECTS: &str = "SELECT subject FROM subjects
    WHERE tenant = $1 AND mission = $2 ORDER BY subject";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    TENANTS,
    TENANT_KEY,
    USAGE,
    MISSION_KEYS,
    MISSIONS_OF,
    ATTESTATIONS,
    ATTESTATIONS_OF,
    LAST_ATTESTATION,
    ALL_EVENTS,
    ALL_BLOBS,
    ALL_INBOX,
    ALL_SUBJECTS,
];

pub(crate) async fn tenants(readers: &Readers) -> Result<Vec<TenantId>, StoreError> {
    let found = readers.rows(None, TENANTS, &[]).await?;
    all(&found, |row| rows::tenant(row, 0))
}

const SIZE: &str = "
    SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relkind = 'r'";

pub(crate) async fn size(readers: &Readers, schema: &str) -> Result<u64, StoreError> {
    let found = readers.rows(None, SIZE, &[&schema]).await?;
    let size: Option<i64> = found.first().map(|row| rows::get(row, 0)).transpose()?;
    Ok(size.map_or(0, i64::cast_unsigned))
}

/// A superuser can become anybody.
const OWNER_IN_REACH: &str = "
    SELECT session_user::text, r.rolname::text
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_roles r ON r.oid = c.relowner
    WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND pg_has_role(session_user, c.relowner, 'MEMBER')
    LIMIT 1";

pub(crate) async fn owner_in_reach(
    readers: &Readers,
    schema: &str,
) -> Result<Option<(String, String)>, StoreError> {
    let found = readers.rows(None, OWNER_IN_REACH, &[&schema]).await?;
    let names = |row| Ok((rows::get(row, 0)?, rows::get(row, 1)?));
    found.first().map(names).transpose()
}

pub(crate) async fn tenant_key(
    readers: &Readers,
    tenant: &TenantId,
) -> Result<Option<WrappedKey>, StoreError> {
    let params: Params<'_> = &[&tenant.as_str()];
    let found = readers.rows(Some(tenant), TENANT_KEY, params).await?;
    let key: Option<Option<Vec<u8>>> = found.first().map(|row| rows::get(row, 0)).transpose()?;
    Ok(key.flatten().map(WrappedKey))
}

pub(crate) async fn usage(readers: &Readers, tenant: &TenantId) -> Result<u64, StoreError> {
    let params: Params<'_> = &[&tenant.as_str()];
    let found = readers.rows(Some(tenant), USAGE, params).await?;
    found.first().map_or(Ok(0), |row| rows::unsigned(row, 0))
}

pub(crate) async fn mission_keys(
    readers: &Readers,
    tenant: &TenantId,
    after: Option<MissionId>,
    limit: u32,
) -> Result<Vec<(MissionId, WrappedKey)>, StoreError> {
    // Ids above `after`; every id when there is none.
    let Some(first) = after.map_or(Some(0), |id| id.bits().checked_add(1)) else {
        return Ok(Vec::new());
    };
    let first = Id::from(MissionId::from_bits(first));
    let params: Params<'_> = &[&tenant.as_str(), &first, &i64::from(limit)];
    let found = readers.rows(Some(tenant), MISSION_KEYS, params).await?;
    all(&found, |row| {
        Ok((rows::mission(row, 0)?, WrappedKey(rows::get(row, 1)?)))
    })
}

pub(crate) async fn missions_of(
    readers: &Readers,
    tenant: &TenantId,
    subject: SubjectTag,
) -> Result<Vec<MissionId>, StoreError> {
    let params: Params<'_> = &[&tenant.as_str(), &&subject.0[..]];
    let found = readers.rows(Some(tenant), MISSIONS_OF, params).await?;
    all(&found, |row| rows::mission(row, 0))
}

pub(crate) async fn attestations(
    readers: &Readers,
    tenant: &TenantId,
    from: u64,
    limit: u32,
) -> Result<Vec<AttestationRow>, StoreError> {
    let Ok(from) = i64::try_from(from) else {
        return Ok(Vec::new());
    };
    let params: Params<'_> = &[&tenant.as_str(), &from, &i64::from(limit)];
    let found = readers.rows(Some(tenant), ATTESTATIONS, params).await?;
    all(&found, rows::attestation)
}

pub(crate) async fn attestations_of(
    readers: &Readers,
    tenant: &TenantId,
    mission: MissionId,
) -> Result<Vec<AttestationRow>, StoreError> {
    let params: Params<'_> = &[&tenant.as_str(), &Id::from(mission)];
    let found = readers.rows(Some(tenant), ATTESTATIONS_OF, params).await?;
    all(&found, rows::attestation)
}

pub(crate) async fn last_attestation(
    readers: &Readers,
    tenant: &TenantId,
) -> Result<Option<AttestationRow>, StoreError> {
    let params: Params<'_> = &[&tenant.as_str()];
    let found = readers.rows(Some(tenant), LAST_ATTESTATION, params).await?;
    found.first().map(rows::attestation).transpose()
}

pub(crate) async fn take_out(
    readers: &Readers,
    tenant: &TenantId,
    mission: MissionId,
) -> Result<Option<WholeMission>, StoreError> {
    let queries = [
        MISSION,
        ALL_EVENTS,
        ALL_BLOBS,
        SNAPSHOT,
        ALL_INBOX,
        ALL_SUBJECTS,
    ];
    let asked = Question {
        tenant: Some(tenant),
        queries: &queries,
        params: &[&tenant.as_str(), &Id::from(mission)],
    };
    let found = readers.answer(&asked).await?;
    let [row, events, blobs, snapshot, inbox, subjects] = &found[..] else {
        return Err(rows::unreadable("a query returned no row"));
    };
    let Some(row) = row.first() else {
        return Ok(None);
    };
    Ok(Some(WholeMission {
        row: rows::mission_row(row)?,
        events: all(events, rows::event)?,
        blobs: all(blobs, rows::blob)?,
        snapshot: snapshot.first().map(rows::snapshot).transpose()?,
        inbox: all(inbox, rows::inbox_row)?,
        subjects: all(subjects, |row| rows::digest(row, 0).map(SubjectTag))?,
    }))
}
