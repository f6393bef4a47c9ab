import { type BoardsFailure, NotFound } from "@trunkline/errors"
import { BusinessTime, type Scope, Transactions } from "@trunkline/kernel"
import { Context, Data, Effect } from "effect"
import type { Filter } from "../filters/Filter.js"
import { type Actor, type Board, type BoardId, type WidgetId, widgetsOf } from "./Board.js"
import { BoardStore } from "./BoardStore.js"
import { checkBoardSize, removedWidgets, type Stamp, withReplacedFilters } from "./Layout.js"

/**
 * Hook for data that depends on widgets and is deleted with them, such as notification rules. Does nothing by default.
 */
export class WidgetDependents extends Context.Reference<WidgetDependents>()("@trunkline/boards/WidgetDependents", {
  defaultValue: (): {
    /** Called when widgets of a board are removed, in the same transaction. */
    readonly onWidgetsRemoved: (
      scope: Scope,
      board_id: BoardId,
      widget_ids: ReadonlyArray<WidgetId>
    ) => Effect.Effect<void>
  } => ({ onWidgetsRemoved: () => Effect.void })
}) {}

/** SQL with the filters that it uses. */
interface SqlUsage {
  readonly sql: string
  readonly filters: ReadonlyArray<Filter>
}

const usagesOf = (board: Board): ReadonlyArray<SqlUsage> =>
  widgetsOf(board).map(({ filters, sql }) => ({
    sql,
    filters: board.filters.filter(({ internal_name }) => filters.includes(internal_name))
  }))

/** Key that is equal for SQL that prepares alike: of the filters, only names and types matter. */
const keyOf = ({ filters, sql }: SqlUsage): string =>
  JSON.stringify([sql, ...filters.map(({ filter_type, internal_name }) => [internal_name, filter_type])])

/** A change to a board. */
interface Change<E> {
  readonly scope: Scope
  readonly id: BoardId
  readonly actor: Actor
  /** Computes the changed board, or returns the given board when nothing changes. May run more than once. */
  readonly edit: (board: Board, stamp: Stamp) => Effect.Effect<Board, E>
}

/** The change would save SQL that has not been checked yet. */
class UncheckedSql extends Data.TaggedError("Unchecked")<{ readonly usages: ReadonlyArray<SqlUsage> }> {}

/**
 * Applies changes to boards one after the other, each on the result of the previous one. `check` validates SQL that a
 * change adds, or whose filters change type; it never runs inside a transaction.
 */
export const makeBoardChanges = <C>(check: (scope: Scope, usage: SqlUsage) => Effect.Effect<unknown, C>) =>
  Effect.gen(function*() {
    const store = yield* BoardStore
    const transactions = yield* Transactions
    const dependents = yield* WidgetDependents

    const find = (scope: Scope, id: BoardId): Effect.Effect<Board, NotFound> =>
      Effect.flatMap(
        store.find(scope, id),
        Effect.mapError(() => new NotFound({ resource: "board", id }))
      )

    const write = <E, G>(
      { actor, edit, id, scope }: Change<E>,
      guard: (before: Board, after: Board) => Effect.Effect<void, G>
    ): Effect.Effect<Board, E | G | NotFound | BoardsFailure> =>
      Effect.gen(function*() {
        const before = yield* find(scope, id)
        const editedBoard = yield* edit(before, { updated_by: actor, updated_at: yield* BusinessTime.date })
        if (editedBoard === before) return before
        const board = withReplacedFilters(before, editedBoard)
        yield* checkBoardSize(board)
        yield* guard(before, board)
        yield* store.put(scope, board)
        const removedIds = removedWidgets(before, board)
        if (removedIds.length > 0) yield* dependents.onWidgetsRemoved(scope, id, removedIds)
        return board
      }).pipe(transactions.run)

    /** Retries with the newest board when another change overtook the SQL check. */
    const writeChecked = <E>(
      change: Change<E>,
      checkedIds: ReadonlySet<string>
    ): Effect.Effect<Board, E | C | NotFound | BoardsFailure> =>
      Effect.catchAll(
        write(change, (before, after) => {
          const keysBefore = new Set(usagesOf(before).map(keyOf))
          const usages = usagesOf(after).filter((usage) =>
            !keysBefore.has(keyOf(usage)) && !checkedIds.has(keyOf(usage))
          )
          return usages.length > 0 ? new UncheckedSql({ usages }) : Effect.void
        }),
        (failure) => {
          if (!(failure instanceof UncheckedSql)) return Effect.fail(failure)
          const { usages } = failure
          return Effect.zipRight(
            Effect.forEach(usages, (usage) => check(change.scope, usage), { discard: true }),
            Effect.suspend(() => writeChecked(change, new Set([...checkedIds, ...usages.map(keyOf)])))
          )
        }
      )

    return {
      find,
      /** Applies a change that does not affect SQL, and returns the changed board. */
      change: <E>(change: Change<E>) => write(change, () => Effect.void),
      /** Applies a change after checking its SQL, and returns the changed board. */
      changeChecked: <E>(change: Change<E>) => writeChecked(change, new Set())
    }
  })
