import { type BoardsFailure, Invalid, issuesOf } from "@trunkline/errors"
import { Array, Effect, Option } from "effect"
import { parseTemplate } from "../filters/SqlTemplate.js"
import { type Board, type Tab, Widget, type WidgetId } from "./Board.js"
import type { CreateWidget, PatchWidget } from "./BoardBodies.js"
import { MAX_WIDGETS } from "./BoardLimits.js"
import { changed, isEmpty, noRoom, type Stamp, tabOf, widgetOf } from "./Edit.js"
import { withoutWidget, withWidget } from "./Layout.js"
import { vizIssue } from "./VizRules.js"

const roomIn = (tab: Tab): Effect.Effect<void, BoardsFailure> =>
  tab.widgets.length < MAX_WIDGETS ? Effect.void : noRoom(`A tab may have ${MAX_WIDGETS} widgets`)

/** Adds a widget, as the last of its tab. The board's filters are still to be derived. */
export const addWidget = (board: Board, stamp: Stamp, id: WidgetId, body: CreateWidget) =>
  Effect.gen(function*() {
    const tab = body.tab_id === null
      ? yield* Effect.orDie(Array.head(board.tabs))
      : yield* tabOf(board, body.tab_id)
    yield* roomIn(tab)
    const widget = new Widget({
      id,
      board_id: board.id,
      tab_id: tab.id,
      position: tab.widgets.length,
      name: body.name,
      sql: body.sql,
      viz_type: body.viz_type,
      viz_config: body.viz_config,
      filters: (yield* parseTemplate(body.sql)).names,
      ...stamp,
      created_by: stamp.updated_by,
      created_at: stamp.updated_at
    })
    return changed(board, stamp, { tabs: withWidget(board.tabs, widget, widget.position) })
  })

/** Changes a widget or moves it, within its tab or to another one. The board's filters are still to be derived. */
export const changeWidget = (board: Board, stamp: Stamp, id: WidgetId, patch: PatchWidget) =>
  Effect.gen(function*() {
    const before = yield* widgetOf(board, id)
    if (isEmpty(patch)) return board
    const tab = yield* tabOf(board, patch.tab_id ?? before.tab_id)
    const moves = tab.id !== before.tab_id
    if (moves) yield* roomIn(tab)
    const sql = patch.sql ?? before.sql
    const widget = new Widget({
      ...before,
      ...stamp,
      tab_id: tab.id,
      name: patch.name ?? before.name,
      sql,
      viz_type: patch.viz_type ?? before.viz_type,
      viz_config: patch.viz_config ?? before.viz_config,
      filters: (yield* parseTemplate(sql)).names
    })
    const issue = vizIssue(widget.viz_type, widget.viz_config)
    if (Option.isSome(issue)) return yield* new Invalid({ issues: issuesOf(issue.value, "body") })
    const place = patch.position ?? (moves ? undefined : before.position)
    return changed(board, stamp, { tabs: withWidget(board.tabs, widget, place) })
  })

/** Takes a widget away. The board's filters are still to be derived. */
export const dropWidget = (board: Board, stamp: Stamp, id: WidgetId) =>
  Effect.map(
    widgetOf(board, id),
    () => changed(board, stamp, { tabs: withoutWidget(board.tabs, id) })
  )
