import { type BreakerOptions, type LanguageModel, withCircuitBreakers } from "@trunkline/models"
import { fails, fakeModel, type FakeStep } from "@trunkline/models/testing"
import { Effect, Fiber } from "effect"
import { failed } from "./Failures.js"
import { ask } from "./Reading.js"

export const few: BreakerOptions = {
  minimumCalls: 4,
  failureThreshold: 0.5,
  window: "30 seconds",
  openFor: "15 seconds"
}

/** A model that gives these answers, in front of which the circuit has just opened. */
export const openBefore = (...scripts: ReadonlyArray<ReadonlyArray<FakeStep>>) =>
  Effect.gen(function*() {
    const inner = fakeModel([...Array.from({ length: 4 }, () => [fails(failed)]), ...scripts])
    const model = withCircuitBreakers(inner, few)
    yield* Effect.repeatN(ask(model), 3)
    return { inner, model }
  })

/** Asks a model that has failed often: whether it is left alone now. */
export const isLeftAlone = (inner: { readonly calls: ReadonlyArray<unknown> }, model: LanguageModel["Type"]) =>
  Effect.gen(function*() {
    const before = inner.calls.length
    yield* Effect.fork(ask(model)).pipe(
      Effect.flatMap((fiber) => Effect.zipRight(Effect.yieldNow(), Fiber.interrupt(fiber)))
    )
    return inner.calls.length === before
  })
