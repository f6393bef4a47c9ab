import { type FrameActivity, frameMillis, type VoiceActivityDetector } from "@trunkline/audio"
import type { TurnEnd } from "@trunkline/kernel"
import { maxPause, type Pause, type PauseVerdict } from "./EndOfTurn.js"
import type { TurnJudge } from "./TurnModel.js"
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
export interface TurnDetector {
  /** Takes the next frame. */
  readonly push: (samples: Float32Array, isConcealed: boolean) => TurnEvent
  /** Takes the words that were asked for; an empty text if there are none. */
  readonly answer: (words: string) => TurnEvent
  /** Takes the words of `Words`, so that they can be answered before the turn is over. */
  readonly take: () => void
  /** Tells why the present turn ended, also after the next one has begun; null while it goes on, and if it has no words. */
  readonly end: () => TurnEnd | null
  /** True from the first voice of a turn to its end. */
  readonly isOpen: boolean
  /** Milliseconds with a voice within the last 300. */
  readonly voicedMillis: number
  /** Milliseconds without a voice; Infinity before the first one. */
  readonly silentMillis: number
  /** Frames that were rejected for their length or their samples. */
  readonly invalidFrames: number
}

/** Length of what a policy tells about words, in UTF-16 units. */
const maxCompleteness = 40

/** Silence that ends a turn, and what its policy made of the words. */
interface Verdict {
  readonly required_ms: number
  readonly completeness: string | null
}

const withReason = (verdict: PauseVerdict | number): PauseVerdict | { readonly millis: number } =>
  typeof verdict === "number" ? { millis: verdict } : verdict

/** Verdict of a policy on a pause. One that fails, or that gives no number, has no say. */
const verdictOf = ({ endOfTurn }: TurnTakingOptions, pause: Pause): Verdict => {
  try {
    const verdict: { readonly millis: unknown; readonly completeness?: unknown } = withReason(endOfTurn(pause))
    const { completeness, millis } = verdict
    return typeof millis === "number" && !Number.isNaN(millis)
      ? {
        required_ms: Math.min(maxPause, millis),
        completeness: typeof completeness === "string" ? completeness.slice(0, maxCompleteness) : null
      }
      : { required_ms: maxPause, completeness: null }
  } catch {
    return { required_ms: maxPause, completeness: null }
  }
}

/** Makes the machine over a detector of the line's sound, and a model's judge of its pauses, if there is one. */
export const makeTurnDetector = (
  detector: VoiceActivityDetector,
  options: TurnTakingOptions,
  judge: TurnJudge | null = null
): TurnDetector => {
  let isOpen = false
  /** Line time since the first voice of the turn. */
  let turnMillis = 0
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
  /** Pauses so far, and what the judge says of the present one: null until it has answered. */
  let pauses = 0
  let completion: number | null = null
  let invalidFrames = 0
  /** Decision of the present turn, once it is made; each turn has one of its own. */
  let ending: { decision: TurnEnd | null } = { decision: null }

  const join = (...parts: ReadonlyArray<string>): string => parts.filter((part) => part !== "").join(" ")
  const wordsSoFar = (): string => join(before, words ?? "")

  const reset = (): void => {
    isOpen = hasAsked = false
    completion = null
    turnMillis = 0
    before = earlier = ""
    words = earlyWords = null
  }

  const isLong = (): boolean => turnMillis >= options.longestTurn

  /** Decides that the turn is over by a rule of silence, or that it is too long; false while it goes on. */
  const decide = (rule: "silence" | "words"): boolean => {
    const waited_ms = detector.silentMillis
    const spoken_ms = Math.max(0, turnMillis - waited_ms)
    const facts = { waited_ms, spoken_ms, prepared: earlyWords !== null }
    if (isLong()) {
      const required_ms = options.longestTurn
      ending.decision = { rule: "longest_turn", required_ms, completeness: null, ...facts }
      return true
    }
    const pause = { words: join(earlier, earlyWords ?? wordsSoFar()), spokenMillis: spoken_ms, completion }
    const { completeness, required_ms } = verdictOf(options, pause)
    if (waited_ms < required_ms) return false
    ending.decision = { rule, required_ms, completeness, ...(completion !== null && { completion }), ...facts }
    return true
  }

  /** Ends the turn when its words are known and its pause is long enough. */
  const settle = (rule: "silence" | "words"): TurnEvent => {
    if (!hasAsked || words === null || due > 0) return none
    const text = wordsSoFar()
    if (earlyWords !== null) {
      if (!decide(rule)) return none
      reset()
      return { _tag: "Over", words: "" }
    }
    const isDropped = join(earlier, text) === ""
    if (!isDropped && !decide(rule)) return none
    reset()
    return isDropped ? none : { _tag: "Over", words: text }
  }

  /** Asks the judge about the present pause; an answer that comes after it, or that is no probability, has no say. */
  const askJudge = (): void => {
    const pause = ++pauses
    judge?.ask((answer) => {
      if (pause === pauses && isOpen && hasAsked && answer >= 0 && answer <= 1) completion = answer
    })
  }

  /** A voice begins or goes on. */
  const open = (): TurnEvent => {
    if (isOpen && hasAsked && words !== null) {
      before = wordsSoFar()
      words = null
    }
    if (!isOpen) {
      ending = { decision: null }
      judge?.begin()
    }
    isOpen = true
    hasAsked = false
    completion = null
    if (earlyWords === null) return none
    earlier = join(earlier, earlyWords)
    earlyWords = null
    return wentOn
  }

  const onActivity = (activity: FrameActivity): TurnEvent => {
    const event = activity === "speech" && detector.silentMillis === 0 && !isLong() ? open() : none
    if (!isOpen) return none
    turnMillis += frameMillis
    if (event._tag === "WentOn") return event
    if (!hasAsked && (isLong() || detector.silentMillis >= options.askAfter)) {
      hasAsked = true
      due += 1
      askJudge()
      return ask
    }
    return settle("silence")
  }

  return {
    push: (samples, isConcealed) => {
      const activity = detector.push(samples, isConcealed)
      if (activity !== "invalid") {
        judge?.push(samples)
        return onActivity(activity)
      }
      invalidFrames += 1
      return none
    },
    answer: (text) => {
      due -= 1
      if (!isOpen) return none
      if (hasAsked && due === 0) words = join(words ?? "", text)
      else before = join(before, text)
      const event = settle("words")
      const callerWords = wordsSoFar()
      return event._tag === "None" && isOpen && hasAsked && due === 0 && join(earlier, callerWords) !== ""
        ? { _tag: "Words", words: callerWords }
        : event
    },
    take: () => {
      earlyWords = wordsSoFar()
      before = ""
      words = ""
    },
    get end() {
      const mine = ending
      return () => mine.decision
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
