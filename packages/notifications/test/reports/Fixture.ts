import type { Report } from "@trunkline/notifications"
import type { Cell, QueryResult } from "@trunkline/warehouse"
import { DateTime } from "effect"

/** A result with these columns. */
export const resultOf = (
  columns: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<Cell>>,
  truncated = false
): QueryResult => ({ columns: columns.map((name) => ({ name })), rows, truncated })

/** A result with many rows, whose cells contain their position. */
export const gridOf = (rows: number, columns: number): QueryResult =>
  resultOf(
    Array.from({ length: columns }, (_, column) => `column ${column + 1}`),
    Array.from(
      { length: rows },
      (_, row) => Array.from({ length: columns }, (_, column) => `r${row + 1}c${column + 1}.`)
    )
  )

/** A report at nine in the morning. */
export const reportOf = (outcome: Report["outcome"], change: Partial<Report> = {}): Report => ({
  rule_id: "6b1f7f0e-0000-4000-8000-000000000001",
  run_id: "run-1",
  board_name: "Daily",
  widget_name: "Calls per day",
  rule_name: null,
  run_at: DateTime.unsafeMake("2026-07-01T03:30:00.000Z"),
  viz_type: "table",
  viz_config: {},
  outcome,
  ...change
})

/** Failure of a slow query. */
export const timeout = { code: "TIMEOUT", message: "The query took longer than 15 seconds" }
