//! The statements that write, each for many rows of one tenant, which is `$1` throughout.
//!
//! Rows that are there are found one by one through an index. Joining the table with what is given would be shorter,
//! but a server that believes the table to be small then walks all of the tenant's rows instead.

pub(crate) const OPEN_MISSIONS: &str = "
    INSERT INTO missions (tenant, mission, title, phase, ended, paused, tasks_total, tasks_ended,
        checkpoints_open, used_money, used_tokens, opened_at, updated_at, wake_at, origin, kept)
    SELECT $1, * FROM unnest($2::uuid[], $3::bytea[], $4::text[], $5::boolean[], $6::boolean[], $7::bigint[],
        $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[],
        $15::text[], $16::text[])";
/// Every one of them is there, so that nothing is inserted.
pub(crate) const CHANGE_MISSIONS: &str = "
    INSERT INTO missions (tenant, mission, title, phase, ended, paused, tasks_total, tasks_ended,
        checkpoints_open, used_money, used_tokens, opened_at, updated_at, wake_at, origin, kept)
    SELECT $1, now.*, $1, 'working' FROM unnest($2::uuid[], $3::bytea[], $4::text[], $5::boolean[], $6::boolean[],
        $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[],
        $14::bigint[]) AS now
    ON CONFLICT (tenant, mission) DO UPDATE SET title = excluded.title, phase = excluded.phase,
        ended = excluded.ended, paused = excluded.paused, tasks_total = excluded.tasks_total,
        tasks_ended = excluded.tasks_ended, checkpoints_open = excluded.checkpoints_open,
        used_money = excluded.used_money, used_tokens = excluded.used_tokens, opened_at = excluded.opened_at,
        updated_at = excluded.updated_at, wake_at = excluded.wake_at";
pub(crate) const ADD_COUNTS: &str = "
    INSERT INTO counts (tenant, phase, n) SELECT $1, * FROM unnest($2::text[], $3::bigint[])
    ON CONFLICT (tenant, phase) DO UPDATE SET n = counts.n + excluded.n";
pub(crate) const PUT_KEYS: &str = "
    INSERT INTO mission_keys (tenant, mission, wrapped)
    SELECT $1, * FROM unnest($2::uuid[], $3::bytea[])";
pub(crate) const PUT_SUBJECTS: &str = "
    INSERT INTO subjects (tenant, mission, subject)
    SELECT $1, * FROM unnest($2::uuid[], $3::bytea[]) ON CONFLICT DO NOTHING";
pub(crate) const ADD_USAGE: &str = "
    INSERT INTO tenants (tenant, usage) VALUES ($1, $2)
    ON CONFLICT (tenant) DO UPDATE SET usage = tenants.usage + excluded.usage";
pub(crate) const ADD_EVENTS: &str = "
    INSERT INTO events (tenant, mission, seq, hash, bytes)
    SELECT $1, * FROM unnest($2::uuid[], $3::bigint[], $4::bytea[], $5::bytea[])";
pub(crate) const PUT_INBOX: &str = "
    INSERT INTO inbox (tenant, mission, number, severity, deadline, entry)
    SELECT $1, * FROM unnest($2::uuid[], $3::bigint[], $4::smallint[], $5::bigint[], $6::bytea[])
    ON CONFLICT (tenant, mission, number) DO UPDATE
    SET severity = excluded.severity, deadline = excluded.deadline, entry = excluded.entry";
/// Of one mission.
pub(crate) const REMOVE_INBOX: &str =
    "DELETE FROM inbox WHERE tenant = $1 AND mission = $2 AND number = ANY ($3::bigint[])";
/// A blob that is there already counts for nothing.
pub(crate) const PUT_BLOBS: &str = "
    WITH new AS (
        INSERT INTO blobs (tenant, mission, digest, zone, bytes)
        SELECT $1, * FROM unnest($2::uuid[], $3::bytea[], $4::text[], $5::bytea[])
        ON CONFLICT DO NOTHING RETURNING octet_length(bytes)::bigint AS bytes
    )
    UPDATE tenants SET usage = usage + (SELECT coalesce(sum(bytes), 0) FROM new) WHERE tenant = $1";
pub(crate) const PUT_SNAPSHOTS: &str = "
    INSERT INTO snapshots (tenant, mission, seq, hash, version, passport)
    SELECT $1, * FROM unnest($2::uuid[], $3::bigint[], $4::bytea[], $5::integer[], $6::bytea[])
    ON CONFLICT (tenant, mission) DO UPDATE
    SET seq = excluded.seq, hash = excluded.hash, version = excluded.version, passport = excluded.passport";

/// Removes all of some missions that says something, but for their events and their rows. They must be settled before:
/// the role that we work in may not delete what is part of a journal, and the functions delete nothing else.
pub(crate) const DROP_CONTENT: [&str; 5] = [
    "UPDATE tenants SET usage = usage - drop_blobs($1, $2::uuid[]) WHERE tenant = $1",
    "DELETE FROM mission_keys WHERE tenant = $1 AND mission = ANY ($2::uuid[])",
    "DELETE FROM snapshots WHERE tenant = $1 AND mission = ANY ($2::uuid[])",
    "DELETE FROM inbox WHERE tenant = $1 AND mission = ANY ($2::uuid[])",
    "DELETE FROM subjects WHERE tenant = $1 AND mission = ANY ($2::uuid[])",
];
pub(crate) const DROP_EVENTS: &str =
    "UPDATE tenants SET usage = usage - drop_events($1, $2::uuid[]) WHERE tenant = $1";
/// What is left when content is gone: a row without a title that nobody wakes.
pub(crate) const SETTLE: &str = "
    UPDATE missions SET kept = $3, title = '', wake_at = NULL
    WHERE tenant = $1 AND mission = ANY ($2::uuid[])";

pub(crate) const SET_TENANT_KEY: &str = "
    INSERT INTO tenants (tenant, wrapped, usage) VALUES ($1, $2, 0)
    ON CONFLICT (tenant) DO UPDATE SET wrapped = excluded.wrapped";
/// Only keys that are there.
pub(crate) const REWRAP: &str = "
    INSERT INTO mission_keys (tenant, mission, wrapped)
    SELECT $1, again.* FROM unnest($2::uuid[], $3::bytea[]) AS again (mission, wrapped)
    CROSS JOIN LATERAL (
        SELECT FROM mission_keys WHERE tenant = $1 AND mission = again.mission LIMIT 1
    ) AS found
    ON CONFLICT (tenant, mission) DO UPDATE SET wrapped = excluded.wrapped";
pub(crate) const ADD_ATTESTATIONS: &str = "
    INSERT INTO attestations (tenant, number, mission, bytes)
    SELECT $1, * FROM unnest($2::bigint[], $3::uuid[], $4::bytea[])";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    OPEN_MISSIONS,
    CHANGE_MISSIONS,
    ADD_COUNTS,
    PUT_KEYS,
    PUT_SUBJECTS,
    ADD_USAGE,
    ADD_EVENTS,
    PUT_INBOX,
    REMOVE_INBOX,
    PUT_BLOBS,
    PUT_SNAPSHOTS,
    DROP_CONTENT[0],
    DROP_CONTENT[1],
    DROP_CONTENT[2],
    DROP_CONTENT[3],
    DROP_CONTENT[4],
    DROP_EVENTS,
    SETTLE,
    SET_TENANT_KEY,
    REWRAP,
    ADD_ATTESTATIONS,
];
