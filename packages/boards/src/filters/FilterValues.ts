import { BoardsFailure } from "@trunkline/errors"
import { Either, Option, Schema } from "effect"
import { type Filter, FilterName, FilterType } from "./Filter.js"
import { type FilterShape, type FilterValue, GivenValue, readValue } from "./FilterValue.js"

/** Values that a caller gives, by the names of their filters; both keys are required (specification, shapes 7.5). */
export const FilterValues = Schema.Record({
  key: Schema.String,
  value: Schema.Struct({ filter_type: FilterType, value: GivenValue })
})
export type FilterValues = typeof FilterValues.Type

/** The values that hold for a run: with the caller's over the defaults. Filters without either are not in it. */
export type MergedValues = ReadonlyMap<string, FilterValue & { readonly type: FilterType }>

const fail = (code: BoardsFailure["code"], message: string) => Either.left(new BoardsFailure({ code, message }))

const isName = Schema.is(FilterName)

type Defined = FilterShape & Pick<Filter, "default_value">

const merged = (filter: Defined, given: FilterValues, now: number) => {
  const { default_value, filter_type, internal_name } = filter
  const own = Object.hasOwn(given, internal_name) ? Option.fromNullable(given[internal_name]) : Option.none()
  if (Option.isSome(own)) {
    return own.value.filter_type === filter_type
      ? Either.map(readValue(filter, own.value.value, now), Option.some)
      : fail("INVALID_FILTER_VALUE", `${internal_name} is of type ${filter_type}, not ${own.value.filter_type}`)
  }
  return default_value === null
    ? Either.right(Option.none<FilterValue>())
    : Either.map(readValue(filter, default_value, now), Option.some)
}

/**
 * Merges a caller's values over the defaults of the filters that a run uses: the caller's, null included, beats the
 * default (design: boards 3.5). Days such as `today` are those of `now`, in milliseconds since 1970.
 *
 * Fails with `UNKNOWN_FILTER` for a value that belongs to none of them, and with `INVALID_FILTER_VALUE` for one that is
 * of another type than its filter or does not read as it.
 */
export const mergeValues = (
  filters: ReadonlyArray<Defined>,
  given: FilterValues,
  now: number
): Either.Either<MergedValues, BoardsFailure> => {
  const known = new Set(filters.map(({ internal_name }) => internal_name))
  const unknown = Object.keys(given).find((name) => !known.has(name))
  if (unknown !== undefined) {
    return fail("UNKNOWN_FILTER", `No SQL of this run uses the filter ${isName(unknown) ? unknown : "of this name"}`)
  }
  const values = new Map<string, FilterValue & { readonly type: FilterType }>()
  for (const filter of filters) {
    const value = merged(filter, given, now)
    if (Either.isLeft(value)) return Either.left(value.left)
    if (Option.isSome(value.right)) {
      values.set(filter.internal_name, { ...value.right.value, type: filter.filter_type })
    }
  }
  return Either.right(values)
}

/** What a run used, by name, as text: null where there was no value (shapes 7.5). */
export const usedValues = (
  filters: ReadonlyArray<{ readonly internal_name: string }>,
  values: MergedValues
): { readonly [name: string]: string | null } =>
  Object.fromEntries(filters.map(({ internal_name }) => [internal_name, values.get(internal_name)?.text ?? null]))
