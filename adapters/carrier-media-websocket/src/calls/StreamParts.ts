import type { FrameSocket, LineTrouble } from "@trunkline/telephony"
import { Effect, type Runtime, type Scope } from "effect"
import type { MediaClock } from "../media/MediaClock.js"
import { sendFirst } from "../rest/ApiClient.js"
import { apiIdOf } from "../rest/ApiIds.js"
import type { CallSession, CallSessions } from "./CallSessions.js"

/** Close codes of WebSockets (RFC 6455, section 7.4.1, and the registry that it has made). */
export const closeCode = { normal: 1000, policyViolation: 1008, serviceRestart: 1012 } as const

/** Trouble of a call that a machine answered. */
export const machineTrouble = (provider: string): LineTrouble => ({
  reason: `${provider}: an answering machine answered`,
  isFailed: false
})

/** Statuses by which providers tell that a call which should end is over. */
const isOverAlready: ReadonlyArray<number> = [400, 409, 422]

/** Pause before a call that has no id yet is looked for again, in milliseconds. */
const namePause = 1_000

/** Id of a call that is to be ended; asks for it some times, since a call that was just created is not always listed. */
const idToEnd = ({ client }: Pick<CallSession, "client">, call_id: string, tries: number): ReturnType<typeof apiIdOf> =>
  Effect.flatMap(
    apiIdOf(client, call_id, "live"),
    (id) =>
      id === null && tries > 1
        ? Effect.delay(Effect.suspend(() => idToEnd({ client }, call_id, tries - 1)), namePause)
        : Effect.succeed(id)
  )

/**
 * Ends a call at its provider; what fails is only logged, since the provider's limit ends the call as well. False when there is no
 * request that ends it, or the provider has not told its id for the call.
 */
export const endCall = (
  { call_id, client }: Pick<CallSession, "call_id" | "client">,
  tries = 1
): Effect.Effect<boolean> =>
  call_id === null ? Effect.succeed(false) : Effect.gen(function*() {
    const id = yield* idToEnd({ client }, call_id, tries)
    const requests = id === null ? [] : client.line.end(id)
    if (requests.length > 0) yield* sendFirst(client, requests)
    return requests.length > 0
  }).pipe(
    Effect.catchAll(({ reason, status }) =>
      status !== null && isOverAlready.includes(status)
        ? Effect.succeed(true)
        : Effect.as(Effect.logWarning("A call could not be hung up", reason), true)
    )
  )

/** Closes a socket on which no call begins in time; returns what stops the wait. */
export const closeUnlessBegun = ({ client }: CallSession, socket: FrameSocket): () => void => {
  const { stream_seconds } = client.line.settings.timeouts
  const timer = setTimeout(() => socket.close(closeCode.policyViolation, "No call has begun"), stream_seconds * 1000)
  return () => clearTimeout(timer)
}

/** Parts of a carrier that streams need. */
export interface StreamParts {
  readonly sessions: CallSessions
  readonly clock: MediaClock
  readonly runtime: Runtime.Runtime<never>
  readonly scope: Scope.Scope
  /** Stores that a call was answered, which its stream has told, where the provider's notices may not. */
  readonly onTied: (session: CallSession) => Effect.Effect<void>
}
