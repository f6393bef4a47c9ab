import { Data } from "effect"
import pg from "pg"

/** The server of the database does not answer. */
export class DatabaseUnreachable extends Data.TaggedError("DatabaseUnreachable")<{
  readonly database: string
  readonly reason: string
}> {
  override get message() {
    return `the database ${this.database} cannot be reached: ${this.reason}`
  }
}

/** The server refuses the connection: a wrong password, a database that does not exist, or too many connections. */
export class DatabaseRefused extends Data.TaggedError("DatabaseRefused")<{
  readonly database: string
  readonly reason: string
}> {
  override get message() {
    return `the database ${this.database} refuses the connection: ${this.reason}`
  }
}

/** The database cannot be written to: it is a standby, or its transactions are read-only. */
export class DatabaseReadOnly extends Data.TaggedError("DatabaseReadOnly")<{ readonly database: string }> {
  override get message() {
    return `the database ${this.database} is read-only: give the URL of the primary`
  }
}

/** The ways in which a database cannot be opened. */
export type OpenError = DatabaseReadOnly | DatabaseRefused | DatabaseUnreachable

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

/** Checks for a lock that was not released within the time for it. */
export const isLockTimeout = (error: unknown): boolean => stateOf(error) === "55P03"

/** The error of a connection that could not be opened. */
export const openErrorOf = (url: string, error: unknown): DatabaseRefused | DatabaseUnreachable => {
  const database = describeUrl(url)
  const reason = reasonOf(error)
  return stateOf(error) === null
    ? new DatabaseUnreachable({ database, reason })
    : new DatabaseRefused({ database, reason })
}

/** The message of an error; errors of several addresses of a host have none of their own. */
const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  return error instanceof Error && error.message !== "" ? error.message : String(error)
}
