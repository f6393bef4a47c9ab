import { type AttemptId, Ids, type PhoneNumber } from "@trunkline/kernel"
import { Duration, Effect, type Scope } from "effect"
import type { CallSight, Carrier, DialFailed, DialPlan, LookupFailed, PlacedCall } from "./Carrier.js"
import type { Connection } from "./Connection.js"

/** How a provider delivers what it tells of calls. */
export type Delivery = "promptly" | "late" | "twice" | "backwards" | "never"

/** A carrier on a provider that does as it is told. */
export interface CarrierHarness {
  readonly carrier: Carrier
  readonly connection: Connection
  readonly from: PhoneNumber
  /** Whom to dial, by what comes of it. */
  readonly numbers: {
    /** Somebody picks up after a moment of ringing, and stays on the line. */
    readonly answers: PhoneNumber
    readonly busy: PhoneNumber
    /** It rings until it is given up. */
    readonly noAnswer: PhoneNumber
    /** The provider takes the call, and then says that the number is none. */
    readonly invalid: PhoneNumber
    /** The provider does not take the call. */
    readonly refused: PhoneNumber
  }
  /** How many calls the provider has dialled for an attempt. */
  readonly dialled: (attempt: AttemptId) => Effect.Effect<number>
  /** The person on the other side of a connected call hangs up. */
  readonly hangUp: (providerCallId: string) => Effect.Effect<void>
  /** The provider takes the next call that it is asked for, and its answer is lost. */
  readonly loseNextResponse: Effect.Effect<void>
  /** How calls are told of from now on; absent where the provider tells nothing by itself. */
  readonly deliver?: (how: Delivery) => Effect.Effect<void>
  /** Lets so much time pass as the provider counts it. */
  readonly wait: (time: Duration.Duration) => Effect.Effect<void>
}

/** Defines a test, in simulated time or in real time. */
export type DefineTest = (name: string, effect: () => Effect.Effect<void, unknown, Scope.Scope>) => void

/** A call that was placed, and how. */
export interface DialledCall {
  readonly plan: DialPlan
  readonly call: PlacedCall
}

/** Ways to dial on a harness. */
export interface HarnessDialer {
  readonly plan: (to: PhoneNumber, ringTimeout?: Duration.Duration) => Effect.Effect<DialPlan, never, Ids>
  readonly dial: (
    to: PhoneNumber,
    ringTimeout?: Duration.Duration
  ) => Effect.Effect<DialledCall, DialFailed, Ids>
  readonly look: (dialled: DialledCall) => Effect.Effect<CallSight, LookupFailed>
}

/** Dials on a harness; it rings for 40 s unless said otherwise. */
export const dialerOn = ({ carrier, connection, from }: CarrierHarness): HarnessDialer => {
  const plan: HarnessDialer["plan"] = (to, ringTimeout = Duration.seconds(40)) =>
    Effect.map(Effect.flatMap(Ids, (ids) => ids.attemptId), (attempt_id) => ({
      attempt_id,
      connection,
      from,
      to,
      ringTimeout
    }))
  return {
    plan,
    dial: (to, ringTimeout) =>
      Effect.flatMap(plan(to, ringTimeout), (plan) => Effect.map(carrier.place(plan), (call) => ({ plan, call }))),
    look: ({ call, plan }) => carrier.look({ ...plan, provider_call_id: call.provider_call_id })
  }
}
