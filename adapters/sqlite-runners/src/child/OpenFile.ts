import Database from "better-sqlite3"
import { statSync } from "node:fs"
import type { Expected, RunMode, RunStatement } from "../Messages.js"
import { faultOf, Refused } from "./Faults.js"

/** Pages that are kept in memory, in KiB (design: boards 3.2). */
const cacheKibibytes = 32 * 1024

/** How long a read waits for a writer that recovers or resets its log, in milliseconds. */
const busyMillis = 2_000

interface Opened {
  readonly file: string
  readonly mode: RunMode
  /** Which file it was, whatever else has that path since. */
  readonly identity: string
  readonly database: Database.Database
}

const identityOf = (file: string): string => {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  if (stats === undefined || !stats.isFile()) throw new Refused("Missing", "there is no such file")
  return `${stats.dev}:${stats.ino}`
}

/** SQLite's own knows the letters of ASCII only. */
const lower = (value: unknown) => typeof value === "string" ? value.toLowerCase() : value

const open = (file: string, mode: RunMode): Database.Database => {
  const database = new Database(file, { readonly: true, fileMustExist: true, timeout: busyMillis })
  database.pragma("query_only = 1")
  database.pragma("trusted_schema = 0")
  database.pragma("temp_store = file")
  database.pragma(`cache_size = -${cacheKibibytes}`)
  return mode === "trusted" ? database.function("lower", { deterministic: true }, lower) : database
}

const verify = (database: Database.Database, { text, value }: Expected): void => {
  const found = (() => {
    try {
      return database.prepare(text).pluck().get()
    } catch (error) {
      const fault = faultOf(error, "prepare")
      throw fault?.kind === "UnknownTable" || fault?.kind === "Rejected"
        ? new Refused("Damaged", "the file is not of this kind")
        : error
    }
  })()
  if (found === undefined) throw new Refused("Damaged", "the file does not say whose it is")
  if (found !== value) throw new Refused("Mismatch", "the file is another one's")
}

/** Keeps the last file open, so that statements over the same one find it warm. */
export class OpenFile {
  #opened: Opened | undefined

  /** The database that a statement reads: the file that has the path now, and that is the expected one. */
  of({ expected, file, mode }: RunStatement): Database.Database {
    const identity = identityOf(file)
    const kept = this.#opened
    const fits = kept?.file === file && kept.mode === mode && kept.identity === identity
    const { database } = fits ? kept : this.#open({ file, mode, identity })
    if (expected !== undefined) verify(database, expected)
    return database
  }

  /** Closes the file, as after an error that may have come from how it was opened. */
  close(): void {
    this.#opened?.database.close()
    this.#opened = undefined
  }

  #open(which: Omit<Opened, "database">): Opened {
    this.close()
    return this.#opened = { ...which, database: open(which.file, which.mode) }
  }
}
