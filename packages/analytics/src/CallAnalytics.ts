import { NotFound, type Overloaded, type TimedOut } from "@trunkline/errors"
import {
  type AppId,
  type AttemptId,
  hmacSha256,
  type InteractionId,
  type PhoneNumber,
  type Scope,
  trusted
} from "@trunkline/kernel"
import { Array, Context, Effect, Encoding, Layer, Redacted } from "effect"
import { AnalyticsOptions } from "./AnalyticsOptions.js"
import type { CallQuery } from "./CallQuery.js"
import { CallRecord } from "./CallRecord.js"
import { CallRecords, type CallReference } from "./CallRecords.js"
import type { Listed } from "./CallSearch.js"
import { type AttemptItem, type InteractionItem, toAttemptItem, toInteractionItem } from "./Items.js"
import { type Recording, Recordings } from "./Recordings.js"
import type { Transcript } from "./Transcript.js"

/** One ended attempt, as the engine reports it. */
export type EndedCall = Omit<CallRecord, "user_contact_hashed">

/** The SHA-256 of a number in E.164, keyed by the salt (HMAC), as 64 lower-case hex digits (shapes 6.1). */
export const hashContact = (contact: PhoneNumber, salt: Redacted.Redacted): Effect.Effect<string> =>
  Effect.map(hmacSha256(Redacted.value(salt), contact), Encoding.encodeHex)

/** What came of the calls of an agent: reported by the engine, read in lists. */
export class CallAnalytics extends Context.Tag("@trunkline/analytics/CallAnalytics")<CallAnalytics, {
  /**
   * Keeps an ended attempt and the words of its conversation, in place of an earlier report of the same attempt.
   * Joins the running transaction.
   */
  readonly record: (call: EndedCall, transcript: Transcript | null) => Effect.Effect<void>
  /** The attempts for a person, by the identifier that cohorts and calls gave them. Joins the running transaction. */
  readonly ofUser: (scope: Scope, user_identifier: string) => Effect.Effect<ReadonlyArray<CallReference>>
  /** Erases what was kept of these attempts, words and all. Joins the running transaction. */
  readonly erase: (scope: Scope, attempt_ids: ReadonlyArray<AttemptId>) => Effect.Effect<void>
  /** The attempts of an agent, connected or not. */
  readonly attempts: (
    scope: Scope,
    app_id: AppId,
    query: CallQuery
  ) => Effect.Effect<Listed<AttemptItem>, TimedOut | Overloaded>
  /** The conversations of an agent. */
  readonly interactions: (
    scope: Scope,
    app_id: AppId,
    query: CallQuery
  ) => Effect.Effect<Listed<InteractionItem>, TimedOut | Overloaded>
  /** The words of one conversation of an agent. */
  readonly transcript: (
    scope: Scope,
    app_id: AppId,
    interaction_id: InteractionId
  ) => Effect.Effect<Transcript, NotFound>
  /** What one conversation of an agent sounded like. */
  readonly recording: (
    scope: Scope,
    app_id: AppId,
    interaction_id: InteractionId
  ) => Effect.Effect<Recording, NotFound>
}>() {
  static readonly layer = Layer.effect(
    CallAnalytics,
    Effect.gen(function*() {
      const records = yield* CallRecords
      const recordings = yield* Recordings
      const { contactSalt, exposeUserContact } = yield* AnalyticsOptions

      const record = Effect.fnUntraced(function*(call: EndedCall, transcript: Transcript | null) {
        const user_contact_hashed = yield* hashContact(call.user_contact, contactSalt)
        yield* records.record(new CallRecord({ ...call, user_contact_hashed }, trusted), transcript)
      })

      const attempts = Effect.fn("CallAnalytics.attempts")(function*(scope: Scope, app_id: AppId, query: CallQuery) {
        const { items, total } = yield* records.query({ scope, app_id, kind: "attempts", query })
        return { items: items.map((record) => toAttemptItem(record, { exposeUserContact })), total }
      })

      const interactions = Effect.fn("CallAnalytics.interactions")(
        function*(scope: Scope, app_id: AppId, query: CallQuery) {
          const { items, total } = yield* records.query({ scope, app_id, kind: "interactions", query })
          return { items: Array.filterMap(items, toInteractionItem), total }
        }
      )

      const transcript = Effect.fn("CallAnalytics.transcript")(
        function*(scope: Scope, app_id: AppId, interaction_id: InteractionId) {
          const found = yield* records.transcript({ scope, app_id, interaction_id })
          return yield* Effect.mapError(found, () => new NotFound({ resource: "transcript", id: interaction_id }))
        }
      )

      const recording = Effect.fn("CallAnalytics.recording")(
        function*(scope: Scope, app_id: AppId, interaction_id: InteractionId) {
          const missing = () => new NotFound({ resource: "recording", id: interaction_id })
          yield* Effect.mapError(yield* records.transcript({ scope, app_id, interaction_id }), missing)
          return yield* Effect.mapError(yield* recordings.find(scope, interaction_id), missing)
        }
      )

      return CallAnalytics.of({
        record,
        ofUser: records.ofUser,
        erase: records.erase,
        attempts,
        interactions,
        transcript,
        recording
      })
    })
  )
}
