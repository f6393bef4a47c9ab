import type { Overloaded, TimedOut } from "@trunkline/errors"
import { type AppId, type AttemptId, type InteractionId, MemoryTable, type Scope } from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import type { CallRecord } from "./CallRecord.js"
import { type CallSearch, finds, isOf, type Listed, searchOrder } from "./CallSearch.js"
import type { Transcript } from "./Transcript.js"

/** An attempt, and its conversation where there was one. */
export interface CallReference {
  readonly attempt_id: AttemptId
  readonly interaction_id: InteractionId | null
}

/** Keeps what came of every call. */
export class CallRecords extends Context.Tag("@trunkline/analytics/CallRecords")<CallRecords, {
  /**
   * Keeps an ended attempt and the words of its conversation, in place of everything that was kept for this attempt
   * id before: a call may be reported again. Joins the running transaction.
   */
  readonly record: (record: CallRecord, transcript: Transcript | null) => Effect.Effect<void>
  /** The attempts for a person, by the identifier that cohorts and calls gave them. Joins the running transaction. */
  readonly ofUser: (scope: Scope, user_identifier: string) => Effect.Effect<ReadonlyArray<CallReference>>
  /** Erases what was kept of these attempts, words and all. Joins the running transaction. */
  readonly erase: (scope: Scope, attempt_ids: ReadonlyArray<AttemptId>) => Effect.Effect<void>
  /**
   * One page of the calls that `finds` finds, in `searchOrder`, and how many it finds in all. A search that takes longer
   * than 15 seconds, or that would have to wait too long for its turn, fails rather than guess.
   */
  readonly query: (search: CallSearch) => Effect.Effect<Listed<CallRecord>, TimedOut | Overloaded>
  /** The words of one conversation of this agent. */
  readonly transcript: (conversation: {
    readonly scope: Scope
    readonly app_id: AppId
    readonly interaction_id: InteractionId
  }) => Effect.Effect<Option.Option<Transcript>>
}>() {
  /** Keeps calls in memory. */
  static readonly layerMemory = Layer.sync(CallRecords, () => {
    const calls = MemoryTable.make<AttemptId, { readonly record: CallRecord; readonly transcript: Transcript | null }>()
    return CallRecords.of({
      record: (record, transcript) => calls.set(record.attempt_id, { record, transcript }),
      ofUser: (scope, user_identifier) =>
        Effect.sync(() =>
          Array.from(calls.values(), ({ record }) => record)
            .filter((record) =>
              record.org_id === scope.org_id && record.workspace_id === scope.workspace_id &&
              record.user_identifier === user_identifier
            )
            .map(({ attempt_id, conversation }) => ({
              attempt_id,
              interaction_id: conversation?.interaction_id ?? null
            }))
        ),
      erase: (scope, attempt_ids) =>
        Effect.forEach(
          attempt_ids.filter((id) => {
            const call = calls.get(id)
            return call?.record.org_id === scope.org_id && call.record.workspace_id === scope.workspace_id
          }),
          (id) => calls.delete(id),
          { discard: true }
        ),
      query: (search) =>
        Effect.sync(() => {
          const { limit, offset } = search.query
          const found = Array.from(calls.values(), ({ record }) => record)
            .filter((record) => finds(search, record))
            .sort(searchOrder(search))
          return { items: found.slice(offset, offset + limit), total: found.length }
        }),
      transcript: (conversation) =>
        Effect.sync(() => {
          const call = Array.from(calls.values()).find(({ record, transcript }) =>
            transcript?.interaction_id === conversation.interaction_id && isOf(record, conversation)
          )
          return Option.fromNullable(call?.transcript)
        })
    })
  })
}
