import { BusinessTime, FaultPoints, leaveAfter } from "@trunkline/kernel"
import { Cause, Context, Duration, Effect, Either, Exit, Layer, Option } from "effect"
import type { Attempt } from "../attempts/Attempt.js"
import { AttemptStore } from "../attempts/AttemptStore.js"
import { type Carrier, Carriers, DialFailed, type NotAnswered, type PlacedCall } from "../carriers/Carrier.js"
import { type Connection, Connections } from "../carriers/Connection.js"
import { LineHealth } from "../lines/LineHealth.js"
import { CallLimitsOption, endWithTimeout, withRingTimeout } from "./CallLimits.js"
import { type CallOutcome, notConnected } from "./CallOutcome.js"
import { makeConversations } from "./Conversations.js"

/** The line that an attempt goes over. */
export interface DialRoute {
  readonly carrier: Carrier
  readonly connection: Connection
}

/**
 * What the provider said to a dial. `Disowned`: it was not asked, since the work is not ours any more. `TooLate`: it was not
 * asked, since it may not be dialled any more.
 */
export type DialOutcome =
  | { readonly _tag: "Taken"; readonly call: PlacedCall }
  | { readonly _tag: "Failed"; readonly failure: DialFailed }
  | { readonly _tag: "Disowned" }
  | { readonly _tag: "TooLate" }

/** How long a provider has to take a call, in technical time; after that nobody knows whether it did. */
const PROVIDER_TIMEOUT = Duration.seconds(10)

/** The engine stopped while the call was going on. */
export const engineStopped = notConnected("internal", "internal: the engine stopped during the call")

/** Placing calls and following them to their end: what dials and recoveries have in common. */
export const makeDialer = Effect.gen(function*() {
  const carriers = yield* Carriers
  const connections = yield* Connections
  const store = yield* AttemptStore
  const health = yield* LineHealth
  const limits = yield* CallLimitsOption
  const lease = yield* DialLease
  const faults = yield* FaultPoints
  const converse = yield* makeConversations

  const findRoute = (attempt: Attempt): Effect.Effect<Option.Option<DialRoute>> =>
    Effect.map(
      connections.find(attempt, attempt.connection_id),
      Option.flatMap((connection) =>
        Option.map(carriers.find(connection.provider), (carrier) => ({ carrier, connection }))
      )
    )

  /**
   * Asks the provider to dial, unless it is too late for that: looking after the lease may have taken a while. A question
   * that is broken off may have been heard all the same.
   */
  const dial = (
    attempt: Attempt,
    { carrier, connection }: DialRoute,
    inTime: Effect.Effect<boolean>
  ): Effect.Effect<DialOutcome> =>
    Effect.gen(function*() {
      if (!(yield* lease.mayDial)) return { _tag: "Disowned" }
      if (!(yield* inTime)) return { _tag: "TooLate" }
      yield* faults.after("dial.sent")(Effect.void)
      const { ringTimeout } = limits
      const { agent_phone_number: from, attempt_id, user_phone_number: to } = attempt
      const placing = carrier.place({ attempt_id, connection, from, to, ringTimeout })
      const placingWithTimeout = carrier.prompt === true
        ? placing
        : leaveAfter(PROVIDER_TIMEOUT, Effect.fail(providerTimedOut))(placing)
      const placed = faults.after("dial.taken")(placingWithTimeout)
      return Exit.match(yield* Effect.exit(placed), {
        onSuccess: (call): DialOutcome => ({ _tag: "Taken", call }),
        onFailure: (cause): DialOutcome => ({ _tag: "Failed", failure: failureOf(cause) })
      })
    })

  /** Carries a call that the provider has taken to its end; whatever breaks or interrupts, it is not left ringing. */
  const follow = (attempt: Attempt, call: PlacedCall): Effect.Effect<CallOutcome> => {
    const [cancel, answered] = call.prompt === true
      ? [call.cancel, call.answer]
      : [endWithTimeout(call.cancel), withRingTimeout(limits.ringTimeout, call.answer)]
    return Effect.gen(function*() {
      const dialledAt = yield* BusinessTime.now
      if (attempt.state !== "accepted") {
        const kept = yield* faults.after("accept.kept")(store.accept(attempt.attempt_id, call.provider_call_id))
        if (!kept) return yield* Effect.as(cancel, engineStopped)
      }
      const answer = yield* Effect.either(answered)
      const failed = Either.isLeft(answer) && answer.left.status === "provider_error"
      yield* health.report(attempt.connection_id, failed ? "failed" : "ok", dialledAt)
      return yield* Either.match(answer, {
        onLeft: (failure) => Effect.as(cancel, unansweredOutcome(failure)),
        onRight: (leg) => converse(leg, attempt)
      })
    }).pipe(
      Effect.onExit((exit) => Exit.isSuccess(exit) ? Effect.void : cancel),
      faults.after("call.over")
    )
  }

  return { converse, dial, follow, lineOf: findRoute }
})

const providerTimedOut = new DialFailed({
  certainty: "unknown",
  reason: "unknown: the provider did not answer in time"
})
const carrierDefect = new DialFailed({ certainty: "unknown", reason: "unknown: the carrier broke during the dial" })

const failureOf = (cause: Cause.Cause<DialFailed>): DialFailed =>
  Option.getOrElse(Cause.failureOption(cause), () => carrierDefect)

/** Nobody was reached. */
export const unansweredOutcome = ({ reason, status }: NotAnswered): CallOutcome => notConnected(status, reason)

/**
 * Whether this process may dial. Another process that takes over its work recovers what it left, so no dial of this one
 * may still be going on then.
 */
export class DialLease extends Context.Tag("@trunkline/telephony/DialLease")<DialLease, {
  /**
   * Whether a dial that begins now ends before anybody else can own the work: asked right before the provider is. False
   * means that the work may be somebody else's already; nothing is dialled then.
   */
  readonly mayDial: Effect.Effect<boolean>
}>() {
  /** Always: what is in memory has one owner. */
  static readonly layerMemory: Layer.Layer<DialLease> = Layer.succeed(DialLease, { mayDial: Effect.succeed(true) })
}
