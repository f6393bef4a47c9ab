import { normalizeSpoken } from "@trunkline/agents"
import type { Heard } from "@trunkline/telephony"
import { type DigitProgress, hiddenDigit } from "../state/ActionState.js"

/** Time in which a terminator may follow the last of as many digits as there can be, in milliseconds. */
const terminatorPause = 1_000

/** Most digits and other defaults of an entry. */
const defaults = { min: 1, max: 32, terminator: "#", pause: 5, seconds: 30, retries: 1 } as const

/** Words for the digits from 0 on, in the languages in which transcribers write words. */
const digitWords: ReadonlyArray<ReadonlyArray<string>> = [
  ["zero", "oh", "शून्य"],
  ["one", "एक"],
  ["two", "दो"],
  ["three", "तीन"],
  ["four", "चार"],
  ["five", "पांच", "पाँच"],
  ["six", "छह", "छः"],
  ["seven", "सात"],
  ["eight", "आठ"],
  ["nine", "नौ"]
]

const wordValues = new Map(digitWords.flatMap((words, value) => words.map((word) => [normalizeSpoken(word), value])))

/** The digits in a spoken text: figures and the words for single digits. */
const spokenDigits = (text: string): string =>
  normalizeSpoken(text).split(" ").map((word) => wordValues.get(word) ?? word.replace(/\D/gu, "")).join("")

/** Next move of an entry: wait for so many milliseconds, or it is over, with digits or without enough of them. */
export type DigitMove =
  | { readonly _tag: "Wait"; readonly progress: DigitProgress; readonly millis: number }
  | { readonly _tag: "Done"; readonly digits: string }
  | { readonly _tag: "Incomplete" }

const keysIn = ({ entry: { speech = "ignore" } }: DigitProgress, input: Heard): string =>
  input._tag === "Pressed"
    ? input.digit
    : input._tag === "Said" && speech === "digits"
    ? input.text.startsWith(hiddenDigit) ? input.text : spokenDigits(input.text)
    : ""

/** The end of the present try unless a key comes. */
const deadlineOf = ({ digits, entry, keyAt, tryAt }: DigitProgress): number => {
  const { digit_seconds = defaults.pause, max = defaults.max, seconds = defaults.seconds } = entry
  const end = tryAt + seconds * 1_000
  if (keyAt === null) return end
  return digits.length >= max ? keyAt + terminatorPause : Math.min(end, keyAt + digit_seconds * 1_000)
}

/** The wait of an entry that has just been asked for. */
export const waitOf = (progress: DigitProgress, at: number): number => Math.max(1, deadlineOf(progress) - at)

/** Advances an entry by something that was heard, or by a silence. */
export const enterDigits = (before: DigitProgress, heard: Heard, at: number): DigitMove => {
  const { max = defaults.max, min = defaults.min, terminator = defaults.terminator } = before.entry
  const keys = keysIn(before, heard)
  const end = keys.indexOf(terminator)
  const pressedText = (end === -1 ? keys : keys.slice(0, end)).replace(/[^0-9•]/gu, "")
  const digits = (before.digits + pressedText).slice(0, max)
  const progress = digits === before.digits ? before : { ...before, digits, keyAt: at }
  // A terminator may follow keys, and does not follow words.
  const isFull = digits.length >= max && (terminator === "none" || heard._tag === "Said")
  if (end === -1 && !isFull && at < deadlineOf(progress)) {
    return { _tag: "Wait", progress, millis: waitOf(progress, at) }
  }
  return digits.length >= min ? { _tag: "Done", digits } : { _tag: "Incomplete" }
}

/** True when the caller may be asked once more. */
export const mayTryAgain = ({ entry, retries }: DigitProgress): boolean => retries < (entry.retries ?? defaults.retries)

/** Something that was heard during an entry, as the log of a call may have it: how many digits, and not which. */
export const withoutDigits = (heard: Heard): Heard => {
  if (heard._tag === "Pressed") return { _tag: "Pressed", digit: heard.digit.replace(/[0-9]/gu, hiddenDigit) }
  if (heard._tag !== "Said") return heard
  const text = spokenDigits(heard.text).replace(/\d/gu, hiddenDigit)
  return { _tag: "Said", text, en_text: null, language_name: null }
}
