import type { Value } from "./Picture.js"

/** Beyond this, charts have no use for numbers: axes are not divided well any more. */
export const LARGEST_NUMBER = 1e18

const decimal = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?\s*$/

/**
 * What a value is to a chart: a finite number up to `LARGEST_NUMBER`, or a text such as `12.50` or `-3e2` of one; what
 * is nearer to 0 than 1e-12 is 0. Else `absent`, which null and empty texts are, `too large`, or `no number`.
 */
export const readNumber = (value: Value): number | "absent" | "too large" | "no number" => {
  if (value === null || typeof value === "string" && value.trim() === "") return "absent"
  const number = typeof value === "number" ? value : typeof value === "string" && isDecimal(value) ? Number(value) : NaN
  if (Number.isNaN(number)) return "no number"
  if (Math.abs(number) > LARGEST_NUMBER) return "too large"
  return Math.abs(number) < 1e-12 ? 0 : number
}

/** The number that a value is, or null where it is none that can be drawn. */
export const numberIn = (value: Value): number | null => {
  const read = readNumber(value)
  return typeof read === "number" ? read : null
}

/** Whether a value is there that no chart can draw: a text that is no number, or a number beyond `LARGEST_NUMBER`. */
export const isUndrawable = (value: Value): boolean => {
  const read = readNumber(value)
  return read === "too large" || read === "no number"
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

const scales = [{ from: 1e7, unit: "Cr" }, { from: 1e5, unit: "L" }, { from: 1e3, unit: "K" }] as const

/**
 * A number in full, grouped as in India (decisions 16): `1,23,45,678`, `0.5`, `−1,200.25`. Beyond 2^53, where the last
 * digits are no longer exact, in crores: `12,00,00,00,000Cr`.
 */
export const fullNumber = (number: number): string => {
  const size = Math.abs(number)
  return size > Number.MAX_SAFE_INTEGER ? `${inFull(number / 1e7, 2)}Cr` : inFull(number, decimalsOf(size))
}

/** From here on, numbers beside bars and axes have an exponent; crores would take the room of the chart. */
const largestInCrores = 1e15

/** A number as `1.2e17`, with so many figures at most. */
const withExponent = (number: number, figures: number): string => {
  const [digits = "", exponent = ""] = Math.abs(number).toExponential(figures - 1).split("e+")
  return signed(number, `${Number(digits)}e${exponent}`)
}

/**
 * A number with at most two decimals, in thousands, lakhs or crores where it has them: `12.3L`, `1.25Cr`, `50K`, `999`.
 * Crores are grouped as in India: `1,00,000Cr`. From 1e15 on, with three figures and an exponent: `1.2e17`.
 */
export const shortNumber = (number: number): string => {
  const size = Math.abs(number)
  if (size >= largestInCrores * 0.999995) return withExponent(number, 3)
  const scale = scales.find(({ from }) => size >= from * 0.999995)
  return scale === undefined ? fullNumber(number) : `${inFull(number / scale.from, 2)}${scale.unit}`
}

/**
 * A number beside its bar, with four significant figures where there are thousands: `1,001`, `12.35K`, `12.35L`,
 * `1.235Cr`, `1,23,500Cr`, and from 1e15 on `1.235e17`. Smaller ones are in full.
 */
export const labelNumber = (number: number): string => {
  if (Math.abs(number) < 1_000) return fullNumber(number)
  const rounded = Number(number.toPrecision(4))
  const size = Math.abs(rounded)
  if (size >= largestInCrores) return withExponent(number, 4)
  const scale = size < 10_000 ? undefined : scales.find(({ from }) => size >= from)
  return scale === undefined ? fullNumber(rounded) : `${inFull(rounded / scale.from, 3)}${scale.unit}`
}
