import { assert, describe, it } from "@effect/vitest"
import { StoreProbe } from "@trunkline/kernel"
import { Effect, TestClock } from "effect"
import { makeReadiness } from "../../src/operations/Readiness.js"

const fine: StoreProbe.Service = {
  write: Effect.void,
  version: Effect.succeed({ storedVersion: 3, ownVersion: 3 }),
  freeBytes: Effect.succeed(1e9),
  logBytes: Effect.succeed(0)
}

const failedOf = ({ checks }: Effect.Effect.Success<Effect.Effect.Success<ReturnType<typeof makeReadiness>>>) =>
  checks.filter(({ ok }) => !ok).map(({ detail, name }) => `${name}: ${detail}`)

const readinessOver = (probe: Partial<StoreProbe.Service>, isLeaving = () => false) =>
  Effect.provideService(makeReadiness(isLeaving), StoreProbe, { ...fine, ...probe })

describe("the readiness of an engine", () => {
  it.effect("is true when all checks succeed", () =>
    Effect.gen(function*() {
      const { checks, ready } = yield* (yield* readinessOver({}))
      assert.isTrue(ready)
      assert.deepStrictEqual(checks.map(({ name }) => name), ["store", "schema", "disk", "draining"])
    }))

  it.effect("writes at most once a second, and is false 5 seconds after the last write", () =>
    Effect.gen(function*() {
      let writes = 0
      let isFull = false
      const write = Effect.suspend(() =>
        isFull ? Effect.die(new Error("database or disk is full")) : Effect.sync(() => void writes++)
      )
      const readiness = yield* readinessOver({ write })
      yield* Effect.all([readiness, readiness, readiness], { concurrency: 3 })
      assert.strictEqual(writes, 1)
      yield* TestClock.adjust("1 second")
      yield* readiness
      assert.strictEqual(writes, 2)
      isFull = true
      yield* TestClock.adjust("4 seconds")
      assert.isTrue((yield* readiness).ready)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(failedOf(yield* readiness), ["store: the last write was 5.0 s ago"])
      isFull = false
      assert.isTrue((yield* readiness).ready)
    }))

  it.effect("waits 2 seconds for a store that does not answer", () =>
    Effect.gen(function*() {
      const readiness = yield* readinessOver({ write: Effect.never })
      const answer = yield* Effect.fork(readiness)
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(failedOf(yield* answer), ["store: no write has succeeded yet"])
    }))

  it.effect("is false with another version of the database, a full disk, and for a process that stops", () =>
    Effect.gen(function*() {
      const readiness = yield* readinessOver(
        { version: Effect.succeed({ storedVersion: 4, ownVersion: 3 }), freeBytes: Effect.succeed(3 * 1_048_576) },
        () => true
      )
      assert.deepStrictEqual(failedOf(yield* readiness), [
        "schema: version 4, where 3 is needed",
        "disk: 3 MiB free",
        "draining: this process stops"
      ])
    }))
})
