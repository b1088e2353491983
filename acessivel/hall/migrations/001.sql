-- SPDX-License-Identifier: GPL-3.0-or-later
-- The hall: what tables tell, what arbiters propose, and who may do what. {hall} is the name of the database.

CREATE TABLE hall.entries (
    table_no int NOT NULL CHECK (table_no > 0),
    game text NOT NULL CHECK (game ~ '^[0-9a-f.]{1,40}$'),
    number int NOT NULL CHECK (number >= 0),
    entry jsonb NOT NULL CHECK (length(entry::text) <= 10000),
    ago_ms bigint NOT NULL DEFAULT 0 CHECK (ago_ms BETWEEN 0 AND 1000000000000),
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (table_no, game, number)
);
CREATE TABLE hall.games (table_no int, game text, known int NOT NULL, PRIMARY KEY (table_no, game));
CREATE TABLE hall.proposals (
    id bigint PRIMARY KEY,
    table_no int NOT NULL,
    game text NOT NULL,
    proposal jsonb NOT NULL,
    role name NOT NULL DEFAULT session_user,
    at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX proposals_of_a_game ON hall.proposals (table_no, game, id);
CREATE TABLE hall.seen (table_no int PRIMARY KEY, at timestamptz NOT NULL, leaves boolean NOT NULL);
CREATE TABLE hall.taken (item text PRIMARY KEY, by text NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp());
CREATE TABLE hall.present (by text PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp());

-- Nothing that was told or proposed is changed or taken away.
CREATE FUNCTION hall.no_change() RETURNS trigger LANGUAGE plpgsql AS
    $$BEGIN RAISE EXCEPTION 'append-only' USING ERRCODE = '23001'; END$$;
CREATE TRIGGER frozen BEFORE UPDATE OR DELETE OR TRUNCATE ON hall.entries
    FOR EACH STATEMENT EXECUTE FUNCTION hall.no_change();
CREATE TRIGGER frozen BEFORE UPDATE OR DELETE OR TRUNCATE ON hall.proposals
    FOR EACH STATEMENT EXECUTE FUNCTION hall.no_change();

-- How far each game is known; whoever listens is woken, and reads the tables.
CREATE FUNCTION hall.told() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
    INSERT INTO hall.games SELECT table_no, game, max(number) + 1 FROM fresh GROUP BY table_no, game
        ON CONFLICT (table_no, game) DO UPDATE SET known = greatest(hall.games.known, excluded.known);
    PERFORM pg_notify('hall', '');
    RETURN NULL;
END$$;
CREATE TRIGGER told AFTER INSERT ON hall.entries REFERENCING NEW TABLE AS fresh
    FOR EACH STATEMENT EXECUTE FUNCTION hall.told();
CREATE FUNCTION hall.proposed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('hall', ''), pg_notify('hall_' || NEW.table_no, '');
    RETURN NULL;
END$$;
CREATE TRIGGER proposed AFTER INSERT ON hall.proposals FOR EACH ROW EXECUTE FUNCTION hall.proposed();
CREATE FUNCTION hall.changed() RETURNS trigger LANGUAGE plpgsql AS
    $$BEGIN PERFORM pg_notify('hall', ''); RETURN NULL; END$$;
CREATE TRIGGER changed AFTER INSERT OR DELETE ON hall.taken FOR EACH STATEMENT EXECUTE FUNCTION hall.changed();

-- A table says that it is there.
CREATE FUNCTION hall.alive(leaving boolean) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $$
    INSERT INTO hall.seen SELECT substring(session_user::text FROM '^{hall}_table_([1-9][0-9]*)$')::int,
        clock_timestamp(), leaving
        ON CONFLICT (table_no) DO UPDATE SET at = excluded.at, leaves = excluded.leaves
$$;

-- An arbiter makes the key of a table, from what only proves a password, and ends it; then its sessions.
CREATE FUNCTION hall.make_key(table_number int, verifier text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE role text := '{hall}_table_' || table_number;
BEGIN
    IF table_number < 1 OR verifier NOT LIKE 'SCRAM-SHA-256$%' THEN
        RAISE EXCEPTION 'no key' USING ERRCODE = '22023';
    END IF;
    PERFORM hall.revoke_key(table_number);
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
        EXECUTE format('CREATE ROLE %I IN ROLE {hall}_table, {hall}_people CONNECTION LIMIT 4', role);
    END IF;
    EXECUTE format('ALTER ROLE %I LOGIN PASSWORD %L', role, verifier);
END$$;
CREATE FUNCTION hall.revoke_key(table_number int) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE role text := '{hall}_table_' || table_number;
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
        EXECUTE format('ALTER ROLE %I NOLOGIN PASSWORD NULL', role);
    END IF;
END$$;
CREATE FUNCTION hall.end_sessions(table_number int) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $$
    SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity WHERE usename = '{hall}_table_' || table_number
$$;
CREATE VIEW hall.keys AS
    SELECT substring(rolname::text FROM '^{hall}_table_([1-9][0-9]*)$')::int AS table_no FROM pg_catalog.pg_roles
    WHERE rolcanlogin AND rolname::text ~ '^{hall}_table_[1-9][0-9]*$';

-- What the public may follow.
CREATE VIEW hall.board WITH (security_barrier) AS
    SELECT table_no, game, number, entry, at - ago_ms * interval '1 ms' AS at FROM hall.entries
    WHERE entry->>'kind' IN ('GameOpened', 'MoveMade', 'MovesTakenBack', 'ClocksShown', 'GameEnded');

-- A table adds its own entries, and reads its own and what is proposed to it.
ALTER TABLE hall.entries ENABLE ROW LEVEL SECURITY;
ALTER TABLE hall.games ENABLE ROW LEVEL SECURITY;
ALTER TABLE hall.proposals ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_in ON hall.entries FOR INSERT TO {hall}_table
    WITH CHECK (session_user::text = '{hall}_table_' || table_no);
CREATE POLICY own ON hall.entries FOR SELECT TO {hall}_table
    USING (session_user::text = '{hall}_table_' || table_no);
CREATE POLICY own ON hall.games FOR SELECT TO {hall}_table
    USING (session_user::text = '{hall}_table_' || table_no);
CREATE POLICY own ON hall.proposals FOR SELECT TO {hall}_table
    USING (session_user::text = '{hall}_table_' || table_no);
GRANT USAGE ON SCHEMA hall TO {hall}_table, {hall}_arbiter, {hall}_viewer;
GRANT INSERT (table_no, game, number, entry, ago_ms), SELECT ON hall.entries TO {hall}_table;
GRANT SELECT ON hall.games, hall.proposals TO {hall}_table;

-- An arbiter reads everything, proposes, and shares the work with the others.
CREATE POLICY reads ON hall.entries FOR SELECT TO {hall}_arbiter USING (true);
CREATE POLICY reads ON hall.games FOR SELECT TO {hall}_arbiter USING (true);
CREATE POLICY reads ON hall.proposals FOR SELECT TO {hall}_arbiter USING (true);
CREATE POLICY proposes ON hall.proposals FOR INSERT TO {hall}_arbiter WITH CHECK (role = session_user);
GRANT SELECT ON hall.entries, hall.games, hall.proposals, hall.seen, hall.taken, hall.present, hall.keys TO {hall}_arbiter;
GRANT INSERT (id, table_no, game, proposal) ON hall.proposals TO {hall}_arbiter;
GRANT INSERT, DELETE ON hall.taken TO {hall}_arbiter;
GRANT INSERT, UPDATE ON hall.present TO {hall}_arbiter;

GRANT SELECT ON hall.board TO {hall}_viewer;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA hall FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hall.alive TO {hall}_table;
GRANT EXECUTE ON FUNCTION hall.make_key, hall.revoke_key, hall.end_sessions TO {hall}_arbiter;
