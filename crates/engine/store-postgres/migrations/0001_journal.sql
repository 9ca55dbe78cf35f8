-- Journals, the read models written in the same transaction as the events they follow from, and what it takes to
-- seal, vouch for, erase and prune them.
--
-- Run by whoever owns the schema, with `search_path` set to it. {schema}, {app} and {waker} stand for the names
-- of the schema and of two roles: `app` does all that concerns a tenant and owns nothing; `waker` owns the few
-- functions that look across tenants.

GRANT USAGE ON SCHEMA {schema} TO {app}, {waker};

-- Which migrations have been run, and what they looked like.
CREATE TABLE migrations (
    version integer PRIMARY KEY,
    digest  bytea   NOT NULL
);

-- One row: how often the store has changed hands, and whose it is. A host that lost the store to another one
-- still has the old number, and `hold_fence` lets it write no more.
CREATE TABLE fence (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    epoch    bigint  NOT NULL,
    holder   uuid    NOT NULL
);
INSERT INTO fence (epoch, holder) VALUES (0, gen_random_uuid());

-- `usage` is bytes of events and blobs; `wrapped` the tenant's key.
CREATE TABLE tenants (
    tenant  text COLLATE "C" PRIMARY KEY,
    wrapped bytea,
    usage   bigint NOT NULL
) WITH (fillfactor = 50);

-- One row per mission: its place in lists, counts and the waking order. An id's bytes are ordered by age. `origin`
-- is the tenant whose genesis the chain begins with, `kept` what of the mission is there.
-- Room is left in every page, so that the common append changes the row in place and touches no index.
CREATE TABLE missions (
    tenant           text COLLATE "C" NOT NULL,
    mission          uuid    NOT NULL,
    title            bytea   NOT NULL,
    phase            text COLLATE "C" NOT NULL,
    ended            boolean NOT NULL,
    paused           boolean NOT NULL,
    tasks_total      bigint  NOT NULL,
    tasks_ended      bigint  NOT NULL,
    checkpoints_open bigint  NOT NULL,
    used_money       bigint  NOT NULL,
    used_tokens      bigint  NOT NULL,
    opened_at        bigint  NOT NULL,
    updated_at       bigint  NOT NULL,
    wake_at          bigint,
    origin           text COLLATE "C" NOT NULL,
    kept             text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, mission)
) WITH (fillfactor = 60);

CREATE INDEX missions_by_phase ON missions (tenant, phase, mission);
CREATE INDEX missions_by_wake ON missions (wake_at)
    WHERE NOT ended AND wake_at IS NOT NULL AND kept = 'working';

-- Apart from the missions they open, so that destroying a key touches nothing else.
CREATE TABLE mission_keys (
    tenant  text COLLATE "C" NOT NULL,
    mission uuid  NOT NULL,
    wrapped bytea NOT NULL,
    PRIMARY KEY (tenant, mission)
);

CREATE TABLE events (
    tenant  text COLLATE "C" NOT NULL,
    mission uuid   NOT NULL,
    seq     bigint NOT NULL,
    hash    bytea  NOT NULL,
    bytes   bytea  NOT NULL,
    PRIMARY KEY (tenant, mission, seq)
);

CREATE TABLE blobs (
    tenant  text COLLATE "C" NOT NULL,
    mission uuid  NOT NULL,
    digest  bytea NOT NULL,
    zone    text  NOT NULL,
    bytes   bytea NOT NULL,
    PRIMARY KEY (tenant, mission, digest)
);

CREATE TABLE snapshots (
    tenant   text COLLATE "C" NOT NULL,
    mission  uuid    NOT NULL,
    seq      bigint  NOT NULL,
    hash     bytea   NOT NULL,
    version  integer NOT NULL,
    passport bytea   NOT NULL,
    PRIMARY KEY (tenant, mission)
);

-- What is sealed does not get smaller.
ALTER TABLE events ALTER COLUMN bytes SET STORAGE EXTERNAL;
ALTER TABLE blobs ALTER COLUMN bytes SET STORAGE EXTERNAL;
ALTER TABLE snapshots ALTER COLUMN passport SET STORAGE EXTERNAL;

CREATE TABLE counts (
    tenant text COLLATE "C" NOT NULL,
    phase  text COLLATE "C" NOT NULL,
    n      bigint NOT NULL,
    PRIMARY KEY (tenant, phase)
) WITH (fillfactor = 50);

-- `severity` is its rank, 0 the most severe.
CREATE TABLE inbox (
    tenant   text COLLATE "C" NOT NULL,
    mission  uuid     NOT NULL,
    number   bigint   NOT NULL,
    severity smallint NOT NULL,
    deadline bigint   NOT NULL,
    entry    bytea    NOT NULL,
    PRIMARY KEY (tenant, mission, number)
);

