import type { Sql } from "@trunkline/storage-kysely"
import { Effect } from "effect"
import { DatabaseTimeShared, describeUrl } from "./PostgresErrors.js"

/** Lock of all processes of a database: one whose time is accelerated has it alone. */
const lock = "(7492, hashtext('speed'))"

/** Takes the lock where it is free, for as long as the connection lasts. */
export const lockSpeed = (speed: number): string =>
  `select ${speed === 1 ? "pg_try_advisory_lock_shared" : "pg_try_advisory_lock"}${lock} as held`

/**
 * Fails when time is accelerated, in this process or in another one, while several use the database. The connection of
 * `sql` must be one that lasts as long as the process, since it keeps the
 * lock, and whose replacement runs `lockSpeed` first.
 */
export const holdSpeed = (
  { execute }: typeof Sql.Service,
  { speed, url }: { readonly speed: number; readonly url: string }
): Effect.Effect<void, DatabaseTimeShared> =>
  execute<{ readonly held: boolean }>(lockSpeed(speed), []).pipe(
    Effect.flatMap(({ rows: [row] }) =>
      row?.held === true ? Effect.void : new DatabaseTimeShared({ database: describeUrl(url), speed })
    )
  )
