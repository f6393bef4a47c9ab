import { BusinessTime, FaultPoints } from "@trunkline/kernel"
import { Deferred, Duration, Effect, Option } from "effect"
import type { Attempt } from "../attempts/Attempt.js"
import { type CallQuery, type CallSight, type Dedupe, DEFAULT_SETTLE } from "../carriers/Carrier.js"
import { CallEvents } from "../events/CallEvents.js"
import { CallLimitsOption, endWithTimeout, GRACE } from "./CallLimits.js"
import { makeCallLookups } from "./CallLookups.js"
import { type CallOutcome, notConnected, type Recovered, type RecoverOptions } from "./CallOutcome.js"
import { type DialRoute, engineStopped, type makeDialer, unansweredOutcome } from "./Dialer.js"

/** A key counts as too old so long before its time, for the request that still has to arrive. */
const KEY_MARGIN = Duration.seconds(30)

/** A key is used so often against refusals; against silence, for as long as it lasts. */
const MAX_REFUSALS = 5

/** Milliseconds of technical time between uses of a key, doubling to the longest. */
const FIRST_BACKOFF = 500
const MAX_BACKOFF = 30_000

/**
 * How long a provider that cannot be asked is asked on about a dial that it may have taken, in business time. A dial of
 * our own holds a line meanwhile, which others may need.
 */
const LOOKUP_PERIOD = { restart: Duration.hours(24), dial: Duration.minutes(10) }

/** Whose dial is in doubt: that of a process that is gone, or our own. */
export interface ReconcileOptions extends RecoverOptions {
  readonly after: "restart" | "dial"
}

type FoundCall = Exclude<CallSight, { readonly _tag: "NotFound" }>
type Target = DialRoute & { readonly attempt: Attempt } & ReconcileOptions

/**
 * What became of an attempt whose process stopped, or whose dial was not answered (reliability 1.4). Of an attempt that
 * the provider took, it says so; of one that it may have taken:
 *
 * - `Key`: placed again under the same key while that is young enough and dialling is allowed, else looked for;
 * - `Lookup`: looked for, once all that was taken can be found; what is not found then was never dialled;
 * - `None`: unknown for good.
 */
