import { BusinessTime } from "@trunkline/kernel"
import type { Headers, InviteFailed, OutgoingCall, Rejected } from "@trunkline/sip"
import type { AudioLine, DialFailed, DialPlan, NotAnswered, PlacedCall } from "@trunkline/telephony"
import { Deferred, Duration, Effect, Either, ExecutionStrategy, Exit, Scope } from "effect"
import { connectOptions, credentialsOf, nextHopOf } from "../lines/TrunkLine.js"
import { announcementFailure, type CallFailure, dialFailed, isVague, notAnswered } from "../outcomes/CallOutcomes.js"
import { fillTemplate } from "../settings/NumberTemplates.js"
import { type CallContext, qualifyId } from "./CallContext.js"
import { connectCall } from "./ConnectedCall.js"
import { type EarlyHearing, hearEarly } from "./EarlyHearing.js"
import { type OpenedSound, openSound } from "./OpenSound.js"
import { isPortClosed } from "./PortProbe.js"
import type { SipCallEntry } from "./SipCallTable.js"

const inviteFailures: Readonly<Record<InviteFailed["kind"], CallFailure>> = {
  timeout: { _tag: "Silent" },
  transport: { _tag: "Unreachable" },
  unresolved: { _tag: "Unreachable" },
  closed: { _tag: "Overloaded" },
  overload: { _tag: "Overloaded" },
  malformed: { _tag: "Refused", status: 400, cause: null, rang: false, retryAfter: null }
}

const rejection = ({ cause, rang, retryAfter, status, kind }: Rejected): CallFailure => {
  switch (kind) {
    case "refused":
      return { _tag: "Refused", status: status ?? 500, cause, rang, retryAfter }
    case "unanswered":
      return { _tag: "RingTimeout" }
    case "timeout":
      return { _tag: "Refused", status: 408, cause: null, rang, retryAfter: null }
    case "transport":
      return { _tag: "Refused", status: 503, cause: null, rang, retryAfter: null }
    case "cancelled":
    case "closed":
      return { _tag: "Cancelled" }
  }
}

/** Sends the INVITE of a plan and waits for its first response. */
const invite = (
  { agent, line, responseTimeout }: CallContext,
  plan: DialPlan,
  { handlers, sound }: OpenedSound
): Effect.Effect<OutgoingCall, CallFailure> => {
  const { options, values } = line.settings
  const credentials = credentialsOf(line)
  return agent.invite({
    target: plan.address ?? fillTemplate(options.to_uri, plan.to, values),
    from: { uri: fillTemplate(options.from_uri, plan.from, values) },
    offer: sound.offer(),
    callId: plan.attempt_id,
    latch: options.nat_latch,
    nextHop: nextHopOf(line),
    ringTimeout: Duration.min(plan.ringTimeout, Duration.seconds(options.ring_seconds)),
    headers: Object.entries<string>(options.headers).map(([name, value]): Headers[number] => [
      name.toLowerCase(),
      fillTemplate(value, plan.from, values)
    ]),
    ...(credentials !== null && {
      contactUser: credentials.username,
      credentials
    }),
    handlers
  }).pipe(
    Effect.mapError(({ reason, kind }) =>
      kind === "transport" ? { _tag: "Unreachable" as const, code: reason } : inviteFailures[kind]
    ),
    Effect.timeoutFail({ duration: responseTimeout, onTimeout: (): CallFailure => ({ _tag: "Silent" }) })
  )
}

/** Responses of a server that may have lost our registration: forbidden, and not found. */
const lossStatuses: ReadonlyArray<number> = [403, 404]

/** Renews the registration of a line whose server refuses a call as if it had lost it. */
const renewAfter = ({ registration }: CallContext, failure: CallFailure): Effect.Effect<void> =>
  registration !== null && failure._tag === "Refused" && lossStatuses.includes(failure.status)
    ? registration.renew
    : Effect.void

/** Notes what a failed dial tells about the server. */
const noteFailure = ({ state }: CallContext, failure: CallFailure): Effect.Effect<void> => {
  switch (failure._tag) {
    case "Silent":
      return state.note("the server did not answer an INVITE")
    case "Unreachable":
      return state.note(`the server could not be reached${failure.code === undefined ? "" : `: ${failure.code}`}`)
    case "Refused":
      return state.note(null)
    default:
      return Effect.void
  }
}

/** The final response of a call when it was its first, or null. */
const firstRefusal = ({ answered }: OutgoingCall): Effect.Effect<CallFailure | null> =>
  Effect.raceFirst(
    Effect.match(answered, { onFailure: rejection, onSuccess: () => null }),
    Effect.as(Effect.yieldNow(), null)
  )

/** The failure of a call, by what was heard before where it tells nothing itself. */
const failureOf = (
  { line: { settings: { outcomes } } }: CallContext,
  failure: CallFailure,
  early: EarlyHearing
): Effect.Effect<NotAnswered> =>
  isVague(failure, outcomes)
    ? Effect.map(
      early.announcement,
      (announcement) =>
        announcement === null ? notAnswered(failure, outcomes) : announcementFailure(failure, announcement, outcomes)
    )
    : Effect.succeed(notAnswered(failure, outcomes))

