import { lruCache } from "@trunkline/kernel"
import { type CallEvents, type Connection, type InboundOffer, NotAnswered } from "@trunkline/telephony"
import { type Context, Effect, Option, Queue, Stream } from "effect"
import { awaitAnswer } from "./AwaitAnswer.js"
import { answerCall, hangUp } from "./CallRequests.js"
import { failureReason, qualifyId } from "./Protocol.js"
import type { ProviderClient } from "./ProviderClient.js"
import type { InboundCall } from "./PushedEvents.js"

/** Inbound calls of all connections. */
export interface InboundCalls {
  /** Offers each call that rings once, however often and in whatever order its events arrive. */
  readonly receive: (
    client: ProviderClient,
    connection: Connection,
    calls: ReadonlyArray<InboundCall>
  ) => Effect.Effect<void>
  readonly offers: Stream.Stream<InboundOffer>
}

/** Calls that may wait for a decision; more are rejected. */
const maxWaiting = 1_000

/** Calls that are remembered, so that a repeated event does not offer them again. */
const maxRemembered = 10_000

const callerLeft = new NotAnswered({ status: "no_answer", reason: failureReason("the caller hung up") })

/** True for a call that waits for an answer. */
export const isRinging = ({ call: { state } }: InboundCall): boolean => state === "queued" || state === "ringing"

/** Makes the inbound calls of a carrier. `provider` is its name, under which `events` stores what is pushed. */
export const makeInboundCalls = (provider: string, events: Context.Tag.Service<CallEvents>) =>
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    const waiting = yield* Queue.dropping<InboundOffer>(maxWaiting)
    const callIds = lruCache<string, true>(maxRemembered)

    /** Remembers a call, and returns true for one that is new. */
    const isNew = (id: string): boolean => {
      if (callIds.has(id)) return false
      callIds.set(id, true)
      return true
    }

    const offerOf = (client: ProviderClient, connection: Connection, { call, from, to }: InboundCall): InboundOffer => {
      const provider_call_id = qualifyId(connection, call.call_id)
      return {
        provider_call_id,
        connection,
        from,
        to,
        accept: answerCall(client, call.call_id).pipe(
          Effect.mapError(({ reason }) => new NotAnswered({ status: "provider_error", reason: failureReason(reason) })),
          Effect.tapError(() => hangUp(client, call.call_id)),
          Effect.flatMap(Option.match({
            onNone: () => Effect.fail(callerLeft),
            onSome: (liveCall) => awaitAnswer(client, liveCall, events.decided(provider, provider_call_id))
          })),
          Effect.onInterrupt(() => hangUp(client, call.call_id))
        ),
        reject: (reason) => hangUp(client, call.call_id, reason)
      }
    }

    const receiveOne = (client: ProviderClient, connection: Connection, call: InboundCall) =>
      Effect.gen(function*() {
        if (!isNew(qualifyId(connection, call.call.call_id)) || !isRinging(call)) return
        const offer = offerOf(client, connection, call)
        if (!connection.phone_numbers.includes(call.to)) {
          yield* Effect.logWarning("An inbound call to a number of another connection was rejected")
          yield* Effect.forkIn(offer.reject("unknown_number"), scope)
        } else if (!(yield* Queue.offer(waiting, offer))) {
          yield* Effect.forkIn(offer.reject("no_capacity"), scope)
        }
      })

    return {
      receive: (client, connection, calls) =>
        Effect.forEach(calls, (call) => receiveOne(client, connection, call), { discard: true }),
      offers: Stream.fromQueue(waiting)
    } satisfies InboundCalls
  })
