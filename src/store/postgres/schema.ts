/**
 * Tables, one schema of the database for each installation.
 *
 * `stream` has the head of each stream, because a writer must lock it: two processes that append to one stream meet at
 * this row, and the second one reads the head that the first one left. `work` is updated in place, so its pages keep
 * room for new versions and are vacuumed early.
 */
export const tables = (schema: string): string => `
CREATE TABLE ${schema}.stream (id text COLLATE "C" PRIMARY KEY, head bigint NOT NULL) WITH (fillfactor = 80);

CREATE SEQUENCE ${schema}.position AS bigint;
CREATE TABLE ${schema}.event (
  position bigint NOT NULL,
  stream text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  at float8 NOT NULL,
  type text NOT NULL,
  data text NOT NULL,
  PRIMARY KEY (stream, seq)
);
CREATE UNIQUE INDEX event_position ON ${schema}.event (position);

CREATE SEQUENCE ${schema}.epoch AS bigint;
-- due_at is when a row can be claimed: its due time, or for claimed work (owner set) the end of the lease.
CREATE TABLE ${schema}.work (
  kind text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  due_at float8 NOT NULL,
  again_at float8,
  owner text,
  epoch bigint NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  payload text,
  since float8 NOT NULL,
  PRIMARY KEY (kind, key)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX work_due ON ${schema}.work (kind, due_at);
CREATE INDEX work_owner ON ${schema}.work (owner, epoch) WHERE owner IS NOT NULL;

CREATE TABLE ${schema}.once (key text COLLATE "C" PRIMARY KEY, value text NOT NULL, at float8 NOT NULL);

-- folded is the text in lower case, as JavaScript folds it. raw is the text as JSON where PostgreSQL cannot store it as it is.
CREATE TABLE ${schema}.view_row (
  view text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  grp text COLLATE "C" NOT NULL,
  sort float8 NOT NULL,
  folded text NOT NULL,
  text text,
  raw text,
  body text NOT NULL,
  PRIMARY KEY (view, key)
) WITH (fillfactor = 80);
CREATE INDEX view_row_sort ON ${schema}.view_row (view, sort, key);
CREATE INDEX view_row_group ON ${schema}.view_row (view, grp, sort, key);

CREATE TABLE ${schema}.snapshot (stream text COLLATE "C" PRIMARY KEY, seq bigint NOT NULL, version bigint NOT NULL, state text NOT NULL);

CREATE TABLE ${schema}.file (id text COLLATE "C" PRIMARY KEY, at float8 NOT NULL, bytes bytea NOT NULL);

CREATE TABLE ${schema}.meta (name text PRIMARY KEY, value float8 NOT NULL);
INSERT INTO ${schema}.meta (name, value) VALUES ('checked', 0), ('time', 0), ('database', floor(random() * (1::bigint << 47)));
`

/**
 * The words of events. `indexed` in `meta` is the position up to which they are complete; its row is locked by whoever changes
 * `word`, so that no words are added of events that are just removed.
 */
export const wordTable = (schema: string): string => `
CREATE TABLE ${schema}.word (position bigint PRIMARY KEY, grp text COLLATE "C" NOT NULL, words tsvector NOT NULL);
CREATE INDEX word_words ON ${schema}.word USING gin (words);
CREATE INDEX word_group ON ${schema}.word (grp, position);
INSERT INTO ${schema}.meta (name, value) VALUES ('indexed', 0);
`
