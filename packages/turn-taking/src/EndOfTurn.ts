import { isConnective } from "./Connectives.js"

/** A pause of the caller, for which a policy decides whether the turn is over. */
export interface Pause {
  /** The words of the turn so far; null while they are not known. */
  readonly words: string | null
  /** Time from the first to the last voice of the turn, in milliseconds. */
  readonly spokenMillis: number
  /** Probability, from 0 to 1, that the turn is over by its sound; null without a `TurnModel` and until it has answered. */
  readonly completion: number | null
}

/** A policy's answer for a pause, with its reason. */
export interface PauseVerdict {
  /** Milliseconds of silence after which the turn is over. */
  readonly millis: number
  /** Judgement about the words, for the record of the call, such as `finished`. The first 40 characters are kept. */
  readonly completeness: string
}

/**
 * Policy that tells after how many milliseconds of silence a turn is over, alone or with its reason. It is asked again when the
 * words are known.
 */
export type EndOfTurn = (pause: Pause) => number | PauseVerdict

/** Longest silence within a turn, in milliseconds, whatever the policy says. */
export const maxPause = 3_000

/** Ends a turn after the same silence in any case; 500 ms by default, which is also the shortest delay of LiveKit Agents. */
export const fixedEndOfTurn = (millis = 500) => (_: Pause): number => millis

/** After a finished sentence, within a number, after words that go on, and without words. */
const finishedVerdict: PauseVerdict = { millis: 400, completeness: "finished" }
const number: PauseVerdict = { millis: 900, completeness: "number" }
const unfinishedVerdict: PauseVerdict = { millis: 1_200, completeness: "unfinished" }
const wordless: PauseVerdict = { millis: 1_200, completeness: "none" }

const lastWord = /([\p{L}\p{M}\p{N}']+)[^\p{L}\p{M}\p{N}]*$/u

/**
 * Ends a turn by its words: after 400 ms of silence when they are finished, 1,200 ms when they end with a comma or with a
 * word that goes on, such as "and", and 900 ms when they end with a figure, since numbers are spoken in groups. Without
 * words, it waits for 1,200 ms. It tells what it made of the words: `finished`, `unfinished`, `number` or `none`.
 */
export const endOfTurnByWords = ({ words }: Pause): PauseVerdict => {
  if (words === null || words.trim() === "") return wordless
  const last = lastWord.exec(words)?.[1]?.toLowerCase() ?? ""
  if (/\p{N}/u.test(last)) return number
  return isConnective(last) || /[,;:…-]\s*$/u.test(words) ? unfinishedVerdict : finishedVerdict
}

/** Probability from which a model's answer counts as the end of a turn, as for Smart Turn's own label. */
const completeFrom = 0.5

/** Silence in milliseconds for what the words tell, when the sound of the turn is complete, and when it is not. */
const byModel: Readonly<Record<string, readonly [complete: number, incomplete: number]>> = {
  finished: [300, 1_000],
  number: [900, 1_600],
  unfinished: [700, 1_600],
  none: [700, 1_600]
}

/**
 * Ends a turn by its words and by the sound of it, where a `TurnModel` has judged that; as `endOfTurnByWords` where none has.
 * When both say that it is over, 300 ms of silence are enough. When they disagree, it waits for 700 to 1,000 ms, and when both
 * say that the caller goes on, for 1,600 ms. Figures are spoken in groups, which a model of sound takes for ends: they keep 900 ms.
 */
export const endOfTurnByModel = (pause: Pause): PauseVerdict => {
  const verdict = endOfTurnByWords(pause)
  const [complete, incomplete] = byModel[verdict.completeness] ?? [verdict.millis, verdict.millis]
  if (pause.completion === null) return verdict
  return { ...verdict, millis: pause.completion >= completeFrom ? complete : incomplete }
}
