import { MemoryTable, type Scope, scopeKey } from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import type { Board, BoardId, BoardSummary } from "./Board.js"

/** Keeps boards, each as a whole. Every write joins the running transaction. */
export class BoardStore extends Context.Tag("@trunkline/boards/BoardStore")<BoardStore, {
  /** Adds or replaces a board of the workspace. */
  readonly put: (scope: Scope, board: Board) => Effect.Effect<void>
  readonly find: (scope: Scope, id: BoardId) => Effect.Effect<Option.Option<Board>>
  /** The board of exactly this name. */
  readonly findByName: (scope: Scope, name: string) => Effect.Effect<Option.Option<BoardSummary>>
  /** Those changed last come first; equal ones by ascending id. */
  readonly list: (
    scope: Scope,
    page: { readonly limit: number; readonly offset: number }
  ) => Effect.Effect<{ readonly items: ReadonlyArray<BoardSummary>; readonly total: number }>
  /** True when there was one to remove. */
  readonly remove: (scope: Scope, id: BoardId) => Effect.Effect<boolean>
}>() {
}
