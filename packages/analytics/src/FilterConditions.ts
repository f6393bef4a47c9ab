import { issueType } from "@trunkline/errors"
import { Timestamp } from "@trunkline/kernel"
import { DateTime, type Effect, ParseResult, Schema } from "effect"
import type { CallRecord } from "./CallRecord.js"
import { FilterField, kindOf, valueOf } from "./Fields.js"

/** How texts are compared (specification, Call analytics). */
export const TextOperator = Schema.Literal("equals", "not_equals", "includes", "starts_with", "ends_with")
export type TextOperator = typeof TextOperator.Type

/** How figures and moments are compared (specification, Call analytics). */
export const OrderOperator = Schema.Literal("equals", "not_equals", "greater_than", "less_than")
export type OrderOperator = typeof OrderOperator.Type

/** How many conditions one query may hold. */
export const maxConditions = 50

const numeric = /^-?\d{1,30}(?:\.\d{1,30})?$/

/** A figure, also when written as text. */
const Figure = Schema.transformOrFail(Schema.Unknown, Schema.Number, {
  strict: true,
  decode: (value, _, ast) => {
    const figure = typeof value === "string" && numeric.test(value) ? Number(value) : value
    return typeof figure === "number" && Number.isFinite(figure)
      ? ParseResult.succeed(figure)
      : ParseResult.fail(new ParseResult.Type(ast, value, "Must be a number"))
  },
  encode: ParseResult.succeed
}).annotations(issueType("float_type"))

const named = {
  /** The caller's own label; it means nothing to the query and need not be unique. */
  id: Schema.String,
  field: FilterField
}

/** A condition on a text. */
const TextCondition = Schema.Struct({ ...named, operator: TextOperator, value: Schema.String }).pipe(
  Schema.attachPropertySignature("kind", "string")
)

/** A condition on a figure. */
const NumberCondition = Schema.Struct({ ...named, operator: OrderOperator, value: Figure }).pipe(
  Schema.attachPropertySignature("kind", "number")
)

/** A condition on a moment. */
const MomentCondition = Schema.Struct({ ...named, operator: OrderOperator, value: Timestamp }).pipe(
  Schema.attachPropertySignature("kind", "datetime")
)

const AnyCondition = Schema.typeSchema(Schema.Union(TextCondition, NumberCondition, MomentCondition))

const decoders = {
  string: ParseResult.decodeUnknown(TextCondition),
  number: ParseResult.decodeUnknown(NumberCondition),
  datetime: ParseResult.decodeUnknown(MomentCondition)
}

const encoders = {
  string: ParseResult.encodeUnknown(TextCondition),
  number: ParseResult.encodeUnknown(NumberCondition),
  datetime: ParseResult.encodeUnknown(MomentCondition)
}

/** Whatever is sent, so long as something is: what it has to be is known with the field. */
const Sent = Schema.Unknown.pipe(
  Schema.filter((value): boolean => value !== undefined, { message: () => "is missing", ...issueType("missing") })
)

/**
 * One comparison, as `{ id, field, operator, value }` on the wire. Which operators and values it takes follows from
 * the kind of its field (shapes 6.3).
 */
export const FilterCondition = Schema.transformOrFail(
  Schema.Struct({ id: Sent, field: FilterField, operator: Sent, value: Sent }, {
    key: Schema.String,
    value: Schema.Unknown
  }),
  AnyCondition,
  {
    strict: true,
    decode: (row, options): Effect.Effect<typeof AnyCondition.Type, ParseResult.ParseIssue> =>
      decoders[kindOf(row.field)](row, options),
    encode: (condition, options) => encoders[condition.kind](condition, options)
  }
)
export type FilterCondition = typeof FilterCondition.Type

/** The conditions of a query, all of which must hold: a JSON list in one text (shapes 6.3). */
export const FilterConditions = Schema.parseJson().annotations({
  message: () => "Must be JSON",
  ...issueType("json_invalid")
}).pipe(
  Schema.compose(Schema.Array(FilterCondition).pipe(Schema.maxItems(maxConditions)), { strict: false })
)
export type FilterConditions = typeof FilterConditions.Type

const textHolds: Record<TextOperator, (actual: string, wanted: string) => boolean> = {
  equals: (actual, wanted) => actual === wanted,
  not_equals: (actual, wanted) => actual !== wanted,
  includes: (actual, wanted) => actual.toLowerCase().includes(wanted.toLowerCase()),
  starts_with: (actual, wanted) => actual.toLowerCase().startsWith(wanted.toLowerCase()),
  ends_with: (actual, wanted) => actual.toLowerCase().endsWith(wanted.toLowerCase())
}

const orderHolds: Record<OrderOperator, (actual: number, wanted: number) => boolean> = {
  equals: (actual, wanted) => actual === wanted,
  not_equals: (actual, wanted) => actual !== wanted,
  greater_than: (actual, wanted) => actual > wanted,
  less_than: (actual, wanted) => actual < wanted
}

const holds = (actual: string | number | null, condition: FilterCondition): boolean => {
  if (actual === null) return condition.operator === "not_equals"
  switch (condition.kind) {
    case "string":
      return textHolds[condition.operator](String(actual), condition.value)
    case "number":
      return orderHolds[condition.operator](Number(actual), condition.value)
    case "datetime":
      return orderHolds[condition.operator](Number(actual), DateTime.toEpochMillis(condition.value))
  }
}

/**
 * Whether a record meets every condition. `includes`, `starts_with` and `ends_with` ignore case, `equals` and
 * `not_equals` do not. A record that has nothing in the field meets `not_equals` and no other operator (shapes 6.3).
 */
export const matches = (record: CallRecord, conditions: FilterConditions): boolean =>
  conditions.every((condition) => holds(valueOf(record, condition.field), condition))
