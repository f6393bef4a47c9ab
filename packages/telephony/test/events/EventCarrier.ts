import { BusinessTime } from "@trunkline/kernel"
import {
  type CallEvent,
  CallEvents,
  type CallNews,
  type Carrier,
  NotAnswered,
  type PlacedCall
} from "@trunkline/telephony"
import type { EventDelivery } from "@trunkline/telephony/testing"
import { Duration, Effect, Scope } from "effect"

const endOf = (failure: NotAnswered | null): CallNews => ({
  _tag: "Ended",
  status: failure?.status ?? null,
  reason: failure?.reason ?? null
})

/** Polling interval while no event arrives. */
const pollInterval = Duration.seconds(10)

/** Wraps a carrier so that its provider reports calls by events, with a configurable delivery. */
export const eventCarrier = (inner: Carrier) =>
  Effect.gen(function*() {
    const events = yield* CallEvents
    const scope = yield* Scope.Scope
    let how: EventDelivery = "promptly"

    const send = (batch: ReadonlyArray<CallEvent>) => events.receive(inner.provider, batch)

    /** Sends the events of a call in the configured order and number. */
    const sendEventsOf = (call: PlacedCall, attempt_id: CallEvent["attempt_id"]) =>
      Effect.gen(function*() {
        const { provider_call_id } = call
        const event = (name: string, news: CallNews): CallEvent => ({
          event_id: `${provider_call_id} ${name}`,
          provider_call_id,
          attempt_id,
          news
        })
        const ringing = event("ringing", { _tag: "Ringing" })
        if (how === "never") return
        if (how !== "backwards") yield* send([ringing])
        const decision = yield* Effect.either(call.answer)
        const news = decision._tag === "Left" ? endOf(decision.left) : { _tag: "Answered" } as const
        const decided = event("decided", news)
        if (how === "late") yield* BusinessTime.sleep("25 seconds")
        yield* send(how === "backwards" ? [decided, ringing] : [decided])
        if (how === "twice") yield* send([decided, ringing, decided])
      })

    /** Polls the provider. */
    const ask = (sought: Parameters<Carrier["lookup"]>[0]): Effect.Effect<CallNews | null> =>
      inner.lookup(sought).pipe(
        Effect.map((sight): CallNews | null =>
          sight._tag === "Over"
            ? endOf(sight.result)
            : sight._tag === "Live" && sight.connected
            ? { _tag: "Answered" }
            : null
        ),
        Effect.catchAll(() => Effect.succeed(null))
      )

    const carrier: Carrier = {
      ...inner,
      place: (plan) =>
        Effect.gen(function*() {
          const call = yield* inner.place(plan)
          yield* Effect.forkIn(sendEventsOf(call, plan.attempt_id), scope)
          if (how === "backwards") yield* BusinessTime.sleep("20 seconds")
          const { provider_call_id } = call
          const answer = events.decided(inner.provider, provider_call_id, {
            every: pollInterval,
            ask: ask({ ...plan, provider_call_id })
          }).pipe(
            Effect.flatMap((news) =>
              news._tag === "Ended" && news.status !== null
                ? Effect.fail(new NotAnswered({ status: news.status, reason: news.reason }))
                : call.answer
            )
          )
          return { ...call, answer }
        })
    }
    return { carrier, deliver: (next: EventDelivery) => Effect.sync(() => void (how = next)) }
  })
