/**
 * Functions of the database: a commit is one round trip and one transaction, so no lock is held while a process waits
 * for the network.
 *
 * **Positions.** A sequence gives positions before their transaction commits, so a lower one may become visible later.
 * Before a commit takes its first position it takes a shared lock whose number is the last position taken until then: its
 * own positions are higher. `horizon` reads the last position taken, then the locks of commits that still run. Everything
 * up to the lowest of these numbers is visible or will never be. Commits do not wait for each other, readers do not wait
 * at all.
 *
 * **Clock.** Due times and leases are in milliseconds of the database's clock, so the clocks of the hosts may differ. A
 * caller passes its own time; times in its units are converted by the difference. Tests pass `p_db = false` and a
 * simulated time, which is then the only clock.
 */
export const functions = (schema: string): string => `
CREATE OR REPLACE FUNCTION ${schema}.lock_space() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT (1 + '${schema}'::regnamespace::oid::bigint % 32767) << 47
$$;

CREATE OR REPLACE FUNCTION ${schema}.last_position() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM ${schema}.position
$$;

CREATE OR REPLACE FUNCTION ${schema}.horizon() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  v_last bigint := ${schema}.last_position();
  v_space bigint := ${schema}.lock_space();
  v_running bigint;
BEGIN
  SELECT min(number - v_space) INTO v_running
  FROM (
    SELECT (classid::bigint << 32) | objid::bigint AS number FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 1
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  ) AS held
  WHERE number >= v_space AND number < v_space + (1::bigint << 47);
  RETURN least(v_last, coalesce(v_running, v_last));
END $$;

CREATE OR REPLACE FUNCTION ${schema}.store_time(p_process float8, p_latest float8, p_db boolean) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
  v_now float8 := CASE WHEN p_db THEN extract(epoch FROM clock_timestamp())::float8 * 1000 ELSE p_process END;
  v_stored float8;
BEGIN
  SELECT value INTO v_stored FROM ${schema}.meta WHERE name = 'time';
  IF v_stored - v_now > 1000 THEN
    SELECT value INTO v_stored FROM ${schema}.meta WHERE name = 'time' FOR UPDATE;
    IF v_stored - v_now > 1000 THEN
      v_stored := greatest(v_stored, CASE WHEN p_db THEN NULL ELSE p_latest END);
      UPDATE ${schema}.work SET due_at = due_at - (v_stored - v_now), again_at = again_at - (v_stored - v_now), since = since - (v_stored - v_now);
      UPDATE ${schema}.meta SET value = v_now WHERE name = 'time';
    END IF;
  END IF;
  RETURN v_now;
END $$;

CREATE OR REPLACE FUNCTION ${schema}.note_time(p_now float8) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM ${schema}.meta WHERE name = 'time' AND p_now - value >= 1000 FOR UPDATE SKIP LOCKED;
  IF FOUND THEN UPDATE ${schema}.meta SET value = greatest(value, p_now) WHERE name = 'time'; END IF;
END $$;

CREATE OR REPLACE FUNCTION ${schema}.next_due(p_kind text, p_process float8, p_latest float8, p_db boolean) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
  v_now float8 := ${schema}.store_time(p_process, p_latest, p_db);
BEGIN
  RETURN (SELECT min(due_at) FROM ${schema}.work WHERE kind = p_kind) - (v_now - p_process);
END $$;

CREATE OR REPLACE FUNCTION ${schema}.claim_work(
  p_kind text, p_most integer, p_lease float8, p_owner text, p_process float8, p_latest float8, p_db boolean
) RETURNS TABLE (key text, epoch bigint, attempts integer, until float8, payload text) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_now float8 := ${schema}.store_time(p_process, p_latest, p_db);
BEGIN
  -- Nothing due is the usual case, and it writes nothing.
  IF NOT EXISTS (SELECT 1 FROM ${schema}.work w WHERE w.kind = p_kind AND w.due_at <= v_now) THEN RETURN; END IF;
  PERFORM ${schema}.note_time(v_now);
  RETURN QUERY
    WITH due AS (
      SELECT w.key, w.due_at FROM ${schema}.work w
      WHERE w.kind = p_kind AND w.due_at <= v_now ORDER BY w.due_at, w.key LIMIT p_most FOR UPDATE SKIP LOCKED
    ), taken AS (
      -- A wake that came before this claim is answered by it; a later one still stands.
      UPDATE ${schema}.work w SET
        due_at = v_now + p_lease, owner = p_owner, epoch = nextval('${schema}.epoch'), attempts = w.attempts + 1,
        again_at = CASE WHEN w.again_at > v_now THEN w.again_at END
      FROM due WHERE w.kind = p_kind AND w.key = due.key
      RETURNING w.key, w.epoch, w.attempts, w.payload, due.due_at
    )
    SELECT t.key, t.epoch, t.attempts, p_process + p_lease, t.payload FROM taken t ORDER BY t.due_at, t.key;
END $$;

-- Owners of work that hold no session lock. Those that never held one are not listed: their leases end.
CREATE OR REPLACE FUNCTION ${schema}.silent_owners(p_self text) RETURNS TABLE (owner text, epoch bigint) LANGUAGE sql VOLATILE AS $$
  SELECT held.owner, held.epoch
  FROM (
    SELECT w.owner, max(w.epoch) AS epoch FROM ${schema}.work w WHERE w.owner LIKE 'live-%' AND w.owner <> p_self GROUP BY w.owner
  ) AS held
  WHERE pg_try_advisory_xact_lock('${schema}'::regnamespace::oid::integer, hashtext(held.owner))
$$;

CREATE OR REPLACE FUNCTION ${schema}.release_work(p_owner text, p_epoch bigint, p_process float8, p_db boolean) RETURNS SETOF text LANGUAGE sql VOLATILE AS $$
  UPDATE ${schema}.work SET owner = NULL, due_at = CASE WHEN p_db THEN extract(epoch FROM clock_timestamp())::float8 * 1000 ELSE p_process END
  WHERE owner = p_owner AND epoch <= p_epoch RETURNING kind
$$;
`
