import { BoardsFailure, Overloaded } from "@trunkline/errors"
import {
  checkStatement,
  maxRowsFor,
  type Query,
  type QueryRefused,
  type Statement,
  type WarehouseBusy
} from "@trunkline/warehouse"
import { Effect, Either, Option } from "effect"
import type { Filter } from "../filters/Filter.js"
import type { FilterValues, MergedValues } from "../filters/FilterValues.js"
import { compileTemplate, type SqlTemplate } from "../filters/SqlTemplate.js"
import { DEFAULT_ROW_LIMIT } from "./RunBodies.js"

/** A warehouse's refusal, as the boards report it. */
export const refusal = ({ code, message }: QueryRefused): BoardsFailure => new BoardsFailure({ code, message })

/** The failures of a warehouse, as the boards report them. */
export const reported = <A, R>(
  work: Effect.Effect<A, QueryRefused | WarehouseBusy, R>
): Effect.Effect<A, BoardsFailure | Overloaded, R> =>
  Effect.mapError(work, (failure) =>
    failure._tag === "QueryRefused"
      ? refusal(failure)
      : new Overloaded({ message: failure.message, retryAfter: failure.retryAfter }))

/** The query for a statement: how much of its result is read depends on what it says itself (design: boards 3.4). */
export const planned = (statement: Statement, row_limit: number): Either.Either<Query, BoardsFailure> =>
  Either.mapBoth(checkStatement(statement.text, statement.parameters.length), {
    onLeft: refusal,
    onRight: (facts) => ({ ...statement, maxRows: maxRowsFor(facts, row_limit) })
  })

/** The query for an analyst's SQL with values (decisions 8). */
export const queryOf = (
  template: SqlTemplate,
  values: MergedValues,
  row_limit: number = DEFAULT_ROW_LIMIT
): Either.Either<Query, BoardsFailure> =>
  Either.flatMap(
    compileTemplate(template, (name) => Option.fromNullable(values.get(name))),
    (statement) => planned(statement, row_limit)
  )

/** Those filters that some of these use. */
export const usedBy = (
  filters: ReadonlyArray<Filter>,
  templates: ReadonlyArray<SqlTemplate>
): ReadonlyArray<Filter> => {
  const names = new Set(templates.flatMap(({ names }) => names))
  return filters.filter(({ internal_name }) => names.has(internal_name))
}

/** The filters of SQL that belongs to no board: what the caller's values say that they are. */
export const definedBy = (
  given: FilterValues,
  { names }: SqlTemplate
): ReadonlyArray<Pick<Filter, "internal_name" | "filter_type" | "options" | "default_value">> =>
  Object.entries(given).filter(([name]) => names.includes(name)).map(([internal_name, { filter_type }]) => ({
    internal_name,
    filter_type,
    options: [],
    default_value: null
  }))
