-- The order of events over all missions. One host writes, one transaction after the other, so that who reads in this
-- order misses nothing that is committed later.

ALTER TABLE events ADD COLUMN pos bigint GENERATED ALWAYS AS IDENTITY;
CREATE INDEX events_in_order ON events (tenant, pos);
