import type { CardinalRules } from "./Cardinals.js"
import type { Ordinals } from "./Endings.js"

/**
 * A word for one thing and another for any other number of things, or one for both. It stands behind the number; where
 * it holds `{}`, the number stands there instead.
 */
export type Counted = string | readonly [one: string, many: string]

/** A word on its own and before a noun, or one for both. */
export type BeforeNoun = string | readonly [alone: string, beforeNoun: string]

export type Currency = "rupees" | "dollars" | "euros" | "pounds"

/** The words of a currency and of its hundredth part. */
export interface Coins {
  readonly whole: Counted
  readonly part: Counted
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

/** Words for what is written as a mark. */
export interface Signs {
  readonly minus: string
  readonly plus: string
  /** The decimal point. */
  readonly point: string
  /** "&", and between a number and its fraction. */
  readonly and: string
  /** "#" and "No." before a number. */
  readonly number: string
  /** "/" between numbers that are no fraction. */
  readonly over: string
  readonly at: string
  readonly dot: string
  readonly slash: string
  readonly dash: string
  readonly underscore: string
}

/** How times of day are told. */
export interface Clock {
  /** The parts of a day, each with its first hour, the first from 0. */
  readonly parts: ReadonlyArray<readonly [from: number, word: string]>
  /** A time by the twelve-hour clock, with the part of the day where it is known. */
  readonly say: (hour: number, minute: number, part: string | undefined) => string
  /** Words that may stand behind a written time and that `say` has said already, the longest first. */
  readonly after: ReadonlyArray<string>
}

/** Words before a number that make it a code, to be read digit by digit. All in lower case. */
export interface CodeWords {
  /** Always, with other words between: "OTP for your login is 4829". */
  readonly secrets: ReadonlyArray<string>
  /** Right before the code: "order 4829". */
  readonly names: ReadonlyArray<string>
  /** Between such a name and the code, alone or with one short word behind: "account number is 4829". */
  readonly numbers: ReadonlyArray<string>
}

/** A language's words for what is written in figures and signs. All texts are in Unicode's form NFC. */
export interface Language {
  /** As `Intl` calls it. */
  readonly locale: string
  readonly numbers: CardinalRules
  readonly year: (year: number) => string
  /** What stands before a number from 2000 to 2099 that is a year, where such years are said unlike other numbers. */
  readonly yearHint?: RegExp
  readonly ordinals: Ordinals
  readonly signs: Signs
  readonly range: (from: string, to: string) => string
  readonly fractions: Readonly<Record<"1/2" | "1/3" | "2/3" | "1/4" | "3/4", string>>
  readonly scales: Readonly<Record<Scale, BeforeNoun>>
  /** How the scales are written in the language's own script. */
  readonly scaleForms: Readonly<Record<string, Scale>>
  readonly currencies: Readonly<Record<Currency, Coins>>
  /** Short forms of "rupees" in the language's own script, without the full stop. */
  readonly rupeeForms: ReadonlyArray<string>
  /** Between rupees and paise. */
  readonly coinJoin: string
  readonly units: Readonly<Record<Unit, Counted>>
  readonly date: (day: number, month: string, year: string | undefined) => string
  readonly clock: Clock
  readonly codes: CodeWords
  /** What is written short, and its words. A form with a full stop takes it along. */
  readonly abbreviations: Readonly<Record<string, string>>
}
