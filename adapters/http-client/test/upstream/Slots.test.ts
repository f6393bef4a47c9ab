import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, TestClock } from "effect"
import { bodySteps, hello, serverBefore, textOf, until } from "./Asking.js"

describe("the slots of an upstream", () => {
  it.scoped("limit concurrent requests, and all requests get one", () =>
    Effect.gen(function*() {
      const { slot, post, server } = yield* serverBefore(bodySteps("hi"), { concurrency: 3 })
      const one = Effect.scoped(Effect.zipRight(slot, Effect.flatMap(post(hello), textOf)))
      yield* Effect.all(Array.from({ length: 30 }, () => one), { concurrency: "unbounded" })
      assert.lengthOf(server.requests, 30)
      assert.isAtMost(server.busiest(), 3)
    }))

  it.scoped("go to the longest waiting request, and the queue is limited", () =>
    Effect.gen(function*() {
      const { slot } = yield* serverBefore([], { concurrency: 1, waiting: 2 })
      const came: Array<string> = []
      const visit = (name: string, stay: Effect.Effect<void>) =>
        Effect.scoped(Effect.zipRight(slot, Effect.zipRight(Effect.sync(() => came.push(name)), stay)))
      const first = yield* Effect.fork(visit("first", Effect.never))
      yield* until(() => came.length === 1)
      const others = [yield* Effect.fork(visit("second", Effect.void)), yield* Effect.fork(visit("third", Effect.void))]
      yield* Effect.yieldNow()
      const refused = yield* Effect.flip(visit("fourth", Effect.void))
      assert.strictEqual(refused._tag, "ModelUnavailable", "our own queue is nobody's limit")
      assert.strictEqual(refused.message, "Too many requests wait for the speech server already")
      assert.strictEqual("retryAfter" in refused && refused.retryAfter && Duration.toSeconds(refused.retryAfter), 10)
      yield* Fiber.interrupt(first)
      yield* Effect.forEach(others, Fiber.join)
      assert.deepStrictEqual(came, ["first", "second", "third"])
    }))

  it.scoped("are waited for up to the timeout", () =>
    Effect.gen(function*() {
      const { slot } = yield* serverBefore([], { concurrency: 1, queueTimeout: "3 seconds" })
      const holding = yield* Effect.fork(Effect.scoped(Effect.zipRight(slot, Effect.never)))
      yield* Effect.yieldNow()
      const waiting = yield* Effect.fork(Effect.flip(Effect.scoped(slot)))
      yield* Effect.yieldNow()
      yield* TestClock.adjust("3 seconds")
      const failure = yield* Fiber.join(waiting)
      assert.strictEqual(failure._tag, "ModelUnavailable")
      assert.strictEqual("retryAfter" in failure && failure.retryAfter && Duration.toSeconds(failure.retryAfter), 3)
      yield* Fiber.interrupt(holding)
      yield* Effect.scoped(slot)
    }))

  it.scoped("may be released before the scope closes, once only", () =>
    Effect.gen(function*() {
      const { slot } = yield* serverBefore([], { concurrency: 1, waiting: 0 })
      yield* Effect.scoped(Effect.gen(function*() {
        const leave = yield* slot
        leave()
        leave()
        yield* Effect.scoped(slot)
        yield* slot
        assert.strictEqual((yield* Effect.flip(slot))._tag, "ModelUnavailable")
      }))
      yield* slot
      assert.strictEqual((yield* Effect.flip(slot))._tag, "ModelUnavailable")
    }))

  it.scoped("are free again when the request that has them or waits for them is interrupted", () =>
    Effect.gen(function*() {
      const { slot } = yield* serverBefore([], { concurrency: 1 })
      const stay = Effect.scoped(Effect.zipRight(slot, Effect.never))
      const [first, second] = [yield* Effect.fork(stay), yield* Effect.fork(stay)]
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(second)
      yield* Fiber.interrupt(first)
      yield* Effect.scoped(slot)
      yield* Effect.scoped(slot)
    }))
})
