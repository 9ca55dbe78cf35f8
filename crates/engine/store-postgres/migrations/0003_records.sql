-- Small things that a tenant keeps beside its journals: stops, triggers, what was told to whom.

CREATE TABLE records (
    tenant  text COLLATE "C" NOT NULL,
    kind    text COLLATE "C" NOT NULL,
    name    text COLLATE "C" NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (tenant, kind, name)
);

ALTER TABLE records ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON records TO {app}
    USING (tenant = (SELECT nullif(current_setting('adjutant.tenant', true), '')))
    WITH CHECK (tenant = (SELECT nullif(current_setting('adjutant.tenant', true), '')));

GRANT SELECT, INSERT, UPDATE, DELETE ON records TO {app};
