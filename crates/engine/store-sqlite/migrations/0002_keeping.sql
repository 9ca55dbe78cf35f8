-- Content is sealed, keys are wrapped, and missions can be erased, pruned, imported and vouched for.

-- Titles become bytes, since they are sealed from here on. `origin` is the tenant whose genesis the chain
-- begins with, `kept` what of the mission is there.
CREATE TABLE missions_sealed (
    id               INTEGER PRIMARY KEY,
    tenant           TEXT    NOT NULL,
    mission          BLOB    NOT NULL,
    title            BLOB    NOT NULL,
    phase            TEXT    NOT NULL,
    ended            INTEGER NOT NULL,
    paused           INTEGER NOT NULL,
    tasks_total      INTEGER NOT NULL,
    tasks_ended      INTEGER NOT NULL,
    checkpoints_open INTEGER NOT NULL,
    used_money       INTEGER NOT NULL,
    used_tokens      INTEGER NOT NULL,
    opened_at        INTEGER NOT NULL,
    updated_at       INTEGER NOT NULL,
    wake_at          INTEGER,
    origin           TEXT    NOT NULL,
    kept             TEXT    NOT NULL,
    UNIQUE (tenant, mission)
) STRICT;

INSERT INTO missions_sealed
SELECT id, tenant, mission, CAST(title AS BLOB), phase, ended, paused, tasks_total, tasks_ended,
       checkpoints_open, used_money, used_tokens, opened_at, updated_at, wake_at, tenant, 'working'
FROM missions;

DROP TABLE missions;
ALTER TABLE missions_sealed RENAME TO missions;

CREATE INDEX missions_by_phase ON missions (tenant, phase, mission);
CREATE INDEX missions_by_wake ON missions (wake_at)
    WHERE ended = 0 AND wake_at IS NOT NULL AND kept = 'working';

CREATE TABLE inbox_sealed (
    tenant   TEXT    NOT NULL,
    mission  BLOB    NOT NULL,
    number   INTEGER NOT NULL,
    severity INTEGER NOT NULL,
    deadline INTEGER NOT NULL,
    entry    BLOB    NOT NULL,
    PRIMARY KEY (tenant, mission, number)
) STRICT, WITHOUT ROWID;

INSERT INTO inbox_sealed
SELECT tenant, mission, number, severity, deadline, CAST(entry AS BLOB) FROM inbox;

DROP TABLE inbox;
ALTER TABLE inbox_sealed RENAME TO inbox;

CREATE INDEX inbox_by_urgency ON inbox (tenant, severity, deadline, mission, number);

ALTER TABLE blobs ADD COLUMN zone TEXT NOT NULL DEFAULT 'platform';

-- Apart from the missions they open, so that destroying a key touches nothing else. `mission` is the row of
-- `missions`.
CREATE TABLE mission_keys (
    mission INTEGER PRIMARY KEY,
    wrapped BLOB NOT NULL
) STRICT;

-- `usage` is bytes of events and blobs.
CREATE TABLE tenants (
    tenant  TEXT    NOT NULL PRIMARY KEY,
    wrapped BLOB,
    usage   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO tenants
SELECT tenant, NULL,
       sum((SELECT coalesce(sum(length(bytes)), 0) FROM events WHERE events.mission = missions.id)
         + (SELECT coalesce(sum(length(bytes)), 0) FROM blobs WHERE blobs.mission = missions.id))
FROM missions GROUP BY tenant;

CREATE TABLE subjects (
    tenant  TEXT NOT NULL,
    subject BLOB NOT NULL,
    mission BLOB NOT NULL,
    PRIMARY KEY (tenant, subject, mission)
) STRICT, WITHOUT ROWID;

CREATE INDEX subjects_by_mission ON subjects (tenant, mission, subject);

CREATE TABLE attestations (
    tenant  TEXT    NOT NULL,
    number  INTEGER NOT NULL,
    mission BLOB    NOT NULL,
    bytes   BLOB    NOT NULL,
    PRIMARY KEY (tenant, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX attestations_by_mission ON attestations (tenant, mission, number);
