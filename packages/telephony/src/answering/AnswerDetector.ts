import {
  frameMillis,
  makeExchangeToneDetector,
  makeSteadyToneDetector,
  makeVoiceActivityDetector,
  type SteadyTone
} from "@trunkline/audio"
import type { AnsweredBy, AnswerVerdict } from "@trunkline/kernel"
import { verdictWords } from "../call/AnswerVerdict.js"
import {
  type AnswerFacts,
  type AnswerGuess,
  type AnswerTone,
  decideAnswer,
  decideInDoubtLater,
  decideSurely
} from "./DecideAnswer.js"
import { readGreeting } from "./ReadGreeting.js"
import { noRhythm, silenceLength, stepRhythm } from "./Rhythm.js"

/**
 * A detector of who or what answered a call, over the sound and the words since the answer. It keeps the state of one call, and
 * every function is plain and quick. The same serves any leg of a call, such as one that a caller is transferred to.
 */
export interface AnswerDetector {
  /** Takes the next 20 ms of the other side: mono samples from -1 to 1. A concealed frame fills a gap. */
  readonly push: (frame: Float32Array, isConcealed?: boolean) => void
  /** Takes the words of the present turn so far, as a transcriber writes them; `isFinal` once no more of the turn follow. */
  readonly hear: (words: string, isFinal: boolean) => void
  /** Takes what the carrier tells. */
  readonly tell: (answered_by: AnsweredBy) => void
  /** The verdict; null until it is there. A later one may replace that of a person, of silence, or of a machine. */
  readonly verdict: AnswerVerdict | null
  /** True once a machine records: its tone is over, or nothing was heard for 2 seconds after its greeting. */
  readonly isReady: boolean
}

/** Time after the answer in which a verdict may be replaced, in milliseconds. */
const revisableMillis = 20_000

/** Time after which nothing is heard any more: a message has been left by then. */
const maxWatched = 120_000

/** Tone that ends before a machine records: 0.12 s to 2 s, in milliseconds. */
const minBeep = 120

/** Calling tone of a fax: 1,100 Hz for half a second; answering tone: 2,100 Hz for at least 2.6 s (ITU-T T.30). */
const callingTone = { frequency: 1_100, spread: 38, millis: [420, 620] } as const
const answeringTone = { frequency: 2_100, spread: 40, millis: 600 } as const

/** Silence that ends the greeting of a machine without a tone, and that after the tone or the words that it is awaited for. */
const endOfGreeting = 2_000

const isNear = (tone: SteadyTone, { frequency, spread }: { readonly frequency: number; readonly spread: number }) =>
  Math.abs(tone.frequency - frequency) <= spread

/** Meaning of a single tone; null for one that goes on, or that says nothing. */
const meaningOf = (tone: SteadyTone, hasVoice: boolean): AnswerTone | null => {
  if (isNear(tone, answeringTone) && tone.millis >= answeringTone.millis) return "fax"
  if (!tone.isOver) return null
  const [least, most] = callingTone.millis
  if (!hasVoice && isNear(tone, callingTone) && tone.millis >= least && tone.millis <= most) return "fax"
  return tone.millis >= minBeep ? "beep" : null
}

/** True when a verdict may take the place of another one, for which the agent may have gone on. */
const mayReplace = (before: AnsweredBy, next: AnsweredBy): boolean =>
  before !== next && (before === "person" || before === "silence" || before === "machine")

/**
 * Makes a detector for sound at a rate in hertz; without sound, words alone decide, and `push` takes frames of silence for the
 * time. Copy the words of a transcriber with {@link AnswerDetector.hear} as soon as there are some: they decide earlier and better
 * than the sound.
 *
 * @example
 * ```ts
 * const detector = makeAnswerDetector({ rate: 8_000 })
 * line.hear((event) => {
 *   if (event._tag === "Frame") detector.push(event.samples, event.concealed)
 *   if (detector.verdict?.answered_by === "machine") hangUp()
 * })
 * ```
 */
export const makeAnswerDetector = ({ rate }: { readonly rate: number }): AnswerDetector => {
  const activity = makeVoiceActivityDetector({ rate })
  const exchange = makeExchangeToneDetector({ rate })
  const steady = makeSteadyToneDetector({ rate })
  let facts: AnswerFacts = {
    rhythm: noRhythm,
    words: "",
    meaning: null,
    tone: null,
    hasTone: false,
    exchangeTone: null,
    carrier: null
  }
  let earlier = ""
  let verdict: AnswerVerdict | null = null
  /** Moments of the last beep and of the end of the verdict's silence. */
  let beepAt: number | null = null

  const conclude = ({ answered_by, evidence }: AnswerGuess): void => {
    const { rhythm, words } = facts
    verdict = { answered_by, evidence, decided_ms: rhythm.at, words: verdictWords(words) }
  }

  /** The verdict of later facts: words take the place of what only the rhythm or a silence told. */
  const laterGuess = ({ evidence }: AnswerVerdict): AnswerGuess | null => {
    const sure = decideSurely(facts)
    if (sure !== null || (evidence !== "rhythm" && evidence !== "silence")) return sure
    return facts.meaning === "person" ? { answered_by: "person", evidence: "words" } : decideInDoubtLater(facts)
  }

  const decide = (): void => {
    const guess = verdict === null ? decideAnswer(facts) : laterGuess(verdict)
    if (guess === null) return
    if (verdict === null) return conclude(guess)
    if (facts.rhythm.at <= revisableMillis && mayReplace(verdict.answered_by, guess.answered_by)) conclude(guess)
  }

  return {
    push: (frame, isConcealed = false) => {
      if (verdict !== null && facts.rhythm.at > maxWatched) return
      const { tone: exchangeTone } = exchange.push(frame, isConcealed)
      const single = steady.push(frame, isConcealed)
      activity.push(frame, isConcealed)
      const isTone = exchangeTone !== null || (single !== null && single.millis > 2 * frameMillis)
      const rhythm = stepRhythm(facts.rhythm, activity.isSpeaking && activity.silentMillis === 0 && !isTone)
      const tone = single === null ? null : meaningOf(single, rhythm.voiced >= 300)
      if (tone === "beep") beepAt = rhythm.at
      facts = {
        ...facts,
        rhythm,
        tone: facts.tone === "fax" ? "fax" : tone ?? facts.tone,
        hasTone: facts.hasTone || exchangeTone !== null,
        exchangeTone: exchange.tone
      }
      decide()
    },
    hear: (words, isFinal) => {
      const text = `${earlier} ${words}`.trim()
      if (isFinal) earlier = text
      if (text === facts.words) return
      facts = { ...facts, words: text, meaning: readGreeting(text) }
      decide()
    },
    tell: (answered_by) => {
      facts = { ...facts, carrier: answered_by }
      decide()
    },
    get verdict() {
      return verdict
    },
    get isReady() {
      const { rhythm } = facts
      if (verdict === null) return false
      const sinceVoice = silenceLength(rhythm)
      return (beepAt !== null && rhythm.ended <= beepAt) || sinceVoice >= endOfGreeting
    }
  }
}
