import type { AttemptId } from "@trunkline/kernel"
import {
  CallEvents,
  type CallLookup,
  type CallStatus,
  type Carrier,
  type Connection,
  DialFailed,
  type DialPlan,
  EventRefused,
  LookupFailed,
  NotAnswered,
  type PlacedCall
} from "@trunkline/telephony"
import { Clock, Deferred, Duration, Effect, Option, type Scope } from "effect"
import { LRUCache } from "lru-cache"
import { askForCall, awaitAnswer, awaitReturn } from "./calls/AwaitAnswer.js"
import { qualifyId, unqualifyId } from "./calls/CallIds.js"
import { type CallSession, makeCallSessions } from "./calls/CallSessions.js"
import { expectInbound, makeInboundCalls } from "./calls/InboundCalls.js"
import { openStream } from "./calls/OpenStream.js"
import { receiveNotice } from "./calls/ReceiveNotice.js"
import { endCall } from "./calls/StreamParts.js"
import { type Dialect, newsOf } from "./dialects/Dialect.js"
import { dialects } from "./dialects/Dialects.js"
import { connected as ended, ringing } from "./dialects/Outcomes.js"
import { makeMediaClock } from "./media/MediaClock.js"
import { type ApiClient, type InvalidOptions, makeApiClients } from "./rest/ApiClient.js"
import { createCall } from "./rest/CreateCall.js"
import type { Environment } from "./settings/ConnectionOptions.js"
import { eventsAddress, streamAddress, tokenFor } from "./settings/PublicAddress.js"

/** Options of the carriers. */
export interface CarrierMediaWebsocketOptions {
  /** False for a process that answers no calls: it refuses requests about inbound calls. True by default. */
  readonly takesCalls?: boolean
}

/** Names of the providers, which connections name in `provider`. */
export const providers: ReadonlyArray<string> = dialects.map(({ provider }) => provider)

const logInvalidOptions = ({ problems }: InvalidOptions) =>
  Effect.logError("The options of a connection are invalid", ...problems)

/** Time that an expected stream is kept after a dial of unknown outcome, beside the time of ringing. */
const keptFor = Duration.seconds(60)

/** Times that a ringing call is looked for which is to be ended. */
const cancelTries = 3

/** Most calls that are remembered as abandoned. */
const maxAbandoned = 1_000

