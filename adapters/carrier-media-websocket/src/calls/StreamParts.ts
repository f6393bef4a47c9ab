import type { FrameSocket, LineTrouble } from "@trunkline/telephony"
import { Effect, type Runtime } from "effect"
import type { MediaClock } from "../media/MediaClock.js"
import { sendFirst } from "../rest/ApiClient.js"
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

/** Ends a call at its provider; what fails is only logged, since the provider's limit ends the call as well. */
export const endCall = ({ call_id, client }: Pick<CallSession, "call_id" | "client">): Effect.Effect<void> =>
  call_id === null ? Effect.void : sendFirst(client, client.line.end(call_id)).pipe(
    Effect.catchAll(({ reason, status }) =>
      status !== null && isOverAlready.includes(status)
        ? Effect.void
        : Effect.logWarning("A call could not be hung up", reason)
    ),
    Effect.asVoid
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
}
