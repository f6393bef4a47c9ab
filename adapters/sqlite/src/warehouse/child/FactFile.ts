import Database from "better-sqlite3"
import { statSync } from "node:fs"
import type { StoredChange, WorkspaceFile, WriterSettings } from "../Messages.js"

/** The file belongs to another workspace. */
export class WorkspaceMismatch extends Error {}

/** The file is a database, but not one of facts. */
export class ForeignFile extends Error {}

/** Time that maintenance waits for readers, in milliseconds. It is short, as other writes may wait meanwhile. */
const maintenanceWaitMillis = 20

/** Size of the page cache of each open file, in KiB. */
const cacheKibibytes = 4 * 1024

/** Rows of an index that ANALYZE reads. With a limit it also stores no values of rows (https://sqlite.org/lang_analyze.html). */
const maxAnalysisRows = 1_000

/** Number of changes before the first ANALYZE; each later one takes twice as many. */
const firstAnalysis = 1_000

const quote = (name: string): string => `"${name}"`

const identityOf = (file: string): string => {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? "none" : `${stats.dev}:${stats.ino}`
}

interface State {
  readonly scope: string
  readonly version: string
  readonly watermark: number
}

const isState = (row: unknown): row is State =>
  typeof row === "object" && row !== null && "scope" in row && "version" in row && "watermark" in row

/** The facts of one workspace, open for writing. */
export class FactFile {
  readonly #database: Database.Database
  readonly #settings: WriterSettings
  readonly #workspace: WorkspaceFile
  readonly #identity: string
  #changed = 0
  #analyzeAt = firstAnalysis
  #erased = false

  /** Opens the file, creates it if needed, and replaces the contents of another version. */
  constructor(workspace: WorkspaceFile, settings: WriterSettings) {
    this.#workspace = workspace
    this.#settings = settings
    // No timeout: when another process has locked the file, the writer has other files to write meanwhile.
    this.#database = new Database(workspace.file, { timeout: 0 })
    try {
      for (
        const pragma of ["journal_mode = WAL", "synchronous = NORMAL", "secure_delete = ON", "temp_store = memory"]
      ) {
        this.#database.pragma(pragma)
      }
      this.#database.pragma(`cache_size = -${cacheKibibytes}`)
      this.#database.pragma("journal_size_limit = 16777216")
      this.#database.pragma(`analysis_limit = ${maxAnalysisRows}`)
      if (!this.#belongsHere()) this.#database.transaction(() => this.#claim()).immediate()
      this.#identity = identityOf(workspace.file)
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  /** True while its path still leads to this file. */
  isCurrent(): boolean {
    return identityOf(this.#workspace.file) === this.#identity
  }

  watermark(): number {
    return this.#read()?.watermark ?? 0
  }

  /** Code of damage that a quick check finds; null when it finds none. */
  fault(): string | null {
    const check = this.#database.pragma("quick_check(1)", { simple: true })
    return check === "ok" ? null : "SQLITE_CORRUPT"
  }

  /** Applies changes in one transaction, if the file is at the position `from`. Returns its position afterwards. */
  apply(from: number, to: number, changes: ReadonlyArray<StoredChange>): number {
    return this.#database.transaction(() => {
      const position = this.watermark()
      if (position !== from) return position
      const upsert = this.#database.prepare(this.#settings.upsert)
      const remove = this.#database.prepare(this.#settings.remove)
      for (const { attempt_id, row } of changes) {
        if (row !== null) upsert.run(...row)
        else if (remove.run(attempt_id).changes > 0) this.#erased = true
      }
      this.#write(to)
      this.#changed += changes.length
      return to
    }).immediate()
  }

  /** Deletes all facts. */
  clear(): void {
    this.#database.transaction(() => this.#recreate()).immediate()
    this.#erased = true
    this.#changed = 0
  }

  /**
   * Does work for idle times: overwrites erased facts in the write-ahead log too, and updates the statistics of the query
   * planner. False while a reader keeps the log from being overwritten.
   */
  maintain(): boolean {
    this.#database.pragma(`busy_timeout = ${maintenanceWaitMillis}`)
    if (this.#changed >= this.#analyzeAt) {
      this.#database.exec("ANALYZE")
      this.#analyzeAt = this.#changed * 2
    }
    if (this.#erased) this.#erased = this.#database.pragma("wal_checkpoint(TRUNCATE)", { simple: true }) !== 0
    this.#database.pragma("busy_timeout = 0")
    return !this.#erased
  }

  close(): void {
    this.#database.close()
  }

  #read(): State | undefined {
    const row = this.#database.prepare(this.#settings.readState).get()
    return isState(row) ? row : undefined
  }

  #write(watermark: number): void {
    this.#database.prepare(this.#settings.writeState).run(this.#workspace.scope, this.#settings.version, watermark)
  }

  #names(): ReadonlyArray<readonly [type: string, name: string]> {
    return this.#database.prepare<[], { readonly type: string; readonly name: string }>(
      "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    ).all().map(({ name, type }) => [type, name])
  }

  #belongsHere(): boolean {
    const state = this.#names().length === 0 ? undefined : this.#readAny()
    return state?.scope === this.#workspace.scope && state.version === this.#settings.version
  }

  #claim(): void {
    if (this.#names().length === 0) return this.#recreate()
    const state = this.#readAny()
    if (state !== undefined && state.scope !== this.#workspace.scope) throw new WorkspaceMismatch()
    if (state?.version !== this.#settings.version) this.#recreate()
  }

  /** State of a database of any kind, if it has one. */
  #readAny(): State | undefined {
    try {
      return this.#read()
    } catch (error) {
      throw error instanceof Database.SqliteError && error.code === "SQLITE_ERROR" ? new ForeignFile() : error
    }
  }

  #recreate(): void {
    for (const [type, name] of this.#names()) this.#database.exec(`DROP ${type} ${quote(name)}`)
    for (const text of this.#settings.create) this.#database.exec(text)
    this.#write(0)
  }
}
