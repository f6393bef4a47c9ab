import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { CallRegistry, NotAnswered } from "@trunkline/telephony"
import { Effect, Fiber } from "effect"
import { makeAnswerWait } from "../../src/calls/CallLimits.js"
import { attemptInProgress } from "../AttemptInProgress.js"

const attempt = attemptInProgress("accepted")

const awaitAnswer = Effect.map(CallRegistry, makeAnswerWait)

/** The reason for which a wait ends without an answer. */
const reasonOf = (wait: Effect.Effect<unknown, { readonly reason: string | null }>) =>
  Effect.map(Effect.flip(wait), ({ reason }) => reason)

describe("the wait for an answer", () => {
  virtualTest("ends with a request that comes before it, in its first steps, or later", () =>
    Effect.gen(function*() {
      const [registry, wait] = [yield* CallRegistry, yield* awaitAnswer]
      const hangUp = registry.end(attempt.attempt_id)
      yield* registry.add(attempt.attempt_id)

      yield* hangUp
      assert.strictEqual(yield* reasonOf(wait(attempt, Effect.never)), "hung up on request")

      const atOnce = Effect.zipRight(hangUp, Effect.never)
      assert.strictEqual(yield* reasonOf(wait(attempt, atOnce)), "hung up on request")

      const ringing = yield* Effect.fork(reasonOf(wait(attempt, Effect.never)))
      yield* Effect.yieldNow()
      yield* hangUp
      assert.strictEqual(yield* Fiber.join(ringing), "hung up on request")
    }).pipe(Effect.provide(CallRegistry.layer)))

  virtualTest("ends when the call is called off, and no longer listens after the answer", () =>
    Effect.gen(function*() {
      const wait = yield* awaitAnswer
      const listeners = new Set<(reason: string) => void>()
      const onCallOff = (listener: (reason: string) => void) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      }

      const ringing = yield* Effect.fork(reasonOf(wait(attempt, Effect.never, onCallOff)))
      yield* Effect.yieldNow()
      listeners.forEach((listener) => listener("cancelled"))
      assert.strictEqual(yield* Fiber.join(ringing), "cancelled")

      const busy = Effect.delay(new NotAnswered({ status: "busy", reason: "busy" }), "1 second")
      assert.strictEqual(yield* reasonOf(wait(attempt, busy, onCallOff)), "busy")
      assert.isEmpty(listeners)
    }).pipe(Effect.provide(CallRegistry.layer)))
})
