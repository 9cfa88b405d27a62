/**
 * The commit function. Units are encoded by `encode-units.ts`: strings stand once in `p_texts` and are named by their
 * index, because jsonb cannot hold U+0000 and large texts need not be parsed.
 *
 * Reasons to refuse a unit are looked at before its first write, so a refused unit has nothing to undo. Rows that a check
 * depends on are locked by it. Two units that use one new once-only key or one new sum at the same time cannot see each
 * other: the second fails with 40001 and its whole commit runs again.
 */
export const commitFunction = (schema: string): string => `
CREATE OR REPLACE FUNCTION ${schema}.refuse_unit(p_owner text, p_unit jsonb, p_texts text[]) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_item jsonb;
  v_text text;
  v_head bigint;
  v_heads jsonb := '{}';
  v_once jsonb := '{}';
BEGIN
  v_item := p_unit -> 'lease';
  IF v_item IS NOT NULL THEN
    PERFORM 1 FROM ${schema}.work
    WHERE kind = p_texts[(v_item ->> 0)::int] AND key = p_texts[(v_item ->> 1)::int] AND owner = p_owner AND epoch = (v_item ->> 2)::bigint
    FOR UPDATE;
    IF NOT FOUND THEN RETURN '{"why": "fenced"}'; END IF;
  END IF;
  FOR v_item IN SELECT value FROM jsonb_array_elements(p_unit -> 'once') LOOP
    SELECT value INTO v_text FROM ${schema}.once WHERE key = p_texts[(v_item ->> 0)::int];
    IF NOT FOUND THEN v_text := p_texts[(v_once ->> (v_item ->> 0))::int]; END IF;
    IF v_text IS NOT NULL THEN RETURN jsonb_build_object('why', 'seen', 'key', v_item -> 0, 'value', v_text); END IF;
    v_once := v_once || jsonb_build_object(v_item ->> 0, v_item -> 1);
  END LOOP;
  FOR v_item IN SELECT value FROM jsonb_array_elements(p_unit -> 'append') LOOP
    v_text := v_item ->> 0;
    v_head := (v_heads ->> v_text)::bigint;
    IF v_head IS NULL THEN v_head := ${schema}.lock_head(p_texts[v_text::int]); END IF;
    IF v_head <> (v_item ->> 1)::bigint THEN
      RETURN jsonb_build_object('why', 'conflict', 'stream', v_item -> 0, 'head', v_head);
    END IF;
    v_heads := v_heads || jsonb_build_object(v_text, v_head + jsonb_array_length(v_item -> 2));
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION ${schema}.lock_head(p_stream text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_head bigint;
BEGIN
  SELECT head INTO v_head FROM ${schema}.stream WHERE id = p_stream FOR UPDATE;
  IF FOUND THEN RETURN v_head; END IF;
  -- A stream without events has the head 0, with or without a row.
  INSERT INTO ${schema}.stream (id, head) VALUES (p_stream, 0) ON CONFLICT DO NOTHING;
  SELECT head INTO v_head FROM ${schema}.stream WHERE id = p_stream FOR UPDATE;
  RETURN v_head;
END $$;

-- The bodies after the sums of a unit, or the row that would pass its bound. p_pending are sums of earlier units of the commit.
CREATE OR REPLACE FUNCTION ${schema}.add_sums(p_sums jsonb, p_texts text[], p_pending jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_sum jsonb;
  v_id text;
  v_body jsonb;
  v_text text;
  v_field text;
  v_amount jsonb;
  v_bound jsonb;
  v_rows jsonb := '{}';
BEGIN
  FOR v_sum IN SELECT value FROM jsonb_array_elements(p_sums) LOOP
    v_id := (v_sum ->> 0) || ' ' || (v_sum ->> 1);
    v_body := coalesce(v_rows -> v_id -> 0, p_pending -> v_id -> 0);
    IF v_body IS NULL THEN
      SELECT body INTO v_text FROM ${schema}.view_row WHERE view = p_texts[(v_sum ->> 0)::int] AND key = p_texts[(v_sum ->> 1)::int] FOR UPDATE;
      v_body := CASE WHEN FOUND THEN v_text::jsonb ELSE '{}' END;
    END IF;
    FOR v_field, v_amount IN SELECT key, value FROM jsonb_each(v_sum -> 4) LOOP
      v_body := jsonb_set(v_body, ARRAY[v_field], to_jsonb(coalesce((v_body ->> v_field)::float8, 0) + (v_amount #>> '{}')::float8));
    END LOOP;
    FOR v_bound IN SELECT value FROM jsonb_array_elements(v_sum -> 5) LOOP
      IF (SELECT sum(coalesce((v_body ->> field)::float8, 0)) FROM jsonb_array_elements_text(v_bound -> 0) AS field) > (v_bound ->> 1)::float8 THEN
        RETURN jsonb_build_object('over', jsonb_build_object('why', 'over', 'view', v_sum -> 0, 'key', v_sum -> 1));
      END IF;
    END LOOP;
    v_rows := v_rows || jsonb_build_object(v_id, jsonb_build_array(v_body, v_sum));
  END LOOP;
  RETURN v_rows;
END $$;

CREATE OR REPLACE FUNCTION ${schema}.apply_unit(
  p_unit jsonb, p_texts text[], p_now float8, p_shift float8
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_item jsonb;
  v_settle jsonb;
  v_positions bigint[];
  v_all bigint[] := '{}';
  v_stream text;
  v_count bigint;
BEGIN
  FOR v_item IN SELECT value FROM jsonb_array_elements(p_unit -> 'append') LOOP
    CONTINUE WHEN jsonb_array_length(v_item -> 2) = 0;
    v_stream := p_texts[(v_item ->> 0)::int];
    WITH appended AS (
      INSERT INTO ${schema}.event (position, stream, seq, at, type, data)
      SELECT nextval('${schema}.position'), v_stream, (v_item ->> 1)::bigint + number, (event ->> 1)::float8,
        p_texts[(event ->> 0)::int], p_texts[(event ->> 2)::int]
      FROM (SELECT value AS event, ordinality AS number FROM jsonb_array_elements(v_item -> 2) WITH ORDINALITY ORDER BY ordinality) AS given
      RETURNING position, seq
    ) SELECT array_agg(position ORDER BY seq) INTO v_positions FROM appended;
    UPDATE ${schema}.stream SET head = (v_item ->> 1)::bigint + array_length(v_positions, 1) WHERE id = v_stream;
    v_all := v_all || v_positions;
  END LOOP;

  v_item := p_unit -> 'lease';
  v_settle := p_unit -> 'settle';
  IF v_item IS NOT NULL AND v_settle IS NOT NULL THEN
    PERFORM ${schema}.settle_work(p_texts[(v_item ->> 0)::int], p_texts[(v_item ->> 1)::int], v_settle, p_now, p_shift);
  END IF;
  FOR v_item IN SELECT value FROM jsonb_array_elements(p_unit -> 'cancel') LOOP
    DELETE FROM ${schema}.work WHERE kind = p_texts[(v_item ->> 0)::int] AND key = p_texts[(v_item ->> 1)::int];
  END LOOP;
  FOR v_item IN SELECT value FROM jsonb_array_elements(p_unit -> 'wake') LOOP
    INSERT INTO ${schema}.work AS w (kind, key, due_at, payload, since)
    VALUES (p_texts[(v_item ->> 0)::int], p_texts[(v_item ->> 1)::int], (v_item ->> 2)::float8 + p_shift, p_texts[(v_item ->> 3)::int], p_now)
    ON CONFLICT (kind, key) DO UPDATE SET
      due_at = CASE WHEN w.owner IS NULL THEN least(w.due_at, excluded.due_at) ELSE w.due_at END,
      again_at = CASE WHEN w.owner IS NULL THEN w.again_at ELSE least(w.again_at, excluded.due_at) END,
      payload = coalesce(excluded.payload, w.payload);
  END LOOP;

  FOR v_item IN SELECT value FROM jsonb_array_elements(p_unit -> 'once') LOOP
    INSERT INTO ${schema}.once (key, value, at) VALUES (p_texts[(v_item ->> 0)::int], p_texts[(v_item ->> 1)::int], p_now) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN RAISE EXCEPTION 'once-only key used by a concurrent commit' USING ERRCODE = '40001'; END IF;
  END LOOP;
  FOR v_item IN SELECT value FROM jsonb_array_elements(p_unit -> 'forget') LOOP
    DELETE FROM ${schema}.once WHERE key = p_texts[(v_item ->> 0)::int] AND at < (v_item ->> 1)::float8 + p_shift;
  END LOOP;

  FOR v_item IN SELECT value FROM jsonb_array_elements(p_unit -> 'rows') LOOP
    IF jsonb_array_length(v_item) = 2 THEN
      DELETE FROM ${schema}.view_row WHERE view = p_texts[(v_item ->> 0)::int] AND key = p_texts[(v_item ->> 1)::int];
    ELSE
      INSERT INTO ${schema}.view_row (view, key, grp, sort, folded, text, raw, body)
      VALUES (p_texts[(v_item ->> 0)::int], p_texts[(v_item ->> 1)::int], p_texts[(v_item ->> 2)::int], (v_item ->> 3)::float8,
        p_texts[(v_item ->> 4)::int], p_texts[(v_item ->> 5)::int], p_texts[(v_item ->> 6)::int], p_texts[(v_item ->> 7)::int])
      ON CONFLICT (view, key) DO UPDATE SET grp = excluded.grp, sort = excluded.sort, folded = excluded.folded,
        text = excluded.text, raw = excluded.raw, body = excluded.body;
    END IF;
  END LOOP;
  FOR v_item IN SELECT value FROM jsonb_array_elements(p_unit -> 'snapshots') LOOP
    INSERT INTO ${schema}.snapshot (stream, seq, version, state)
    VALUES (p_texts[(v_item ->> 0)::int], (v_item ->> 1)::bigint, (v_item ->> 2)::bigint, p_texts[(v_item ->> 3)::int])
    ON CONFLICT (stream) DO UPDATE SET seq = excluded.seq, version = excluded.version, state = excluded.state;
  END LOOP;
  IF p_unit -> 'index' IS NOT NULL THEN PERFORM ${schema}.index_words(p_unit -> 'index', p_texts); END IF;
  FOR v_item IN SELECT value FROM jsonb_array_elements(p_unit -> 'trim') LOOP
    v_stream := p_texts[(v_item ->> 0)::int];
    PERFORM 1 FROM ${schema}.meta WHERE name = 'indexed' FOR UPDATE;
    DELETE FROM ${schema}.word WHERE position IN (
      SELECT position FROM ${schema}.event WHERE stream = v_stream AND seq < (v_item ->> 1)::bigint
        AND seq < (SELECT head FROM ${schema}.stream WHERE id = v_stream));
    DELETE FROM ${schema}.event WHERE stream = v_stream AND seq < (v_item ->> 1)::bigint
      AND seq < (SELECT head FROM ${schema}.stream WHERE id = v_stream);
    DELETE FROM ${schema}.snapshot WHERE stream = v_stream AND seq < (v_item ->> 1)::bigint;
  END LOOP;
  RETURN to_jsonb(v_all);
END $$;

CREATE OR REPLACE FUNCTION ${schema}.index_words(p_index jsonb, p_texts text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_indexed bigint;
  v_up_to bigint := (p_index ->> 1)::bigint;
BEGIN
  SELECT value::bigint INTO v_indexed FROM ${schema}.meta WHERE name = 'indexed' FOR UPDATE;
  INSERT INTO ${schema}.word (position, grp, words)
  SELECT (entry ->> 0)::bigint, p_texts[(entry ->> 1)::int], array_to_tsvector(string_to_array(p_texts[(entry ->> 2)::int], ' '))
  FROM jsonb_array_elements(p_index -> 0) AS entry
  WHERE ((entry ->> 0)::bigint <= v_indexed) = (v_up_to IS NULL)
    AND EXISTS (SELECT 1 FROM ${schema}.event WHERE position = (entry ->> 0)::bigint)
  ON CONFLICT (position) DO UPDATE SET grp = excluded.grp, words = excluded.words;
  UPDATE ${schema}.meta SET value = v_up_to WHERE name = 'indexed' AND value < v_up_to;
END $$;

CREATE OR REPLACE FUNCTION ${schema}.write_sum(p_body jsonb, p_sum jsonb, p_texts text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE ${schema}.view_row SET body = p_body::text, grp = p_texts[(p_sum ->> 2)::int], sort = (p_sum ->> 3)::float8, folded = '', text = NULL, raw = NULL
  WHERE view = p_texts[(p_sum ->> 0)::int] AND key = p_texts[(p_sum ->> 1)::int];
  IF FOUND THEN RETURN; END IF;
  INSERT INTO ${schema}.view_row (view, key, grp, sort, folded, body)
  VALUES (p_texts[(p_sum ->> 0)::int], p_texts[(p_sum ->> 1)::int], p_texts[(p_sum ->> 2)::int], (p_sum ->> 3)::float8, '', p_body::text)
  ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RAISE EXCEPTION 'sum added by a concurrent commit' USING ERRCODE = '40001'; END IF;
END $$;

CREATE OR REPLACE FUNCTION ${schema}.settle_work(p_kind text, p_key text, p_settle jsonb, p_now float8, p_shift float8) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_settle = '"done"' THEN
    DELETE FROM ${schema}.work WHERE kind = p_kind AND key = p_key AND again_at IS NULL;
    UPDATE ${schema}.work SET due_at = again_at, again_at = NULL, owner = NULL, attempts = 0, since = p_now WHERE kind = p_kind AND key = p_key;
  ELSE
    UPDATE ${schema}.work SET due_at = least((p_settle ->> 0)::float8 + p_shift, again_at), again_at = NULL, owner = NULL,
      attempts = greatest(attempts - (p_settle ->> 1)::int, 0)
    WHERE kind = p_kind AND key = p_key;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION ${schema}.commit_units(
  p_owner text, p_process float8, p_latest float8, p_db boolean, p_units jsonb, p_texts text[]
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_now float8 := ${schema}.store_time(p_process, p_latest, p_db);
  v_unit jsonb;
  v_result jsonb;
  v_sums jsonb;
  -- Many units of a commit add to the same few rows, which are written once, at its end.
  v_pending jsonb := '{}';
  v_results jsonb[] := '{}';
  v_is_locked boolean := false;
BEGIN
  PERFORM ${schema}.note_time(v_now);
  FOR v_unit IN SELECT value FROM jsonb_array_elements(p_units) LOOP
    v_result := ${schema}.refuse_unit(p_owner, v_unit, p_texts);
    IF v_result IS NULL THEN
      v_sums := CASE WHEN v_unit -> 'sums' IS NULL THEN '{}' ELSE ${schema}.add_sums(v_unit -> 'sums', p_texts, v_pending) END;
      v_result := v_sums -> 'over';
    END IF;
    IF v_result IS NULL THEN
      IF NOT v_is_locked AND v_unit -> 'append' IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock_shared(${schema}.lock_space() + ${schema}.last_position());
        v_is_locked := true;
      END IF;
      v_result := ${schema}.apply_unit(v_unit, p_texts, v_now, v_now - p_process);
      IF v_unit -> 'replaced' IS NOT NULL THEN
        v_pending := v_pending - ARRAY(SELECT jsonb_array_elements_text(v_unit -> 'replaced'));
      END IF;
      v_pending := v_pending || v_sums;
    END IF;
    v_results := v_results || v_result;
  END LOOP;
  FOR v_sums IN SELECT value FROM jsonb_each(v_pending) LOOP
    PERFORM ${schema}.write_sum(v_sums -> 0, v_sums -> 1, p_texts);
  END LOOP;
  RETURN to_jsonb(v_results);
END $$;
`
