import { type Issue, issuesOf } from "@trunkline/errors"
import { type CallEvent, EventRefused, type EventRequest } from "@trunkline/telephony"
import { verify } from "@trunkline/webhooks"
import { Clock, Effect, Either, Option, Redacted, Schema } from "effect"
import type { LineSettings } from "./LineOptions.js"
import { attemptOf, Call, idHere, notAnswered } from "./Protocol.js"

/** A call as it is pushed: one that is asked for may be over without a result, but an event that tells no end is none. */
const PushedCall = Call.pipe(
  Schema.filter(({ result, state }) =>
    state === "over" && result === null
      ? { path: ["result"], message: "A call that is over needs a result" }
      : undefined
  )
)

/** What a provider pushes: one event or a few, each with an id that stays the same when it is sent again. */
const Push = Schema.Struct({
  events: Schema.Array(Schema.Struct({
    event_id: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(128)),
    call: PushedCall
  })).pipe(Schema.minItems(1), Schema.maxItems(100))
})

/** No push is larger, in bytes. */
const mostBytes = 65_536

const malformed = (issues: ReadonlyArray<Issue>) => new EventRefused({ why: "malformed", issues })

const tooLarge = malformed([{ loc: ["body"], msg: `Should have at most ${mostBytes} bytes`, type: "too_long" }])

const readJson = Schema.decodeUnknownEither(Schema.parseJson())
const decodePush = Schema.decodeUnknownEither(Push, { errors: "all" })

const noneIsKept: Issue = {
  loc: ["body", "events"],
  msg: "None of these events is kept: push the good ones again without the bad ones",
  type: "value_error"
}

/** Reads the events of a push, all of them or none; says of each that is bad where it stands and what is wrong with it. */
const readPush = (body: Uint8Array): Either.Either<typeof Push.Type, EventRefused> =>
  Either.match(readJson(new TextDecoder().decode(body)), {
    onLeft: () => Either.left(malformed([{ loc: ["body"], msg: "Should be JSON", type: "json_invalid" }])),
    onRight: (json) =>
      Either.mapLeft(decodePush(json), (error) => {
        const issues = issuesOf(error, "body")
        return malformed(issues.some(({ loc }) => loc.length > 2) ? [...issues, noneIsKept] : issues)
      })
  })

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
 * 64 KB. A line without a secret takes none. One bad event refuses the push: nothing of it is kept.
 */
export const readPushed = (
  { eventsSecret }: LineSettings,
  { body, connection, headers }: EventRequest
): Effect.Effect<ReadonlyArray<CallEvent>, EventRefused> =>
  Effect.gen(function*() {
    if (body.byteLength > mostBytes) return yield* tooLarge
    const now = yield* Clock.currentTimeMillis
    const isTheirs = eventsSecret !== null && (yield* verify(Redacted.value(eventsSecret), { headers, body, now }))
    if (!isTheirs) return yield* new EventRefused({ why: "signature" })
    const { events } = yield* readPush(body)
    return events.flatMap((event) => Option.toArray(eventOf(event, (id) => idHere(connection, id))))
  })
