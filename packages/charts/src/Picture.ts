import type { VizConfig, VizType } from "./Viz.js"

/** A value of a table. */
export type Value = string | number | boolean | null

/** A table that somebody wants to see. */
export interface Table {
  readonly columns: ReadonlyArray<{ readonly name: string }>
  readonly rows: ReadonlyArray<ReadonlyArray<Value>>
}

/** A table, and how it is to be shown. */
export interface Picture {
  /** Written above it. */
  readonly title: string
  readonly viz_type: VizType
  readonly viz_config: VizConfig
  readonly table: Table
}
