import { VizConfig, type VizType } from "@trunkline/charts"
import { Either, Option, type ParseResult, Schema } from "effect"
import { MAX_VIZ_CONFIG_LENGTH } from "./BoardLimits.js"

const asJson = Option.liftThrowable((value: unknown) => JSON.stringify(value))

/** A `viz_config` of a size that a board can carry, at most `MAX_VIZ_CONFIG_LENGTH` characters as JSON. */
export const Settings = VizConfig.pipe(
  Schema.filter((config) => Option.exists(asJson(config), (json) => json.length <= MAX_VIZ_CONFIG_LENGTH), {
    message: () => `Must have at most ${MAX_VIZ_CONFIG_LENGTH} characters as JSON`
  })
)

const others = Schema.Record({ key: Schema.String, value: Schema.Unknown })
const column = Schema.String.pipe(Schema.minLength(1))

const read = <A, I>(settings: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownEither(Schema.Struct({ viz_config: settings }), { errors: "all" })
  return (viz_config: VizConfig) => Option.map(Either.getLeft(decode({ viz_config })), ({ issue }) => issue)
}

const chart = read(Schema.Struct({ x_axis: column, y_axis: Schema.Array(column).pipe(Schema.minItems(1)) }, others))

const readers: { readonly [T in VizType]: (config: VizConfig) => Option.Option<ParseResult.ParseIssue> } = {
  table: () => Option.none(),
  number: read(Schema.Struct({ value_column: Schema.optional(column) }, others)),
  bar: chart,
  line: chart
}

/**
 * What is wrong with a `viz_config` for a way of showing: `bar` and `line` need the text `x_axis` and in `y_axis` at
 * least one text, `number` takes the text `value_column`; other keys are anybody's (shapes 7.3). Its path begins with
 * `viz_config`.
 */
export const vizIssue = (type: VizType, config: VizConfig): Option.Option<ParseResult.ParseIssue> =>
  readers[type](config)
