import { macroTask } from "@trunkline/kernel"
import { Effect, Fiber } from "effect"

/** Number of turns of the event loop during some work. */
export const eventLoopTurns = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    let turns = 0
    const turning = yield* Effect.fork(Effect.forever(Effect.zipRight(macroTask, Effect.sync(() => void (turns += 1)))))
    yield* work
    yield* Fiber.interrupt(turning)
    return turns
  })
