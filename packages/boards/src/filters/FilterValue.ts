import { BoardsFailure } from "@trunkline/errors"
import { Timestamp } from "@trunkline/kernel"
import { DateTime, Either, Option, Schema } from "effect"
import { type Filter, type FilterType, MAX_LIST_LENGTH, MAX_VALUE_LENGTH } from "./Filter.js"
import type { Binding } from "./SqlTemplate.js"

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
  readonly binding: Binding
  /** Canonical text of the value, with relative days resolved; parses to the same value again. */
  readonly text: string | null
}

type Parser = (
  given: Exclude<FilterInput, null>,
  options: ReadonlyArray<string>,
  now: number
) => Option.Option<FilterValue>

const scalar = (value: string | number, text = String(value)): FilterValue => ({
  binding: { _tag: "Scalar", value },
  text
})

const encoder = new TextEncoder()
const isShort = (text: string) => text.length <= MAX_VALUE_LENGTH && encoder.encode(text).length <= MAX_VALUE_LENGTH
const textOf = Option.liftPredicate((given: FilterInput): given is string =>
  typeof given === "string" && isShort(given)
)

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
/** Normalizes -0 to 0, so that equal values have equal texts. */
const withoutNegativeZero = (number: number): number => number + 0
const parseNumber = (given: FilterInput): Option.Option<number> => {
  const number = typeof given === "string" ? decimal.test(given) ? Number(given) : NaN : given
  return typeof number === "number" && Number.isFinite(number)
    ? Option.some(withoutNegativeZero(number))
    : Option.none()
}

const parseBoolean = (given: FilterInput): Option.Option<boolean> =>
  given === true || given === "true"
    ? Option.some(true)
    : given === false || given === "false"
    ? Option.some(false)
    : Option.none()

const rangeFromText = Schema.decodeUnknownOption(Schema.parseJson(Range))
const rangeFromJson = Schema.decodeUnknownOption(Range)
const listFromText = Schema.decodeUnknownOption(Schema.parseJson(List))
const listFromJson = Schema.decodeUnknownOption(List)

const parameterOf = (item: Scalar): string | number =>
  typeof item === "string" ? item : withoutNegativeZero(Number(item))
const isItem = (item: Scalar) =>
  typeof item === "string" ? isShort(item) : typeof item === "boolean" || Number.isFinite(item)

const range = (start: Moment, end: Moment): FilterValue => ({
  binding: { _tag: "Range", start: start.start, end: end.end, last: end.last },
  text: JSON.stringify({ start: start.text, end: end.text })
})

const parsers: { readonly [T in FilterType]: Parser } = {
  string: (given) => Option.map(textOf(given), (text) => scalar(text)),
  dropdown: (given, options) =>
    textOf(given).pipe(
      Option.filter((text) => options.length === 0 || options.includes(text)),
      Option.map((text) => scalar(text))
    ),
  number: (given) => Option.map(parseNumber(given), (number) => scalar(number)),
  boolean: (given) => Option.map(parseBoolean(given), (flag) => scalar(Number(flag), String(flag))),
  date: (given, _, now) =>
    textOf(given).pipe(
      Option.flatMap((text) => parseMoment(text, now)),
      Option.map(({ start, text }) => scalar(start, text))
    ),
  date_range: (given, _, now) =>
    (typeof given === "string" ? rangeFromText(given) : rangeFromJson(given)).pipe(
      Option.flatMap(({ end, start }) => Option.all([parseMoment(start, now), parseMoment(end, now)])),
      Option.map(([start, end]) => range(start, end))
    ),
  list: (given) =>
    (typeof given === "string" ? listFromText(given) : listFromJson(given)).pipe(
      Option.filter((items) => items.length <= MAX_LIST_LENGTH && items.every(isItem)),
      Option.filter((items) => items.every((item) => typeof item === typeof items[0])),
      Option.map((items) => ({
        binding: { _tag: "List", items: items.map(parameterOf) },
        text: JSON.stringify(items)
      }))
    )
}

const expectations: { readonly [T in FilterType]: string } = {
  string: `be a text of at most ${MAX_VALUE_LENGTH} bytes`,
  dropdown: "be one of its options",
  number: "be a finite decimal number",
  boolean: "be true or false",
  date: "be a day such as 2026-01-31, a date and time such as 2026-01-31T09:30:00Z, or a day such as today-7d",
  date_range: "have a start and an end, each a day such as 2026-01-31 or today-7d, or a date and time",
  list: `be a list of at most ${MAX_LIST_LENGTH} values of one type`
}

/**
 * Parses a value as its filter's type; relative days are resolved at `now` (milliseconds since 1970). Every type also
 * accepts text; ranges and lists as JSON. A dropdown without options accepts any text.
 *
 * Fails with `INVALID_FILTER_VALUE`; the message does not repeat the value.
 */
export const parseFilterValue = (
  { filter_type, internal_name, options }: FilterShape,
  given: FilterInput,
  now: number
): Either.Either<FilterValue, BoardsFailure> =>
  given === null ? Either.right({ binding: null, text: null }) : Either.fromOption(
    parsers[filter_type](given, options, now),
    () =>
      new BoardsFailure({
        code: "INVALID_FILTER_VALUE",
        message: `A value of ${internal_name} (${filter_type}) must ${expectations[filter_type]}`
      })
  )
