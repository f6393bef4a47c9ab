import { NotFound, type Overloaded, type TimedOut, Unavailable } from "@trunkline/errors"
import {
  type AfterCallResult,
  type AppId,
  type AttemptId,
  type CostLedger,
  Hmac,
  type InteractionId,
  type PhoneNumber,
  type Scope,
  uncheckedInstance
} from "@trunkline/kernel"
import { Array, Context, Effect, Encoding, Layer, Redacted } from "effect"
import type { CallQuery } from "./CallQuery.js"
import { CallRecord, type ModelInput, type Transcript } from "./CallRecord.js"
import { CallRecords, type CallReference } from "./CallRecords.js"
import type { CallSearch, ListResult } from "./CallSearch.js"
import {
  type AttemptDetail,
  type AttemptItem,
  type InteractionItem,
  toAttemptDetail,
  toAttemptItem,
  toInteractionItem
} from "./Items.js"
import { type Recording, Recordings } from "./Recordings.js"

/** Treatment of phone numbers in call analytics. */
export class AnalyticsOptions extends Context.Tag("@trunkline/analytics/AnalyticsOptions")<AnalyticsOptions, {
  /** True to show full numbers in attempt items. */
  readonly exposeUserContact: boolean
  /** Key of contact hashes. Never change it: another key gives the same contact another hash. */
  readonly contactSalt: Redacted.Redacted
}>() {
  /** Provides the options; `exposeUserContact` is false by default. */
  static readonly layer = (
    options: { readonly contactSalt: Redacted.Redacted; readonly exposeUserContact?: boolean }
  ) => Layer.succeed(AnalyticsOptions, { exposeUserContact: false, ...options })
}

/** Tells which agents exist. By default every agent does. */
export class KnownAgents extends Context.Reference<KnownAgents>()("@trunkline/analytics/KnownAgents", {
  defaultValue: (): KnownAgents.Service => ({ includes: () => Effect.succeed(true) })
}) {}

export declare namespace KnownAgents {
  /** Service of the reference. */
  export interface Service {
    /** True if the workspace has the agent. */
    readonly includes: (scope: Scope, app_id: AppId) => Effect.Effect<boolean>
  }
}

/** An ended attempt as the engine reports it. */
export type EndedCall = Omit<CallRecord, "user_contact_hashed">

/** An ended attempt with the transcript of its conversation, if there was one, and what its model was sent. */
export interface ReportedCall {
  readonly call: EndedCall
  readonly transcript: Transcript | null
  /** In order; absent where the model was sent nothing, or where it is not kept. */
  readonly modelInputs?: ReadonlyArray<ModelInput>
}

/** HMAC-SHA256 of a number in E.164 with the salt as its key, as 64 lower-case hex digits. */
export const hashContact = (contact: PhoneNumber, salt: Redacted.Redacted): Effect.Effect<string> =>
  Effect.map(Hmac, (hmac) => hasherOf(hmac, salt)(contact))

const utf8 = new TextEncoder()

/** Hashes contacts with a salt. */
const hasherOf = (hmac: Context.Tag.Service<Hmac>, salt: Redacted.Redacted) => {
  const key = utf8.encode(Redacted.value(salt))
  return (contact: PhoneNumber): string => Encoding.encodeHex(hmac(key, utf8.encode(contact)))
}

/**
 * Records of an agent's calls, reported by the engine and read in lists.
 *
 * @example
 * ```ts
 * const analytics = yield* CallAnalytics
 * const { items, total } = yield* analytics.attempts(scope, app_id, query)
 * ```
 */
