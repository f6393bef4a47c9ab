import { BoardsFailure } from "@trunkline/errors"
import { Either, Option, Schema } from "effect"
import { type Filter, FilterName, FilterType } from "./Filter.js"
import { FilterInput, type FilterShape, type FilterValue, parseFilterValue } from "./FilterValue.js"

/** Values by filter name, as a client sends them. */
export const FilterValues = Schema.Record({
  key: Schema.String,
  value: Schema.Struct({ filter_type: FilterType, value: FilterInput })
})
export type FilterValues = typeof FilterValues.Type

/** Effective values of a run: the client's over the defaults. Filters with neither are missing. */
export type MergedValues = ReadonlyMap<string, FilterValue & { readonly type: FilterType }>

const fail = (code: BoardsFailure["code"], message: string) => Either.left(new BoardsFailure({ code, message }))

const isName = Schema.is(FilterName)

type FilterDefinition = FilterShape & Pick<Filter, "default_value">

const mergeValue = (filter: FilterDefinition, inputs: FilterValues, now: number) => {
  const { default_value, filter_type, internal_name } = filter
  const input = Object.hasOwn(inputs, internal_name) ? Option.fromNullable(inputs[internal_name]) : Option.none()
  if (Option.isSome(input)) {
    return input.value.filter_type === filter_type
      ? Either.map(parseFilterValue(filter, input.value.value, now), Option.some)
      : fail("INVALID_FILTER_VALUE", `${internal_name} is of type ${filter_type}, not ${input.value.filter_type}`)
  }
  return default_value === null
    ? Either.right(Option.none<FilterValue>())
    : Either.map(parseFilterValue(filter, default_value, now), Option.some)
}

/**
 * Merges a client's values over the defaults of the filters that a run uses. A value of the client wins even when it is
 * null. Relative days are resolved at `now`, in milliseconds since 1970.
 *
 * Fails with `UNKNOWN_FILTER` for a value of another filter, and with `INVALID_FILTER_VALUE` for a value that has
 * another type than its filter or does not parse.
 */
export const mergeValues = (
  filters: ReadonlyArray<FilterDefinition>,
  inputs: FilterValues,
  now: number
): Either.Either<MergedValues, BoardsFailure> => {
  const filterNames = new Set(filters.map(({ internal_name }) => internal_name))
  const unknownName = Object.keys(inputs).find((name) => !filterNames.has(name))
  if (unknownName !== undefined) {
    return fail(
      "UNKNOWN_FILTER",
      `No SQL of this run uses the filter ${isName(unknownName) ? unknownName : "of this name"}`
    )
  }
  const values = new Map<string, FilterValue & { readonly type: FilterType }>()
  for (const filter of filters) {
    const value = mergeValue(filter, inputs, now)
    if (Either.isLeft(value)) return Either.left(value.left)
    if (Option.isSome(value.right)) {
      values.set(filter.internal_name, { ...value.right.value, type: filter.filter_type })
    }
  }
  return Either.right(values)
}

/** Effective values by filter name as text; null without a value. */
export const usedValues = (
  filters: ReadonlyArray<{ readonly internal_name: string }>,
  values: MergedValues
): { readonly [name: string]: string | null } =>
  Object.fromEntries(filters.map(({ internal_name }) => [internal_name, values.get(internal_name)?.text ?? null]))
