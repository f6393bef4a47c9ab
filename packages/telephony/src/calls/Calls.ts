import { BusinessTime, describeCause } from "@trunkline/kernel"
import { Cause, Context, Effect, Layer, Option } from "effect"
import type { Attempt } from "../attempts/Attempt.js"
import { LineHealth } from "../lines/LineHealth.js"
import { attemptStarted } from "../live/LiveEvent.js"
import { LiveFeed } from "../live/LiveFeed.js"
import { endWithTimeout } from "./CallLimits.js"
import {
  type CallOutcome,
  type Connected,
  notConnected,
  type Placement,
  type PlaceOptions,
  type Recovered,
  type RecoverOptions
} from "./CallOutcome.js"
import { type DialRoute, makeDialer } from "./Dialer.js"
import type { Leg } from "./Leg.js"
import { CarriedCalls } from "./LiveCalls.js"
import { makeReconcile } from "./Reconcile.js"

/** Carries one call from the dial to its end. */
export class Calls extends Context.Tag("@trunkline/telephony/Calls")<Calls, {
  /**
   * Dials a claimed attempt and holds its conversation. It never fails: whatever goes wrong is an outcome. A dial that is
   * not answered is looked into (`recover`) before it is given up as unknown.
   */
  readonly place: (attempt: Attempt, options?: PlaceOptions) => Effect.Effect<Placement>
  /** Holds the conversation of a leg that is connected already. */
  readonly converse: (leg: Leg, attempt: Attempt) => Effect.Effect<Connected>
  /**
   * After a restart: what became of an attempt that was under way (reliability 1.4). It takes its time: a provider is
   * asked until it answers, and only once all that it took can be found.
   */
  readonly recover: (attempt: Attempt, options: RecoverOptions) => Effect.Effect<Recovered>
}>() {
  static readonly layer = Layer.scoped(
    Calls,
    Effect.gen(function*() {
      const feed = yield* LiveFeed
      const health = yield* LineHealth
      const registry = yield* CarriedCalls
      const dialling = yield* makeDialer
      const reconcile = yield* makeReconcile(dialling)

      const isInTime = ({ deadline = null }: PlaceOptions) =>
        Effect.map(BusinessTime.now, (now) => deadline === null || now < deadline)

      /** What the provider may have taken without saying so. */
      const resolveUnknown = (attempt: Attempt, options: PlaceOptions, reason: string): Effect.Effect<Placement> =>
        Effect.gen(function*() {
          const { mayDial = Effect.succeed(true) } = options
          const recovered = yield* reconcile(attempt, {
            after: "dial",
            mayDial: Effect.flatMap(isInTime(options), (inTime) => inTime ? mayDial : Effect.succeed(false))
          })
          switch (recovered._tag) {
            case "Redial":
              return (yield* isInTime(options)) ? notTakenOutcome(attempt) : withdrawn
            case "Disowned":
              return recovered
            case "GoesOn":
              return yield* recovered.outcome
            case "Ended": {
              const { outcome } = recovered
              return outcome._tag === "NotConnected" && outcome.situation === "unknown"
                ? notConnected("unknown", reason)
                : outcome
            }
          }
        })

      const dial = (attempt: Attempt, line: DialRoute, options: PlaceOptions): Effect.Effect<Placement> =>
        Effect.uninterruptibleMask((restore) =>
          Effect.gen(function*() {
            const dialledAt = yield* BusinessTime.now
            const dialled = yield* restore(dialling.dial(attempt, line, isInTime(options)))
            if (dialled._tag === "Disowned" || dialled._tag === "TooLate") {
              const placement = dialled._tag === "TooLate" ? withdrawn : dialled
              return yield* Effect.as(health.report(attempt.connection_id, "none", dialledAt), placement)
            }
            if (dialled._tag === "Taken") {
              return yield* Effect.onInterrupt(
                restore(dialling.follow(attempt, dialled.call)),
                () => endWithTimeout(dialled.call.cancel)
              )
            }
            const { certainty, reason } = dialled.failure
            yield* health.report(attempt.connection_id, "failed", dialledAt)
            return certainty === "provider"
              ? notConnected("provider_error", reason)
              : yield* restore(resolveUnknown(attempt, options, reason))
          })
        )

      const place = Effect.fnUntraced(function*(attempt: Attempt, options: PlaceOptions = {}) {
        const line = yield* dialling.lineOf(attempt)
        const now = yield* BusinessTime.now
        if (Option.isNone(line) || !(yield* isInTime(options))) {
          yield* health.report(attempt.connection_id, "none", now)
          return Option.isNone(line) ? connectionRemoved : withdrawn
        }
        yield* feed.publish(attempt, () => attemptStarted(attempt, now))
        return yield* Effect.catchAllDefect(
          dial(attempt, line.value, options),
          (defect) => Effect.as(Effect.logError("A call broke off", describeCause(Cause.die(defect))), brokenOff)
        )
      })

      return Calls.of({
        place: (attempt, options) => registry.carrying(attempt)(place(attempt, options)),
        converse: (leg, attempt) => registry.carrying(attempt)(dialling.converse(leg, attempt)),
        recover: (attempt, options) =>
          Effect.map(
            registry.carrying(attempt)(reconcile(attempt, { ...options, after: "restart" })),
            (recovered) =>
              recovered._tag === "GoesOn"
                ? { ...recovered, outcome: registry.carrying(attempt)(catchDefects(recovered.outcome)) }
                : recovered
          )
      })
    })
  )
}

const catchDefects = (outcome: Effect.Effect<CallOutcome>): Effect.Effect<CallOutcome> =>
  Effect.catchAllDefect(
    outcome,
    (defect) => Effect.as(Effect.logError("A call broke off", describeCause(Cause.die(defect))), brokenOff)
  )

const withdrawn: Placement = { _tag: "Withdrawn" }

/** The provider did not answer, and has no such call: an error of the provider, which the retry policy counts. */
const notTakenOutcome = ({ channel_provider }: Attempt) =>
  notConnected("provider_error", `${channel_provider}: the call was not taken`)

const connectionRemoved = notConnected("internal", "internal: the phone line is not configured any more")
const brokenOff = notConnected("internal", "internal: the call broke off")

/** The moments of a call at which a test may let the engine crash; each is named after what has just happened. */
export const callFaultPoints = [
  /** The provider is asked next. */
  "dial.sent",
  /** The provider has answered; the accept is not kept yet. */
  "dial.taken",
  "accept.kept",
  /** The conversation is over, or nobody was reached; the result is not kept yet. */
  "call.over",
  /** After a restart: the provider was asked what became of a call. */
  "recover.looked",
  /** After a restart: an attempt was placed again under its key. */
  "recover.dialled"
] as const
