import {
  BusinessTime,
  type ConnectionId,
  type EffectTransform,
  FaultPoints,
  flatMapNow,
  isStoreOutage,
  makeBatches,
  mapNow,
  retryForever,
  timeoutAfter,
  Transactions
} from "@trunkline/kernel"
import { Cause, Duration, Effect, Exit, Fiber, identity, Option } from "effect"
import { AnnouncementEar } from "../announcements/AnnouncementEar.js"
import { type Acceptance, AttemptStore } from "../attempts/AttemptStore.js"
import type { Attempt } from "../call/Attempt.js"
import type { AudioLine } from "../call/AudioLine.js"
import { measureDial, measureRing } from "../call/CallMeters.js"
import { type CallOutcome, notConnected, type PlaceOptions } from "../call/CallOutcome.js"
import type { Leg } from "../call/Leg.js"
import { type Carrier, Carriers, DialFailed, type NotAnswered, type PlacedCall } from "../carriers/Carrier.js"
import { type Connection, Connections } from "../carriers/Connection.js"
import { CallJournal } from "../journal/CallJournal.js"
import { LineHealth } from "../lines/LineHealth.js"
import {
  type CalledOff,
  CallLimitsOption,
  endWithTimeout,
  hangUpCause,
  makeAnswerWait,
  withRingTimeout
} from "./CallLimits.js"
import { makeConversations } from "./Conversations.js"
import { DialLease } from "./DialLease.js"
import { CallRegistry } from "./LiveCalls.js"

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

/** An accepted call, whose answer and cancellation take no longer than their limits. */
interface FollowedCall {
  readonly answered: Effect.Effect<Leg | AudioLine, NotAnswered | CalledOff>
  readonly cancel: Effect.Effect<void>
}

/** Timeout for a provider to accept a call, in technical time; the outcome is unknown after that (docs/decisions.md, 18). */
const providerTimeout = Duration.seconds(10)

/** Most acceptances in one transaction. */
const maxAccepts = 200

/** Outcome of a call during which the engine stopped. */
export const engineStopped = notConnected("internal", "internal: the engine stopped during the call")

