-- Small things that a tenant keeps beside its journals: stops, triggers, what was told to whom.

CREATE TABLE records (
    tenant  TEXT NOT NULL,
    kind    TEXT NOT NULL,
    name    TEXT NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (tenant, kind, name)
) STRICT, WITHOUT ROWID;
