import { type BoardsFailure, NotFound } from "@trunkline/errors"
import { trusted } from "@trunkline/kernel"
import { Array, Effect } from "effect"
import { changedFilter, derivedFilters } from "../filters/DerivedFilters.js"
import type { Filter, FilterId } from "../filters/Filter.js"
import type { FilterDecl } from "../filters/FilterDecl.js"
import { Board, type WidgetId, widgetsOf } from "./Board.js"
import type { PatchFilter } from "./BoardBodies.js"
import { changed, isEmpty, type Stamp } from "./Edit.js"

/** What one widget says of the filters that it uses. */
export interface Declarations {
  readonly widget: WidgetId
  readonly filters: ReadonlyArray<FilterDecl>
}

/** The board with just the filters that its widgets use; those that were there keep what is known of them. */
export const withFilters = (
  board: Board,
  newId: Effect.Effect<string>,
  declared?: Declarations
): Effect.Effect<Board, BoardsFailure> =>
  Effect.map(
    derivedFilters({
      widgets: widgetsOf(board).map(({ id, sql }) => ({
        sql,
        filters: id === declared?.widget ? declared.filters : undefined
      })),
      existing: board.filters,
      newId
    }),
    (filters) => new Board({ ...board, filters }, trusted)
  )

/** A filter of a board, or the failure that says that there is none. */
export const filterOf = (board: Board, id: FilterId): Effect.Effect<Filter, NotFound> =>
  Effect.mapError(
    Array.findFirst(board.filters, (filter) => filter.id === id),
    () => new NotFound({ resource: "filter", id })
  )

/** Changes what a filter says. Whether it suits the widgets that use it is still to be seen. */
export const changeFilter = (board: Board, stamp: Stamp, id: FilterId, patch: PatchFilter) =>
  Effect.gen(function*() {
    const before = yield* filterOf(board, id)
    if (isEmpty(patch, ["default_value"])) return board
    const filter = yield* changedFilter(before, patch)
    return changed(board, stamp, { filters: board.filters.map((other) => other.id === id ? filter : other) })
  })
