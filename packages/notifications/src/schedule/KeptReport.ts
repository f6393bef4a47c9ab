import { VizConfig, VizType } from "@trunkline/charts"
import { Timestamp } from "@trunkline/kernel"
import type { Cell } from "@trunkline/warehouse"
import { Schema } from "effect"

/** Rows that this software wrote: looking at every cell would take longer than all the rest. */
const Rows = Schema.declare((input): input is ReadonlyArray<ReadonlyArray<Cell>> =>
  Array.isArray(input) && input.every((row) => Array.isArray(row))
)

const Column = Schema.Struct({ name: Schema.String, type: Schema.optionalWith(Schema.String, { exact: true }) })

/** A report as stores keep it until its deliveries are over. */
export const KeptReport = Schema.Struct({
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
  )
})
