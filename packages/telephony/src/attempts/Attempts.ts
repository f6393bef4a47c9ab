import {
  type AttemptId,
  BusinessTime,
  makeBatches,
  type NextActionStatus,
  retryForever,
  Transactions
} from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import { type CallOutcome, summarizeOutcome } from "../calls/CallOutcome.js"
import { attemptEnded } from "../live/LiveEvent.js"
import { LiveFeed } from "../live/LiveFeed.js"
import type { Attempt } from "./Attempt.js"
import { AttemptStore } from "./AttemptStore.js"

/** Listener for ended attempts. */
export class AttemptListener extends Context.Tag("@trunkline/telephony/AttemptListener")<AttemptListener, {
  /**
   * Runs inside the transaction that ends the attempt, so its writes commit with the result or not at all.
   * `attempt.result` is set.
   */
  readonly ended: (attempt: Attempt) => Effect.Effect<void>
  /** Runs after the transaction has committed, to wake the workers that process what was stored. */
  readonly committed: (attempt: Attempt) => Effect.Effect<void>
}>() {
  /** Ignores ended attempts. */
  static readonly layerNone = Layer.succeed(AttemptListener, { ended: () => Effect.void, committed: () => Effect.void })
}

/** An end of an attempt. */
export interface AttemptEnd {
  readonly attempt_id: AttemptId
  readonly outcome: CallOutcome
  /** Decides the contact's next action and stores its consequences; nothing by default. */
  readonly conclude?: Effect.Effect<NextActionStatus | null>
}

/** Most ends in one transaction, so that none holds up the store for long. */
const maxEnds = 100

/** Ends attempts exactly once. */
export class Attempts extends Context.Tag("@trunkline/telephony/Attempts")<Attempts, {
  /**
   * Stores the result and notifies the listener in one transaction. `conclude` runs first in that transaction. Returns
   * false, and changes nothing, when the attempt already has a result.
   *
   * Attempts that end at the same time share a transaction; it is run again for each of them if it fails.
   */
  readonly end: (end: AttemptEnd) => Effect.Effect<boolean>
}>() {
  static readonly layer = Layer.scoped(
    Attempts,
    Effect.gen(function*() {
      const store = yield* AttemptStore
      const transactions = yield* Transactions
      const listener = yield* AttemptListener
      const feed = yield* LiveFeed

      const endOne = ({ attempt_id, conclude = Effect.succeed(null), outcome }: AttemptEnd) =>
        Effect.gen(function*() {
          const attempt = yield* store.find(attempt_id)
          if (Option.isNone(attempt) || attempt.value.state === "ended") return Option.none()
          const next_action_status = yield* conclude
          const finished_at = yield* BusinessTime.now
          const result = { ...summarizeOutcome(outcome, next_action_status), next_action_status, finished_at }
          const stored = yield* store.end(attempt_id, result)
          yield* Option.match(stored, { onNone: () => Effect.void, onSome: listener.ended })
          return Option.map(stored, (attempt) => ({ attempt, result }))
        })
      const ends = yield* makeBatches({
        limit: maxEnds,
        run: (ends: ReadonlyArray<AttemptEnd>) => transactions.run(Effect.forEach(ends, endOne))
      })

      return Attempts.of({
        end: Effect.fnUntraced(function*(end) {
          const ended = yield* retryUntilStored(ends.submit(end))
          if (Option.isNone(ended)) return false
          yield* feed.publish(ended.value.attempt, () => attemptEnded(ended.value.attempt, ended.value.result))
          yield* listener.committed(ended.value.attempt)
          return true
        })
      })
    })
  )
}

/** Retries until the result is stored: a full disk or a locked file may recover. */
const retryUntilStored = retryForever({
  message: "The result of an attempt could not be stored",
  initialDelay: "250 millis",
  maxDelay: "30 seconds"
})
