import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { macroTask, makeSpares, type Spare } from "../src/index.js"

/** Spares that do nothing; `log` tells which of them were started and ended. */
const make = (idleMillis = 60_000) =>
  Effect.gen(function*() {
    const log: Array<string> = []
    const broken = new Set<Spare>()
    let started = 0
    const start = () => {
      const name = `spare ${++started}`
      log.push(`${name} starts`)
      const spare: Spare = {
        end: Effect.sync(() => void log.push(`${name} ends`)),
        isBroken: () => broken.has(spare)
      }
      return spare
    }
    return { log, broken, ...yield* makeSpares({ start, idleMillis }) }
  })

describe("Spares", () => {
  it.scoped("lends one again after work that succeeds or fails", () =>
    Effect.gen(function*() {
      const { log, use } = yield* make()
      yield* use(() => Effect.void)
      yield* Effect.flip(use(() => Effect.fail("unreadable")))
      yield* use(() => Effect.void)
      assert.deepStrictEqual(log, ["spare 1 starts"])
    }))

  it.scoped("lends each to one at a time", () =>
    Effect.gen(function*() {
      const { log, use } = yield* make()
      yield* use(() => use(() => Effect.void))
      yield* use(() => use(() => Effect.void))
      assert.deepStrictEqual(log, ["spare 1 starts", "spare 2 starts"])
    }))

  it.scoped("ends one whose work dies", () =>
    Effect.gen(function*() {
      const { log, use } = yield* make()
      yield* Effect.exit(use(() => Effect.die("broken")))
      assert.deepStrictEqual(log, ["spare 1 starts", "spare 1 ends"])
    }))

  it.scoped("ends one whose work is interrupted, before the interruption is over", () =>
    Effect.gen(function*() {
      const { log, use } = yield* make()
      const begun = yield* Deferred.make<void>()
      const fiber = yield* Effect.fork(use(() => Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never)))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(log, ["spare 1 starts", "spare 1 ends"])
    }))

  it.scoped("does not lend one that broke while it was idle", () =>
    Effect.gen(function*() {
      const { broken, log, use } = yield* make()
      yield* use((spare) => Effect.sync(() => broken.add(spare)))
      yield* use(() => Effect.void)
      assert.deepStrictEqual(log, ["spare 1 starts", "spare 2 starts"])
    }))

  it.scoped("ends one that is idle for long", () =>
    Effect.gen(function*() {
      const { log, use } = yield* make(1)
      yield* use(() => Effect.void)
      yield* Effect.repeat(macroTask, { until: () => log.length === 2 })
      assert.deepStrictEqual(log, ["spare 1 starts", "spare 1 ends"])
    }))

  it.effect("ends all with its scope", () =>
    Effect.gen(function*() {
      const log = yield* Effect.scoped(Effect.gen(function*() {
        const { log, use } = yield* make()
        yield* use(() => use(() => Effect.void))
        return log
      }))
      assert.sameMembers(log.slice(2), ["spare 1 ends", "spare 2 ends"])
    }))
})
