import type { FrameEvent, FrameSocket } from "@trunkline/telephony"
import { Effect } from "effect"
import type { OpenLine } from "../dialects/Dialect.js"
import type { SoundFormat } from "../dialects/StreamFormat.js"
import type { CallSession, CallSessions } from "./CallSessions.js"

/** Start of a stream: the token of its call, and its socket, which gives all messages once more. */
interface StreamStart {
  readonly token: string | null
  readonly socket: FrameSocket
}

/** Waits until a stream has begun; null when its socket closes first, or nothing begins in time. */
const awaitStart = (format: SoundFormat, socket: FrameSocket, millis: number): Effect.Effect<StreamStart | null> =>
  Effect.async<StreamStart | null>((resume) => {
    const heardFrameEvents: Array<FrameEvent> = []
    let isOver = false
    socket.hear((event) => {
      if (isOver) return
      if (event._tag === "Closed") {
        isOver = true
        return resume(Effect.succeed(null))
      }
      // Events before the start are no messages of a call, and are not kept.
      const message = event._tag === "Text" ? format.read(event.text) : null
      if (heardFrameEvents.length > 0 || message?._tag === "Start") heardFrameEvents.push(event)
      if (message?._tag !== "Start" || heardFrameEvents.length > 1) return
      const hear: FrameSocket["hear"] = (listener) => {
        isOver = true
        heardFrameEvents.forEach(listener)
        socket.hear(listener)
      }
      resume(Effect.succeed({ token: message.token ?? null, socket: { ...socket, hear } }))
    })
  }).pipe(Effect.timeoutTo({ duration: millis, onSuccess: (stream) => stream, onTimeout: () => null }))

/**
 * Carries the sound of a stream that came to the one address of its line: its `start` tells the token of its call, which is good
 * once. A stream that cannot be tied to a call is refused, since nobody knows whom it would speak with.
 */
export const carryFixed = (
  { line: { settings, stream }, refuse, sessions, socket }: {
    readonly line: OpenLine
    readonly sessions: CallSessions
    readonly socket: FrameSocket
    readonly refuse: Effect.Effect<void>
  },
  carry: (session: CallSession, socket: FrameSocket) => Effect.Effect<void>
): Effect.Effect<void> =>
  Effect.gen(function*() {
    if (stream._tag !== "Sound") return yield* refuse
    const start = yield* awaitStart(stream, socket, settings.timeouts.stream_seconds * 1000)
    const session = start?.token == null ? undefined : sessions.take(start.token)
    if (start !== null && session !== undefined) return yield* carry(session, start.socket)
    if (start !== null) {
      yield* Effect.logWarning("A stream was refused, since it tells no call of this process, or one that has a stream")
    }
    return yield* refuse
  })
