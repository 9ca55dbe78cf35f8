-- What tenants and campaigns have spent, hold in reserve and may come to.

-- `owner` is `tenant` or `campaign/NAME`; `spans` is `day` or `total`; `began` is when the window began, 0 for one
-- that never ends. `balance` and `caps` are JSON: only the writer computes with them.
CREATE TABLE accounts (
    tenant  text COLLATE "C" NOT NULL,
    owner   text COLLATE "C" NOT NULL,
    spans   text COLLATE "C" NOT NULL,
    began   bigint NOT NULL,
    balance text   NOT NULL,
    PRIMARY KEY (tenant, owner, spans, began)
) WITH (fillfactor = 50);

CREATE TABLE account_caps (
    tenant text COLLATE "C" NOT NULL,
    owner  text COLLATE "C" NOT NULL,
    spans  text COLLATE "C" NOT NULL,
    caps   text NOT NULL,
    PRIMARY KEY (tenant, owner, spans)
);

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['accounts', 'account_caps'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', name);
        EXECUTE format(
            'CREATE POLICY own_tenant ON %I TO {app}
                 USING (tenant = (SELECT nullif(current_setting(''adjutant.tenant'', true), '''')))
                 WITH CHECK (tenant = (SELECT nullif(current_setting(''adjutant.tenant'', true), '''')))',
            name);
    END LOOP;
END $$;

GRANT SELECT, INSERT, UPDATE ON accounts TO {app};
GRANT SELECT, INSERT, UPDATE, DELETE ON account_caps TO {app};
