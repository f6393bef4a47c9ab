import type { Overloaded, TimedOut } from "@trunkline/errors"
import {
  type AfterCallResult,
  type AppId,
  type AttemptId,
  type InteractionId,
  MemoryTable,
  type Scope,
  uncheckedInstance
} from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import { CallRecord, type ModelInput, type Transcript } from "./CallRecord.js"
import { belongsTo, type CallSearch, type ListResult, matchesSearch, searchOrder } from "./CallSearch.js"

/** Ids of an attempt and of its conversation, if there was one. */
export interface CallReference {
  readonly attempt_id: AttemptId
  readonly interaction_id: InteractionId | null
}

/** Stored record of a call, with the transcript of its conversation if there was one, and what its model was sent. */
export interface StoredCall {
  readonly record: CallRecord
  readonly transcript: Transcript | null
  /** In order; absent where the model was sent nothing, or where it is not kept. */
  readonly modelInputs?: ReadonlyArray<ModelInput>
}

/** Store of call records and transcripts. */
export class CallRecords extends Context.Tag("@trunkline/analytics/CallRecords")<CallRecords, {
  /**
   * Stores ended attempts in order, each with the transcript of its conversation, replacing everything stored for its
   * attempt id, since a call may be reported again. Joins the running transaction.
   */
  readonly recordMany: (calls: ReadonlyArray<StoredCall>) => Effect.Effect<void>
  /**
   * Stores what was found out about an ended attempt, in its record. Returns false, and stores nothing, when the workspace has no such
   * record, as after an erasure. Joins the running transaction.
   */
  readonly evaluate: (scope: Scope, attempt_id: AttemptId, after_call: AfterCallResult) => Effect.Effect<boolean>
  /** Lists the attempts for a user by the identifier from cohorts and calls. Joins the running transaction. */
  readonly ofUser: (scope: Scope, user_identifier: string) => Effect.Effect<ReadonlyArray<CallReference>>
  /** Erases attempts, their transcripts and what their models were sent. Joins the running transaction. */
  readonly erase: (scope: Scope, attempt_ids: ReadonlyArray<AttemptId>) => Effect.Effect<void>
  /**
   * Returns a page of the calls that match the search (`matchesSearch`), in `searchOrder`, with the total number of
   * matches. Fails with `TimedOut` after 15 seconds, and with `Overloaded` if the search would have to wait too long.
   */
  readonly query: (search: CallSearch) => Effect.Effect<ListResult<CallRecord>, TimedOut | Overloaded>
  /** Finds an ended attempt of the workspace. */
  readonly find: (scope: Scope, attempt_id: AttemptId) => Effect.Effect<Option.Option<StoredCall>>
  /** Finds the transcript of a conversation of this agent. */
  readonly transcript: (conversation: {
    readonly scope: Scope
    readonly app_id: AppId
    readonly interaction_id: InteractionId
  }) => Effect.Effect<Option.Option<Transcript>>
}>() {
  /** Stores calls in memory. */
  static readonly layerMemory = Layer.sync(CallRecords, () => {
    const calls = MemoryTable.make<AttemptId, StoredCall>()
    const callIn = ({ org_id, workspace_id }: Scope, id: AttemptId): StoredCall | undefined => {
      const call = calls.get(id)
      return call?.record.org_id === org_id && call.record.workspace_id === workspace_id ? call : undefined
    }
    return CallRecords.of({
      recordMany: (storedCalls) =>
        Effect.forEach(storedCalls, (call) => calls.set(call.record.attempt_id, call), { discard: true }),
      evaluate: (scope, attempt_id, after_call) =>
        Effect.suspend(() => {
          const call = callIn(scope, attempt_id)
          if (call === undefined) return Effect.succeed(false)
          const record = uncheckedInstance(CallRecord, { ...call.record, after_call })
          return Effect.as(calls.set(attempt_id, { ...call, record }), true)
        }),
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
          attempt_ids.filter((id) => callIn(scope, id) !== undefined),
          (id) => calls.delete(id),
          { discard: true }
        ),
      query: (search) =>
        Effect.sync(() => {
          const { limit, offset } = search.query
          const rows = Array.from(calls.values(), ({ record }) => record)
            .filter((record) => matchesSearch(search, record))
            .sort(searchOrder(search))
          return { items: rows.slice(offset, offset + limit), total: rows.length }
        }),
      find: (scope, attempt_id) => Effect.sync(() => Option.fromNullable(callIn(scope, attempt_id))),
      transcript: (conversation) =>
        Effect.sync(() => {
          const call = Array.from(calls.values()).find(({ record, transcript }) =>
            transcript?.interaction_id === conversation.interaction_id && belongsTo(record, conversation)
          )
          return Option.fromNullable(call?.transcript)
        })
    })
  })
}
