import { assert, describe, it } from "@effect/vitest"
import { RehearsalWorker } from "@trunkline/job-threads"
import { NothingToRehearse, type RehearsalProgress, Rehearsals, RehearsalsBusy } from "@trunkline/rehearsal"
import { Cause, Deferred, Effect, Exit, Fiber, Layer, TestClock } from "effect"
import type { Worker } from "node:worker_threads"
import { encodeRequest } from "../../src/rehearsals/RehearsalThread.js"
import { requestOf } from "./Fixtures.js"

/** More contacts than a thread can rehearse while a test runs. */
const endless = requestOf(1_000_000)

/** Starts a rehearsal, and waits for its first progress. */
const beginRun = Effect.gen(function*() {
  const rehearsals = yield* Rehearsals
  const started = yield* Deferred.make<void>()
  const fiber = yield* Effect.fork(rehearsals.run(endless, () => Effect.asVoid(Deferred.succeed(started, undefined))))
  yield* Deferred.await(started)
  return fiber
})

/** Threads that start from now on, and those of them that have exited. */
const watchedThreads = Effect.acquireRelease(
  Effect.sync(() => {
    const started: Array<Worker> = []
    const workers: Array<Worker> = []
    const note = (worker: Worker) => {
      started.push(worker)
      worker.once("exit", () => void workers.push(worker))
    }
    process.on("worker", note)
    return { started, gone: workers, note }
  }),
  ({ note }) => Effect.sync(() => void process.off("worker", note))
)

const finished = (run: typeof Rehearsals.Service["run"], contacts: number) =>
  Effect.map(run(requestOf(contacts)), ({ people }) => assert.strictEqual(people, contacts))

describe("rehearsals in a worker thread", () => {
  it.scopedLive(
    "keep their thread for the next, which reports the same as the first, and end it with the layer",
    () =>
      Effect.gen(function*() {
        const { gone, started } = yield* watchedThreads
        const run = Effect.flatMap(Rehearsals, (rehearsals) => rehearsals.run(requestOf(20)))
        const reports = yield* Effect.provide(Effect.all([run, run, run]), RehearsalWorker.layer())
        assert.deepStrictEqual([started.length, gone.length], [1, 1])
        const here = yield* Effect.provide(run, Rehearsals.layer)
        for (const report of reports) assert.deepStrictEqual(report, here)
      })
  )

  it.scopedLive("end a thread that has been idle, and start another for the next", () =>
    Effect.gen(function*() {
      const { gone, started } = yield* watchedThreads
      yield* Effect.gen(function*() {
        const { run } = yield* Rehearsals
        yield* finished(run, 5)
        yield* Effect.repeat(Effect.sleep(5), { until: () => gone.length === 1 })
        yield* finished(run, 6)
      }).pipe(Effect.provide(RehearsalWorker.layer({ idle: "20 millis" })))
      assert.strictEqual(started.length, 2)
    }))

  it.scopedLive("start another thread when an idle one has crashed", () =>
    Effect.gen(function*() {
      const { started } = yield* watchedThreads
      yield* Effect.gen(function*() {
        const { run } = yield* Rehearsals
        yield* finished(run, 5)
        yield* Effect.promise(async () => started[0]?.terminate())
        yield* finished(run, 6)
      }).pipe(Effect.provide(RehearsalWorker.layer()))
      assert.strictEqual(started.length, 2)
    }))

  it.live("report the same as in this thread, with progress", () =>
    Effect.gen(function*() {
      const progress: Array<RehearsalProgress> = []
      const onProgress = (each: RehearsalProgress) => Effect.sync(() => void progress.push(each))
      const run = Effect.flatMap(Rehearsals, (rehearsals) => rehearsals.run(requestOf(300), onProgress))
      const there = yield* Effect.provide(run, RehearsalWorker.layer())
      assert.isAbove(progress.length, 1)
      assert.deepStrictEqual(progress.at(-1)?.people_done, 300)
      assert.deepStrictEqual(yield* Effect.provide(run, Rehearsals.layer), there)
    }))

  it.scopedLive("are refused without a thread when there is nothing to rehearse", () =>
    Effect.gen(function*() {
      const { started } = yield* watchedThreads
      const { run } = yield* Rehearsals
      const late = run({ ...requestOf(1), now: Date.parse("2027-01-01") })
      assert.instanceOf(yield* Effect.flip(late), NothingToRehearse)
      assert.lengthOf(started, 0)
    }).pipe(Effect.provide(RehearsalWorker.layer())))

  it.live("stop when they are interrupted, and free the slot for the next", () =>
    Effect.gen(function*() {
      const rehearsals = yield* Rehearsals
      const exit = yield* Fiber.interrupt(yield* beginRun)
      assert.isTrue(Exit.isInterrupted(exit))
      assert.strictEqual((yield* rehearsals.run(requestOf(5))).people, 5)
    }).pipe(Effect.provide(RehearsalWorker.layer({ waiting: 0 }))))

  it.live("are refused when too many wait, until one that waits is interrupted", () =>
    Effect.gen(function*() {
      const rehearsals = yield* Rehearsals
      const first = yield* beginRun
      const second = yield* Effect.fork(rehearsals.run(requestOf(5)))
      yield* Effect.yieldNow()
      assert.instanceOf(yield* Effect.flip(rehearsals.run(requestOf(5))), RehearsalsBusy)
      yield* Fiber.interrupt(second)
      const third = yield* Effect.fork(rehearsals.run(requestOf(7)))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(first)
      assert.strictEqual((yield* Fiber.join(third)).people, 7)
    }).pipe(Effect.provide(RehearsalWorker.layer({ waiting: 1 }))))

  it.effect("fail at the time limit, and say what to do", () =>
    Effect.gen(function*() {
      const rehearsals = yield* Rehearsals
      const fiber = yield* beginRun
      yield* TestClock.adjust("15 seconds")
      const error = yield* Effect.flip(Fiber.join(fiber))
      assert.instanceOf(error, NothingToRehearse)
      assert.include(error.message, "fewer contacts")
      yield* finished(rehearsals.run, 5)
    }).pipe(Effect.provide(RehearsalWorker.layer({ limit: "15 seconds" }))))

  it.live("die alone when they run out of memory", () =>
    Effect.gen(function*() {
      const rehearsals = yield* Rehearsals
      const exit = yield* Effect.exit(rehearsals.run(endless))
      assert.isTrue(Exit.isFailure(exit) && Cause.pretty(exit.cause).includes("ERR_WORKER_OUT_OF_MEMORY"))
    }).pipe(Effect.provide(Layer.fresh(RehearsalWorker.layer({ heapMegabytes: 8 })))))

  it("send no secrets to the thread", () => {
    assert.notInclude(JSON.stringify(encodeRequest(requestOf(1))), "whsec")
    assert.notInclude(JSON.stringify(encodeRequest(requestOf(1))), "hooks.example")
  })
})
