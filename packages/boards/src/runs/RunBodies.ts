import { boardsCodes } from "@trunkline/errors"
import type { Cell } from "@trunkline/warehouse"
import { Schema, Struct } from "effect"
import { WidgetId } from "../boards/Board.js"
import { WidgetSql } from "../boards/BoardBodies.js"
import { FilterValues } from "../filters/FilterValues.js"

/** How many rows a run gives at most, unless the caller says otherwise (decisions 8). */
export const DEFAULT_ROW_LIMIT = 1_000
/** The most rows that a caller may ask for (decisions 8). */
export const MAX_ROW_LIMIT = 10_000

/** How many rows a run gives at most: 1 to 10,000; a `LIMIT` in the SQL is clamped to 1,000 (decisions 8). */
export const RowLimit = Schema.Int.pipe(
  Schema.greaterThanOrEqualTo(1),
  Schema.lessThanOrEqualTo(MAX_ROW_LIMIT)
)

const values = Schema.optionalWith(FilterValues, { default: () => ({}) })
const rowLimit = Schema.optionalWith(RowLimit, { default: () => DEFAULT_ROW_LIMIT })

/** SQL to try out, with values for its filters, each of the type that it says (specification, Analytics boards). */
export const PreviewRun = Schema.Struct({ sql: WidgetSql, filter_values: values, row_limit: rowLimit })
export type PreviewRun = typeof PreviewRun.Type

/** What a run of a widget is given. Values that are not given are the filters' defaults. */
export const WidgetRun = Schema.Struct({ filter_values: values, row_limit: rowLimit })
export type WidgetRun = typeof WidgetRun.Type

/** What a run of a tab is given: each widget takes of the values what it uses. */
export const TabRun = Schema.Struct({ filter_values: values })
export type TabRun = typeof TabRun.Type

/** The warehouse's own cells; whether each of 100,000 is one is not asked again. */
const Rows = Schema.declare(
  (value): value is ReadonlyArray<ReadonlyArray<Cell>> => Array.isArray(value),
  {
    identifier: "Rows",
    jsonSchema: {
      type: "array",
      items: { type: "array", items: { type: ["string", "number", "boolean", "null"] } }
    }
  }
)

const table = {
  /** In the order of the SELECT; `type` where a column comes from the table unchanged. */
  columns: Schema.Array(
    Schema.Struct({ name: Schema.String, type: Schema.optionalWith(Schema.String, { exact: true }) })
  ),
  /** Aligned to the columns. */
  rows: Rows,
  /** Whether the statement as it was written would have given more. */
  truncated: Schema.Boolean
}

/** What a statement gave (shapes 7.5). */
export const RunResult = Schema.Struct(table)
export type RunResult = typeof RunResult.Type

/** What one widget of a tab gave: its table, or why there is none (shapes 7.5). */
export const WidgetResult = Schema.Union(
  Schema.Struct({ widget_id: WidgetId, status: Schema.Literal("ok"), ...table }),
  Schema.Struct({
    widget_id: WidgetId,
    status: Schema.Literal("error"),
    error: Schema.Struct({ code: Schema.Literal(...Struct.keys(boardsCodes)), message: Schema.String })
  })
)
export type WidgetResult = typeof WidgetResult.Type

/** What the widgets of a tab gave, in their order, and the values that held for them as text (shapes 7.5). */
export const TabRunResult = Schema.Struct({
  results: Schema.Array(WidgetResult),
  filter_values_used: Schema.Record({ key: Schema.String, value: Schema.NullOr(Schema.String) })
})
export type TabRunResult = typeof TabRunResult.Type
