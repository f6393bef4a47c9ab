import { type Attack, expectContained, expectRefused } from "../Attack.js"

const notRead = expectRefused("NOT_READ_ONLY")
const many = expectRefused("MULTIPLE_STATEMENTS")

/** Statements that would change facts, tables or settings. */
export const write: ReadonlyArray<Attack> = [
  ...notRead(
    "INSERT INTO EngagementFactsBoardsView (attempt_id) VALUES ('x')",
    "UPDATE trunkline_facts SET app_id = 'x'",
    "DELETE FROM trunkline_facts",
    "dElEtE FROM EngagementFactsBoardsView",
    "/* SELECT */ DELETE FROM trunkline_facts -- SELECT",
    "REPLACE INTO trunkline_facts (attempt_id) VALUES ('x')",
    "DROP VIEW EngagementFactsBoardsView",
    "DROP TABLE IF EXISTS trunkline_facts",
    "CREATE TABLE t AS SELECT * FROM EngagementFactsBoardsView",
    "CREATE TEMP TABLE t AS SELECT 1",
    "CREATE TRIGGER t AFTER INSERT ON trunkline_facts BEGIN SELECT 1; END",
    "CREATE VIRTUAL TABLE t USING fts5(x)",
    "ALTER TABLE trunkline_facts ADD COLUMN x",
    "WITH x AS (SELECT 1) DELETE FROM trunkline_facts WHERE 1 IN x",
    "WITH x(a) AS (VALUES (1)), y AS (SELECT 2) INSERT INTO trunkline_state SELECT 1, 2, 3, 4 FROM x RETURNING *",
    "WITH x AS MATERIALIZED (SELECT 1) UPDATE trunkline_facts SET app_id = 'x' RETURNING app_id",
    "WITH x AS (SELECT 1) REPLACE INTO trunkline_facts (attempt_id) SELECT * FROM x",
    "REINDEX",
    "ANALYZE",
    "VACUUM"
  ),
  ...expectRefused("INVALID_SQL", "FORBIDDEN_TABLE")(
    "WITH gone AS (DELETE FROM trunkline_facts RETURNING *) SELECT * FROM gone",
    "SELECT * FROM (UPDATE trunkline_facts SET app_id = 'x' RETURNING *)",
    "SELECT 1 INTO trunkline_facts",
    "SELECT * FROM EngagementFactsBoardsView FOR UPDATE"
  )
]

/** Multiple statements at once. */
export const multi: ReadonlyArray<Attack> = [
  ...many(
    "SELECT 1; SELECT 2",
    "SELECT 1; DROP TABLE trunkline_facts",
    "SELECT 1;;; DELETE FROM trunkline_facts",
    "SELECT 1 /* ; */ ; /* ; */ PRAGMA query_only = 0",
    "SELECT 1; -- nothing here\nDELETE FROM trunkline_facts",
    "SELECT ';'; VACUUM",
    "SELECT \";\" FROM (SELECT 1 AS \";\"); VACUUM",
    "SELECT [;] FROM (SELECT 1 AS [;]); VACUUM",
    "SELECT `;` FROM (SELECT 1 AS `;`); VACUUM",
    "SELECT 'a''; '; COMMIT",
    "VALUES (1); VALUES (2)",
    "WITH x AS (SELECT 1) SELECT * FROM x; ATTACH ':memory:' AS y",
    "SELECT (1; SELECT 2)",
    "SELECT 1;\ufeffSELECT 2",
    "SELECT 1;é"
  ),
  ...expectRefused("NOT_READ_ONLY")("BEGIN; DELETE FROM trunkline_facts; COMMIT"),
  ...expectRefused("INVALID_SQL")(
    "; DELETE FROM trunkline_facts",
    "SELECT 1;\u0000 DROP TABLE trunkline_facts",
    "SELECT 1; /* never closed"
  ),
  ...expectContained("SELECT 1; ; -- ; DELETE\n;/* ; */", "SELECT '; DROP TABLE trunkline_facts'")
]

/** Transactions and locks that would outlive the statement. */
export const tx: ReadonlyArray<Attack> = notRead(
  "BEGIN",
  "BEGIN EXCLUSIVE TRANSACTION",
  "BEGIN IMMEDIATE",
  "COMMIT",
  "END TRANSACTION",
  "ROLLBACK",
  "SAVEPOINT here",
  "ROLLBACK TO here",
  "RELEASE here",
  "PRAGMA locking_mode = EXCLUSIVE",
  "PRAGMA journal_mode = DELETE",
  "PRAGMA wal_checkpoint(TRUNCATE)",
  "PRAGMA query_only = 0",
  "PRAGMA writable_schema = 1"
)
