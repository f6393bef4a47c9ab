import Database from "better-sqlite3"

/** Whether a statement failed because another process holds the lock that it needs. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY")
