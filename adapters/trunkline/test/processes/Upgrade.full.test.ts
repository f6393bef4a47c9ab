import { assert, describe, it } from "@effect/vitest"
import { DatabaseTooNew, migrate, type Migration, postgresMigrations } from "@trunkline/storage-kysely"
import { SqlPostgres } from "@trunkline/storage-postgres"
import { Effect, Exit, Scope } from "effect"
import { join } from "node:path"
import { emptyDatabase, onPostgres } from "../../../../test/setup/Postgres.js"
import { Journal } from "./EngineProcesses.js"
import { createCampaign, ended, temporaryFolder } from "./SharedCampaign.js"
import { channels, sharedEngine } from "./SharedEngine.js"

/** Tables that a running campaign reads and writes. */
const busyTables = [
  "attempts",
  "call_events",
  "calls",
  "campaign_turns",
  "campaigns",
  "contacts",
  "dispatch",
  "facts",
  "outbox",
  "processes",
  "slot_leases"
]

/** A migration of a later version, which only adds. */
const addLater: Migration = async (db) => {
  for (const table of busyTables) {
    await db.schema.alterTable(table).addColumn("later", "text", (column) => column.notNull().defaultTo("")).execute()
  }
  await db.schema.createIndex("attempts_by_later").on("attempts").column("later").execute()
  await db.schema.createTable("later").addColumn("id", "bigint").execute()
}

/** Starts a later version as far as its migrations. */
const upgrade = (url: string) =>
  Effect.provide(migrate([...postgresMigrations, addLater]), SqlPostgres.layerShared({ url, connections: 1 }))

/** People in the campaign: enough for some seconds. */
const people = 80

onPostgres(() => {
  describe("engines of a version", () => {
    it.scopedLive("go on with a campaign on the database of the next one, but do not start on it", () =>
      Effect.gen(function*() {
        const database = yield* emptyDatabase
        const folder = yield* temporaryFolder
        const journal = new Journal()
        const lost: Array<number> = []
        const engineOf = (process: number) =>
          sharedEngine({
            database,
            data: join(folder, String(process)),
            // Longer than the migration may lock tables on a busy machine: nobody is to be taken over here.
            lease: "2 minutes",
            tell: (news) => journal.hear(process, news),
            onLost: () => Effect.sync(() => void lost.push(process))
          })
        const one = yield* engineOf(1)
        const other = yield* Effect.acquireRelease(Scope.make(), Scope.close)
        yield* Scope.extend(engineOf(2), other)
        const campaign = yield* createCampaign(one, people)
        yield* Effect.repeat(Effect.sleep("10 millis"), { until: () => journal.dials.length >= 10 })
        yield* upgrade(database)
        const dialled = journal.dials.length
        assert.isBelow(dialled, people)
        assert.deepInclude(yield* ended(one, campaign), { waiting: 0, calling: 0, finished: people })
        assert.lengthOf(journal.dials, people)
        assert.strictEqual(new Set(journal.dials.map(({ id }) => id)).size, people)
        assert.strictEqual(new Set(journal.dials.map(({ to }) => to)).size, people)
        assert.isAtMost(journal.most, channels)
        const after = journal.dials.slice(dialled).map(({ process }) => process)
        assert.sameMembers([...new Set(after)], [1, 2])
        assert.deepStrictEqual(lost, [])
        yield* Scope.close(other, Exit.void)
        const refusal = yield* Effect.flip(Effect.scoped(engineOf(2)))
        assert.instanceOf(refusal, DatabaseTooNew)
        assert.notInclude(refusal.message, "\n")
        assert.include(refusal.message, "update the software")
      }))
  })
})
