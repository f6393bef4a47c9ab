import { frameMillis } from "@trunkline/audio"
import type { AudioLine, Spoken } from "@trunkline/telephony"
import { Deferred, Effect, FiberId } from "effect"
import { charactersPerSecond, firstWords } from "../HeardWords.js"

/** The part of an answer that a caller has heard. */
export interface HeardReply {
  readonly text: string
  readonly millis: number
}

/** End of the playing of an answer: played to its end, stopped, or out of sound for too long. */
export type ReplyEnd = "played" | "stopped" | "late"

/**
 * One answer of a session, on its way to the line. It waits for `play`, then plays what has come and what comes; it can be paused,
 * resumed where it was, and stopped. It is complete once its session has told so, or will tell no more.
 */
export interface RealtimeReply {
  /** The words so far. */
  readonly text: string
  readonly isComplete: boolean
  readonly isPaused: boolean
  /** True once its sound is played. */
  readonly isPlaying: boolean
  readonly addText: (text: string) => void
  readonly addSound: (samples: Float32Array) => void
  readonly complete: () => void
  /** Begins to play. */
  readonly play: (options: PlayOptions) => void
  readonly pause: () => void
  readonly resume: () => void
  /** Stops the sound for good. */
  readonly stop: () => void
  /** The part that was heard; exact once it has stopped. */
  readonly heardReply: () => HeardReply
  /** Counts a frame of line time. */
  readonly countFrame: () => void
  /** Takes a mark that was reached. Returns false for a mark of something else. */
  readonly reach: (mark: number) => boolean
  /** Completes when all was played, or with the stop. */
  readonly over: Effect.Effect<ReplyEnd>
}

/** Options of playing an answer. */
export interface PlayOptions {
  readonly nextMark: () => number
  /** Called when its first sound leaves. */
  readonly onStart: () => void
  /** Line time in milliseconds without sound after which an answer that is not complete is late. */
  readonly timeout: number
  /** Told what was heard so far, about once a second. */
  readonly onHeard: ((text: string) => void) | undefined
}

/** Frames between two reports of what was heard. */
const reportFrames = 1_000 / frameMillis

/** The part of a speech that was heard, as a leg tells it. */
export const spokenOf = ({ text }: HeardReply, end: ReplyEnd, startedAt: number | null): Spoken => ({
  heard: text,
  interrupted: end === "stopped",
  ...(end === "late" && { failed: true, reason: "The model made no sound in time" }),
  ...(startedAt !== null && { startedAt })
})

/** Makes an answer without words and sound. */
export const makeRealtimeReply = (line: AudioLine): RealtimeReply => {
  const over = Deferred.unsafeMake<ReplyEnd>(FiberId.none)
  const pieces: Array<Float32Array> = []
  let sampleCount = 0
  let text = ""
  let isComplete = false
  let isPaused = false
  let options: PlayOptions | null = null
  let hasStarted = false
  /** Samples that were heard until the last pause, and whether that is all that will be heard. */
  let heardCount = 0
  let end: ReplyEnd | null = null
  let mark: number | null = null
  let framesSince = 0
  let playedFrames = 0

  const finish = (how: ReplyEnd): void => {
    if (end !== null) return
    end = how
    Deferred.unsafeDone(over, Effect.succeed(how))
  }

  const giveEnd = (): void => {
    if (options === null || isPaused || end !== null || !isComplete || mark !== null) return
    mark = options.nextMark()
    line.play(new Float32Array(), mark)
  }

  const give = (samples: Float32Array): void => {
    if (options === null || isPaused || end !== null || samples.length === 0) return
    if (!hasStarted) {
      hasStarted = true
      options.onStart()
    }
    line.play(samples)
  }

  /** Gives the line the sound after what was heard. */
  const giveFrom = (from: number): void => {
    let at = 0
    for (const piece of pieces) {
      const offset = Math.max(0, from - at)
      if (offset < piece.length) give(piece.subarray(offset))
      at += piece.length
    }
    giveEnd()
  }

  const pause = (): void => {
    if (options === null || isPaused || end !== null) return
    heardCount = Math.min(sampleCount, heardCount + line.clear())
    isPaused = true
    mark = null
  }

  const heardPart = (): HeardReply => {
    const estimate = Math.min(sampleCount, heardCount + playedFrames * frameMillis * line.rate / 1_000)
    const samples = end === null && !isPaused ? estimate : heardCount
    const total = isComplete ? sampleCount : Math.max(sampleCount, text.length / charactersPerSecond * line.rate)
    const isWhole = isComplete && samples >= sampleCount
    return {
      text: isWhole ? text.trim() : firstWords(text, total === 0 ? 0 : samples / total).trim(),
      millis: Math.floor(samples * 1_000 / line.rate)
    }
  }

  return {
    get text() {
      return text
    },
    get isComplete() {
      return isComplete
    },
    get isPaused() {
      return isPaused
    },
    get isPlaying() {
      return options !== null && end === null
    },
    addText: (more) => {
      text += more
      framesSince = 0
    },
    addSound: (samples) => {
      pieces.push(samples)
      sampleCount += samples.length
      framesSince = 0
      give(samples)
    },
    complete: () => {
      isComplete = true
      giveEnd()
    },
    play: (chosenOptions) => {
      options = chosenOptions
      framesSince = 0
      line.clear()
      giveFrom(0)
    },
    pause,
    resume: () => {
      if (!isPaused) return
      isPaused = false
      playedFrames = 0
      giveFrom(heardCount)
    },
    stop: () => {
      pause()
      finish("stopped")
    },
    heardReply: heardPart,
    countFrame: () => {
      if (options === null || isPaused || end !== null) return
      playedFrames += hasStarted ? 1 : 0
      framesSince += 1
      if (playedFrames % reportFrames === 0 && hasStarted) options.onHeard?.(heardPart().text)
      if (isComplete || framesSince * frameMillis < options.timeout) return
      pause()
      finish("late")
    },
    reach: (markId) => {
      if (mark === null || markId !== mark) return false
      heardCount = sampleCount
      finish("played")
      return true
    },
    over: Deferred.await(over)
  }
}
