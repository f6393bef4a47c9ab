import Database from "better-sqlite3"
import { statSync } from "node:fs"
import type { Expected, FaultKind, RunMode, RunnerFault, RunStatement } from "../Messages.js"

/** A statement that is rejected without being run. */
export class Rejection extends Error implements RunnerFault {
  readonly kind: FaultKind
  constructor(kind: FaultKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/** Maximum length of a message, which may repeat a very long token of the statement. */
const maxMessageLength = 300

const truncate = (message: string): string =>
  message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message

/** Faults by code of SQLite, but for plain errors, in the order in which they are tried. */
const byCode: ReadonlyArray<readonly [codes: RegExp, kind: FaultKind, message: string]> = [
  [/^SQLITE_(NOTADB|CORRUPT|FORMAT)/, "Damaged", "the file is not a database"],
  [/^SQLITE_IOERR_(SHORT_READ|CORRUPTFS|DATA)/, "Damaged", "the file cannot be read"],
  [/^SQLITE_(BUSY|LOCKED|PROTOCOL)/, "Busy", "the file is locked"],
  [/^SQLITE_(TOOBIG|NOMEM|FULL|IOERR)/, "ResourceExceeded", "the statement needs too much memory or disk"],
  [/^SQLITE_READONLY$/, "NotReadOnly", "the statement writes"],
  [/^SQLITE_(CANTOPEN|READONLY|PERM)/, "Missing", "the file cannot be opened"]
]

/** Faults by message of SQLite, for names that do not exist. */
const byText: ReadonlyArray<readonly [RegExp, FaultKind]> = [
  [/^no such (table|view|module|database)/, "UnknownTable"],
  [/^unknown database/, "UnknownTable"],
  [/^no such (function|window function|table-valued function)/, "UnknownFunction"],
  [/^not authorized to use function/, "UnknownFunction"],
  [/^unsafe use of/, "UnknownFunction"]
]

/** Faults by message of better-sqlite3 itself, whose errors have no code. */
const byBinding: ReadonlyArray<readonly [RegExp, FaultKind, string]> = [
  [/more than one statement/, "MultipleStatements", "there is more than one statement"],
  [/no statements/, "Rejected", "there is no statement"],
  [/parameter/i, "Rejected", "placeholders and values do not match"]
]

/** Phase of an error: before the statement runs, messages only quote the statement; later ones may quote rows. */
export type Phase = "prepare" | "run"

const withoutValues = (message: string): string => message.split(/[:"'`]/, 1).join().trim()

/** Fault of a code. A file that cannot be opened while a statement runs is a temporary one. */
const faultOfCode = ([, kind, message]: typeof byCode[number], phase: Phase): RunnerFault =>
  kind === "Missing" && phase === "run" ? { kind: "ResourceExceeded", message: "no temporary file" } : { kind, message }

/** Fault of an error that SQLite or its binding threw; undefined for any other error. */
export const faultOf = (error: unknown, phase: Phase): RunnerFault | undefined => {
  if (error instanceof Rejection) return { kind: error.kind, message: error.message }
  if (error instanceof Database.SqliteError) {
    const entry = byCode.find(([codes]) => codes.test(error.code))
    if (entry !== undefined) return faultOfCode(entry, phase)
    const kind = byText.find(([text]) => text.test(error.message))?.[1] ?? "Rejected"
    return { kind, message: truncate(phase === "run" ? withoutValues(error.message) : error.message) }
  }
  if (!(error instanceof TypeError || error instanceof RangeError)) return undefined
  const { message } = error
  const bindingEntry = byBinding.find(([text]) => text.test(message))
  return bindingEntry === undefined ? undefined : { kind: bindingEntry[1], message: bindingEntry[2] }
}

/** Size of the page cache, in KiB. */
const cacheKibibytes = 32 * 1024

/** Time that a read waits for a writer that recovers or resets its log, in milliseconds. */
const busyTimeoutMillis = 2_000

interface Opened {
  readonly file: string
  readonly mode: RunMode
  /** Device and inode of the file, whatever has its path now. */
  readonly identity: string
  readonly database: Database.Database
}

const identityOf = (file: string): string => {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  if (stats === undefined || !stats.isFile()) throw new Rejection("Missing", "there is no such file")
  return `${stats.dev}:${stats.ino}`
}

/** `lower` for all letters; that of SQLite knows ASCII only. */
const lower = (value: unknown) => typeof value === "string" ? value.toLowerCase() : value

const open = (file: string, mode: RunMode): Database.Database => {
  const database = new Database(file, { readonly: true, fileMustExist: true, timeout: busyTimeoutMillis })
  database.pragma("query_only = 1")
  database.pragma("trusted_schema = 0")
  database.pragma("temp_store = file")
  database.pragma(`cache_size = -${cacheKibibytes}`)
  return mode === "trusted" ? database.function("lower", { deterministic: true }, lower) : database
}

const verify = (database: Database.Database, { text, value }: Expected): void => {
  const actual = (() => {
    try {
      return database.prepare(text).pluck().get()
    } catch (error) {
      const fault = faultOf(error, "prepare")
      throw fault?.kind === "UnknownTable" || fault?.kind === "Rejected"
        ? new Rejection("Damaged", "the file is not of this kind")
        : error
    }
  })()
  if (actual === undefined) throw new Rejection("Damaged", "the file does not have the expected value")
  if (actual !== value) throw new Rejection("Mismatch", "the file has another value than expected")
}

/** Keeps the last file open, so that its pages stay cached for the next statement. */
export class OpenFile {
  #opened: Opened | undefined

  /** Opens the database of a statement: the file that has the path now, once its expected value is verified. */
  of({ expected, file, mode }: RunStatement): Database.Database {
    const identity = identityOf(file)
    const current = this.#opened
    const fits = current?.file === file && current.mode === mode && current.identity === identity
    const { database } = fits ? current : this.#open({ file, mode, identity })
    if (expected !== undefined) verify(database, expected)
    return database
  }

  /** Closes the file, such as after an error that may come from how it was opened. */
  close(): void {
    this.#opened?.database.close()
    this.#opened = undefined
  }

  #open(which: Omit<Opened, "database">): Opened {
    this.close()
    return this.#opened = { ...which, database: open(which.file, which.mode) }
  }
}
