import { assert, describe, it } from "@effect/vitest"
import { macroTask, makeSpares, type Spare } from "@trunkline/kernel"
import { Deferred, Effect, Fiber } from "effect"

/** A pool of resources that do nothing; `log` lists their starts and ends. */
const make = (idleMillis = 60_000) =>
  Effect.gen(function*() {
    const log: Array<string> = []
    const broken = new Set<Spare>()
    let started = 0
    const start = () => {
      const name = `resource ${++started}`
      log.push(`${name} starts`)
      const resource: Spare = {
        end: Effect.sync(() => void log.push(`${name} ends`)),
        isBroken: () => broken.has(resource)
      }
      return resource
    }
    return { log, broken, ...yield* makeSpares({ start, idleMillis }) }
  })

describe("IdlePool", () => {
  it.scoped("reuses a resource after work that succeeds or fails", () =>
    Effect.gen(function*() {
      const { log, use } = yield* make()
      yield* use(() => Effect.void)
      yield* Effect.flip(use(() => Effect.fail("unreadable")))
      yield* use(() => Effect.void)
      assert.deepStrictEqual(log, ["resource 1 starts"])
    }))

  it.scoped("gives each resource to one user at a time", () =>
    Effect.gen(function*() {
      const { log, use } = yield* make()
      yield* use(() => use(() => Effect.void))
      yield* use(() => use(() => Effect.void))
      assert.deepStrictEqual(log, ["resource 1 starts", "resource 2 starts"])
    }))

  it.scoped("ends a resource whose work dies", () =>
    Effect.gen(function*() {
      const { log, use } = yield* make()
      yield* Effect.exit(use(() => Effect.die("broken")))
      assert.deepStrictEqual(log, ["resource 1 starts", "resource 1 ends"])
    }))

  it.scoped("ends a resource whose work is interrupted before the interruption completes", () =>
    Effect.gen(function*() {
      const { log, use } = yield* make()
      const begun = yield* Deferred.make<void>()
      const fiber = yield* Effect.fork(use(() => Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never)))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(log, ["resource 1 starts", "resource 1 ends"])
    }))

  it.scoped("does not reuse a resource that broke while idle", () =>
    Effect.gen(function*() {
      const { broken, log, use } = yield* make()
      yield* use((resource) => Effect.sync(() => broken.add(resource)))
      yield* use(() => Effect.void)
      assert.deepStrictEqual(log, ["resource 1 starts", "resource 2 starts"])
    }))

  it.scoped("ends a resource after its idle time", () =>
    Effect.gen(function*() {
      const { log, use } = yield* make(1)
      yield* use(() => Effect.void)
      yield* Effect.repeat(macroTask, { until: () => log.length === 2 })
      assert.deepStrictEqual(log, ["resource 1 starts", "resource 1 ends"])
    }))

  it.effect("ends all resources with its scope", () =>
    Effect.gen(function*() {
      const log = yield* Effect.scoped(Effect.gen(function*() {
        const { log, use } = yield* make()
        yield* use(() => use(() => Effect.void))
        return log
      }))
      assert.sameMembers(log.slice(2), ["resource 1 ends", "resource 2 ends"])
    }))
})
