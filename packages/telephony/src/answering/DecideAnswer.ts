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

/** Longest greeting of a person who then waits: "Hello, who is this?" */
const longestHello = 1_700

/** Silence after it; the pause after the first word of a recording is shorter. */
const pauseAfterHello = 620

/** Silence after an utterance of any length, after which somebody waits for an answer. */
const longPause = 900

/** Speech without a pause that only a recording has, where no words are known. */
const longSpeech = 3_300

/** Speech after which a recording of a network is a machine, unless later words tell another service. */
const longOpening = 1_200

/** Time without a voice after which the line is silent. */
const silentLine = 2_400

/** Speech after which words that tell of no recording are those of a person, until later ones do. */
const unsureSpeech = 2_000

/** Time after which the agent waits no longer. */
const maxWait = 4_500

const guess = (answered_by: AnsweredBy, evidence: AnswerEvidence): AnswerGuess => ({ answered_by, evidence })

/** Verdict of tones and of the carrier, and of words that leave no doubt. */
export const decideSurely = ({ carrier, exchangeTone, meaning, rhythm, tone }: AnswerFacts): AnswerGuess | null => {
  if (carrier !== null) return guess(carrier, "carrier")
  if (tone === "fax") return guess("fax", "tone")
  if (exchangeTone !== null) return guess("network", "tone")
  if (meaning === "screening" || meaning === "ivr" || meaning === "machine") return guess(meaning, "words")
  return tone === "beep" && rhythm.voiced > 0 ? guess("machine", "tone") : null
}

/** Verdict of the rhythm, with the words as far as they are known. */
const decideByRhythm = ({ meaning, rhythm, words }: AnswerFacts): AnswerGuess | null => {
  const [length, silence] = [utteranceLength(rhythm), silenceLength(rhythm)]
  if (meaning === "recording") return length >= longOpening ? guess("machine", "words") : null
  if (length <= longestHello && silence >= pauseAfterHello) return guess("person", "rhythm")
  if (silence >= longPause) return guess("person", "rhythm")
  if (words !== "" && meaning === null) return length >= unsureSpeech ? guess("person", "rhythm") : null
  if (length < longSpeech) return null
  return meaning === "office" ? guess("ivr", "words") : guess("machine", "rhythm")
}

/**
 * Decides who has answered, by all that is known so far; null while it is too early. A person who is taken for a machine is hung
 * up on, and a machine that is taken for a person is found by its next words: so doubts count for the person.
 */
export const decideAnswer = (facts: AnswerFacts): AnswerGuess | null => {
  const sure = decideSurely(facts)
  if (sure !== null) return sure
  const { meaning, rhythm } = facts
  if (meaning === "person") return guess("person", "words")
  if (rhythm.voiced < minVoice) return rhythm.at >= silentLine ? guess("silence", "silence") : null
  const byRhythm = decideByRhythm(facts)
  if (byRhythm !== null || rhythm.at < maxWait) return byRhythm
  return guess("person", "rhythm")
}
