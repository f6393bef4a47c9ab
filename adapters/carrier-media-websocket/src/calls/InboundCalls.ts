import { PhoneNumber } from "@trunkline/kernel"
import { type EventReply, type InboundOffer, NotAnswered } from "@trunkline/telephony"
import { Deferred, Effect, Option, Queue, Schema, Stream } from "effect"
import { LRUCache } from "lru-cache"
import type { Instructions, NoticeContent } from "../dialects/Dialect.js"
import type { ApiClient } from "../rest/ApiClient.js"
import { streamAddress, tokenFor } from "../settings/PublicAddress.js"
import { qualifyId } from "./CallIds.js"
import type { CallSession, CallSessions } from "./CallSessions.js"
import { endCall } from "./StreamParts.js"

/** Inbound calls of a carrier. */
export interface InboundCalls {
  /**
   * Offers a call once, and returns the provider's instructions as soon as it is accepted or rejected: after four seconds at
   * most, since the provider waits.
   */
  readonly receive: (client: ApiClient, notice: Extract<NoticeContent, { readonly _tag: "Inbound" }>) => Effect.Effect<
    EventReply | null
  >
  readonly offers: Stream.Stream<InboundOffer>
}

/** Calls that may wait for a decision; more are rejected. */
const maxWaiting = 1_000

/** Decisions that are kept, so that a repeated request gets the same instructions. */
const maxDecisions = 10_000

/** Milliseconds for the decision, where the provider waits for some seconds. */
const decisionMillis = 3_500

const isPhoneNumber = Schema.is(PhoneNumber)

/** Expects the stream of a call that came in; the address of the stream is the same in every process. */
export const expectInbound = (
  sessions: CallSessions,
  client: ApiClient,
  call_id: string
): Effect.Effect<CallSession> => {
  const { connection, tokenSecret } = client.line
  const token = tokenFor(tokenSecret, `inbound:${connection.connection_id}:${call_id}`)
  return sessions.expect({ token, client, attempt_id: null, call_id, limitMillis: null })
}

/** Makes the inbound calls of a carrier. */
export const makeInboundCalls = (sessions: CallSessions) =>
  Effect.gen(function*() {
    const waiting = yield* Queue.dropping<InboundOffer>(maxWaiting)
    const decisions = new LRUCache<string, Deferred.Deferred<Instructions>>({ max: maxDecisions })

    /** Sends the command of instructions, where the provider takes one; the reply otherwise. */
    const carryOut = (client: ApiClient, { command, reply }: Instructions): Effect.Effect<EventReply | null> =>
      command === undefined ?
        Effect.succeed(reply ?? null) :
        client.send(command, client.line.settings.timeouts.request_seconds).pipe(
          Effect.filterOrFail(({ status }) => status < 300),
          Effect.catchAll(() => Effect.logWarning("A provider refused the instructions for an inbound call")),
          Effect.as(null)
        )

    const offerOf = (
      client: ApiClient,
      call_id: string,
      numbers: { readonly from: PhoneNumber; readonly to: PhoneNumber },
      decision: Deferred.Deferred<Instructions>
    ): InboundOffer => {
      const { line } = client
      const { connection, provider, settings } = line
      const notAnswered = (reason: string) =>
        new NotAnswered({ status: "provider_error", reason: `${provider}: ${reason}` })
      const accept = Effect.gen(function*() {
        const session = yield* expectInbound(sessions, client, call_id)
        const instructions = line.connect(call_id, streamAddress(settings, connection.connection_id, session.token))
        if (!(yield* Deferred.succeed(decision, instructions))) {
          sessions.remove(session)
          return yield* notAnswered("the decision came too late")
        }
        return yield* Effect.raceFirst(
          Deferred.await(session.answer),
          Effect.delay(
            Effect.suspend(() => notAnswered("the stream of the call did not open")),
            settings.timeouts.stream_seconds * 1000
          )
        ).pipe(Effect.onError(() => Effect.zipRight(Effect.sync(() => sessions.remove(session)), endCall(session))))
      })
      return {
        ...numbers,
        provider_call_id: qualifyId(connection, call_id),
        connection,
        accept,
        reject: (reason) => Effect.asVoid(Deferred.succeed(decision, line.reject(call_id, reason)))
      }
    }

    const offer = (client: ApiClient, { call_id, from, to }: Extract<NoticeContent, { readonly _tag: "Inbound" }>) =>
      Effect.gen(function*() {
        const { connection } = client.line
        const decision = yield* Deferred.make<Instructions>()
        decisions.set(qualifyId(connection, call_id), decision)
        const reject = (reason: string) => Deferred.succeed(decision, client.line.reject(call_id, reason))
        if (!isPhoneNumber(from)) yield* reject("no_number")
        else if (!isPhoneNumber(to) || !connection.phone_numbers.includes(to)) {
          yield* Effect.logWarning("An inbound call to a number of another connection was rejected")
          yield* reject("unknown_number")
        } else if (!(yield* Queue.offer(waiting, offerOf(client, call_id, { from, to }, decision)))) {
          yield* reject("no_capacity")
        }
        return decision
      })

    return {
      receive: (client, notice) =>
        Effect.gen(function*() {
          const existing = decisions.get(qualifyId(client.line.connection, notice.call_id))
          const decision = existing ?? (yield* offer(client, notice))
          const instructions = Option.getOrElse(
            yield* Effect.timeoutOption(Deferred.await(decision), client.line.decisionMillis ?? decisionMillis),
            () => client.line.reject(notice.call_id, "internal")
          )
          yield* Deferred.succeed(decision, instructions)
          if (existing !== undefined && instructions.command !== undefined) return null
          return yield* carryOut(client, instructions)
        }),
      offers: Stream.fromQueue(waiting)
    } satisfies InboundCalls
  })
