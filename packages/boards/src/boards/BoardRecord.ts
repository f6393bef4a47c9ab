import { Array, Schema } from "effect"
import { Filter } from "../filters/Filter.js"
import { Board, Tab, Widget } from "./Board.js"

/** A widget as it is shown: it lists the filters of its board that its SQL uses, in the order of their first use. */
export const WidgetRecord = Schema.Struct({ ...Widget.fields, filters: Schema.Array(Filter) }).annotations({
  identifier: "Widget"
})
export type WidgetRecord = typeof WidgetRecord.Type

/** A tab as it is shown. */
export const TabRecord = Schema.Struct({ ...Tab.fields, widgets: Schema.Array(WidgetRecord) }).annotations({
  identifier: "Tab"
})
export type TabRecord = typeof TabRecord.Type

/** A board as it is shown, with all that is on it. */
export const BoardRecord = Schema.Struct({ ...Board.fields, tabs: Schema.Array(TabRecord) }).annotations({
  identifier: "Board"
})
export type BoardRecord = typeof BoardRecord.Type

/** A widget of a board as it is shown. */
export const widgetRecordOf = (board: Board, widget: Widget): WidgetRecord => ({
  ...widget,
  filters: Array.filterMap(
    widget.filters,
    (name) => Array.findFirst(board.filters, ({ internal_name }) => internal_name === name)
  )
})

/** A tab of a board as it is shown. */
export const tabRecordOf = (board: Board, tab: Tab): TabRecord => ({
  ...tab,
  widgets: tab.widgets.map((widget) => widgetRecordOf(board, widget))
})

/** A board as it is shown. */
export const boardRecordOf = (board: Board): BoardRecord => ({
  ...board,
  tabs: board.tabs.map((tab) => tabRecordOf(board, tab))
})
