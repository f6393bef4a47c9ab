import type { CardinalRules } from "./Cardinals.js"

/** Singular and plural of a counted noun, or one form for both. The number precedes it, or replaces `{}` inside it. */
export type QuantityPhrase = string | readonly [one: string, many: string]

/** A word on its own and before a noun, or one form for both. */
export type NounForms = string | readonly [alone: string, beforeNoun: string]

export type Currency = "rupees" | "dollars" | "euros" | "pounds"

/** Names of a currency and of its hundredth part. */
export interface CurrencyWords {
  readonly whole: QuantityPhrase
  readonly part: QuantityPhrase
}

export type Scale = "thousand" | "lakh" | "crore" | "million" | "billion"

export type Unit =
  | "percent"
  | "kilogram"
  | "gram"
  | "milligram"
  | "kilometre"
  | "metre"
  | "centimetre"
  | "millimetre"
  | "litre"
  | "millilitre"
  | "celsius"
  | "fahrenheit"
  | "degree"
  | "kilometresPerHour"
  | "squareFoot"
  | "squareMetre"
  | "foot"
  | "kilobyte"
  | "megabyte"
  | "gigabyte"
  | "terabyte"
  | "megabitsPerSecond"
  | "watt"
  | "kilowatt"
  | "kilowattHour"
  | "volt"
  | "hour"
  | "minute"
  | "second"

/** Words for marks. */
interface SignWords {
  readonly minus: string
  readonly plus: string
  /** The decimal point. */
  readonly point: string
  /** For "&", and between a number and its fraction. */
  readonly and: string
  /** For "#" and "No." before a number. */
  readonly number: string
  /** For "/" between numbers that are not a common fraction. */
  readonly over: string
  readonly at: string
  readonly dot: string
  readonly slash: string
  readonly dash: string
  readonly underscore: string
}

/** Words and phrases for times of day. */
interface ClockWords {
  /** Parts of the day with their first hour, starting at 0. */
  readonly parts: ReadonlyArray<readonly [from: number, word: string]>
  /** Phrase of a time on the twelve-hour clock, with the part of the day when it is known. */
  readonly say: (hour: number, minute: number, part: string | undefined) => string
  /** Words after a written time that `say` already includes, the longest first. */
  readonly after: ReadonlyArray<string>
}

/** Words before a number that mark it as a code to be read digit by digit, in lower case. */
interface CodeWords {
  /** Words that may be separated from the code: "OTP for your login is 4829". */
  readonly secrets: ReadonlyArray<string>
  /** Words right before the code: "order 4829". */
  readonly names: ReadonlyArray<string>
  /** Words between such a name and the code, with at most one short word after them: "account number is 4829". */
  readonly numbers: ReadonlyArray<string>
}

/** A language's words for figures and signs. All texts are in Unicode NFC. */
export interface Language {
  /** Locale identifier for `Intl`. */
  readonly locale: string
  readonly numbers: CardinalRules
  readonly year: (year: number) => string
  /** Text before a number from 2000 to 2099 that marks it as a year, in languages that say years differently. */
  readonly yearHint?: RegExp
  readonly ordinals: Ordinals
  readonly signs: SignWords
  readonly range: (from: string, to: string) => string
  readonly fractions: Readonly<Record<"1/2" | "1/3" | "2/3" | "1/4" | "3/4", string>>
  readonly scales: Readonly<Record<Scale, NounForms>>
  /** Spellings of the scales in the language's own script. */
  readonly scaleForms: Readonly<Record<string, Scale>>
  readonly currencies: Readonly<Record<Currency, CurrencyWords>>
  /** Abbreviations of "rupees" in the language's own script, without the full stop. */
  readonly rupeeForms: ReadonlyArray<string>
  /** Text between rupees and paise. */
  readonly subunitJoiner: string
  readonly units: Readonly<Record<Unit, QuantityPhrase>>
  readonly date: (day: number, month: string, year: string | undefined) => string
  readonly clock: ClockWords
  readonly codes: CodeWords
  /** Abbreviations and their words. An abbreviation with a full stop replaces the stop too. */
  readonly abbreviations: Readonly<Record<string, string>>
}

/** Endings written after figures for ordinals and cases, such as `21वीं`, `5th`, `10-க்கு`. */
export interface Ordinals {
  /** Endings that follow the figures directly or after a hyphen; of two with the same start the longer first. */
  readonly endings: ReadonlyArray<string>
  /** Endings that may also follow a space: `21 वीं`. */
  readonly detached: ReadonlyArray<string>
  /** Irregular words, keyed by figures and ending: `1ला`. */
  readonly irregular: Readonly<Record<string, string>>
  /** Endings that replace English ones: those of the first ordinals in order, and that of all others. */
  readonly defaults: readonly [first: ReadonlyArray<string>, other: string]
  /** Joins the words of a number with an ending. */
  readonly join: (words: string, ending: string) => string
}

/** Appends an ending unchanged. */
export const plainJoin = (words: string, ending: string): string => `${words}${ending}`

/** Irregular ordinals of the first numbers, with one ending each, as in Bengali, Assamese and Odia: `১ম`, `২য়`. */
export const firstOrdinals = (endings: ReadonlyArray<string>, words: ReadonlyArray<string>): Record<string, string> =>
  Object.fromEntries(endings.map((ending, index) => [`${index + 1}${ending}`, words[index] ?? ""]))

/** Phrase of a date in the order day, month, year. */
export const dayFirst = ({ below100 }: CardinalRules): Language["date"] => (day, month, year) =>
  year === undefined ? `${below100(day)} ${month}` : `${below100(day)} ${month} ${year}`

/** Phrase of a time after the part of the day. */
export const partFirst = (time: (hour: number, minute: number) => string): ClockWords["say"] => (hour, minute, part) =>
  part === undefined ? time(hour, minute) : `${part} ${time(hour, minute)}`
