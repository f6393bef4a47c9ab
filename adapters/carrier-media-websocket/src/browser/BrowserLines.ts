// States of a call: greeted -> open -> over.
//
// 1. The client is told `ready`, and has ten seconds to say `start`, or to send sound.
// 2. It is open until one side hangs up, the socket closes, or the client breaks the protocol. There is no second socket for
//    a call: a page that lost its own begins another call.
// 3. At the end the client is told `ended`, or before it an `error`, and the socket is closed.

import { type BrowserLine, type BrowserLines, type EndedBy, type FrameSocket, NotAnswered } from "@trunkline/telephony"
import { Deferred, Effect, FiberId } from "effect"
import { makeMediaClock, type MediaClock } from "../media/MediaClock.js"
import { makeStreamLine, type StreamLine } from "../media/StreamLine.js"
import {
  closeCodeOf,
  readSound,
  readTalk,
  type TalkError,
  talkFormat,
  type TalkMessage,
  talkMessages,
  talkRate
} from "./TalkFormat.js"

/** Time until a client must be ready, in milliseconds. */
const startTimeout = 10_000

/** Amounts by which a client may be ahead of real time: milliseconds of sound, and messages with those that it may send each second. */
const maxAhead = { soundMillis: 10_000, messages: 1_000, messagesPerSecond: 200 }

/** Time that a client has to confirm the end, by closing. */
const closeTimeout = "2 seconds"

/** Unsent bytes above which words of the transcript are left out, since they are not worth ending the call. */
const fewBytes = 262_144

const notAnswered = (reason: string) => new NotAnswered({ status: "no_answer", reason: `browser: ${reason}` })

/** Tells a client why there is no call, and closes the socket. */
const refuse = (socket: FrameSocket, code: TalkError): void => {
  socket.post(talkMessages.error(code))
  socket.close(closeCodeOf(code), code)
}

/** Counts what a client sends; returns false once it is far too much for the time since the beginning. */
const makePace = (since: number) => {
  let messages = 0
  let bytes = 0
  return (size: number, now: number): boolean => {
    messages += 1
    bytes += size
    const duration = now - since
    return bytes * 1000 / (2 * talkRate) <= duration + maxAhead.soundMillis
      && messages <= maxAhead.messages + duration * maxAhead.messagesPerSecond / 1000
  }
}

/** Makes the lines of calls from browsers. */
export const makeBrowserLines = (clock: MediaClock = makeMediaClock()): BrowserLines.Service => ({
  refuse: (socket, why) => Effect.sync(() => refuse(socket, why)),
  open: (socket, { attempt_id, limitMillis }) =>
    Effect.async<BrowserLine, NotAnswered>((resume) => {
      const closing = Deferred.unsafeMake<void>(FiberId.none)
      const isWithinPace = makePace(clock.now())
      let openedLine: StreamLine | null = null
      let error: TalkError | null = null
      let isMuted = false

      const onEnd = (by: EndedBy): Effect.Effect<void> => {
        if (error === null) {
          socket.post(talkMessages.ended(by))
          socket.close(1000, "The call is over")
        } else refuse(socket, error)
        return Effect.ignore(Effect.timeout(Deferred.await(closing), closeTimeout))
      }

      /** Ends a call that has begun, or says that there is none. */
      const give = (by: EndedBy, reason: string): void => {
        stopWaiting()
        if (openedLine === null) resume(notAnswered(reason))
        else openedLine.end(by, by === "user" ? undefined : { reason: `browser: ${reason}`, isFailed: false })
      }

      const violate = (code: TalkError): void => {
        if (error !== null) return
        error = code
        if (openedLine === null) refuse(socket, code)
        give("provider", code)
      }

      const since = clock.now()
      const stopWaiting = clock.every((now) => {
        if (now - since >= startTimeout) violate("start_timeout")
      })

      const begin = (): StreamLine => {
        stopWaiting()
        const streamLine = makeStreamLine({
          clock,
          format: talkFormat,
          socket,
          streamId: "",
          deadlineMillis: limitMillis,
          onEnd
        })
        openedLine = streamLine
        const tell: BrowserLine["tell"] = (progress) => {
          if (socket.waitingBytes() < fewBytes) socket.post(talkMessages.progress(progress))
        }
        resume(Effect.succeed({ line: streamLine.line, tell }))
        return streamLine
      }

      const receive = (message: TalkMessage): void => {
        switch (message._tag) {
          case "Bad":
            return violate("bad_message")
          case "Mute":
            isMuted = message.on
            return
          case "Stop":
            if (openedLine === null) socket.close(1000, "The call is over")
            return give("user", "the client left before the call began")
          case "Start":
            return void (openedLine ?? begin())
          case "Sound":
            return (openedLine ?? begin()).receive(isMuted ? { _tag: "Other" } : message)
          default:
            return openedLine?.receive(message)
        }
      }

      socket.hear((event) => {
        if (event._tag === "Closed") {
          Deferred.unsafeDone(closing, Effect.void)
          // Pages that are left close with 1001, and clients without a reason with 1005 (RFC 6455, section 7.4.1).
          const isOrderly = event.code === 1000 || event.code === 1001 || event.code === 1005
          return give(
            isOrderly ? "user" : "provider",
            openedLine === null
              ? "the client left before the call began"
              : "the connection was lost"
          )
        }
        if (error !== null) return
        const size = event._tag === "Bytes" ? event.bytes.byteLength : 0
        if (!isWithinPace(size, clock.now())) return violate("too_fast")
        receive(event._tag === "Text" ? readTalk(event.text) : readSound(event.bytes))
      })
      socket.post(talkMessages.ready(attempt_id))
      return Effect.sync(() => {
        stopWaiting()
        socket.close(1001, "The server is shutting down")
      })
    })
})
