import type { EndedBy, FrameSocket } from "@trunkline/telephony"
import { Deferred, Effect, Fiber, Runtime } from "effect"
import type { WordsFormat } from "../dialects/StreamFormat.js"
import { makeRelayLeg, type RelayLeg } from "../relay/RelayLeg.js"
import { readRelay } from "../relay/RelayMessages.js"
import type { CallSession } from "./CallSessions.js"
import { closeCode, closeUnlessBegun, endCall, type StreamParts } from "./StreamParts.js"

/** Close codes of a session that has ended, and is not opened again. */
const isOrderly = (code: number): boolean => code === 1000 || code === 1005

/** Carries the words of a session over its socket, until the socket has closed; another one may follow. */
export const carryWords = (
  { runtime, sessions }: StreamParts,
  session: CallSession,
  format: WordsFormat,
  socket: FrameSocket
): Effect.Effect<void> =>
  Effect.async((resume) => {
    const begin = (): RelayLeg => {
      const onEnd = (by: EndedBy): Effect.Effect<void> => {
        sessions.remove(session)
        const ended = by === "user" ? Effect.void : endCall(session)
        const work = Effect.ensuring(ended, Effect.sync(() => session.close?.()))
        return Fiber.join(Runtime.runFork(runtime)(work))
      }
      const relay = makeRelayLeg({ language: format.language, deadlineMillis: session.limitMillis, onEnd })
      session.relay = relay
      session.endLine = () =>
        Effect.suspend(() => {
          relay.end("provider")
          return relay.leg.hangUp
        })
      return relay
    }

    const stopWaiting = closeUnlessBegun(session, socket)
    session.close = () => socket.close(closeCode.normal, "The call is over")
    socket.hear((event) => {
      const { relay } = session
      if (event._tag === "Closed") {
        stopWaiting()
        resume(Effect.void)
        if (relay === undefined) return sessions.remove(session)
        if (isOrderly(event.code)) return relay.end("user")
        relay.use(null)
        sessions.again(session)
        const timer = setTimeout(() => {
          if (sessions.take(session.token) !== undefined) relay.end("provider")
        }, format.reconnectMillis)
        session.stopWaiting = () => clearTimeout(timer)
        return
      }
      session.stopWaiting?.()
      if (event._tag !== "Text") return
      const message = readRelay(event.text)
      if (message._tag !== "Setup") {
        if (message._tag === "Error") {
          Runtime.runFork(runtime)(Effect.logWarning("A relay reported an error", message.description.slice(0, 200)))
        }
        return relay?.receive(message)
      }
      stopWaiting()
      session.call_id ??= message.call_id
      const begunRelay = relay ?? begin()
      begunRelay.use(socket)
      Deferred.unsafeDone(session.opened, Effect.succeed(begunRelay.leg))
    })
  })
