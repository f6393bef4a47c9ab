import { assert, describe, it } from "@effect/vitest"
import { macroTask } from "@trunkline/kernel"
import { type IdleWorkersOptions, makeIdleWorkers, makeWorkerPool, type PooledWorker } from "@trunkline/workers"
import { Data, Deferred, Effect, Fiber, Scope, TestClock } from "effect"
import { afterEach, vi } from "vitest"

class Full extends Data.TaggedError("Full") {}

/** Workers that do nothing; `log` notes which of them were started and ended. */
const fakes = () => {
  const log: Array<string> = []
  const broken = new Set<PooledWorker>()
  let started = 0
  const start = (): PooledWorker => {
    const name = `worker ${++started}`
    log.push(`${name} starts`)
    const worker: PooledWorker = {
      end: Effect.sync(() => void log.push(`${name} ends`)),
      isBroken: () => broken.has(worker)
    }
    return worker
  }
  return { log, broken, start }
}

const makePool = (
  { idleMillis = 60_000, limit }: {
    readonly idleMillis?: number
    readonly limit?: { readonly size: number; readonly waiting: number }
  } = {}
) =>
  Effect.gen(function*() {
    const { broken, log, start } = fakes()
    const pool = yield* makeWorkerPool({
      start,
      idleMillis,
      limit: { size: Infinity, waiting: Infinity, ...limit, onFull: () => new Full() }
    })
    return { broken, log, ...pool }
  })

afterEach(() => void vi.useRealTimers())

describe("a pool", () => {
  it.scoped("starts workers when there is work, and uses them again after work that succeeds", () =>
    Effect.gen(function*() {
      const { log, use } = yield* makePool()
      assert.deepStrictEqual(log, [])
      yield* use(() => Effect.void)
      yield* use(() => Effect.void)
      assert.deepStrictEqual(log, ["worker 1 starts"])
    }))

  it.scoped("lends each worker to one piece of work at a time", () =>
    Effect.gen(function*() {
      const { log, use } = yield* makePool()
      yield* use(() => use(() => Effect.void))
      yield* use(() => use(() => Effect.void))
      assert.deepStrictEqual(log, ["worker 1 starts", "worker 2 starts"])
    }))

  it.scoped("ends a worker whose work fails or dies", () =>
    Effect.gen(function*() {
      const { log, use } = yield* makePool()
      yield* Effect.flip(use(() => Effect.fail("unreadable")))
      yield* Effect.exit(use(() => Effect.die("broken")))
      assert.deepStrictEqual(log, ["worker 1 starts", "worker 1 ends", "worker 2 starts", "worker 2 ends"])
    }))

  it.scoped("ends a worker whose work is interrupted before the interruption completes", () =>
    Effect.gen(function*() {
      const { log, use } = yield* makePool()
      const startSignal = yield* Deferred.make<void>()
      const fiber = yield* Effect.fork(
        use(() => Effect.zipRight(Deferred.succeed(startSignal, undefined), Effect.never))
      )
      yield* Deferred.await(startSignal)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(log, ["worker 1 starts", "worker 1 ends"])
    }))

  it.scoped("does not lend a worker that broke while it was idle", () =>
    Effect.gen(function*() {
      const { broken, log, use } = yield* makePool()
      const worker = yield* use(Effect.succeed)
      broken.add(worker)
      yield* use(() => Effect.void)
      assert.deepStrictEqual(log, ["worker 1 starts", "worker 2 starts"])
    }))

  it.scoped("ends a worker that broke although its work succeeded", () =>
    Effect.gen(function*() {
      const { broken, log, use } = yield* makePool()
      yield* use((worker) => Effect.sync(() => broken.add(worker)))
      yield* use(() => Effect.void)
      assert.deepStrictEqual(log, ["worker 1 starts", "worker 1 ends", "worker 2 starts"])
    }))

  it.scoped("ends a worker that has been idle since its last work, and not before", () =>
    Effect.gen(function*() {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
      const { log, use } = yield* makePool({ idleMillis: 30_000 })
      yield* use(() => Effect.void)
      vi.advanceTimersByTime(20_000)
      yield* use(() => Effect.void)
      vi.advanceTimersByTime(29_999)
      assert.deepStrictEqual(log, ["worker 1 starts"])
      vi.advanceTimersByTime(1)
      assert.deepStrictEqual(log, ["worker 1 starts", "worker 1 ends"])
      yield* use(() => Effect.void)
      assert.deepStrictEqual(log.slice(2), ["worker 2 starts"])
    }))

  it.effect("ends all workers with its scope", () =>
    Effect.gen(function*() {
      const log = yield* Effect.scoped(Effect.gen(function*() {
        const { log, use } = yield* makePool()
        yield* use(() => use(() => Effect.void))
        return log
      }))
      assert.sameMembers(log.slice(2), ["worker 1 ends", "worker 2 ends"])
    }))

  it.scoped("starts no more workers than may work at a time", () =>
    Effect.gen(function*() {
      const { log, use } = yield* makePool({ limit: { size: 2, waiting: 2 } })
      for (let round = 0; round < 3; round++) {
        yield* Effect.all(Array.from({ length: 4 }, () => use(() => Effect.yieldNow())), { concurrency: "unbounded" })
      }
      assert.deepStrictEqual(log, ["worker 1 starts", "worker 2 starts"])
    }))

  it.scoped("rejects more work than may wait, until some is done", () =>
    Effect.gen(function*() {
      const { use } = yield* makePool({ limit: { size: 1, waiting: 2 } })
      const gate = yield* Deferred.make<void>()
      const work = use(() => Deferred.await(gate))
      const fibers = yield* Effect.all(Array.from({ length: 3 }, () => Effect.fork(work)))
      yield* TestClock.adjust(1)
      assert.instanceOf(yield* Effect.flip(work), Full)
      yield* Deferred.succeed(gate, undefined)
      yield* Effect.forEach(fibers, Fiber.join)
      yield* work
    }))

  it.scoped("keeps a worker when work that waits for it is interrupted", () =>
    Effect.gen(function*() {
      const { log, use } = yield* makePool({ limit: { size: 1, waiting: 2 } })
      const working = yield* Effect.fork(use(() => Effect.never))
      yield* TestClock.adjust(1)
      const waiting = yield* Effect.fork(use(() => Effect.void))
      yield* TestClock.adjust(1)
      yield* Fiber.interrupt(waiting)
      assert.deepStrictEqual(log, ["worker 1 starts"])
      yield* Fiber.interrupt(working)
      yield* use(() => Effect.void)
      assert.deepStrictEqual(log, ["worker 1 starts", "worker 1 ends", "worker 2 starts"])
    }))
})

