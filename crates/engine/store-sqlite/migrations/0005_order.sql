-- The order of events over all missions is that of their rows. A row that is pruned must not have its number given to
-- another: whoever has read up to it would never see that one.

CREATE TABLE positions_given (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    pos INTEGER NOT NULL
) STRICT;

INSERT INTO positions_given (one, pos) SELECT 1, coalesce(max(pos), 0) FROM events;
