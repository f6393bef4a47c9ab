import { BoardsFailure } from "@trunkline/errors"
import { Either, Option, Schema } from "effect"
import type { Filter, FilterType } from "./Filter.js"
import { MAX_LIST_LENGTH, MAX_VALUE_LENGTH } from "./FilterDecl.js"
import { type Moment, readMoment } from "./Moments.js"
import type { Binding } from "./SqlTemplate.js"

const Scalar = Schema.Union(Schema.String, Schema.Number, Schema.Boolean)
type Scalar = typeof Scalar.Type
const List = Schema.Array(Scalar)
const Range = Schema.Struct({ start: Schema.String, end: Schema.String })

/** A value as a caller sends it: as text or as the JSON type; null is "no value", on purpose (decisions 7). */
export const GivenValue = Schema.NullOr(Schema.Union(Scalar, List, Range))
export type GivenValue = typeof GivenValue.Type

/** What has to be known of a filter to read a value of it. */
export type FilterShape = Pick<Filter, "internal_name" | "filter_type" | "options">

/** A value that was read. */
export interface FilterValue {
  readonly binding: Binding
  /** The value written out the one way, days seen from now as the days they are; reads as the same value again. */
  readonly text: string | null
}

type Reader = (
  given: Exclude<GivenValue, null>,
  options: ReadonlyArray<string>,
  now: number
) => Option.Option<FilterValue>

const scalar = (value: string | number, text = String(value)): FilterValue => ({
  binding: { _tag: "Scalar", value },
  text
})

const encoder = new TextEncoder()
const isShort = (text: string) => text.length <= MAX_VALUE_LENGTH && encoder.encode(text).length <= MAX_VALUE_LENGTH
const textOf = Option.liftPredicate((given: GivenValue): given is string => typeof given === "string" && isShort(given))

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
/** Zero has one sign, so that equal values are equal texts. */
const unsigned = (figure: number): number => figure + 0
const figureOf = (given: GivenValue): Option.Option<number> => {
  const figure = typeof given === "string" ? decimal.test(given) ? Number(given) : NaN : given
  return typeof figure === "number" && Number.isFinite(figure) ? Option.some(unsigned(figure)) : Option.none()
}

const truthOf = (given: GivenValue): Option.Option<boolean> =>
  given === true || given === "true"
    ? Option.some(true)
    : given === false || given === "false"
    ? Option.some(false)
    : Option.none()

const rangeFromText = Schema.decodeUnknownOption(Schema.parseJson(Range))
const rangeFromJson = Schema.decodeUnknownOption(Range)
const listFromText = Schema.decodeUnknownOption(Schema.parseJson(List))
const listFromJson = Schema.decodeUnknownOption(List)

const parameterOf = (item: Scalar): string | number => typeof item === "string" ? item : unsigned(Number(item))
const isItem = (item: Scalar) =>
  typeof item === "string" ? isShort(item) : typeof item === "boolean" || Number.isFinite(item)

const range = (start: Moment, end: Moment): FilterValue => ({
  binding: { _tag: "Range", start: start.start, end: end.end, last: end.last },
  text: JSON.stringify({ start: start.text, end: end.text })
})

const readers: { readonly [T in FilterType]: Reader } = {
  string: (given) => Option.map(textOf(given), (text) => scalar(text)),
  dropdown: (given, options) =>
    textOf(given).pipe(
      Option.filter((text) => options.length === 0 || options.includes(text)),
      Option.map((text) => scalar(text))
    ),
  number: (given) => Option.map(figureOf(given), (figure) => scalar(figure)),
  boolean: (given) => Option.map(truthOf(given), (truth) => scalar(Number(truth), String(truth))),
  date: (given, _, now) =>
    textOf(given).pipe(
      Option.flatMap((text) => readMoment(text, now)),
      Option.map(({ start, text }) => scalar(start, text))
    ),
  date_range: (given, _, now) =>
    (typeof given === "string" ? rangeFromText(given) : rangeFromJson(given)).pipe(
      Option.flatMap(({ end, start }) => Option.all([readMoment(start, now), readMoment(end, now)])),
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
 * Reads a value as its filter's type, seen from `now` (milliseconds since 1970): the table of design: boards 3.5, with
 * text for every type besides (decisions 7), ranges and lists as JSON. A dropdown without options takes any text.
 * Fails with `INVALID_FILTER_VALUE`, without repeating the value.
 */
export const readValue = (
  { filter_type, internal_name, options }: FilterShape,
  given: GivenValue,
  now: number
): Either.Either<FilterValue, BoardsFailure> =>
  given === null ? Either.right({ binding: null, text: null }) : Either.fromOption(
    readers[filter_type](given, options, now),
    () =>
      new BoardsFailure({
        code: "INVALID_FILTER_VALUE",
        message: `A value of ${internal_name} (${filter_type}) has to ${expectations[filter_type]}`
      })
  )
