import type { Cell } from "@trunkline/warehouse"

/** Control characters, line and paragraph separators, and bidirectional controls. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

/**
 * Truncates a text to `max` UTF-16 units including the final `…`, without splitting grapheme clusters. `sizeOf`
 * measures a part where it will appear, for example after escaping; at least its length.
 */
export const truncate = (text: string, max: number, sizeOf = (part: string) => part.length): string => {
  if (sizeOf(text) <= max) return text
  let [result, size] = ["", 0]
  for (const { segment } of graphemes.segment(text.slice(0, max + 1))) {
    size += sizeOf(segment)
    if (size >= max) break
    result += segment
  }
  return `${result}…`
}

/** Normalizes a text to one line of at most `max` UTF-16 units, without unprintable characters. */
export const toOneLine = (text: string, max: number): string =>
  truncate(text.replace(unprintable, " ").replace(/\s+/g, " ").trim(), max)

/** Shown for null. */
const noValue = "–"

/** Names of columns whose numbers are identifiers, which are not grouped. */
const identifierColumn = /(?:^|[_ ])(?:id|year|code|pin|pincode|phone|mobile|msisdn)$/i

/** Beyond this, digits of a number are inexact. */
const maxGrouped = Number.MAX_SAFE_INTEGER

/** Groups from 10,000 on: `2026` and `9999` stay ungrouped. */
const useGrouping = "min2"

const large = new Intl.NumberFormat("en-IN", { useGrouping, maximumFractionDigits: 2 })
const small = new Intl.NumberFormat("en-IN", { useGrouping, maximumSignificantDigits: 3 })

/** Tests whether the numbers of a column are identifiers. */
export const isIdentifier = (column: string): boolean => identifierColumn.test(column)

const formatNumber = (value: number, column: string): string => {
  const size = Math.abs(value)
  if (isIdentifier(column) || size > maxGrouped || (size < 1e-6 && size > 0)) return String(value)
  return (size < 1 ? small : large).format(value)
}

/**
 * Formats a cell in at most `max` characters: numbers from 10,000 on with Indian digit grouping, with two decimals, or
 * three significant digits below 1; null as a dash. Numbers in columns such as `app_id` or `phone` stay unformatted.
 */
export const formatCell = (value: Cell, column: string, max: number): string =>
  value === null ? noValue : typeof value === "number" ? formatNumber(value, column) : toOneLine(String(value), max)

/** Longest file name before its extension: 80 characters of an Indian script are 240 bytes. */
const maxLength = 80

/** Device names that Windows reserves, with any extension. */
const reservedPattern = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/** Converts a widget's name to a file name that is valid on every system: `Calls per day.csv`. */
export const toFileName = (name: string, ending: string): string => {
  const stem = toOneLine(name.replace(/[\\/:*?"<>|%]+/g, "-"), maxLength).replace(/^[.\s]+|[.\s]+$/g, "")
  return `${stem === "" || reservedPattern.test(stem) ? "report" : stem}.${ending}`
}
