import { PhoneNumber, unchecked } from "@trunkline/kernel"
import {
  type Carrier,
  type Connection,
  DialFailed,
  type Heard,
  type InboundOffer,
  type Leg,
  LegEnded,
  LookupFailed,
  NotAnswered
} from "@trunkline/telephony"
import { Duration, Effect, Option, Stream } from "effect"
import { InvalidOption } from "./InvalidOption.js"
import { CallRejected, type Line, type PlainCarrier, type PlainLeg, type PlainOffer } from "./LineOptions.js"

/** Providers that the engine knows. */
const builtIn: ReadonlyArray<string> = ["simulator", "http", "sip"]

const textOf = (error: unknown) => error instanceof Error ? error.message : String(error)

const toLeg = (leg: PlainLeg): Leg => {
  const ended = () => new LegEnded({ by: "provider" })
  const hear = (heard: Awaited<ReturnType<PlainLeg["listen"]>>): Heard =>
    heard === null
      ? { _tag: "Silent" }
      : "digit" in heard
      ? { _tag: "Pressed", digit: heard.digit }
      : {
        _tag: "Said",
        text: heard.text,
        en_text: heard.en_text ?? null,
        language_name: heard.language_name ?? null
      }
  return {
    say: (utterance) =>
      Effect.map(
        Effect.tryPromise({ try: () => leg.say(utterance), catch: ended }),
        (spoken) => spoken ?? { heard: utterance.text, interrupted: false }
      ),
    listen: (silence) =>
      Effect.map(
        Effect.tryPromise({
          try: (signal) => leg.listen({ silence_seconds: Duration.toSeconds(silence), signal }),
          catch: ended
        }),
        hear
      ),
    hangUp: Effect.ignore(Effect.tryPromise(() => leg.hangUp()))
  }
}

const notAnswered = (provider: string) => (error: unknown): NotAnswered =>
  new NotAnswered({
    status: error instanceof CallRejected ? error.status : "provider_error",
    reason: `${provider}: ${textOf(error)}`
  })

/** A carrier of the engine from one of the host. */
const toCarrier = (provider: string, carrier: PlainCarrier, lines: ReadonlyArray<Line>): Carrier => {
  const connectionOf = (offer: PlainOffer) => lines.find(({ phone_numbers }) => phone_numbers.includes(offer.to))

  const toOffer = (offer: PlainOffer): Option.Option<InboundOffer> =>
    Option.map(Option.fromNullable(connectionOf(offer)), (line) => ({
      provider_call_id: offer.provider_call_id,
      connection: line as Connection,
      from: PhoneNumber.make(offer.from, unchecked),
      to: PhoneNumber.make(offer.to, unchecked),
      accept: Effect.map(Effect.tryPromise({ try: () => offer.accept(), catch: notAnswered(provider) }), toLeg),
      reject: (reason) => Effect.ignore(Effect.tryPromise(() => offer.reject(reason)))
    }))

  const end = carrier.end?.bind(carrier)
  const offers = carrier.offers?.bind(carrier)
  return {
    provider,
    protocol: carrier.protocol ?? "custom",
    dedupe: () => ({ _tag: "None" }),
    place: ({ attempt_id, connection, from, ringTimeout, to }) =>
      Effect.map(
        Effect.tryPromise({
          try: (signal) =>
            carrier.place({
              attempt_id,
              from,
              to,
              ring_seconds: Duration.toSeconds(ringTimeout),
              connection,
              signal
            }),
          catch: (error) =>
            new DialFailed({
              certainty: error instanceof CallRejected ? "provider" : "unknown",
              reason: `${provider}: ${textOf(error)}`
            })
        }),
        ({ answered, cancel, provider_call_id }) => {
          // A call that fails while nobody waits for it must not end the process.
          answered.catch(() => undefined)
          return {
            provider_call_id,
            answer: Effect.map(Effect.tryPromise({ try: () => answered, catch: notAnswered(provider) }), toLeg),
            cancel: Effect.ignore(Effect.tryPromise(() => cancel()))
          }
        }
      ),
    lookup: () => new LookupFailed({ reason: "the carrier cannot look up calls" }),
    ...(end !== undefined && {
      end: (_connection, provider_call_id) => Effect.ignore(Effect.tryPromise(() => end(provider_call_id)))
    }),
    offers: offers === undefined
      ? Stream.empty
      : Stream.suspend(() => Stream.fromAsyncIterable(offers(), textOf)).pipe(
        Stream.filterMap(toOffer),
        Stream.catchAll((reason) => Stream.drain(Stream.fromEffect(Effect.logError(`Inbound calls ended: ${reason}`))))
      )
  }
}

/** The configuration of lines, and the carriers of the host. Throws `InvalidOption`. */
export const lineParts = (
  lines: ReadonlyArray<Line>
): { readonly connections: ReadonlyArray<Omit<Line, "carrier">>; readonly carriers: ReadonlyArray<Carrier> } => {
  const byProvider = new Map<string, PlainCarrier>()
  for (const [index, { carrier, provider }] of lines.entries()) {
    if (carrier === undefined) continue
    const known = byProvider.get(provider)
    if (builtIn.includes(provider) || (known !== undefined && known !== carrier)) {
      throw new InvalidOption(`lines.${index}.provider`, `"${provider}" is taken: give this carrier another name`)
    }
    byProvider.set(provider, carrier)
  }
  for (const [index, { provider }] of lines.entries()) {
    if (!builtIn.includes(provider) && !byProvider.has(provider)) {
      throw new InvalidOption(
        `lines.${index}.provider`,
        `there is no provider "${provider}": use simulator, http or sip, or give the line a carrier`
      )
    }
  }
  return {
    connections: lines.map(({ carrier: _, ...connection }) => connection),
    carriers: Array.from(
      byProvider,
      ([provider, carrier]) => toCarrier(provider, carrier, lines.filter((line) => line.provider === provider))
    )
  }
}
