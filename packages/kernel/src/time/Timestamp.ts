import { issueType } from "@trunkline/errors"
import { DateTime, Option, ParseResult, Schema } from "effect"
import { writtenAs } from "../json/JsonWriter.js"

const pattern =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d+))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/

const isLeapYear = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

const daysIn = (year: number, month: number): number =>
  month === 2 ? (isLeapYear(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31

const wireLength = "2026-01-31T12:00:00.000Z".length

const parse = (text: string): Option.Option<DateTime.Utc> => {
  const match = pattern.exec(text.toUpperCase())
  if (match === null) return Option.none()
  const [, year, month, day, time, fraction = "0", offset = "Z"] = match
  if (Number(day) > daysIn(Number(year), Number(month))) return Option.none()
  return DateTime.make(`${year}-${month}-${day}T${time}.${fraction.slice(0, 3)}${offset}`).pipe(
    Option.map(DateTime.toUtc),
    Option.filter((at) => DateTime.formatIso(at).length === wireLength)
  )
}

const timestampForm = "Must be a date and time by RFC 3339, such as 2026-01-31T09:30:00Z"

const RfcText = Schema.String.annotations({
  jsonSchema: { type: "string", format: "date-time" },
  message: (issue) => issue.actual === undefined ? "This field is required" : timestampForm,
  ...issueType("string_type")
})

/**
 * A moment: an RFC 3339 string when encoded, a `DateTime.Utc` when decoded.
 *
 * Decoding accepts `Z` or an offset and defaults to UTC; digits beyond milliseconds are dropped. Impossible dates, leap
 * seconds and years outside 0000 to 9999 fail with issue type `datetime_parsing`. Encoding always writes UTC with `Z` and
 * milliseconds.
 */
export const Timestamp = Schema.transformOrFail(RfcText, Schema.DateTimeUtcFromSelf, {
  strict: true,
  decode: (text, _, ast) =>
    Option.match(parse(text), {
      onNone: () => ParseResult.fail(new ParseResult.Type(ast, text, timestampForm)),
      onSome: ParseResult.succeed
    }),
  encode: (at) => ParseResult.succeed(DateTime.formatIso(at))
}).annotations({
  identifier: "Timestamp",
  ...issueType("datetime_parsing"),
  ...writtenAs((at: DateTime.Utc) => `"${DateTime.formatIso(at)}"`)
})
export type Timestamp = typeof Timestamp.Type
