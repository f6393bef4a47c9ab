/** A pause of the caller, for which a policy decides whether the turn is over. */
export interface Pause {
  /** The words of the turn so far; null while they are not known. */
  readonly words: string | null
  /** Time from the first to the last voice of the turn, in milliseconds. */
  readonly spokenMillis: number
}

/** Policy that tells after how many milliseconds of silence a turn is over. It is asked again when the words are known. */
export type EndOfTurn = (pause: Pause) => number

/** Longest silence within a turn, in milliseconds, whatever the policy says. */
export const maxPause = 3_000

/** Ends a turn after the same silence in any case; 500 ms by default, which is also the shortest delay of LiveKit Agents. */
export const fixedEndOfTurn = (millis = 500): EndOfTurn => () => millis

/** Silences in milliseconds after a finished sentence, within a number, and after words that go on. */
const finishedPause = 400
const numberPause = 900
const unfinishedPause = 1_200

/** Last words after which a speaker goes on, in English and Hindi. */
const connecting = new Set(
  "and or but so because if that the a an to of in on at for with my is are was it's i'm um uh er और या लेकिन कि तो क्योंकि अगर मेरा मेरी में का की के से"
    .split(" ")
)

const lastWord = /([\p{L}\p{M}\p{N}']+)[^\p{L}\p{M}\p{N}]*$/u

/**
 * Ends a turn by its words: after 400 ms of silence when they are finished, 1,200 ms when they end with a comma or with a
 * word that goes on, such as "and", and 900 ms when they end with a figure, since numbers are spoken in groups. Without
 * words, it waits for 1,200 ms.
 */
export const endOfTurnByWords: EndOfTurn = ({ words }) => {
  if (words === null || words.trim() === "") return unfinishedPause
  const last = lastWord.exec(words)?.[1]?.toLowerCase() ?? ""
  if (/\p{N}/u.test(last)) return numberPause
  return connecting.has(last) || /[,;:…-]\s*$/u.test(words) ? unfinishedPause : finishedPause
}
