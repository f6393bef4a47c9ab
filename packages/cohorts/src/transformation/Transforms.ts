import { defaultTimeZone, type TimeZone } from "@trunkline/kernel"
import { languageNameOf } from "@trunkline/spoken-text"
import { Option, Schema } from "effect"
import { dateFormat, parseIsoDate } from "./DateFormat.js"
import { languageOfState } from "./Languages.js"

const DateFormatText = Schema.String.pipe(
  Schema.maxLength(64),
  Schema.filter((text) =>
    Option.isSome(dateFormat(text)) || "Should be made of yyyy, MM, dd, HH, mm, ss and their like"
  )
)
const InputFormat = DateFormatText.pipe(
  Schema.filter((text) =>
    Option.exists(dateFormat(text), (format) => format.readable) || "Should name year, month and day, each field once"
  )
)

const ReplaceText = Schema.String.pipe(Schema.maxLength(1000))

/** A change to the text of a cell, as in a transformation file. */
export const Transform = Schema.Union(
  Schema.Struct({ type: Schema.Literal("indian_currency") }),
  Schema.Struct({
    type: Schema.Literal("date"),
    input_format: Schema.optional(InputFormat),
    output_format: Schema.optional(DateFormatText)
  }),
  Schema.Struct({
    type: Schema.Literal("string_replace"),
    find: ReplaceText.pipe(Schema.minLength(1)),
    replace: ReplaceText
  }),
  Schema.Struct({ type: Schema.Literal("string_strip") }),
  Schema.Struct({ type: Schema.Literal("string_capitalize") }),
  Schema.Struct({ type: Schema.Literal("state_language_map") }),
  Schema.Struct({ type: Schema.Literal("format_language_name") })
)
export type Transform = typeof Transform.Type

/** Changes a text; none if it cannot, which rejects the row. */
export type TextTransform = (text: string) => Option.Option<string>

/** Most characters that a transform may make of a cell. */
export const maxValueLength = 65_536

const rupees = "(?:₹|rs\\.?|inr)"
const before = `[-+\u2212]?${rupees}?\\s*|${rupees}\\s*[-+\u2212]`
const whole = "\\d+|\\d{1,3}(?:,\\d{2,3})*,\\d{3}"
const after = "(?:\\.\\d+)?(?:\\s*/-)?"
const amount = new RegExp(`^(${before})(${whole})(${after})$`, "i")

/** Most digits before the decimal point, because grouping takes quadratic time. */
const maxAmountDigits = 40

/**
 * Groups digits in the Indian way, as in `12,34,567.50`. Keeps the sign, rupees (`₹`, `Rs.`, `INR` in front, `/-` behind)
 * and decimals; removes leading zeros and the commas of Indian or Western groups. Accepts at most 40 digits before the
 * decimal point.
 */
const indianCurrency: TextTransform = (text) => {
  const [, before = "", groupedDigits = "", after = ""] = amount.exec(text) ?? []
  const digits = groupedDigits.replaceAll(",", "")
  return digits === "" || digits.length > maxAmountDigits
    ? Option.none()
    : Option.some(before + digits.replace(/^0+(?=\d)/, "").replace(/\B(?=(?:\d{2})*\d{3}$)/g, ",") + after)
}

const date = (options: Extract<Transform, { readonly type: "date" }>, zone: TimeZone): TextTransform => {
  const parse = options.input_format === undefined
    ? Option.some(parseIsoDate(zone))
    : Option.map(dateFormat(options.input_format), (format) => format.parse)
  const output = dateFormat(options.output_format ?? "yyyy-MM-dd")
  return (text) =>
    Option.flatMap(
      Option.all({ parse, output }),
      ({ output, parse }) => Option.map(parse(text), output.format)
    )
}

/** Computes the length of the result before making it. */
const stringReplace =
  ({ find, replace }: Extract<Transform, { readonly type: "string_replace" }>): TextTransform => (text) => {
    const parts = text.split(find)
    const length = text.length + (parts.length - 1) * (replace.length - find.length)
    return length > maxValueLength ? Option.none() : Option.some(parts.join(replace))
  }

const capitalize = (text: string): string => {
  const [first = "", ...rest] = text
  return first.toUpperCase() + rest.join("").toLowerCase()
}

/** The function of a transform; times with an offset are converted to the zone. */
export const textTransform = (transform: Transform, zone: TimeZone = defaultTimeZone): TextTransform => {
  switch (transform.type) {
    case "indian_currency":
      return indianCurrency
    case "date":
      return date(transform, zone)
    case "string_replace":
      return stringReplace(transform)
    case "string_strip":
      return (text) => Option.some(text.trim())
    case "string_capitalize":
      return (text) => Option.some(capitalize(text))
    case "state_language_map":
      return (text) => Option.fromNullable(languageOfState(text))
    case "format_language_name":
      return (text) => Option.fromNullable(languageNameOf(text))
  }
}
