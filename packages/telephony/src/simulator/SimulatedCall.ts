import { type AttemptId, BusinessTime, type PhoneNumber } from "@trunkline/kernel"
import { Deferred, Effect, FiberId, Option } from "effect"
import type { EndedBy, Leg } from "../call/Leg.js"
import type { ReferRequest, ReferResult } from "../call/Transfer.js"
import { type CallStatus, NotAnswered, type PlacedCall } from "../carriers/Carrier.js"
import type { CalleeReaction } from "./Callee.js"
import { makeSimulatedLeg, type SimulatedLeg } from "./SimulatedLeg.js"

/** Parameters of a simulated call. */
interface CallSetup {
  readonly provider_call_id: string
  /** Null for inbound calls. */
  readonly attempt_id: AttemptId | null
  readonly connection_id: string
  readonly to: PhoneNumber
  /** Time at which the provider accepts the call, in epoch milliseconds of business time; may be in the future. */
  readonly taken_at: number
  /** Maximum ringing time in milliseconds. */
  readonly ringsFor: number
  readonly reaction: Exclude<CalleeReaction, { readonly _tag: "Refused" }>
  /** Connects the call with an address; absent: the network cannot. */
  readonly refer?: Refer | undefined
}

/** Connects a call with an address, and runs the effect once that has answered. */
export type Refer = (request: ReferRequest, leave: Effect.Effect<void>) => Effect.Effect<ReferResult>

/** State of a simulated call. */
export type SimulatedStage =
  | { readonly _tag: "Ringing" }
  | { readonly _tag: "Talking" }
  /** `endedBy` is null when the call did not connect; `result` has the reason. */
  | { readonly _tag: "Over"; readonly result: NotAnswered | null; readonly endedBy: EndedBy | null }

/**
 * A call on the simulated network. It progresses with time alone (it rings, is answered and ends) whether or not anyone
 * waits for it, so it outlives the engine that placed it.
 */
export interface SimulatedCall {
  readonly setup: CallSetup
  readonly placedCall: PlacedCall
  readonly stage: Effect.Effect<SimulatedStage>
  /** State as reported by the provider's lookup. */
  readonly sight: Effect.Effect<CallStatus>
  /** The callee hangs up if connected. */
  readonly hangUp: Effect.Effect<void>
  /** Completes when an answered call has ended. */
  readonly ended: Effect.Effect<EndedBy>
  /** Keys that the agent has sent; empty before the answer. */
  readonly keys: Effect.Effect<string>
}

const cancelledByEngine = new NotAnswered({ status: "failed", reason: "simulator: cancelled" })

/** Makes a simulated call. */
export const makeSimulatedCall = (setup: CallSetup): SimulatedCall => {
  const { provider_call_id, reaction, ringsFor, taken_at } = setup
  const decidedAt = taken_at + Math.min(reaction.afterSeconds * 1000, ringsFor)
  const notReached = reaction._tag === "NotAnswered"
    ? new NotAnswered({ status: reaction.status, reason: reaction.reason })
    : reaction.afterSeconds * 1000 > ringsFor
    ? new NotAnswered({ status: "no_answer", reason: null })
    : null
  const cancelledSignal = Deferred.unsafeMake<void>(FiberId.none)
  let connectedLeg: SimulatedLeg | null = null

  /** The leg of the answered call. */
  const leg: Effect.Effect<SimulatedLeg, NotAnswered> = Effect.suspend(() => {
    if (connectedLeg !== null) return Effect.succeed(connectedLeg)
    if (reaction._tag === "NotAnswered" || notReached !== null) return Effect.fail(notReached ?? cancelledByEngine)
    return Effect.map(
      makeSimulatedLeg(reaction.behavior, { since: decidedAt, refer: setup.refer }),
      (leg) => connectedLeg ??= leg
    )
  })

  const stage: Effect.Effect<SimulatedStage> = Effect.gen(function*() {
    if (connectedLeg === null && (yield* Deferred.isDone(cancelledSignal))) {
      return { _tag: "Over", result: cancelledByEngine, endedBy: null }
    }
    if ((yield* BusinessTime.now) < decidedAt) return { _tag: "Ringing" }
    if (notReached !== null) return { _tag: "Over", result: notReached, endedBy: null }
    const endedBy = yield* Effect.flatMap(Effect.orDie(leg), (leg) => leg.endedBy)
    return Option.match(endedBy, {
      onNone: (): SimulatedStage => ({ _tag: "Talking" }),
      onSome: (endedBy): SimulatedStage => ({ _tag: "Over", result: null, endedBy })
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

  const placedCall: PlacedCall = { provider_call_id, answer, cancel }
  const sight = Effect.map(stage, (now): CallStatus =>
    now._tag === "Over"
      ? { _tag: "Over", provider_call_id, result: now.result }
      : { _tag: "Live", call: placedCall, connected: now._tag === "Talking" })

  const ended = Effect.flatMap(Effect.orDie(leg), ({ ended }) => ended)

  const keys = Effect.suspend(() => connectedLeg === null ? Effect.succeed("") : connectedLeg.keys)

  return { setup, placedCall, stage, sight, hangUp: drop("user"), ended, keys }
}

/** Calls older than the newest by more than this many milliseconds of business time are removed. */
const retentionMillis = 24 * 3600 * 1000

/** Log of the simulated calls of the last day. */
export class SimulatedCallLog {
  readonly #calls = new Map<string, SimulatedCall>()
  readonly #attempts = new Map<AttemptId, ReadonlyArray<SimulatedCall>>()
  #inbound = 0

  /** Id for the next call of an attempt, or for the next inbound call. */
  nextId(attempt: AttemptId | null): string {
    if (attempt === null) return `sim-in-${++this.#inbound}`
    const before = this.ofAttempt(attempt).length
    return before === 0 ? `sim-${attempt}` : `sim-${attempt}-${before + 1}`
  }

  /** Adds a call. */
  add(call: SimulatedCall): void {
    const { attempt_id, provider_call_id, taken_at } = call.setup
    for (const old of this.#calls.values()) {
      if (old.setup.taken_at >= taken_at - retentionMillis) break
      this.#calls.delete(old.setup.provider_call_id)
      if (old.setup.attempt_id !== null) this.#attempts.delete(old.setup.attempt_id)
    }
    this.#calls.set(provider_call_id, call)
    if (attempt_id !== null) this.#attempts.set(attempt_id, [...this.ofAttempt(attempt_id), call])
  }

  /** Finds a call by its id. */
  find(provider_call_id: string): SimulatedCall | undefined {
    return this.#calls.get(provider_call_id)
  }

  /** The calls of an attempt, oldest first. */
  ofAttempt(attempt: AttemptId): ReadonlyArray<SimulatedCall> {
    return this.#attempts.get(attempt) ?? []
  }

  /** All calls, oldest first. */
  recent(): ReadonlyArray<SimulatedCall> {
    return Array.from(this.#calls.values())
  }
}
