import { type Issue, issuesOf } from "@trunkline/errors"
import { PhoneNumber } from "@trunkline/kernel"
import { type CallEvent, EventRefused, type EventRequest } from "@trunkline/telephony"
import { verify } from "@trunkline/webhooks"
import { Clock, Effect, Either, Option, Redacted, Schema } from "effect"
import type { ConnectionSettings } from "./ConnectionOptions.js"
import { attemptOf, Call, InboundNumbers, isInbound, notAnswered, qualifyId } from "./Protocol.js"

const isPhoneNumber = Schema.is(PhoneNumber)

/** A call in an event. Unlike in responses, an ended call needs a result here, and an inbound call its numbers. */
const PushedCall = Call.pipe(
  Schema.filter((call) => [
    ...(call.state === "over" && call.result === null
      ? [{ path: ["result"], message: "A call that has ended needs a result" }]
      : []),
    ...(["from", "to"] as const).flatMap((path) =>
      isInbound(call) && !isPhoneNumber(call[path])
        ? [{ path: [path], message: "An inbound call needs its phone numbers in E.164, such as +919876543210" }]
        : []
    )
  ])
)

/** Body of a push: 1 to 100 events, each with an id that is the same on redelivery. */
const Push = Schema.Struct({
  events: Schema.Array(Schema.Struct({
    event_id: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(128)),
    call: PushedCall
  })).pipe(Schema.minItems(1), Schema.maxItems(100))
})

/** Maximum size of a push in bytes. */
const maxBytes = 65_536

const refusalOf = (issues: ReadonlyArray<Issue>) => new EventRefused({ why: "malformed", issues })

const tooLarge = refusalOf([{ loc: ["body"], msg: `Must have at most ${maxBytes} bytes`, type: "too_long" }])

const readJson = Schema.decodeUnknownEither(Schema.parseJson())
const decodePush = Schema.decodeUnknownEither(Push, { errors: "all" })

const nothingStored: Issue = {
  loc: ["body", "events"],
  msg: "No event of this push was stored: push the valid events again without the invalid ones",
  type: "value_error"
}

/** Decodes the events of a push, all or none, and reports the location and problem of each invalid event. */
const readPush = (body: Uint8Array): Either.Either<typeof Push.Type, EventRefused> =>
  Either.match(readJson(new TextDecoder().decode(body)), {
    onLeft: () => Either.left(refusalOf([{ loc: ["body"], msg: "Must be JSON", type: "json_invalid" }])),
    onRight: (json) =>
      Either.mapLeft(decodePush(json), (error) => {
        const issues = issuesOf(error, "body")
        return refusalOf(issues.some(({ loc }) => loc.length > 2) ? [...issues, nothingStored] : issues)
      })
  })

const eventOf = (
  { call, event_id }: (typeof Push.Type)["events"][number],
  nameOf: (id: string) => string
): Option.Option<CallEvent> => {
  const about = { event_id: nameOf(event_id), provider_call_id: nameOf(call.call_id), attempt_id: attemptOf(call) }
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

/** An inbound call and its numbers. */
export interface InboundCall {
  readonly call: Call
  readonly from: PhoneNumber
  readonly to: PhoneNumber
}

/** Content of a push. */
interface PushedEvents {
  readonly events: ReadonlyArray<CallEvent>
  /** The inbound calls among them, in their order, whatever their state. */
  readonly inbound: ReadonlyArray<InboundCall>
}

const numbersOf = Schema.decodeUnknownOption(InboundNumbers)

/**
 * Verifies and decodes a push: signed according to Standard Webhooks, at most five minutes old and at most 64 KB. Rejected
 * when the connection has no secret. One invalid event rejects the whole push.
 */
export const readPushedEvents = (
  { eventsSecret }: ConnectionSettings,
  { body, connection, headers }: EventRequest
): Effect.Effect<PushedEvents, EventRefused> =>
  Effect.gen(function*() {
    if (body.byteLength > maxBytes) return yield* tooLarge
    const now = yield* Clock.currentTimeMillis
    const isAuthentic = eventsSecret !== null && (yield* verify(Redacted.value(eventsSecret), { headers, body, now }))
    if (!isAuthentic) return yield* new EventRefused({ why: "signature" })
    const { events } = yield* readPush(body)
    return {
      events: events.flatMap((event) => Option.toArray(eventOf(event, (id) => qualifyId(connection, id)))),
      inbound: events.flatMap(({ call }) =>
        isInbound(call)
          ? Option.toArray(Option.map(numbersOf(call), (numbers) => ({ ...numbers, call })))
          : []
      )
    }
  })
