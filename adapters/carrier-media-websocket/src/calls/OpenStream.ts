import type { FrameSocket, OpenFrames, SocketRequest } from "@trunkline/telephony"
import { Effect, type Scope } from "effect"
import type { OpenLine } from "../dialects/Dialect.js"
import { askedAddress, isAllowedAddress } from "../settings/PublicAddress.js"
import type { CallSession } from "./CallSessions.js"
import { carryFixed } from "./CarryFixed.js"
import { carrySound } from "./CarrySound.js"
import { carryWords } from "./CarryWords.js"
import { closeCode, type StreamParts } from "./StreamParts.js"

const refuse = (socket: FrameSocket): Effect.Effect<void> =>
  Effect.sync(() => socket.close(closeCode.policyViolation, "This address is not valid, or was used before"))

const sendElsewhere = (socket: FrameSocket): Effect.Effect<void> =>
  Effect.sync(() => socket.close(closeCode.serviceRestart, "Another process goes on with the call"))

/** Milliseconds between two looks for the call of a stream, while it waits. */
const seekMillis = 250

/** True for a stream that the provider of a line may have opened; null where only the token tells. */
const isFromProvider = ({ isAuthenticStream, settings }: OpenLine, request: SocketRequest): boolean | null =>
  isAllowedAddress(settings, request)
    ? isAuthenticStream?.(askedAddress(settings, request).replace(/^http/, "ws"), request.headers) ?? null
    : false

/**
 * Takes a WebSocket of a provider: the token of its address is good once, for a stream that may be the provider's, or that of its
 * first message where all streams of a line come to one address. One with words that is proven to come from the provider may wait
 * for its call, which a process that has stopped has carried, and is looked for at once. Completes when it has closed.
 */
export const openStream = (
  parts: StreamParts,
  line: Effect.Effect<OpenLine | null>,
  request: SocketRequest,
  open: OpenFrames
): Effect.Effect<void> => {
  const { connection, token } = request
  const carry = (session: CallSession, socket: FrameSocket): Effect.Effect<void> => {
    const { line } = session.client
    const isExpected = line.connection.connection_id === connection.connection_id
      && isFromProvider(line, request) !== false
    if (!isExpected) {
      parts.sessions.again(session)
      return refuse(socket)
    }
    const { stream } = line
    const work = stream._tag === "Sound"
      ? carrySound(parts, session, stream, socket)
      : carryWords(parts, session, stream, socket)
    return line.lateIds === undefined
      ? work
      : Effect.zipRight(Effect.forkIn(parts.onTied(session), parts.scope), work)
  }
  const carryLate = (socket: FrameSocket): Effect.Effect<void> =>
    Effect.flatMap(line, (line) => {
      const isProven = line === null ? false : isFromProvider(line, request)
      if (line !== null && isProven !== false && line.isFixedStream?.(token) === true) {
        return carryFixed({ line, sessions: parts.sessions, socket, refuse: refuse(socket) }, carry)
      }
      return line === null || line.stream._tag === "Sound" || isProven !== true
        ? refuse(socket)
        : Effect.flatMap(
          Effect.raceFirst(parts.sessions.takeSoon(token), seeking),
          (session) => session === undefined ? refuse(socket) : carry(session, socket)
        )
    })
  const seeking = Effect.forever(Effect.zipRight(request.seek, Effect.sleep(seekMillis)))
  // A socket is accepted first, since a close code cannot be told otherwise.
  const intake: Effect.Effect<void, never, Scope.Scope> = Effect.suspend(() => {
    const session = parts.sessions.take(token)
    return Effect.flatMap(open, (socket) => {
      if (session !== undefined) return carry(session, socket)
      return parts.sessions.isLeft(token) ? sendElsewhere(socket) : carryLate(socket)
    })
  })
  return Effect.scoped(intake)
}
