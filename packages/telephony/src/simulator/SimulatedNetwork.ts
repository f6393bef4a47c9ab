import { type AttemptId, BusinessTime, type PhoneNumber } from "@trunkline/kernel"
import { Context, Deferred, Duration, Effect, Layer, Option, Queue, Stream } from "effect"
import {
  type CallTrace,
  type Carrier,
  Carriers,
  DialFailed,
  type DialPlan,
  type InboundOffer,
  NotAnswered,
  type PlacedCall
} from "../Carrier.js"
import type { Connection } from "../Connection.js"
import type { EndedBy } from "../Leg.js"
import { type Callee, calleeFor, type Pickup, pickup, type SimulatorRule } from "./Callee.js"
import { makeSimulatedLeg, type SimulatedLeg } from "./SimulatedLeg.js"

/** Who lives on the simulated network. */
export interface SimulatorOptions {
  /** First match wins. */
  readonly rules?: ReadonlyArray<SimulatorRule>
  /** Who answers every other number; default `answer`. */
  readonly default?: Callee
}

/** What became of a call to one of our numbers. */
export type CallInResult =
  | { readonly accepted: true; readonly endedBy: EndedBy }
  | { readonly accepted: false; readonly reason: string }

/**
 * A phone network in memory: people who answer as they are told, at the pace of BusinessTime. It is a Carrier like any
 * other (`provider` `simulator`), and calls in as well as out.
 */
export class SimulatedNetwork extends Context.Tag("@trunkline/telephony/SimulatedNetwork")<SimulatedNetwork, {
  readonly carrier: Carrier
  /** Somebody calls one of our numbers; completes when the call is over. */
  readonly callIn: (call: {
    readonly connection: Connection
    readonly from: PhoneNumber
    readonly to: PhoneNumber
    readonly callee?: Callee
  }) => Effect.Effect<CallInResult>
}>() {
  /** The network alone. */
  static readonly layer = (options: SimulatorOptions = {}) => Layer.effect(SimulatedNetwork, makeNetwork(options))

  /** The network, and it as the only carrier. */
  static readonly layerCarriers = (options: SimulatorOptions = {}) =>
    Layer.provideMerge(
      Layer.unwrapEffect(Effect.map(SimulatedNetwork, (network) => Carriers.layerOf([network.carrier]))),
      SimulatedNetwork.layer(options)
    )
}

const makeNetwork = (options: SimulatorOptions) =>
  Effect.gen(function*() {
    const startedAt = yield* BusinessTime.now
    const live = new Map<AttemptId, PlacedCall>()
    const dialled = new Set<AttemptId>()
    let arrived = 0
    const offers = yield* Queue.unbounded<InboundOffer>()
    const findPickup = (number: PhoneNumber) =>
      pickup(calleeFor(options.rules ?? [], options.default ?? "answer", number), number)

    const place = (plan: DialPlan): Effect.Effect<PlacedCall, DialFailed> =>
      Effect.suspend(() => {
        const known = live.get(plan.attempt_id)
        if (known !== undefined) return Effect.succeed(known)
        if (dialled.has(plan.attempt_id)) return Effect.fail(overAlready)
        const reaction = findPickup(plan.to)
        if (reaction._tag === "Refused") {
          return Effect.fail(new DialFailed({ certainty: "provider", reason: reaction.reason }))
        }
        dialled.add(plan.attempt_id)
        return Effect.tap(
          ring(plan, reaction, Effect.sync(() => live.delete(plan.attempt_id))),
          (call) => Effect.sync(() => live.set(plan.attempt_id, call))
        )
      })

    const carrier: Carrier = {
      provider: "simulator",
      protocol: "simulated",
      place,
      trace: ({ attempt_id }) =>
        Effect.suspend((): Effect.Effect<CallTrace> => {
          if (dialled.has(attempt_id)) {
            return Effect.as(live.get(attempt_id)?.cancel ?? Effect.void, {
              _tag: "Over",
              provider_call_id: callIdOf(attempt_id)
            })
          }
          return Effect.succeed(madeAt(attempt_id) < startedAt ? { _tag: "Untraceable" } : { _tag: "NeverPlaced" })
        }),
      offers: Stream.fromQueue(offers)
    }

    const callIn = (call: Parameters<typeof SimulatedNetwork.Service["callIn"]>[0]) =>
      Effect.gen(function*() {
        const result = yield* Deferred.make<CallInResult>()
        const reaction = pickup(call.callee ?? "answer", call.from)
        const person = reaction._tag === "Answered" ? reaction.person : { hangsUpAfterSeconds: 0, turn: () => null }
        yield* Queue.offer(offers, {
          provider_call_id: `sim-in-${++arrived}`,
          connection: call.connection,
          from: call.from,
          to: call.to,
          accept: Effect.gen(function*() {
            const leg = yield* makeSimulatedLeg(person)
            yield* Effect.forkDaemon(
              Effect.flatMap(leg.ended, (endedBy) => Deferred.succeed(result, { accepted: true, endedBy }))
            )
            return leg.leg
          }),
          reject: (reason) => Effect.asVoid(Deferred.succeed(result, { accepted: false, reason }))
        })
        return yield* Deferred.await(result)
      })

    return SimulatedNetwork.of({ carrier, callIn })
  })

const overAlready = new DialFailed({ certainty: "provider", reason: "simulator: this attempt was dialled before" })

const callIdOf = (attempt: AttemptId) => `sim-${attempt}`

/** A call that rings, until it is answered, given up or cancelled; `over` runs when nothing is left of it. */
const ring = (
  plan: DialPlan,
  reaction: Exclude<Pickup, { readonly _tag: "Refused" }>,
  over: Effect.Effect<unknown>
): Effect.Effect<PlacedCall> =>
  Effect.gen(function*() {
    const placedAt = yield* BusinessTime.now
    const cancelled = yield* Deferred.make<void>()
    const connected = yield* Deferred.make<SimulatedLeg>()
    const ringsFor = Math.min(reaction.afterSeconds * 1000, Duration.toMillis(plan.ringTimeout))
    const pickedUp = Effect.gen(function*() {
      yield* BusinessTime.sleepUntil(placedAt + ringsFor)
      if (reaction._tag === "NotAnswered") {
        return yield* new NotAnswered({ status: reaction.status, reason: reaction.reason })
      }
      const leg = yield* makeSimulatedLeg(reaction.person)
      yield* Deferred.succeed(connected, leg)
      yield* Effect.forkDaemon(Effect.zipRight(leg.ended, over))
      return leg.leg
    })
    const givenUp = Effect.zipRight(
      Deferred.await(cancelled),
      Effect.fail(new NotAnswered({ status: "failed", reason: "simulator: cancelled" }))
    )
    return {
      provider_call_id: callIdOf(plan.attempt_id),
      answer: Effect.tapErrorCause(Effect.raceFirst(pickedUp, givenUp), () => over),
      cancel: Effect.gen(function*() {
        yield* Deferred.succeed(cancelled, undefined)
        const leg = yield* Deferred.poll(connected)
        if (Option.isSome(leg)) yield* Effect.flatMap(leg.value, ({ drop }) => drop("provider"))
      })
    }
  })

/** The moment that a UUIDv7 was made (RFC 9562: its first 48 bits), in epoch milliseconds. */
const madeAt = (id: AttemptId): number => Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)
