import { AttemptId } from "@trunkline/kernel"
import {
  CallEvents,
  type CallStatus,
  type Carrier,
  Carriers,
  type Dedupe,
  DialFailed,
  type Leg,
  LegEnded,
  LookupFailed,
  NotAnswered,
  type PlacedCall
} from "@trunkline/telephony"
import { Duration, Effect, Layer, Option, Stream } from "effect"
import type { Conditions } from "./Conditions.js"
import { type Provider, type ProviderCall, statusOf } from "./Provider.js"

/** `provider` of connections to the test double. */
export const providerName = "double"

const dedupeOf = ({ dedupe, keyTtl, keyWithLookup, settle }: Conditions): Dedupe => {
  switch (dedupe) {
    case "key":
      return {
        _tag: "Key",
        ttl: Duration.seconds(keyTtl),
        ...(keyWithLookup && { settle: Duration.seconds(settle) })
      }
    case "lookup":
      return { _tag: "Lookup", settle: Duration.seconds(settle) }
    case "none":
      return { _tag: "None" }
  }
}

/** Waits until a condition holds, and checks it whenever the call changes. */
const until = <A>(call: ProviderCall, look: (call: ProviderCall) => A | null): Effect.Effect<A> =>
  Effect.async((resume) => {
    const listener = () => {
      const seen = look(call)
      if (seen === null) return
      call.listeners.delete(listener)
      resume(Effect.succeed(seen))
    }
    call.listeners.add(listener)
    listener()
    return Effect.sync(() => call.listeners.delete(listener))
  })

const isOver = (call: ProviderCall) => call.state === "over" ? true : null

/** Engine side of an answered call. */
const legOf = (provider: Provider, call: ProviderCall): Leg => {
  const gone = Effect.suspend(() => Effect.fail(new LegEnded({ by: call.end === "talked" ? "user" : "provider" })))
  const pass = (milliseconds: number) =>
    Effect.async<void>((resume) => provider.world.after(milliseconds, () => resume(Effect.void)))
  return {
    say: ({ text }) =>
      Effect.raceFirst(pass(text.length * 50), until(call, isOver)).pipe(
        Effect.zipRight(
          Effect.suspend(() => call.state === "over" ? gone : Effect.succeed({ heard: text, interrupted: false }))
        )
      ),
    listen: (silence) =>
      Effect.raceFirst(pass(Duration.toMillis(silence)), until(call, isOver)).pipe(
        Effect.zipRight(
          Effect.suspend(() => call.state === "over" ? gone : Effect.succeed({ _tag: "Silent" } as const))
        )
      ),
    hangUp: Effect.sync(() => provider.hangUp(call, "talked"))
  }
}

const notAnswered = (call: ProviderCall): NotAnswered | null => {
  const status = call.end === null ? null : statusOf(call.end)
  return status === null ? null : new NotAnswered({ status, reason: null })
}

/** Result of ringing, once the call was answered or ended. */
const answerOf = (provider: Provider, call: ProviderCall) =>
  Effect.suspend((): Effect.Effect<Leg, NotAnswered> =>
    call.state === "connected"
      ? Effect.succeed(legOf(provider, call))
      : Effect.fail(notAnswered(call) ?? new NotAnswered({ status: "failed", reason: "double: over" }))
  )

/** Carrier for the test double, which handles late, duplicate and missing replies. */
const makeDriver = (provider: Provider) =>
  Effect.gen(function*() {
    const events = yield* CallEvents
    const { conditions, world } = provider

    const lookUp = (call: ProviderCall) =>
      Effect.sync(() => {
        switch (call.state) {
          case "ringing":
            return null
          case "connected":
            return { _tag: "Answered" } as const
          case "over":
            return { _tag: "Ended", status: call.end && statusOf(call.end), reason: null } as const
        }
      })

    const placed = (call: ProviderCall): PlacedCall => ({
      provider_call_id: call.id,
      answer: (conditions.pushes
        ? Effect.asVoid(events.decided(providerName, call.id, { every: "10 seconds", ask: lookUp(call) }))
        : Effect.asVoid(until(call, ({ state }) => state === "ringing" ? null : true))).pipe(
          Effect.zipRight(answerOf(provider, call))
        ),
      cancel: Effect.sync(() => provider.hangUp(call, call.state === "connected" ? "talked" : "cancelled"))
    })

    const live: NonNullable<Carrier["live"]> = ({ connection_id }) =>
      Effect.sync(() =>
        provider.live(connection_id).map((call) => ({
          provider_call_id: call.id,
          attempt_id: AttemptId.make(call.attempt),
          since: world.now - (world.elapsed - call.createdAt)
        }))
      )

    const carrier: Carrier = {
      provider: providerName,
      protocol: "simulated",
      dedupe: () => dedupeOf(conditions),
      place: ({ attempt_id, connection, from, to }) =>
        Effect.async((resume) => {
          const request = { attempt: attempt_id, number: to, from, connection: connection.connection_id }
          provider.dial(request, (response) => {
            switch (response._tag) {
              case "Accepted":
                return resume(Effect.succeed(placed(response.call)))
              case "Rejected":
                return resume(new DialFailed({ certainty: "provider", reason: "double: overloaded" }))
              case "Error":
                return resume(new DialFailed({ certainty: "unknown", reason: "unknown: double: HTTP 502" }))
            }
          })
        }),
      lookup: ({ attempt_id, provider_call_id }) =>
        Effect.suspend((): Effect.Effect<CallStatus, LookupFailed> => {
          if (provider.isUnreachable) return new LookupFailed({ reason: "double: HTTP 503" })
          const call = provider_call_id === null ? provider.callOf(attempt_id) : provider.call(provider_call_id)
          if (call === undefined) return Effect.succeed({ _tag: "NotFound" })
          return Effect.succeed(
            call.state === "over"
              ? { _tag: "Over", provider_call_id: call.id, result: notAnswered(call) }
              : { _tag: "Live", call: placed(call), connected: call.state === "connected" }
          )
        }),
      ...(conditions.lists && { live }),
      end: (_connection, id) =>
        Effect.sync(() => {
          const call = provider.call(id)
          if (call !== undefined) provider.hangUp(call, "cancelled")
        }),
      offers: Stream.never
    }
    return carrier
  })

/** The test double as the only carrier. */
export const driverLayer = (provider: Provider): Layer.Layer<Carriers, never, CallEvents> =>
  Layer.effect(
    Carriers,
    Effect.map(makeDriver(provider), (carrier) => ({
      list: [carrier],
      find: (name) => name === providerName ? Option.some(carrier) : Option.none()
    }))
  )
