import { postgresSql, schemaVersion, Sql } from "@trunkline/storage-kysely"
import { SqlPostgres } from "@trunkline/storage-postgres"
import { Cause, Effect, Exit } from "effect"
import { StartError } from "../server/Explain.js"
import type { CommandCall } from "./Call.js"
import { databaseUrl } from "./DataFolders.js"

/**
 * `trunkline migrate`: brings a PostgreSQL database to the version of this software, once, before servers of this version
 * start. Servers of the version before go on. A server does the same at its start, and that of a SQLite database only then.
 */
export const migrate = async (call: CommandCall): Promise<number> => {
  const url = databaseUrl(call)
  if (url === null) {
    throw new StartError(
      "migrate needs --database or TRUNKLINE_DATABASE: a database in a data folder is migrated when its server starts"
    )
  }
  // The connection migrates before it is used.
  const exit = await Effect.runPromiseExit(Effect.provide(
    Effect.flatMap(Sql, ({ query }) => query((db) => schemaVersion(db, postgresSql))),
    SqlPostgres.layerShared({ url, connections: 1, applicationName: "trunkline migrate" })
  ))
  if (Exit.isFailure(exit)) throw Cause.squash(exit.cause)
  call.print(`The database is at version ${exit.value}`)
  return 0
}
