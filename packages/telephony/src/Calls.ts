import { BusinessTime, describeCause, Ids, type Scope } from "@trunkline/kernel"
import { Cause, Context, Duration, Effect, Exit, Layer, Option } from "effect"
import type { Attempt } from "./Attempt.js"
import { AttemptStore } from "./AttemptStore.js"
import { type CallBrief, CallFault, CallHandler, type CallReport } from "./CallHandler.js"
import { type CallOutcome, type NotConnected, notConnected } from "./CallOutcome.js"
import { type Carrier, Carriers, DialFailed, NotAnswered, type PlacedCall } from "./Carrier.js"
import { type Connection, Connections } from "./Connection.js"
import type { Leg } from "./Leg.js"
import { answered, started } from "./LiveEvent.js"
import { LiveFeed } from "./LiveFeed.js"
import { watchedLeg } from "./WatchedLeg.js"

/** How long a call may ring and last. */
export interface CallLimits {
  /** Default 40 s of business time. */
  readonly ringTimeout: Duration.Duration
  /** Default 3600 s of business time (shapes 11). */
  readonly maxDuration: Duration.Duration
}

/** The limits of calls, changed by the embedder. */
export class CallLimitsOption extends Context.Reference<CallLimitsOption>()("@trunkline/telephony/CallLimits", {
  defaultValue: (): CallLimits => ({ ringTimeout: Duration.seconds(40), maxDuration: Duration.seconds(3600) })
}) {}

/** Carries one call from the dial to its end. */
export class Calls extends Context.Tag("@trunkline/telephony/Calls")<Calls, {
  /** Dials a claimed attempt and holds its conversation. It never fails: whatever goes wrong is an outcome. */
  readonly place: (attempt: Attempt) => Effect.Effect<CallOutcome>
  /** Holds the conversation of a leg that is connected already. */
  readonly converse: (leg: Leg, attempt: Attempt) => Effect.Effect<CallOutcome>
  /**
   * After a restart: what became of an attempt that was under way. None when it can safely be dialled now, because
   * it never was.
   */
  readonly settle: (attempt: Attempt) => Effect.Effect<Option.Option<CallOutcome>>
}>() {
  static readonly layer = Layer.effect(
    Calls,
    Effect.gen(function*() {
      const carriers = yield* Carriers
      const connections = yield* Connections
      const handler = yield* CallHandler
      const store = yield* AttemptStore
      const ids = yield* Ids
      const limits = yield* CallLimitsOption
      const feed = yield* LiveFeed

      const lineOf = (attempt: Attempt): Effect.Effect<Option.Option<readonly [Carrier, Connection]>> =>
        Effect.map(
          connections.find(scopeOf(attempt), attempt.connection_id),
          (connection) =>
            Option.flatMap(connection, (found) =>
              Option.map(carriers.find(found.provider), (carrier) => [carrier, found] as const))
        )

      const converse = Effect.fn("Calls.converse")(function*(leg: Leg, attempt: Attempt) {
        const interaction_id = yield* ids.interactionId
        const started_at = yield* BusinessTime.now
        yield* feed.tell(attempt, () => answered(attempt, interaction_id, started_at))
        const watched = watchedLeg(leg, { attempt, feed, interaction_id })
        const report = yield* handler.handle(watched, briefOf(attempt, limits)).pipe(
          within(limits.maxDuration, () => new CallFault({ reason: "internal: the conversation outlived its limit" })),
          Effect.catchAll((fault) => Effect.as(leg.hangUp, faulty(attempt, fault.reason))),
          Effect.catchAllDefect((defect) =>
            Effect.logError("A conversation broke off", describeCause(Cause.die(defect))).pipe(
              Effect.zipRight(leg.hangUp),
              Effect.as(faulty(attempt, "internal: the conversation broke off"))
            )
          ),
          Effect.onInterrupt(() => leg.hangUp)
        )
        const ended_at = yield* BusinessTime.now
        return { _tag: "Connected", interaction_id, started_at, ended_at, report } satisfies CallOutcome
      })

      const talk = (placed: PlacedCall, attempt: Attempt) =>
        store.accept(attempt.attempt_id, placed.provider_call_id).pipe(
          Effect.zipRight(placed.answer),
          within(limits.ringTimeout, () => new NotAnswered({ status: "no_answer", reason: null })),
          Effect.flatMap((leg) => converse(leg, attempt)),
          Effect.catchAll((failure) => Effect.as(placed.cancel, unanswered(failure)))
        )

      const dial = (attempt: Attempt) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.gen(function*() {
            const line = yield* lineOf(attempt)
            if (Option.isNone(line)) {
              return notConnected("internal", "internal: the phone line is not configured any more")
            }
            const [carrier, connection] = line.value
            const placing = carrier.place({
              attempt_id: attempt.attempt_id,
              connection,
              from: attempt.agent_phone_number,
              to: attempt.user_phone_number,
              ringTimeout: limits.ringTimeout
            })
            const placed = yield* Effect.exit(restore(Effect.timeoutFail(placing, providerSilent)))
            if (Exit.isFailure(placed)) return yield* unplaced(placed.cause)
            return yield* restore(talk(placed.value, attempt)).pipe(
              Effect.onExit((exit) => Exit.isSuccess(exit) ? Effect.void : placed.value.cancel)
            )
          })
        )

      const begin = (attempt: Attempt) =>
        Effect.flatMap(BusinessTime.now, (now) => feed.tell(attempt, () => started(attempt, now)))

      const place = Effect.fn("Calls.place")((attempt: Attempt) =>
        Effect.catchAllDefect(Effect.zipRight(begin(attempt), dial(attempt)), (defect) =>
          Effect.as(
            Effect.logError("A call broke off", describeCause(Cause.die(defect))),
            notConnected("internal", "internal: the call broke off")
          ))
      )

      const settle = Effect.fn("Calls.settle")(function*(attempt: Attempt) {
        if (attempt.state === "pending") return Option.none()
        const line = yield* lineOf(attempt)
        if (Option.isNone(line)) return Option.some(lost)
        const [carrier, connection] = line.value
        const { attempt_id, provider_call_id } = attempt
        const trace = yield* carrier.trace({ attempt_id, provider_call_id, connection })
        switch (trace._tag) {
          case "NeverPlaced":
            return attempt.state === "claimed" ? Option.none() : Option.some(interrupted)
          case "Over":
            return Option.some(interrupted)
          case "Untraceable":
            return Option.some(attempt.state === "claimed" ? lost : interrupted)
        }
      })

      return Calls.of({ place, converse, settle })
    })
  )
}

