import { BoardsFailure } from "@trunkline/errors"
import { BusinessTime, Ids, type Scope, Transactions } from "@trunkline/kernel"
import { Warehouse } from "@trunkline/warehouse"
import { Effect, Option } from "effect"
import type { FilterId } from "../filters/Filter.js"
import { withoutStale } from "../filters/ReplacedFilters.js"
import {
  type Actor,
  Board,
  BoardId,
  boardRecordOf,
  Tab,
  TabId,
  tabRecordOf,
  WidgetId,
  widgetRecordOf,
  widgetsOf
} from "./Board.js"
import {
  type CreateBoard,
  type CreateTab,
  type CreateWidget,
  defaultTabName,
  maxBoards,
  type PatchBoard,
  type PatchFilter,
  type PatchTab,
  type PatchWidget
} from "./BoardBodies.js"
import { makeBoardChanges, WidgetDependents } from "./BoardChanges.js"
import {
  addTab,
  addWidget,
  changeFilter,
  changeTab,
  changeWidget,
  dropTab,
  dropWidget,
  getFilter,
  withDeclaredFilters,
  withDerivedFilters
} from "./BoardEdits.js"
import { BoardStore } from "./BoardStore.js"
import { checkSql } from "./CheckSql.js"
import { applyChanges, getTab, getWidget, isEmptyPatch, limitError } from "./Layout.js"

