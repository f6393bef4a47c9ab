import type { BoardsFailure, Invalid, NotFound, Overloaded } from "@trunkline/errors"
import type { Scope } from "@trunkline/kernel"
import { Context, type Effect, Layer } from "effect"
import type { Filter, FilterId } from "../filters/Filter.js"
import type { Actor, BoardId, BoardRecord, BoardSummary, TabId, TabRecord, WidgetId, WidgetRecord } from "./Board.js"
import type {
  CreateBoard,
  CreateTab,
  CreateWidget,
  ListBoards,
  PatchBoard,
  PatchFilter,
  PatchTab,
  PatchWidget
} from "./BoardBodies.js"
import { makeBoards } from "./MakeBoards.js"

/** Failures of saving a widget or a filter. `Overloaded` means that the warehouse is too busy to check the SQL. */
export type SaveFailure = NotFound | BoardsFailure | Invalid | Overloaded

/** A widget with the board that it is on. */
export interface WidgetOnBoard {
  readonly board: BoardRecord
  readonly widget: WidgetRecord
}

/**
 * Boards of a workspace, with their tabs, widgets and filters.
 *
 * Every change is one transaction on the newest state of its board and updates the board's `updated_by` and
 * `updated_at`. Positions always run from 0 to n - 1: other items make room or close up, and a position beyond the end
 * means the end. SQL is prepared before it is saved, but never run. A missing board, tab, widget or filter fails with
 * `NotFound`, as does one of another workspace or board; exceeding a limit fails with the code `RESOURCE_LIMIT`. A
 * patch without changes returns the record without updating it.
 *
 * @example
 * ```ts
 * import { Boards, BoardStore } from "@trunkline/boards"
 * import { Ids, type Scope, Transactions } from "@trunkline/kernel"
 * import { warehouseMemory } from "@trunkline/warehouse"
 * import { Effect, Layer } from "effect"
 *
 * const program = (scope: Scope) =>
 *   Effect.gen(function*() {
 *     const boards = yield* Boards
 *     return yield* boards.create(scope, { name: "Daily calls", tag: null }, { type: "api_key", id: "demo" })
 *   })
 *
 * const layer = Boards.layer.pipe(
 *   Layer.provide([BoardStore.layerMemory, warehouseMemory, Ids.layer, Transactions.layerMemory])
 * )
 * ```
 */
export class Boards extends Context.Tag("@trunkline/boards/Boards")<Boards, {
  /** Lists boards, most recently changed first. */
  readonly list: (
    scope: Scope,
    page: ListBoards
  ) => Effect.Effect<{ readonly items: ReadonlyArray<BoardSummary>; readonly total: number }>
  /** Creates a board with one tab. Fails with `DUPLICATE_NAME` when the workspace has a board of exactly this name. */
  readonly create: (scope: Scope, body: CreateBoard, actor: Actor) => Effect.Effect<BoardRecord, BoardsFailure>
  readonly get: (scope: Scope, id: BoardId) => Effect.Effect<BoardRecord, NotFound>
  /** Changes a board. Fails with `DUPLICATE_NAME` like `create`. */
  readonly patch: (
    scope: Scope,
    id: BoardId,
    body: PatchBoard,
    actor: Actor
  ) => Effect.Effect<BoardRecord, NotFound | BoardsFailure>
  /** Deletes a board with all of its content and everything that depends on its widgets. */
  readonly remove: (scope: Scope, id: BoardId) => Effect.Effect<void, NotFound>
  /** Appends a tab. */
  readonly createTab: (
    scope: Scope,
    id: BoardId,
    body: CreateTab,
    actor: Actor
  ) => Effect.Effect<TabRecord, NotFound | BoardsFailure>
  readonly patchTab: (
    scope: Scope,
    id: BoardId,
    tab_id: TabId,
    body: PatchTab,
    actor: Actor
  ) => Effect.Effect<TabRecord, NotFound | BoardsFailure>
  /** Deletes a tab with its widgets. Fails with `LAST_TAB` when it is the only one. */
  readonly removeTab: (
    scope: Scope,
    id: BoardId,
    tab_id: TabId,
    actor: Actor
  ) => Effect.Effect<void, NotFound | BoardsFailure>
  /** Appends a widget to its tab. Its declarations of filters are checked and change existing ones as in `patchWidget`. */
  readonly createWidget: (
    scope: Scope,
    id: BoardId,
    body: CreateWidget,
    actor: Actor
  ) => Effect.Effect<WidgetRecord, SaveFailure>
  /**
   * Changes a widget; the body may be a record that was read before. Declaring an existing filter with another default
   * changes it for every widget of the board; declaring it with another type fails with `INVALID_FILTER_VALUE` when
   * another widget uses it. A complete filter that repeats an earlier state of the board's filter was read before the
   * filter changed, and changes nothing. Fails with `Invalid` when the settings do not fit the visualization type, or
   * when a new dropdown has no options.
   */
  readonly patchWidget: (
    scope: Scope,
    id: BoardId,
    widget_id: WidgetId,
    body: PatchWidget,
    actor: Actor
  ) => Effect.Effect<WidgetRecord, SaveFailure>
  /** Deletes a widget and everything that depends on it. */
  readonly removeWidget: (
    scope: Scope,
    id: BoardId,
    widget_id: WidgetId,
    actor: Actor
  ) => Effect.Effect<void, NotFound | BoardsFailure>
  /** Finds a widget on a given board. */
  readonly widget: (scope: Scope, id: BoardId, widget_id: WidgetId) => Effect.Effect<WidgetOnBoard, NotFound>
  /** Filters of a board, in order of first use. */
  readonly filters: (scope: Scope, id: BoardId) => Effect.Effect<ReadonlyArray<Filter>, NotFound>
  /**
   * Changes a filter. Fails with `INVALID_FILTER_VALUE` or `INVALID_SQL` when the change does not fit every widget that
   * uses it, and with `Invalid` when it leaves a dropdown without options.
   */
  readonly patchFilter: (
    scope: Scope,
    id: BoardId,
    filter_id: FilterId,
    body: PatchFilter,
    actor: Actor
  ) => Effect.Effect<Filter, SaveFailure>
}>() {
  /** Boards over a `BoardStore`; SQL is checked by the `Warehouse`. */
  static readonly layer = Layer.effect(Boards, makeBoards)
}
