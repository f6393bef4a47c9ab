// States of a line: open -> over. It opens when the provider's stream has begun.
//
// 1. Sound that arrives is given at once, in frames; every 20 ms silence fills in for what did not come.
// 2. Sound of the agent leaves through one playout, at most 200 ms ahead; marks tell what was heard.
// 3. It ends once: by the caller (`stop`), by us, by a socket that breaks or is silent for 20 seconds, or at its deadline. After
//    that nothing is sent, and `clear` tells once what had been heard.

import type { AnsweredBy } from "@trunkline/kernel"
import type { AudioLine, EndedBy, FrameSocket, LineEvent, LineTrouble } from "@trunkline/telephony"
import { Effect } from "effect"
import type { SoundFormat, StreamMessage } from "../dialects/StreamFormat.js"
import { makeAgentSound } from "./AgentSound.js"
import { makeHeardFrames } from "./HeardFrames.js"
import { keyTones } from "./KeyTones.js"
import type { MediaClock } from "./MediaClock.js"

/** A line over a stream. */
export interface StreamLine {
  readonly line: AudioLine
  /** Takes a message of the stream. */
  readonly receive: (message: StreamMessage) => void
  /** Ends the line; does nothing when it has ended. */
  readonly end: (by: EndedBy, trouble?: LineTrouble) => void
  /** Passes on who has answered, by the provider. */
  readonly tell: (answered_by: AnsweredBy) => void
}

/** Time without any message after which a stream is dead, in milliseconds. */
const deadAfter = 20_000

/** Unsent bytes above which the other side counts as no longer reading. */
const maxWaitingBytes = 1_048_576

const bytesOf = (payload: string | Uint8Array): Uint8Array =>
  typeof payload === "string" ? Buffer.from(payload, "base64") : payload

/** Makes the line of a stream that has begun. */
export const makeStreamLine = ({ clock, deadlineMillis, format, onEnd, socket, streamId }: {
  readonly clock: MediaClock
  readonly format: SoundFormat
  readonly socket: FrameSocket
  readonly streamId: string
  /** Longest duration, which nothing postpones; null for none. */
  readonly deadlineMillis: number | null
  /** Runs once at the end, with the side that ended the line. Ends the call at the provider, unless the provider has ended it. */
  readonly onEnd: (by: EndedBy) => Effect.Effect<void>
}): StreamLine => {
  const since = clock.now()
  let listener: (event: LineEvent) => void = () => {}
  let endedBy: EndedBy | null = null
  let closing: Effect.Effect<void> = Effect.void
  let playedAtEnd = 0
  let trouble: LineTrouble | null = null
  let lastMessage = since

  const emit = (event: LineEvent): void => {
    if (endedBy === null) listener(event)
  }
  const post = (message: string | Uint8Array): void => {
    if (endedBy !== null) return
    if (socket.waitingBytes() > maxWaitingBytes) end("provider")
    else socket.post(message)
  }
  const heardFrames = makeHeardFrames(format.rate, emit)
  const sound = makeAgentSound({
    format,
    now: clock.now,
    streamId,
    post,
    onReached: (mark) => emit({ _tag: "Reached", mark })
  })

  const stop = clock.every((now) => {
    if (deadlineMillis !== null && now - since >= deadlineMillis) return end("timeout")
    if (now - lastMessage >= deadAfter) return end("provider")
    heardFrames.tick(now)
    sound.tick(now)
  })

  const end = (by: EndedBy, why?: LineTrouble): void => {
    if (endedBy !== null) return
    stop()
    trouble = why ?? null
    playedAtEnd = sound.clear()
    endedBy = by
    closing = onEnd(by)
    listener({ _tag: "Ended", by })
    listener = () => {}
  }

  const receive = (message: StreamMessage): void => {
    if (endedBy !== null) return
    const now = clock.now()
    lastMessage = now
    switch (message._tag) {
      case "Sound":
        return heardFrames.add(format.decode(bytesOf(message.payload)), message.order, now)
      case "Key":
        return emit({ _tag: "Pressed", digit: message.digit })
      case "Mark":
        return sound.takeMark(message.name)
      case "Stop":
        return end("user")
      case "Start":
      case "Other":
    }
  }

  const line: AudioLine = {
    _tag: "AudioLine",
    rate: format.rate,
    hear: (hear) => {
      if (endedBy !== null) return hear({ _tag: "Ended", by: endedBy })
      listener = hear
    },
    play: (samples, mark) => {
      if (endedBy === null) sound.play(samples, mark)
    },
    clear: () => {
      if (endedBy === null) return sound.clear()
      const sampleCount = playedAtEnd
      playedAtEnd = 0
      return sampleCount
    },
    press: (digits) =>
      Effect.sync(() => {
        const keys = digits.replaceAll(/[^0-9*#A-D]/g, "")
        if (endedBy !== null || keys === "") return
        if (format.keys === undefined) sound.play(keyTones(keys, format.rate))
        else post(format.keys(keys, streamId))
      }),
    hangUp: Effect.suspend(() => {
      end("agent")
      return closing
    }),
    trouble: () => trouble
  }
  return { line, receive, end, tell: (answered_by) => emit({ _tag: "AnsweredBy", answered_by }) }
}
