import { type AttemptId, bracketNow, type PhoneNumber, type Scope, scopeKey } from "@trunkline/kernel"
import { Context, Effect, FiberSet, Layer } from "effect"
import type { Attempt } from "../call/Attempt.js"

/** Supervisor of the calls in progress. Shutdown waits for them. */
export class LiveCalls extends Context.Tag("@trunkline/telephony/LiveCalls")<LiveCalls, {
  /** Runs a call in the background; returns false, and starts nothing, after `close`. */
  readonly start: (call: Effect.Effect<void>) => Effect.Effect<boolean>
  /** Number of calls in progress. */
  readonly count: Effect.Effect<number>
  /** Rejects new calls and completes when the last call has ended. */
  readonly close: Effect.Effect<void>
}>() {
  static readonly layer = Layer.scoped(
    LiveCalls,
    Effect.gen(function*() {
      const calls = yield* FiberSet.make<void>()
      let isClosed = false
      return LiveCalls.of({
        start: (call) =>
          Effect.suspend(() =>
            isClosed ? Effect.succeed(false) : Effect.as(FiberSet.run(calls, Effect.interruptible(call)), true)
          ),
        count: FiberSet.size(calls),
        close: Effect.suspend(() => {
          isClosed = true
          return FiberSet.awaitEmpty(calls)
        })
      })
    })
  )
}

/** Registry of the attempts and phone numbers that this process is calling. */
export class CallRegistry extends Context.Tag("@trunkline/telephony/CallRegistry")<CallRegistry, {
  /** Registers an attempt. Registrations are counted. */
  readonly add: (id: AttemptId) => Effect.Effect<void>
  /** Undoes one registration. */
  readonly remove: (id: AttemptId) => Effect.Effect<void>
  /** Registers an attempt, and its phone number as busy, while the effect runs. */
  readonly track: (attempt: Attempt) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Says how the call of an attempt is ended while an effect runs. An end that was asked for before comes first. */
  readonly endingBy: (
    id: AttemptId,
    end: Effect.Effect<void>
  ) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Ends the call of an attempt, or as soon as it can be; false where this process does not carry it. */
  readonly end: (id: AttemptId) => Effect.Effect<boolean>
  /** Says how the call of an attempt is left to another process while an effect runs. */
  readonly leavingBy: (
    id: AttemptId,
    leave: Effect.Effect<void>
  ) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Number of calls that can be left to another process now. */
  readonly leavable: Effect.Effect<number>
  /** Leaves all of these calls to other processes. Completes when nothing more of them happens here. */
  readonly leave: Effect.Effect<void>
  /** True when this process has registered the attempt. */
  readonly has: (id: AttemptId) => Effect.Effect<boolean>
  /** The given numbers that are on a call with the workspace, inbound or outbound. */
  readonly busyNumbers: (scope: Scope, numbers: ReadonlyArray<PhoneNumber>) => Effect.Effect<ReadonlySet<PhoneNumber>>
}>() {
  /** Keeps the registry in this process. */
  static readonly layer = Layer.sync(CallRegistry, () => {
    const attempts = new Map<AttemptId, number>()
    const phones = new Map<string, number>()
    const ends = new Map<AttemptId, Effect.Effect<void>>()
    const hangUps = new Set<AttemptId>()
    const leaves = new Map<AttemptId, Effect.Effect<void>>()
    const count = <K>(of: Map<K, number>, key: K, by: 1 | -1) => {
      const after = (of.get(key) ?? 0) + by
      if (after <= 0) of.delete(key)
      else of.set(key, after)
      return after
    }
    const remove = (id: AttemptId) => {
      if (count(attempts, id, -1) <= 0) hangUps.delete(id)
    }
    return CallRegistry.of({
      add: (id) => Effect.sync(() => void count(attempts, id, 1)),
      remove: (id) => Effect.sync(() => remove(id)),
      track: (attempt) => (effect) =>
        bracketNow(() => {
          const { attempt_id } = attempt
          const phone = phoneKey(attempt, attempt.user_phone_number)
          count(attempts, attempt_id, 1)
          count(phones, phone, 1)
          const end = () => {
            remove(attempt_id)
            count(phones, phone, -1)
          }
          return { work: () => effect, end }
        }),
      endingBy: (id, end) => (effect) =>
        bracketNow(() => {
          ends.set(id, end)
          return {
            work: () => hangUps.delete(id) ? Effect.zipRight(end, effect) : effect,
            end: () => ends.delete(id)
          }
        }),
      end: (id) =>
        Effect.suspend(() => {
          if (!attempts.has(id)) return Effect.succeed(false)
          const end = ends.get(id)
          if (end === undefined) hangUps.add(id)
          return Effect.as(end ?? Effect.void, true)
        }),
      leavingBy: (id, leave) => (effect) =>
        bracketNow(() => {
          leaves.set(id, leave)
          return { work: () => effect, end: () => leaves.delete(id) }
        }),
      leavable: Effect.sync(() => leaves.size),
      leave: Effect.suspend(() =>
        Effect.forEach(Array.from(leaves.values()), (leave) => leave, { concurrency: "unbounded", discard: true })
      ),
      has: (id) => Effect.sync(() => attempts.has(id)),
      busyNumbers: (scope, numbers) =>
        Effect.sync(() => new Set(numbers.filter((one) => phones.has(phoneKey(scope, one)))))
    })
  })
}

const phoneKey = (scope: Scope, number: PhoneNumber) => `${scopeKey(scope)} ${number}`
