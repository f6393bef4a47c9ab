import type { ExchangeTone } from "@trunkline/audio"
import type { AnsweredBy, AnswerEvidence } from "@trunkline/kernel"
import type { GreetingMeaning } from "./ReadGreeting.js"
import { type Rhythm, silenceLength, utteranceLength } from "./Rhythm.js"

/** Single tone that tells something: that of a fax, or the beep after which a machine records. */
export type AnswerTone = "fax" | "beep"

/** All that is known of an answer so far. */
export interface AnswerFacts {
  readonly rhythm: Rhythm
  /** The words so far; empty without any. */
  readonly words: string
  readonly meaning: GreetingMeaning
  readonly tone: AnswerTone | null
  /** True once a frame had a tone of an exchange. */
  readonly hasTone: boolean
  readonly exchangeTone: ExchangeTone | null
  /** Verdict of the carrier; null without any. */
  readonly carrier: AnsweredBy | null
}

/** Party that answered, and how that was found. */
export interface AnswerGuess {
  readonly answered_by: AnsweredBy
  readonly evidence: AnswerEvidence
}

/** Voice that is an utterance and no click, in milliseconds. */
const minVoice = 80

/** Voice before the beep of a machine: tones begin with sound that may be a voice. */
const minGreeting = 240

/** Longest greeting of a person who then waits: "Hello, who is this?" */
const maxHello = 1_700

/** Silence after it; the pause after the first word of a recording is shorter. */
const pauseAfterHello = 620

/** Silence after an utterance of any length, after which somebody waits for an answer. */
const longPause = 900

/** Speech without a pause that only a recording has, where no words are known. */
const longSpeech = 3_900

/** Speech after which what a recording begins with is a machine, unless later words tell another service. */
const longOpening = 1_200

/** Time after the answer, and after the first voice, at which words that leave a doubt decide. */
const decisionTime = 2_440
const decisionSpeech = 1_640

/** Speech since the first voice, without a pause of half a second, after which doubts and any words are those of a recording. */
const longDoubt = 3_000
const maxSpeech = 6_000

/** Silence within speech that goes on. */
const shortPause = 200

/** Time without a voice after which the line is silent. */
const silentLine = 2_400

/** Time without a voice where tones are heard, which the rhythm of the slowest busy tone needs. */
const maxTone = 5_500

/** Time after which the agent waits no longer. */
const maxWait = 4_500

const guess = (answered_by: AnsweredBy, evidence: AnswerEvidence): AnswerGuess => ({ answered_by, evidence })

/** Verdict of tones and of the carrier, and of words that leave no doubt. */
export const decideSurely = ({ carrier, exchangeTone, meaning, rhythm, tone }: AnswerFacts): AnswerGuess | null => {
  if (carrier !== null) return guess(carrier, "carrier")
  if (tone === "fax") return guess("fax", "tone")
  if (exchangeTone !== null) return guess("network", "tone")
  if (meaning === "screening" || meaning === "ivr" || meaning === "machine") return guess(meaning, "words")
  return tone === "beep" && rhythm.voiced >= minGreeting ? guess("machine", "tone") : null
}

/** True once the agent should wait no longer for words that leave no doubt. */
const isTime = ({ at, first }: Rhythm): boolean => at >= decisionTime && first !== null && at - first >= decisionSpeech

/** Verdict of words that leave a doubt. A greeting that goes on is a recording; any other words are those of a person. */
const decideInDoubt = ({ meaning, rhythm }: AnswerFacts): AnswerGuess | null => {
  if (meaning !== "opening") return guess("person", "rhythm")
  if (silenceLength(rhythm) > shortPause) return null
  return guess(utteranceLength(rhythm) >= longOpening ? "machine" : "person", "rhythm")
}

/** Verdict of the rhythm, with the words as far as they are known. */
const decideByRhythm = (facts: AnswerFacts): AnswerGuess | null => {
  const { meaning, rhythm, words } = facts
  const [length, silence] = [utteranceLength(rhythm), silenceLength(rhythm)]
  const isPause = (length <= maxHello && silence >= pauseAfterHello) || silence >= longPause
  if (meaning === "recording") {
    return length >= longOpening && (isPause || isTime(rhythm)) ? guess("machine", "words") : null
  }
  if (isPause) return guess("person", "rhythm")
  if (words !== "") return isTime(rhythm) ? decideInDoubt(facts) : null
  return length < longSpeech ? null : guess("machine", "rhythm")
}

/**
 * Verdict that takes the place of one that only the rhythm or a silence told: what is said goes on like a recording, or has become
 * the words of one. Only the first speech counts, until its first pause of half a second, since people talk long later.
 */
export const decideInDoubtLater = ({ meaning, rhythm }: AnswerFacts): AnswerGuess | null => {
  if (rhythm.began !== rhythm.first || silenceLength(rhythm) > shortPause) return null
  const length = utteranceLength(rhythm)
  if (meaning === "recording") return length >= longOpening ? guess("machine", "words") : null
  return length >= (meaning === "opening" ? longDoubt : maxSpeech) ? guess("machine", "rhythm") : null
}

/**
 * Decides who has answered, by all that is known so far; null while it is too early. A person who is taken for a machine is hung
 * up on, and a machine that is taken for a person is found by its next words: so doubts count for the person.
 */
export const decideAnswer = (facts: AnswerFacts): AnswerGuess | null => {
  const sure = decideSurely(facts)
  if (sure !== null) return sure
  const { hasTone, meaning, rhythm } = facts
  if (meaning === "person") return guess("person", "words")
  if (rhythm.voiced < minVoice) {
    return rhythm.at >= (hasTone ? maxTone : silentLine)
      ? guess("silence", "silence")
      : null
  }
  const byRhythm = decideByRhythm(facts)
  if (byRhythm !== null || rhythm.at < maxWait) return byRhythm
  return guess("person", "rhythm")
}