export const makeReconcile = (dialling: Effect.Effect.Success<typeof makeDialer>) =>
  Effect.gen(function*() {
    const events = yield* CallEvents
    const limits = yield* CallLimitsOption
    const faults = yield* FaultPoints
    const scope = yield* Effect.scope
    const { inTurn, look } = yield* makeCallLookups
    const settleTimers = new Map<number, Deferred.Deferred<void>>()

    /** So long in technical time after the first question about another process's dials: they were all sent before. */
    const settleSinceRestart = (settle: Duration.Duration) =>
      Effect.suspend(() => {
        const known = settleTimers.get(Duration.toMillis(settle))
        if (known !== undefined) return Deferred.await(known)
        return Effect.flatMap(Deferred.make<void>(), (done) => {
          settleTimers.set(Duration.toMillis(settle), done)
          const wait = Effect.delay(Deferred.succeed(done, undefined), settle)
          return Effect.zipRight(Effect.forkIn(wait, scope), Deferred.await(done))
        })
      })

    /** Until all that was taken can be found: what another process asked for, or what we asked for just now. */
    const settle = (span: Duration.Duration, askedBy: "them" | "us") =>
      askedBy === "them" ? settleSinceRestart(span) : Effect.delay(Effect.void, span)

    const queryOf = ({ attempt: { attempt_id }, connection }: Target, provider_call_id: string | null): CallQuery => ({
      attempt_id,
      provider_call_id,
      connection
    })

    const lookupWithFaultPoint = (question: Target, provider_call_id: string | null, until: number) =>
      faults.after("recover.looked")(look(question.carrier, queryOf(question, provider_call_id), until))

    /** What a call that there is, or was, comes to. */
    const resolveFound = (question: Target, sight: FoundCall): Effect.Effect<Recovered> => {
      if (sight._tag === "Over") {
        return Effect.succeed(ended(sight.result === null ? engineStopped : unansweredOutcome(sight.result)))
      }
      return question.after === "restart" && sight.connected
        ? Effect.as(endWithTimeout(sight.call.cancel), ended(engineStopped))
        : Effect.succeed(ongoing(dialling.follow(question.attempt, sight.call)))
    }

    /**
     * The provider took it, and said under which id. One that does not know the id is asked once more when all that it
     * took can be found: it may show a call later than it takes one, and the person is on the phone.
     */
    const reconcileById = (question: Target, provider_call_id: string) =>
      Effect.gen(function*() {
        const { maxDuration, ringTimeout } = limits
        const longest = Duration.toMillis(ringTimeout) + Duration.toMillis(maxDuration) + 2 * Duration.toMillis(GRACE)
        const looked = lookupWithFaultPoint(question, provider_call_id, question.attempt.attempted_at + longest)
        const first = yield* looked
        const isMissing = Option.exists(first, ({ _tag }) => _tag === "NotFound")
        if (isMissing) yield* settle(settleOf(question.carrier.dedupe(question.connection)), requesterOf(question))
        const sight = isMissing ? yield* looked : first
        return Option.isNone(sight) || sight.value._tag === "NotFound"
          ? ended(engineStopped)
          : yield* resolveFound(question, sight.value)
      })

    /** By the attempt alone; without `span`, only a call that is found proves anything. */
    const reconcileByAttempt = (question: Target, span: Duration.Duration | undefined, askedBy: "them" | "us") =>
      Effect.gen(function*() {
        yield* settle(span ?? Duration.zero, askedBy)
        const patience = span === undefined ? Duration.zero : LOOKUP_PERIOD[question.after]
        const until = (yield* BusinessTime.now) + Duration.toMillis(patience)
        const sight = yield* lookupWithFaultPoint(question, null, until)
        if (Option.isNone(sight)) return ended(unknownOutcome)
        if (sight.value._tag === "NotFound") return span === undefined ? ended(unknownOutcome) : redial
        return yield* resolveFound(question, sight.value)
      })

    /**
     * Places it again under its key. Only a call is an answer: who refuses this request says nothing of the first one.
     */
    const redialWithKey = (question: Target, { settle, ttl }: Extract<Dedupe, { readonly _tag: "Key" }>) =>
      Effect.gen(function*() {
        const { after, attempt, mayDial } = question
        const keyUsableUntil = Math.min(
          attempt.attempted_at + Duration.toMillis(ttl) - Duration.toMillis(KEY_MARGIN),
          (yield* BusinessTime.now) + Duration.toMillis(LOOKUP_PERIOD[after])
        )
        let askedBy = requesterOf(question)
        let [pause, refusals] = [FIRST_BACKOFF, 0]
        while (refusals < MAX_REFUSALS && (yield* BusinessTime.now) < keyUsableUntil) {
          askedBy = "us"
          const dialled = yield* dialling.dial(attempt, question, mayDial).pipe(
            inTurn(attempt.connection_id),
            faults.after("recover.dialled")
          )
          if (dialled._tag === "Disowned") return dialled
          if (dialled._tag === "TooLate") break
          if (dialled._tag === "Taken") return ongoing(dialling.follow(attempt, dialled.call))
          if (dialled.failure.certainty === "provider") refusals += 1
          yield* Effect.delay(Effect.void, pause)
          pause = Math.min(pause * 2, MAX_BACKOFF)
        }
        return yield* reconcileByAttempt(question, settle, askedBy)
      })

    const reconcile = (question: Target): Effect.Effect<Recovered> =>
      Effect.gen(function*() {
        const { attempt, carrier, connection } = question
        const provider_call_id = attempt.provider_call_id === null
          ? yield* events.callOf(carrier.provider, attempt.attempt_id)
          : Option.some(attempt.provider_call_id)
        if (Option.isSome(provider_call_id)) return yield* reconcileById(question, provider_call_id.value)
        const dedupe = carrier.dedupe(connection)
        switch (dedupe._tag) {
          case "Key":
            return yield* redialWithKey(question, dedupe)
          case "Lookup":
            return yield* reconcileByAttempt(question, dedupe.settle, requesterOf(question))
          case "None":
            return ended(unknownOutcome)
        }
      })

    return Effect.fn("Calls.recover")(function*(attempt: Attempt, options: ReconcileOptions) {
      if (attempt.state === "pending") return redial
      const line = yield* dialling.lineOf(attempt)
      if (Option.isSome(line)) return yield* reconcile({ ...line.value, ...options, attempt })
      return ended(attempt.state === "claimed" ? unknownOutcome : engineStopped)
    })
  })

const settleOf = (dedupe: Dedupe): Duration.Duration =>
  dedupe._tag === "None" ? DEFAULT_SETTLE : dedupe.settle ?? DEFAULT_SETTLE

const requesterOf = ({ after }: ReconcileOptions) => after === "restart" ? "them" as const : "us" as const

const unknownOutcome = notConnected("unknown", "unknown: the outcome of the dial cannot be known")
const redial: Recovered = { _tag: "Redial" }
const ended = (outcome: CallOutcome): Recovered => ({ _tag: "Ended", outcome })
const ongoing = (outcome: Effect.Effect<CallOutcome>): Recovered => ({ _tag: "GoesOn", outcome })
