import type { BoardsFailure, Invalid, NotFound, Overloaded } from "@trunkline/errors"
import type { Scope } from "@trunkline/kernel"
import { Context, type Effect, Layer } from "effect"
import type { Filter, FilterId } from "../filters/Filter.js"
import type { Actor, BoardId, BoardSummary, TabId, WidgetId } from "./Board.js"
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
import type { BoardRecord, TabRecord, WidgetRecord } from "./BoardRecord.js"
import { makeBoards } from "./MakeBoards.js"

/** Why a widget or a filter was not saved: its SQL is checked, for which there may be no time just now. */
export type SaveFailure = NotFound | BoardsFailure | Overloaded

/** A widget with the board that it is on. */
export interface PlacedWidget {
  readonly board: BoardRecord
  readonly widget: WidgetRecord
}

/**
 * The boards of a workspace, with their tabs, widgets and filters (shapes 7.1 to 7.3, but for runs and notifications).
 *
 * Every change is one transaction over the newest state of its board, and stamps the board. Positions are always 0 to
 * n - 1: others make room and close up, and a position beyond the last means the last. SQL is prepared before it is
 * saved, never run (decisions 8). A board, tab, widget or filter that is not there, or not in this workspace or on this
 * board, is `NotFound`; too much of anything is `RESOURCE_LIMIT` (`BoardLimits`). A PATCH that asks for nothing gives
 * the record as it is, without a stamp (shapes 0.3).
 */
export class Boards extends Context.Tag("@trunkline/boards/Boards")<Boards, {
  /** Those changed last come first. */
  readonly list: (
    scope: Scope,
    page: ListBoards
  ) => Effect.Effect<{ readonly items: ReadonlyArray<BoardSummary>; readonly total: number }>
  /** With one tab; `DUPLICATE_NAME` when the workspace has a board of exactly this name. */
  readonly create: (scope: Scope, body: CreateBoard, actor: Actor) => Effect.Effect<BoardRecord, BoardsFailure>
  readonly get: (scope: Scope, id: BoardId) => Effect.Effect<BoardRecord, NotFound>
  /** Fails with `DUPLICATE_NAME` as `create` does. */
  readonly patch: (
    scope: Scope,
    id: BoardId,
    body: PatchBoard,
    actor: Actor
  ) => Effect.Effect<BoardRecord, NotFound | BoardsFailure>
  /** With all that is on it, and all that hangs on its widgets. */
  readonly remove: (scope: Scope, id: BoardId) => Effect.Effect<void, NotFound>
  /** As the last one. */
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
  /** With its widgets; `LAST_TAB` when it is the only one. */
  readonly removeTab: (
    scope: Scope,
    id: BoardId,
    tab_id: TabId,
    actor: Actor
  ) => Effect.Effect<void, NotFound | BoardsFailure>
  /** As the last of its tab. Filters that the board has already change as with `patchWidget`. */
  readonly createWidget: (
    scope: Scope,
    id: BoardId,
    body: CreateWidget,
    actor: Actor
  ) => Effect.Effect<WidgetRecord, SaveFailure>
  /**
   * Takes a record back that was read before. A filter that the body lists with another default changes for every widget
   * of the board that uses it; with another type it is `INVALID_FILTER_VALUE` where another widget uses it. The settings
   * have to suit how the widget is to be shown: `Invalid` where they do not.
   */
  readonly patchWidget: (
    scope: Scope,
    id: BoardId,
    widget_id: WidgetId,
    body: PatchWidget,
    actor: Actor
  ) => Effect.Effect<WidgetRecord, SaveFailure | Invalid>
  /** With what hangs on it. */
  readonly removeWidget: (
    scope: Scope,
    id: BoardId,
    widget_id: WidgetId,
    actor: Actor
  ) => Effect.Effect<void, NotFound | BoardsFailure>
  /** A widget, looked up on the board that it has to be on. */
  readonly widget: (scope: Scope, id: BoardId, widget_id: WidgetId) => Effect.Effect<PlacedWidget, NotFound>
  /** In the order of their first use. */
  readonly filters: (scope: Scope, id: BoardId) => Effect.Effect<ReadonlyArray<Filter>, NotFound>
  /** What is said of it has to make sense, also for every widget that uses it: `INVALID_FILTER_VALUE`, `INVALID_SQL`. */
  readonly patchFilter: (
    scope: Scope,
    id: BoardId,
    filter_id: FilterId,
    body: PatchFilter,
    actor: Actor
  ) => Effect.Effect<Filter, SaveFailure>
}>() {
  static readonly layer = Layer.effect(Boards, makeBoards)
}
