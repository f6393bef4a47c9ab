// A session is a call that this process carries or expects. Its states: expected -> open -> over.
//
// 1. It is expected from before the request that creates the call, since the stream may open before the response arrives.
// 2. The stream opens it, once, with the token of its address; any other token is closed with 1008.
// 3. It is over when its line has ended, when it was cancelled, or when it was not opened until it expired.

import type { AttemptId } from "@trunkline/kernel"
import type { AudioLine, Leg, NotAnswered } from "@trunkline/telephony"
import { Deferred, Effect, FiberId } from "effect"
import type { RelayLeg } from "../relay/RelayLeg.js"
import type { ApiClient } from "../rest/ApiClient.js"

/** Longest time for which a stream waits for its session, and most streams that do. */
const maxWait = { millis: 5_000, streams: 1_000 }

/** A call in this process. */
export interface CallSession {
  readonly token: string
  readonly client: ApiClient
  /** Null for inbound calls. */
  readonly attempt_id: AttemptId | null
  /** Id of the provider; null until it is existing. */
  call_id: string | null
  /** Longest duration of the call, in milliseconds; null for none. */
  readonly limitMillis: number | null
  /** The line or leg once the stream has opened, or why there will be none. */
  readonly answer: Deferred.Deferred<Leg | AudioLine, NotAnswered>
  /** Ends the line because of the provider's news, and completes with it; absent before it has opened. */
  endLine?: (isMachine: boolean) => Effect.Effect<void>
  /** True once the provider has told that a machine has answered, which may be before the line has opened. */
  isMachine?: boolean
  /** Tells the line of a machine, or ends it, as the line's settings say; absent before it has opened. */
  onMachine?: () => Effect.Effect<void>
  /** The leg of a call with words, which outlives its socket. */
  relay?: RelayLeg
  /** Ends the wait for another socket after one broke. */
  stopWaiting?: () => void
  /** True once the provider has told that the call did not connect: nothing has to be ended. */
  isOver?: boolean
  /** Closes the present socket of a call with words. */
  close?: () => void
  /** Closes it so that the provider opens another one. */
  leave?: () => void
  /** Completes when the present socket has closed. */
  closure?: Deferred.Deferred<void>
}

/** The sessions of a carrier. */
export interface CallSessions {
  /** Expects the stream of a call. A session with the same token is returned as it is. */
  readonly expect: (
    session: Pick<CallSession, "attempt_id" | "call_id" | "client" | "limitMillis" | "token">
  ) => Effect.Effect<CallSession>
  /** Takes the session of a token, which is good once; undefined when it is not expected. */
  readonly take: (token: string) => CallSession | undefined
  /**
   * Waits until the session of a token is expected, for some seconds, and takes it: a process that has just started learns of
   * its calls while their provider comes back already. Undefined when it is not expected in time.
   */
  readonly takeSoon: (token: string) => Effect.Effect<CallSession | undefined>
  /** Expects the stream of a call once more, after its socket broke. */
  readonly again: (session: CallSession) => void
  readonly byCall: (connection_id: string, call_id: string) => CallSession | undefined
  /** Forgets a session. */
  readonly remove: (session: CallSession) => void
  /** Leaves a session to another process: nothing here ends its call any more. */
  readonly leave: (session: CallSession) => void
  readonly isLeft: (token: string) => boolean
  readonly list: () => Iterable<CallSession>
}

/** Makes the sessions of a carrier. */
export const makeCallSessions = (): CallSessions => {
  const sessions = new Map<string, CallSession>()
  const expectedIds = new Set<string>()
  const waiting = new Map<string, Deferred.Deferred<void>>()
  const left = new Set<string>()
  const remove = ({ token }: CallSession): void => {
    sessions.delete(token)
    expectedIds.delete(token)
  }
  const take = (token: string): CallSession | undefined => expectedIds.delete(token) ? sessions.get(token) : undefined
  return {
    expect: (session) =>
      Effect.suspend(() => {
        const existing = sessions.get(session.token)
        if (existing !== undefined) {
          existing.call_id ??= session.call_id
          return Effect.succeed(existing)
        }
        return Effect.map(Deferred.make<Leg | AudioLine, NotAnswered>(), (opening) => {
          const addedSession: CallSession = { ...session, answer: opening }
          sessions.set(session.token, addedSession)
          expectedIds.add(session.token)
          const stream = waiting.get(session.token)
          if (stream !== undefined) Deferred.unsafeDone(stream, Effect.void)
          return addedSession
        })
      }),
    take,
    takeSoon: (token) =>
      Effect.suspend(() => {
        const knownSession = take(token)
        if (knownSession !== undefined || waiting.size >= maxWait.streams) return Effect.succeed(knownSession)
        const arrival = waiting.get(token) ?? Deferred.unsafeMake<void>(FiberId.none)
        waiting.set(token, arrival)
        return Deferred.await(arrival).pipe(
          Effect.timeoutOption(maxWait.millis),
          Effect.ensuring(Effect.sync(() => waiting.delete(token))),
          Effect.map(() => take(token))
        )
      }),
    again: ({ token }) => {
      if (sessions.has(token)) expectedIds.add(token)
    },
    byCall: (connection_id, call_id) => {
      for (const session of sessions.values()) {
        const { connection } = session.client.line
        if (session.call_id === call_id && connection.connection_id === connection_id) return session
      }
      return undefined
    },
    remove,
    leave: (session) => {
      session.isOver = true
      left.add(session.token)
      remove(session)
    },
    isLeft: (token) => left.has(token),
    list: () => sessions.values()
  }
}
