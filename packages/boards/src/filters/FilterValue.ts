import { BoardsFailure } from "@trunkline/errors"
import { Timestamp } from "@trunkline/kernel"
import { DateTime, Either, Option, Schema } from "effect"
import { type Filter, type FilterType, maxListLength, maxValueLength } from "./Filter.js"
import { isInexact, parseLargeNumber, parseNumber, parseNumberText } from "./FilterNumber.js"
import type { BoundValue, FilterBinding } from "./SqlTemplate.js"

/** A day or a point in time. All times are fixed-width UTC texts, like those in the warehouse. */
interface Moment {
  /** The day as `YYYY-MM-DD`, or the time in UTC. */
  readonly text: string
  /** First millisecond of the day, or the time itself. */
  readonly start: string
  /** First millisecond after the day, or the time itself. */
  readonly end: string
  /** Last millisecond of the day, or the time itself. */
  readonly last: string
}

const dayLength = 24 * 60 * 60 * 1000
/** UTC offset of Asia/Kolkata, which has no daylight saving time. */
const utcOffset = 5.5 * 60 * 60 * 1000

const iso = (at: number): string => DateTime.formatIso(DateTime.unsafeMake(at))
const decode = Schema.decodeOption(Timestamp)
const parseTimestamp = (text: string) => Option.map(decode(text), ({ epochMillis }) => epochMillis)

const dayAt = (start: number): Moment => ({
  text: DateTime.formatIsoDateUtc(DateTime.unsafeMake(start + utcOffset)),
  start: iso(start),
  end: iso(start + dayLength),
  last: iso(start + dayLength - 1)
})

/** Start of the Indian day that contains a time. */
const startOfDay = (now: number): number => Math.floor((now + utcOffset) / dayLength) * dayLength - utcOffset

const startOfMonth = (now: number): number => {
  const today = startOfDay(now)
  const date = DateTime.getPartUtc(DateTime.unsafeMake(today + utcOffset), "day")
  return today - (date - 1) * dayLength
}

const relative = /^today(?:([+-]\d{1,4})d)?$/
const day = /^\d{4}-\d{2}-\d{2}$/

/**
 * Parses `YYYY-MM-DD`, an RFC 3339 timestamp (UTC without an offset), or a day relative to `now`: `today`, `today-7d`,
 * `today+1d` (up to four digits) or `month_start`. Days are those of Asia/Kolkata.
 */
export const parseMoment = (text: string, now: number): Option.Option<Moment> => {
  const [isRelative, days = "0"] = relative.exec(text) ?? []
  if (isRelative !== undefined) return Option.some(dayAt(startOfDay(now) + Number(days) * dayLength))
  if (text === "month_start") return Option.some(dayAt(startOfMonth(now)))
  if (day.test(text)) return Option.map(parseTimestamp(`${text}T00:00:00+05:30`), dayAt)
  return Option.map(parseTimestamp(text), (at) => ({ text: iso(at), start: iso(at), end: iso(at), last: iso(at) }))
}

const Scalar = Schema.Union(Schema.String, Schema.Number, Schema.Boolean)
type Scalar = typeof Scalar.Type
const List = Schema.Array(Scalar)
const Range = Schema.Struct({ start: Schema.String, end: Schema.String })

/** A filter value as a client sends it: as text or as the JSON type. Null is an explicit "no value". */
export const FilterInput = Schema.NullOr(Schema.Union(Scalar, List, Range))
export type FilterInput = typeof FilterInput.Type

/** Attributes of a filter that parsing a value depends on. */
export type FilterShape = Pick<Filter, "internal_name" | "filter_type" | "options">

/** A parsed value. */
export interface FilterValue {
  readonly binding: FilterBinding
  /** Canonical text of the value, with relative days resolved; parses to the same value again. */
  readonly text: string | null
}

type Parser = (
  input: Exclude<FilterInput, null>,
  options: ReadonlyArray<string>,
  now: number
) => Option.Option<FilterValue>

const scalar = (value: BoundValue, text = String(value)): FilterValue => ({
  binding: { _tag: "Scalar", value },
  text
})

const encoder = new TextEncoder()
const isShort = (text: string) => text.length <= maxValueLength && encoder.encode(text).length <= maxValueLength
const textOf = Option.liftPredicate((input: FilterInput): input is string =>
  typeof input === "string" && isShort(input)
)

const parseBoolean = (input: FilterInput): Option.Option<boolean> =>
  input === true || input === "true"
    ? Option.some(true)
    : input === false || input === "false"
    ? Option.some(false)
    : Option.none()

const rangeFromText = Schema.decodeUnknownOption(Schema.parseJson(Range))
const rangeFromJson = Schema.decodeUnknownOption(Range)
const listFromText = Schema.decodeUnknownOption(Schema.parseJson(List))
const listFromJson = Schema.decodeUnknownOption(List)

/** A string, a number, true or false in JSON. */
const jsonScalar = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false/g

/** Values that a list's item matches, and its JSON. */
interface Item {
  readonly values: ReadonlyArray<BoundValue>
  readonly json: string
}

