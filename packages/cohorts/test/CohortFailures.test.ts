import { assert, describe, it } from "@effect/vitest"
import { Cohort, Cohorts, CohortStore } from "@trunkline/cohorts"
import { BodyTooLarge, NotFound } from "@trunkline/errors"
import { CohortId } from "@trunkline/kernel"
import { DateTime, Deferred, Effect, Fiber, Logger, LogLevel, Stream, TestClock } from "effect"
import {
  bytesOf,
  campaign,
  download,
  failure,
  firstId,
  form,
  keptFiles,
  live,
  nothingKept,
  people,
  scope,
  tell,
  upload
} from "./CohortsHarness.js"

describe("Cohorts.upload, when something goes wrong", () => {
  const failed = (cohort: Cohort, reason: RegExp) =>
    Effect.gen(function*() {
      assert.strictEqual(cohort.status, "failed")
      assert.isNull(cohort.result)
      assert.match(cohort.failure_reason ?? "", reason)
      assert.deepStrictEqual(yield* people(campaign), [])
      assert.deepStrictEqual(yield* (yield* Cohorts).get(scope, campaign, cohort.cohort_id), cohort)
    })

  const rows = (count: number) =>
    ["name,mobile\n", ...Array.from({ length: count }, (_, index) => `Name ${index},${9800000000 + index}\n`)].join("")

  it.effect("a file that breaks after its header makes the cohort failed, and says nothing of what stood there", () =>
    Effect.gen(function*() {
      const cohort = yield* upload(`${rows(2000)}"9876543210"x,1\n`)
      yield* failed(cohort, /quote/)
      assert.notInclude(cohort.failure_reason ?? "", "98765")
      assert.deepStrictEqual(yield* keptFiles, ["cohort", "cohort_transformation"])
      const missing = yield* failure(download(campaign, cohort.cohort_id, "rejected_records"))
      assert.match(missing, /^NotFound/)
    }).pipe(Effect.provide(live())))

  it.effect("bytes that are not UTF-8 make the cohort failed", () =>
    Effect.gen(function*() {
      const csv = Uint8Array.of(...bytesOf("name,mobile\nAsh"), 0xe9, ...bytesOf(",9876543210\n"))
      yield* failed(yield* upload(csv), /UTF-8/)
    }).pipe(Effect.provide(live())))

  it.effect("more rows than allowed make the cohort failed; as many as allowed do not", () =>
    Effect.gen(function*() {
      yield* failed(yield* upload(rows(2001)), /more than 2000 rows/)
      assert.strictEqual((yield* upload(rows(2000))).result?.valid_records, 2000)
    }).pipe(Effect.provide(live({ limits: { rows: 2000 } }))))

  it.effect("more bytes than allowed are refused while they come in, and nothing is kept", () =>
    Effect.gen(function*() {
      const cohorts = yield* Cohorts
      const endless = { ...form(""), file: Stream.repeatValue(bytesOf("name,mobile\n")) }
      const error = yield* failure(cohorts.upload(scope, campaign, endless))
      assert.strictEqual(error, tell(new BodyTooLarge({ limitBytes: 1000 })))
      yield* nothingKept
    }).pipe(Effect.provide(live({ limits: { bytes: 1000 } }))))

  it.effect("a file of exactly the allowed size is taken", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* upload("name,mobile\nA,9876543210\n")).status, "completed")
    }).pipe(Effect.provide(live({ limits: { bytes: 25 } }))))

  it.effect("the failure of the file's stream is handed on, and nothing is kept", () =>
    Effect.gen(function*() {
      const cohorts = yield* Cohorts
      const cut = { ...form(""), file: Stream.concat(Stream.make(bytesOf("name,mobile\n")), Stream.fail("cut")) }
      assert.strictEqual(yield* Effect.flip(cohorts.upload(scope, campaign, cut)), "cut")
      yield* nothingKept
    }).pipe(Effect.provide(live())))

  it.effect("a store that breaks makes the cohort failed", () =>
    Effect.gen(function*() {
      yield* failed(yield* upload(rows(3)), /could not be stored/)
    }).pipe(
      Effect.provide(live({ store: { addUsers: () => Effect.die(new Error("disk full")) } })),
      Logger.withMinimumLogLevel(LogLevel.None)
    ))

  it.effect("a processing that takes too long makes the cohort failed", () =>
    Effect.gen(function*() {
      const begun = yield* Deferred.make<void>()
      const addUsers = () => Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never)
      yield* Effect.gen(function*() {
        const uploading = yield* Effect.fork(upload(rows(3)))
        yield* Deferred.await(begun)
        yield* TestClock.adjust("10 minutes")
        yield* failed(yield* Fiber.join(uploading), /too long/)
      }).pipe(Effect.provide(live({ store: { addUsers } })))
    }))

  it.effect("an upload that is interrupted while it is processed leaves a failed cohort", () =>
    Effect.gen(function*() {
      const begun = yield* Deferred.make<void>()
      const addUsers = () => Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never)
      yield* Effect.gen(function*() {
        const uploading = yield* Effect.fork(upload(rows(3)))
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(uploading)
        yield* failed(yield* (yield* Cohorts).get(scope, campaign, yield* firstId), /interrupted/)
      }).pipe(Effect.provide(live({ store: { addUsers } })))
    }))

  it.effect("an upload that is interrupted while its file comes in leaves nothing", () =>
    Effect.gen(function*() {
      const begun = yield* Deferred.make<void>()
      const file = Stream.concat(
        Stream.make(bytesOf("name,mobile\n")),
        Stream.execute(Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never))
      )
      const cohorts = yield* Cohorts
      const uploading = yield* Effect.fork(cohorts.upload(scope, campaign, { ...form(""), file }))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(uploading)
      yield* nothingKept
    }).pipe(Effect.provide(live())))

  it.effect("a cohort whose owner is removed meanwhile is gone with it", () =>
    Effect.gen(function*() {
      const cohorts = yield* Cohorts
      const store = yield* CohortStore
      const removing = yield* Effect.fork(
        Effect.repeat(Effect.yieldNow(), {
          until: () => Effect.map(store.progress(scope, campaign), ({ processing }) => processing > 0)
        }).pipe(Effect.zipRight(cohorts.removeOwner(scope, campaign)))
      )
      const error = yield* failure(upload(rows(20_000)))
      yield* Fiber.join(removing)
      assert.strictEqual(error, tell(new NotFound({ resource: "campaign", id: "camp-1" })))
      yield* nothingKept
    }).pipe(Effect.provide(live())))

  it.effect("a cohort whose processing a crash cut off is failed by the next start, once", () =>
    Effect.gen(function*() {
      const cohorts = yield* Cohorts
      const now = DateTime.unsafeMake(0)
      const cut = new Cohort({
        name: "May",
        cohort_id: CohortId.make("coh-000000000001"),
        status: "processing",
        source_type: "file_upload",
        created_by: "demo",
        created_at: now,
        updated_by: "demo",
        updated_at: now,
        result: null,
        failure_reason: null
      })
      yield* (yield* CohortStore).insert(scope, campaign, cut)
      assert.strictEqual(yield* cohorts.settle, 1)
      yield* failed(yield* cohorts.get(scope, campaign, cut.cohort_id), /upload it again/)
      assert.strictEqual(yield* cohorts.settle, 0)
    }).pipe(Effect.provide(live())))
})
