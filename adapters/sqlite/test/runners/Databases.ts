import { type RunInput, type RunnerOptions, RunnerPool } from "@trunkline/sqlite"
import Database from "better-sqlite3"
import { Duration, Effect } from "effect"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A new folder, removed with the scope. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "trunkline-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

/** Makes a database in WAL mode that is not open: a table of numbers and names, and the view `people` of it. */
export const makeDatabase = (file: string, names: ReadonlyArray<string>) =>
  Effect.sync(() => {
    const database = new Database(file)
    database.pragma("journal_mode = WAL")
    database.exec("CREATE TABLE kept (number INTEGER PRIMARY KEY, name TEXT)")
    database.exec("CREATE VIEW people AS SELECT number, name, name AS called FROM kept")
    const insert = database.prepare("INSERT INTO kept (name) VALUES (?)")
    database.transaction(() => names.forEach((name) => insert.run(name)))()
    database.close()
  })

/** A database of these names, in a new folder. */
export const databaseOf = (...names: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const file = join(yield* temporaryFolder, "people.db")
    yield* makeDatabase(file, names)
    return file
  })

/**
 * A pool over a database of three names, and `run` for untrusted statements over it. Its timeouts suit a machine that runs
 * all tests at once.
 */
export const poolWith = (options: RunnerOptions = {}) =>
  Effect.gen(function*() {
    const temporary = yield* temporaryFolder
    const file = yield* databaseOf("Asha", "Ravi", "Zoë")
    const pool = yield* RunnerPool.make({
      size: 2,
      timeout: Duration.minutes(1),
      waitTimeout: Duration.minutes(1),
      niceness: 0,
      temporaryFolder: temporary,
      ...options
    })
    const statement = (text: string, change: Partial<RunInput> = {}): RunInput => ({
      file,
      text,
      parameters: [],
      mode: "untrusted",
      lane: "one",
      maxRows: 100,
      ...change
    })
    return {
      pool,
      file,
      /** Temporary folders of running children. */
      children: Effect.sync(() => readdirSync(temporary)),
      run: (text: string, change: Partial<RunInput> = {}) => pool.run(statement(text, change)),
      prepare: (text: string, change: Partial<RunInput> = {}) => pool.prepare(statement(text, change))
    }
  })

/** A statement that never ends by itself. */
export const endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT sum(x) FROM n"

/** Number of processes with a folder in their arguments, as children have theirs. */
export const processesWith = (folder: string) =>
  execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).split("\n").filter((line) => line.includes(folder)).length
