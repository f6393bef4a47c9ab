import { assert, describe, it } from "@effect/vitest"
import { type CohortStore, type FileStore, Importer } from "@trunkline/cohorts"
import { FilesDisk } from "@trunkline/files-disk"
import { FilesS3 } from "@trunkline/files-s3"
import { CohortWorker, type ImportPlace } from "@trunkline/job-threads"
import type { Transactions } from "@trunkline/kernel"
import { StorageSqlite } from "@trunkline/sqlite"
import { StoragePostgres } from "@trunkline/storage-postgres"
import { Effect, Layer } from "effect"
import { afterAll, vi } from "vitest"
import { emptyDatabase, onPostgres } from "../../../../test/setup/Postgres.js"
import { testEnvironment, testS3 } from "../../../../test/setup/S3.js"
import { cohortsWith, csvOf, outcomeOf, storesOf, temporaryPlace, upload } from "./Harness.js"

for (const [name, value] of Object.entries(testEnvironment)) vi.stubEnv(name, value)
afterAll(() => vi.unstubAllEnvs())

const csv = csvOf(3_000)

type Needed = CohortStore | FileStore | Transactions

const outcomeWith = <E1, E2>(
  importer: Layer.Layer<Importer, E1, Needed>,
  stores: Layer.Layer<Needed, E2>
) =>
  Effect.flatMap(upload(csv), (id) => outcomeOf(id)).pipe(
    Effect.provide(Layer.provideMerge(cohortsWith(importer), stores))
  )

const expectedOutcome = Effect.flatMap(temporaryPlace, (place) => outcomeWith(Importer.layer, storesOf(place)))

const threaded = (place: ImportPlace) => CohortWorker.layer({ place, threadFromBytes: 0 })

describe("a thread", () => {
  it.scopedLive("imports from S3 into SQLite", () =>
    Effect.gen(function*() {
      const { file } = yield* temporaryPlace
      const { url: s3 } = yield* testS3
      const stores = Layer.merge(StorageSqlite.layer({ file }), FilesS3.layer({ url: s3 }))
      const outcome = yield* outcomeWith(threaded({ file, files: { s3 } }), stores)
      assert.deepStrictEqual(outcome, yield* expectedOutcome)
    }))

  onPostgres(() => {
    it.scopedLive("imports from PostgreSQL, from S3 and from a folder into PostgreSQL", () =>
      Effect.gen(function*() {
        const expected = yield* expectedOutcome
        const { files: folder } = yield* temporaryPlace
        const { url: s3 } = yield* testS3
        const places = [
          { files: "database", layer: Layer.empty },
          { files: { s3 }, layer: FilesS3.layer({ url: s3 }) },
          { files: folder, layer: FilesDisk.layer(folder.folder) }
        ] as const
        for (const { files, layer } of places) {
          const url = yield* emptyDatabase
          const stores = Layer.provideMerge(layer, StoragePostgres.layer({ url }))
          assert.deepStrictEqual(yield* outcomeWith(threaded({ url, files }), stores), expected)
        }
      }))
  })
})
