import type { QueryResult } from "@trunkline/warehouse"
import type { RunFailure } from "./Report.js"

const count = new Intl.NumberFormat("en-IN")

/** A whole number with its noun, such as `1 row` or `1,20,000 rows`. */
export const counted = (number: number, noun: string): string =>
  `${count.format(number)} ${number === 1 ? noun : `${noun}s`}`

/** What is said in place of a table without rows. */
export const nothingFound = "0 rows: the query ran and found nothing."

/** What is said of a result that the row limit cut. */
export const cutNote = ({ rows }: QueryResult): string =>
  `The result was cut after ${counted(rows.length, "row")}: the query gives more than that.`

/** How much of a result is shown, as sentences. */
export const shownNotes = (
  result: QueryResult,
  shown: { readonly rows: number; readonly columns: number }
): ReadonlyArray<string> => {
  const [rows, columns] = [result.rows.length, result.columns.length]
  return [
    shown.rows < rows ? `Showing ${count.format(shown.rows)} of ${counted(rows, "row")}.` : `${counted(rows, "row")}.`,
    ...(shown.columns < columns ? [`Showing ${count.format(shown.columns)} of ${counted(columns, "column")}.`] : []),
    ...(result.truncated ? [cutNote(result)] : [])
  ]
}

const usualTime = "The next report comes at its usual time."

/** What to do about a widget that could not be run, by its code (shapes 1.4). */
export const nextStep = ({ code }: RunFailure): string => {
  switch (code) {
    case "TIMEOUT":
    case "RESOURCE_LIMIT":
      return `Narrow the dates of the query or make it simpler, and try it on its board. ${usualTime}`
    case "MISSING_FILTER_VALUE":
    case "INVALID_FILTER_VALUE":
    case "UNKNOWN_FILTER":
      return `Give the filters of the widget defaults that fit, and try it on its board. ${usualTime}`
    case "RATE_LIMITED":
    case "INTERNAL":
      return `Run the widget on its board later. If this goes on, tell whoever runs the service. ${usualTime}`
    default:
      return `Correct the SQL of the widget, and try it on its board. ${usualTime}`
  }
}
