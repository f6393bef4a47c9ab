import type { OpenFrames, StreamRequest } from "@trunkline/telephony"
import { Effect } from "effect"
import { askedAddress, isAllowedAddress } from "../settings/PublicAddress.js"
import { carrySound } from "./CarrySound.js"
import { carryWords } from "./CarryWords.js"
import { closeCode, type StreamParts } from "./StreamParts.js"

/** Refuses a socket. It is accepted first, since a close code cannot be told otherwise. */
const refuse = (open: OpenFrames): Effect.Effect<void> =>
  Effect.scoped(
    Effect.flatMap(open, (socket) =>
      Effect.sync(() =>
        socket.close(closeCode.policyViolation, "This address is not valid, or was used before")
      ))
  )

/** Takes a WebSocket of a provider: the token of its address is good once. Completes when it has closed. */
export const openStream = (
  parts: StreamParts,
  request: StreamRequest,
  open: OpenFrames
): Effect.Effect<void> => {
  const { connection, token } = request
  const session = parts.sessions.take(token)
  if (session === undefined) return refuse(open)
  const { line } = session.client
  const isExpected = line.connection.connection_id === connection.connection_id
    && isAllowedAddress(line.settings, request)
    && line.isAuthenticStream?.(askedAddress(line.settings, request).replace(/^http/, "ws"), request.headers) !== false
  const { stream } = line
  if (!isExpected) return refuse(open)
  return Effect.scoped(Effect.flatMap(open, (socket) =>
    stream._tag === "Sound"
      ? carrySound(parts, session, stream, socket)
      : carryWords(parts, session, stream, socket)))
}
