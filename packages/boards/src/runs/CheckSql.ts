import type { BoardsFailure, Overloaded } from "@trunkline/errors"
import type { Scope } from "@trunkline/kernel"
import { type ResultColumn, Warehouse } from "@trunkline/warehouse"
import { Effect, Option } from "effect"
import type { Filter, FilterType } from "../filters/Filter.js"
import { type Binding, compileTemplate, parseTemplate } from "../filters/SqlTemplate.js"
import { planned, reported } from "./Plan.js"

const moment = "2026-01-01T00:00:00.000Z"
const text: Binding = { _tag: "Scalar", value: "" }
const figure: Binding = { _tag: "Scalar", value: 0 }

/** A value of each type: which one does not matter for preparing. */
const samples: { readonly [T in FilterType]: Binding } = {
  string: text,
  dropdown: text,
  number: figure,
  boolean: figure,
  date: { _tag: "Scalar", value: moment },
  date_range: { _tag: "Range", start: moment, end: moment, last: moment },
  list: { _tag: "List", items: [""] }
}

/**
 * Whether SQL could be run: with all of its optional clauses and without any, the warehouse prepares it, and nothing runs
 * (decisions 8). `filters` are those that it may use; other names are texts, or ranges where their start or end is used.
 * Gives the columns that a result would have; fails as a run of it would.
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
    const prepared = (names: ReadonlyArray<string>) =>
      Effect.gen(function*() {
        const statement = yield* compileTemplate(
          template,
          (name) => names.includes(name) ? Option.some(bindingOf(name)) : Option.none()
        )
        yield* planned(statement, 1)
        return yield* reported(warehouse.prepare(scope, statement))
      })
    const columns = yield* prepared(template.names)
    if (template.optional) yield* prepared(template.required)
    return columns
  })
