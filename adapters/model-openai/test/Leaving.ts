import { assert } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import type { FakeUpstream } from "./FakeUpstream.js"

/** Looks again and again until something holds. */
export const until = (holds: () => boolean) =>
  Effect.iterate(0, { while: () => !holds(), body: () => Effect.as(Effect.sleep(2), 0) })

/** Interrupts an answer that an upstream is at, and completes once the upstream sees its connection close. */
export const closesWhenInterrupted = (upstream: FakeUpstream, answer: Effect.Effect<unknown, unknown>) =>
  Effect.gen(function*() {
    const before = upstream.requests.length
    const fiber = yield* Effect.fork(answer)
    yield* until(() => upstream.requests.length > before)
    yield* Effect.sleep(20)
    assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
    yield* Effect.promise(async () => upstream.requests.at(-1)?.closed)
  })
