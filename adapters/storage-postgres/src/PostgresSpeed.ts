import type { Sql } from "@trunkline/storage-kysely"
import { Effect } from "effect"
import { DatabaseTimeShared, describeUrl } from "./PostgresErrors.js"

/** Lock of all processes of a database: one whose time is accelerated has it alone. */
const lock = "(7492, hashtext('speed'))"

/**
 * Fails when time is accelerated, in this process or in another one, while several use the database. The connection of
 * `sql` must be one that lasts as long as the process: it keeps the lock.
 */
export const holdSpeed = (
  { execute }: typeof Sql.Service,
  { speed, url }: { readonly speed: number; readonly url: string }
): Effect.Effect<void, DatabaseTimeShared> =>
  execute<{ readonly held: boolean }>(
    `select ${speed === 1 ? "pg_try_advisory_lock_shared" : "pg_try_advisory_lock"}${lock} as held`,
    []
  ).pipe(Effect.flatMap(({ rows: [row] }) =>
    row?.held === true ? Effect.void : new DatabaseTimeShared({ database: describeUrl(url), speed })
  ))
