import { assert, it, layer } from "@effect/vitest"
import { cohortLimits, CohortStore, CurrentCohortLimits, FileStore, Importer } from "@trunkline/cohorts"
import { CohortWorker, type CohortWorkerOptions } from "@trunkline/job-threads"
import { CohortId, macroTask, Transactions } from "@trunkline/kernel"
import { StorageSqlite } from "@trunkline/sqlite"
import { Cause, Context, Effect, Exit, Fiber, Layer, Stream } from "effect"
import { encodeSettings, importIn, startImportThread } from "../../src/imports/ImportThread.js"
import { importsEntry } from "../../src/Threads.js"
import {
  cohortsWith,
  csvOf,
  outcomeOf,
  type Place,
  rowsRead,
  scope,
  scopeOf,
  storesOf,
  temporaryPlace,
  upload
} from "./Harness.js"

const mostRows = 15_000
const file = csvOf(6_000)
const longFile = csvOf(mostRows)

/** Outcome of a file that is imported without a thread. */
const inPlace = (csv: string) =>
  Effect.gen(function*() {
    const stores = storesOf(yield* temporaryPlace)
    const cohorts = Layer.provideMerge(cohortsWith(Importer.layer), stores)
    return yield* Effect.provide(Effect.flatMap(upload(csv), (id) => outcomeOf(id)), cohorts)
  })

/** Place of the stores. */
class CurrentPlace extends Context.Tag("CurrentPlace")<CurrentPlace, Place>() {}

/** Stores, with threads that import into them. */
const threaded = Layer.unwrapScoped(
  Effect.map(temporaryPlace, (place) => {
    const limits = Layer.succeed(CurrentCohortLimits, { ...cohortLimits, rows: mostRows })
    const importer = Layer.provide(CohortWorker.layer({ place, threadFromBytes: 0, idle: "10 minutes" }), limits)
    return Layer.provideMerge(importer, Layer.merge(storesOf(place), Layer.succeed(CurrentPlace, place)))
  })
)

const cohorts = cohortsWith(Layer.effect(Importer, Importer))

