import { assert, describe, it } from "@effect/vitest"
import {
  type Cohort,
  CohortFileType,
  Cohorts,
  CohortStore,
  FileDownload,
  fileKey,
  FileStore,
  Importer,
  uploadForm
} from "@trunkline/cohorts"
import { CohortId, macroTask, Scope, Transactions, WorkspaceId } from "@trunkline/kernel"
import { propertyRuns } from "@trunkline/kernel/testing"
import { Deferred, Effect, FastCheck, Fiber, Layer, Logger, LogLevel, Stream, TestClock } from "effect"
import {
  bytesOf,
  campaign,
  download,
  finished,
  keptFiles,
  live,
  mapping,
  never,
  scope,
  send,
  service,
  stores,
  usersOf,
  values
} from "../CohortsHarness.js"

const line = (index: number) =>
  index % 7 === 0
    ? `Name ${index},123\n`
    : index % 11 === 0
    ? "Twice,9800000001\n"
    : `Name ${index},${9_800_000_000 + index}\n`

const csv = ["name,mobile\n", ...Array.from({ length: 6500 }, (_, index) => line(index))].join("")

/** The visible results of a finished import. */
const resultOf = (cohort: Cohort) =>
  Effect.gen(function*() {
    const walked = yield* usersOf(campaign)
    const store = yield* CohortStore
    return {
      result: cohort.result,
      rejected: (yield* download(campaign, cohort.cohort_id, "rejected_records")).text,
      users: walked.map(({ user }) => user),
      found: yield* Effect.forEach(
        walked.filter((_, index) => index % 100 === 0),
        ({ user }) => store.findCaller(scope, campaign, user.user_phone_number)
      )
    }
  })

const undisturbed = (file: string) =>
  Effect.suspend(() => send(uploadForm(values(file)))).pipe(
    Effect.flatMap((accepted) => finished(accepted)),
    Effect.flatMap(resultOf),
    Effect.provide(live())
  )

/** A service whose import hangs at a step of the store, and signals when it gets there. */
const stuckAt = (step: "index" | "keep", after: number, reached: Deferred.Deferred<void>) => {
  let steps = 0
  const stuck = Effect.zipRight(Deferred.succeed(reached, undefined), Effect.never)
  return service({
    store: (inner) => ({
      keep: (...batch) => step === "keep" && ++steps > after ? stuck : inner.keep(...batch),
      index: (...batch) => step === "index" && ++steps > after ? stuck : inner.index(...batch)
    })
  })
}

const resume = (cohort: Cohort) => Effect.provide(Effect.flatMap(finished(cohort), resultOf), service())