export class CallAnalytics extends Context.Tag("@trunkline/analytics/CallAnalytics")<CallAnalytics, {
  /**
   * Stores ended attempts in order, each with the transcript of its conversation, replacing earlier reports of the same
   * attempt. Returns the stored records in the same order. Joins the running transaction.
   */
  readonly recordMany: (calls: ReadonlyArray<ReportedCall>) => Effect.Effect<ReadonlyArray<CallRecord>>
  /**
   * Stores what was found out about an ended attempt after its end. Returns false when there is no record, as after an erasure. Joins
   * the running transaction.
   */
  readonly evaluate: (scope: Scope, attempt_id: AttemptId, after_call: AfterCallResult) => Effect.Effect<boolean>
  /** Lists the attempts for a user by the identifier from cohorts and calls. Joins the running transaction. */
  readonly ofUser: (scope: Scope, user_identifier: string) => Effect.Effect<ReadonlyArray<CallReference>>
  /** Erases attempts, their transcripts and what their models were sent. Joins the running transaction. */
  readonly erase: (scope: Scope, attempt_ids: ReadonlyArray<AttemptId>) => Effect.Effect<void>
  /** Finds an ended attempt of the workspace, with its transcript and what its model was sent. */
  readonly attempt: (scope: Scope, attempt_id: AttemptId) => Effect.Effect<AttemptDetail, NotFound>
  /**
   * Changes the costs of an ended attempt, which are null where they are not known. Returns the stored record. Joins the running
   * transaction.
   */
  readonly reviseCosts: (
    scope: Scope,
    attempt_id: AttemptId,
    change: (costs: CostLedger | null) => CostLedger
  ) => Effect.Effect<CallRecord, NotFound>
  /** Lists the attempts of an agent, connected or not. Fails with `NotFound` if there is no such agent, nor a call of it. */
  readonly attempts: (
    scope: Scope,
    app_id: AppId,
    query: CallQuery
  ) => Effect.Effect<ListResult<AttemptItem>, NotFound | TimedOut | Overloaded>
  /** Lists the conversations of an agent. Fails with `NotFound` if there is no such agent, nor a conversation of it. */
  readonly interactions: (
    scope: Scope,
    app_id: AppId,
    query: CallQuery
  ) => Effect.Effect<ListResult<InteractionItem>, NotFound | TimedOut | Overloaded>
  /** Finds the transcript of a conversation of an agent. */
  readonly transcript: (
    scope: Scope,
    app_id: AppId,
    interaction_id: InteractionId
  ) => Effect.Effect<Transcript, NotFound>
  /** Finds the recording of a conversation of an agent. Fails with `Unavailable` where no key of this server fits it. */
  readonly recording: (
    scope: Scope,
    app_id: AppId,
    interaction_id: InteractionId
  ) => Effect.Effect<Recording, NotFound | Unavailable>
}>() {
  static readonly layer = Layer.effect(
    CallAnalytics,
    Effect.gen(function*() {
      const records = yield* CallRecords
      const recordings = yield* Recordings
      const { contactSalt, exposeUserContact } = yield* AnalyticsOptions

      const knownAgents = yield* KnownAgents
      const hash = hasherOf(yield* Hmac, contactSalt)

      const recordOf = (call: EndedCall): CallRecord =>
        uncheckedInstance(CallRecord, { ...call, user_contact_hashed: hash(call.user_contact) })

      /** A page of calls. Agents that no longer exist are known by their calls, so only an empty list asks. */
      const search = Effect.fnUntraced(function*(search: CallSearch) {
        const page = yield* records.query(search)
        if (page.total === 0 && !(yield* knownAgents.includes(search.scope, search.app_id))) {
          return yield* new NotFound({ resource: "agent", id: search.app_id })
        }
        return page
      })

      const attempt = Effect.fn("CallAnalytics.attempt")(function*(scope: Scope, attempt_id: AttemptId) {
        const record = yield* records.find(scope, attempt_id)
        const call = yield* Effect.mapError(record, () => new NotFound({ resource: "attempt", id: attempt_id }))
        return toAttemptDetail(call, { exposeUserContact })
      })

      const reviseCosts = Effect.fn("CallAnalytics.reviseCosts")(
        function*(scope: Scope, attempt_id: AttemptId, change: (costs: CostLedger | null) => CostLedger) {
          const lookup = yield* records.find(scope, attempt_id)
          const call = yield* Effect.mapError(lookup, () => new NotFound({ resource: "attempt", id: attempt_id }))
          const record = uncheckedInstance(CallRecord, { ...call.record, costs: change(call.record.costs ?? null) })
          yield* records.recordMany([{ ...call, record }])
          return record
        }
      )

      const recordMany = (calls: ReadonlyArray<ReportedCall>) =>
        Effect.suspend(() => {
          const entries = calls.map(({ call, ...parts }) => ({ record: recordOf(call), ...parts }))
          return Effect.as(records.recordMany(entries), entries.map(({ record }) => record))
        })

      const attempts = Effect.fn("CallAnalytics.attempts")(function*(scope: Scope, app_id: AppId, query: CallQuery) {
        const { items, total } = yield* search({ scope, app_id, kind: "attempts", query })
        return { items: items.map((record) => toAttemptItem(record, { exposeUserContact })), total }
      })

      const interactions = Effect.fn("CallAnalytics.interactions")(
        function*(scope: Scope, app_id: AppId, query: CallQuery) {
          const { items, total } = yield* search({ scope, app_id, kind: "interactions", query })
          return { items: Array.filterMap(items, toInteractionItem), total }
        }
      )

      const transcript = Effect.fn("CallAnalytics.transcript")(
        function*(scope: Scope, app_id: AppId, interaction_id: InteractionId) {
          const transcript = yield* records.transcript({ scope, app_id, interaction_id })
          return yield* Effect.mapError(transcript, () => new NotFound({ resource: "transcript", id: interaction_id }))
        }
      )

      const recording = Effect.fn("CallAnalytics.recording")(
        function*(scope: Scope, app_id: AppId, interaction_id: InteractionId) {
          const missing = () => new NotFound({ resource: "recording", id: interaction_id })
          yield* Effect.mapError(yield* records.transcript({ scope, app_id, interaction_id }), missing)
          const lookup = yield* Effect.mapError(
            recordings.find(scope, interaction_id),
            ({ message }) => new Unavailable({ message })
          )
          return yield* Effect.mapError(lookup, missing)
        }
      )

      return CallAnalytics.of({
        recordMany,
        evaluate: records.evaluate,
        reviseCosts,
        ofUser: records.ofUser,
        erase: records.erase,
        attempt,
        attempts,
        interactions,
        transcript,
        recording
      })
    })
  )
}
