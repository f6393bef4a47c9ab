import { issueType } from "@trunkline/errors"
import { Timestamp } from "@trunkline/kernel"
import { DateTime, type Effect, ParseResult, Schema } from "effect"
import type { CallRecord } from "./CallRecord.js"
import { fieldKind, fieldValue, FilterField } from "./Fields.js"

/** Operators for text. */
export const TextOperator = Schema.Literal("equals", "not_equals", "includes", "starts_with", "ends_with")
export type TextOperator = typeof TextOperator.Type

/** Operators for numbers and times. */
export const OrderOperator = Schema.Literal("equals", "not_equals", "greater_than", "less_than")
export type OrderOperator = typeof OrderOperator.Type

/** Largest number of conditions in a query. */
export const maxConditions = 50

const numeric = /^-?\d{1,30}(?:\.\d{1,30})?$/

/** A number, also as text. */
const NumberValue = Schema.transformOrFail(Schema.Unknown, Schema.Number, {
  strict: true,
  decode: (value, _, ast) => {
    const number = typeof value === "string" && numeric.test(value) ? Number(value) : value
    return typeof number === "number" && Number.isFinite(number)
      ? ParseResult.succeed(number)
      : ParseResult.fail(new ParseResult.Type(ast, value, "Must be a number"))
  },
  encode: ParseResult.succeed
}).annotations(issueType("float_type"))

const baseFields = {
  /** Label from the caller, which has no effect and need not be unique. */
  id: Schema.String,
  field: FilterField
}

/** Condition on a text field. */
const TextCondition = Schema.Struct({ ...baseFields, operator: TextOperator, value: Schema.String }).pipe(
  Schema.attachPropertySignature("kind", "string")
)

/** Condition on a number field. */
const NumberCondition = Schema.Struct({ ...baseFields, operator: OrderOperator, value: NumberValue }).pipe(
  Schema.attachPropertySignature("kind", "number")
)

/** Condition on a time field. */
const MomentCondition = Schema.Struct({ ...baseFields, operator: OrderOperator, value: Timestamp }).pipe(
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

/** Any value that is present; the field determines its type. */
const Present = Schema.Unknown.pipe(
  Schema.filter((value): boolean => value !== undefined, { message: () => "is missing", ...issueType("missing") })
)

/** A comparison, encoded as `{ id, field, operator, value }`. The kind of the field determines operators and values. */
export const FilterCondition = Schema.transformOrFail(
  Schema.Struct({ id: Present, field: FilterField, operator: Present, value: Present }, {
    key: Schema.String,
    value: Schema.Unknown
  }),
  AnyCondition,
  {
    strict: true,
    decode: (row, options): Effect.Effect<typeof AnyCondition.Type, ParseResult.ParseIssue> =>
      decoders[fieldKind(row.field)](row, options),
    encode: (condition, options) => encoders[condition.kind](condition, options)
  }
)
export type FilterCondition = typeof FilterCondition.Type

/** Conditions of a query, all of which must hold, encoded as a JSON list in a string. */
export const FilterConditions = Schema.parseJson().annotations({
  message: () => "Must be JSON",
  ...issueType("json_invalid")
}).pipe(
  Schema.compose(Schema.Array(FilterCondition).pipe(Schema.maxItems(maxConditions)), { strict: false })
)
export type FilterConditions = typeof FilterConditions.Type

const textOperators: Record<TextOperator, (actual: string, expectedText: string) => boolean> = {
  equals: (actual, expectedText) => actual === expectedText,
  not_equals: (actual, expectedText) => actual !== expectedText,
  includes: (actual, expectedText) => actual.toLowerCase().includes(expectedText.toLowerCase()),
  starts_with: (actual, expectedText) => actual.toLowerCase().startsWith(expectedText.toLowerCase()),
  ends_with: (actual, expectedText) => actual.toLowerCase().endsWith(expectedText.toLowerCase())
}

const orderOperators: Record<OrderOperator, (actual: number, expected: number) => boolean> = {
  equals: (actual, expected) => actual === expected,
  not_equals: (actual, expected) => actual !== expected,
  greater_than: (actual, expected) => actual > expected,
  less_than: (actual, expected) => actual < expected
}

const holds = (actual: string | number | null, condition: FilterCondition): boolean => {
  if (actual === null) return condition.operator === "not_equals"
  switch (condition.kind) {
    case "string":
      return textOperators[condition.operator](String(actual), condition.value)
    case "number":
      return orderOperators[condition.operator](Number(actual), condition.value)
    case "datetime":
      return orderOperators[condition.operator](Number(actual), DateTime.toEpochMillis(condition.value))
  }
}

/**
 * True if a record meets all conditions. `includes`, `starts_with` and `ends_with` ignore case, `equals` and `not_equals`
 * do not. A record without a value in the field meets `not_equals` only.
 */
export const matches = (record: CallRecord, conditions: FilterConditions): boolean =>
  conditions.every((condition) => holds(fieldValue(record, condition.field), condition))
