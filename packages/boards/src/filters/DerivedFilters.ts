import { BoardsFailure } from "@trunkline/errors"
import { Array, Effect, Either, Option } from "effect"
import { Filter, FilterId } from "./Filter.js"
import type { FilterDecl } from "./FilterDecl.js"
import { readValue } from "./FilterValue.js"
import { parseTemplate, type SqlTemplate } from "./SqlTemplate.js"

/** What of a widget decides on the filters of its board. */
export interface FilterUser {
  readonly sql: string
  /** What it declares now; absent for widgets that are as they were. */
  readonly filters?: ReadonlyArray<FilterDecl> | undefined
}

/** A board's widgets as they are to be, and its filters as they were. */
export interface FiltersOf {
  /** In the order in which they are shown. */
  readonly widgets: ReadonlyArray<FilterUser>
  readonly existing: ReadonlyArray<Filter>
  /** Makes the id of a filter that is new, such as `Ids.uuid`. */
  readonly newId: Effect.Effect<string>
}

const fail = (code: BoardsFailure["code"], message: string) => Either.left(new BoardsFailure({ code, message }))
const invalid = (message: string) => fail("INVALID_FILTER_VALUE", message)

/** A filter is sound when its default reads as its type, and only a dropdown has options (shapes 7.3). */
const sound = (filter: Filter): Either.Either<Filter, BoardsFailure> =>
  filter.filter_type !== "dropdown" && filter.options.length > 0
    ? invalid(`Only a dropdown has options; ${filter.internal_name} is of type ${filter.filter_type}`)
    // Whether it reads does not depend on the day from which relative days are seen.
    : Either.map(readValue(filter, filter.default_value, 0), () => filter)

/** What changes a filter: absent is unchanged, and so is null, which clears the default value alone (shapes 0.3). */
export type FilterChange = {
  readonly [K in "display_label" | "filter_type" | "default_value" | "options"]?: Filter[K] | null | undefined
}

/**
 * A filter with changes. Options that are not given anew go with the type that had them; the default value stays where it
 * reads as the new type too, and has to be given anew, or cleared, where it does not.
 * Fails with `INVALID_FILTER_VALUE` where the default does not read as the type, or what is no dropdown has options.
 * `is_required` is as it was: `derivedFilters` computes it.
 */
export const changedFilter = (filter: Filter, change: FilterChange): Either.Either<Filter, BoardsFailure> => {
  const filter_type = change.filter_type ?? filter.filter_type
  const kept = filter_type === filter.filter_type ? filter : { default_value: filter.default_value, options: [] }
  return sound(
    new Filter({
      ...filter,
      filter_type,
      display_label: change.display_label ?? filter.display_label,
      default_value: change.default_value === undefined ? kept.default_value : change.default_value,
      options: change.options ?? kept.options
    })
  )
}

/** One name with all that is said of it. */
interface Said {
  readonly name: string
  readonly declared: ReadonlyArray<FilterDecl>
  readonly before: Option.Option<Filter>
  readonly used: ReadonlyArray<{ readonly template: SqlTemplate; readonly declares: boolean }>
}

/** The one type that is meant: the declared one, else the one that it had; undeclared tokens are texts, or ranges. */
const typeOf = ({ before, declared, name, used }: Said): Either.Either<Filter["filter_type"], BoardsFailure> => {
  const bound = used.some(({ declares }) => !declares) ? before : Option.none()
  const types = Array.dedupe([...Option.toArray(bound), ...declared].map(({ filter_type }) => filter_type))
  const isRange = used.some(({ template }) => template.ranges.includes(name))
  const type = types[0] ?? Option.getOrUndefined(before)?.filter_type ?? (isRange ? "date_range" : "string")
  if (types.length > 1) return invalid(`Two widgets declare ${name} with different types: ${types.join(" and ")}`)
  return isRange && type !== "date_range"
    ? fail("INVALID_SQL", `{{${name}.start}} and {{${name}.end}} need a filter of type date_range, not ${type}`)
    : Either.right(type)
}

/** A filter of which nothing was said but its name. */
const unsaid = (internal_name: string, filter_type: Filter["filter_type"]): Filter =>
  new Filter({
    id: FilterId.make(""),
    internal_name,
    display_label: internal_name,
    filter_type,
    default_value: null,
    options: [],
    is_required: false
  })

const settled = (said: Said, newId: Effect.Effect<string>): Effect.Effect<Filter, BoardsFailure> =>
  Effect.gen(function*() {
    const { before, declared, name, used } = said
    const filter_type = yield* typeOf(said)
    const known = Option.isSome(before)
      ? before.value
      : new Filter({ ...unsaid(name, filter_type), id: FilterId.make(yield* newId) })
    const retyped: FilterChange = known.filter_type === filter_type
      ? {}
      : { filter_type, default_value: null, options: [] }
    const changes: ReadonlyArray<FilterChange> = [retyped, ...declared]
    const filter = yield* Effect.reduce(changes, known, (filter, change) => changedFilter(filter, change))
    const is_required = filter.default_value === null && used.some(({ template }) => template.required.includes(name))
    return new Filter({ ...filter, is_required })
  })

/** What is declared and not used makes no filter, but has to make sense as if it did. */
const declaredInVain = (filters: ReadonlyArray<FilterDecl>, { names }: SqlTemplate) =>
  Effect.forEach(
    filters.filter(({ internal_name }) => !names.includes(internal_name)),
    (declared) => changedFilter(unsaid(declared.internal_name, declared.filter_type), declared),
    { discard: true }
  )

/**
 * The filters of a board: one for each name that a widget's SQL uses, in the order of their first use (shapes 7.3). Those
 * that were there keep their id, label, default and options unless a declaration says otherwise; those that nobody uses
 * any more are gone. A name without a declaration is a text, or a range where its start or end is used.
 *
 * Fails with `INVALID_SQL` where a widget's SQL is not well formed, and with `INVALID_FILTER_VALUE` where a name has two
 * types, or a default value does not read as its type.
 */
export const derivedFilters = (
  { existing, newId, widgets }: FiltersOf
): Effect.Effect<ReadonlyArray<Filter>, BoardsFailure> =>
  Effect.gen(function*() {
    const users = yield* Effect.forEach(widgets, ({ filters = [], sql }) => {
      const declared = filters.map(({ internal_name }) => internal_name)
      return Either.map(parseTemplate(sql, declared), (template) => ({ template, filters, declared }))
    })
    yield* Effect.forEach(users, ({ filters, template }) => declaredInVain(filters, template), { discard: true })
    const names = Array.dedupe(users.flatMap(({ template }) => template.names))
    return yield* Effect.forEach(names, (name) =>
      settled({
        name,
        declared: users.flatMap(({ filters }) => filters.filter(({ internal_name }) => internal_name === name)),
        before: Array.findFirst(existing, ({ internal_name }) => internal_name === name),
        used: users.filter(({ template }) => template.names.includes(name)).map(({ declared, template }) => ({
          template,
          declares: declared.includes(name)
        }))
      }, newId))
  })
