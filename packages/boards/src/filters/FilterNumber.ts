import { Option } from "effect"

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const whole = /^[+-]?\d+(?=\.?0*$)/

const maxInteger = 2n ** 63n

/** Normalizes -0 to 0, so that equal values have equal texts. */
const withoutNegativeZero = (number: number): number => number + 0

/** True for whole numbers of 64 bits that share their value as a double with others. */
export const isInexact = (number: unknown): boolean =>
  typeof number === "number" && Number.isInteger(number) && !Number.isSafeInteger(number) &&
  Math.abs(number) < Number(maxInteger)

/** The number in a decimal text: exact if it is a whole number of 64 bits, otherwise a double. */
export const parseNumberText = (text: string): Option.Option<number | bigint> => {
  const number = decimal.test(text) ? Number(text) : NaN
  const [digits] = whole.exec(text) ?? []
  if (digits !== undefined && digits.length <= 400 && !Number.isSafeInteger(number)) {
    const exact = BigInt(digits.replace("+", ""))
    if (exact >= -maxInteger && exact < maxInteger) return Option.some(exact)
  }
  return Number.isFinite(number) ? Option.some(withoutNegativeZero(number)) : Option.none()
}

/** The whole number in a text as results write it: in decimal, of 64 bits, and beyond 2^53. */
export const parseLargeNumber = (text: string): Option.Option<bigint> =>
  Option.filter(
    parseNumberText(text),
    (number): number is bigint => typeof number === "bigint" && String(number) === text
  )

/** A finite number from JSON; none for one that JSON may have rounded, since only its text is exact. */
export const parseNumber = (number: number): Option.Option<number> =>
  Number.isFinite(number) && !isInexact(number) ? Option.some(withoutNegativeZero(number)) : Option.none()
