import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import { makeCallSessions } from "../src/calls/CallSessions.js"
import type { ApiClient } from "../src/rest/ApiClient.js"

const client = { line: { connection: { connection_id: "line" } } } as unknown as ApiClient

const call = { token: "token", client, attempt_id: null, call_id: "call", limitMillis: null }

describe("a stream that arrives before its call is known", () => {
  it.effect("gets the call at once, also one that became known while its socket was opened", () =>
    Effect.gen(function*() {
      const sessions = makeCallSessions()
      assert.isUndefined(sessions.take("token"))
      const session = yield* sessions.expect(call)
      assert.strictEqual(yield* sessions.takeSoon("token"), session)
      assert.isUndefined(sessions.take("token"))
    }))

  it.effect("waits for it, for five seconds", () =>
    Effect.gen(function*() {
      const sessions = makeCallSessions()
      const waiting = yield* Effect.fork(sessions.takeSoon("token"))
      yield* TestClock.adjust("1 second")
      const session = yield* sessions.expect(call)
      assert.strictEqual(yield* Fiber.join(waiting), session)
      const other = yield* Effect.fork(sessions.takeSoon("other"))
      yield* TestClock.adjust("5 seconds")
      assert.isUndefined(yield* Fiber.join(other))
    }))
})