layer(threaded, { excludeTestServices: true })("CohortWorker", (it) => {
  it.scoped("stores the same as an import in place", () =>
    Effect.gen(function*() {
      const expected = yield* inPlace(file)
      assert.strictEqual(expected.status, "completed")
      assert.isAbove(expected.contacts.length, 5_000)
      assert.isAbove(expected.result?.rejected_records ?? 0, 300)
      assert.deepStrictEqual(yield* Effect.flatMap(upload(file), (id) => outcomeOf(id)), expected)
    }).pipe(Effect.provide(cohorts)))

  it.scoped("reads the separator of a file, and writes the rejected rows with it", () =>
    Effect.gen(function*() {
      const semicolons = file.replaceAll(",", ";")
      const expected = yield* inPlace(semicolons)
      assert.isAbove(expected.contacts.length, 5_000)
      assert.match(expected.rejected ?? "", /;rejected_reason\n/)
      assert.deepStrictEqual(yield* Effect.flatMap(upload(semicolons), (id) => outcomeOf(id)), expected)
    }).pipe(Effect.provide(cohorts)))

  it.scoped(
    "imports two files at once while the main thread writes and its event loop keeps turning",
    () =>
      Effect.gen(function*() {
        const expected = yield* inPlace(file)
        const store = yield* CohortStore
        let writes = 0
        let turns = 0
        const write = Effect.map(store.unexpect(CohortId.make("coh-none")), () => void (writes += 1))
        const turn = Effect.zipRight(macroTask, Effect.suspend(() => turns++ % 50 === 0 ? write : Effect.void))
        const beside = yield* Effect.fork(Effect.forever(turn))
        const outcomes = yield* Effect.forEach(
          [scopeOf("one"), scopeOf("two")],
          (workspace) => Effect.flatMap(upload(file, workspace), (id) => outcomeOf(id, workspace)),
          { concurrency: 2 }
        )
        yield* Fiber.interrupt(beside)
        assert.deepStrictEqual(outcomes, [expected, expected])
        assert.isAbove(writes, 10)
        assert.isAbove(turns, 1_000)
      }).pipe(Effect.provide(cohorts))
  )

  it.scoped("resumes imports that were terminated or interrupted, with the same outcome", () =>
    Effect.gen(function*() {
      const expected = yield* inPlace(longFile)
      const transactions = yield* Transactions
      const importer = yield* Importer
      const id = yield* Effect.provide(
        upload(longFile),
        cohortsWith(Layer.succeed(Importer, { run: () => Effect.never }))
      )

      /** Stops an import once it has stored rows, and counts them. The open transaction keeps it from storing all. */
      const stopHalfWay = (
        run: typeof importer.run,
        stop: (fiber: Fiber.RuntimeFiber<unknown, unknown>) => Effect.Effect<unknown>
      ) =>
        Effect.gen(function*() {
          const before = yield* rowsRead(id)
          const fiber = yield* Effect.fork(run({ scope, cohort_id: id }))
          yield* Effect.repeat(Effect.zipLeft(rowsRead(id), macroTask), { until: (rows) => rows > before })
          const stopping = yield* transactions.run(Effect.fork(stop(fiber)))
          yield* Fiber.join(stopping)
          return yield* rowsRead(id)
        })

      const thread = startImportThread(importsEntry, {
        workerData: encodeSettings({ place: yield* CurrentPlace, fence: 1, limits: cohortLimits }),
        graceMillis: 0
      })
      const cutOff = yield* stopHalfWay((task) => Effect.flatten(importIn(thread, task)), () => thread.end)
      const interrupted = yield* stopHalfWay(importer.run, Fiber.interrupt)
      assert.isAbove(cutOff, 0)
      assert.isAbove(interrupted, cutOff)
      assert.isBelow(interrupted, mostRows)
      assert.deepStrictEqual(yield* Effect.provide(outcomeOf(id), cohorts), expected)
    }))

  it.scoped(
    "keeps to the given limits, and reports why a file cannot be imported",
    () =>
      Effect.gen(function*() {
        const outcome = yield* Effect.flatMap(upload(csvOf(mostRows + 1)), (id) => outcomeOf(id))
        assert.strictEqual(outcome.status, "failed")
        assert.strictEqual(outcome.failure_reason, `The file has more than ${mostRows} rows`)
        assert.deepStrictEqual(outcome.contacts, [])
      }).pipe(Effect.provide(cohorts))
  )
})

/** Cohorts in a new place, imported by threads whose memory is far too small. */
const starving = (options: Partial<CohortWorkerOptions>) =>
  Layer.unwrapScoped(
    Effect.map(
      temporaryPlace,
      (place) =>
        Layer.provideMerge(
          cohortsWith(CohortWorker.layer({ place, heapMegabytes: 4, ...options })),
          storesOf(place)
        )
    )
  )

it.scopedLive(
  "a thread that runs out of memory is a defect of its import, with its kind",
  () =>
    Effect.gen(function*() {
      const importer = yield* Importer
      yield* (yield* FileStore).write("coh-1/cohort", Stream.empty)
      const exit = yield* Effect.exit(importer.run({ scope, cohort_id: CohortId.make("coh-1") }))
      const defects = Exit.isFailure(exit) ? [...Cause.defects(exit.cause)].map(String) : []
      assert.deepStrictEqual(defects, ["Error ERR_WORKER_OUT_OF_MEMORY: An import crashed in its thread"])
    }).pipe(Effect.provide(starving({ threadFromBytes: 0 })))
)

it.scopedLive("imports a small file without a thread", () =>
  Effect.gen(function*() {
    const { status } = yield* Effect.flatMap(upload(csvOf(100)), (id) => outcomeOf(id))
    assert.strictEqual(status, "completed")
  }).pipe(Effect.provide(starving({}))))

it.scopedLive("rejects a database in memory", () =>
  Effect.gen(function*() {
    const importer = CohortWorker.layer({ place: { file: ":memory:", files: { folder: "files" } } })
    const stores = Layer.merge(StorageSqlite.layer({ file: ":memory:" }), FileStore.layerMemory)
    const error = yield* Effect.flip(Layer.build(Layer.provide(importer, stores)))
    assert.strictEqual(error._tag, "DatabaseNotShareable")
  }))
