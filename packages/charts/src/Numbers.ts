import type { Value } from "./Picture.js"

/** Beyond this, charts have no use for numbers: their sums and steps would no longer be exact. */
export const LARGEST_NUMBER = 1e15

const decimal = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?\s*$/

/**
 * The number that a value is: a finite number, or a text such as `12.50` or `-3e2`. Null for anything else, and for
 * numbers beyond `LARGEST_NUMBER`; what is nearer to 0 than 1e-12 is 0.
 */
export const numberIn = (value: Value): number | null => {
  const number = typeof value === "number" ? value : typeof value === "string" && isDecimal(value) ? Number(value) : NaN
  if (!(Math.abs(number) <= LARGEST_NUMBER)) return null
  return Math.abs(number) < 1e-12 ? 0 : number
}

const isDecimal = (text: string): boolean => text.length <= 400 && decimal.test(text)

const grouped = (digits: string): string => digits.replace(/\B(?=(?:\d{2})*\d{3}$)/g, ",")

/** The digits before and after the point, without zeros at the end. */
const digitsOf = (size: number, decimals: number): readonly [whole: string, fraction: string] => {
  const [whole = "0", fraction = ""] = size.toFixed(decimals).split(".")
  return [whole, fraction.replace(/0+$/, "")]
}

const signed = (number: number, text: string): string => number < 0 && /[1-9]/.test(text) ? `−${text}` : text

const inFull = (number: number, decimals: number): string => {
  const [whole, fraction] = digitsOf(Math.abs(number), decimals)
  return signed(number, fraction === "" ? grouped(whole) : `${grouped(whole)}.${fraction}`)
}

/** How many decimals of so large a number are worth showing: two, or three that tell something in small ones. */
const decimalsOf = (size: number): number =>
  size >= 1 || size === 0 ? 2 : Math.min(12, 2 - Math.floor(Math.log10(size)))

/** A number in full, grouped as in India (decisions 16): `1,23,45,678`, `0.5`, `−1,200.25`. */
export const fullNumber = (number: number): string => inFull(number, decimalsOf(Math.abs(number)))

const scales = [{ from: 1e7, unit: "Cr" }, { from: 1e5, unit: "L" }, { from: 1e3, unit: "K" }] as const

/**
 * A number with at most two decimals, in thousands, lakhs or crores where it has them: `12.3L`, `1.25Cr`, `50K`, `999`.
 * Crores are grouped as in India: `1,00,000Cr`.
 */
export const shortNumber = (number: number): string => {
  const size = Math.abs(number)
  const scale = scales.find(({ from }) => size >= from * 0.999995)
  return scale === undefined ? fullNumber(number) : `${inFull(number / scale.from, 2)}${scale.unit}`
}