/** How long a provider has to take a call, in technical time (reliability of dials: its outcome is unknown then). */
const providerSilent = {
  duration: Duration.seconds(10),
  onTimeout: () => new DialFailed({ certainty: "unknown", reason: "unknown: the provider did not answer in time" })
}

/** What carriers and handlers may exceed their limits by before we end the call ourselves, in business time. */
const GRACE = Duration.seconds(30)

/** Fails once the limit and its grace have passed. */
const within = <E>(limit: Duration.Duration, late: () => E) => <A, E2>(effect: Effect.Effect<A, E2>) =>
  Effect.raceFirst(
    effect,
    Effect.zipRight(BusinessTime.sleep(Duration.sum(limit, GRACE)), Effect.failSync(late))
  )

const lost = notConnected("unknown", "unknown: the outcome of the dial cannot be known")
const interrupted = notConnected("internal", "internal: the engine stopped during the call")

const unanswered = (failure: NotAnswered): NotConnected => notConnected(failure.status, failure.reason)

const unplaced = (cause: Cause.Cause<DialFailed>): Effect.Effect<NotConnected> =>
  Option.match(Cause.failureOption(cause), {
    onSome: (failure) =>
      Effect.succeed(notConnected(failure.certainty === "provider" ? "provider_error" : "unknown", failure.reason)),
    onNone: () =>
      Cause.isInterrupted(cause)
        ? Effect.interrupt
        : Effect.succeed(notConnected("unknown", "unknown: the carrier broke during the dial"))
  })

const scopeOf = (attempt: Attempt): Scope => attempt

const briefOf = (attempt: Attempt, limits: CallLimits): CallBrief => ({
  attempt_id: attempt.attempt_id,
  scope: scopeOf(attempt),
  direction: attempt.kind === "inbound" ? "inbound" : "outbound",
  app_id: attempt.app_id,
  app_version: attempt.app_version,
  user_phone_number: attempt.user_phone_number,
  agent_phone_number: attempt.agent_phone_number,
  agent_variables: attempt.agent_variables,
  app_overrides: attempt.app_overrides,
  maxDuration: limits.maxDuration
})

const faulty = (attempt: Attempt, fault: string): CallReport => ({
  agent_done: false,
  ended_by: "agent",
  language_name: null,
  transcript: [],
  final_agent_variables: attempt.agent_variables,
  output_agent_variables: {},
  average_agent_response_seconds: null,
  average_user_response_seconds: null,
  business_retry: false,
  reschedule_at: null,
  fault
})
