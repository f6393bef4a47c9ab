import type { Cell } from "@trunkline/warehouse"
import { oneLine } from "./OneLine.js"

/** Stands for no value. */
export const noValue = "–"

/** Columns whose figures are names of things, which nobody counts or adds up. */
const namesThings = /(?:^|[_ ])(?:id|year|code|pin|pincode|phone|mobile|msisdn)$/i

/** Beyond this a number's digits are no longer exact. */
const maxGrouped = Number.MAX_SAFE_INTEGER

/** From 10,000 on: `2026` and `9999` stay as they are. */
const useGrouping = "min2"

const large = new Intl.NumberFormat("en-IN", { useGrouping, maximumFractionDigits: 2 })
const small = new Intl.NumberFormat("en-IN", { useGrouping, maximumSignificantDigits: 3 })

const numberText = (value: number, column: string): string => {
  const size = Math.abs(value)
  if (namesThings.test(column) || size > maxGrouped || (size < 1e-6 && size > 0)) return String(value)
  return (size < 1 ? small : large).format(value)
}

/**
 * A value as people read it, at most `max` characters long: numbers from 10,000 on grouped 2,2,3 (decisions 16), with two
 * decimals, or three digits below 1; no value as a dash. Figures in columns such as `app_id` or `phone` stay as they are.
 */
export const cellText = (value: Cell, column: string, max: number): string =>
  value === null ? noValue : typeof value === "number" ? numberText(value, column) : oneLine(String(value), max)