/** Implementation of `Boards`. */
export const makeBoards = Effect.gen(function*() {
  const store = yield* BoardStore
  const transactions = yield* Transactions
  const dependents = yield* WidgetDependents
  const warehouse = yield* Warehouse
  const ids = yield* Ids
  const { change, changeChecked, find } = yield* makeBoardChanges((scope, { filters, sql }) =>
    Effect.provideService(checkSql(scope, sql, filters), Warehouse, warehouse)
  )

  const checkNameUnused = (scope: Scope, name: string, except?: BoardId) =>
    Effect.flatMap(store.findByName(scope, name), (other) =>
      Option.exists(other, ({ id }) => id !== except)
        ? new BoardsFailure({ code: "DUPLICATE_NAME", message: "Another board of this workspace has this name" })
        : Effect.void)

  const create = Effect.fn("Boards.create")(function*(scope: Scope, { name, tag }: CreateBoard, actor: Actor) {
    const now = yield* BusinessTime.date
    const board = new Board({
      id: BoardId.make(yield* ids.uuid),
      name,
      tag,
      created_by: actor,
      created_at: now,
      updated_by: actor,
      updated_at: now,
      tabs: [new Tab({ id: TabId.make(yield* ids.uuid), name: defaultTabName, position: 0, widgets: [] })],
      filters: []
    })
    yield* transactions.run(Effect.gen(function*() {
      const { total } = yield* store.list(scope, { limit: 1, offset: 0 })
      if (total >= maxBoards) return yield* limitError(`A workspace can have at most ${maxBoards} boards`)
      yield* checkNameUnused(scope, name)
      yield* store.put(scope, board)
    }))
    return boardRecordOf(board)
  })

  const patch = Effect.fn("Boards.patch")(function*(scope: Scope, id: BoardId, body: PatchBoard, actor: Actor) {
    const board = yield* change({
      scope,
      id,
      actor,
      edit: (board, stamp) => {
        if (isEmptyPatch(body, ["tag"])) return Effect.succeed(board)
        const { name, tag } = { name: body.name ?? board.name, tag: body.tag === undefined ? board.tag : body.tag }
        return Effect.as(checkNameUnused(scope, name, id), applyChanges(board, stamp, { name, tag }))
      }
    })
    return boardRecordOf(board)
  })

  const remove = Effect.fn("Boards.remove")(function*(scope: Scope, id: BoardId) {
    yield* transactions.run(Effect.gen(function*() {
      const board = yield* find(scope, id)
      yield* store.remove(scope, id)
      yield* dependents.onWidgetsRemoved(scope, id, widgetsOf(board).map((widget) => widget.id))
    }))
  })

  const createTab = Effect.fn("Boards.createTab")(
    function*(scope: Scope, id: BoardId, body: CreateTab, actor: Actor) {
      const tab_id = TabId.make(yield* ids.uuid)
      const board = yield* change({ scope, id, actor, edit: (board, stamp) => addTab(board, stamp, tab_id, body) })
      return tabRecordOf(board, yield* getTab(board, tab_id))
    }
  )

  const patchTab = Effect.fn("Boards.patchTab")(
    function*(scope: Scope, id: BoardId, tab_id: TabId, body: PatchTab, actor: Actor) {
      const board = yield* change({ scope, id, actor, edit: (board, stamp) => changeTab(board, stamp, tab_id, body) })
      return tabRecordOf(board, yield* getTab(board, tab_id))
    }
  )

  const removeTab = Effect.fn("Boards.removeTab")(
    function*(scope: Scope, id: BoardId, tab_id: TabId, actor: Actor) {
      yield* change({
        scope,
        id,
        actor,
        edit: (board, stamp) =>
          Effect.flatMap(dropTab(board, stamp, tab_id), (board) => withDerivedFilters(board, ids.uuid))
      })
    }
  )

  const createWidget = Effect.fn("Boards.createWidget")(
    function*(scope: Scope, id: BoardId, body: CreateWidget, actor: Actor) {
      const widget_id = WidgetId.make(yield* ids.uuid)
      const declaration = { widget: widget_id, filters: body.filters }
      const board = yield* changeChecked({
        scope,
        id,
        actor,
        edit: (board, stamp) =>
          Effect.flatMap(
            addWidget(board, stamp, widget_id, body),
            (board) => withDeclaredFilters(board, ids.uuid, declaration)
          )
      })
      return widgetRecordOf(board, yield* getWidget(board, widget_id))
    }
  )

  const patchWidget = Effect.fn("Boards.patchWidget")(
    function*(scope: Scope, id: BoardId, widget_id: WidgetId, body: PatchWidget, actor: Actor) {
      const declaredOn = ({ replaced_filters = [] }: Board) => ({
        widget: widget_id,
        filters: withoutStale(body.filters ?? [], replaced_filters)
      })
      const board = yield* changeChecked({
        scope,
        id,
        actor,
        edit: (before, stamp) =>
          Effect.flatMap(
            changeWidget(before, stamp, widget_id, body),
            (board) =>
              board === before ? Effect.succeed(board) : withDeclaredFilters(board, ids.uuid, declaredOn(board))
          )
      })
      return widgetRecordOf(board, yield* getWidget(board, widget_id))
    }
  )

  const removeWidget = Effect.fn("Boards.removeWidget")(
    function*(scope: Scope, id: BoardId, widget_id: WidgetId, actor: Actor) {
      yield* change({
        scope,
        id,
        actor,
        edit: (board, stamp) =>
          Effect.flatMap(dropWidget(board, stamp, widget_id), (board) => withDerivedFilters(board, ids.uuid))
      })
    }
  )

  const widget = Effect.fn("Boards.widget")(function*(scope: Scope, id: BoardId, widget_id: WidgetId) {
    const board = yield* find(scope, id)
    const widget = widgetRecordOf(board, yield* getWidget(board, widget_id))
    return { board: boardRecordOf(board), widget }
  })

  const patchFilter = Effect.fn("Boards.patchFilter")(
    function*(scope: Scope, id: BoardId, filter_id: FilterId, body: PatchFilter, actor: Actor) {
      const board = yield* changeChecked({
        scope,
        id,
        actor,
        edit: (before, stamp) =>
          Effect.flatMap(
            changeFilter(before, stamp, filter_id, body),
            (board) => board === before ? Effect.succeed(board) : withDerivedFilters(board, ids.uuid)
          )
      })
      return yield* getFilter(board, filter_id)
    }
  )

  return {
    list: store.list,
    create,
    get: (scope: Scope, id: BoardId) => Effect.map(find(scope, id), boardRecordOf),
    patch,
    remove,
    createTab,
    patchTab,
    removeTab,
    createWidget,
    patchWidget,
    removeWidget,
    widget,
    filters: (scope: Scope, id: BoardId) => Effect.map(find(scope, id), ({ filters }) => filters),
    patchFilter
  }
})
