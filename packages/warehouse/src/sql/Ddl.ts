import type { Fact, FactNames } from "../facts/Fact.js"
import { type ColumnKind, columnTypeOf, storedColumns, viewColumns, viewName } from "../facts/ViewColumns.js"
import type { Parameter } from "../Warehouse.js"

/** Table behind the view, in the database of one workspace. Statements that name the prefix are rejected. */
const factsTable = "trunkline_facts"

/** Single-row table with the scope, the schema version and the watermark. */
export const stateTable = "trunkline_state"

const sqliteTypes: Readonly<Record<ColumnKind, "TEXT" | "INTEGER" | "REAL">> = {
  String: "TEXT",
  Integer: "INTEGER",
  Float: "REAL",
  DateTime: "TEXT",
  Date: "TEXT",
  JSON: "TEXT"
}

const names = storedColumns.map(({ name }) => name)
const columns = storedColumns.map(({ kind, name, nullable }) =>
  `${name} ${sqliteTypes[kind]}${name === "attempt_id" ? " PRIMARY KEY" : ""}${nullable ? "" : " NOT NULL"}`
)
const viewSelect = viewColumns.map(({ name, sameAs }) => sameAs === undefined ? name : `${sameAs} AS ${name}`)

/** Columns that queries usually filter by. */
const indexes = [
  ["effective_datetime"],
  ["app_id", "effective_datetime"],
  ["campaign_id", "effective_datetime"],
  ["user_identifier", "effective_datetime"]
]

/** SQLite statements that create the schema of a workspace's database; idempotent. */
export const createStatements: ReadonlyArray<string> = [
  `CREATE TABLE IF NOT EXISTS ${factsTable} (${columns.join(", ")}) STRICT`,
  ...indexes.map((by) => `CREATE INDEX IF NOT EXISTS trunkline_by_${by.join("_")} ON ${factsTable} (${by.join(", ")})`),
  `CREATE TABLE IF NOT EXISTS ${stateTable} (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    scope TEXT NOT NULL,
    version TEXT NOT NULL,
    watermark INTEGER NOT NULL
  ) STRICT`,
  `CREATE VIEW IF NOT EXISTS ${viewName} AS SELECT ${viewSelect.join(", ")} FROM ${factsTable}`
]

/** Current schema. A database with another version is rebuilt from the log. */
export const schemaVersion = `1 ${createStatements.join("; ")}`

/** Inserts or replaces a fact; binds `factRow`. */
export const upsertFact = `INSERT INTO ${factsTable} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})
  ON CONFLICT (attempt_id) DO UPDATE SET ${
  names.filter((name) => name !== "attempt_id").map((name) => `${name} = excluded.${name}`).join(", ")
}`

/** Deletes a fact; binds its attempt_id. */
export const deleteFact = `DELETE FROM ${factsTable} WHERE attempt_id = ?`

/** Deletes all facts. */
export const deleteFacts = `DELETE FROM ${factsTable}`

/** Selects `scope`, `version` and `watermark`; no row before the first write. */
export const readState = `SELECT scope, version, watermark FROM ${stateTable}`

/** Stores the scope key, `schemaVersion` and the watermark; binds them in this order. */
export const writeState = `INSERT INTO ${stateTable} (id, scope, version, watermark) VALUES (1, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET scope = excluded.scope, version = excluded.version, watermark = excluded.watermark`

/** Parameters of `upsertFact`: a value for each stored column. */
export const factRow = (fact: Fact & FactNames): ReadonlyArray<Parameter> => storedColumns.map(({ of }) => of(fact))

const types = new Map(storedColumns.map((column) => [column.name, columnTypeOf(column)]))

/** API type of a result column from its origin as SQLite reports it; undefined for expressions. */
export const originType = (table: string | null, column: string | null): string | undefined =>
  table === factsTable && column !== null ? types.get(column) : undefined
