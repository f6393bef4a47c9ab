import { BusinessTime } from "@trunkline/kernel"
import {
  CallEvents,
  type CallSight,
  type Carrier,
  type Connection,
  type Dedupe,
  DialFailed,
  EventRefused,
  LookupFailed,
  type PlacedCall,
  type CallQuery
} from "@trunkline/telephony"
import { Clock, Duration, Effect, Either, Option, type Scope, Stream } from "effect"
import { answerOf } from "./Answering.js"
import { callById, callsOf, hangUp, liveCalls } from "./Asking.js"
import { type Environment, lineSettings } from "./LineOptions.js"
import { type BadLine, type Line, makeLines } from "./Lines.js"
import { create } from "./Placing.js"
import { attemptOf, type Call, failureReason, idHere, idThere, notAnswered } from "./Protocol.js"
import { readPushed } from "./PushedEvents.js"

/** The name in a connection's `provider` that this carrier goes by. */
export const provider = "http"

/** What keeps an attempt from being dialled twice, by the options of a connection; nothing where they cannot be read. */
const dedupeOf = (connection: Connection, environment: Environment): Dedupe => {
  const settings = lineSettings(connection, environment)
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

const findsAttempts = ({ settings: { dedupe } }: Line): boolean =>
  dedupe.kind !== "none" && dedupe.settle_seconds !== undefined

/** A call that is going on comes first: there is more than one only where a provider dialled twice. */
const foremost = (calls: ReadonlyArray<Call>): Option.Option<Call> =>
  Option.fromNullable(calls.find(({ state }) => state !== "over") ?? calls[0])

const misconfigured = ({ problems }: BadLine) => Effect.logError("A phone line cannot be used", ...problems)

/**
 * The driver of phone lines behind the HTTP protocol of docs/carriers.md. `environment` holds the variables that its
 * connections name, as a rule the process's own. What providers push comes through `CallEvents`. Its connections close
 * with the scope.
 */
export const make = (environment: Environment): Effect.Effect<Carrier, never, CallEvents | Scope.Scope> =>
  Effect.gen(function*() {
    const events = yield* CallEvents
    const lines = yield* makeLines(environment)

    const placed = (line: Line, connection: Connection, call: Call): PlacedCall => {
      const provider_call_id = idHere(connection, call.call_id)
      return {
        provider_call_id,
        answer: answerOf(line, call, events.decided(provider, provider_call_id)),
        cancel: hangUp(line, call.call_id)
      }
    }

    /** The line, to ask it something that can be asked again later. */
    const toLook = (connection: Connection) =>
      lines.of(connection).pipe(
        Effect.tapError(misconfigured),
        Effect.mapError(() => new LookupFailed({ reason: "the connection's options cannot be used" }))
      )

    const sightOf = (line: Line, connection: Connection, call: Call): CallSight =>
      call.state === "over"
        ? { _tag: "Over", provider_call_id: idHere(connection, call.call_id), result: notAnswered(call) }
        : { _tag: "Live", call: placed(line, connection, call), connected: call.state === "talking" }

    /** The call of an id at the provider's, or of an attempt, where calls are found by them. */
    const find = (line: Line, { attempt_id, connection, provider_call_id }: CallQuery) =>
      provider_call_id === null
        ? findsAttempts(line) ? Effect.map(callsOf(line, attempt_id), foremost) : Effect.succeed(Option.none<Call>())
        : Option.match(idThere(connection, provider_call_id), {
          onNone: () => Effect.succeed(Option.none<Call>()),
          onSome: (id) => callById(line, id)
        })

    return {
      provider,
      protocol: "http",
      dedupe: (connection) => dedupeOf(connection, environment),
      place: (plan) =>
        lines.of(plan.connection).pipe(
          Effect.tapError(misconfigured),
          Effect.mapError(() =>
            new DialFailed({ certainty: "provider", reason: failureReason("the connection's options cannot be used") })
          ),
          Effect.flatMap((line) => Effect.map(create(line, plan), (call) => placed(line, plan.connection, call)))
        ),
      look: (sought) =>
        Effect.gen(function*() {
          const { connection } = sought
          const line = yield* toLook(connection)
          const call = yield* Effect.mapError(find(line, sought), ({ reason }) => new LookupFailed({ reason }))
          return Option.match(call, {
            onNone: (): CallSight => ({ _tag: "NotFound" }),
            onSome: (found) => sightOf(line, connection, found)
          })
        }),
      live: (connection) =>
        Effect.gen(function*() {
          const line = yield* toLook(connection)
          const calls = yield* Effect.mapError(liveCalls(line), ({ reason }) => new LookupFailed({ reason }))
          const shift = (yield* BusinessTime.now) - (yield* Clock.currentTimeMillis)
          return calls.map((call) => ({
            provider_call_id: idHere(connection, call.call_id),
            attempt_id: attemptOf(call),
            since: call.started_at.getTime() + shift
          }))
        }),
      end: (connection, provider_call_id) =>
        Option.match(idThere(connection, provider_call_id), {
          onNone: () => Effect.void,
          onSome: (id) =>
            Effect.catchAll(Effect.flatMap(lines.of(connection), (line) => hangUp(line, id)), misconfigured)
        }),
      readEvents: (request) =>
        lines.of(request.connection).pipe(
          Effect.tapError(misconfigured),
          Effect.mapError(() => new EventRefused({ why: "signature" })),
          Effect.flatMap(({ settings }) => readPushed(settings, request))
        ),
      offers: Stream.empty
    }
  })
