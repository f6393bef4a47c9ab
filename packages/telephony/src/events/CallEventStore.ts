import { AttemptId, MemoryTable } from "@trunkline/kernel"
import { Context, Effect, Layer, Option, Schema } from "effect"

/** Keeps what providers told of calls. Every write joins the running transaction. */
export class CallEventStore extends Context.Tag("@trunkline/telephony/CallEventStore")<CallEventStore, {
  /** Adds events that came at a moment; those whose ids the provider used before are left out. Answers with the new ones. */
  readonly insert: (
    provider: string,
    events: ReadonlyArray<CallEvent>,
    receivedAt: number
  ) => Effect.Effect<ReadonlyArray<CallEvent>>
  /** What was told of a call, in the order in which it came. */
  readonly ofCall: (provider: string, providerCallId: string) => Effect.Effect<ReadonlyArray<CallEvent>>
  /** The provider's id of the call of an attempt, when one was told. */
  readonly callOf: (provider: string, id: AttemptId) => Effect.Effect<Option.Option<string>>
  /** Removes up to `limit` events that came before a moment, oldest first; says how many went. */
  readonly removeBefore: (moment: number, limit: number) => Effect.Effect<number>
}>() {
  /** Keeps events in memory. */
  static readonly layerMemory = Layer.sync(CallEventStore, () => {
    const rows = MemoryTable.make<string, Row>()
    /** The keys of the events of a call, and of an attempt, in the order of arrival. */
    const byCall = MemoryTable.make<string, ReadonlyArray<string>>()
    const byAttempt = MemoryTable.make<string, ReadonlyArray<string>>()
    let arrivals = 0

    /** Where an event is found, besides by its id. */
    const placesOf = ({ event, provider }: Row) => [
      [byCall, keyOf(provider, event.provider_call_id)] as const,
      ...(event.attempt_id === null ? [] : [[byAttempt, keyOf(provider, event.attempt_id)] as const])
    ]

    const add = (provider: string, event: CallEvent, receivedAt: number) =>
      Effect.suspend(() => {
        const key = keyOf(provider, event.event_id)
        if (rows.has(key)) return Effect.succeed([])
        const row: Row = { provider, event, receivedAt, place: arrivals++ }
        const indexed = Effect.forEach(placesOf(row), ([index, of]) => index.set(of, [...(index.get(of) ?? []), key]), {
          discard: true
        })
        return Effect.as(Effect.zipRight(rows.set(key, row), indexed), [event])
      })

    const remove = (row: Row) => {
      const key = keyOf(row.provider, row.event.event_id)
      const left = Effect.forEach(placesOf(row), ([index, of]) => {
        const rest = (index.get(of) ?? []).filter((other) => other !== key)
        return rest.length === 0 ? Effect.asVoid(index.delete(of)) : index.set(of, rest)
      }, { discard: true })
      return Effect.zipRight(left, rows.delete(key))
    }

    return CallEventStore.of({
      insert: (provider, events, receivedAt) =>
        Effect.map(Effect.forEach(events, (event) => add(provider, event, receivedAt)), (added) => added.flat()),
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
            .sort((a, b) => a.receivedAt - b.receivedAt || a.place - b.place)
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
  readonly place: number
}

const keyOf = (provider: string, id: string) => `${provider}\n${id}`

/** What a provider tells of a call: it rings, somebody picked up, it is over. */
export const CallNews = Schema.Union(
  Schema.TaggedStruct("Ringing", {}),
  Schema.TaggedStruct("Answered", {}),
  Schema.TaggedStruct("Ended", {
    /** Why nobody was reached; null when somebody was, or when the provider does not say. */
    status: Schema.NullOr(Schema.Literal("busy", "no_answer", "failed", "provider_error")),
    /** Fit for `failure_reason`; never a number. */
    reason: Schema.NullOr(Schema.String)
  })
)
export type CallNews = typeof CallNews.Type

/** Something that a provider told of a call, whenever it did and however often. */
export const CallEvent = Schema.Struct({
  /** The provider's own id of this event: the same each time it is told. */
  event_id: Schema.NonEmptyString,
  provider_call_id: Schema.NonEmptyString,
  /** Whose call it is, where the provider carries that along. */
  attempt_id: Schema.NullOr(AttemptId),
  news: CallNews
})
export type CallEvent = typeof CallEvent.Type
