import { BoardsFailure, Overloaded } from "@trunkline/errors"
import type { Scope } from "@trunkline/kernel"
import {
  checkStatement,
  maxRowsFor,
  type Query,
  type QueryRefused,
  type ResultColumn,
  Warehouse,
  type WarehouseBusy
} from "@trunkline/warehouse"
import { Effect, Either, Option } from "effect"
import type { Filter, FilterType } from "../filters/Filter.js"
import type { FilterValues, MergedValues } from "../filters/FilterValues.js"
import {
  type CompiledTemplate,
  compileTemplate,
  type FilterBinding,
  parseTemplate,
  type SqlTemplate
} from "../filters/SqlTemplate.js"

/** Rows of a result by default. */
export const defaultRowLimit = 1_000

/** Converts a warehouse's refusal to a failure of the boards API. */
const toBoardsFailure = ({ code, message }: QueryRefused): BoardsFailure => new BoardsFailure({ code, message })

/** Converts the warehouse's errors to failures of the boards API. */
export const mapWarehouseErrors = <A, R>(
  work: Effect.Effect<A, QueryRefused | WarehouseBusy, R>
): Effect.Effect<A, BoardsFailure | Overloaded, R> =>
  Effect.mapError(work, (failure) =>
    failure._tag === "QueryRefused"
      ? toBoardsFailure(failure)
      : new Overloaded({ message: failure.message, retryAfter: failure.retryAfter }))

/** A query, and how its columns are named. */
export interface BuiltQuery extends Pick<CompiledTemplate, "columnNames"> {
  readonly query: Query
}

/** Checks a statement and determines how many rows to read; its own LIMIT lowers the maximum. */
const toQuery = (
  { columnNames, parameters, text }: CompiledTemplate,
  row_limit: number
): Either.Either<BuiltQuery, BoardsFailure> =>
  Either.mapBoth(checkStatement(text, parameters.length), {
    onLeft: toBoardsFailure,
    onRight: (facts) => ({ columnNames, query: { text, parameters, maxRows: maxRowsFor(facts, row_limit) } })
  })

/** Names the columns of a result as they were written. */
export const nameColumns = <Result extends { readonly columns: ReadonlyArray<ResultColumn> }>(
  result: Result,
  { columnNames }: Pick<CompiledTemplate, "columnNames">
): Result => {
  const names = columnNames(result.columns.map(({ name }) => name))
  return {
    ...result,
    columns: result.columns.map((column, index) => ({ ...column, name: names[index] ?? column.name }))
  }
}

/** Compiles SQL with filter values to a query. */
export const buildQuery = (
  template: SqlTemplate,
  values: MergedValues,
  row_limit: number = defaultRowLimit
): Either.Either<BuiltQuery, BoardsFailure> =>
  Either.flatMap(
    compileTemplate(template, (name) => Option.fromNullable(values.get(name))),
    (statement) => toQuery(statement, row_limit)
  )

/** Filters that at least one of the templates uses. */
export const filtersUsedBy = (
  filters: ReadonlyArray<Filter>,
  templates: ReadonlyArray<SqlTemplate>
): ReadonlyArray<Filter> => {
  const names = new Set(templates.flatMap(({ names }) => names))
  return filters.filter(({ internal_name }) => names.has(internal_name))
}

/** Filter definitions for SQL that belongs to no board, from the types of the client's values. */
export const filtersFromValues = (
  values: FilterValues,
  { names }: SqlTemplate
): ReadonlyArray<Pick<Filter, "internal_name" | "filter_type" | "options" | "default_value">> =>
  Object.entries(values).filter(([name]) => names.includes(name)).map(([internal_name, { filter_type }]) => ({
    internal_name,
    filter_type,
    options: [],
    default_value: null
  }))

const moment = "2026-01-01T00:00:00.000Z"
const emptyText: FilterBinding = { _tag: "Scalar", value: "" }
const zero: FilterBinding = { _tag: "Scalar", value: 0 }

/** A sample value of each type, for preparing statements; the value itself does not matter. */
const samples: { readonly [T in FilterType]: FilterBinding } = {
  string: emptyText,
  dropdown: emptyText,
  number: zero,
  boolean: zero,
  date: { _tag: "Scalar", value: moment },
  date_range: { _tag: "Range", start: moment, end: moment, last: moment },
  list: { _tag: "List", items: [""] }
}

/**
 * Checks that SQL can run: the warehouse prepares it with all of its optional clauses and without any, and runs
 * nothing. `filters` are the known filters; other names count as strings, or as date ranges when their start or end is
 * used.
 *
 * Returns the columns of a result. Fails like a run of the SQL.
 */
export const checkSql = (
  scope: Scope,
  sql: string,
  filters: ReadonlyArray<Pick<Filter, "internal_name" | "filter_type">>
): Effect.Effect<ReadonlyArray<ResultColumn>, BoardsFailure | Overloaded, Warehouse> =>
  Effect.gen(function*() {
    const warehouse = yield* Warehouse
    const template = yield* parseTemplate(sql, filters.map(({ internal_name }) => internal_name))
    const typeOf = (name: string) =>
      filters.find(({ internal_name }) => internal_name === name)?.filter_type ??
        (template.ranges.includes(name) ? "date_range" : "string")
    const bindingOf = (name: string) => {
      const type = typeOf(name)
      return { type, binding: samples[type] }
    }
    const prepare = (names: ReadonlyArray<string>) =>
      Effect.gen(function*() {
        const statement = yield* compileTemplate(
          template,
          (name) => names.includes(name) ? Option.some(bindingOf(name)) : Option.none()
        )
        const { query: { parameters, text } } = yield* toQuery(statement, 1)
        const columns = yield* mapWarehouseErrors(warehouse.prepare(scope, { text, parameters }))
        return nameColumns({ columns }, statement).columns
      })
    const columns = yield* prepare(template.names)
    if (template.optional) yield* prepare(template.required)
    return columns
  })