describe("idle workers", () => {
  const make = (options: Partial<IdleWorkersOptions<PooledWorker>> = {}) =>
    Effect.gen(function*() {
      const { broken, log, start } = fakes()
      return { broken, log, ...yield* makeIdleWorkers({ start, idleMillis: 60_000, minimum: 1, ...options }) }
    })

  it.live("are as many as there is work for, and end when idle, down to the minimum", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const { log, release, take } = yield* Scope.extend(make({ idleMillis: 5 }), scope)
      assert.deepStrictEqual(log, ["worker 1 starts"])
      const workers = [take(), take(), take()]
      workers.forEach(release)
      const ended = () => log.filter((line) => line.endsWith("ends"))
      yield* Effect.repeat(macroTask, { until: () => ended().length === 2 })
      const last = take()
      assert.strictEqual(log.filter((line) => line.endsWith("starts")).length, 3)
      release(last)
      yield* Scope.close(scope, Effect.runSyncExit(Effect.void))
      assert.strictEqual(ended().length, 3)
    }))

  it.scoped("are replaced when they break at work", () =>
    Effect.gen(function*() {
      const { broken, log, release, take } = yield* make()
      const worker = take()
      broken.add(worker)
      release(worker)
      assert.isFalse(take().isBroken())
      assert.deepStrictEqual(log, ["worker 1 starts", "worker 1 ends", "worker 2 starts"])
    }))

  it.scoped("are taken most recently used first", () =>
    Effect.gen(function*() {
      const { release, take } = yield* make()
      const [one, other] = [take(), take()]
      release(one)
      release(other)
      assert.strictEqual(take(), other)
      assert.strictEqual(take(), one)
    }))
})
