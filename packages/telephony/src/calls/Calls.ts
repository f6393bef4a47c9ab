import { BusinessTime, describeCause } from "@trunkline/kernel"
import { Cause, Context, Duration, Effect, Layer, Option } from "effect"
import type { Attempt } from "../call/Attempt.js"
import type { AudioLine } from "../call/AudioLine.js"
import {
  type CallOutcome,
  notConnected,
  type Placement,
  type PlaceOptions,
  type Recovered,
  type RecoverOptions
} from "../call/CallOutcome.js"
import type { Leg } from "../call/Leg.js"
import { LineHealth } from "../lines/LineHealth.js"
import { attemptStarted } from "../live/LiveEvent.js"
import { LiveFeed } from "../live/LiveFeed.js"
import { CallRecorder } from "../recording/CallRecorder.js"
import { withCallSpan } from "./CallSpans.js"
import { type DialRoute, makeDialler, restLine } from "./Dialler.js"
import { CallRegistry } from "./LiveCalls.js"
import { makeReconcile } from "./Reconcile.js"

/** Places calls and follows each one to its end. */
export class Calls extends Context.Tag("@trunkline/telephony/Calls")<Calls, {
  /**
   * Dials a claimed attempt and runs its conversation. Never fails: every problem is an outcome. A dial without a
   * response is reconciled with the provider (as in `recover`) before its outcome is reported as unknown.
   */
  readonly place: (attempt: Attempt, options?: PlaceOptions) => Effect.Effect<Placement>
  /** Runs the conversation of a call that is already connected. */
  readonly converse: (line: Leg | AudioLine, attempt: Attempt) => Effect.Effect<CallOutcome>
  /**
   * Recovers an attempt that was in progress when its process stopped. This may take long: a provider is asked until it
   * responds, and not before every call it accepted has become visible.
   */
  readonly recover: (attempt: Attempt, options: RecoverOptions) => Effect.Effect<Recovered>
}>() {
  static readonly layer = Layer.scoped(
    Calls,
    Effect.gen(function*() {
      const feed = yield* LiveFeed
      const health = yield* LineHealth
      const registry = yield* CallRegistry
      const dialler = yield* makeDialler
      const reconcile = yield* makeReconcile(dialler)
      const recorder = yield* CallRecorder

      /** Adds to the outcome of a recovered call what its stopped process has recorded. */
      const withSound = (attempt: Attempt) => (outcome: CallOutcome): Effect.Effect<CallOutcome> =>
        outcome._tag === "NotConnected" || outcome.recording !== undefined
          ? Effect.succeed(outcome)
          : Effect.map(
            recorder.recover(attempt, outcome.interaction_id),
            (recording) => recording === null ? outcome : { ...outcome, recording }
          )

      const isInTime = (options: PlaceOptions) => Effect.map(BusinessTime.now, (now) => isBeforeDeadline(options, now))

      /** Resolves a dial that the provider may have accepted without responding. */
      const resolveUnknown = (attempt: Attempt, options: PlaceOptions, reason: string): Effect.Effect<Placement> =>
        Effect.gen(function*() {
          const { mayDial = Effect.succeed(true) } = options
          const recovery = yield* reconcile(attempt, {
            after: "dial",
            mayDial: Effect.flatMap(isInTime(options), (inTime) => inTime ? mayDial : Effect.succeed(false))
          })
          switch (recovery._tag) {
            case "Redial":
              return (yield* isInTime(options)) ? notTakenOutcome(attempt) : withdrawnPlacement
            case "Disowned":
              return recovery
            case "GoesOn":
              return yield* recovery.outcome
            case "Ended": {
              const { outcome } = recovery
              return outcome._tag === "NotConnected" && outcome.situation === "unknown"
                ? notConnected("unknown", reason)
                : outcome
            }
          }
        })

      const dial = (attempt: Attempt, route: DialRoute, options: PlaceOptions): Effect.Effect<Placement> =>
        Effect.uninterruptibleMask((restore) =>
          Effect.gen(function*() {
            const dialledAt = yield* BusinessTime.now
            const dialOutcome = yield* restore(dialler.dial(attempt, route, isInTime(options), options.turn))
            if (dialOutcome._tag === "Disowned" || dialOutcome._tag === "TooLate") {
              const placement = dialOutcome._tag === "TooLate" ? withdrawnPlacement : dialOutcome
              return yield* Effect.as(health.report(attempt.connection_id, "none", dialledAt), placement)
            }
            if (dialOutcome._tag === "Taken") {
              return yield* dialler.follow(attempt, dialOutcome.call, { restore, onCallOff: options.onCallOff })
            }
            const { certainty, reason, retryAfter, status } = dialOutcome.failure
            if (certainty === "none") {
              yield* Effect.logWarning(`A call was not dialled and waits: ${reason}`)
              yield* health.report(attempt.connection_id, "none", dialledAt)
              const rest = retryAfter !== undefined && retryAfter >= 0 ? Duration.seconds(retryAfter) : restAfterNone
              yield* health.rest(attempt.connection_id, Duration.max(rest, shortestRest), reason)
              return withdrawnPlacement
            }
            const isAnswered = certainty === "provider" && status !== undefined
            yield* health.report(attempt.connection_id, isAnswered ? "ok" : "failed", dialledAt)
            yield* restLine(health, attempt.connection_id, dialOutcome.failure)
            return certainty === "provider"
              ? notConnected(status ?? "provider_error", reason)
              : yield* restore(resolveUnknown(attempt, options, reason))
          })
        )

      const place = Effect.fnUntraced(function*(attempt: Attempt, options: PlaceOptions = {}) {
        const route = yield* dialler.findRoute(attempt)
        const now = yield* BusinessTime.now
        if (Option.isNone(route) || !isBeforeDeadline(options, now)) {
          yield* health.report(attempt.connection_id, "none", now)
          return Option.isNone(route) ? connectionRemoved : withdrawnPlacement
        }
        yield* feed.publish(attempt, () => attemptStarted(attempt, now))
        return yield* Effect.catchAllDefect(
          dial(attempt, route.value, options),
          (defect) =>
            Effect.as(
              Effect.logError("A call failed unexpectedly", describeCause(Cause.die(defect))),
              failedUnexpectedly
            )
        )
      })

      return Calls.of({
        place: (attempt, options) => registry.track(attempt)(withCallSpan(attempt)(place(attempt, options))),
        converse: (line, attempt) => registry.track(attempt)(withCallSpan(attempt)(dialler.converse(line, attempt))),
        recover: (attempt, options) =>
          Effect.flatMap(
            registry.track(attempt)(reconcile(attempt, { ...options, after: "restart" })),
            (recovery): Effect.Effect<Recovered> => {
              if (recovery._tag === "Ended") {
                return Effect.map(withSound(attempt)(recovery.outcome), (outcome) => ({ ...recovery, outcome }))
              }
              if (recovery._tag !== "GoesOn") return Effect.succeed(recovery)
              const outcome = Effect.flatMap(catchDefects(recovery.outcome), withSound(attempt))
              return Effect.succeed({ ...recovery, outcome: registry.track(attempt)(withCallSpan(attempt)(outcome)) })
            }
          )
      })
    })
  )
}

