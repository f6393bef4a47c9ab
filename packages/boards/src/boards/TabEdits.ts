import { BoardsFailure } from "@trunkline/errors"
import { Effect } from "effect"
import { type Board, Tab, type TabId } from "./Board.js"
import type { CreateTab, PatchTab } from "./BoardBodies.js"
import { MAX_TABS } from "./BoardLimits.js"
import { changed, isEmpty, noRoom, type Stamp, tabOf } from "./Edit.js"
import { withoutTab, withTab } from "./Layout.js"

/** Adds a tab, as the last. */
export const addTab = (board: Board, stamp: Stamp, id: TabId, { name }: CreateTab) =>
  Effect.gen(function*() {
    const position = board.tabs.length
    if (position >= MAX_TABS) return yield* noRoom(`A board may have ${MAX_TABS} tabs`)
    const tab = new Tab({ id, name, position, widgets: [] })
    return changed(board, stamp, { tabs: withTab(board.tabs, tab, position) })
  })

/** Renames a tab or moves it. */
export const changeTab = (board: Board, stamp: Stamp, id: TabId, patch: PatchTab) =>
  Effect.gen(function*() {
    const before = yield* tabOf(board, id)
    if (isEmpty(patch)) return board
    const tab = new Tab({ ...before, name: patch.name ?? before.name })
    return changed(board, stamp, { tabs: withTab(board.tabs, tab, patch.position ?? before.position) })
  })

/**
 * Takes a tab away with its widgets; `LAST_TAB` when there is no other. The board's filters are still to be derived.
 */
export const dropTab = (board: Board, stamp: Stamp, id: TabId) =>
  Effect.gen(function*() {
    yield* tabOf(board, id)
    if (board.tabs.length === 1) {
      return yield* new BoardsFailure({ code: "LAST_TAB", message: "The only tab of a board cannot be deleted" })
    }
    return changed(board, stamp, { tabs: withoutTab(board.tabs, id) })
  })
