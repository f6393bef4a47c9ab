import type { EndedBy, FrameSocket } from "@trunkline/telephony"
import { Deferred, Effect, Fiber, FiberId, Runtime } from "effect"
import type { WordsFormat } from "../dialects/StreamFormat.js"
import { makeRelayLeg, type RelayLeg } from "../relay/RelayLeg.js"
import { readRelay } from "../relay/RelayMessages.js"
import type { CallSession } from "./CallSessions.js"
import { referralOf } from "./Referral.js"
import { closeCode, closeUnlessBegun, endCall, type StreamParts } from "./StreamParts.js"

/** Close codes of a session that has ended, and is not opened again. */
const isOrderly = (code: number): boolean => code === 1000 || code === 1005

/** Time that a provider has to confirm the end of a stream. */
const closeTimeout = "1 second"

const closedAlready = Deferred.unsafeMake<void>(FiberId.none)
Deferred.unsafeDone(closedAlready, Effect.void)

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
        const end = by === "user" ? Effect.void : endCall(session)
        const work = Effect.ensuring(end, Effect.sync(() => session.close?.()))
        return Fiber.join(Runtime.runFork(runtime)(work))
      }
      const onLeave = Effect.suspend(() => {
        sessions.leave(session)
        session.stopWaiting?.()
        session.leave?.()
        return Effect.ignore(Effect.timeout(Deferred.await(session.closure ?? closedAlready), closeTimeout))
      })
      const relay = makeRelayLeg({
        format,
        deadlineMillis: session.limitMillis,
        onEnd,
        onLeave
      })
      session.relay = relay
      session.endLine = () =>
        Effect.suspend(() => {
          relay.end("provider")
          return relay.leg.hangUp
        })
      return relay
    }

    const stopWaiting = closeUnlessBegun(session, socket)
    const closing = Deferred.unsafeMake<void>(FiberId.none)
    session.closure = closing
    session.close = () => socket.close(closeCode.normal, "The call is over")
    session.leave = () => socket.close(closeCode.serviceRestart, "Another process goes on with the call")
    socket.hear((event) => {
      const { relay } = session
      if (event._tag === "Closed") {
        stopWaiting()
        resume(Effect.void)
        Deferred.unsafeDone(closing, Effect.void)
        if (sessions.isLeft(session.token)) return
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
        return relay?.receive(event.text)
      }
      stopWaiting()
      session.call_id ??= message.call_id
      const begunRelay = relay ?? begin()
      begunRelay.use(socket)
      const referral = referralOf(session, () => begunRelay.end("user"))
      Deferred.unsafeDone(session.answer, Effect.succeed({ ...begunRelay.leg, ...referral }))
    })
  })
