import { BusinessTime, FaultPoints } from "@trunkline/kernel"
import { Deferred, Duration, Effect, Option } from "effect"
import type { Attempt } from "../call/Attempt.js"
import { CallHandler } from "../call/CallHandler.js"
import { type CallOutcome, notConnected, type Recovered, type RecoverOptions } from "../call/CallOutcome.js"
import { type CallLookup, type CallStatus, type Dedupe, defaultSettle } from "../carriers/Carrier.js"
import { CallEvents } from "../events/CallEvents.js"
import { CallJournal, type CallNotes, noCallNotes } from "../journal/CallJournal.js"
import { CallLimitsOption, endWithTimeout, gracePeriod } from "./CallLimits.js"
import { makeCallLookups } from "./CallLookups.js"
import { type DialRoute, engineStopped, type makeDialler, unansweredOutcome } from "./Dialler.js"
import { canGoOn, resumeCall } from "./ResumeCall.js"
import { stoppedOutcome } from "./StoppedCall.js"

/** Safety margin before an idempotency key expires, for the transit time of the request. */
const keyMargin = Duration.seconds(30)

/** Number of refusals after which redialling stops. Timeouts are retried until the key expires. */
const maxRefusals = 5

/** Exponential backoff between redials, in milliseconds of technical time. */
const firstBackoff = 500
const maxBackoff = 30_000

/**
 * Period of business time in which an unreachable provider is asked about a dial that it may have accepted. Shorter for
 * our own dials, because these hold a slot meanwhile.
 */
const maxLookup = { restart: Duration.hours(24), dial: Duration.minutes(10) }

/** Options of a reconciliation: recovery after a restart, or of a dial by this process. */
interface ReconcileOptions extends RecoverOptions {
  readonly after: "restart" | "dial"
}

/** The process that sent the dial in question. */
type Requester = "previousProcess" | "thisProcess"

type FoundCall = Exclude<CallStatus, { readonly _tag: "NotFound" }>
type Target = DialRoute & { readonly attempt: Attempt; readonly notes: CallNotes } & ReconcileOptions

/**
 * Determines the outcome of an attempt whose process stopped or whose dial got no response. A call with a known provider
 * id is looked up by that id. Otherwise the connection's dedupe decides:
 *
 * - `Key`: dialled again with the same key while the key is valid and dialling is allowed, then looked up;
 * - `Lookup`: looked up once every accepted call is visible; a call that is not found then was never dialled;
 * - `None`: the outcome is unknown.
 */
