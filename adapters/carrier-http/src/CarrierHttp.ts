import { BusinessTime } from "@trunkline/kernel"
import {
  CallEvents,
  type CallLookup,
  type CallStatus,
  type Carrier,
  type Connection,
  type Dedupe,
  DialFailed,
  EventRefused,
  LookupFailed,
  type PlacedCall
} from "@trunkline/telephony"
import { Clock, Duration, Effect, Either, Option, type Scope } from "effect"
import { awaitAnswer } from "./AwaitAnswer.js"
import { getCall, hangUp, listCallsOfAttempt, listLiveCalls } from "./CallRequests.js"
import { connectionSettings, type Environment } from "./ConnectionOptions.js"
import { createCall } from "./CreateCall.js"
import { isRinging, makeInboundCalls } from "./InboundCalls.js"
import { attemptOf, type Call, failureReason, notAnswered, qualifyId, unqualifyId } from "./Protocol.js"
import { type InvalidOptions, makeProviderClients, type ProviderClient } from "./ProviderClient.js"
import { readPushedEvents } from "./PushedEvents.js"

/** Value of a connection's `provider` for this carrier. */
export const provider = "http"

/** Options of the carrier. */
export interface CarrierHttpOptions {
  /** False for a process that answers no calls: it refuses pushes about inbound calls that ring. True by default. */
  readonly takesCalls?: boolean
}

/** Dedupe support according to the connection's options; `None` when these are invalid. */
const dedupeOf = (connection: Connection, environment: Environment): Dedupe => {
  const settings = connectionSettings(connection, environment)
  if (Either.isLeft(settings)) return { _tag: "None" }
  const { dedupe } = settings.right
  switch (dedupe.kind) {
    case "none":
      return { _tag: "None" }
    case "lookup":
      return { _tag: "Lookup", settle: Duration.seconds(dedupe.settle_seconds) }
    case "key":
      return {
        _tag: "Key",
        ttl: Duration.seconds(dedupe.ttl_seconds),
        ...(dedupe.settle_seconds !== undefined && { settle: Duration.seconds(dedupe.settle_seconds) })
      }
  }
}

const canFindByAttempt = ({ settings: { dedupe } }: ProviderClient): boolean =>
  dedupe.kind !== "none" && dedupe.settle_seconds !== undefined

/** Prefers a call in progress; there is more than one call only when the provider dialled twice. */
const mostRelevant = (calls: ReadonlyArray<Call>): Option.Option<Call> =>
  Option.fromNullable(calls.find(({ state }) => state !== "over") ?? calls[0])

const logInvalidOptions = ({ problems }: InvalidOptions) =>
  Effect.logError("The options of a connection are invalid", ...problems)

/**
 * Makes a carrier for providers that implement the HTTP protocol of docs/carriers.md. `environment` holds the variables
 * that the connections' options refer to, usually `process.env`. Pushed events are received through `CallEvents`; those of
 * inbound calls that ring become offers. HTTP connections close with the scope.
 */
export const make = (
  environment: Environment,
  { takesCalls = true }: CarrierHttpOptions = {}
): Effect.Effect<Carrier, never, CallEvents | Scope.Scope> =>
  Effect.gen(function*() {
    const events = yield* CallEvents
    const clients = yield* makeProviderClients(environment)
    const inbound = yield* makeInboundCalls(provider, events)

    const placedCall = (client: ProviderClient, connection: Connection, call: Call): PlacedCall => {
      const provider_call_id = qualifyId(connection, call.call_id)
      return {
        provider_call_id,
        answer: awaitAnswer(client, call, events.decided(provider, provider_call_id)),
        cancel: hangUp(client, call.call_id)
      }
    }

    /** The client for a lookup; invalid options are a retryable failure. */
    const clientForLookup = (connection: Connection) =>
      clients.of(connection).pipe(
        Effect.tapError(logInvalidOptions),
        Effect.mapError(() => new LookupFailed({ reason: "the connection's options are invalid" }))
      )

    const statusOf = (client: ProviderClient, connection: Connection, call: Call): CallStatus =>
      call.state === "over"
        ? { _tag: "Over", provider_call_id: qualifyId(connection, call.call_id), result: notAnswered(call) }
        : { _tag: "Live", call: placedCall(client, connection, call), connected: call.state === "talking" }

    /** Finds a call by its id, or by its attempt where the provider supports it. */
    const find = (client: ProviderClient, { attempt_id, connection, provider_call_id }: CallLookup) =>
      provider_call_id === null
        ? canFindByAttempt(client)
          ? Effect.map(listCallsOfAttempt(client, attempt_id), mostRelevant)
          : Effect.succeed(Option.none<Call>())
        : Option.match(unqualifyId(connection, provider_call_id), {
          onNone: () => Effect.succeed(Option.none<Call>()),
          onSome: (id) => getCall(client, id)
        })

    return {
      provider,
      protocol: "http",
      dedupe: (connection) => dedupeOf(connection, environment),
      place: (plan) =>
        clients.of(plan.connection).pipe(
          Effect.tapError(logInvalidOptions),
          Effect.mapError(() =>
            new DialFailed({ certainty: "provider", reason: failureReason("the connection's options are invalid") })
          ),
          Effect.flatMap((client) =>
            Effect.map(createCall(client, plan), (call) => placedCall(client, plan.connection, call))
          )
        ),
      lookup: (query) =>
        Effect.gen(function*() {
          const { connection } = query
          const client = yield* clientForLookup(connection)
          const call = yield* Effect.mapError(find(client, query), ({ reason }) => new LookupFailed({ reason }))
          return Option.match(call, {
            onNone: (): CallStatus => ({ _tag: "NotFound" }),
            onSome: (call) => statusOf(client, connection, call)
          })
        }),
      live: (connection) =>
        Effect.gen(function*() {
          const client = yield* clientForLookup(connection)
          const calls = yield* Effect.mapError(listLiveCalls(client), ({ reason }) => new LookupFailed({ reason }))
          const shift = (yield* BusinessTime.now) - (yield* Clock.currentTimeMillis)
          return calls.map((call) => ({
            provider_call_id: qualifyId(connection, call.call_id),
            attempt_id: attemptOf(call),
            since: call.started_at.getTime() + shift
          }))
        }),
      end: (connection, provider_call_id) =>
        Option.match(unqualifyId(connection, provider_call_id), {
          onNone: () => Effect.void,
          onSome: (id) =>
            Effect.catchAll(Effect.flatMap(clients.of(connection), (client) => hangUp(client, id)), logInvalidOptions)
        }),
      readEvents: (request) =>
        clients.of(request.connection).pipe(
          Effect.tapError(logInvalidOptions),
          Effect.mapError(() => new EventRefused({ why: "signature" })),
          Effect.flatMap((client) =>
            Effect.flatMap(readPushedEvents(client.settings, request), (pushedEvents) =>
              takesCalls || !pushedEvents.inbound.some(isRinging)
                ? Effect.as(inbound.receive(client, request.connection, pushedEvents.inbound), pushedEvents.events)
                : new EventRefused({ why: "not_taken" }))
          )
        ),
      offers: inbound.offers
    }
  })
