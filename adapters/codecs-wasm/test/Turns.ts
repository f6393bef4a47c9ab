import { macroTask } from "@trunkline/kernel"
import { Effect, Fiber } from "effect"

/** How often the event loop turns while something is done. */
export const turnsDuring = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    let turns = 0
    const turning = yield* Effect.fork(Effect.forever(Effect.zipRight(macroTask, Effect.sync(() => void (turns += 1)))))
    yield* work
    yield* Fiber.interrupt(turning)
    return turns
  })