/** Dials and follows calls; shared by first dials and recoveries. */
export const makeDialler = Effect.gen(function*() {
  const carriers = yield* Carriers
  const connections = yield* Connections
  const store = yield* AttemptStore
  const health = yield* LineHealth
  const { maxDuration, ringTimeout } = yield* CallLimitsOption
  const lease = yield* DialLease
  const faults = yield* FaultPoints
  const transactions = yield* Transactions
  const journal = yield* CallJournal
  const awaitAnswer = makeAnswerWait(yield* CallRegistry)
  const converse = yield* makeConversations
  const { wordsOf } = yield* AnnouncementEar

  const accepts = yield* makeBatches({
    limit: maxAccepts,
    run: (accepts: ReadonlyArray<Acceptance>) =>
      Effect.map(
        transactions.runGuarded(store.acceptMany(accepts)),
        (acceptedAttemptIds) => accepts.map(({ attempt_id }) => acceptedAttemptIds.has(attempt_id))
      )
  })

  const findRoute = (attempt: Attempt): Effect.Effect<Option.Option<DialRoute>> =>
    mapNow(
      connections.find(attempt, attempt.connection_id),
      Option.flatMap((connection) =>
        Option.map(carriers.find(connection.provider), (carrier) => ({ carrier, connection }))
      )
    )

  const afterSent = faults.after("dial.sent")
  const afterTaken = faults.after("dial.taken")
  const afterAccept = faults.after("accept.kept")
  const afterCall = faults.after("call.over")

  const place = (
    attempt: Attempt,
    { carrier, connection }: DialRoute,
    turn: Effect.Effect<void>
  ): Effect.Effect<DialOutcome> => {
    const { agent_phone_number: from, attempt_id, user_phone_number: to } = attempt
    const plan = { attempt_id, connection, from, to, ringTimeout, maxDuration, wordsOf }
    const { ended, sent } = measureDial(attempt)
    const placing = carrier.takesTurns === true
      ? carrier.place({ ...plan, turn: flatMapNow(turn, () => sent) })
      : flatMapNow(sent, () => carrier.place(plan))
    const placement = carrier.immediate === true ? placing : withProviderTimeout(placing)
    const dialOutcome = Effect.matchCause(afterTaken(placement), {
      onSuccess: (call): DialOutcome => ({ _tag: "Taken", call }),
      onFailure: (cause): DialOutcome => ({ _tag: "Failed", failure: failureOf(cause) })
    })
    return Effect.flatMap(dialOutcome, ended)
  }

  /**
   * Asks the provider to dial when it is its `turn`, unless the deadline has passed while the lease was checked. The
   * provider may have received a request that was interrupted.
   */
  const dial = (
    attempt: Attempt,
    route: DialRoute,
    inTime: Effect.Effect<boolean>,
    turn: Effect.Effect<void> = Effect.void
  ): Effect.Effect<DialOutcome> => {
    const dialOutcome = Effect.flatMap(lease.mayDial, (mayDial): Effect.Effect<DialOutcome> =>
      mayDial
        ? Effect.flatMap(inTime, (inTime): Effect.Effect<DialOutcome> =>
          inTime
            ? flatMapNow(afterSent(Effect.void), () => place(attempt, route, turn))
            : Effect.succeed({ _tag: "TooLate" }))
        : Effect.succeed({ _tag: "Disowned" }))
    return route.carrier.takesTurns === true ? dialOutcome : flatMapNow(turn, () => dialOutcome)
  }

  /** Waits for the answer of an accepted call, and holds its conversation. */
  const followAccepted = (attempt: Attempt, { answered, cancel }: FollowedCall, dialledAt: number) =>
    Effect.matchEffect(measureRing(answered, dialledAt), {
      onSuccess: (leg): Effect.Effect<CallOutcome> =>
        Effect.zipRight(health.report(attempt.connection_id, "ok", dialledAt), converse(leg, attempt)),
      onFailure: (failure): Effect.Effect<CallOutcome> => {
        if (failure._tag === "CalledOff") {
          const outcome: CallOutcome = failure.reason === hangUpCause
            ? notConnected("no_answer", hangUpCause)
            : { ...notConnected("no_answer", failure.reason), calledOff: true }
          return Effect.as(Effect.zipRight(health.report(attempt.connection_id, "ok", dialledAt), cancel), outcome)
        }
        const result = failure.status === "provider_error" ? "failed" : "ok"
        return Effect.flatMap(
          Effect.zipRight(
            health.report(attempt.connection_id, result, dialledAt),
            restLine(health, attempt.connection_id, failure)
          ),
          () => mapNow(cancel, () => unansweredOutcome(failure))
        )
      }
    })

  /**
   * Follows an accepted call to its end. Cancels it on any failure or interruption so that it is not left ringing.
   * `restore` makes the work interruptible where the caller is not; `onCallOff` is that of `PlaceOptions`.
   */
  const follow = (
    attempt: Attempt,
    call: PlacedCall,
    { onCallOff, restore = identity }: FollowOptions = {}
  ): Effect.Effect<CallOutcome> => {
    const answer = call.immediate === true ? call.answer : withRingTimeout(ringTimeout, call.answer)
    const followed = {
      cancel: call.immediate === true ? call.cancel : endWithTimeout(call.cancel),
      answered: awaitAnswer(attempt, answer, onCallOff)
    }
    const { cancel } = followed
    const work = Effect.flatMap(BusinessTime.now, (dialledAt) => {
      if (attempt.state === "accepted") return followAccepted(attempt, followed, dialledAt)
      const { attempt_id } = attempt
      const { provider_call_id } = call
      const accept = call.signalling === undefined
        ? accepts.submit({ attempt_id, provider_call_id })
        : Effect.zipRight(
          journal.note(attempt_id, { _tag: "Signalling", state: call.signalling }),
          accepts.submit({ attempt_id, provider_call_id })
        )
      const followNow = followAccepted(attempt, followed, dialledAt)
      // The call goes on while its acceptance cannot be stored, which is done before its end is.
      const acceptLater = Effect.scoped(Effect.flatMap(
        Effect.forkScoped(retryAccept(accept)),
        (accepting) => Effect.zipLeft(followNow, Fiber.join(accepting))
      ))
      return afterAccept(accept).pipe(
        Effect.map((isStored) => isStored ? followNow : Effect.as(cancel, engineStopped)),
        Effect.catchSomeDefect((defect) =>
          isStoreOutage(defect) ? Option.some(Effect.succeed(acceptLater)) : Option.none()
        ),
        Effect.flatten
      )
    })
    return afterCall(Effect.onExit(restore(work), (exit) => Exit.isSuccess(exit) ? Effect.void : cancel))
  }

  return { awaitAnswer, converse, dial, follow, findRoute }
})

interface FollowOptions {
  readonly restore?: EffectTransform
  readonly onCallOff?: PlaceOptions["onCallOff"] | undefined
}

/** Retries while the database is away. */
const retryAccept = retryForever({
  message: "The acceptance of a call could not be stored",
  initialDelay: "250 millis",
  maxDelay: "5 seconds"
})

/** Rests a line whose provider asked for it when it refused a call. */
export const restLine = (
  health: typeof LineHealth.Service,
  id: ConnectionId,
  { retryAfter }: DialFailed | NotAnswered
): Effect.Effect<void> => retryAfter === undefined ? Effect.void : health.rest(id, Duration.seconds(retryAfter))

const providerTimedOut = new DialFailed({
  certainty: "unknown",
  reason: "unknown: the provider did not respond in time"
})
const carrierDefect = new DialFailed({
  certainty: "unknown",
  reason: "unknown: the carrier failed unexpectedly during the dial"
})

const withProviderTimeout = timeoutAfter(providerTimeout, Effect.fail(providerTimedOut))

const failureOf = (cause: Cause.Cause<DialFailed>): DialFailed =>
  Option.getOrElse(Cause.failureOption(cause), () => carrierDefect)

/** Converts a `NotAnswered` error to an outcome. */
export const unansweredOutcome = ({ reason, status }: NotAnswered): CallOutcome => notConnected(status, reason)
