import {
  type AudioLine,
  type CallEvents,
  type CallNews,
  isAudioLine,
  type Leg,
  NotAnswered
} from "@trunkline/telephony"
import { type Context, Deferred, Effect, Option } from "effect"
import { newsOf, type ProviderCall } from "../dialects/Dialect.js"
import { sendFirst } from "../rest/ApiClient.js"
import { apiIdOf } from "../rest/ApiIds.js"
import type { CallSession } from "./CallSessions.js"

/** Longest interval between questions for a call without news, in seconds. */
const maxPollSeconds = 30

/** State of a call by its provider; `notFound` for one that it does not know, `notNamed` while it has not told its id for it. */
export type ProviderReport = ProviderCall | "notFound" | "notNamed"

/** Asks the provider for a call; none when it could not be asked. */
export const askForCall = (
  { call_id, client }: Pick<CallSession, "call_id" | "client">
): Effect.Effect<Option.Option<ProviderReport>> =>
  call_id === null ? Effect.succeedNone : Effect.option(Effect.gen(function*() {
    const { line } = client
    const id = yield* apiIdOf(client, call_id, "all")
    if (id === null) return "notNamed"
    for (const request of line.lookUp(id)) {
      const response = yield* sendFirst(client, [request])
      const report = response === null ? null : line.readLookup(response.json, id)
      if (report !== null) return report
    }
    return "notFound"
  }))

type Decision = Exclude<CallNews, { readonly _tag: "Ringing" }>

/**
 * Asks until the call was answered or is over, at growing intervals. A call that the provider does not know is over, unless it
 * learns of its calls late.
 */
const poll = (session: CallSession, seconds: number): Effect.Effect<Decision> =>
  Effect.flatMap(Effect.delay(askForCall(session), seconds * 1000), (report) => {
    const again = Effect.suspend(() => poll(session, Math.min(seconds * 2, maxPollSeconds)))
    const { lateIds, provider } = session.client.line
    if (Option.isNone(report) || report.value === "notNamed") return again
    if (report.value === "notFound") {
      if (lateIds !== undefined) return again
      return Effect.succeed({
        _tag: "Ended" as const,
        status: "provider_error" as const,
        reason: `${provider}: the provider no longer knows the call`
      })
    }
    const news = newsOf(report.value)
    return news._tag === "Ringing" ? again : Effect.succeed(news)
  })

/**
 * The leg of a call with words once its provider has come back to this process, which has time for it after the connection
 * broke; fails when the call has ended meanwhile, or in the end. Null for a call that ends with its process.
 */
export const awaitReturn = (
  session: CallSession,
  provider_call_id: string,
  events: Context.Tag.Service<CallEvents>
): Effect.Effect<Leg, NotAnswered> | null => {
  const { provider, stream } = session.client.line
  if (stream._tag === "Sound" || stream.reconnectMillis === 0) return null
  const failure = new NotAnswered({ status: "provider_error", reason: `${provider}: the provider did not come back` })
  const over = Effect.raceFirst(
    Effect.zipRight(events.ended(provider, provider_call_id), failure),
    Effect.delay(failure, stream.reconnectMillis)
  )
  const back = Effect.flatMap(Deferred.await(session.answer), (leg) => isAudioLine(leg) ? failure : Effect.succeed(leg))
  return Effect.raceFirst(back, over)
}

/**
 * Waits until the stream of a call has opened, or the call has failed. Events of the provider race against questions, so that
 * they may be early, late, doubled or missing; an answered call whose stream does not open in time is given up.
 */
export const awaitAnswer = (
  session: CallSession,
  provider_call_id: string,
  events: Context.Tag.Service<CallEvents>
): Effect.Effect<Leg | AudioLine, NotAnswered> => {
  const { provider, settings } = session.client.line
  const error = (reason: string) => new NotAnswered({ status: "provider_error", reason: `${provider}: ${reason}` })
  const opening = Deferred.await(session.answer)

  const notConnected = (status: NotAnswered["status"], reason: string | null) => {
    session.isOver = true
    return new NotAnswered({ status, reason })
  }

  /** The stream of a call that was answered, which may be on its way. */
  const late = Effect.raceFirst(
    opening,
    Effect.delay(error("the stream of the call did not open"), settings.timeouts.stream_seconds * 1000)
  )
  const decision = Effect.raceFirst(events.decided(provider, provider_call_id), poll(session, settings.poll_seconds))

  /** An event that tells why a call has ended; those who ask are not always told. */
  const end = Effect.flatMap(
    events.ended(provider, provider_call_id),
    ({ reason, status }) => status === null ? Effect.never : notConnected(status, reason)
  )
  const silentEnd = Effect.raceFirst(
    Effect.raceFirst(opening, end),
    Effect.delay(error("the call ended before its stream opened"), settings.timeouts.stream_seconds * 1000)
  )
  const failure = Effect.flatMap(decision, (news) => {
    if (news._tag === "Answered") return late
    return news.status === null ? silentEnd : notConnected(news.status, news.reason)
  })
  return Effect.raceFirst(opening, failure)
}
