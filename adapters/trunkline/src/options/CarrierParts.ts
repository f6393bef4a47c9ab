import { PhoneNumber, reasonOf, reasonOfThrown, unchecked, withReason } from "@trunkline/kernel"
import {
  type Carrier,
  type Connection,
  DialFailed,
  type InboundOffer,
  LookupFailed,
  NotAnswered
} from "@trunkline/telephony"
import { Duration, Effect, Option, Stream } from "effect"
import { builtInProviders, isBuiltIn } from "../assembly/HostedProviders.js"
import { InvalidOption } from "./InvalidOption.js"
import {
  CallNotSent,
  CallRejected,
  type Line,
  type PlainCall,
  type PlainCarrier,
  type PlainOffer
} from "./LineOptions.js"
import { checkLeg } from "./PlainLegs.js"

/** The reason that a carrier gives, after its name; the status of a rejection without one. */
const reasonFrom = (provider: string, error: unknown): string => {
  const isBare = error instanceof CallRejected && reasonOf(error) === ""
  return withReason(provider, isBare ? error.status.replace("_", " ") : reasonOfThrown(error))
}

/** The parts of a placed call that others rely on, with what each must be. */
const placedParts: ReadonlyArray<readonly [name: keyof PlainCall, isValid: (part: unknown) => boolean]> = [
  ["provider_call_id", (part) => typeof part === "string"],
  ["answered", (part) => typeof Reflect.get(Object(part), "then") === "function"],
  ["cancel", (part) => typeof part === "function"]
]

/** The call that a carrier has placed; a dial of unknown outcome where it has not all parts. */
const checkPlaced = (provider: string) => (call: PlainCall): Effect.Effect<PlainCall, DialFailed> => {
  const wrong = placedParts.find(([name, isValid]) => !isValid(Reflect.get(Object(call), name)))
  return wrong === undefined
    ? Effect.succeed(call)
    : new DialFailed({ certainty: "unknown", reason: `${provider}: the placed call lacks ${wrong[0]}` })
}

const notAnswered = (provider: string) => (error: unknown): NotAnswered =>
  new NotAnswered({
    status: error instanceof CallRejected ? error.status : "provider_error",
    reason: reasonFrom(provider, error)
  })

const dialFailed = (provider: string) => (error: unknown): DialFailed =>
  new DialFailed({
    certainty: error instanceof CallNotSent ? "none" : error instanceof CallRejected ? "provider" : "unknown",
    reason: reasonFrom(provider, error),
    ...(error instanceof CallNotSent && { retryAfter: error.retryAfterSeconds }),
    ...(error instanceof CallRejected && error.status !== "provider_error" && { status: error.status })
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
      accept: Effect.flatMap(
        Effect.tryPromise({ try: () => offer.accept(), catch: notAnswered(provider) }),
        checkLeg({ provider, attempt_id: null })
      ),
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
          catch: dialFailed(provider)
        }).pipe(Effect.flatMap(checkPlaced(provider))),
        (call) => {
          const { answered, provider_call_id } = call
          // A call that fails while nobody waits for it must not end the process.
          answered.catch(() => undefined)
          return {
            provider_call_id,
            answer: Effect.flatMap(
              Effect.tryPromise({ try: () => answered, catch: notAnswered(provider) }),
              checkLeg({ provider, attempt_id })
            ),
            cancel: Effect.ignore(Effect.tryPromise(() => call.cancel()))
          }
        }
      ),
    lookup: () => new LookupFailed({ reason: "the carrier cannot look up calls" }),
    ...(end !== undefined && {
      end: (_connection, provider_call_id) => Effect.ignore(Effect.tryPromise(() => end(provider_call_id)))
    }),
    offers: offers === undefined
      ? Stream.empty
      : Stream.suspend(() => Stream.fromAsyncIterable(offers(), reasonOfThrown)).pipe(
        Stream.filterMap(toOffer),
        Stream.catchAll((reason) =>
          Stream.drain(Stream.fromEffect(Effect.logError(withReason("Inbound calls ended", reason))))
        )
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
    const existing = byProvider.get(provider)
    if (isBuiltIn(provider) || (existing !== undefined && existing !== carrier)) {
      throw new InvalidOption(`lines.${index}.provider`, `"${provider}" is taken: give this carrier another name`)
    }
    byProvider.set(provider, carrier)
  }
  for (const [index, { provider }] of lines.entries()) {
    if (!isBuiltIn(provider) && !byProvider.has(provider)) {
      throw new InvalidOption(
        `lines.${index}.provider`,
        `there is no provider "${provider}": use ${builtInProviders.join(", ")}, or give the line a carrier`
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
