import { VizConfig, VizType } from "@trunkline/charts"
import type { BoardsFailure, NotFound } from "@trunkline/errors"
import { defaultTimeZone, type Scope, Timestamp } from "@trunkline/kernel"
import type { Cell, QueryResult } from "@trunkline/warehouse"
import { Context, DateTime, type Effect, Schema } from "effect"
import { toOneLine } from "./Text.js"

/** Failure of a widget: a code of the boards API such as `TIMEOUT`, and a message for the author of its SQL. */
export interface WidgetFailure {
  readonly code: string
  readonly message: string
}

/** Number by which reports of one rule are compared, such as a total. */
export const Figure = Schema.Struct({
  /** Name of its column. */
  name: Schema.String,
  value: Schema.Number,
  /** Occurrence of the report that had it, in business time. */
  run_at: Timestamp
})
export type Figure = typeof Figure.Type

/** Report of one occurrence of a notification rule. */
export interface Report {
  readonly rule_id: string
  readonly run_id: string
  readonly board_name: string
  readonly widget_name: string
  /** Name of the rule; the widget's name is used when null. */
  readonly rule_name: string | null
  /** Occurrence of the cron schedule in business time, not the time of sending. */
  readonly run_at: Timestamp
  readonly viz_type: VizType
  readonly viz_config: VizConfig
  readonly outcome: QueryResult | WidgetFailure
  /** Number of the report before; absent when there is none. */
  readonly last?: Figure
}

/** Tests for a report about a failed widget. */
export const isWidgetFailure = (outcome: Report["outcome"]): outcome is WidgetFailure => "code" in outcome

/** Rows are written by this package and not validated again, because validating every cell would dominate the cost. */
const Rows = Schema.declare((input): input is ReadonlyArray<ReadonlyArray<Cell>> =>
  Array.isArray(input) && input.every((row) => Array.isArray(row))
)

const Column = Schema.Struct({ name: Schema.String, type: Schema.optionalWith(Schema.String, { exact: true }) })

/** A report as stores keep it until its deliveries have ended. */
export const StoredReport = Schema.Struct({
  rule_id: Schema.String,
  run_id: Schema.String,
  board_name: Schema.String,
  widget_name: Schema.String,
  rule_name: Schema.NullOr(Schema.String),
  run_at: Timestamp,
  viz_type: VizType,
  viz_config: VizConfig,
  outcome: Schema.Union(
    Schema.Struct({ code: Schema.String, message: Schema.String }),
    Schema.Struct({ columns: Schema.Array(Column), rows: Rows, truncated: Schema.Boolean })
  ),
  last: Schema.optionalWith(Figure, { exact: true })
})

/** Current result of a widget, or its failure, with display names. */
export type WidgetReport = Pick<Report, "board_name" | "widget_name" | "viz_type" | "viz_config" | "outcome">

/** Port to the boards whose widgets are reported. */
export class ReportSource extends Context.Tag("@trunkline/notifications/ReportedWidgets")<ReportSource, {
  /** Fails unless the workspace has the board. Joins the running transaction. */
  readonly checkBoard: (scope: Scope, board_id: string) => Effect.Effect<void, NotFound>
  /**
   * Fails unless the workspace has the board and the board has the widget (`WIDGET_NOT_ON_BOARD`). Joins the running
   * transaction.
   */
  readonly checkWidget: (
    scope: Scope,
    board_id: string,
    widget_id: string
  ) => Effect.Effect<void, NotFound | BoardsFailure>
  /**
   * Runs a widget with the defaults of its filters, bypassing caches. Errors of its SQL are outcomes; the code
   * `RATE_LIMITED` means that the warehouse was busy. Fails when the widget does not exist.
   */
  readonly report: (scope: Scope, board_id: string, widget_id: string) => Effect.Effect<WidgetReport, NotFound>
}>() {}

/** In UTF-16 units. API names have at most 80 characters, so none of them is truncated. */
const maxName = 160

const dateAndMinute = "2026-07-01T09:00".length

/** Title of a report: the rule's name, or else the widget's. */
export const titleOf = ({ rule_name, widget_name }: Report): string =>
  toOneLine(rule_name ?? "", maxName) || toOneLine(widget_name, maxName) || "Report"

/** Name of the report's board. */
export const boardOf = ({ board_name }: Report): string => toOneLine(board_name, maxName)

/** Scheduled time of a report in Indian time: `2026-07-01 09:00 IST`. */
export const runTimeOf = ({ run_at }: Pick<Report, "run_at">): string => {
  const local = DateTime.unsafeSetZoneNamed(run_at, defaultTimeZone)
  return `${DateTime.formatIsoOffset(local).slice(0, dateAndMinute).replace("T", " ")} IST`
}

/** Subject of a report's mail: `[board] rule-or-widget name, YYYY-MM-DD HH:MM IST`. */
export const subjectOf = (report: Report): string => `[${boardOf(report)}] ${titleOf(report)}, ${runTimeOf(report)}`

const count = new Intl.NumberFormat("en-IN")

/** Formats a number with its noun, such as `1 row` or `1,20,000 rows`. */
export const formatCount = (number: number, noun: string): string =>
  `${count.format(number)} ${number === 1 ? noun : `${noun}s`}`

/** Shown instead of a table without rows. */
export const noRowsText = "0 rows: the query ran and found nothing."

/** Note for a result cut by the row limit. */
export const truncatedNote = ({ rows }: QueryResult): string =>
  `The result was cut after ${formatCount(rows.length, "row")}: the query gives more than that.`

/** Sentences that state how much of a result is shown. */
export const excerptNotes = (
  result: QueryResult,
  excerpt: { readonly rows: number; readonly columns: number }
): ReadonlyArray<string> => {
  const [rows, columns] = [result.rows.length, result.columns.length]
  return [
    excerpt.rows < rows
      ? `Showing ${count.format(excerpt.rows)} of ${formatCount(rows, "row")}.`
      : `${formatCount(rows, "row")}.`,
    ...(excerpt.columns < columns
      ? [`Showing ${count.format(excerpt.columns)} of ${formatCount(columns, "column")}.`]
      : []),
    ...(result.truncated ? [truncatedNote(result)] : [])
  ]
}

const nextReportNote = "The next report comes at its usual time."

/** Advice for a failed widget, by its code. */
export const nextStepFor = ({ code }: WidgetFailure): string => {
  switch (code) {
    case "TIMEOUT":
    case "RESOURCE_LIMIT":
      return `Narrow the dates of the query or make it simpler, and try it on its board. ${nextReportNote}`
    case "MISSING_FILTER_VALUE":
    case "INVALID_FILTER_VALUE":
    case "UNKNOWN_FILTER":
      return `Give the filters of the widget defaults that fit, and try it on its board. ${nextReportNote}`
    case "RATE_LIMITED":
    case "INTERNAL":
      return `Run the widget on its board later. If the problem persists, contact the operator of the service. ${nextReportNote}`
    default:
      return `Correct the SQL of the widget, and try it on its board. ${nextReportNote}`
  }
}