export const makeReconcile = (dialler: Effect.Effect.Success<typeof makeDialler>) =>
  Effect.gen(function*() {
    const events = yield* CallEvents
    const journal = yield* CallJournal
    const limits = yield* CallLimitsOption
    const faults = yield* FaultPoints
    const scope = yield* Effect.scope
    const { limitConcurrency, lookup } = yield* makeCallLookups
    const outcomeOf = stoppedOutcome(yield* CallHandler, limits)
    const settleTimers = new Map<number, Deferred.Deferred<void>>()

    /** Waits until `settle` of technical time has passed since the first lookup after a restart. */
    const settleSinceRestart = (settle: Duration.Duration) =>
      Effect.suspend(() => {
        const cachedTimer = settleTimers.get(Duration.toMillis(settle))
        if (cachedTimer !== undefined) return Deferred.await(cachedTimer)
        return Effect.flatMap(Deferred.make<void>(), (timer) => {
          settleTimers.set(Duration.toMillis(settle), timer)
          const wait = Effect.delay(Deferred.succeed(timer, undefined), settle)
          return Effect.zipRight(Effect.forkIn(wait, scope), Deferred.await(timer))
        })
      })

    /** Waits until every accepted call is visible, including those requested just now or by a previous process. */
    const settle = (span: Duration.Duration, requestedBy: Requester) =>
      requestedBy === "previousProcess" ? settleSinceRestart(span) : Effect.delay(Effect.void, span)

    const queryOf = (
      { attempt: { agent_phone_number, attempt_id, attempted_at, kind, user_phone_number }, connection }: Target,
      provider_call_id: string | null
    ): CallLookup => ({
      attempt_id,
      provider_call_id,
      connection,
      isInbound: kind === "inbound",
      numbers: { ours: agent_phone_number, theirs: user_phone_number, since: attempted_at }
    })

    const lookupWithFaultPoint = (target: Target, provider_call_id: string | null, until: number) =>
      faults.after("recover.looked")(lookup(target.carrier, queryOf(target, provider_call_id), until))

    /** Resolves an attempt from the call that was found. */
    const resolveFound = (target: Target, sight: FoundCall): Effect.Effect<Recovered> => {
      if (sight._tag === "Over") {
        return Effect.succeed(endOf(sight.result === null ? engineStopped : unansweredOutcome(sight.result)))
      }
      const { attempt, notes } = target
      if (target.after === "restart" && sight.connected && sight.call.returned !== undefined && canGoOn(notes)) {
        const resumption = resumeCall(dialler, attempt, sight.call, notes)
        const outcome = Effect.flatMap(
          resumption,
          Option.match({
            onNone: () => outcomeOf(attempt, notes),
            onSome: Effect.succeed
          })
        )
        return Effect.succeed(ongoing(outcome))
      }
      return target.after === "restart" && sight.connected
        ? Effect.as(endWithTimeout(sight.call.cancel), endOf(engineStopped))
        : Effect.succeed(ongoing(dialler.follow(target.attempt, sight.call)))
    }

    /**
     * Looks a call up by its provider id. When it is not found, tries once more after the settle time: a provider may
     * show a call later than it accepts it, and the contact may be on the line. A carrier of this process knows at once.
     */
    const reconcileById = (target: Target, provider_call_id: string) =>
      Effect.gen(function*() {
        const { maxDuration, ringTimeout } = limits
        const maxMillis = Duration.toMillis(ringTimeout) + Duration.toMillis(maxDuration) +
          2 * Duration.toMillis(gracePeriod)
        const look = lookupWithFaultPoint(target, provider_call_id, target.attempt.attempted_at + maxMillis)
        const first = yield* look
        const isMissing = Option.exists(first, ({ _tag }) => _tag === "NotFound")
        const mayAppear = isMissing && target.carrier.inProcess !== true
        if (mayAppear) yield* settle(settleOf(target.carrier.dedupe(target.connection)), requesterOf(target))
        const sight = mayAppear ? yield* look : first
        return Option.isNone(sight) || sight.value._tag === "NotFound"
          ? endOf(engineStopped)
          : yield* resolveFound(target, sight.value)
      })

    /** Looks a call up by its attempt id. Without `span`, a call that is not found may still have been dialled. */
    const reconcileByAttempt = (target: Target, span: Duration.Duration | undefined, requestedBy: Requester) =>
      Effect.gen(function*() {
        yield* settle(span ?? Duration.zero, requestedBy)
        const lookupPeriod = span === undefined ? Duration.zero : maxLookup[target.after]
        const until = (yield* BusinessTime.now) + Duration.toMillis(lookupPeriod)
        const sight = yield* lookupWithFaultPoint(target, null, until)
        if (Option.isNone(sight)) return endOf(unknownOutcome)
        if (sight.value._tag === "NotFound") return span === undefined ? endOf(unknownOutcome) : redial
        return yield* resolveFound(target, sight.value)
      })

    /** Dials again with the same key. Only an accepted call is conclusive: a refusal says nothing about the first dial. */
    const redialWithKey = (target: Target, { settle, ttl }: Extract<Dedupe, { readonly _tag: "Key" }>) =>
      Effect.gen(function*() {
        const { after, attempt, mayDial } = target
        const keyUsableUntil = Math.min(
          attempt.attempted_at + Duration.toMillis(ttl) - Duration.toMillis(keyMargin),
          (yield* BusinessTime.now) + Duration.toMillis(maxLookup[after])
        )
        let requestedBy = requesterOf(target)
        let [pause, refusals] = [firstBackoff, 0]
        while (refusals < maxRefusals && (yield* BusinessTime.now) < keyUsableUntil) {
          requestedBy = "thisProcess"
          const dialOutcome = yield* dialler.dial(attempt, target, mayDial).pipe(
            limitConcurrency(attempt.connection_id),
            faults.after("recover.dialled")
          )
          if (dialOutcome._tag === "Disowned") return dialOutcome
          if (dialOutcome._tag === "TooLate") break
          if (dialOutcome._tag === "Taken") return ongoing(dialler.follow(attempt, dialOutcome.call))
          if (dialOutcome.failure.certainty === "provider") refusals += 1
          yield* Effect.delay(Effect.void, pause)
          pause = Math.min(pause * 2, maxBackoff)
        }
        return yield* reconcileByAttempt(target, settle, requestedBy)
      })

    const reconcile = (target: Target): Effect.Effect<Recovered> =>
      Effect.gen(function*() {
        const { attempt, carrier, connection } = target
        const provider_call_id = attempt.provider_call_id === null
          ? yield* events.callOf(carrier.provider, attempt.attempt_id)
          : Option.some(attempt.provider_call_id)
        if (Option.isSome(provider_call_id)) return yield* reconcileById(target, provider_call_id.value)
        const dedupe = carrier.dedupe(connection)
        switch (dedupe._tag) {
          case "Key":
            return yield* redialWithKey(target, dedupe)
          case "Lookup":
            return yield* reconcileByAttempt(target, dedupe.settle, requesterOf(target))
          case "None":
            return endOf(unknownOutcome)
        }
      })

    /** Has the carrier end what is left of a call at the other side of its line; nothing waits for that. */
    const release = ({ carrier, connection }: DialRoute, { signalling }: CallNotes) =>
      signalling === null || carrier.release === undefined
        ? Effect.void
        : Effect.forkIn(endWithTimeout(carrier.release(connection, signalling)), scope)

    return Effect.fn("Calls.recover")(function*(attempt: Attempt, options: ReconcileOptions) {
      if (attempt.state === "pending") return redial
      const knownCall = options.after === "restart" ? yield* journal.read(attempt.attempt_id) : noCallNotes
      const route = yield* dialler.findRoute(attempt)
      if (Option.isNone(route)) {
        return endOf(attempt.state === "claimed" ? unknownOutcome : yield* outcomeOf(attempt, knownCall))
      }
      yield* release(route.value, knownCall)
      const recovery = yield* reconcile({ ...route.value, ...options, attempt, notes: knownCall })
      return recovery._tag === "Ended" && recovery.outcome === engineStopped
        ? endOf(yield* outcomeOf(attempt, knownCall))
        : recovery
    })
  })

const settleOf = (dedupe: Dedupe): Duration.Duration =>
  dedupe._tag === "None" ? defaultSettle : dedupe.settle ?? defaultSettle

const requesterOf = ({ after }: ReconcileOptions): Requester => after === "restart" ? "previousProcess" : "thisProcess"

const unknownOutcome = notConnected("unknown", "unknown: the outcome of the dial cannot be determined")
const redial: Recovered = { _tag: "Redial" }
const endOf = (outcome: CallOutcome): Recovered => ({ _tag: "Ended", outcome })
const ongoing = (outcome: Effect.Effect<CallOutcome>): Recovered => ({ _tag: "GoesOn", outcome })
