import { Array } from "effect"
import { parsePhoneNumberFromString, validatePhoneNumberLength } from "libphonenumber-js/max"
import type { PhoneNumber } from "./PhoneNumber.js"

/** Digits of an Indian number; only toll-free and other special numbers have fewer or more. */
const indian = { code: "91", digits: 10 } as const

/** Digits of the longest number in E.164. */
const maxDigits = 15

const joinWithOr = (counts: ReadonlyArray<number>): string =>
  counts.length < 2 ? counts.join() : `${counts.slice(0, -1).join(", ")} or ${counts.at(-1)}`

/** Numbers of digits after a country code, in order. */
const lengthsAfter = (code: string): ReadonlyArray<number> =>
  code === indian.code
    ? [indian.digits]
    : Array.range(1, maxDigits - code.length).filter((digits) =>
      validatePhoneNumberLength(`+${code}${"2".repeat(digits)}`) === undefined
    )

/**
 * The problem with the length of a number, if no number of its country has it; null for any other number, whether or not it
 * is assigned, and for countries that are not known.
 *
 * @example
 * ```ts
 * phoneLengthProblem(PhoneNumber.make("+9111400000")) // "Must have 10 digits after +91, not 8"
 * ```
 */
export const phoneLengthProblem = (number: PhoneNumber): string | null => {
  const parsedNumber = parsePhoneNumberFromString(number)
  if (parsedNumber === undefined) return null
  const code = parsedNumber.countryCallingCode
  const digits = number.length - code.length - 1
  const isImpossible = code === indian.code
    ? digits !== indian.digits && !parsedNumber.isValid()
    : validatePhoneNumberLength(number) !== undefined
  const lengths = isImpossible ? lengthsAfter(code) : []
  return lengths.length === 0 || lengths.includes(digits)
    ? null
    : `Must have ${joinWithOr(lengths)} digits after +${code}, not ${digits}`
}
