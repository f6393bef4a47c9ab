import { Option, Schema } from "effect"
import { dateFormat, parseIsoDate } from "./DateFormat.js"
import { languageName, languageOfState } from "./Languages.js"

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

/** One change to a cell's text, as a transformation file writes it (shapes 4.3). */
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

/** Changes a text, or cannot: then the row is rejected. */
export type TextTransform = (text: string) => Option.Option<string>

/** The longest text that a transform may make of a cell, in characters. */
export const longestValue = 65_536

const rupees = "(?:₹|rs\\.?|inr)"
const before = `[-+\u2212]?${rupees}?\\s*|${rupees}\\s*[-+\u2212]`
const whole = "\\d+|\\d{1,3}(?:,\\d{2,3})*,\\d{3}"
const after = "(?:\\.\\d+)?(?:\\s*/-)?"
const amount = new RegExp(`^(${before})(${whole})(${after})$`, "i")

/** The most digits before the point: the work of grouping grows with their square. */
const longestAmount = 40

/**
 * Digits in Indian groups, as in `12,34,567.50`. Sign, rupees (`₹`, `Rs.`, `INR` in front, `/-` behind) and decimals stay;
 * leading zeros go, and so do commas where they stand as Indian or Western groups have them. Takes at most 40 digits
 * before the point.
 */
const indianCurrency: TextTransform = (text) => {
  const [, before = "", grouped = "", after = ""] = amount.exec(text) ?? []
  const digits = grouped.replaceAll(",", "")
  return digits === "" || digits.length > longestAmount
    ? Option.none()
    : Option.some(before + digits.replace(/^0+(?=\d)/, "").replace(/\B(?=(?:\d{2})*\d{3}$)/g, ",") + after)
}

const date = (options: Extract<Transform, { readonly type: "date" }>): TextTransform => {
  const parse = options.input_format === undefined
    ? Option.some(parseIsoDate)
    : Option.map(dateFormat(options.input_format), (format) => format.parse)
  const output = dateFormat(options.output_format ?? "yyyy-MM-dd")
  return (text) =>
    Option.flatMap(
      Option.all({ parse, output }),
      ({ output, parse }) => Option.map(parse(text), output.format)
    )
}

/** Knows how long the text becomes before it makes it. */
const stringReplace =
  ({ find, replace }: Extract<Transform, { readonly type: "string_replace" }>): TextTransform => (text) => {
    const parts = text.split(find)
    const length = text.length + (parts.length - 1) * (replace.length - find.length)
    return length > longestValue ? Option.none() : Option.some(parts.join(replace))
  }

const capitalize = (text: string): string => {
  const [first = "", ...rest] = text
  return first.toUpperCase() + rest.join("").toLowerCase()
}

/** The function that a transform describes. */
export const textTransform = (transform: Transform): TextTransform => {
  switch (transform.type) {
    case "indian_currency":
      return indianCurrency
    case "date":
      return date(transform)
    case "string_replace":
      return stringReplace(transform)
    case "string_strip":
      return (text) => Option.some(text.trim())
    case "string_capitalize":
      return (text) => Option.some(capitalize(text))
    case "state_language_map":
      return (text) => Option.fromNullable(languageOfState(text))
    case "format_language_name":
      return (text) => Option.fromNullable(languageName(text))
  }
}
