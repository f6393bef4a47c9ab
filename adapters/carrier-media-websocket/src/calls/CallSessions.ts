// A session is a call that this process carries or expects. Its states: expected -> open -> over.
//
// 1. It is expected from before the request that creates the call, since the stream may open before the response arrives.
// 2. The stream opens it, once, with the token of its address; any other token is closed with 1008.
// 3. It is over when its line has ended, when it was cancelled, or when it was not opened until it expired.

import type { AttemptId } from "@trunkline/kernel"
import type { AudioLine, Leg, NotAnswered } from "@trunkline/telephony"
import { Deferred, Effect } from "effect"
import type { RelayLeg } from "../relay/RelayLeg.js"
import type { ApiClient } from "../rest/ApiClient.js"

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
  readonly opened: Deferred.Deferred<Leg | AudioLine, NotAnswered>
  /** Ends the line because of the provider's news, and completes with it; absent before it has opened. */
  endLine?: (isMachine: boolean) => Effect.Effect<void>
  /** The leg of a call with words, which outlives its socket. */
  relay?: RelayLeg
  /** Ends the wait for another socket after one broke. */
  stopWaiting?: () => void
  /** True once the provider has told that the call did not connect: nothing has to be ended. */
  isOver?: boolean
  /** Closes the present socket of a call with words. */
  close?: () => void
}

/** The sessions of a carrier. */
export interface CallSessions {
  /** Expects the stream of a call. A session with the same token is returned as it is. */
  readonly expect: (
    session: Omit<CallSession, "opened" | "endLine" | "relay" | "close" | "stopWaiting" | "isOver">
  ) => Effect.Effect<CallSession>
  /** Takes the session of a token, which is good once; undefined when it is not expected. */
  readonly take: (token: string) => CallSession | undefined
  /** Expects the stream of a call once more, after its socket broke. */
  readonly again: (session: CallSession) => void
  readonly byCall: (connection_id: string, call_id: string) => CallSession | undefined
  /** Forgets a session. */
  readonly remove: (session: CallSession) => void
  readonly all: () => Iterable<CallSession>
}

/** Makes the sessions of a carrier. */
export const makeCallSessions = (): CallSessions => {
  const sessions = new Map<string, CallSession>()
  const expected = new Set<string>()
  return {
    expect: (session) =>
      Effect.suspend(() => {
        const existing = sessions.get(session.token)
        if (existing !== undefined) {
          existing.call_id ??= session.call_id
          return Effect.succeed(existing)
        }
        return Effect.map(Deferred.make<Leg | AudioLine, NotAnswered>(), (opened) => {
          const added: CallSession = { ...session, opened }
          sessions.set(session.token, added)
          expected.add(session.token)
          return added
        })
      }),
    take: (token) => expected.delete(token) ? sessions.get(token) : undefined,
    again: ({ token }) => {
      if (sessions.has(token)) expected.add(token)
    },
    byCall: (connection_id, call_id) => {
      for (const session of sessions.values()) {
        const { connection } = session.client.line
        if (session.call_id === call_id && connection.connection_id === connection_id) return session
      }
      return undefined
    },
    remove: ({ token }) => {
      sessions.delete(token)
      expected.delete(token)
    },
    all: () => sessions.values()
  }
}
