import Database from "better-sqlite3"
import { Data } from "effect"

/** The native module of SQLite is missing, or was made for another version of Node.js. */
export class SqliteNotBuilt extends Data.TaggedError("SqliteNotBuilt")<{
  /** The error of loading it. */
  readonly cause: Error
}> {
  override get message() {
    const { arch, platform, version, versions } = process
    if (versions["bun"] !== undefined) {
      return "Bun cannot load better-sqlite3, in which the data is kept. Run this program with Node.js 20.11 or later: " +
        "packages that Bun has installed are fine"
    }
    return `better-sqlite3 has no native module for Node.js ${version} on ${platform}-${arch}: its install script did not ` +
      "run, or ran for another version. Build it with `npm rebuild better-sqlite3`; " +
      "pnpm: `pnpm approve-builds`, then `pnpm rebuild better-sqlite3`; bun: `bun pm trust better-sqlite3`"
  }
}

/** The error of opening a database, in words that tell what to do where the native module cannot be loaded. */
export const connectError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error
  const isMissing = error.message.startsWith("Could not locate the bindings file")
  return isMissing || Reflect.get(error, "code") === "ERR_DLOPEN_FAILED" ? new SqliteNotBuilt({ cause: error }) : error
}

/** Opens the database in a file. Throws `SqliteNotBuilt` when the native module cannot be loaded. */
export const connect = (file: string, options: Database.Options): Database.Database => {
  try {
    return new Database(file, options)
  } catch (error) {
    throw connectError(error)
  }
}