CREATE INDEX inbox_by_urgency ON inbox (tenant, severity, deadline, mission, number);

CREATE TABLE subjects (
    tenant  text COLLATE "C" NOT NULL,
    subject bytea NOT NULL,
    mission uuid  NOT NULL,
    PRIMARY KEY (tenant, subject, mission)
);

CREATE INDEX subjects_by_mission ON subjects (tenant, mission, subject);

CREATE TABLE attestations (
    tenant  text COLLATE "C" NOT NULL,
    number  bigint NOT NULL,
    mission uuid   NOT NULL,
    bytes   bytea  NOT NULL,
    PRIMARY KEY (tenant, number)
);

CREATE INDEX attestations_by_mission ON attestations (tenant, mission, number);

-- A row can be seen and written only while its tenant is the one that the transaction named. Nobody is exempt,
-- not even the owner of the tables.
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['tenants', 'missions', 'mission_keys', 'events', 'blobs', 'snapshots', 'counts',
                                'inbox', 'subjects', 'attestations'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', name);
        EXECUTE format(
            'CREATE POLICY own_tenant ON %I TO {app}
                 USING (tenant = (SELECT nullif(current_setting(''adjutant.tenant'', true), '''')))
                 WITH CHECK (tenant = (SELECT nullif(current_setting(''adjutant.tenant'', true), '''')))',
            name);
    END LOOP;
    -- These belong to no tenant; what may be done with them is a matter of grants alone.
    FOREACH name IN ARRAY ARRAY['migrations', 'fence'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY no_tenant ON %I USING (true) WITH CHECK (true)', name);
    END LOOP;
END $$;

-- Nothing that is granted here changes an event or an attestation that is there.
GRANT SELECT ON migrations TO {app};
GRANT SELECT, UPDATE ON fence TO {app};
GRANT SELECT, INSERT ON attestations TO {app};
GRANT SELECT, INSERT, UPDATE ON tenants, missions, counts TO {app};
GRANT SELECT, INSERT, DELETE ON events, blobs, subjects TO {app};
GRANT SELECT, INSERT, UPDATE, DELETE ON mission_keys, snapshots, inbox TO {app};

-- Keeps the store from changing hands until the transaction ends, if it is still ours. The lock comes first: only
-- what is read after it is sure to stay.
CREATE FUNCTION hold_fence(mine bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    LOCK TABLE fence IN ROW SHARE MODE;
    IF (SELECT epoch FROM fence) IS DISTINCT FROM mine THEN
        RAISE EXCEPTION 'another host has taken over' USING ERRCODE = 'ADJ01';
    END IF;
END $$;

-- What a host must know of every tenant: who they are, and when to wake which mission.
CREATE POLICY waking ON missions FOR SELECT TO {waker}
    USING (NOT ended AND wake_at IS NOT NULL AND kept = 'working');
CREATE POLICY naming ON tenants FOR SELECT TO {waker} USING (true);
GRANT SELECT (tenant, mission, ended, wake_at, kept) ON missions TO {waker};
GRANT SELECT (tenant) ON tenants TO {waker};

CREATE FUNCTION due(now bigint, most bigint)
RETURNS TABLE (tenant text, mission uuid, wake_at bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT m.tenant, m.mission, m.wake_at FROM missions m
    WHERE NOT m.ended AND m.wake_at IS NOT NULL AND m.kept = 'working' AND m.wake_at <= $1
    ORDER BY m.wake_at LIMIT $2
$$;

CREATE FUNCTION next_wake(now bigint) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT m.wake_at FROM missions m
    WHERE NOT m.ended AND m.wake_at IS NOT NULL AND m.kept = 'working' AND m.wake_at > $1
    ORDER BY m.wake_at LIMIT 1
$$;

CREATE FUNCTION tenant_names() RETURNS SETOF text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT t.tenant FROM tenants t ORDER BY t.tenant
$$;

REVOKE ALL ON FUNCTION hold_fence, due, next_wake, tenant_names FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hold_fence, due, next_wake, tenant_names TO {app};

-- An owner must be able to create what it owns; only while it is given.
GRANT CREATE ON SCHEMA {schema} TO {waker};
ALTER FUNCTION due OWNER TO {waker};
ALTER FUNCTION next_wake OWNER TO {waker};
ALTER FUNCTION tenant_names OWNER TO {waker};
REVOKE CREATE ON SCHEMA {schema} FROM {waker};
