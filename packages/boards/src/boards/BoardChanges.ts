import { type BoardsFailure, NotFound } from "@trunkline/errors"
import { BusinessTime, type Scope, Transactions } from "@trunkline/kernel"
import { Data, Effect } from "effect"
import type { Filter } from "../filters/Filter.js"
import { type Actor, type Board, type BoardId, widgetsOf } from "./Board.js"
import { BoardStore } from "./BoardStore.js"
import { holdable, type Stamp, widgetsGone } from "./Edit.js"
import { WidgetDependents } from "./WidgetDependents.js"

/** SQL with the filters that it uses. */
export interface Usage {
  readonly sql: string
  readonly filters: ReadonlyArray<Filter>
}

const usagesOf = (board: Board): ReadonlyArray<Usage> =>
  widgetsOf(board).map(({ filters, sql }) => ({
    sql,
    filters: board.filters.filter(({ internal_name }) => filters.includes(internal_name))
  }))

/** Equal for what prepares alike: of its filters, only the types decide. */
const keyOf = ({ filters, sql }: Usage): string =>
  JSON.stringify([sql, ...filters.map(({ filter_type, internal_name }) => [internal_name, filter_type])])

/** A change that somebody asks for. */
export interface Change<E> {
  readonly scope: Scope
  readonly id: BoardId
  readonly actor: Actor
  /** The board as it becomes; the very one that it is given, where nothing changes. It may be asked more than once. */
  readonly edit: (board: Board, stamp: Stamp) => Effect.Effect<Board, E>
}

/** A change would save SQL that nobody has checked yet. */
class Unchecked extends Data.TaggedError("Unchecked")<{ readonly usages: ReadonlyArray<Usage> }> {}

/**
 * Makes changes to boards, one after the other: each sees the board as the one before left it. `check` is asked about
 * SQL that a change brings, or whose filters it gives another type, and never inside a transaction.
 */
export const makeBoardChanges = <C>(check: (scope: Scope, usage: Usage) => Effect.Effect<unknown, C>) =>
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
      gate: (before: Board, after: Board) => Effect.Effect<void, G>
    ): Effect.Effect<Board, E | G | NotFound | BoardsFailure> =>
      Effect.gen(function*() {
        const before = yield* find(scope, id)
        const board = yield* edit(before, { updated_by: actor, updated_at: yield* BusinessTime.date })
        if (board === before) return board
        yield* holdable(board)
        yield* gate(before, board)
        yield* store.put(scope, board)
        const gone = widgetsGone(before, board)
        if (gone.length > 0) yield* dependents.removed(scope, id, gone)
        return board
      }).pipe(transactions.run)

    /** Who is overtaken by another change while its SQL is checked looks at the board again. */
    const writeChecked = <E>(
      change: Change<E>,
      checked: ReadonlySet<string>
    ): Effect.Effect<Board, E | C | NotFound | BoardsFailure> =>
      Effect.catchAll(
        write(change, (before, after) => {
          const known = new Set(usagesOf(before).map(keyOf))
          const usages = usagesOf(after).filter((usage) => !known.has(keyOf(usage)) && !checked.has(keyOf(usage)))
          return usages.length > 0 ? new Unchecked({ usages }) : Effect.void
        }),
        (failure) => {
          if (!(failure instanceof Unchecked)) return Effect.fail(failure)
          const { usages } = failure
          return Effect.zipRight(
            Effect.forEach(usages, (usage) => check(change.scope, usage), { discard: true }),
            Effect.suspend(() => writeChecked(change, new Set([...checked, ...usages.map(keyOf)])))
          )
        }
      )

    return {
      find,
      /** Changes a board in what is not SQL; gives it as it became. */
      change: <E>(change: Change<E>) => write(change, () => Effect.void),
      /** Changes a board once its SQL is found good; gives it as it became. */
      changeChecked: <E>(change: Change<E>) => writeChecked(change, new Set())
    }
  })
