import { BoardsFailure } from "@trunkline/errors"
import { Array, Effect, Either, Option } from "effect"
import { Filter, type FilterDecl, FilterId } from "./Filter.js"
import { parseFilterValue } from "./FilterValue.js"
import { parseTemplate, type SqlTemplate } from "./SqlTemplate.js"

/** Part of a widget that determines the filters of its board. */
export interface FilterSource {
  readonly sql: string
  /** Current declarations; absent for unchanged widgets. */
  readonly filters?: ReadonlyArray<FilterDecl> | undefined
}

/** Widgets after a change and filters before it. */
interface DeriveFiltersOptions {
  /** In display order. */
  readonly widgets: ReadonlyArray<FilterSource>
  readonly existingFilters: ReadonlyArray<Filter>
  /** Creates the id of a new filter, such as `Ids.uuid`. */
  readonly newId: Effect.Effect<string>
}

const fail = (code: BoardsFailure["code"], message: string) => Either.left(new BoardsFailure({ code, message }))
const invalid = (message: string) => fail("INVALID_FILTER_VALUE", message)

/** Checks that the default parses as the type and that only a dropdown has options. */
const validateFilter = (filter: Filter): Either.Either<Filter, BoardsFailure> =>
  filter.filter_type !== "dropdown" && filter.options.length > 0
    ? invalid(`Only a dropdown has options; ${filter.internal_name} is of type ${filter.filter_type}`)
    // The result does not depend on the current day, so any `now` will do.
    : Either.map(parseFilterValue(filter, filter.default_value, 0), () => filter)

/**
 * Change of a filter. Absent fields stay unchanged; null clears the default value and leaves other fields unchanged.
 */
export type FilterChange = {
  readonly [K in "display_label" | "filter_type" | "default_value" | "options"]?: Filter[K] | null | undefined
}

/**
 * Applies a change to a filter. A new type drops the options unless new ones are given. The default value stays when it
 * parses as the new type; otherwise it must be replaced or cleared.
 *
 * Fails with `INVALID_FILTER_VALUE` when the default does not parse as the type, or when a filter other than a dropdown
 * has options. Leaves `is_required` unchanged; `deriveFilters` computes it.
 */
export const applyFilterChange = (filter: Filter, change: FilterChange): Either.Either<Filter, BoardsFailure> => {
  const filter_type = change.filter_type ?? filter.filter_type
  const base = filter_type === filter.filter_type ? filter : { default_value: filter.default_value, options: [] }
  return validateFilter(
    new Filter({
      ...filter,
      filter_type,
      display_label: change.display_label ?? filter.display_label,
      default_value: change.default_value === undefined ? base.default_value : change.default_value,
      options: change.options ?? base.options
    })
  )
}

/** One filter name with its declarations, previous state and uses. */
interface FilterContext {
  readonly name: string
  readonly declarations: ReadonlyArray<FilterDecl>
  readonly before: Option.Option<Filter>
  readonly uses: ReadonlyArray<{ readonly template: SqlTemplate; readonly declares: boolean }>
}

/**
 * Determines the type of a filter: the declared type, or else the previous one; undeclared tokens are strings, or date
 * ranges.
 */
const resolveType = (
  { before, declarations, name, uses }: FilterContext
): Either.Either<Filter["filter_type"], BoardsFailure> => {
  const bound = uses.some(({ declares }) => !declares) ? before : Option.none()
  const types = Array.dedupe([...Option.toArray(bound), ...declarations].map(({ filter_type }) => filter_type))
  const isRange = uses.some(({ template }) => template.ranges.includes(name))
  const type = types[0] ?? Option.getOrUndefined(before)?.filter_type ?? (isRange ? "date_range" : "string")
  if (types.length > 1) return invalid(`Two widgets declare ${name} with different types: ${types.join(" and ")}`)
  return isRange && type !== "date_range"
    ? fail("INVALID_SQL", `{{${name}.start}} and {{${name}.end}} need a filter of type date_range, not ${type}`)
    : Either.right(type)
}

/** A filter known only by its name and type. */
const defaultFilter = (internal_name: string, filter_type: Filter["filter_type"]): Filter =>
  new Filter({
    id: FilterId.make(""),
    internal_name,
    display_label: internal_name,
    filter_type,
    default_value: null,
    options: [],
    is_required: false
  })

const resolveFilter = (context: FilterContext, newId: Effect.Effect<string>): Effect.Effect<Filter, BoardsFailure> =>
  Effect.gen(function*() {
    const { before, declarations, name, uses } = context
    const filter_type = yield* resolveType(context)
    const previous = Option.isSome(before)
      ? before.value
      : new Filter({ ...defaultFilter(name, filter_type), id: FilterId.make(yield* newId) })
    const typeChange: FilterChange = previous.filter_type === filter_type
      ? {}
      : { filter_type, default_value: null, options: [] }
    const changes: ReadonlyArray<FilterChange> = [typeChange, ...declarations]
    const filter = yield* Effect.reduce(changes, previous, (filter, change) => applyFilterChange(filter, change))
    const is_required = filter.default_value === null && uses.some(({ template }) => template.required.includes(name))
    return new Filter({ ...filter, is_required })
  })

/** Validates declarations of filters that the SQL does not use; they create no filter. */
const checkUnusedDeclarations = (filters: ReadonlyArray<FilterDecl>, { names }: SqlTemplate) =>
  Effect.forEach(
    filters.filter(({ internal_name }) => !names.includes(internal_name)),
    (declaration) => applyFilterChange(defaultFilter(declaration.internal_name, declaration.filter_type), declaration),
    { discard: true }
  )

/**
 * Derives the filters of a board: one per name that a widget's SQL uses, in order of first use. Existing filters keep
 * their id, label, default and options unless a declaration changes them; unused ones are dropped. An undeclared name
 * is a string, or a date range when its start or end is used.
 *
 * Fails with `INVALID_SQL` when a widget's SQL is malformed, and with `INVALID_FILTER_VALUE` when a name has two types
 * or a default value does not parse as its type.
 */
export const deriveFilters = (
  { existingFilters, newId, widgets }: DeriveFiltersOptions
): Effect.Effect<ReadonlyArray<Filter>, BoardsFailure> =>
  Effect.gen(function*() {
    const users = yield* Effect.forEach(widgets, ({ filters = [], sql }) => {
      const declaredNames = filters.map(({ internal_name }) => internal_name)
      return Either.map(
        parseTemplate(sql, declaredNames),
        (template) => ({ template, filters, declared: declaredNames })
      )
    })
    yield* Effect.forEach(users, ({ filters, template }) => checkUnusedDeclarations(filters, template), {
      discard: true
    })
    const names = Array.dedupe(users.flatMap(({ template }) => template.names))
    return yield* Effect.forEach(names, (name) =>
      resolveFilter({
        name,
        declarations: users.flatMap(({ filters }) => filters.filter(({ internal_name }) => internal_name === name)),
        before: Array.findFirst(existingFilters, ({ internal_name }) => internal_name === name),
        uses: users.filter(({ template }) => template.names.includes(name)).map(({ declared, template }) => ({
          template,
          declares: declared.includes(name)
        }))
      }, newId))
  })
