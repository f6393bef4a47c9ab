import type { Fact, FactNames } from "../facts/Fact.js"
import { type ColumnKind, keptColumns, typeOf, viewColumns, viewName } from "../view/ViewColumns.js"
import type { Parameter } from "../Warehouse.js"

/** The table behind the view, in the database of one workspace. Analysts never name it: the prefix is refused. */
export const factsTable = "trunkline_facts"

/** The table with the one row that says whose database it is, how it was made, and how far it has come. */
export const stateTable = "trunkline_state"

const storedAs: Readonly<Record<ColumnKind, "TEXT" | "INTEGER" | "REAL">> = {
  String: "TEXT",
  Integer: "INTEGER",
  Float: "REAL",
  DateTime: "TEXT",
  Date: "TEXT",
  JSON: "TEXT"
}

const names = keptColumns.map(({ name }) => name)
const columns = keptColumns.map(({ kind, name, nullable }) =>
  `${name} ${storedAs[kind]}${name === "attempt_id" ? " PRIMARY KEY" : ""}${nullable ? "" : " NOT NULL"}`
)
const shown = viewColumns.map(({ name, sameAs }) => sameAs === undefined ? name : `${sameAs} AS ${name}`)

/** What queries usually narrow by (design: boards 3.3). */
const indexed = [
  ["effective_datetime"],
  ["app_id", "effective_datetime"],
  ["campaign_id", "effective_datetime"],
  ["user_identifier", "effective_datetime"]
]

/** SQLite's statements that make an empty database of a workspace, in their order; each does nothing where it is done. */
export const createStatements: ReadonlyArray<string> = [
  `CREATE TABLE IF NOT EXISTS ${factsTable} (${columns.join(", ")}) STRICT`,
  ...indexed.map((by) => `CREATE INDEX IF NOT EXISTS trunkline_by_${by.join("_")} ON ${factsTable} (${by.join(", ")})`),
  `CREATE TABLE IF NOT EXISTS ${stateTable} (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    scope TEXT NOT NULL,
    version TEXT NOT NULL,
    watermark INTEGER NOT NULL
  ) STRICT`,
  `CREATE VIEW IF NOT EXISTS ${viewName} AS SELECT ${shown.join(", ")} FROM ${factsTable}`
]

/** How databases are made now: one that was made otherwise has to be made anew and filled from the log. */
export const schemaVersion = `1 ${createStatements.join("; ")}`

/** Writes a fact in place of its earlier image; binds `factRow`. */
export const upsertFact = `INSERT INTO ${factsTable} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})
  ON CONFLICT (attempt_id) DO UPDATE SET ${
  names.filter((name) => name !== "attempt_id").map((name) => `${name} = excluded.${name}`).join(", ")
}`

/** Removes a fact; binds its attempt_id. */
export const deleteFact = `DELETE FROM ${factsTable} WHERE attempt_id = ?`

/** Removes all facts. */
export const deleteFacts = `DELETE FROM ${factsTable}`

/** Gives `scope`, `version` and `watermark`; no row before anything was written. */
export const readState = `SELECT scope, version, watermark FROM ${stateTable}`

/** Keeps whose database it is (kernel's `scopeKey`), `schemaVersion`, and how far it has come; binds them in this order. */
export const writeState = `INSERT INTO ${stateTable} (id, scope, version, watermark) VALUES (1, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET scope = excluded.scope, version = excluded.version, watermark = excluded.watermark`

/** What `upsertFact` binds: a value for each kept column. */
export const factRow = (fact: Fact & FactNames): ReadonlyArray<Parameter> => keptColumns.map(({ of }) => of(fact))

const types = new Map(keptColumns.map((column) => [column.name, typeOf(column)]))

/**
 * The type of a result's column as the API spells it, given the table and column that it comes from unchanged, as
 * SQLite tells them; none for expressions.
 */
export const typeOfOrigin = (table: string | null, column: string | null): string | undefined =>
  table === factsTable && column !== null ? types.get(column) : undefined
