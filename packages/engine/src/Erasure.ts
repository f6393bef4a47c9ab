import { CallAnalytics, Recordings } from "@trunkline/analytics"
import { type Scope, Transactions } from "@trunkline/kernel"
import { FactsLog, Projector } from "@trunkline/warehouse"
import { Context, Effect, Layer } from "effect"

/** Forgets people, where the law or they themselves ask for it. */
export class Erasure extends Context.Tag("@trunkline/engine/Erasure")<Erasure, {
  /**
   * Erases what analytics keeps of a person by the identifier that cohorts and calls gave them: the records of their
   * attempts, the words and recordings of their conversations, and their facts, which have left the boards when this completes. Says
   * how many attempts that were. What campaigns still need to do their work, and webhooks that wait, stay.
   */
  readonly user: (scope: Scope, user_identifier: string) => Effect.Effect<number>
}>() {
  static readonly layer = Layer.effect(
    Erasure,
    Effect.gen(function*() {
      const analytics = yield* CallAnalytics
      const facts = yield* FactsLog
      const projector = yield* Projector
      const recordings = yield* Recordings
      const transactions = yield* Transactions
      return Erasure.of({
        user: Effect.fn("Erasure.user")(function*(scope: Scope, user_identifier: string) {
          const erased = yield* transactions.run(
            Effect.tap(
              facts.erase(scope, user_identifier),
              (erased) => analytics.erase(scope, erased.map(({ attempt_id }) => attempt_id))
            )
          )
          yield* Effect.forEach(
            erased,
            ({ interaction_id }) => interaction_id === null ? Effect.void : recordings.remove(scope, interaction_id),
            { discard: true }
          )
          yield* projector.catchUp(scope)
          return erased.length
        })
      })
    })
  )
}
