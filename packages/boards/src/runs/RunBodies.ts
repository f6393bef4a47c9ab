import { boardsCodes } from "@trunkline/errors"
import type { Cell } from "@trunkline/warehouse"
import { Schema, Struct } from "effect"
import { WidgetId } from "../boards/Board.js"
import { WidgetSql } from "../boards/BoardBodies.js"
import { defaultRowLimit } from "../boards/CheckSql.js"
import { FilterValues } from "../filters/FilterValues.js"

/** Most rows that a client can request. */
const maxRowLimit = 10_000

/** Most rows of a result, 1 to 10,000. With a LIMIT in the SQL, at most 1,000 rows are read. */
const RowLimit = Schema.Int.pipe(
  Schema.greaterThanOrEqualTo(1),
  Schema.lessThanOrEqualTo(maxRowLimit)
)

/** Seconds for which a result is cached, and the greatest age that a client accepts by default. */
export const resultTtlSeconds = 60

/** Greatest age in seconds of a cached result that is accepted, 0 to 60; 0 always runs the query. */
export const MaxAge = Schema.Int.pipe(
  Schema.greaterThanOrEqualTo(0),
  Schema.lessThanOrEqualTo(resultTtlSeconds)
)

const values = Schema.optionalWith(FilterValues, { default: () => ({}) })
const rowLimit = Schema.optionalWith(RowLimit, { default: () => defaultRowLimit })
const maxAge = Schema.optionalWith(MaxAge, { default: () => resultTtlSeconds })

/** Body that runs SQL once, with typed filter values. */
export const PreviewRun = Schema.Struct({ sql: WidgetSql, filter_values: values, row_limit: rowLimit })
export type PreviewRun = typeof PreviewRun.Type

/** Body that runs a widget. Missing values fall back to the filters' defaults. */
export const WidgetRun = Schema.Struct({ filter_values: values, row_limit: rowLimit, max_age: maxAge })
export type WidgetRun = typeof WidgetRun.Type

/** Body that runs the widgets of a tab; each widget uses the values of its own filters. */
export const TabRun = Schema.Struct({ filter_values: values, max_age: maxAge })
export type TabRun = typeof TabRun.Type

/** Rows from the warehouse; not validated again, because a result may have 100,000 cells. */
const Rows = Schema.declare(
  (value): value is ReadonlyArray<ReadonlyArray<Cell>> => Array.isArray(value),
  {
    identifier: "Rows",
    arbitrary: () => (fc) => fc.array(fc.array(fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null)))),
    jsonSchema: {
      type: "array",
      items: { type: "array", items: { type: ["string", "number", "boolean", "null"] } }
    }
  }
)

const table = {
  /** In SELECT order; `type` is set where a column comes unchanged from the table. */
  columns: Schema.Array(
    Schema.Struct({ name: Schema.String, type: Schema.optionalWith(Schema.String, { exact: true }) })
  ),
  /** Cells in the order of the columns. */
  rows: Rows,
  /** True when the statement as written would return more rows. */
  truncated: Schema.Boolean
}

/** Result of a statement. */
export const RunResult = Schema.Struct(table)
export type RunResult = typeof RunResult.Type

/** Result of one widget of a tab: a table or an error. */
export const WidgetResult = Schema.Union(
  Schema.Struct({ widget_id: WidgetId, status: Schema.Literal("ok"), ...table }),
  Schema.Struct({
    widget_id: WidgetId,
    status: Schema.Literal("error"),
    error: Schema.Struct({ code: Schema.Literal(...Struct.keys(boardsCodes)), message: Schema.String })
  })
)
export type WidgetResult = typeof WidgetResult.Type

/** Results of the widgets of a tab in order, and the effective filter values as text. */
export const TabRunResult = Schema.Struct({
  results: Schema.Array(WidgetResult),
  filter_values_used: Schema.Record({ key: Schema.String, value: Schema.NullOr(Schema.String) })
})
export type TabRunResult = typeof TabRunResult.Type
