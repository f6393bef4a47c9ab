import { CallAnalytics, type CallReference, Recordings } from "@trunkline/analytics"
import { Runs } from "@trunkline/boards"
import { Bus, retryForever, Scope, Transactions } from "@trunkline/kernel"
import { CallTraces } from "@trunkline/replay/trace"
import { AttemptStore } from "@trunkline/telephony"
import { FactsLog, Projector } from "@trunkline/warehouse"
import { Context, Effect, Layer, Schema } from "effect"

/** Erases personal data of contacts from analytics, as privacy laws require. */
export class Erasure extends Context.Tag("@trunkline/engine/Erasure")<Erasure, {
  /**
   * Erases the analytics data of a contact: records of attempts, transcripts with the arguments and results of tools,
   * recordings, traces, facts, and cached query results. Returns the number of erased attempts. Data that campaigns need (cohorts,
   * contacts, attempts without their transcripts) and webhooks stay.
   *
   * @param user_identifier - Identifier of the contact in cohorts and calls.
   */
  readonly user: (scope: Scope, user_identifier: string) => Effect.Effect<number>
}>() {
  static readonly layer = Layer.scoped(
    Erasure,
    Effect.gen(function*() {
      const analytics = yield* CallAnalytics
      const attempts = yield* AttemptStore
      const facts = yield* FactsLog
      const projector = yield* Projector
      const recordings = yield* Recordings
      const traces = yield* CallTraces
      const runs = yield* Runs
      const transactions = yield* Transactions
      const bus = yield* Bus

      const removeFiles = (scope: Scope, calls: ReadonlyArray<CallReference>) =>
        Effect.forEach(
          calls,
          ({ attempt_id, interaction_id }) =>
            Effect.zipRight(
              traces.remove(scope, attempt_id),
              interaction_id === null ? Effect.void : recordings.remove(scope, interaction_id)
            ),
          { discard: true }
        )

      /** Deletes the records that lead to the recordings last, so that an interrupted erasure can be repeated. */
      const erase = (scope: Scope, user_identifier: string) =>
        Effect.gen(function*() {
          yield* removeFiles(scope, yield* analytics.ofUser(scope, user_identifier))
          const calls = yield* transactions.run(Effect.gen(function*() {
            const calls = yield* analytics.ofUser(scope, user_identifier)
            yield* analytics.erase(scope, calls.map(({ attempt_id }) => attempt_id))
            const erasedReferences = [...calls, ...yield* facts.erase(scope, user_identifier)]
            yield* attempts.eraseTranscripts(erasedReferences.map(({ attempt_id }) => attempt_id))
            return erasedReferences
          }))
          yield* removeFiles(scope, calls)
          return new Set(calls.map(({ attempt_id }) => attempt_id)).size
        })

      /** Removes what was erased from the warehouse and the cached results of this process. */
      const forget = (scope: Scope) => Effect.zipRight(projector.catchUp(scope), runs.invalidate(scope))

      /** Erasures in other processes; what no hint tells of, the projector finds in the log of facts. */
      const hear = Effect.flatMap(
        bus.subscribe(erasedTopic),
        (next) =>
          Effect.flatMap(next, (hint) => hint === null ? Effect.void : forget(decodeScope(hint))).pipe(
            retryForever({
              message: "An erasure in another process could not be followed",
              initialDelay: "1 second",
              maxDelay: "1 minute"
            }),
            Effect.forever,
            Effect.forkScoped
          )
      )
      if (bus.isShared) yield* hear

      return Erasure.of({
        user: Effect.fn("Erasure.user")((scope: Scope, user_identifier: string) =>
          erase(scope, user_identifier).pipe(
            Effect.tap(forget(scope)),
            Effect.tap(bus.publish(erasedTopic, encodeScope(scope))),
            Effect.uninterruptible
          )
        )
      })
    })
  )
}

/** Topic of hints that data of a workspace was erased. */
const erasedTopic = "erased"

const scopeJson = Schema.parseJson(Scope)
const decodeScope = Schema.decodeSync(scopeJson)
const encodeScope = Schema.encodeSync(scopeJson)
