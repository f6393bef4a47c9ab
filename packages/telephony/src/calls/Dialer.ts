import { BusinessTime, FaultPoints, makeBatches, timeoutAfter, Transactions } from "@trunkline/kernel"
import { Cause, Context, Duration, Effect, Either, Exit, Layer, Option } from "effect"
import type { Attempt } from "../attempts/Attempt.js"
import { type Acceptance, AttemptStore } from "../attempts/AttemptStore.js"
import { type Carrier, Carriers, DialFailed, type NotAnswered, type PlacedCall } from "../carriers/Carrier.js"
import { type Connection, Connections } from "../carriers/Connection.js"
import { LineHealth } from "../lines/LineHealth.js"
import { CallLimitsOption, endWithTimeout, withRingTimeout } from "./CallLimits.js"
import { type CallOutcome, notConnected } from "./CallOutcome.js"
import { makeConversations } from "./Conversations.js"

/** The carrier and connection that an attempt is dialled over. */
export interface DialRoute {
  readonly carrier: Carrier
  readonly connection: Connection
}

/**
 * Outcome of a dial. `Taken`: the provider accepted it. `Failed`: it refused, failed or did not respond. `Disowned`: not
 * dialled since another process owns the work now. `TooLate`: not dialled since the time to dial has passed.
 */
type DialOutcome =
  | { readonly _tag: "Taken"; readonly call: PlacedCall }
  | { readonly _tag: "Failed"; readonly failure: DialFailed }
  | { readonly _tag: "Disowned" }
  | { readonly _tag: "TooLate" }

/** Timeout for a provider to accept a call, in technical time; the outcome is unknown after that (docs/decisions.md, 18). */
const PROVIDER_TIMEOUT = Duration.seconds(10)

/** Most acceptances in one transaction. */
const maxAccepts = 200

/** Outcome of a call during which the engine stopped. */
export const engineStopped = notConnected("internal", "internal: the engine stopped during the call")

/** Dials and follows calls; shared by first dials and recoveries. */
export const makeDialer = Effect.gen(function*() {
  const carriers = yield* Carriers
  const connections = yield* Connections
  const store = yield* AttemptStore
  const health = yield* LineHealth
  const limits = yield* CallLimitsOption
  const lease = yield* DialLease
  const faults = yield* FaultPoints
  const transactions = yield* Transactions
  const converse = yield* makeConversations

  const accepts = yield* makeBatches({
    limit: maxAccepts,
    run: (accepts: ReadonlyArray<Acceptance>) =>
      Effect.map(
        transactions.runGuarded(store.acceptMany(accepts)),
        (accepted) => accepts.map(({ attempt_id }) => accepted.has(attempt_id))
      )
  })

  const findRoute = (attempt: Attempt): Effect.Effect<Option.Option<DialRoute>> =>
    Effect.map(
      connections.find(attempt, attempt.connection_id),
      Option.flatMap((connection) =>
        Option.map(carriers.find(connection.provider), (carrier) => ({ carrier, connection }))
      )
    )

  /**
   * Asks the provider to dial, unless the deadline has passed while the lease was checked. The provider may have
   * received a request that was interrupted.
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
      const placingWithTimeout = carrier.immediate === true
        ? placing
        : timeoutAfter(PROVIDER_TIMEOUT, Effect.fail(providerTimedOut))(placing)
      const placed = faults.after("dial.taken")(placingWithTimeout)
      return Exit.match(yield* Effect.exit(placed), {
        onSuccess: (call): DialOutcome => ({ _tag: "Taken", call }),
        onFailure: (cause): DialOutcome => ({ _tag: "Failed", failure: failureOf(cause) })
      })
    })

  /** Follows an accepted call to its end. Cancels it on any failure or interruption so that it is not left ringing. */
  const follow = (attempt: Attempt, call: PlacedCall): Effect.Effect<CallOutcome> => {
    const [cancel, answered] = call.immediate === true
      ? [call.cancel, call.answer]
      : [endWithTimeout(call.cancel), withRingTimeout(limits.ringTimeout, call.answer)]
    return Effect.gen(function*() {
      const dialledAt = yield* BusinessTime.now
      if (attempt.state !== "accepted") {
        const isStored = yield* faults.after("accept.kept")(
          accepts.submit({ attempt_id: attempt.attempt_id, provider_call_id: call.provider_call_id })
        )
        if (!isStored) return yield* Effect.as(cancel, engineStopped)
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

  return { converse, dial, follow, findRoute }
})

const providerTimedOut = new DialFailed({
  certainty: "unknown",
  reason: "unknown: the provider did not respond in time"
})
const carrierDefect = new DialFailed({
  certainty: "unknown",
  reason: "unknown: the carrier failed unexpectedly during the dial"
})

const failureOf = (cause: Cause.Cause<DialFailed>): DialFailed =>
  Option.getOrElse(Cause.failureOption(cause), () => carrierDefect)

/** Converts a `NotAnswered` error to an outcome. */
export const unansweredOutcome = ({ reason, status }: NotAnswered): CallOutcome => notConnected(status, reason)

/**
 * Permission of this process to dial. A process that takes over the work recovers the unfinished attempts, so this
 * process must not be dialling any of them by then.
 */
export class DialLease extends Context.Tag("@trunkline/telephony/DialLease")<DialLease, {
  /**
   * Checked right before a dial: true when a dial that begins now ends before another process can own the work. When
   * false, nothing is dialled.
   */
  readonly mayDial: Effect.Effect<boolean>
}>() {
  /** Always grants permission: state in memory has a single owner. */
  static readonly layerMemory: Layer.Layer<DialLease> = Layer.succeed(DialLease, { mayDial: Effect.succeed(true) })
}
