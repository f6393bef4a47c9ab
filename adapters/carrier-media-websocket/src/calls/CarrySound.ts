import type { EndedBy, FrameSocket } from "@trunkline/telephony"
import { Deferred, Effect, Fiber, FiberId, Runtime } from "effect"
import type { SoundFormat } from "../dialects/StreamFormat.js"
import { makeStreamLine, type StreamLine } from "../media/StreamLine.js"
import type { CallSession } from "./CallSessions.js"
import { referralOf } from "./Referral.js"
import { closeCode, closeUnlessBegun, endCall, machineTrouble, type StreamParts } from "./StreamParts.js"

/** True for a line that only tells its call that a machine has answered. */
const reportsMachines = (settings: object): boolean =>
  "machine_detection" in settings && settings.machine_detection === "report"

/** Time that a provider has to confirm the end of a stream, by which some end their calls. */
const closeTimeout = "2 seconds"

/** Carries the sound of a session over its socket, until the socket has closed. */
export const carrySound = (
  { clock, runtime, sessions }: StreamParts,
  session: CallSession,
  format: SoundFormat,
  socket: FrameSocket
): Effect.Effect<void> =>
  Effect.async((resume) => {
    const closing = Deferred.unsafeMake<void>(FiberId.none)
    let openedLine: StreamLine | null = null
    const stopWaiting = closeUnlessBegun(session, socket)

    /** Ends the call at the provider unless the provider has told its end, and then closes the socket. */
    const onEnd = (by: EndedBy): Effect.Effect<void> => {
      sessions.remove(session)
      const end = by === "user" ? Effect.void : endCall(session)
      const close = Effect.sync(() => socket.close(closeCode.normal, "The call is over"))
      const work = Effect.zipRight(
        Effect.ensuring(end, close),
        Effect.ignore(Effect.timeout(Deferred.await(closing), closeTimeout))
      )
      return Fiber.join(Runtime.runFork(runtime)(work))
    }

    const begin = (streamId: string): void => {
      stopWaiting()
      const streamLine = makeStreamLine({ clock, format, socket, streamId, deadlineMillis: session.limitMillis, onEnd })
      openedLine = streamLine
      const { client: { line } } = session
      const endLine = (isMachine: boolean) =>
        Effect.suspend(() => {
          streamLine.end("provider", isMachine ? machineTrouble(line.provider) : undefined)
          return streamLine.line.hangUp
        })
      session.endLine = endLine
      const onMachine = reportsMachines(line.settings)
        ? () => Effect.sync(() => streamLine.tell("machine"))
        : () => endLine(true)
      session.onMachine = onMachine
      if (session.isMachine === true) Runtime.runFork(runtime)(onMachine())
      const referral = referralOf(session, () => streamLine.end("user"))
      Deferred.unsafeDone(session.answer, Effect.succeed({ ...streamLine.line, ...referral }))
    }

    socket.hear((event) => {
      if (event._tag === "Closed") {
        stopWaiting()
        Deferred.unsafeDone(closing, Effect.void)
        if (openedLine === null) sessions.remove(session)
        else openedLine.end(format.closeIsEnd === true && event.code === closeCode.normal ? "user" : "provider")
        return resume(Effect.void)
      }
      if (event._tag !== "Text") return
      const message = format.read(event.text)
      if (message._tag !== "Start") return openedLine?.receive(message)
      session.call_id ??= message.call_id
      if (openedLine === null) begin(message.stream_id)
    })
  })