/** Makes the carrier of one dialect. */
const makeCarrier = (dialect: Dialect, environment: Environment, takesCalls: boolean) =>
  Effect.gen(function*() {
    const { dedupe, provider } = dialect
    const events = yield* CallEvents
    const scope = yield* Effect.scope
    const runtime = yield* Effect.runtime<never>()
    const clients = yield* makeApiClients(dialect, environment)
    const sessions = makeCallSessions()
    /** Calls that were cancelled and that the provider cannot end: they count as over, since their stream is refused. */
    const abandonedCalls = new LRUCache<string, true>({ max: maxAbandoned })
    const inbound = yield* makeInboundCalls(sessions)
    /** Stores that a call was answered where its stream has told it, so that a process that follows knows it. */
    const onTied = ({ attempt_id, call_id, client: { line: { connection } } }: CallSession): Effect.Effect<void> => {
      if (call_id === null) return Effect.void
      const provider_call_id = qualifyId(connection, call_id)
      const event_id = `${provider_call_id}:stream`
      return Effect.ignoreLogged(
        events.receive(provider, [{ event_id, provider_call_id, attempt_id, news: { _tag: "Answered" } }])
      )
    }
    const parts = { sessions, clock: makeMediaClock(), runtime, scope, onTied }
    yield* Effect.addFinalizer(() =>
      Effect.forEach(Array.from(sessions.list()), ({ endLine }) => endLine?.(false) ?? Effect.void, {
        concurrency: "unbounded",
        discard: true
      })
    )

    const expectSession = (
      client: ApiClient,
      attempt_id: AttemptId,
      call_id: string | null,
      limitMillis: number | null
    ) => {
      const { connection, tokenSecret } = client.line
      const token = tokenFor(tokenSecret, `attempt:${connection.connection_id}:${attempt_id}`)
      return sessions.expect({ token, client, attempt_id, call_id, limitMillis })
    }

    const cancellation = new NotAnswered({ status: "no_answer", reason: `${provider}: cancelled` })

    const placedCall = (session: CallSession, call_id: string): PlacedCall => {
      const provider_call_id = qualifyId(session.client.line.connection, call_id)
      return {
        provider_call_id,
        answer: awaitAnswer(session, provider_call_id, events),
        cancel: Effect.suspend(() => {
          Deferred.unsafeDone(session.answer, cancellation)
          sessions.remove(session)
          if (session.isOver === true) return Effect.void
          if (session.client.line.end(call_id).length === 0) abandonedCalls.set(call_id, true)
          return session.endLine?.(false) ?? Effect.map(endCall({ ...session, call_id }, cancelTries), (isEnded) => {
            if (!isEnded) abandonedCalls.set(call_id, true)
          })
        })
      }
    }

    const place = (plan: DialPlan) =>
      Effect.gen(function*() {
        const { attempt_id, connection, from, maxDuration, ringTimeout, to } = plan
        const client = yield* clients.of(connection).pipe(
          Effect.tapError(logInvalidOptions),
          Effect.mapError(() =>
            new DialFailed({ certainty: "provider", reason: `${provider}: the connection's options are invalid` })
          )
        )
        const { lateIds, settings } = client.line
        const limitMillis = maxDuration === undefined ? null : Duration.toMillis(maxDuration)
        const session = yield* expectSession(client, attempt_id, lateIds === undefined ? null : attempt_id, limitMillis)
        const forget = Effect.sync(() => sessions.remove(session))
        const idAtProvider = yield* createCall(client, dedupe, {
          attempt_id,
          token: session.token,
          now: yield* Clock.currentTimeMillis,
          from,
          to,
          ringSeconds: Math.max(1, Math.round(Duration.toSeconds(ringTimeout))),
          limitSeconds: limitMillis === null ? null : Math.ceil(limitMillis / 1000),
          streamUrl: streamAddress(settings, connection.connection_id, session.token),
          eventsUrl: (about) =>
            eventsAddress(settings, connection.connection_id, { about, attempt: attempt_id, token: session.token })
        }).pipe(
          Effect.tapError(({ certainty }) =>
            certainty === "unknown"
              ? Effect.forkIn(Effect.delay(forget, Duration.sum(ringTimeout, keptFor)), scope)
              : forget
          )
        )
        const call_id = lateIds === undefined ? idAtProvider : attempt_id
        session.call_id = call_id
        return placedCall(session, call_id)
      })

    /** State of a call by its provider, and by events where they tell how it ended. */
    const statusOf = (client: ApiClient, { attempt_id, connection, isInbound, numbers }: CallLookup, call_id: string) =>
      Effect.gen(function*() {
        const cameIn = isInbound === true
        if (numbers !== undefined) client.line.lateIds?.recall(call_id, { ...numbers, isInbound: cameIn })
        if (abandonedCalls.has(call_id)) {
          return {
            _tag: "Over",
            provider_call_id: qualifyId(connection, call_id),
            result: cancellation
          } satisfies CallStatus
        }
        const toldReport = yield* askForCall({ call_id, client })
        if (Option.isNone(toldReport)) return yield* new LookupFailed({ reason: "the provider could not be asked" })
        const isMissing = toldReport.value === "notFound" || (toldReport.value === "notNamed" && cameIn)
        const provider_call_id = qualifyId(connection, call_id)
        const event = yield* Effect.timeoutOption(events.decided(provider, provider_call_id), "100 millis")
        if (isMissing && (client.line.lateIds === undefined || Option.isNone(event))) {
          return { _tag: "NotFound" } satisfies CallStatus
        }
        // A call with events that no list has any more is over: lists of calls that are over come late.
        const report = typeof toldReport.value === "object" ? toldReport.value : isMissing ? ended : ringing
        const news = report.state === "over" && report.failure !== null
          ? newsOf(report)
          : Option.getOrElse(event, () => newsOf(report))
        if (report.state === "over" || news._tag === "Ended") {
          const failure = news._tag === "Ended" && news.status !== null
            ? new NotAnswered({ status: news.status, reason: news.reason })
            : null
          return { _tag: "Over", provider_call_id, result: failure } satisfies CallStatus
        }
        const session = sessions.byCall(connection.connection_id, call_id)
          ?? (yield* cameIn
            ? expectInbound(sessions, client, call_id)
            : expectSession(client, attempt_id, call_id, null))
        const isConnected = news._tag === "Answered" || session.endLine !== undefined
        const call = placedCall(session, call_id)
        const returnLeg = awaitReturn(session, call.provider_call_id, events)
        return {
          _tag: "Live",
          call: { ...call, ...(returnLeg !== null && { returned: returnLeg }) },
          connected: isConnected
        } satisfies CallStatus
      })

    const readEvents: Carrier["readEvents"] = (request) =>
      Effect.flatMap(
        clients.of(request.connection).pipe(
          Effect.tapError(logInvalidOptions),
          Effect.mapError(() => new EventRefused({ why: "signature" }))
        ),
        (client) => receiveNotice({ client, inbound, sessions, scope, takesCalls }, request)
      )

    /** Ends a call by its id, where it is one of the line. */
    const endById = (connection: Connection, provider_call_id: string) => {
      const call_id = unqualifyId(connection, provider_call_id)
      return call_id === null ? Effect.void : Effect.matchEffect(clients.of(connection), {
        onFailure: logInvalidOptions,
        onSuccess: (client) => Effect.asVoid(endCall({ client, call_id }))
      })
    }

    return {
      provider,
      protocol: "websocket",
      dedupe: () => dedupe,
      place,
      lookup: (query) =>
        Effect.gen(function*() {
          const { connection, provider_call_id } = query
          const client = yield* clients.of(connection).pipe(
            Effect.tapError(logInvalidOptions),
            Effect.mapError(() => new LookupFailed({ reason: "the connection's options are invalid" }))
          )
          const call_id = provider_call_id === null ? null : unqualifyId(connection, provider_call_id)
          return call_id === null ? { _tag: "NotFound" } as const : yield* statusOf(client, query, call_id)
        }),
      end: endById,
      readEvents,
      acceptStream: (request, open) => {
        const line = Effect.map(
          Effect.option(clients.of(request.connection)),
          (client) => Option.isSome(client) ? client.value.line : null
        )
        return openStream(parts, line, request, open)
      },
      offers: inbound.offers
    } satisfies Carrier
  })

/**
 * Makes the carriers of hosted providers, one for each (docs/providers.md). `environment` holds the variables that the
 * options of lines refer to, usually `process.env`. Events are received through `CallEvents`. Calls end with the scope.
 */
export const make = (
  environment: Environment,
  { takesCalls = true }: CarrierMediaWebsocketOptions = {}
): Effect.Effect<ReadonlyArray<Carrier>, never, CallEvents | Scope.Scope> =>
  Effect.forEach(dialects, (dialect) => makeCarrier(dialect, environment, takesCalls))