describe("an interrupted import", () => {
  it.effect.prop(
    "has the same result as an uninterrupted one, wherever and however often it is interrupted",
    [
      FastCheck.array(
        FastCheck.record({ step: FastCheck.constantFrom("keep" as const, "index" as const), after: FastCheck.nat(6) }),
        { minLength: 1, maxLength: 3 }
      ),
      FastCheck.constantFrom(",", ";", "\t")
    ],
    ([cuts, separator]) =>
      Effect.gen(function*() {
        const file = csv.replaceAll(",", separator)
        const first = yield* Effect.provide(send(uploadForm(values(file))), service({ importer: never }))
        for (const { after, step } of cuts) {
          const reached = yield* Deferred.make<void>()
          yield* Effect.provide(
            Effect.raceFirst(Deferred.await(reached), finished(first)),
            stuckAt(step, after, reached)
          )
        }
        assert.deepStrictEqual(yield* resume(first), yield* undisturbed(file))
      }).pipe(Effect.provide(stores())),
    { fastCheck: { numRuns: propertyRuns(8) } }
  )

  it.effect("shows its progress, but no users before it is completed", () =>
    Effect.gen(function*() {
      const reached = yield* Deferred.make<void>()
      yield* Effect.gen(function*() {
        const accepted = yield* send(uploadForm(values(csv)))
        yield* Deferred.await(reached)
        const { progress, result, status } = yield* (yield* Cohorts).get(scope, campaign, accepted.cohort_id)
        assert.deepStrictEqual([status, result], ["processing", null])
        assert.strictEqual(progress?.total_records, 3000)
        assert.strictEqual(progress?.total_records, (progress?.valid_records ?? 0) + (progress?.rejected_records ?? 0))
        assert.deepStrictEqual(yield* usersOf(campaign), [])
      }).pipe(Effect.provide(stuckAt("keep", 3, reached)))
    }).pipe(Effect.provide(stores())))

  it.effect("starts over when its file has changed", () =>
    Effect.gen(function*() {
      const reached = yield* Deferred.make<void>()
      const cohort = yield* Effect.gen(function*() {
        const accepted = yield* send(uploadForm(values(csv)))
        yield* Deferred.await(reached)
        return accepted
      }).pipe(Effect.provide(stuckAt("keep", 3, reached)))
      const files = yield* FileStore
      const other = bytesOf("name,mobile\nAsha,9876543210\nBilal,9876543211\n")
      yield* files.write(fileKey(cohort.cohort_id, "cohort"), Stream.make(other))
      const { result, users } = yield* resume(cohort)
      assert.deepStrictEqual(result, { total_records: 2, valid_records: 2, rejected_records: 0 })
      assert.deepStrictEqual(users.map(({ row }) => row), [1, 2])
    }).pipe(Effect.provide(stores())))

  it.effect("fails when its files are lost", () =>
    Effect.gen(function*() {
      const cohort = yield* Effect.provide(send(uploadForm(values(csv))), service({ importer: never }))
      yield* (yield* FileStore).remove(fileKey(cohort.cohort_id, "cohort_transformation"))
      const { failure_reason } = yield* Effect.provide(finished(cohort), service())
      assert.match(failure_reason ?? "", /upload it again/)
    }).pipe(Effect.provide(stores())))

  it.effect("downloads its file again if it was not stored yet", () => {
    const url = "https://files.example.com/june.csv"
    const stuck = Layer.succeed(FileDownload, {
      fetch: () => Stream.concat(Stream.make(bytesOf("name,")), Stream.never)
    })
    const body = {
      name: "June",
      source: { type: "pre_signed_url", url },
      cohort_transformation: JSON.parse(new TextDecoder().decode(mapping)),
      cohort_category: "cohort"
    } as const
    return Effect.gen(function*() {
      const cohort = yield* Effect.gen(function*() {
        return yield* (yield* Cohorts).fetch(scope, campaign, { body, createdBy: "tests" })
      }).pipe(Effect.provide(Layer.provide(service(), stuck)))
      const { result } = yield* Effect.provide(finished(cohort), service())
      assert.deepStrictEqual(result, { total_records: 1, valid_records: 1, rejected_records: 0 })
    }).pipe(Effect.provide(stores({ [url]: bytesOf("name,mobile\nAsha,9876543210\n") })))
  })
})

describe("the end of an import", () => {
  const small = "name,mobile\nAsha,9876543210\n"

  it.effect("notifies the owner again after a defect, and keeps the files", () => {
    let notified = 0
    const completed = () => ++notified === 1 ? Effect.die(new Error("no memory")) : Effect.void
    return Effect.gen(function*() {
      const accepted = yield* send(uploadForm(values(small)))
      yield* Effect.repeat(Effect.zipRight(TestClock.adjust("1 second"), Effect.yieldNow()), {
        until: () => notified === 2
      })
      const cohort = yield* finished(accepted)
      assert.strictEqual(cohort.status, "completed")
      assert.deepStrictEqual(yield* keptFiles, [...CohortFileType.literals])
    }).pipe(Effect.provide(live({ owners: { completed } })), Logger.withMinimumLogLevel(LogLevel.None))
  })

  it.effect("comes too when the importer interrupts itself", () =>
    Effect.gen(function*() {
      const cohort = yield* finished(yield* send(uploadForm(values(small))))
      assert.strictEqual(cohort.status, "failed")
    }).pipe(
      Effect.provide(live({ importer: Layer.succeed(Importer, { run: () => Effect.interrupt }) })),
      Logger.withMinimumLogLevel(LogLevel.None)
    ))

  it.effect("deletes the users of failed cohorts, with retries", () => {
    let sweeps = 0
    const store = (inner: typeof CohortStore.Service) => ({
      sweep: Effect.suspend(() => ++sweeps === 2 ? Effect.die(new Error("locked")) : inner.sweep)
    })
    return Effect.gen(function*() {
      yield* finished(yield* send(uploadForm(values(`${small}"open`))))
      yield* Effect.repeat(Effect.zipRight(TestClock.adjust("1 second"), Effect.yieldNow()), {
        until: () => sweeps > 2
      })
      assert.isFalse(yield* (yield* CohortStore).sweep)
    }).pipe(Effect.provide(live({ store })), Logger.withMinimumLogLevel(LogLevel.None))
  })
})

