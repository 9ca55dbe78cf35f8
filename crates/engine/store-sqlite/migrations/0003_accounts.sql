-- What tenants and campaigns have spent, hold in reserve and may come to.

-- `owner` is `tenant` or `campaign/NAME`; `spans` is `day` or `total`; `began` is when the window began, 0 for one
-- that never ends. `balance` and `caps` are JSON: only the writer computes with them.
CREATE TABLE accounts (
    tenant  TEXT    NOT NULL,
    owner   TEXT    NOT NULL,
    spans   TEXT    NOT NULL,
    began   INTEGER NOT NULL,
    balance TEXT    NOT NULL,
    PRIMARY KEY (tenant, owner, spans, began)
) STRICT, WITHOUT ROWID;

CREATE TABLE account_caps (
    tenant TEXT NOT NULL,
    owner  TEXT NOT NULL,
    spans  TEXT NOT NULL,
    caps   TEXT NOT NULL,
    PRIMARY KEY (tenant, owner, spans)
) STRICT, WITHOUT ROWID;
