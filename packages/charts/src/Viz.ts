import { Schema } from "effect"

/** How a result is shown (shapes 7.3). */
export const VizType = Schema.Literal("number", "table", "bar", "line")
export type VizType = typeof VizType.Type

/**
 * What a way of showing needs to know: `x_axis` and `y_axis` for `bar` and `line`, `value_column` for `number`; keys
 * that mean nothing to us are kept for those to whom they do (shapes 7.3).
 */
export const VizConfig = Schema.Record({ key: Schema.String, value: Schema.Unknown })
export type VizConfig = typeof VizConfig.Type