describe("removing an owner", () => {
  it.effect("keeps records, users and files when the transaction is rolled back", () =>
    Effect.gen(function*() {
      const cohorts = yield* Cohorts
      const { cohort_id } = yield* finished(yield* send(uploadForm(values("name,mobile\nAsha,9876543210\n"))))
      yield* Effect.flip((yield* Transactions).run(
        Effect.zipRight(cohorts.removeOwner(scope, campaign), Effect.fail("not now"))
      ))
      yield* Effect.repeatN(macroTask, 20)
      assert.strictEqual((yield* cohorts.get(scope, campaign, cohort_id)).status, "completed")
      assert.deepStrictEqual(yield* keptFiles, [...CohortFileType.literals])
      assert.lengthOf(yield* usersOf(campaign), 1)
    }).pipe(Effect.provide(live())))
})

describe("an upload interrupted by a crash", () => {
  it.effect("leaves no files after the next start", () =>
    Effect.gen(function*() {
      const store = yield* CohortStore
      const files = yield* FileStore
      const id = CohortId.make("coh-00000000dead")
      yield* store.expect(id)
      yield* files.write(fileKey(id, "cohort"), Stream.make(bytesOf("name,")))
      yield* Effect.provide(Cohorts, service())
      assert.isTrue((yield* files.size(fileKey(id, "cohort")))._tag === "None")
      assert.deepStrictEqual(yield* store.expectedIds, [])
    }).pipe(Effect.provide(stores())))
})

describe("the order of imports", () => {
  it.effect("does not wait for a download", () => {
    const stuck = Layer.succeed(FileDownload, { fetch: () => Stream.never })
    return Effect.gen(function*() {
      const body = {
        name: "June",
        source: { type: "pre_signed_url", url: "https://files.example.com/june.csv" },
        cohort_transformation: JSON.parse(new TextDecoder().decode(mapping)),
        cohort_category: "cohort"
      } as const
      yield* (yield* Cohorts).fetch(scope, campaign, { body, createdBy: "tests" })
      const { status } = yield* finished(yield* send(uploadForm(values("name,mobile\nAsha,9876543210\n"))))
      assert.strictEqual(status, "completed")
    }).pipe(Effect.provide(Layer.provideMerge(Layer.provide(service(), stuck), stores())))
  })

  it.effect("does not wait for slow downloads of another workspace, however many", () => {
    const url = "https://files.example.com/june.csv"
    const web = Layer.succeed(FileDownload, {
      fetch: (target) => target === url ? Stream.make(bytesOf("name,mobile\nAsha,9876543210\n")) : Stream.never
    })
    const bodyOf = (url: string) => ({
      name: "June",
      source: { type: "pre_signed_url" as const, url },
      cohort_transformation: JSON.parse(new TextDecoder().decode(mapping)),
      cohort_category: "cohort" as const
    })
    return Effect.gen(function*() {
      const cohorts = yield* Cohorts
      const other = new Scope({ org_id: scope.org_id, workspace_id: WorkspaceId.make("other") })
      const slow = { body: bodyOf("https://slow.example.com/"), createdBy: "tests" }
      yield* Effect.repeatN(cohorts.fetch(other, campaign, slow), 20)
      const { cohort_id } = yield* cohorts.fetch(scope, campaign, { body: bodyOf(url), createdBy: "tests" })
      assert.strictEqual((yield* cohorts.finished(scope, campaign, cohort_id)).status, "completed")
    }).pipe(Effect.provide(Layer.provideMerge(Layer.provide(service(), web), stores())))
  })

  it.effect("follows acceptance within a workspace, without delaying other workspaces", () =>
    Effect.gen(function*() {
      const cohorts = yield* Cohorts
      const other = new Scope({ org_id: scope.org_id, workspace_id: WorkspaceId.make("other") })
      const big = yield* send(uploadForm(values(csv)))
      const small = yield* send(uploadForm(values("name,mobile\nAsha,9876543210\n")))
      const theirs = yield* cohorts.upload(other, campaign, {
        form: uploadForm(values("name,mobile\nAsha,9876543210\n")),
        createdBy: "tests"
      })
      const order: Array<string> = []
      const note = (name: string) => () => Effect.sync(() => order.push(name))
      const fibers = yield* Effect.forEach([
        Effect.tap(finished(big), note("big")),
        Effect.tap(finished(small), note("small")),
        Effect.tap(cohorts.finished(other, campaign, theirs.cohort_id), note("theirs"))
      ], Effect.fork)
      yield* Fiber.joinAll(fibers)
      assert.deepStrictEqual(order, ["theirs", "big", "small"])
    }).pipe(Effect.provide(live())))
})
