import Database from "better-sqlite3"
import { statSync } from "node:fs"
import type { Owned, StoredChange, WriterSettings } from "../Messages.js"

/** The file says that it is another workspace's. */
export class Mismatch extends Error {}

/** The file is a database, but none of facts. */
export class Foreign extends Error {}

/** How long tidying up waits for those who read: others may have something to write meanwhile. */
const tidyMillis = 20

/** Pages that are kept in memory for each open file, in KiB. */
const cacheKibibytes = 4 * 1024

/** Rows of an index that ANALYZE looks at; with a limit it also keeps no values of rows (sqlite.org/lang_analyze). */
const analysisLimit = 1_000

/** How many changes make the first ANALYZE worth it; each further one takes twice as many. */
const firstAnalysis = 1_000

const quoted = (name: string): string => `"${name}"`

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
export class OpenFacts {
  readonly #database: Database.Database
  readonly #settings: WriterSettings
  readonly #owned: Owned
  readonly #identity: string
  #changed = 0
  #analyzeAt = firstAnalysis
  #erased = false

  /** Opens the file, makes what it lacks, and a new content in place of one of another version. */
  constructor(owned: Owned, settings: WriterSettings) {
    this.#owned = owned
    this.#settings = settings
    // Where another process has locked the file, the writer has others to write for meanwhile.
    this.#database = new Database(owned.file, { timeout: 0 })
    try {
      for (
        const pragma of ["journal_mode = WAL", "synchronous = NORMAL", "secure_delete = ON", "temp_store = memory"]
      ) {
        this.#database.pragma(pragma)
      }
      this.#database.pragma(`cache_size = -${cacheKibibytes}`)
      this.#database.pragma("journal_size_limit = 16777216")
      this.#database.pragma(`analysis_limit = ${analysisLimit}`)
      if (!this.#isOwn()) this.#database.transaction(() => this.#demandOwn()).immediate()
      this.#identity = identityOf(owned.file)
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  /** Whether its path still leads to it. */
  isCurrent(): boolean {
    return identityOf(this.#owned.file) === this.#identity
  }

  watermark(): number {
    return this.#read()?.watermark ?? 0
  }

  /** What is wrong with it, as far as one can see; null when nothing is. */
  fault(): string | null {
    const found = this.#database.pragma("quick_check(1)", { simple: true })
    return found === "ok" ? null : "SQLITE_CORRUPT"
  }

  /** Applies changes and where they lead to as one, if it stands where they begin; where it stands then. */
  apply(from: number, to: number, changes: ReadonlyArray<StoredChange>): number {
    return this.#database.transaction(() => {
      const at = this.watermark()
      if (at !== from) return at
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

  /** Forgets everything. */
  clear(): void {
    this.#database.transaction(() => this.#recreate()).immediate()
    this.#erased = true
    this.#changed = 0
  }

  /**
   * What is better done when nothing else is to do: overwrites what was erased in the log as well, and looks how values
   * are spread, so that queries find good ways. False as long as somebody reads what has to be overwritten.
   */
  tidy(): boolean {
    this.#database.pragma(`busy_timeout = ${tidyMillis}`)
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
    this.#database.prepare(this.#settings.writeState).run(this.#owned.scope, this.#settings.version, watermark)
  }

  #names(): ReadonlyArray<readonly [type: string, name: string]> {
    return this.#database.prepare<[], { readonly type: string; readonly name: string }>(
      "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    ).all().map(({ name, type }) => [type, name])
  }

  #isOwn(): boolean {
    const state = this.#names().length === 0 ? undefined : this.#readAny()
    return state?.scope === this.#owned.scope && state.version === this.#settings.version
  }

  #demandOwn(): void {
    if (this.#names().length === 0) return this.#recreate()
    const state = this.#readAny()
    if (state !== undefined && state.scope !== this.#owned.scope) throw new Mismatch()
    if (state?.version !== this.#settings.version) this.#recreate()
  }

  /** What a database of any kind says of itself, if it does. */
  #readAny(): State | undefined {
    try {
      return this.#read()
    } catch (error) {
      throw error instanceof Database.SqliteError && error.code === "SQLITE_ERROR" ? new Foreign() : error
    }
  }

  #recreate(): void {
    for (const [type, name] of this.#names()) this.#database.exec(`DROP ${type} ${quoted(name)}`)
    for (const text of this.#settings.create) this.#database.exec(text)
    this.#write(0)
  }
}
