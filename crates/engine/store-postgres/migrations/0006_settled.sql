-- Who works for a tenant adds to journals and takes nothing away: only what is marked as erased or pruned can be
-- deleted, and only by the two functions below. The mark stays, and so does the attestation of what was pruned, which
-- nobody can change here. The rule stands in the policies, so that it also holds for whoever takes the functions' role.

REVOKE DELETE ON events, blobs FROM {app};

GRANT SELECT (tenant, mission) ON attestations TO {waker};
GRANT SELECT (tenant, mission, bytes), DELETE ON events, blobs TO {waker};

CREATE POLICY settled ON missions FOR SELECT TO {waker}
    USING (tenant = (SELECT nullif(current_setting('adjutant.tenant', true), '')) AND kept IN ('erased', 'pruned'));
CREATE POLICY settled ON attestations FOR SELECT TO {waker}
    USING (tenant = (SELECT nullif(current_setting('adjutant.tenant', true), '')));
CREATE POLICY settled ON events TO {waker}
    USING (tenant = (SELECT nullif(current_setting('adjutant.tenant', true), ''))
           AND EXISTS (SELECT FROM missions m
                       WHERE m.tenant = events.tenant AND m.mission = events.mission AND m.kept = 'pruned')
           AND EXISTS (SELECT FROM attestations a
                       WHERE a.tenant = events.tenant AND a.mission = events.mission))
    WITH CHECK (false);
CREATE POLICY settled ON blobs TO {waker}
    USING (tenant = (SELECT nullif(current_setting('adjutant.tenant', true), ''))
           AND EXISTS (SELECT FROM missions m
                       WHERE m.tenant = blobs.tenant AND m.mission = blobs.mission AND m.kept IN ('erased', 'pruned')))
    WITH CHECK (false);

-- Each deletes what missions of the tenant still have, and says how many bytes that were.
CREATE FUNCTION drop_events(tenant text, missions uuid[]) RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    WITH gone AS (
        DELETE FROM events e WHERE e.tenant = $1 AND e.mission = ANY ($2)
        RETURNING octet_length(e.bytes)::bigint AS bytes
    )
    SELECT coalesce(sum(bytes), 0)::bigint FROM gone
$$;

CREATE FUNCTION drop_blobs(tenant text, missions uuid[]) RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    WITH gone AS (
        DELETE FROM blobs b WHERE b.tenant = $1 AND b.mission = ANY ($2)
        RETURNING octet_length(b.bytes)::bigint AS bytes
    )
    SELECT coalesce(sum(bytes), 0)::bigint FROM gone
$$;

REVOKE ALL ON FUNCTION drop_events, drop_blobs FROM PUBLIC;
GRANT EXECUTE ON FUNCTION drop_events, drop_blobs TO {app};
GRANT CREATE ON SCHEMA {schema} TO {waker};
ALTER FUNCTION drop_events OWNER TO {waker};
ALTER FUNCTION drop_blobs OWNER TO {waker};
REVOKE CREATE ON SCHEMA {schema} FROM {waker};

-- What was pruned stays marked, and what was erased can only be pruned.
CREATE FUNCTION stay_settled() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a mission that was % cannot be made % again', OLD.kept, NEW.kept USING ERRCODE = '42501';
END $$;
CREATE TRIGGER stay_settled BEFORE UPDATE ON missions FOR EACH ROW
    WHEN (OLD.kept IN ('erased', 'pruned') AND NEW.kept NOT IN (OLD.kept, 'pruned'))
    EXECUTE FUNCTION stay_settled();
