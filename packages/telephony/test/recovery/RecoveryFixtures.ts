import { BusinessTime, findOne } from "@trunkline/kernel"
import {
  type Attempt,
  AttemptStore,
  type Callee,
  type CallEvents,
  type CallOutcome,
  Calls,
  type Dedupe,
  type Recovered,
  SimulatedNetwork,
  type SimulatorOptions
} from "@trunkline/telephony"
import { Duration, Effect, Option } from "effect"
import { attemptInProgress } from "../AttemptInProgress.js"
import { connection, telephony } from "../Fixtures.js"

export const minute = Duration.minutes(1)

export const key = { _tag: "Key", ttl: Duration.hours(1) } as const satisfies Dedupe

export const lookup: Dedupe = { _tag: "Lookup", settle: minute }

export const none: Dedupe = { _tag: "None" }

/** State left by the previous process: with or without a dial request, and how long ago. */
export interface Past {
  readonly state: "claimed" | "accepted"
  readonly requested: boolean
  /** Seconds between the dial and the crash. */
  readonly secondsAgo?: number
  /** True when the call was connected. */
  readonly talking?: boolean
}

const plan = (attempt: Attempt) => ({
  attempt_id: attempt.attempt_id,
  connection,
  from: attempt.agent_phone_number,
  to: attempt.user_phone_number,
  ringTimeout: Duration.seconds(40)
})

export interface World {
  readonly dedupe: Dedupe
  readonly callee?: Callee
  readonly simulator?: SimulatorOptions
  readonly past: Past
  readonly mayDial?: boolean
  /** Runs before the new process starts. */
  readonly meanwhile?: Effect.Effect<unknown, never, CallEvents>
}

/** Recovers an attempt in a new process and follows a live call to its end. */
export const recovered = (
  { callee = "answer", dedupe, mayDial = true, meanwhile = Effect.void, past, simulator }: World
) =>
  Effect.gen(function*() {
    const [network, calls, store] = [yield* SimulatedNetwork, yield* Calls, yield* AttemptStore]
    const attempt = attemptInProgress(past.state, {
      provider_call_id: past.state === "accepted" ? `sim-${attemptInProgress("claimed").attempt_id}` : null
    })
    yield* store.insertMany([attempt])
    if (past.requested) {
      const placed = yield* Effect.orDie(network.carrier.place(plan(attempt)))
      if (past.talking === true) yield* Effect.orDie(placed.answer)
    }
    yield* BusinessTime.sleep(Duration.seconds(past.secondsAgo ?? 1))
    yield* meanwhile
    const start = yield* BusinessTime.now
    const result = yield* calls.recover(attempt, { mayDial: Effect.succeed(mayDial) })
    const took = ((yield* BusinessTime.now) - start) / 1000
    const outcome = yield* outcomeOf(result)
    const made = yield* network.calls
    const stored = yield* findOne(store.findMany, attempt.attempt_id)
    return { result: result._tag, outcome, took, calls: made, stored: Option.getOrThrow(stored) }
  }).pipe(
    Effect.provide(telephony({
      simulator: {
        dedupe,
        default: callee,
        visibleAfter: dedupe._tag === "Lookup" ? dedupe.settle : Duration.zero,
        ...simulator
      }
    }))
  )

export const outcomeOf = (result: Recovered): Effect.Effect<CallOutcome | null> =>
  result._tag === "GoesOn" ? result.outcome : Effect.succeed(result._tag === "Ended" ? result.outcome : null)

/** Short form of an outcome: `connected` or the situation. */
export const word = (outcome: CallOutcome | null) =>
  outcome === null ? null : outcome._tag === "Connected" ? "connected" : outcome.situation
