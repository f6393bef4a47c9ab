import { assert } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import type { FakeUpstream } from "./FakeUpstream.js"

/** How long an upstream may go on after nobody waits for it, in ms (design: llm 2.1). */
const prompt = 50

/** How often it may take longer, since others use the machine. */
const tries = 5

/** Looks again and again until something holds. */
export const until = (holds: () => boolean) =>
  Effect.iterate(0, { while: () => !holds(), body: () => Effect.as(Effect.sleep(2), 0) })

/** Interrupts an answer that an upstream is at, and gives the ms until its connection is seen to close. */
export const closesAfter = (upstream: FakeUpstream, answer: Effect.Effect<unknown, unknown>) =>
  Effect.gen(function*() {
    const before = upstream.requests.length
    const fiber = yield* Effect.fork(answer)
    yield* until(() => upstream.requests.length > before)
    yield* Effect.sleep(20)
    const interrupted = performance.now()
    assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
    const closed = yield* Effect.promise(async () => upstream.requests.at(-1)?.closed)
    return (closed ?? Number.POSITIVE_INFINITY) - interrupted
  })

/** The shortest of some measurements; the first that is prompt will do. */
const atBest = (measure: Effect.Effect<number, unknown>) =>
  Effect.iterate({ best: Number.POSITIVE_INFINITY, made: 0 }, {
    while: ({ best, made }) => best >= prompt && made < tries,
    body: ({ best, made }) => Effect.map(measure, (millis) => ({ best: Math.min(best, millis), made: made + 1 }))
  })

/** Asserts that something is prompt, at its best. */
export const assertPrompt = (measure: Effect.Effect<number, unknown>) =>
  Effect.map(atBest(measure), ({ best }) => assert.isBelow(best, prompt))
