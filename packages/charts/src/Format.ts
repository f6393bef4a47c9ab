import type { Value } from "./Chart.js"

/** Characters that XML cannot contain, and bidirectional overrides. */
const unprintable = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/gu

const whitespace = /\s+/gu

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

/** Most characters (grapheme clusters) of a text in a chart. */
const maxText = 200

/** Truncates a text to at most `length` grapheme clusters, the last being an ellipsis when something was cut. */
export const truncateText = (text: string, length: number): string => {
  if (text.length <= length) return text
  const segments: Array<string> = []
  for (const { segment } of graphemes.segment(text)) {
    if (segments.length === length) return `${segments.slice(0, -1).join("").trimEnd()}…`
    segments.push(segment)
  }
  return text
}

/**
 * Normalizes a text to one line for a chart: removes control characters, lone surrogates and bidirectional overrides,
 * and truncates to `maxText` characters. The result may contain markup; escape it with `escapeXml` when writing a file.
 */
export const plainText = (text: string): string =>
  truncateText(text.slice(0, maxText * 50).replace(unprintable, " ").replace(whitespace, " ").trim(), maxText)

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\"": "&quot;",
  "'": "&#39;"
}

/** Escapes a text for an XML element or attribute. */
export const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? "")

/** Largest magnitude that is drawn; beyond it, axes no longer divide cleanly. */
export const maxNumber = 1e18

const decimal = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?\s*$/

/**
 * Reads a cell as a number to draw: a finite number up to `maxNumber`, or a numeric text such as `12.50` or
 * `-3e2`. Magnitudes below 1e-12 become 0. Null and empty texts are `absent`; anything else is `too large` or `no
 * number`.
 */
export const parseNumber = (value: Value): number | "absent" | "too large" | "no number" => {
  if (value === null || typeof value === "string" && value.trim() === "") return "absent"
  const number = typeof value === "number" ? value : typeof value === "string" && isDecimal(value) ? Number(value) : NaN
  if (Number.isNaN(number)) return "no number"
  if (Math.abs(number) > maxNumber) return "too large"
  return Math.abs(number) < 1e-12 ? 0 : number
}

/** Reads a cell as a number to draw, or null. */
export const numberOrNull = (value: Value): number | null => {
  const read = parseNumber(value)
  return typeof read === "number" ? read : null
}

/**
 * Tests for a cell that holds a value which cannot be drawn: a text that is not a number, or a number beyond
 * `maxNumber`.
 */
export const isUndrawable = (value: Value): boolean => {
  const read = parseNumber(value)
  return read === "too large" || read === "no number"
}

const isDecimal = (text: string): boolean => text.length <= 400 && decimal.test(text)

const groupDigits = (digits: string): string => digits.replace(/\B(?=(?:\d{2})*\d{3}$)/g, ",")

/** Digits before and after the decimal point, without trailing zeros. */
const splitDigits = (size: number, decimals: number): readonly [whole: string, fraction: string] => {
  const [whole = "0", fraction = ""] = size.toFixed(decimals).split(".")
  return [whole, fraction.replace(/0+$/, "")]
}

const withSign = (number: number, text: string): string => number < 0 && /[1-9]/.test(text) ? `−${text}` : text

const formatGrouped = (number: number, decimals: number): string => {
  const [whole, fraction] = splitDigits(Math.abs(number), decimals)
  return withSign(number, fraction === "" ? groupDigits(whole) : `${groupDigits(whole)}.${fraction}`)
}

/** Decimals worth showing for a magnitude: two, or enough for three significant digits below 1. */
const decimalsOf = (size: number): number =>
  size >= 1 || size === 0 ? 2 : Math.min(12, 2 - Math.floor(Math.log10(size)))

const scales = [{ from: 1e7, unit: "Cr" }, { from: 1e5, unit: "L" }, { from: 1e3, unit: "K" }] as const

/**
 * Formats a number in full with Indian digit grouping: `1,23,45,678`, `0.5`, `−1,200.25`. Beyond 2^53, where the last
 * digits are inexact, in crores: `12,00,00,00,000Cr`.
 */
export const formatNumber = (number: number): string => {
  const size = Math.abs(number)
  return size > Number.MAX_SAFE_INTEGER
    ? `${formatGrouped(number / 1e7, 2)}Cr`
    : formatGrouped(number, decimalsOf(size))
}

const formatPercent = (percent: number): string => formatGrouped(percent, Math.abs(percent) < 10 ? 1 : 0)

const withPlus = (number: number, text: string): string => number > 0 ? `+${text}` : text

/**
 * Formats the change of a number: `+12 (+23 %)`, `−0.5 (−2.4 %)`, `no change`. Without a percentage when the number was 0
 * or less, when the sign changes, and beyond 1,000 %.
 */
export const formatChange = (from: number, to: number): string => {
  const change = Number((to - from).toPrecision(12))
  if (change === 0) return "no change"
  const percent = 100 * change / from
  const share = from > 0 && to >= 0 && percent <= 1_000 ? ` (${withPlus(percent, formatPercent(percent))} %)` : ""
  return `${withPlus(change, formatNumber(change))}${share}`
}

/** From here on, labels beside bars and axes use an exponent: crores would take too much space. */
const maxCrores = 1e15

/** Formats a number as `1.2e17` with at most `figures` significant digits. */
const formatExponent = (number: number, figures: number): string => {
  const [digits = "", exponent = ""] = Math.abs(number).toExponential(figures - 1).split("e+")
  return withSign(number, `${Number(digits)}e${exponent}`)
}

/**
 * Formats a number with at most two decimals, in thousands, lakhs or crores where large enough: `12.3L`, `1.25Cr`,
 * `50K`, `999`. Crores have Indian digit grouping: `1,00,000Cr`. From 1e15 on, with three significant digits and an
 * exponent: `1.2e17`.
 */
export const formatShortNumber = (number: number): string => {
  const size = Math.abs(number)
  if (size >= maxCrores * 0.999995) return formatExponent(number, 3)
  const scale = scales.find(({ from }) => size >= from * 0.999995)
  return scale === undefined ? formatNumber(number) : `${formatGrouped(number / scale.from, 2)}${scale.unit}`
}

/**
 * Formats the label of a bar with four significant digits from 1,000 on: `1,001`, `12.35K`, `12.35L`, `1.235Cr`,
 * `1,23,500Cr`, and from 1e15 on `1.235e17`. Smaller numbers are in full.
 */
export const formatLabelNumber = (number: number): string => {
  if (Math.abs(number) < 1_000) return formatNumber(number)
  const shortNumber = Number(number.toPrecision(4))
  const size = Math.abs(shortNumber)
  if (size >= maxCrores) return formatExponent(number, 4)
  const scale = size < 10_000 ? undefined : scales.find(({ from }) => size >= from)
  return scale === undefined ? formatNumber(shortNumber) : `${formatGrouped(shortNumber / scale.from, 3)}${scale.unit}`
}
