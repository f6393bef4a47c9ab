import { type FrameActivity, frameMillis, makeVoiceActivityDetector } from "@trunkline/audio"
import { maxPause, type Pause } from "./EndOfTurn.js"
import type { TurnTakingOptions } from "./TurnTakingOptions.js"

/** Result of a frame for the caller's turn. */
export type TurnEvent =
  /** Nothing to do. */
  | { readonly _tag: "None" }
  /** The words of the turn are needed now. */
  | { readonly _tag: "Ask" }
  /** The words are known before the pause is long enough to end the turn; none when the caller went on without any. */
  | { readonly _tag: "Words"; readonly words: string }
  /** The turn is over, with its words; without those that were taken. */
  | { readonly _tag: "Over"; readonly words: string }
  /** The caller goes on after the words were taken. */
  | { readonly _tag: "WentOn" }

const none: TurnEvent = { _tag: "None" }
const ask: TurnEvent = { _tag: "Ask" }
const wentOn: TurnEvent = { _tag: "WentOn" }

/**
 * The caller's turn on a line, as a state machine over its frames: quiet, then a voice, then a pause for which the words
 * are asked, and either the voice again or the end. A turn without words, such as a cough, never ends: it is dropped.
 */
export interface CallerTurn {
  /** Takes the next frame. */
  readonly push: (samples: Float32Array, concealed: boolean) => TurnEvent
  /** Takes the words that were asked for; an empty text if there are none. */
  readonly answer: (words: string) => TurnEvent
  /** Takes the words of `Words`, so that they can be answered before the turn is over. */
  readonly take: () => void
  /** True from the first voice of a turn to its end. */
  readonly isOpen: boolean
  /** Milliseconds with a voice within the last 300. */
  readonly voicedMillis: number
  /** Milliseconds without a voice; Infinity before the first one. */
  readonly silentMillis: number
  /** Frames that were rejected for their length or their samples. */
  readonly invalidFrames: number
}

/** Makes the machine for a line with this sample rate in hertz. */
export const makeCallerTurn = (rate: number, options: TurnTakingOptions): CallerTurn => {
  const detector = makeVoiceActivityDetector({ rate })
  let isOpen = false
  /** Line time since the first voice of the turn. */
  let elapsed = 0
  /** Words of earlier parts of the turn, and of the present pause: null until they are known. */
  let before = ""
  let words: string | null = null
  /** Words that were taken before the caller went on. */
  let earlier = ""
  /** Number of answers that are due. A voice after the question makes its answer a part of what was said before. */
  let due = 0
  let hasAsked = false
  /** Words that were taken before the end of the turn; null if none were. */
  let earlyWords: string | null = null
  let invalidFrames = 0

  const join = (...parts: ReadonlyArray<string>): string => parts.filter((part) => part !== "").join(" ")
  const joined = (): string => join(before, words ?? "")

  const reset = (): void => {
    isOpen = hasAsked = false
    elapsed = 0
    before = earlier = ""
    words = earlyWords = null
  }

  /** Silence that ends the turn. A policy that fails, or that gives no number, has no say. */
  const silenceFor = (pause: Pause): number => {
    try {
      const millis: unknown = options.endOfTurn(pause)
      return typeof millis === "number" && !Number.isNaN(millis) ? Math.min(maxPause, millis) : maxPause
    } catch {
      return maxPause
    }
  }

  const isOver = (): boolean => {
    const spokenMillis = Math.max(0, elapsed - detector.silentMillis)
    return detector.silentMillis >= silenceFor({ words: join(earlier, earlyWords ?? joined()), spokenMillis })
  }

  const isLong = (): boolean => elapsed >= options.longestTurn

  /** Ends the turn when its words are known and its pause is long enough. */
  const settle = (): TurnEvent => {
    if (!hasAsked || words === null || due > 0) return none
    const text = joined()
    if (earlyWords !== null) {
      if (!isLong() && !isOver()) return none
      reset()
      return { _tag: "Over", words: "" }
    }
    const isDropped = join(earlier, text) === ""
    if (!isDropped && !isLong() && !isOver()) return none
    reset()
    return isDropped ? none : { _tag: "Over", words: text }
  }

  /** A voice begins or goes on. */
  const open = (): TurnEvent => {
    if (isOpen && hasAsked && words !== null) {
      before = joined()
      words = null
    }
    isOpen = true
    hasAsked = false
    if (earlyWords === null) return none
    earlier = join(earlier, earlyWords)
    earlyWords = null
    return wentOn
  }

  const onActivity = (activity: FrameActivity): TurnEvent => {
    const event = activity === "speech" && detector.silentMillis === 0 && !isLong() ? open() : none
    if (!isOpen) return none
    elapsed += frameMillis
    if (event._tag === "WentOn") return event
    if (!hasAsked && (isLong() || detector.silentMillis >= options.askAfter)) {
      hasAsked = true
      due += 1
      return ask
    }
    return settle()
  }

  return {
    push: (samples, concealed) => {
      const activity = detector.push(samples, concealed)
      if (activity !== "invalid") return onActivity(activity)
      invalidFrames += 1
      return none
    },
    answer: (text) => {
      due -= 1
      if (!isOpen) return none
      if (hasAsked && due === 0) words = join(words ?? "", text)
      else before = join(before, text)
      const event = settle()
      const callerWords = joined()
      return event._tag === "None" && isOpen && hasAsked && due === 0 && join(earlier, callerWords) !== ""
        ? { _tag: "Words", words: callerWords }
        : event
    },
    take: () => {
      earlyWords = joined()
      before = ""
      words = ""
    },
    get isOpen() {
      return isOpen
    },
    get voicedMillis() {
      return detector.voicedMillis
    },
    get silentMillis() {
      return detector.silentMillis
    },
    get invalidFrames() {
      return invalidFrames
    }
  }
}
