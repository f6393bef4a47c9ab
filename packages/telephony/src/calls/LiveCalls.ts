import { type AttemptId, type PhoneNumber, type Scope, scopeKey } from "@trunkline/kernel"
import { Context, Deferred, Effect, FiberSet, Layer } from "effect"
import type { Attempt } from "../attempts/Attempt.js"

/** The calls that are going on: every one has an owner, and shutting down waits for them. */
export class LiveCalls extends Context.Tag("@trunkline/telephony/LiveCalls")<LiveCalls, {
  /** Carries a call out in the background. After `close` nothing is started any more: false. */
  readonly start: (call: Effect.Effect<void>) => Effect.Effect<boolean>
  /** How many there are. */
  readonly count: Effect.Effect<number>
  /** Starts nothing new, and completes when the last call is over. */
  readonly close: Effect.Effect<void>
}>() {
  static readonly layer = Layer.scoped(
    LiveCalls,
    Effect.gen(function*() {
      const calls = yield* FiberSet.make<void>()
      const closed = yield* Deferred.make<void>()
      return LiveCalls.of({
        start: (call) =>
          Effect.flatMap(
            Deferred.isDone(closed),
            (done) => done ? Effect.succeed(false) : Effect.as(FiberSet.run(calls, Effect.interruptible(call)), true)
          ),
        count: FiberSet.size(calls),
        close: Effect.zipRight(Deferred.succeed(closed, undefined), FiberSet.awaitEmpty(calls))
      })
    })
  )
}

/** The attempts that this process carries: every live call belongs to one of them, or to nobody. */
export class CarriedCalls extends Context.Tag("@trunkline/telephony/CarriedCalls")<CarriedCalls, {
  /** Carries an attempt from now on, once more than before. */
  readonly add: (id: AttemptId) => Effect.Effect<void>
  /** Carries it once less. */
  readonly remove: (id: AttemptId) => Effect.Effect<void>
  /** Carries an attempt for as long as an effect runs, during which its person counts as on the phone. */
  readonly carrying: (attempt: Attempt) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Whether somebody here carries it. */
  readonly has: (id: AttemptId) => Effect.Effect<boolean>
  /** Those of these numbers that the workspace is on the phone with, whoever called whom. */
  readonly talking: (scope: Scope, numbers: ReadonlyArray<PhoneNumber>) => Effect.Effect<ReadonlySet<PhoneNumber>>
}>() {
  /** Counted in this process. */
  static readonly layer = Layer.sync(CarriedCalls, () => {
    const carried = new Map<AttemptId, number>()
    const phones = new Map<string, number>()
    const count = <K>(of: Map<K, number>, key: K, by: 1 | -1) => {
      const after = (of.get(key) ?? 0) + by
      if (after <= 0) of.delete(key)
      else of.set(key, after)
    }
    const change = (attempt: Attempt, by: 1 | -1) =>
      Effect.sync(() => {
        count(carried, attempt.attempt_id, by)
        count(phones, phoneKey(attempt, attempt.user_phone_number), by)
      })
    return CarriedCalls.of({
      add: (id) => Effect.sync(() => count(carried, id, 1)),
      remove: (id) => Effect.sync(() => count(carried, id, -1)),
      carrying: (attempt) => (effect) =>
        Effect.acquireUseRelease(change(attempt, 1), () => effect, () => change(attempt, -1)),
      has: (id) => Effect.sync(() => carried.has(id)),
      talking: (scope, numbers) => Effect.sync(() => new Set(numbers.filter((one) => phones.has(phoneKey(scope, one)))))
    })
  })
}

const phoneKey = (scope: Scope, number: PhoneNumber) => `${scopeKey(scope)} ${number}`