/** Follows a placed call until it was answered or refused, and makes its line. */
const follow = (
  context: CallContext,
  outgoing: OutgoingCall,
  { attach, session, sound }: OpenedSound,
  early: EarlyHearing
): Effect.Effect<(over: Effect.Effect<void>) => ReturnType<typeof connectCall>, NotAnswered> =>
  Effect.gen(function*() {
    const call = yield* outgoing.answered.pipe(
      Effect.mapError(rejection),
      Effect.tapError((failure) => renewAfter(context, failure)),
      Effect.catchAll((failure) => Effect.flatMap(failureOf(context, failure, early), Effect.fail))
    )
    if (Either.isLeft(sound.take(call.remoteSdp()))) {
      yield* Effect.forkIn(call.bye(), context.scope)
      return yield* notAnswered({ _tag: "UnusableMedia" })
    }
    attach(call)
    return (over) => connectCall(call, session, { ...connectOptions(context.line), over, scope: context.scope })
  })

/**
 * Places a call: completes with the first response, provisional or not. The call then goes on in the scope of the carrier,
 * whoever waits for its answer.
 */
export const placeCall = (context: CallContext, plan: DialPlan): Effect.Effect<PlacedCall, DialFailed> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function*() {
      const { line, records, sockets } = context
      const scope = yield* Scope.fork(context.scope, ExecutionStrategy.sequential)
      const close = Scope.close(scope, Exit.void)

      const dial = Effect.gen(function*() {
        if (context.isOverloaded()) return yield* Effect.fail<CallFailure>({ _tag: "Overloaded" })
        const peers = yield* Effect.mapError(
          sockets.resolve(nextHopOf(line)),
          (): CallFailure => ({ _tag: "Unreachable" })
        )
        const openedSound = yield* openSound(context, peers[0]).pipe(
          Scope.extend(scope),
          Effect.tapError(({ message }) => Effect.logWarning(message)),
          Effect.mapError((): CallFailure => ({ _tag: "Overloaded" }))
        )
        if (yield* Effect.every(peers, isPortClosed)) return yield* Effect.fail<CallFailure>({ _tag: "Unreachable" })
        yield* plan.turn ?? Effect.void
        const outgoing = yield* invite(context, plan, openedSound)
        const refusal = yield* Effect.onInterrupt(firstRefusal(outgoing), () => outgoing.cancel)
        return refusal !== null && dialFailed(refusal, line.settings.outcomes) !== null
          ? yield* Effect.zipRight(renewAfter(context, refusal), Effect.fail(refusal))
          : { opened: openedSound, outgoing }
      })

      const { opened, outgoing } = yield* restore(dial).pipe(
        Effect.onError(() => close),
        Effect.tap(() => context.state.note(null)),
        Effect.tapError((failure) => noteFailure(context, failure)),
        Effect.catchAll((failure) =>
          dialFailed(failure, line.settings.outcomes) ?? Effect.dieMessage("A dial failed with an answer")
        )
      )

      const answer = yield* Deferred.make<AudioLine, NotAnswered>()
      const provider_call_id = qualifyId(line, plan.attempt_id)
      /** Ends the call for everybody who asks. */
      const end = (result: NotAnswered | null) =>
        Effect.suspend(() =>
          records.end(record, result)
            ? Effect.zipRight(
              result === null ? Effect.void : Deferred.fail(answer, result),
              Effect.forkIn(close, context.scope)
            )
            : Effect.void
        )
      const cancel = Effect.suspend(() => {
        const { stage } = record
        if (stage._tag === "Talking") return stage.line.hangUp
        return Effect.zipRight(outgoing.cancel, end(notAnswered({ _tag: "Cancelled" })))
      })
      const record: SipCallEntry = {
        provider_call_id,
        connection_id: line.connection.connection_id,
        attempt_id: plan.attempt_id,
        since: yield* BusinessTime.now,
        call: { provider_call_id, signalling: outgoing.signalling(), answer: Deferred.await(answer), cancel },
        stage: { _tag: "Ringing" }
      }
      records.add(record)

      const run = Effect.gen(function*() {
        const early = yield* Scope.extend(hearEarly(context, outgoing, opened.sound, plan), scope)
        const connect = yield* follow(context, outgoing, opened, early)
        if (record.stage._tag === "Over") return
        const answeredLine = yield* connect(Effect.asVoid(end(null)))
        if (record.stage._tag === "Ringing") record.stage = { _tag: "Talking", line: answeredLine }
        yield* Deferred.succeed(answer, answeredLine)
      }).pipe(Effect.catchAll(end))
      yield* Effect.forkIn(Effect.interruptible(run), context.scope)
      return record.call
    })
  )
