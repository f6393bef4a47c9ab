import { Data, Effect } from "effect"
import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"
import { lockName } from "../sql/NamedLock.js"
import { sqlText } from "../sql/Rows.js"
import { Sql } from "../sql/Sql.js"
import { type SqlDialect, sqliteSql } from "../sql/SqlDialect.js"
import { addAfterCalls } from "./AddAfterCalls.js"
import { addCallJournal } from "./AddCallJournal.js"
import { addCallSafety, addOwnership } from "./AddCallSafety.js"
import { addCampaignSpending } from "./AddCampaignSpending.js"
import { addCanaryCounts } from "./AddCanaryCounts.js"
import { addDispatchQueue } from "./AddDispatchQueue.js"
import { addBoards, addFacts, addStopFiles } from "./AddFacts.js"
import { addKnowledge } from "./AddKnowledge.js"
import { addLimitsAndCredits } from "./AddLimitsAndCredits.js"
import { addModelInputs } from "./AddModelInputs.js"
import { addNamedCounters } from "./AddNamedCounters.js"
import { addNotifications, addVoices } from "./AddNotifications.js"
import { addSettings } from "./AddSettings.js"
import { addWebhookEndpoints } from "./AddWebhookEndpoints.js"
import { addWorkspaceAgents } from "./AddWorkspaceAgents.js"
import { createTables } from "./CreateTables.js"
import { numberCohorts } from "./NumberCohorts.js"
import { addFiles } from "./postgres/AddFiles.js"
import { addSettledCounts } from "./postgres/AddSettledCounts.js"
import { createPostgresTables } from "./postgres/CreatePostgresTables.js"
import { shareAmongProcesses } from "./postgres/ShareAmongProcesses.js"
import type { Migration } from "./tables/Statements.js"

/** The migrations of SQLite from an empty database to the newest version, in order. A database's version is the number applied. */
export const migrations: ReadonlyArray<Migration> = [
  createTables,
  addLimitsAndCredits,
  numberCohorts,
  addStopFiles,
  addFacts,
  addBoards,
  addNotifications,
  addVoices,
  addOwnership,
  addCallSafety,
  addDispatchQueue,
  addWebhookEndpoints,
  addNamedCounters,
  addSettings,
  addCallJournal.sqlite,
  addModelInputs.sqlite,
  addKnowledge.sqlite,
  addAfterCalls.sqlite,
  addCampaignSpending.sqlite,
  addCanaryCounts.sqlite,
  addWorkspaceAgents.sqlite
]

/** The migrations of PostgreSQL, which begin with the tables that those of SQLite have led to. */
export const postgresMigrations: ReadonlyArray<Migration> = [
  createPostgresTables,
  shareAmongProcesses,
  addFiles,
  addSettings,
  addSettledCounts,
  addCallJournal.postgres,
  addModelInputs.postgres,
  addKnowledge.postgres,
  addAfterCalls.postgres,
  addCampaignSpending.postgres,
  addCanaryCounts.postgres,
  addWorkspaceAgents.postgres
]

/** The migrations of a database. */
export const migrationsOf = ({ kind }: SqlDialect): ReadonlyArray<Migration> =>
  kind === "postgres" ? postgresMigrations : migrations

/** The database was written by a newer version of this software, so this one could only damage it. */
export class DatabaseTooNew extends Data.TaggedError("DatabaseTooNew")<{
  readonly storedVersion: number
  readonly ownVersion: number
}> {
  override get message() {
    return `The database has version ${this.storedVersion}, but this software knows versions up to ${this.ownVersion} only: `
      + "update the software, or use another database"
  }
}

/** The number of migrations that a database has had. */
export const schemaVersion = async (
  db: Kysely<Database>,
  { tableExists }: SqlDialect = sqliteSql
): Promise<number> => {
  const { rows: [table] } = await sqlText(tableExists, "schema_version").execute(db)
  if (table === undefined) return 0
  const { rows: [row] } = await sql<{ version: number }>`
    select coalesce(max(version), 0) as version from schema_version
  `.execute(db)
  return row?.version ?? 0
}

/** Name of the lock under which migrations run. */
const migrationLock = "migrations"

/**
 * Applies the outstanding migrations, each in a transaction; those of an empty database are one, which has nothing to lose and
 * waits for the disk once. Fails with `DatabaseTooNew` before changing anything.
 */
export const migrate = (
  list?: ReadonlyArray<Migration>
): Effect.Effect<void, DatabaseTooNew, Sql> =>
  Effect.gen(function*() {
    const { dialect, query, transaction } = yield* Sql
    const steps = list ?? migrationsOf(dialect)
    const version = yield* transaction(query(async (db) => {
      await lockName(db, dialect, migrationLock)
      await sql`create table if not exists schema_version (version integer primary key)`.execute(db)
      return schemaVersion(db, dialect)
    }))
    if (version > steps.length) return yield* new DatabaseTooNew({ storedVersion: version, ownVersion: steps.length })
    const apply = (batch: ReadonlyArray<Migration>, first: number) =>
      transaction(query(async (db) => {
        await lockName(db, dialect, migrationLock)
        // Another process may have been faster.
        const current = await schemaVersion(db, dialect)
        for (const [index, step] of batch.entries()) {
          if (first + index < current) continue
          await step(db)
          await sql`insert into schema_version (version) values (${first + index + 1})`.execute(db)
        }
      }))
    if (version === 0) return yield* apply(steps, 0)
    for (const [index, step] of steps.entries()) {
      if (index >= version) yield* apply([step], index)
    }
  })
