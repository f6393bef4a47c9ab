import { type AttemptId, BusinessTime, type NextActionStatus, steadily, Transactions } from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import { type CallOutcome, verdict } from "../calls/CallOutcome.js"
import { attemptEnded } from "../live/LiveEvent.js"
import { LiveFeed } from "../live/LiveFeed.js"
import type { Attempt } from "./Attempt.js"
import { AttemptStore } from "./AttemptStore.js"

/** Told of every attempt's end, inside the transaction that ends it: what it stores is kept with the result or not at all. */
export class AttemptListener extends Context.Tag("@trunkline/telephony/AttemptListener")<AttemptListener, {
  /** `attempt.result` is set. */
  readonly ended: (attempt: Attempt) => Effect.Effect<void>
  /** Called after the transaction is kept, to wake whoever works on what was stored. */
  readonly kept: (attempt: Attempt) => Effect.Effect<void>
}>() {
  /** Nobody listens. */
  static readonly layerNone = Layer.succeed(AttemptListener, { ended: () => Effect.void, kept: () => Effect.void })
}

/** Ends attempts, exactly once each. */
export class Attempts extends Context.Tag("@trunkline/telephony/Attempts")<Attempts, {
  /**
   * Writes the result and tells the listener, in one transaction. `conclude` runs in it first: it decides what happens
   * next for the person and stores what follows from that. False when the attempt had a result already: then nothing
   * is done.
   */
  readonly end: (options: {
    readonly attempt_id: AttemptId
    readonly outcome: CallOutcome
    readonly conclude?: Effect.Effect<NextActionStatus | null>
  }) => Effect.Effect<boolean>
}>() {
  static readonly layer = Layer.effect(
    Attempts,
    Effect.gen(function*() {
      const store = yield* AttemptStore
      const transactions = yield* Transactions
      const listener = yield* AttemptListener
      const feed = yield* LiveFeed
      return Attempts.of({
        end: Effect.fnUntraced(function*({ attempt_id, conclude = Effect.succeed(null), outcome }) {
          const kept = yield* transactions.run(Effect.gen(function*() {
            const attempt = yield* store.find(attempt_id)
            if (Option.isNone(attempt) || attempt.value.state === "ended") return Option.none()
            const next_action_status = yield* conclude
            const finished_at = yield* BusinessTime.now
            const result = { ...verdict(outcome, next_action_status), next_action_status, finished_at }
            const stored = yield* store.end(attempt_id, result)
            yield* Option.match(stored, { onNone: () => Effect.void, onSome: listener.ended })
            return Option.map(stored, (attempt) => ({ attempt, result }))
          })).pipe(retryUntilStored)
          if (Option.isNone(kept)) return false
          yield* feed.publish(kept.value.attempt, () => attemptEnded(kept.value.attempt, kept.value.result))
          yield* listener.kept(kept.value.attempt)
          return true
        })
      })
    })
  )
}

/** A result that cannot be stored now (a full disk, a locked file) is tried again until it can. */
const retryUntilStored = steadily({
  message: "The result of an attempt could not be stored",
  first: "250 millis",
  longest: "30 seconds"
})
