import { type AttemptId, BusinessTime, type PhoneNumber } from "@trunkline/kernel"
import { Deferred, Effect, FiberId, Option } from "effect"
import type { EndedBy, Leg } from "../calls/Leg.js"
import { type CallSight, NotAnswered, type PlacedCall } from "../carriers/Carrier.js"
import type { CalleeReaction } from "./Callee.js"
import { makeSimulatedLeg, type SimulatedLeg } from "./SimulatedLeg.js"

/** What a simulated call is made of. */
export interface CallSetup {
  readonly provider_call_id: string
  /** Null for calls that come in. */
  readonly attempt_id: AttemptId | null
  readonly connection_id: string
  readonly to: PhoneNumber
  /** When the provider took it, epoch milliseconds of business time; it may lie ahead. */
  readonly taken_at: number
  /** Milliseconds that it rings at most. */
  readonly ringsFor: number
  readonly reaction: Exclude<CalleeReaction, { readonly _tag: "Refused" }>
}

/** How a simulated call stands. */
export type CallStage =
  | { readonly _tag: "Ringing" }
  | { readonly _tag: "Talking" }
  /** `endedBy` is null when nobody was reached, for the reason in `result`. */
  | { readonly _tag: "Over"; readonly result: NotAnswered | null; readonly endedBy: EndedBy | null }

/**
 * A call on the simulated network. It lives by the time alone: whether anybody waits for it or not, it rings, is picked
 * up, and ends when the person hangs up. So it outlives an engine that is gone.
 */
export interface SimulatedCall {
  readonly setup: CallSetup
  readonly placed: PlacedCall
  readonly stage: Effect.Effect<CallStage>
  /** As the provider tells of it. */
  readonly sight: Effect.Effect<CallSight>
  /** The person hangs up, if they are on. */
  readonly hangUp: Effect.Effect<void>
  /** Completes when a call that was picked up is over. */
  readonly ended: Effect.Effect<EndedBy>
}

const cancelledByEngine = new NotAnswered({ status: "failed", reason: "simulator: cancelled" })

/** A call as it is set up. */
export const makeSimulatedCall = (setup: CallSetup): SimulatedCall => {
  const { provider_call_id, reaction, ringsFor, taken_at } = setup
  const decidedAt = taken_at + Math.min(reaction.afterSeconds * 1000, ringsFor)
  const notReached = reaction._tag === "NotAnswered"
    ? new NotAnswered({ status: reaction.status, reason: reaction.reason })
    : reaction.afterSeconds * 1000 > ringsFor
    ? new NotAnswered({ status: "no_answer", reason: null })
    : null
  const cancelledSignal = Deferred.unsafeMake<void>(FiberId.none)
  let connected: SimulatedLeg | null = null

  /** The leg, once somebody has picked up. */
  const leg: Effect.Effect<SimulatedLeg, NotAnswered> = Effect.suspend(() => {
    if (connected !== null) return Effect.succeed(connected)
    if (reaction._tag === "NotAnswered" || notReached !== null) return Effect.fail(notReached ?? cancelledByEngine)
    return Effect.map(makeSimulatedLeg(reaction.behavior, decidedAt), (made) => connected ??= made)
  })

  const stage: Effect.Effect<CallStage> = Effect.gen(function*() {
    if (connected === null && (yield* Deferred.isDone(cancelledSignal))) {
      return { _tag: "Over", result: cancelledByEngine, endedBy: null }
    }
    if ((yield* BusinessTime.now) < decidedAt) return { _tag: "Ringing" }
    if (notReached !== null) return { _tag: "Over", result: notReached, endedBy: null }
    const endedBy = yield* Effect.flatMap(Effect.orDie(leg), (leg) => leg.endedBy)
    return Option.match(endedBy, {
      onNone: (): CallStage => ({ _tag: "Talking" }),
      onSome: (endedBy): CallStage => ({ _tag: "Over", result: null, endedBy })
    })
  })

  const answer: Effect.Effect<Leg, NotAnswered> = Effect.zipRight(
    Effect.raceFirst(BusinessTime.sleepUntil(decidedAt), Deferred.await(cancelledSignal)),
    Effect.flatMap(stage, (now) =>
      now._tag === "Over" && now.result !== null
        ? Effect.fail(now.result)
        : Effect.map(leg, ({ leg }) => leg))
  )

  const drop = (by: EndedBy) =>
    Effect.flatMap(
      stage,
      (now) => now._tag === "Talking" ? Effect.ignore(Effect.flatMap(leg, ({ drop }) => drop(by))) : Effect.void
    )

  const cancel = Effect.flatMap(
    stage,
    (now) => now._tag === "Ringing" ? Effect.asVoid(Deferred.succeed(cancelledSignal, undefined)) : drop("provider")
  )

  const placed: PlacedCall = { provider_call_id, answer, cancel }
  const sight = Effect.map(stage, (now): CallSight =>
    now._tag === "Over"
      ? { _tag: "Over", provider_call_id, result: now.result }
      : { _tag: "Live", call: placed, connected: now._tag === "Talking" })

  const ended = Effect.flatMap(Effect.orDie(leg), ({ ended }) => ended)

  return { setup, placed, stage, sight, hangUp: drop("user"), ended }
}

/** Calls that are older than the newest by more than this are forgotten, in milliseconds of business time. */
const RETENTION = 24 * 3600 * 1000

/** The calls of the simulated network of the last day. */
export class CallLog {
  readonly #calls = new Map<string, SimulatedCall>()
  readonly #attempts = new Map<AttemptId, ReadonlyArray<SimulatedCall>>()
  #inbound = 0

  /** The id of the next call of an attempt, or of somebody who calls in. */
  nextId(attempt: AttemptId | null): string {
    if (attempt === null) return `sim-in-${++this.#inbound}`
    const before = this.ofAttempt(attempt).length
    return before === 0 ? `sim-${attempt}` : `sim-${attempt}-${before + 1}`
  }

  /** Adds a call. */
  add(call: SimulatedCall): void {
    const { attempt_id, provider_call_id, taken_at } = call.setup
    for (const old of this.#calls.values()) {
      if (old.setup.taken_at >= taken_at - RETENTION) break
      this.#calls.delete(old.setup.provider_call_id)
      if (old.setup.attempt_id !== null) this.#attempts.delete(old.setup.attempt_id)
    }
    this.#calls.set(provider_call_id, call)
    if (attempt_id !== null) this.#attempts.set(attempt_id, [...this.ofAttempt(attempt_id), call])
  }

  /** The call of this id. */
  find(provider_call_id: string): SimulatedCall | undefined {
    return this.#calls.get(provider_call_id)
  }

  /** The calls of an attempt, oldest first. */
  ofAttempt(attempt: AttemptId): ReadonlyArray<SimulatedCall> {
    return this.#attempts.get(attempt) ?? []
  }

  /** All of them, oldest first. */
  recent(): ReadonlyArray<SimulatedCall> {
    return Array.from(this.#calls.values())
  }
}
