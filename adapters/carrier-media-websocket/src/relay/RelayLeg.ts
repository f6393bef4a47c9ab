// States of a leg: open -> broken -> open, and over at the end.
//
// 1. Until it has its log, or somebody speaks or listens, what arrives waits.
// 2. A socket that breaks leaves the call as it is where the provider opens another one, and what was not sent is sent there. After
//    the time for that, at its deadline, and when one side hangs up, the leg is over, once.
// 3. A leg that is left says nothing more, and only writes down what still arrives, until its socket has closed: another process
//    goes on as after a crash. Nothing here ends the call then.
// 4. With a log, what arrives is stored at once, and a token before it is sent. Another process reads the log as if it had sent
//    and heard all of it, and goes on when the provider comes back.

import {
  type CallLog,
  type EndedBy,
  type FrameSocket,
  type Leg,
  type LegContinuity,
  LegEnded,
  type Spoken
} from "@trunkline/telephony"
import { Deferred, Effect, FiberId } from "effect"
import type { WordsFormat } from "../dialects/StreamFormat.js"
import { makeRelayEar } from "./RelayEar.js"
import { readEntry, writeEntry } from "./RelayLog.js"
import { endSession, isComparable, isRelayEvent, readRelay, type RelayMessage, sendDigits } from "./RelayMessages.js"
import { makeRelayVoice } from "./RelayVoice.js"
import { makeReplayFilter, type ReplayFilter } from "./ReplayFilter.js"

/** A leg over a relay. */
export interface RelayLeg {
  readonly leg: Leg
  /** Takes a message of the provider. */
  readonly receive: (text: string) => void
  /** Goes on over another socket, or waits for one. */
  readonly use: (socket: FrameSocket | null) => void
  readonly end: (by: EndedBy) => void
}

/** Unsent bytes above which the other side counts as no longer reading. */
const maxWaitingBytes = 1_048_576

/** Most messages that wait for the log. */
const maxEarly = 1_000

/**
 * Messages that are compared with those that are replayed, and the time in which a replay arrives: waits, and milliseconds of each,
 * since a process that is busy at its start takes its timers before what has arrived.
 */
const replays = { maxMessages: 500, waits: 5, millis: 50 }

const setTimer = (millis: number, act: () => void): () => void => {
  const timer = setTimeout(act, millis)
  return () => clearTimeout(timer)
}

