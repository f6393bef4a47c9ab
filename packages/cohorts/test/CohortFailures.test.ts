import { assert, describe, it } from "@effect/vitest"
import { type Cohort, Cohorts, CohortStore, Importer, uploadForm } from "@trunkline/cohorts"
import { BodyTooLarge, NotFound } from "@trunkline/errors"
import { PhoneNumber } from "@trunkline/kernel"
import { Deferred, Effect, Fiber, Layer, Logger, LogLevel, Stream, TestClock } from "effect"
import {
  bytesOf,
  campaign,
  download,
  failure,
  finished,
  keptFiles,
  live,
  nothingKept,
  scope,
  send,
  service,
  stores,
  tell,
  upload,
  usersOf,
  values
} from "./CohortsHarness.js"

/** An importer that runs an effect before each import. */
const paused = (before: Effect.Effect<unknown>) =>
  Layer.effect(
    Importer,
    Effect.map(Importer, ({ run }) => Importer.of({ run: (task) => Effect.zipRight(before, run(task)) }))
  ).pipe(Layer.provide(Importer.layer))

describe("Cohorts.upload, with errors", () => {
  const failed = (cohort: Cohort, reason: RegExp) =>
    Effect.gen(function*() {
      assert.strictEqual(cohort.status, "failed")
      assert.isNull(cohort.result)
      assert.match(cohort.failure_reason ?? "", reason)
      assert.deepStrictEqual(yield* usersOf(campaign), [])
      assert.deepStrictEqual(yield* (yield* Cohorts).get(scope, campaign, cohort.cohort_id), cohort)
    })

  const rows = (count: number) =>
    ["name,mobile\n", ...Array.from({ length: count }, (_, index) => `Name ${index},${9800000000 + index}\n`)].join("")

  it.effect("fails the cohort for a file that is malformed after its header, and quotes nothing of the file", () =>
    Effect.gen(function*() {
      const cohort = yield* upload(`${rows(2000)}"9876543210"x,1\n`)
      yield* failed(cohort, /quote/)
      assert.notInclude(cohort.failure_reason ?? "", "98765")
      assert.deepStrictEqual(yield* keptFiles, ["cohort", "cohort_transformation"])
      const missing = yield* failure(download(campaign, cohort.cohort_id, "rejected_records"))
      assert.match(missing, /^NotFound/)
    }).pipe(Effect.provide(live())))

  it.effect("fails the cohort for bytes that are not UTF-8", () =>
    Effect.gen(function*() {
      const csv = Uint8Array.of(...bytesOf("name,mobile\nAsh"), 0xe9, ...bytesOf(",9876543210\n"))
      yield* failed(yield* upload(csv), /UTF-8/)
    }).pipe(Effect.provide(live())))

  it.effect("fails the cohort for too many rows, and accepts exactly as many as allowed", () =>
    Effect.gen(function*() {
      yield* failed(yield* upload(rows(2001)), /more than 2000 rows/)
      assert.strictEqual((yield* upload(rows(2000))).result?.valid_records, 2000)
    }).pipe(Effect.provide(live({ limits: { rows: 2000 } }))))

  it.effect("rejects too large a file while it arrives, and stores nothing", () =>
    Effect.gen(function*() {
      const endless = uploadForm({ ...values(""), file: Stream.repeatValue(bytesOf("name,mobile\n")) })
      const error = yield* failure(send(endless))
      assert.strictEqual(error, tell(new BodyTooLarge({ limitBytes: 1000 })))
      yield* nothingKept
    }).pipe(Effect.provide(live({ limits: { bytes: 1000 } }))))

  it.effect("accepts a file of exactly the allowed size", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* upload("name,mobile\nA,9876543210\n")).status, "completed")
    }).pipe(Effect.provide(live({ limits: { bytes: 25 } }))))

  it.effect("passes on a failure of the file's stream, and stores nothing", () =>
    Effect.gen(function*() {
      const file = Stream.concat(Stream.make(bytesOf("name,mobile\n")), Stream.fail("cut"))
      assert.strictEqual(yield* Effect.flip(send(uploadForm({ ...values(""), file }))), "cut")
      yield* nothingKept
    }).pipe(Effect.provide(live())))

  it.effect("fails the cohort when the store fails", () =>
    Effect.gen(function*() {
      yield* failed(yield* upload(rows(3)), /could not be stored/)
    }).pipe(
      Effect.provide(live({ store: { keep: () => Effect.die(new Error("disk full")) } })),
      Logger.withMinimumLogLevel(LogLevel.None)
    ))

  it.effect("resumes the import once when the store fails", () => {
    let calls = 0
    const breaksOnce = service({
      store: (inner) => ({
        keep: (...batch) => ++calls === 3 ? Effect.die(new Error("disk full")) : inner.keep(...batch)
      })
    })
    return Effect.gen(function*() {
      const { result } = yield* upload(rows(5000))
      assert.strictEqual(result?.valid_records, 5000)
      assert.strictEqual(calls, 6)
      assert.lengthOf(yield* usersOf(campaign), 5000)
    }).pipe(Effect.provide(Layer.provideMerge(breaksOnce, stores())))
  })

  it.effect("fails the cohort after the processing timeout", () =>
    Effect.gen(function*() {
      const startSignal = yield* Deferred.make<void>()
      const keep = () => Effect.zipRight(Deferred.succeed(startSignal, undefined), Effect.never)
      yield* Effect.gen(function*() {
        const accepted = yield* send(uploadForm(values(rows(3))))
        yield* Deferred.await(startSignal)
        yield* TestClock.adjust("10 minutes")
        yield* failed(yield* finished(accepted), /too long/)
      }).pipe(Effect.provide(live({ store: { keep } })))
    }))

  it.effect("stores nothing of an upload that is interrupted", () =>
    Effect.gen(function*() {
      const startSignal = yield* Deferred.make<void>()
      const file = Stream.concat(
        Stream.make(bytesOf("name,mobile\n")),
        Stream.execute(Effect.zipRight(Deferred.succeed(startSignal, undefined), Effect.never))
      )
      const uploading = yield* Effect.fork(send(uploadForm({ ...values(""), file })))
      yield* Deferred.await(startSignal)
      yield* Fiber.interrupt(uploading)
      yield* nothingKept
    }).pipe(Effect.provide(live())))

  it.effect("removes a cohort and its files when its owner is removed during the import", () =>
    Effect.gen(function*() {
      const startSignal = yield* Deferred.make<void>()
      const removed = yield* Deferred.make<void>()
      const pause = Effect.zipRight(Deferred.succeed(startSignal, undefined), Deferred.await(removed))
      yield* Effect.gen(function*() {
        const cohorts = yield* Cohorts
        const store = yield* CohortStore
        const accepted = yield* send(uploadForm(values(rows(20))))
        yield* Deferred.await(startSignal)
        yield* cohorts.removeOwner(scope, campaign)
        yield* Deferred.succeed(removed, undefined)
        assert.strictEqual(
          yield* failure(finished(accepted)),
          tell(new NotFound({ resource: "cohort", id: accepted.cohort_id }))
        )
        yield* Effect.repeat(Effect.yieldNow(), { until: () => Effect.map(keptFiles, (files) => files.length === 0) })
        const stopped = yield* store.filterStopped(scope, campaign, [PhoneNumber.make("+919800000000")])
        assert.strictEqual(stopped.size, 0)
        yield* nothingKept
      }).pipe(Effect.provide(live({ importer: paused(pause) })))
    }))
})
