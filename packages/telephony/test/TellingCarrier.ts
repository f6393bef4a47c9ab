import { BusinessTime } from "@trunkline/kernel"
import {
  type CallEvent,
  CallEvents,
  type CallNews,
  type Carrier,
  NotAnswered,
  type PlacedCall
} from "@trunkline/telephony"
import type { Delivery } from "@trunkline/telephony/testing"
import { Duration, Effect, Scope } from "effect"

const endOf = (failure: NotAnswered | null): CallNews => ({
  _tag: "Ended",
  status: failure?.status ?? null,
  reason: failure?.reason ?? null
})

/** How long the driver waits for the provider to tell something before it asks. */
const POLLED = Duration.seconds(10)

/** A driver whose provider tells of calls by events, as it is told to, over one that is simply asked. */
export const tellingCarrier = (inner: Carrier) =>
  Effect.gen(function*() {
    const events = yield* CallEvents
    const scope = yield* Scope.Scope
    let how: Delivery = "promptly"

    const tell = (told: ReadonlyArray<CallEvent>) => events.receive(inner.provider, told)

    /** What the provider tells of a call, in the order and as often as it does. */
    const tellOf = (call: PlacedCall, attempt_id: CallEvent["attempt_id"]) =>
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
        if (how !== "backwards") yield* tell([ringing])
        const decision = yield* Effect.either(call.answer)
        const news = decision._tag === "Left" ? endOf(decision.left) : { _tag: "Answered" } as const
        const decided = event("decided", news)
        if (how === "late") yield* BusinessTime.sleep("25 seconds")
        yield* tell(how === "backwards" ? [decided, ringing] : [decided])
        if (how === "twice") yield* tell([decided, ringing, decided])
      })

    /** What the provider says when it is asked. */
    const ask = (sought: Parameters<Carrier["look"]>[0]): Effect.Effect<CallNews | null> =>
      inner.look(sought).pipe(
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
          yield* Effect.forkIn(tellOf(call, plan.attempt_id), scope)
          if (how === "backwards") yield* BusinessTime.sleep("20 seconds")
          const { provider_call_id } = call
          const answer = events.decided(inner.provider, provider_call_id, {
            every: POLLED,
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
    return { carrier, deliver: (next: Delivery) => Effect.sync(() => void (how = next)) }
  })
