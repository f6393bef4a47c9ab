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

/**
 * Digits in Indian groups, as in `12,34,567.50`: sign and decimals stay, existing commas and leading zeros go. Takes at
 * most 40 digits before the point, since the work grows with their square.
 */
const indianCurrency: TextTransform = (text) =>
  Option.map(
    Option.fromNullable(/^([+-]?)(\d{1,40})(\.\d+)?$/.exec(text.replaceAll(/(?<=\d),(?=\d)/g, ""))),
    ([, sign = "", whole = "", decimals = ""]) =>
      sign + whole.replace(/^0+(?=\d)/, "").replace(/\B(?=(?:\d{2})*\d{3}$)/g, ",") + decimals
  )

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
      return (text) => Option.some(text.replaceAll(transform.find, () => transform.replace))
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
