import { Data } from "effect"
import pg from "pg"

/** The server of the database does not answer. */
export class DatabaseUnreachable extends Data.TaggedError("DatabaseUnreachable")<{
  readonly database: string
  readonly reason: string
}> {
  override get message() {
    return `the database ${this.database} cannot be reached: ${this.reason}; check that it runs, and its host and port`
  }
}

/** Next steps by SQLSTATE, where those for a wrong user, password or name do not help. */
const nextSteps: Readonly<Record<string, string>> = {
  "53300": "give each process fewer connections, or raise max_connections of the server",
  "57P03": "try again when it has started"
}

/** The server refuses the connection: a wrong password, a database that does not exist, or too many connections. */
export class DatabaseRefused extends Data.TaggedError("DatabaseRefused")<{
  readonly database: string
  readonly reason: string
  /** SQLSTATE of the refusal. */
  readonly state: string
}> {
  override get message() {
    const next = nextSteps[this.state] ?? "check the user, the password and the name"
    return `the database ${this.database} refuses the connection: ${this.reason}; ${next}`
  }
}

/** The database cannot be written to: it is a standby, or its transactions are read-only. */
export class DatabaseReadOnly extends Data.TaggedError("DatabaseReadOnly")<{ readonly database: string }> {
  override get message() {
    return `the database ${this.database} is read-only: give the URL of the primary`
  }
}

/** A pooler in transaction mode stands before the database. Locks and prepared statements of a connection do not last there. */
export class DatabasePooled extends Data.TaggedError("DatabasePooled")<{ readonly database: string }> {
  override get message() {
    return `the database ${this.database} is behind a pooler in transaction mode: `
      + "give the URL of the server itself, or of a pooler in session mode"
  }
}

/** The clocks of this machine and of the database differ too much for them to agree on what is due, and who is alive. */
export class DatabaseClockOff extends Data.TaggedError("DatabaseClockOff")<{
  readonly database: string
  /** Milliseconds by which the clock of this machine is ahead; negative when it is behind. */
  readonly ahead: number
}> {
  override get message() {
    const seconds = (Math.abs(this.ahead) / 1000).toFixed(1)
    return `the clock of this machine is ${seconds} s ${this.ahead > 0 ? "ahead of" : "behind"} that of the database `
      + `${this.database}: set both by a time server (NTP)`
  }
}

/** Time is simulated faster than it is, in a database that several processes use: each would have a time of its own. */
export class DatabaseTimeShared extends Data.TaggedError("DatabaseTimeShared")<{
  readonly database: string
  /** Business seconds per real second of this process. */
  readonly speed: number
}> {
  override get message() {
    return this.speed === 1
      ? `the database ${this.database} is used by a process with accelerated time: stop it first`
      : `the database ${this.database} is used by another process, so that time cannot be accelerated: set speed to 1`
  }
}

/** The ways in which a database cannot be opened. */
export type OpenError = DatabaseClockOff | DatabasePooled | DatabaseReadOnly | DatabaseRefused | DatabaseUnreachable

/** The host and the name of a database, without the user and the password. */
export const describeUrl = (url: string): string => {
  if (!URL.canParse(url)) return "at the given URL"
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}

/** SQLSTATE of an error of the server; null for other errors. */
const stateOf = (error: unknown): string | null => error instanceof pg.DatabaseError ? error.code ?? null : null

/** Checks for an error after which the same transaction may succeed: not serializable, or a deadlock. */
export const isConflict = (error: unknown): boolean => ["40001", "40P01"].includes(stateOf(error) ?? "")

/** Checks for a prepared statement that cannot run any more, since newer software has added columns to its table. */
export const isStaleStatement = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === "0A000" && error.routine === "RevalidateCachedQuery"

/** Checks for a lock that was not released within the time for it. */
export const isLockTimeout = (error: unknown): boolean => stateOf(error) === "55P03"

/** Messages of the client for connections that have ended, or that it has given up. */
const lostMessages =
  /^(Connection terminated|Client (has encountered a connection error|was closed)|Query read timeout|timeout e)/

/**
 * Checks for a connection that has been lost or cannot be opened at the moment: a system error, a server that shuts down or
 * starts, or one that has too many connections.
 */
export const isConnectionLoss = (error: unknown): boolean => {
  const state = stateOf(error)
  if (state !== null) return state.startsWith("08") || ["53300", "57P01", "57P02", "57P03", "57P05"].includes(state)
  if (error instanceof AggregateError) return error.errors.some(isConnectionLoss)
  return error instanceof Error && ("syscall" in error || lostMessages.test(error.message))
}

/** The error of a connection that could not be opened. */
export const openErrorOf = (url: string, error: unknown): DatabaseRefused | DatabaseUnreachable => {
  const database = describeUrl(url)
  const reason = reasonOf(error)
  const state = stateOf(error)
  return state === null
    ? new DatabaseUnreachable({ database, reason })
    : new DatabaseRefused({ database, reason, state })
}

/** The message of an error; errors of several addresses of a host have none of their own. */
const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  return error instanceof Error && error.message !== "" ? error.message : String(error)
}
