import type { CardinalRules } from "./Cardinals.js"

/** Singular and plural of a counted noun, or one form for both. The number precedes it, or replaces `{}` inside it. */
export type QuantityPhrase = string | readonly [one: string, many: string]

/** A word on its own and before a noun, or one form for both. */
export type NounForms = string | readonly [alone: string, beforeNoun: string]

export type Currency = "rupees" | "taka" | "dollars" | "euros" | "pounds"

/** Names of a currency and of its hundredth part. */
export interface CurrencyWords {
  readonly whole: QuantityPhrase
  readonly part: QuantityPhrase
}

export type Scale = "thousand" | "lakh" | "crore" | "million" | "billion"

export type MeasureUnit =
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
  /** For "Sec." before the number of a section of a law. */
  readonly section: string
  /** For "/" between numbers that are not a common fraction. */
  readonly over: string
  readonly at: string
  readonly dot: string
  readonly slash: string
  readonly dash: string
  readonly underscore: string
}

/** Ends of a phrase with what replaces them, the first that fits: another case of its last word. */
export type Forms = Readonly<Record<string, string>>

/** Words and phrases for times of day. */
interface ClockWords {
  /** Parts of the day with their first hour, starting at 0. */
  readonly parts: ReadonlyArray<readonly [from: number, word: string]>
  /** Other words before a time that name a part of the day. */
  readonly dayparts: ReadonlyArray<string>
  /** True where the part of the day follows the time. */
  readonly partLast?: true
  /** Phrase of a time on the twelve-hour clock, with the part of the day when it is known. */
  readonly say: (hour: number, minute: number, part: string | undefined) => string
  /** Words after a written time that `say` already includes, with the form of the phrase that they ask for. */
  readonly after: Readonly<Record<string, Forms>>
  /** Case endings right after the figures of a time: `9.30க்கு`. */
  readonly cases: Readonly<Record<string, Forms>>
  /** Words before which figures with a point are a time, as in `11.45 पर`, with the form of the phrase that they ask for. */
  readonly behind: Readonly<Record<string, Forms>>
  /** Words and endings between the two times of a range. */
  readonly to: ReadonlyArray<string>
  /** Form of the first time of a range. */
  readonly first: Forms
}

/** Words around a number that mark it as a code to be read digit by digit, in lower case. */
interface CodeWords {
  /** Words that may be separated from the code: "OTP for your login is 4829". */
  readonly secrets: ReadonlyArray<string>
  /** Words before the code, also with a link: "code is 4829", "code for your login is 4829". */
  readonly labels: ReadonlyArray<string>
  /** Words right before the code: "order 4829". */
  readonly names: ReadonlyArray<string>
  /** Words between such a name and the code, with at most one short word after them: "account number is 4829". */
  readonly numbers: ReadonlyArray<string>
  /** Words before the last figures of a number, of which there may be two: "ending in 4829", "last four digits are 4829". */
  readonly endings: ReadonlyArray<string>
  /** Words between a label and its code, such as "is". */
  readonly links: ReadonlyArray<string>
  /** Words between a code and a secret or label after it: "4829 is your OTP". */
  readonly owners: ReadonlyArray<string>
  /** Words after a code for typing it in: `4582 दर्ज करें`. */
  readonly typingWords: ReadonlyArray<string>
  /** Words after the last figures of a number: `4829 से समाप्त`. Endings may stand right after the figures. */
  readonly closings: ReadonlyArray<string>
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
  /** Spellings and cases of "rupees" in words, with the same case of "paise": `रुपयों`, `पैसों`. */
  readonly rupeeWords: Readonly<Record<string, string>>
  /** Case endings after an amount with a sign, as in `₹500க்கு`, with the same case of "rupees". */
  readonly rupeeEndings: Readonly<Record<string, string>>
  /** Nouns that are counted, in the forms after a number; a number before one is no code. */
  readonly countNouns: ReadonlyArray<string>
  /** Abbreviations of "rupees" in the language's own script, without the full stop. */
  readonly rupeeForms: ReadonlyArray<string>
  /** Text between rupees and paise. */
  readonly subunitJoiner: string
  readonly units: Readonly<Record<MeasureUnit, QuantityPhrase>>
  readonly date: (day: number, month: string, year: string | undefined) => string
  /** Short names of the twelve months in the language's script without their stop; `|` parts those of one month. */
  readonly shortMonths: ReadonlyArray<string>
  readonly clock: ClockWords
  readonly codes: CodeWords
  /**
   * Abbreviations and their words. One with a full stop is read only before a stop; the stop stays when it ends the sentence.
   * One with ` #` at its end is read before a figure only, and one with ` #:` before a time.
   */
  readonly abbreviations: Readonly<Record<string, string>>
}

/** Endings written after figures for ordinals and cases, such as `21वीं`, `5th`, `10-க்கு`. */
export interface Ordinals {
  /** Endings that follow the figures directly or after a hyphen; of two with the same start the longer first. */
  readonly endings: ReadonlyArray<string>
  /** Endings that may also follow a space: `21 वीं`. */
  readonly detachedEndings: ReadonlyArray<string>
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

/** A list of words from a text with commas. */
export const listed = (words: string): ReadonlyArray<string> => words.split(", ")

/** Words from a text with commas that all ask for the same form of the phrase before them. */
export const asking = (words: string, forms: Forms): Readonly<Record<string, Forms>> =>
  Object.fromEntries(listed(words).map((word) => [word, forms]))

/** Short forms with their words from a text such as `Dr.=Doctor, Mr.=Mister`. */
export const paired = (pairs: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    listed(pairs).map((pair) => {
      const at = pair.indexOf("=")
      return [pair.slice(0, at), pair.slice(at + 1)]
    })
  )