/** The item of a list; `writtenText` is its JSON as the client wrote it, if known. */
const itemOf = (item: Scalar, writtenText: string | undefined): Option.Option<Item> => {
  if (typeof item === "boolean") return Option.some({ values: [Number(item)], json: String(item) })
  if (typeof item === "string") {
    return isShort(item)
      ? Option.some({ values: [item, ...Option.toArray(parseLargeNumber(item))], json: JSON.stringify(item) })
      : Option.none()
  }
  const number = writtenText === undefined ? parseNumber(item) : parseNumberText(writtenText)
  return Option.map(number, (value) => ({ values: [value], json: String(value) }))
}

const typeOfItem = (item: Scalar) =>
  typeof item === "string" && Option.isSome(parseLargeNumber(item)) ? "large number" : typeof item

/** True for values of one type. The text of a whole number beyond 2^53 goes with texts and with numbers. */
const areAlike = (items: ReadonlyArray<Scalar>): boolean => {
  const types = new Set(items.map(typeOfItem))
  return types.size <= 1 || (types.size === 2 && types.has("large number") && !types.has("boolean"))
}

const itemsOf = (input: Exclude<FilterInput, null>): Option.Option<ReadonlyArray<Item>> =>
  (typeof input === "string" ? listFromText(input) : listFromJson(input)).pipe(
    Option.filter((items) => items.length <= maxListLength && areAlike(items)),
    Option.flatMap((items) => {
      const literals = typeof input === "string" ? input.match(jsonScalar) ?? [] : []
      return Option.all(items.map((item, index) => itemOf(item, literals[index])))
    })
  )

const range = (start: Moment, end: Moment): FilterValue => ({
  binding: { _tag: "Range", start: start.start, end: end.end, last: end.last },
  text: JSON.stringify({ start: start.text, end: end.text })
})

const parsers: { readonly [T in FilterType]: Parser } = {
  string: (input) => Option.map(textOf(input), (text) => scalar(text)),
  dropdown: (input, options) =>
    textOf(input).pipe(
      Option.filter((text) => options.length === 0 || options.includes(text)),
      Option.map((text) => scalar(text))
    ),
  number: (input) => {
    const number = typeof input === "string"
      ? parseNumberText(input)
      : typeof input === "number"
      ? parseNumber(input)
      : Option.none()
    return Option.map(number, (number) => scalar(number))
  },
  boolean: (input) => Option.map(parseBoolean(input), (flag) => scalar(Number(flag), String(flag))),
  date: (input, _, now) =>
    textOf(input).pipe(
      Option.flatMap((text) => parseMoment(text, now)),
      Option.map(({ start, text }) => scalar(start, text))
    ),
  date_range: (input, _, now) =>
    (typeof input === "string" ? rangeFromText(input) : rangeFromJson(input)).pipe(
      Option.flatMap(({ end, start }) => Option.all([parseMoment(start, now), parseMoment(end, now)])),
      Option.map(([start, end]) => range(start, end))
    ),
  list: (input) =>
    Option.map(itemsOf(input), (items) => ({
      binding: { _tag: "List", items: items.flatMap(({ values }) => values) },
      text: `[${items.map(({ json }) => json).join(",")}]`
    }))
}

const expectations: { readonly [T in FilterType]: string } = {
  string: `be a text of at most ${maxValueLength} bytes`,
  dropdown: "be one of its options",
  number: "be a finite decimal number",
  boolean: "be true or false",
  date: "be a day such as 2026-01-31, a date and time such as 2026-01-31T09:30:00Z, or a day such as today-7d",
  date_range: "have a start and an end, each a day such as 2026-01-31 or today-7d, or a date and time",
  list: `be a list of at most ${maxListLength} values of one type`
}

const exactly = ". Write it as text: beyond 2^53, a JSON number may have been rounded"

/** True for a value that is rejected since JSON may have rounded its numbers. */
const isRounded = (filter_type: FilterType, input: FilterInput): boolean =>
  (filter_type === "number" && isInexact(input)) ||
  (filter_type === "list" && Array.isArray(input) && input.some(isInexact))

/**
 * Parses a value as its filter's type; relative days are resolved at `now` (milliseconds since 1970). Every type also
 * accepts text; ranges and lists as JSON. Whole numbers of 64 bits are exact as text; as a JSON number, one beyond 2^53 is
 * rejected, since it may have been rounded. In a list, the text of one matches the text and the number, since results
 * have both as text. A dropdown without options accepts any text.
 *
 * Fails with `INVALID_FILTER_VALUE`; the message does not repeat the value.
 */
export const parseFilterValue = (
  { filter_type, internal_name, options }: FilterShape,
  input: FilterInput,
  now: number
): Either.Either<FilterValue, BoardsFailure> =>
  input === null ? Either.right({ binding: null, text: null }) : Either.fromOption(
    parsers[filter_type](input, options, now),
    () =>
      new BoardsFailure({
        code: "INVALID_FILTER_VALUE",
        message: `A value of ${internal_name} (${filter_type}) must ${expectations[filter_type]}${
          isRounded(filter_type, input) ? exactly : ""
        }`
      })
  )
