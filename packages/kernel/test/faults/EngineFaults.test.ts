import { assert, describe, it } from "@effect/vitest"
import { type EngineFault, engineFault, EngineFaults } from "@trunkline/kernel"
import { Array, Deferred, Effect, Layer, Logger } from "effect"

const fault = (message: string) => engineFault({ kind: "call", message, attempt_id: "a" })

/** Runs with a hearer, and returns what was logged. */
const logsOf = (
  hear: (fault: EngineFault) => Effect.Effect<void, unknown>,
  use: Effect.Effect<void>
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.suspend(() => {
    const logs: Array<string> = []
    const logger = Logger.make(({ message }) => void logs.push(Array.ensure(message).map(String).join(" ")))
    return use.pipe(
      Effect.provide(EngineFaults.layer(hear).pipe(Layer.provideMerge(Logger.replace(Logger.defaultLogger, logger)))),
      Effect.as(logs)
    )
  })

const report = (message: string) => Effect.flatMap(EngineFaults, ({ report }) => report(fault(message)))

describe("faults of the engine", () => {
  it.effect("are heard by nobody, by default", () => report("first"))

  it.effect("are heard in order, also those that come right before the end", () =>
    Effect.gen(function*() {
      const heard: Array<string> = []
      yield* logsOf(
        ({ message }) => Effect.sync(() => void heard.push(message)),
        Effect.zipRight(report("first"), report("second"))
      )
      assert.deepStrictEqual(heard, ["first", "second"])
    }))

  it.effect("go on after a hearer that fails or throws, which is logged with its stack", () =>
    Effect.gen(function*() {
      const heard: Array<string> = []
      const hear = ({ message }: EngineFault) => {
        heard.push(message)
        if (message === "first") throw new Error("my hearer")
        return message === "second" ? Effect.fail("no") : Effect.void
      }
      const logs = yield* logsOf(hear, Effect.forEach(["first", "second", "third"], report, { discard: true }))
      assert.deepStrictEqual(heard, ["first", "second", "third"])
      assert.strictEqual(logs.length, 2)
      assert.include(logs[0], "EngineFaults.test")
    }))

  it.effect("beyond a thousand that wait are dropped, which is logged", () =>
    Effect.gen(function*() {
      const gate = yield* Deferred.make<void>()
      let heard = 0
      const hear = () => Effect.as(Deferred.await(gate), void (heard += 1))
      const many = Effect.forEach(Array.range(1, 1_500), (index) => report(String(index)), { discard: true })
      const logs = yield* logsOf(hear, Effect.zipRight(many, Deferred.succeed(gate, undefined)))
      assert.isAtMost(heard, 1_001)
      assert.include(logs.join(), "were not heard")
    }))
})
