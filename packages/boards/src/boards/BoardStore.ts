import { MemoryTable, type Scope, scopeKey } from "@trunkline/kernel"
import { Array, Context, Effect, Layer, Option, Order } from "effect"
import { type Board, type BoardId, type BoardSummary, summaryOf } from "./Board.js"

/**
 * Stores boards, each as a whole. Writes join the running transaction. `boardStoreLaws` from
 * `@trunkline/boards/testing` checks an implementation.
 */
export class BoardStore extends Context.Tag("@trunkline/boards/BoardStore")<BoardStore, {
  /** Inserts or replaces a board of the workspace. */
  readonly put: (scope: Scope, board: Board) => Effect.Effect<void>
  readonly find: (scope: Scope, id: BoardId) => Effect.Effect<Option.Option<Board>>
  /** Finds the board with exactly this name. */
  readonly findByName: (scope: Scope, name: string) => Effect.Effect<Option.Option<BoardSummary>>
  /** Lists boards by descending `updated_at`, then ascending id. */
  readonly list: (
    scope: Scope,
    page: { readonly limit: number; readonly offset: number }
  ) => Effect.Effect<{ readonly items: ReadonlyArray<BoardSummary>; readonly total: number }>
  /** Deletes a board. Returns false when there is none. */
  readonly remove: (scope: Scope, id: BoardId) => Effect.Effect<boolean>
}>() {
  /** Stores boards in memory. */
  static readonly layerMemory = Layer.sync(BoardStore, () => {
    const rows = MemoryTable.make<BoardId, { readonly scope: Scope; readonly board: Board }>()
    const boardsOf = (scope: Scope) =>
      [...rows.values()].filter((row) => scopeKey(row.scope) === scopeKey(scope)).map(({ board }) => board)
    const find = (scope: Scope, id: BoardId) =>
      Option.fromNullable(rows.get(id)).pipe(
        Option.filter((row) => scopeKey(row.scope) === scopeKey(scope)),
        Option.map(({ board }) => board)
      )
    return BoardStore.of({
      put: (scope, board) => rows.set(board.id, { scope, board }),
      find: (scope, id) => Effect.sync(() => find(scope, id)),
      findByName: (scope, name) =>
        Effect.sync(() => Option.map(Array.findFirst(boardsOf(scope), (board) => board.name === name), summaryOf)),
      list: (scope, { limit, offset }) =>
        Effect.sync(() => {
          const sortedBoards = Array.sort(boardsOf(scope), lastChangedFirst)
          return { items: sortedBoards.slice(offset, offset + limit).map(summaryOf), total: sortedBoards.length }
        }),
      remove: (scope, id) =>
        Effect.suspend(() => Option.isSome(find(scope, id)) ? rows.delete(id) : Effect.succeed(false))
    })
  })
}

const lastChangedFirst = Order.combine(
  Order.mapInput(Order.reverse(Order.number), (board: Board) => board.updated_at.epochMillis),
  Order.mapInput(Order.string, (board: Board) => board.id)
)