/** Rest of a line on which nothing could be sent. */
const restAfterNone = Duration.seconds(5)

/** Shortest rest, so that a carrier that asks for none does not make its calls go round without a pause. */
const shortestRest = Duration.millis(250)

const isBeforeDeadline = ({ deadline = null }: PlaceOptions, now: number): boolean =>
  deadline === null || now < deadline

const catchDefects = (outcome: Effect.Effect<CallOutcome>): Effect.Effect<CallOutcome> =>
  Effect.catchAllDefect(
    outcome,
    (defect) =>
      Effect.as(Effect.logError("A call failed unexpectedly", describeCause(Cause.die(defect))), failedUnexpectedly)
  )

const withdrawnPlacement: Placement = { _tag: "Withdrawn" }

/** The provider did not respond and has no such call; counts as a provider error in the retry policy. */
const notTakenOutcome = ({ channel_provider }: Attempt) =>
  notConnected("provider_error", `${channel_provider}: the call was not accepted`)

const connectionRemoved = notConnected("internal", "internal: the connection is no longer configured")
const failedUnexpectedly = notConnected("internal", "internal: the call failed unexpectedly")

/** Points at which a test can crash the engine during a call, each named after the step that has just completed. */
export const callFaultPoints = [
  /** Right before the request to the provider. */
  "dial.sent",
  /** The provider has responded; the acceptance is not stored yet. */
  "dial.taken",
  "accept.kept",
  /** The call is over; the result is not stored yet. */
  "call.over",
  /** After a restart: the provider was asked about a call. */
  "recover.looked",
  /** After a restart: an attempt was dialled again with its idempotency key. */
  "recover.dialled"
] as const
