import { type AttemptId, Ids, type PhoneNumber } from "@trunkline/kernel"
import { Duration, Effect, type Scope } from "effect"
import { type AudioLine, isAudioLine } from "../call/AudioLine.js"
import type { Leg } from "../call/Leg.js"
import type {
  CallStatus,
  Carrier,
  DialFailed,
  DialPlan,
  LookupFailed,
  NotAnswered,
  PlacedCall
} from "../carriers/Carrier.js"
import type { Connection } from "../carriers/Connection.js"

/** Delivery behavior of a provider's events. */
export type EventDelivery = "promptly" | "late" | "twice" | "backwards" | "never"

/** A carrier connected to a controllable test provider. */
export interface CarrierHarness {
  readonly carrier: Carrier
  readonly connection: Connection
  readonly from: PhoneNumber
  /** Phone numbers by their reaction to a call. */
  readonly numbers: {
    /** Answers after a moment of ringing and stays on the line. */
    readonly answers: PhoneNumber
    readonly busy: PhoneNumber
    /** Rings until the ringing timeout. */
    readonly noAnswer: PhoneNumber
    /** The provider accepts the call and then reports an invalid number. */
    readonly invalid: PhoneNumber
    /** The provider refuses the call. */
    readonly refused: PhoneNumber
  }
  /** Number of calls that the provider has dialled for an attempt. */
  readonly countDials: (attempt: AttemptId) => Effect.Effect<number>
  /** Makes the other side of a connected call hang up. */
  readonly hangUp: (providerCallId: string) => Effect.Effect<void>
  /** Makes the provider accept the next call but lose its response. */
  readonly loseNextResponse: Effect.Effect<void>
  /** Sets the delivery of events from now on; absent when the provider sends no events. */
  readonly deliver?: (how: EventDelivery) => Effect.Effect<void>
  /** Makes the provider answer, acknowledge and report nothing from now on; absent where a test cannot. */
  readonly stall?: Effect.Effect<void>
  /** Makes a leg of a line with sound; absent when all calls of the carrier are legs. */
  readonly legOf?: (line: AudioLine) => Effect.Effect<Leg, never, Scope.Scope>
  /** Lets time pass on the provider's clock. */
  readonly wait: (time: Duration.Duration) => Effect.Effect<void>
}

/** Defines a test, in virtual or real time. */
export type DefineTest = (name: string, effect: () => Effect.Effect<void, unknown, Scope.Scope>) => void

/** A placed call and its plan. */
interface DialledCall {
  readonly plan: DialPlan
  readonly call: PlacedCall
}

/** Dialling helpers of a harness. */
export interface HarnessDialler {
  readonly plan: (to: PhoneNumber, ringTimeout?: Duration.Duration) => Effect.Effect<DialPlan, never, Ids>
  readonly dial: (
    to: PhoneNumber,
    ringTimeout?: Duration.Duration
  ) => Effect.Effect<DialledCall, DialFailed, Ids>
  /** The leg of an answered call. */
  readonly legOfCall: (call: PlacedCall) => Effect.Effect<Leg, NotAnswered, Scope.Scope>
  readonly look: (dialledCall: DialledCall) => Effect.Effect<CallStatus, LookupFailed>
}

/** Makes dialling helpers; the ringing timeout defaults to 40 s. */
export const diallerOn = ({ carrier, connection, from, legOf }: CarrierHarness): HarnessDialler => {
  const plan: HarnessDialler["plan"] = (to, ringTimeout = Duration.seconds(40)) =>
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
    legOfCall: ({ answer }) =>
      Effect.flatMap(answer, (answeredLine) => {
        if (!isAudioLine(answeredLine)) return Effect.succeed(answeredLine)
        return legOf === undefined
          ? Effect.dieMessage("The harness makes no legs of lines with sound")
          : legOf(answeredLine)
      }),
    look: ({ call, plan }) => carrier.lookup({ ...plan, provider_call_id: call.provider_call_id })
  }
}
