import { trusted } from "@trunkline/kernel"
import { Array, type Option } from "effect"
import { type Board, Tab, type TabId, Widget, type WidgetId } from "./Board.js"

/** Where something is to go: a place from 0; beyond the end, or without one, at the end. */
export type Place = number | undefined

const insertAt = <A>(items: ReadonlyArray<A>, item: A, place: Place): ReadonlyArray<A> => {
  const index = Math.min(place ?? items.length, items.length)
  return [...items.slice(0, index), item, ...items.slice(index)]
}

const numberedTabs = (tabs: ReadonlyArray<Tab>): ReadonlyArray<Tab> =>
  tabs.map((tab, position) => tab.position === position ? tab : new Tab({ ...tab, position }, trusted))

const numberedWidgets = (widgets: ReadonlyArray<Widget>): ReadonlyArray<Widget> =>
  widgets.map((widget, position) =>
    widget.position === position ? widget : new Widget({ ...widget, position }, trusted)
  )

/** The tabs with one that is new, or is there already and changed or moved; the others make room or close up. */
export const withTab = (tabs: ReadonlyArray<Tab>, tab: Tab, place: Place): ReadonlyArray<Tab> =>
  numberedTabs(insertAt(tabs.filter(({ id }) => id !== tab.id), tab, place))

/** The tabs without one; those after it close up. */
export const withoutTab = (tabs: ReadonlyArray<Tab>, id: TabId): ReadonlyArray<Tab> =>
  numberedTabs(tabs.filter((tab) => tab.id !== id))

/** The tabs without a widget; those after it close up. */
export const withoutWidget = (tabs: ReadonlyArray<Tab>, id: WidgetId): ReadonlyArray<Tab> =>
  tabs.map((tab) =>
    tab.widgets.some((widget) => widget.id === id)
      ? new Tab({ ...tab, widgets: numberedWidgets(tab.widgets.filter((widget) => widget.id !== id)) }, trusted)
      : tab
  )

/**
 * The tabs with a widget in the tab that it names: it is new, or is there already and changed or moved. The widgets of
 * both tabs make room or close up.
 */
export const withWidget = (tabs: ReadonlyArray<Tab>, widget: Widget, place: Place): ReadonlyArray<Tab> =>
  withoutWidget(tabs, widget.id).map((tab) =>
    tab.id === widget.tab_id
      ? new Tab({ ...tab, widgets: numberedWidgets(insertAt(tab.widgets, widget, place)) }, trusted)
      : tab
  )

/** A tab of a board. */
export const findTab = (board: Board, id: TabId): Option.Option<Tab> =>
  Array.findFirst(board.tabs, (tab) => tab.id === id)

/** A widget of a board, in whichever tab. */
export const findWidget = (board: Board, id: WidgetId): Option.Option<Widget> =>
  Array.findFirst(board.tabs, (tab) => Array.findFirst(tab.widgets, (widget) => widget.id === id))
