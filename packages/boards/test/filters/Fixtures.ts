import { Filter, FilterId, type FilterType } from "@trunkline/boards"
import type { BoardsFailure } from "@trunkline/errors"
import type { WarehouseStatement } from "@trunkline/warehouse"
import { Either, Option } from "effect"
import { type BoundFilter, compileTemplate, parseTemplate } from "../../src/filters/SqlTemplate.js"

/** The value of a result, or the code of its failure. */
export const valueOrCode = <A>(result: Either.Either<A, BoardsFailure>): A | BoardsFailure["code"] =>
  Either.merge(Either.mapLeft(result, ({ code }) => code))

/** Compiles SQL with bindings by name. */
export const compile = (
  sql: string,
  bound: Readonly<Record<string, BoundFilter>> = {}
): Either.Either<WarehouseStatement, BoardsFailure> =>
  Either.flatMap(
    parseTemplate(sql),
    (template) =>
      compileTemplate(template, (name) => Object.hasOwn(bound, name) ? Option.fromNullable(bound[name]) : Option.none())
  )

/** A filter named `a`. */
export const filter = (filter_type: FilterType, parts: Partial<Filter> = {}): Filter =>
  new Filter({
    id: FilterId.make(`id-of-${parts.internal_name ?? "a"}`),
    internal_name: "a",
    display_label: "A",
    filter_type,
    default_value: null,
    options: [],
    is_required: false,
    ...parts
  })
