// Order of an incoming call.
//
// 1. `cannotTake`, before anybody is asked: overload, or an offer without a codec of ours.
// 2. Offered. The engine accepts or rejects it, once. `end` completes with that decision, or when the caller has given up.
// 3. Accepted. Ringing (180), ports, our description, 200, and the wait for the ACK, in a scope of the call. A CANCEL wins over
//    each of them, and closes the scope. A caller without an offer gets ours, and its answer comes with the ACK.
// 4. Talking, with a record that lookups find, until either side hangs up. `over` ends record and scope, once.

import { BusinessTime, type PhoneNumber } from "@trunkline/kernel"
import { type IncomingCall, sessionIn } from "@trunkline/sip"
import { type AudioLine, type InboundOffer, NotAnswered } from "@trunkline/telephony"
import { Deferred, Effect, Either, ExecutionStrategy, Exit, Scope } from "effect"
import { randomUUID } from "node:crypto"
import { refusalHeaders } from "../lines/Admission.js"
import { connectOptions, credentialsOf } from "../lines/TrunkLine.js"
import { failureReason } from "../outcomes/CallOutcomes.js"
import { type Refusal, refusalResponse } from "../outcomes/Refusals.js"
import { type CallContext, qualifyId } from "./CallContext.js"
import { isUsable } from "./CallSound.js"
import { connectCall, notAcknowledged } from "./ConnectedCall.js"
import { openSound } from "./OpenSound.js"
import type { SipCallEntry } from "./SipCallTable.js"

/** Refuses a call with the response of the table. */
export const refuseCall = (call: IncomingCall, refusal: string): Effect.Effect<void> =>
  call.reject(refusalResponse(refusal).status, refusalHeaders(refusal))

const failureOf = (refusal: Refusal) => new NotAnswered({ status: "provider_error", reason: failureReason(refusal) })

/** The caller gave up while the call was answered. */
const gaveUp = new NotAnswered({ status: "no_answer", reason: "cancelled" })

/** The caller never acknowledged the answer, in which our offer was. */
const connectionLost = new NotAnswered({ status: "provider_error", reason: notAcknowledged.reason })

/** The session description of an INVITE; null where the caller wants an offer of ours. */
const offerOf = ({ offer, request }: IncomingCall): string | null => {
  const describedBytes = sessionIn(request)
  return describedBytes === null ? offer : new TextDecoder().decode(describedBytes)
}

/** Why a call cannot be taken, before anybody is asked; null when it can. */
export const cannotTake = (context: CallContext, call: IncomingCall): Refusal | null => {
  if (context.isOverloaded()) return "overloaded"
  const offer = offerOf(call)
  if (offer === null) return null
  const { codecs, nat_latch } = context.line.settings.options
  const { host } = context.sockets.local(call.source)
  return Either.isLeft(isUsable(offer, host, { codecs, natLatch: nat_latch, srtp: context.line.settings.srtp }))
    ? "unusable_media"
    : null
}

/**
 * Makes an offer to the engine of a call that may be taken, and `end`, which completes once it was decided or the caller
 * has given up.
 */
export const offerCall = (
  context: CallContext,
  call: IncomingCall,
  { from, to }: { readonly from: PhoneNumber; readonly to: PhoneNumber }
): Effect.Effect<{ readonly offer: InboundOffer; readonly end: Effect.Effect<void> }> =>
  Effect.gen(function*() {
    const { line, records } = context
    const decision = yield* Deferred.make<void>()
    const provider_call_id = qualifyId(line, `in:${randomUUID()}`)
    const pickup = yield* Deferred.make<AudioLine, NotAnswered>()
    const record: SipCallEntry = {
      provider_call_id,
      connection_id: line.connection.connection_id,
      attempt_id: null,
      since: yield* BusinessTime.now,
      call: {
        provider_call_id,
        answer: Deferred.await(pickup),
        cancel: Effect.suspend(() => record.stage._tag === "Talking" ? record.stage.line.hangUp : Effect.void)
      },
      stage: { _tag: "Ringing" }
    }

    const answer = (scope: Scope.CloseableScope) =>
      Effect.gen(function*() {
        yield* call.ring()
        const { attach, handlers, session, sound } = yield* openSound(context, call.source).pipe(
          Scope.extend(scope),
          Effect.tapError(({ message }) => Effect.logWarning(message)),
          Effect.tapError(() => refuseCall(call, "overloaded")),
          Effect.mapError(() => failureOf("overloaded"))
        )
        const offer = offerOf(call)
        const credentials = credentialsOf(line)
        const { nat_latch: natLatch } = line.settings.options
        const description = offer === null ? Either.right(sound.offer()) : sound.answer(offer)
        if (Either.isLeft(description)) {
          yield* refuseCall(call, "unusable_media")
          return yield* failureOf("unusable_media")
        }
        const sipCall = yield* Effect.mapError(
          call.accept(description.right, {
            handlers,
            latch: natLatch,
            ...(credentials !== null && { credentials })
          }),
          ({ kind }) => kind === "no-ack" ? connectionLost : gaveUp
        )
        if (offer === null && Either.isLeft(sound.take(sipCall.remoteSdp()))) {
          yield* Effect.forkIn(sipCall.bye(), context.scope)
          return yield* failureOf("unusable_media")
        }
        attach(sipCall)
        records.add(record)
        const over: Effect.Effect<void> = Effect.suspend(() =>
          records.end(record, null) ? Effect.forkIn(Scope.close(scope, Exit.void), context.scope) : Effect.void
        )
        const audio = yield* connectCall(sipCall, session, { ...connectOptions(line), over, scope: context.scope })
        if (record.stage._tag === "Ringing") record.stage = { _tag: "Talking", line: audio }
        yield* Deferred.succeed(pickup, audio)
        return audio
      })

    const accept: Effect.Effect<AudioLine, NotAnswered> = Effect.uninterruptibleMask((restore) =>
      Effect.gen(function*() {
        const scope = yield* Scope.fork(context.scope, ExecutionStrategy.sequential)
        return yield* restore(Effect.raceFirst(answer(scope), Effect.zipRight(call.cancelled, gaveUp))).pipe(
          Effect.onError(() => Effect.zipRight(refuseCall(call, "internal"), Scope.close(scope, Exit.void)))
        )
      })
    ).pipe(Effect.ensuring(Deferred.succeed(decision, undefined)))

    return {
      offer: {
        provider_call_id,
        connection: line.connection,
        from,
        to,
        accept,
        reject: (reason) => Effect.zipRight(refuseCall(call, reason), Deferred.succeed(decision, undefined))
      },
      end: Effect.raceFirst(Deferred.await(decision), call.cancelled)
    }
  })
