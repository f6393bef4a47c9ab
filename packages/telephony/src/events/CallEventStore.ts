import { AttemptId, MemoryTable } from "@trunkline/kernel"
import { Context, Effect, Layer, Option, Schema } from "effect"

/** Storage of call events. Every write joins the current transaction. */
export class CallEventStore extends Context.Tag("@trunkline/telephony/CallEventStore")<CallEventStore, {
  /** Adds events received at `receivedAt`, skips known event ids and returns the new events. */
  readonly insert: (
    provider: string,
    events: ReadonlyArray<CallEvent>,
    receivedAt: number
  ) => Effect.Effect<ReadonlyArray<CallEvent>>
  /** All events of a call, in order of arrival. */
  readonly ofCall: (provider: string, providerCallId: string) => Effect.Effect<ReadonlyArray<CallEvent>>
  /** The provider's call id of an attempt, from the first event that names both. */
  readonly callOf: (provider: string, id: AttemptId) => Effect.Effect<Option.Option<string>>
  /** Removes up to `limit` events received before `moment`, oldest first; returns the number removed. */
  readonly removeBefore: (moment: number, limit: number) => Effect.Effect<number>
}>() {
  /** Stores events in memory. */
  static readonly layerMemory = Layer.sync(CallEventStore, () => {
    const rows = MemoryTable.make<string, Row>()
    /** Event keys by call and by attempt, in order of arrival. */
    const byCall = MemoryTable.make<string, ReadonlyArray<string>>()
    const byAttempt = MemoryTable.make<string, ReadonlyArray<string>>()
    let arrivals = 0

    /** Index entries of an event. */
    const indexEntriesOf = ({ event, provider }: Row) => [
      [byCall, keyOf(provider, event.provider_call_id)] as const,
      ...(event.attempt_id === null ? [] : [[byAttempt, keyOf(provider, event.attempt_id)] as const])
    ]

    const add = (provider: string, event: CallEvent, receivedAt: number) =>
      Effect.suspend(() => {
        const key = keyOf(provider, event.event_id)
        if (rows.has(key)) return Effect.succeed([])
        const row: Row = { provider, event, receivedAt, sequence: arrivals++ }
        const indexUpdate = Effect.forEach(indexEntriesOf(row), ([index, of]) =>
          index.set(of, [...(index.get(of) ?? []), key]), {
          discard: true
        })
        return Effect.as(Effect.zipRight(rows.set(key, row), indexUpdate), [event])
      })

    const remove = (row: Row) => {
      const key = keyOf(row.provider, row.event.event_id)
      const removeIndexEntries = Effect.forEach(indexEntriesOf(row), ([index, of]) => {
        const rest = (index.get(of) ?? []).filter((other) => other !== key)
        return rest.length === 0 ? Effect.asVoid(index.delete(of)) : index.set(of, rest)
      }, { discard: true })
      return Effect.zipRight(removeIndexEntries, rows.delete(key))
    }

    return CallEventStore.of({
      insert: (provider, events, receivedAt) =>
        Effect.map(
          Effect.forEach(events, (event) => add(provider, event, receivedAt)),
          (additions) => additions.flat()
        ),
      ofCall: (provider, id) =>
        Effect.sync(() =>
          (byCall.get(keyOf(provider, id)) ?? []).flatMap((key) => rows.get(key) ?? []).map(({ event }) => event)
        ),
      callOf: (provider, id) =>
        Effect.sync(() => {
          const [first = ""] = byAttempt.get(keyOf(provider, id)) ?? []
          return Option.map(Option.fromNullable(rows.get(first)), ({ event }) => event.provider_call_id)
        }),
      removeBefore: (moment, limit) =>
        Effect.suspend(() => {
          const old = Array.from(rows.values())
            .filter(({ receivedAt }) => receivedAt < moment)
            .sort((a, b) => a.receivedAt - b.receivedAt || a.sequence - b.sequence)
            .slice(0, limit)
          return Effect.as(Effect.forEach(old, remove, { discard: true }), old.length)
        })
    })
  })
}

interface Row {
  readonly provider: string
  readonly event: CallEvent
  readonly receivedAt: number
  readonly sequence: number
}

const keyOf = (provider: string, id: string) => `${provider}\n${id}`

/** A change of a call reported by its provider. */
export const CallNews = Schema.Union(
  Schema.TaggedStruct("Ringing", {}),
  Schema.TaggedStruct("Answered", {}),
  Schema.TaggedStruct("Ended", {
    /** Why the call did not connect; null when it connected or when the provider does not report a reason. */
    status: Schema.NullOr(Schema.Literal("busy", "no_answer", "failed", "provider_error")),
    /** Text for `failure_reason`; never contains a phone number. */
    reason: Schema.NullOr(Schema.String)
  })
)
export type CallNews = typeof CallNews.Type

/** An event of a call from its provider. Events can arrive late, repeatedly and out of order. */
export const CallEvent = Schema.Struct({
  /** The provider's id of the event, the same on every delivery. */
  event_id: Schema.NonEmptyString,
  provider_call_id: Schema.NonEmptyString,
  /** Attempt of the call, when the provider includes it. */
  attempt_id: Schema.NullOr(AttemptId),
  news: CallNews
})
export type CallEvent = typeof CallEvent.Type
