-- One row: the host's lease. The host counts up while it lives; one that stands by takes the store from a host that
-- has not counted for a while. `epoch` is that of the fence: a former host renews nothing. `returned` says that the
-- last host ended in order and acts no more, so that the next one need not wait until its lease has run out.
CREATE TABLE lease (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    epoch    bigint  NOT NULL,
    renewals bigint  NOT NULL,
    returned boolean NOT NULL
);
-- Whoever was the host before this table was there had no lease and may still act: it counts as not returned, unless
-- there has never been one.
INSERT INTO lease (epoch, renewals, returned) SELECT epoch, 0, epoch = 0 FROM fence;

ALTER TABLE lease ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY no_tenant ON lease USING (true) WITH CHECK (true);
GRANT SELECT, UPDATE ON lease TO {app};