/** Makes the leg of a relay that has begun. */
export const makeRelayLeg = ({ deadlineMillis, format, later = setTimer, onEnd, onLeave }: {
  readonly format: WordsFormat
  /** Longest duration, which nothing postpones; null for none. */
  readonly deadlineMillis: number | null
  /** Told the end, once; ends the call at the provider. */
  readonly onEnd: (by: EndedBy) => Effect.Effect<void>
  /** Closes the socket so that the provider opens another one, and completes when it has closed. */
  readonly onLeave: Effect.Effect<void>
  /** Acts after some milliseconds, and returns what prevents it; a timer by default. */
  readonly later?: typeof setTimer
}): RelayLeg => {
  const over = Deferred.unsafeMake<EndedBy>(FiberId.none)
  const unsent: Array<string> = []
  let socket: FrameSocket | null = null
  let log: CallLog | null = null
  /** Messages that came before the leg had its log; null once it has. */
  let early: Array<string> | null = []
  const arrivals: Array<string> = []
  let filter: ReplayFilter | null = null
  let endedBy: EndedBy | null = null
  let closing: Effect.Effect<void> = Effect.void
  let isLeft = false
  /** Phrases of the conversation among the hints. */
  let expectedWords: ReadonlyArray<string> = []
  /** Hints during the call: unclear from the message until the provider confirms or refuses it. */
  let hints: "usable" | "unclear" | "refused" = format.hints === undefined ? "refused" : "usable"

  const post = (message: string): void => {
    if (socket === null) unsent.push(message)
    else if (socket.waitingBytes() > maxWaitingBytes) end("provider")
    else socket.post(message)
  }

  const giveHints = (phrases: ReadonlyArray<string>): void => {
    const isSame = phrases.length === 0 && expectedWords.length === 0
    if (format.hints === undefined || endedBy !== null || hints === "refused" || isSame) return
    expectedWords = phrases
    hints = "unclear"
    post(format.hints(phrases))
  }

  const ear = makeRelayEar(() => endedBy)
  const voice = makeRelayVoice({
    format,
    keep: (token) => log?.keep(writeEntry(token)) ?? Effect.void,
    onLanguage: () => giveHints(expectedWords),
    post
  })

  const end = (by: EndedBy): void => {
    if (endedBy !== null || isLeft) return
    endedBy = by
    stopTimer?.()
    if (by !== "user") post(endSession(by === "timeout" ? "time-limit" : "hang-up"))
    voice.interrupt("")
    closing = onEnd(by)
    ear.wake()
    Deferred.unsafeDone(over, Effect.succeed(by))
  }
  const stopTimer = deadlineMillis === null ? undefined : later(deadlineMillis, () => end("timeout"))

  const apply = (message: RelayMessage): void => {
    switch (message._tag) {
      case "Prompt":
        if (format.guesses && !message.isLast) return
        return ear.prompt(message) ? voice.takeAnswer() : undefined
      case "Key":
        return ear.key(message.digit)
      case "Interrupt":
        return voice.interrupt(message.heardText.trim())
      case "Speaking":
        return voice.report(message.on)
      case "Setup":
      case "Error":
      case "Changed":
      case "Other":
    }
  }

  const take = (text: string): void => {
    if (endedBy !== null) return
    log?.note(writeEntry({ heards: text }))
    if (isLeft) return
    if (isComparable(text)) arrivals.push(text)
    if (arrivals.length > replays.maxMessages) arrivals.shift()
    apply(readRelay(text))
    if (ear.isFull()) end("provider")
  }

  const learn = (message: RelayMessage): void => {
    if (hints === "unclear" && message._tag === "Error") hints = "refused"
    if (hints === "unclear" && message._tag === "Changed") hints = "usable"
  }

  const receive = (text: string): void => {
    if (!isRelayEvent(text)) return learn(readRelay(text))
    if (early !== null) {
      early.push(text)
      if (early.length > maxEarly) end("provider")
    } else if (filter === null || !isComparable(text)) take(text)
    else filter.push(text).forEach(take)
  }

  /** Compares what comes next with what had arrived, until the replay is over. */
  const expectReplay = (): void => {
    if (arrivals.length === 0) return
    const current = makeReplayFilter([...arrivals])
    filter = current
    const wait = (waits: number): void =>
      void later(replays.millis, () => {
        if (filter !== current) return
        if (waits > 1) return wait(waits - 1)
        filter = null
        current.release().forEach(take)
      })
    wait(replays.waits)
  }

  /** Goes on where the log of an earlier process ends. */
  const readPast = (past: CallLog["past"]): void => {
    for (const entry of past.map((text) => readEntry(text))) {
      if ("of" in entry) voice.inherit(entry)
      else {
        if (isComparable(entry.heards)) arrivals.push(entry.heards)
        apply(readRelay(entry.heards))
      }
    }
    arrivals.splice(0, Math.max(0, arrivals.length - replays.maxMessages))
    expectReplay()
  }

  const begin = (givenLog: CallLog | null): void => {
    if (early === null) return
    const messages = early
    early = null
    if (givenLog !== null) readPast(givenLog.past)
    log = givenLog
    messages.forEach(receive)
  }

  const continuity: LegContinuity = {
    keepIn: begin,
    resume: ({ inputs, utterance }) => {
      ear.skip(inputs)
      return voice.earlierUtterance(utterance)
    },
    leave: Effect.suspend(() => {
      if (endedBy !== null) return Effect.void
      isLeft = true
      stopTimer?.()
      const release = Effect.sync(() => filter?.release().forEach(take))
      return voice.quiet.pipe(Effect.zipRight(onLeave), Effect.zipRight(release))
    })
  }

  return {
    receive,
    end,
    use: (next) => {
      if (next !== null && early === null) expectReplay()
      socket = next
      if (next !== null) unsent.splice(0).forEach(next.post)
    },
    leg: {
      streams: true,
      ...(format.reconnectMillis > 0 && { continuity }),
      say: (utterance) =>
        Effect.suspend(() => {
          begin(null)
          if (endedBy !== null) return new LegEnded({ by: endedBy })
          return Effect.map(
            voice.say(utterance),
            (result): Spoken => endedBy === null ? result : { ...result, endedBy }
          )
        }),
      listen: (silence) =>
        Effect.suspend(() => {
          begin(null)
          return ear.listen(silence)
        }),
      ended: Deferred.await(over),
      ...(format.hints !== undefined && { expect: (phrases) => Effect.sync(() => giveHints(phrases)) }),
      press: (digits) =>
        Effect.sync(() => {
          const keys = digits.replaceAll(/[^0-9*#A-D]/g, "")
          if (endedBy === null && keys !== "") post(sendDigits(keys))
        }),
      hangUp: Effect.suspend(() => {
        end("agent")
        return closing
      })
    }
  }
}
