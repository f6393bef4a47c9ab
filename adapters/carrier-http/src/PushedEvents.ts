import { type CallEvent, EventRefused, type EventRequest } from "@trunkline/telephony"
import { verify } from "@trunkline/webhooks"
import { Clock, Effect, Option, Redacted, Schema } from "effect"
import type { LineSettings } from "./LineOptions.js"
import { attemptOf, Call, idHere, notAnswered } from "./Protocol.js"

/** What a provider pushes: one event or a few, each with an id that stays the same when it is sent again. */
const Push = Schema.parseJson(Schema.Struct({
  events: Schema.Array(Schema.Struct({
    event_id: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(128)),
    call: Call
  })).pipe(Schema.minItems(1), Schema.maxItems(100))
}))

/** No push is larger, in bytes. */
const mostBytes = 65_536

const readPush = Schema.decodeUnknownOption(Push)

const eventOf = (
  { call, event_id }: (typeof Push.Type)["events"][number],
  named: (id: string) => string
): Option.Option<CallEvent> => {
  const about = { event_id: named(event_id), provider_call_id: named(call.call_id), attempt_id: attemptOf(call) }
  switch (call.state) {
    case "queued":
      return Option.none()
    case "ringing":
      return Option.some({ ...about, news: { _tag: "Ringing" } })
    case "talking":
      return Option.some({ ...about, news: { _tag: "Answered" } })
    case "over": {
      const failure = notAnswered(call)
      return Option.some({
        ...about,
        news: { _tag: "Ended", status: failure?.status ?? null, reason: failure?.reason ?? null }
      })
    }
  }
}

/**
 * Reads what the provider of a line pushed: signed as Standard Webhooks say, no older than five minutes, at most
 * 64 KB. A line without a secret takes none.
 */
export const readPushed = (
  { eventsSecret }: LineSettings,
  { body, connection, headers }: EventRequest
): Effect.Effect<ReadonlyArray<CallEvent>, EventRefused> =>
  Effect.gen(function*() {
    if (body.byteLength > mostBytes) return yield* new EventRefused({ why: "malformed" })
    const now = yield* Clock.currentTimeMillis
    const isTheirs = eventsSecret !== null && (yield* verify(Redacted.value(eventsSecret), { headers, body, now }))
    if (!isTheirs) return yield* new EventRefused({ why: "signature" })
    const push = readPush(new TextDecoder().decode(body))
    if (Option.isNone(push)) return yield* new EventRefused({ why: "malformed" })
    return push.value.events.flatMap((event) => Option.toArray(eventOf(event, (id) => idHere(connection, id))))
  })
