import { assert, describe, it } from "@effect/vitest"
import { ImportFailed } from "@trunkline/cohorts"
import { macroTask } from "@trunkline/kernel"
import { Deferred, Effect, Fiber } from "effect"
import type { ImportThread } from "../src/ImportThread.js"
import { makeThreads } from "../src/Threads.js"

/** Threads that do nothing; `log` tells which of them were started and ended. */
const make = (idleMillis = 60_000) =>
  Effect.gen(function*() {
    const log: Array<string> = []
    const broken = new Set<ImportThread>()
    let started = 0
    const start = () => {
      const name = `thread ${++started}`
      log.push(`${name} starts`)
      const thread: ImportThread = {
        run: () => Effect.never,
        end: Effect.sync(() => void log.push(`${name} ends`)),
        isBroken: () => broken.has(thread)
      }
      return thread
    }
    return { log, broken, ...yield* makeThreads({ start, idleMillis }) }
  })

describe("Threads", () => {
  it.scoped("lends a thread again after work that succeeds or fails", () =>
    Effect.gen(function*() {
      const { log, use } = yield* make()
      yield* use(() => Effect.void)
      yield* Effect.flip(use(() => new ImportFailed({ message: "unreadable" })))
      yield* use(() => Effect.void)
      assert.deepStrictEqual(log, ["thread 1 starts"])
    }))

  it.scoped("lends each to one at a time", () =>
    Effect.gen(function*() {
      const { log, use } = yield* make()
      yield* use(() => use(() => Effect.void))
      yield* use(() => use(() => Effect.void))
      assert.deepStrictEqual(log, ["thread 1 starts", "thread 2 starts"])
    }))

  it.scoped("ends a thread whose work dies", () =>
    Effect.gen(function*() {
      const { log, use } = yield* make()
      yield* Effect.exit(use(() => Effect.die("broken")))
      assert.deepStrictEqual(log, ["thread 1 starts", "thread 1 ends"])
    }))

  it.scoped("ends a thread whose work is interrupted, before the interruption is over", () =>
    Effect.gen(function*() {
      const { log, use } = yield* make()
      const begun = yield* Deferred.make<void>()
      const fiber = yield* Effect.fork(use(() => Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never)))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(log, ["thread 1 starts", "thread 1 ends"])
    }))

  it.scoped("does not lend a thread that broke while it was idle", () =>
    Effect.gen(function*() {
      const { broken, log, use } = yield* make()
      yield* use((thread) => Effect.sync(() => broken.add(thread)))
      yield* use(() => Effect.void)
      assert.deepStrictEqual(log, ["thread 1 starts", "thread 2 starts"])
    }))

  it.scoped("ends a thread that is idle for long", () =>
    Effect.gen(function*() {
      const { log, use } = yield* make(1)
      yield* use(() => Effect.void)
      yield* Effect.repeat(macroTask, { until: () => log.length === 2 })
      assert.deepStrictEqual(log, ["thread 1 starts", "thread 1 ends"])
    }))

  it.effect("ends all with its scope", () =>
    Effect.gen(function*() {
      const log = yield* Effect.scoped(Effect.gen(function*() {
        const { log, use } = yield* make()
        yield* use(() => use(() => Effect.void))
        return log
      }))
      assert.sameMembers(log.slice(2), ["thread 1 ends", "thread 2 ends"])
    }))
})
