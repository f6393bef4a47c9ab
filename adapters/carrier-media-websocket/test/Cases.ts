import { type Carrier, isAudioLine, NotAnswered } from "@trunkline/telephony"
import { Chunk, Effect, Stream } from "effect"
import type { Reaction } from "../src/testing.js"
import { connect, events, planFor, type Provider } from "./Host.js"

/** A call to somebody who reacts in some way. */
export const calling = (provider: Provider, reaction: Reaction, options: object = {}) =>
  Effect.gen(function*() {
    const world = yield* connect(provider, { reactionOf: () => reaction }, options)
    const plan = planFor(world.connection, "+919876543210", "1 second")
    const placed = yield* world.carrier.place(plan)
    return { ...world, plan, placed }
  })

/** Status and reason of a call that is not answered. */
export const outcomeOf = (provider: Provider, reaction: Reaction) =>
  Effect.gen(function*() {
    const { double, placed } = yield* calling(provider, reaction)
    const failure = yield* Effect.flip(placed.answer)
    if (double.problems().length > 0) return yield* Effect.dieMessage(double.problems().join("; "))
    return failure instanceof NotAnswered ? [failure.status, failure.reason] : []
  }).pipe(Effect.scoped, Effect.provide(events))

/** An answered call with sound, and its person. */
export const talking = (provider: Provider, options: object = {}) =>
  Effect.gen(function*() {
    const world = yield* calling(provider, { kind: "answers", afterMillis: 50, isMachine: false }, options)
    const line = yield* world.placed.answer
    const call = world.double.calls[0]
    if (!isAudioLine(line) || call?.person == null) return yield* Effect.dieMessage("The call has no sound")
    return { ...world, line, call, person: call.person }
  })

/** The next inbound call that a carrier offers. */
export const nextOffer = ({ offers }: Carrier) =>
  Effect.flatMap(Stream.runCollect(Stream.take(offers, 1)), (taken) => Effect.orDie(Chunk.head(taken)))

/** Waits until something is so. */
export const until = (isSo: () => boolean) =>
  Effect.repeat(Effect.sleep("10 millis"), { until: isSo }).pipe(Effect.timeout("15 seconds"), Effect.orDie)
