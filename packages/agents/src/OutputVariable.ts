import { OutputType, type VariableValue } from "@trunkline/kernel"
import { Either, Schema } from "effect"
import { optional, VariableName } from "./Templates.js"

/** Longest text of an output variable, in UTF-16 units. */
const maxText = 2_000

/** Most values of an `enum`. */
const maxValues = 100

/** Issues of the values of an output variable. */
const valueIssues = (type: OutputType | undefined, values: ReadonlyArray<string>) => [
  ...(type === "enum" && values.length === 0 ? [{ path: ["values"], message: "is missing: an enum has values" }] : []),
  ...(type !== "enum" && values.length > 0 ? [{ path: ["values"], message: "belongs to the type enum" }] : []),
  ...values.flatMap((value, index) =>
    values.indexOf(value) < index ? [{ path: ["values", index], message: `${value} is listed twice` }] : []
  )
]

/** A value that the agent finds out. */
export const OutputVariable = Schema.Struct({
  name: VariableName,
  /** Description that fits into a question, such as "the date you can pay". */
  description: optional(Schema.NonEmptyString),
  /** A call only counts as done once all required outputs have a value, which may be null. */
  required: Schema.optionalWith(Schema.Boolean, { exact: true, default: () => false }),
  /**
   * Type of the value: `string`, `number`, `integer`, `boolean`, `date` (a text such as `2026-11-30`), or `enum` (one of `values`).
   * Without one, the call may set any text, number or boolean, and what is found out after the call is a text.
   */
  type: optional(OutputType),
  /** The values of an `enum`, up to 100. */
  values: optional(Schema.NonEmptyArray(Schema.NonEmptyString).pipe(Schema.maxItems(maxValues)))
}).pipe(Schema.filter(({ type, values }) => valueIssues(type, values ?? [])))
export type OutputVariable = typeof OutputVariable.Type

/** Type of an output variable where it names none: a text. */
export const outputTypeOf = ({ type }: Pick<OutputVariable, "type">): OutputType => type ?? "string"

const jsonTypes = {
  string: { type: ["string", "null"] },
  number: { type: ["number", "null"] },
  integer: { type: ["integer", "null"] },
  boolean: { type: ["boolean", "null"] },
  date: { type: ["string", "null"], format: "date" }
} as const

/** JSON Schema of the value of an output variable, which may be null; without a type in it where the variable names none. */
export const outputSchema = (output: OutputVariable): Readonly<Record<string, unknown>> => ({
  ...(output.description !== undefined && { description: output.description }),
  ...(output.type === "enum"
    ? { type: ["string", "null"], enum: [...output.values ?? [], null] }
    : output.type === undefined
    ? {}
    : jsonTypes[output.type])
})

const isoDate = /^(\d{4})-(\d{2})-(\d{2})$/

/** True for a day of the calendar, such as 2028-02-29. */
const isDay = (text: string): boolean => {
  const [, year = "", month = "", day = ""] = isoDate.exec(text) ?? []
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return year !== "" && at.getUTCMonth() === Number(month) - 1 && at.getUTCDate() === Number(day)
}

const numberIn = (value: VariableValue): number | null => {
  if (typeof value === "number") return Number.isFinite(value) ? value : null
  return typeof value === "string" && /^[+-]?\d{1,15}(\.\d{1,15})?$/.test(value.trim()) ? Number(value) : null
}

const booleans: Readonly<Record<string, boolean>> = { true: true, false: false }

const orElse = <A extends VariableValue>(value: A | null | undefined, expectedText: string): Either.Either<A, string> =>
  value === null || value === undefined ? Either.left(`must be ${expectedText}, or null`) : Either.right(value)

/** Reads a value, except null and blank texts, as the type of its output variable. */
const readTyped = (
  { type, values }: Pick<OutputVariable, "type" | "values">,
  value: string | number | boolean
): Either.Either<VariableValue, string> => {
  const text = String(value).trim()
  switch (type) {
    case "string":
      return text.length <= maxText ? Either.right(text) : Either.left(`must have at most ${maxText} characters`)
    case "number":
      return orElse(numberIn(value), "a number such as 12.5")
    case "integer": {
      const number = numberIn(value)
      return orElse(Number.isSafeInteger(number) ? number : null, "a whole number such as 12")
    }
    case "boolean":
      return orElse(typeof value === "boolean" ? value : booleans[text.toLowerCase()], "true or false")
    case "date":
      return orElse(isDay(text) ? text : null, "a date such as 2026-11-30")
    case "enum":
      return orElse(
        values?.find((one) => one === text) ?? values?.find((one) => one.toLowerCase() === text.toLowerCase()),
        `one of ${values?.join(", ")}`
      )
    default:
      return Either.right(value)
  }
}

/**
 * Reads a value as the type of an output variable: `"12"` is the number 12, and a value of an enum in other letters is that value.
 * Null and blank texts are null. The left side tells what the value must be, without repeating it.
 */
export const readOutput = (output: OutputVariable, value: unknown): Either.Either<VariableValue, string> => {
  if (value === null || (typeof value === "string" && value.trim() === "")) return Either.right(null)
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? readTyped(output, value)
    : Either.left("must be one value, and no list or object")
}
